package hunt_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// onMUL is the VM with a change for programs with a MUL.
type onMUL struct {
	pica.Engine
	do func(out *pica.Outcome)
}

func (e onMUL) Run(job *pica.Job, out *pica.Outcome) error {
	if err := e.Engine.Run(job, out); err != nil {
		return err
	}
	if slices.ContainsFunc(job.Code, func(w uint32) bool { return pica.OpcodeOf(w) == pica.MUL }) {
		e.do(out)
	}
	return nil
}

// comparison compares the VM, spoilt on MUL, with the oracle.
func comparison(t *testing.T, mode gen.Mode, do func(out *pica.Outcome)) hunt.Comparison {
	t.Helper()
	f24, err := profile.Parse("f24")
	if err != nil {
		t.Fatal(err)
	}
	return hunt.Comparison{
		Engines: hunt.Engines{Want: impl.New, Got: func() pica.Engine { return onMUL{vm.New(), do} }},
		Name:    string(mode) + " f24", Source: hunt.Generated(mode, f24), Watch: true,
	}
}

// TestJobs: differences of a broken engine are found and reduced, and a hunt that continues
// still has the reached coverpoints.
func TestJobs(t *testing.T) {
	dir := t.TempDir()
	points := func(limit uint64, do func(out *pica.Outcome)) (points int) {
		run(t, t.Context(), dir, hunt.Options{Limit: limit, Progress: func(s hunt.Status) { points = s.Points }},
			comparison(t, gen.Mixed, do).Target())
		return points
	}
	before := points(2000, func(out *pica.Outcome) { out.Vertices[0].R[3][1] ^= 1 })
	s := stored(t, dir)
	if len(s.Buckets) == 0 || len(s.Corpus) == 0 || before < 500 {
		t.Fatalf("%d buckets, %d in the corpus, %d points", len(s.Buckets), len(s.Corpus), before)
	}
	for _, b := range s.Buckets {
		job, err := hunt.ParseJob([]byte(read(t, dir, b.File+".json")))
		if err != nil || b.End != reduce.Minimal || len(job.Code) > 3 {
			t.Errorf("%s: %v, %v, %d words", b.Key, err, b.End, len(job.Code))
		}
		if text := read(t, dir, b.File+".txt"); !strings.HasPrefix(text, b.Key+"\n") ||
			!strings.Contains(text, "picaproof compare --job '{") {
			t.Errorf("report %q", text)
		}
	}
	if after := points(64, func(*pica.Outcome) {}); after < before {
		t.Errorf("%d points, %d in the run before", after, before)
	}
}

// TestAPanicOfAnEngineIsReduced: it is a finding.
func TestAPanicOfAnEngineIsReduced(t *testing.T) {
	dir := t.TempDir()
	s := run(t, t.Context(), dir, hunt.Options{Limit: 500},
		comparison(t, gen.Alu, func(*pica.Outcome) { panic("no MUL") }).Target())
	if len(s.Buckets) != 1 || !strings.HasPrefix(s.Buckets[0].Key, "panic in hunt_test.") || s.Buckets[0].Count < 2 {
		t.Fatalf("buckets %+v, want one of a panic", s.Buckets)
	}
	b := s.Buckets[0]
	job, err := hunt.ParseJob([]byte(read(t, dir, b.File+".json")))
	if err != nil || b.End != reduce.Minimal || len(job.Code) != 2 || pica.OpcodeOf(job.Code[0]) != pica.MUL {
		t.Errorf("%v, %v, program %x, want MUL and END", err, b.End, job.Code)
	}
	if text := read(t, dir, b.File+".txt"); !strings.Contains(text, "\n  no MUL\n") {
		t.Errorf("report %q", text)
	}
}

// TestADifferenceThatAJobAloneDoesNotShow: an engine that goes wrong from its hundredth run on.
func TestADifferenceThatAJobAloneDoesNotShow(t *testing.T) {
	c := comparison(t, gen.Alu, nil)
	c.Got = func() pica.Engine {
		runs := 0
		return onMUL{vm.New(), func(out *pica.Outcome) {
			if runs++; runs > 100 {
				out.Vertices[0].R[3][1] ^= 1
			}
		}}
	}
	var reports []string
	run(t, t.Context(), "", hunt.Options{Limit: 10_000, Workers: 1,
		Found: func(b *hunt.Bucket) { reports = append(reports, b.Reduced.Text) }}, c.Target())
	if len(reports) == 0 || !strings.Contains(reports[0],
		"only after other jobs: alone, on new engines, it shows no difference") {
		t.Errorf("reports %q", reports)
	}
}

// TestUndefinedJobsAreCounted: a profile without a prediction for some jobs.
func TestUndefinedJobsAreCounted(t *testing.T) {
	c := comparison(t, gen.Words, nil)
	p, err := profile.Parse("panda-interp")
	if err != nil {
		t.Fatal(err)
	}
	c.Source, c.Watch, c.Got = hunt.Generated(gen.Words, p), false, impl.New
	s := run(t, t.Context(), "", hunt.Options{Limit: 500}, c.Target())
	if n := s.Targets[0].Outcomes["undefined"]; n == 0 || len(s.Buckets) != 0 {
		t.Errorf("%d undefined jobs, %d buckets", n, len(s.Buckets))
	}
}

// TestABrokenParserIsFound: a checker without one rule, and one that panics.
func TestABrokenParserIsFound(t *testing.T) {
	from, _ := files.ByName("shbin")
	format, _ := registry.ByName("shbin")
	check := format.Check
	format.Check = func(b []byte, opts ...registry.Option) []diag.Finding {
		if len(b)%64 == 0 {
			panic("a multiple of 64")
		}
		return slices.DeleteFunc(check(b, opts...), func(f diag.Finding) bool { return f.Rule == "DVLB002" })
	}
	s := run(t, t.Context(), t.TempDir(), hunt.Options{Limit: 2000}, hunt.Files(format, from))
	keys := map[string]reduce.End{}
	for _, b := range s.Buckets {
		keys[b.Key] = b.End
	}
	for _, key := range []string{"refused", "panic in hunt_test.TestABrokenParserIsFound.func1"} {
		if keys[key] != reduce.Minimal {
			t.Errorf("no reduced bucket %q: %v", key, keys)
		}
	}
}

// TestFilesOfEveryFormat: our own parsers pass a short hunt.
func TestFilesOfEveryFormat(t *testing.T) {
	var targets []hunt.Target
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		targets = append(targets, hunt.Files(format, from))
	}
	s := run(t, t.Context(), "", hunt.Options{Limit: 1000}, targets...)
	for _, b := range s.Buckets {
		text, _ := json.Marshal(b)
		t.Errorf("%s", text)
	}
}

// TestEveryFaultIsDrawn: within four times as many cases as a format has faults, the hunt draws
// each fault, and as many valid, odd and damaged files.
func TestEveryFaultIsDrawn(t *testing.T) {
	for _, from := range files.Formats {
		rules, kinds := map[string]int{}, map[string]int{}
		for n := range uint64(4 * len(from.Faults())) {
			x, known := hunt.DrawFile(from, n, gen.From(gen.Seed(1, n)))
			switch {
			case !known:
				kinds["damaged"]++
			case x.Odd:
				kinds["odd"]++
			case x.Rule != "":
				kinds["faulty"]++
				rules[x.Rule]++
			default:
				kinds["valid"]++
			}
		}
		for _, kind := range []string{"valid", "odd", "faulty", "damaged"} {
			if kinds[kind] != len(from.Faults()) {
				t.Errorf("%s: %d of %d files are %s", from.Name, kinds[kind], 4*len(from.Faults()), kind)
			}
		}
		for _, f := range from.Faults() {
			if rules[f.Rule]--; rules[f.Rule] < 0 {
				t.Errorf("%s: a fault of %s is not drawn", from.Name, f.Rule)
			}
		}
	}
}
