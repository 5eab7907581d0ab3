package conform_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// modelSeed is the seed of the random models.
const modelSeed = 33

// models are the named profiles and random combinations of knobs, some of them near a profile.
func models(random int) (list []pica.Profile) {
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		list = append(list, p)
	}
	for n := range uint64(random) {
		r := rand.New(rand.NewPCG(modelSeed, n))
		if n%2 == 0 {
			list = append(list, fingerprint.RandomNear(r, 1+int(n/2)%4))
		} else {
			list = append(list, fingerprint.Random(r))
		}
	}
	return list
}

// TestModels: the model of a core that follows a profile is found, up to what no program shows.
// The report lists the differences of the model from the console, each rule once, and nothing
// else. The console's rules define the program of such a difference, and answer otherwise.
func TestModels(t *testing.T) {
	all := models(200)
	few := slices.Concat(all[:1], all[3:4], all[10:12])
	list := slices.Concat(few, long.Extra(t, all))
	for i := range list {
		p := list[i]
		r, err := conform.Run(t.Context(), adapter.InProcess("model", p, impl.New),
			conform.Options{Suites: []string{"upload", "alu", "flow", "mixed", "geometry"}, Cases: 60, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		checkModel(t, &p, r)
	}
}

// checkModel checks the report on a core that follows a profile.
func checkModel(t *testing.T, p *pica.Profile, r *conform.Report) {
	t.Helper()
	name := profile.String(*p)
	found, err := profile.Parse(r.Profile.Nearest)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range r.Profile.Knobs { // the report names answers that no job separates
		dim := &fingerprint.Dimensions[slices.IndexFunc(fingerprint.Dimensions,
			func(d fingerprint.Dimension) bool { return d.Name == k.Knob })]
		if truth := dim.Get(p); slices.Contains(k.Others, dim.Values[truth].Name) {
			found, _ = dim.With(found, truth)
		}
	}
	const seed, generated = 3, 60
	if job := fingerprint.Contradiction(p, &found, seed, generated); job != nil {
		t.Errorf("%s: found %s, which a candidate of seed %d contradicts: %+v", name, r.Profile.Nearest, seed, job)
	}
	rules := map[string]bool{}
	for i := range r.Deviations {
		d := &r.Deviations[i]
		rule, ofModel := strings.CutPrefix(d.Bucket, report.ModelPrefix)
		rule, precise := strings.CutPrefix(rule, "precision: ")
		if d.Verdict == report.Crash || d.Verdict == report.Hang {
			if !deathUnder(t, p, d) {
				t.Errorf("%s: %s: %s: the core's own rules do not say so", name, d.Verdict, d.Bucket)
			}
			continue
		}
		if !ofModel && !precise {
			t.Errorf("%s: found %s: %s: %s: %s\n%s", name, r.Profile.Nearest, d.Verdict, d.Bucket, d.Summary(), d.Assembly)
		}
		if rules[rule] {
			t.Errorf("%s: two entries about %s", name, rule)
		}
		rules[rule] = true
		if ofModel {
			checkEntry(t, p, d)
		}
	}
}

// deathUnder reports whether a profile predicts that the program of a cause kills or hangs the core.
func deathUnder(t *testing.T, p *pica.Profile, d *report.Deviation) bool {
	t.Helper()
	job, err := pica.ParseJob(json.RawMessage(d.Job), profile.Parse)
	if err != nil {
		t.Fatalf("%s: %v", d.Bucket, err)
	}
	var core view.View
	fingerprint.NewPredictor().View(job, p, &core)
	return core.End == map[report.Level]view.End{report.Crash: view.Crashed, report.Hang: view.Hung}[d.Verdict]
}

// undefined are the questions about programs that the console does not run.
var undefined = []string{"hazards", "emitvs", "vertex3", "end", "breakoutside"}

// checkEntry checks a difference between a core's model and the console.
func checkEntry(t *testing.T, p *pica.Profile, d *report.Deviation) {
	t.Helper()
	name := profile.String(*p)
	job, err := pica.ParseJob(json.RawMessage(d.Job), profile.Parse)
	if err != nil {
		t.Fatalf("%s: %s: %v", name, d.Bucket, err)
	}
	hw := profile.HW()
	var console, core view.View
	predict := fingerprint.NewPredictor()
	predict.View(job, &hw, &console)
	predict.View(job, p, &core)
	rule, _, _ := strings.Cut(strings.TrimPrefix(d.Bucket, report.ModelPrefix), ":")
	if d.Verdict == report.Guess && slices.Contains(undefined, rule) || strings.Contains(d.Note, "undefined") {
		return
	}
	if console.End != view.Ended {
		t.Errorf("%s: %s: %s: the console's run ends with %v\n%s", name, d.Verdict, d.Bucket, console.End, d.Assembly)
	} else if view.Compare(&console, &core, nil) != view.Differs {
		t.Errorf("%s: %s: %s: the console answers like the core\n%s%v", name, d.Verdict, d.Bucket, d.Assembly, d.Inputs)
	} else if d.Verdict != report.Precision && d.Class == compare.ClassOneStep.String() {
		t.Errorf("%s: %s: %s: a difference of precision: %s\n%s", name, d.Verdict, d.Bucket, d.Summary(), d.Assembly)
	}
}

// TestRefine: programs of the suites decide what no job of the fingerprint separates.
func TestRefine(t *testing.T) {
	p, err := profile.Parse("panda-interp,subnormal=exact,flush=signed,flushmov=all,zeroinf=positive,dp=mixed,maxzero=ordered," +
		"ex2=polynomial,cmp=abort,fourthcall=returns,inneral=start,end=wrap512,hazards=warn,reset=cc-index," +
		"temporaries=zero,emitvs=abort,banks=one,flushlitp=all,indexedops=all,vertex3=none,movarange=byte,alwidth=8")
	if err != nil {
		t.Fatal(err)
	}
	r, err := conform.Run(t.Context(), adapter.InProcess("model", p, impl.New),
		conform.Options{Suites: []string{"upload", "alu"}, Cases: 60, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, &p, r)
}

// TestContradiction: a fault is one entry, and what it decides is no evidence for an answer to a question.
func TestContradiction(t *testing.T) {
	p, _ := profile.ByName("azahar-interp")
	core := adapter.InProcess("six is false", p, func() pica.Engine {
		return impl.NewWith(func(r *oracle.Rules) {
			before := r.Operands.CMP
			r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
				flags := before(c, operators, a, b)
				for k, op := range operators {
					flags[k] = flags[k] && op != 6
				}
				return flags
			}
		}, nil)
	})
	r, err := conform.Run(t.Context(), core, conform.Options{Suites: []string{"upload", "alu", "mixed", "fields"}, Cases: 200,
		Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const fault = "operator 6 is false"
	if _, err := r.Find(fault); err != nil {
		t.Error(err)
	}
	for _, d := range r.Deviations {
		if !strings.Contains(d.Bucket, "cmp") {
			continue
		}
		job, err := pica.ParseJob(d.Job, profile.Parse)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range job.Code {
			if pica.OpcodeOf(w).Base() == pica.CMP && (w>>24&7 == 6 || w>>21&7 == 6) {
				t.Errorf("%s: the program has operator 6:\n%s", d.Bucket, d.Assembly)
			}
		}
	}
}

// TestSmallExamples: the programs of a core of three instructions that differ from the console have one vertex, and
// no descriptor that no word needs.
func TestSmallExamples(t *testing.T) {
	p, err := profile.Parse("panda-interp,subnormal=exact,zeroinf=nan,end=trap")
	if err != nil {
		t.Fatal(err)
	}
	for op := range pica.Opcode(pica.NumOpcodes) {
		if !slices.Contains([]pica.Opcode{pica.ADD, pica.MUL, pica.MOV, pica.END, pica.NOP}, op) {
			p.Support[op] = pica.SupportAbort
		}
	}
	r := judged(t, adapter.InProcess("three", p, impl.New), conform.Options{Suites: []string{"upload", "alu"}, Cases: 64})
	var round bool
	for i := range r.Deviations {
		d := &r.Deviations[i]
		if d.Knob == "" || d.Verdict == report.Unsupported {
			continue
		}
		round = round || d.Knob == "round"
		job, err := pica.ParseJob(d.Job, profile.Parse)
		if err != nil {
			t.Fatal(err)
		}
		if len(job.Vertices) != 1 || len(job.Descriptors) > len(job.Code) {
			t.Errorf("%s: got %d vertices and %d descriptors, want 1 and at most %d:\n%s", d.Bucket, len(job.Vertices),
				len(job.Descriptors), len(job.Code), d.Assembly)
		}
	}
	if !round {
		t.Errorf("got %+v, want a difference in rounding among them", r.Deviations)
	}
}
