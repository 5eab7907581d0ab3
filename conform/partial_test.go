package conform_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A lack says what a partial core does with an opcode that it does not execute.
type lack string

// The lacks. A core notices a present opcode before it runs the program.
const (
	refuses        lack = "refuses"
	refusesPresent lack = "refuses present"
	skips          lack = "skips"
	skipsSilently  lack = "skips silently"
	crashes        lack = "crashes"
	crashesPresent lack = "crashes present"
)

var allLacks = []lack{refuses, refusesPresent, skips, skipsSilently, crashes, crashesPresent}

// A partial is a core that follows a profile but for some opcodes, named as in profiles.
type partial struct {
	base    string
	lacks   map[string]lack
	refusal pica.Refusal // how the core refuses
}

// needed are the opcodes without which no program shows anything.
var needed = []pica.Opcode{pica.END, pica.NOP, pica.MOV}

// newPartial returns the random partial core of a seed.
func newPartial(base string, seed uint64) *partial {
	r := rand.New(rand.NewPCG(seed, 33))
	c := &partial{base: base, lacks: map[string]lack{},
		refusal: []pica.Refusal{pica.RefusalUnknown, pica.RefusalAssert, pica.RefusalPanic,
			pica.RefusalException}[r.IntN(4)]}
	share := r.Float64() * 0.7
	ways := slices.Clone(allLacks)
	r.Shuffle(len(ways), func(i, j int) { ways[i], ways[j] = ways[j], ways[i] })
	ways = ways[:1+r.IntN(len(ways))]
	p, _ := profile.ByName(base)
	for op := range pica.Opcode(pica.NumOpcodes) {
		name := profile.Spell(op)
		if _, drawn := c.lacks[name]; drawn || slices.Contains(needed, op) || op != op.Base() && !op.Reserved() ||
			p.Support[op] != pica.SupportRun {
			continue
		}
		if r.Float64() < share {
			c.lacks[name] = ways[r.IntN(len(ways))]
		}
	}
	return c
}

func (c *partial) String() string {
	var parts []string
	for name, l := range c.lacks {
		parts = append(parts, string(l)+" "+name)
	}
	slices.Sort(parts)
	return fmt.Sprintf("%s (%v): %s", c.base, c.refusal, strings.Join(parts, ", "))
}

// of returns what the core does with a word.
func (c *partial) of(word uint32) lack { return c.lacks[profile.Spell(pica.OpcodeOf(word).Base())] }

// profile returns the base with the lacks, because a compiler makes no blocks of what it does not execute.
func (c *partial) profile() pica.Profile {
	p, _ := profile.ByName(c.base)
	for op := range p.Support {
		switch c.of(uint32(op) << 26) {
		case skips, skipsSilently:
			p.Support[op] = pica.SupportSkip
		case refuses, crashes:
			p.Support[op] = pica.SupportAbort
		}
	}
	return p
}

// core returns the partial core.
func (c *partial) core() adapter.Core {
	p := c.profile()
	return adapter.InProcess("partial", p, func() pica.Engine {
		return &stateful{impl.NewWith(c.change, nil), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			for _, word := range job.Code {
				switch c.of(word) {
				case crashesPresent:
					panic("present")
				case refusesPresent:
					*out = pica.Outcome{Storage: p.Storage, Vertices: make([]pica.VertexOutcome, len(job.Vertices))}
					for i := range out.Vertices {
						out.Vertices[i].Trap = pica.Trap{Cause: pica.TrapUnsupported, Refusal: c.refusal}
					}
					return nil
				}
			}
			err := e.Run(job, out)
			for i := range out.Vertices {
				out.Vertices[i].Skipped = slices.DeleteFunc(out.Vertices[i].Skipped,
					func(op pica.Opcode) bool { return c.of(uint32(op)<<26) == skipsSilently })
			}
			return err
		}}
	})
}

// change sets how the core refuses, and lets it crash.
func (c *partial) change(r *oracle.Rules) {
	for op := range r.Admit {
		switch c.of(uint32(op) << 26) {
		case refuses:
			r.Admit[op] = func(at *oracle.Control) bool {
				at.Refuse(c.refusal)
				return false
			}
		case crashes:
			r.Admit[op] = func(*oracle.Control) bool { panic("reached") }
		}
	}
}

// partialBases are the profiles whose rules partial cores follow.
var partialBases = []string{"hw", "f24", "azahar-interp", "panda-interp", "azahar-x64", "citra-2021", "mikage-interp"}

// baseReports keeps the reports on the bases.
var baseReports = map[string]*report.Report{}

// judgePartial judges a core in a short run.
func judgePartial(t *testing.T, core adapter.Core) *report.Report {
	t.Helper()
	o := conform.Options{Suites: conform.Suites[:slices.Index(conform.Suites, "fields")], Cases: 60, Seed: 1}
	r, err := conform.Run(t.Context(), core, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPartialCores: a core that does not execute some opcodes has entries about these, and no others that its
// base does not have.
func TestPartialCores(t *testing.T) {
	const all = 300
	for n := range long.Numbers(t, all, long.Few(2, 1)) {
		c := newPartial(partialBases[n%len(partialBases)], uint64(n))
		t.Run(fmt.Sprintf("seed %d", n), func(t *testing.T) {
			c.check(t, judgePartial(t, c.core()))
		})
	}
}

// inBase reports whether the report on a base has an entry of the same question or name that
// is as grave.
func inBase(t *testing.T, base string, d *report.Deviation) bool {
	t.Helper()
	if baseReports[base] == nil {
		p, _ := profile.ByName(base)
		baseReports[base] = judgePartial(t, adapter.InProcess("base", p, impl.New))
	}
	return slices.ContainsFunc(baseReports[base].Deviations, func(b report.Deviation) bool {
		return question(b.Bucket) == question(d.Bucket) &&
			slices.Index(report.Levels, b.Verdict) <= slices.Index(report.Levels, d.Verdict)
	})
}

// hangsInBase reports whether an entry is a hang that the base has, too. Programs that are asked for because of a
// refusal may show it, while those of the base's own run do not.
func hangsInBase(t *testing.T, p pica.Profile, d *report.Deviation) bool {
	t.Helper()
	if d.Verdict != report.Hang {
		return false
	}
	job, err := pica.ParseJob(d.Job, profile.Parse)
	if err != nil {
		t.Fatal(err)
	}
	var v view.View
	fingerprint.NewPredictor().View(job, &p, &v)
	return v.End == view.Hung
}

// question returns the question of an entry about the model, "model: flow" of "model: flow: loop"; other entries
// stay.
func question(bucket string) string {
	if parts := strings.SplitN(bucket, ": ", 3); parts[0] == "model" {
		return strings.Join(parts[:2], ": ")
	}
	return bucket
}

// baseSupport returns the support of an opcode in a base.
func baseSupport(base, name string) pica.Support {
	p, _ := profile.ByName(base)
	for op, support := range p.Support {
		if profile.Spell(pica.Opcode(op)) == name {
			return support
		}
	}
	return pica.SupportRun
}

// shows reports whether programs that the console defines can show a lack: BREAK that is skipped needs a loop,
// and EMIT that is skipped needs SETEMIT.
func (c *partial) shows(name string) bool {
	needs := map[string]string{"break": "loop", "breakc": "loop", "emit": "setemit", "setemit": "emit"}[name]
	l := c.lacks[name]
	return l != skips && l != skipsSilently || c.lacks[needs] == "" && baseSupport(c.base, needs) == pica.SupportRun
}

// dies reports whether the core dies of the program of a cause, or hangs, by the rules of its base.
func (c *partial) dies(t *testing.T, d *report.Deviation) bool {
	p := c.profile()
	return (d.Verdict == report.Crash || d.Verdict == report.Hang) && deathUnder(t, &p, d)
}

// check compares the report on a partial core with its lacks and with the report on its base.
func (c *partial) check(t *testing.T, r *report.Report) {
	t.Helper()
	failed := false
	fail := func(format string, args ...any) {
		if !failed {
			t.Errorf("%v\n  model %s", c, r.Profile.Model)
			failed = true
		}
		t.Errorf(format, args...)
	}
	named := map[string]bool{}
	for i := range r.Deviations {
		d := &r.Deviations[i]
		name, ofModel := strings.CutPrefix(d.Bucket, "model: op.")
		l := c.lacks[name]
		lives := func(name string) bool { return c.lacks[name] != crashes && c.lacks[name] != crashesPresent }
		switch {
		case ofModel && l != "" && lives(name) && d.Verdict == report.Unsupported:
			named[name] = true
		case d.Verdict == report.Crash && !slices.ContainsFunc(d.Opcodes, lives):
			for _, name := range d.Opcodes {
				named[name] = true
			}
		case ofModel && baseSupport(c.base, name) != pica.SupportRun && d.Verdict == report.Unsupported:
		case name == "emit" && c.lacks["setemit"] != "" && !d.Verdict.Bad(): // like a core with one bank
		case !d.Verdict.Bad() && !ofModel:
		case inBase(t, c.base, d):
		case c.dies(t, d):
		default:
			fail("%s: %s: expected %s, observed %s at %s; %s\n%s", d.Verdict, d.Bucket, d.Expected, d.Observed, d.Where,
				d.Note, d.Assembly)
		}
	}
	for name := range c.lacks {
		if !named[name] && c.shows(name) {
			fail("no entry about %s", name)
			for _, k := range r.Profile.Knobs {
				if k.Knob == "op."+name {
					k.DecidedBy = nil
					t.Logf("%+v", k)
				}
			}
		}
	}
	if n := len(r.Profile.Unexplained); n > 0 {
		fail("%d answers fit no model", n)
	}
}

// forms are forms of instructions that a core may refuse when it reaches them.
var forms = []struct {
	name string
	is   func(w uint32, op pica.Opcode) bool
	ops  []string
}{
	{"index", func(w uint32, op pica.Opcode) bool { return op.Layout().Index.Get(w) != pica.IndexNone },
		[]string{"add", "mul", "mov", "max", "slt", "dp4", "rsq"}},
	{"condition and", func(w uint32, op pica.Opcode) bool { return op.Layout().CondOp.Get(w) == pica.CondAnd },
		[]string{"ifc", "callc", "jmpc", "breakc"}},
	{"condition x", func(w uint32, op pica.Opcode) bool { return op.Layout().CondOp.Get(w) == pica.CondX },
		[]string{"ifc", "callc", "jmpc"}},
	{"id 3", func(w uint32, op pica.Opcode) bool {
		l := op.Layout()
		return l.Int.Get(w)|l.Bool.Get(w)|l.Vertex.Get(w) == 3
	}, []string{"loop", "ifu", "callu", "jmpu"}},
	{"temporary", func(w uint32, op pica.Opcode) bool { return op.Layout().Dest.Get(w) == pica.DestTemporary+2 },
		[]string{"add", "mul", "flr"}},
}

// TestRefusedForms: a core that refuses one form of an opcode has an entry about the opcode, and no others that
// its base does not have.
func TestRefusedForms(t *testing.T) {
	const all = 60
	for n := range long.Numbers(t, all, long.Few(2, 1)) {
		r := rand.New(rand.NewPCG(uint64(n), 34))
		form := forms[n%len(forms)]
		name := form.ops[r.IntN(len(form.ops))]
		op := pica.Opcode(slices.IndexFunc(pica.Opcodes[:], func(i pica.OpcodeInfo) bool { return i.Name == name }))
		base := []string{"hw", "azahar-interp", "f24", "citra-2021", "panda-interp"}[r.IntN(5)]
		kind := []pica.Refusal{pica.RefusalUnknown, pica.RefusalException}[r.IntN(2)]
		t.Run(fmt.Sprintf("seed %d", n), func(t *testing.T) {
			p, _ := profile.ByName(base)
			var refused atomic.Bool // the base ends a program with the form
			core := adapter.InProcess("one form", p, func() pica.Engine {
				reached := false
				engine := impl.NewWith(func(rules *oracle.Rules) {
					before := rules.Admit[op]
					rules.Admit[op] = func(at *oracle.Control) bool {
						if form.is(at.Word, op) {
							reached = true
							at.Refuse(kind)
							return false
						}
						return before == nil || before(at)
					}
				}, nil)
				return &stateful{engine, func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
					reached = false
					err := e.Run(job, out)
					var whole view.View
					if reached {
						fingerprint.NewPredictor().View(job, &p, &whole)
						refused.Store(refused.Load() || whole.End == view.Ended)
					}
					return err
				}}
			})
			report := judgePartial(t, core)
			named := false
			for _, d := range report.Deviations {
				about := strings.Contains(d.Opcode, op.String()) || slices.Contains(d.Opcodes, op.String())
				named = named || about
				if about || !d.Verdict.Bad() && !strings.Contains(d.Bucket, "op.") || inBase(t, base, &d) || hangsInBase(t, p, &d) {
					continue
				}
				t.Errorf("%s refuses %v, %s: %s: %s: expected %s, observed %s at %s; %s\n%s", base, op, form.name, d.Verdict,
					d.Bucket, d.Expected, d.Observed, d.Where, d.Note, d.Assembly)
			}
			if refused.Load() && !named || len(report.Profile.Unexplained) > 0 {
				t.Errorf("%s refuses %v (%v), %s: named %v, %d answers fit no model %s", base, op, kind, form.name, named,
					len(report.Profile.Unexplained), report.Profile.Nearest)
			}
		})
	}
}

// TestNeverEnds: a core whose every run ends in a trap is told so.
func TestNeverEnds(t *testing.T) {
	core := adapter.InProcess("endless", profile.F24(), func() pica.Engine {
		return &stateful{impl.New(), func(_ pica.Engine, _ *pica.Job, out *pica.Outcome) error {
			*out = pica.Outcome{Vertices: []pica.VertexOutcome{{Trap: pica.Trap{Cause: pica.TrapBudget}}}}
			return nil
		}}
	})
	_, err := conform.Run(t.Context(), core, conform.Options{Suites: conform.Suites, Cases: 10, Seed: 1})
	if want := "the core refuses each of 8 requests: endless: trapped"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestWritesNothing: a core whose every output stays zero is not called right, but told so.
func TestWritesNothing(t *testing.T) {
	core := adapter.InProcess("silent", profile.F24(), func() pica.Engine {
		return &stateful{impl.New(), func(_ pica.Engine, job *pica.Job, out *pica.Outcome) error {
			*out = pica.Outcome{Vertices: make([]pica.VertexOutcome, len(job.Vertices))}
			return nil
		}}
	})
	_, err := conform.Run(t.Context(), core, conform.Options{Suites: conform.Suites, Cases: 10, Seed: 1})
	if err == nil || !strings.Contains(err.Error(), "not one wrote an output") {
		t.Errorf("got %v", err)
	}
}

// TestRefusesAll: a core that refuses every request, or nearly every one, is told so with its own message.
func TestRefusesAll(t *testing.T) {
	const message = ": grumpy: unsupported: not today"
	for _, x := range []struct {
		refuses func(job *pica.Job) bool
		want    string // before the message
	}{
		{func(*pica.Job) bool { return true }, "the core refuses each of 8 requests"},
		{func(job *pica.Job) bool { return len(job.Code) > 1 }, "requests, most like this one"},
	} {
		core := adapter.InProcess("grumpy", profile.F24(), func() pica.Engine {
			return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
				if x.refuses(job) {
					return &adapter.RefusalError{Kind: adapter.KindUnsupported, Message: "not today"}
				}
				return e.Run(job, out)
			}}
		})
		r, err := conform.Run(t.Context(), core, conform.Options{Suites: conform.Suites, Cases: 10, Seed: 1})
		if err == nil || !strings.HasSuffix(err.Error(), x.want+message) {
			t.Errorf("got %v and the report %v, want %s", err, r, x.want)
		}
	}
}
