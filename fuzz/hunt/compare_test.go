package hunt_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/vm"
)

// spoilt is the VM with outcomes changed by do.
type spoilt struct {
	pica.Engine
	do func(job *pica.Job, out *pica.Outcome) error
}

func (e spoilt) Run(job *pica.Job, out *pica.Outcome) error {
	if err := e.Engine.Run(job, out); err != nil {
		return err
	}
	return e.do(job, out)
}

// differing returns a function that makes such engines.
func differing(do func(job *pica.Job, out *pica.Outcome) error) func() pica.Engine {
	return func() pica.Engine { return spoilt{vm.New(), do} }
}

func profileOf(t *testing.T, name string) pica.Profile {
	t.Helper()
	p, err := profile.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// jobOf returns a job of a program over some vertices of one register.
func jobOf(t *testing.T, text string, vertices int) *pica.Job {
	t.Helper()
	a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	job := &pica.Job{Program: a.Program, Profile: profileOf(t, "f24"), OutMask: 1, InputFormat: pica.Float32}
	for range vertices {
		job.Vertices = append(job.Vertices, []pica.Vec4{{}})
	}
	return job
}

// compared runs a comparison whose source repeats one job.
func compared(t *testing.T, c hunt.Comparison, job *pica.Job) *hunt.Report {
	t.Helper()
	c.Name = "one job"
	c.Source = func(uint64) func(uint64) *pica.Job { return func(uint64) *pica.Job { return job } }
	r, err := c.Run(t.Context(), 1, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReportsOfComparisons: all jobs are run, and differences are counted, the most frequent
// first.
func TestReportsOfComparisons(t *testing.T) {
	job := jobOf(t, "mov o0, v0\nend\n", 1)
	other := jobOf(t, "add o0, v0, v0\nend\n", 1)
	c := hunt.Comparison{Name: "few", Cases: 100, Engines: hunt.Engines{Want: impl.New,
		Got: differing(func(job *pica.Job, out *pica.Outcome) error {
			out.Vertices[0].O[0][0] ^= 1
			return nil
		})}}
	c.Source = func(uint64) func(uint64) *pica.Job {
		return func(n uint64) *pica.Job {
			if n < 30 {
				return other
			}
			return job
		}
	}
	told := 0
	r, err := c.Run(t.Context(), 1, func(jobs int) { told = jobs })
	if err != nil {
		t.Fatal(err)
	}
	var buckets []string
	for _, b := range r.Buckets {
		buckets = append(buckets, fmt.Sprint(b.Count, " from ", b.Number))
	}
	want := []string{"70 from 30", "30 from 0"}
	if r.Jobs != 100 || told != 100 || r.Differences != 100 || r.Undefined != 0 || r.Interrupted ||
		r.JobsPerSecond <= 0 || r.Outcomes != nil || !slices.Equal(buckets, want) {
		t.Errorf("told %d, got %+v with buckets %q, want %q", told, r, buckets, want)
	}
	for _, b := range r.Buckets {
		if b.JobCase == nil || b.Text == "" || b.Reduction.End != reduce.Minimal {
			t.Errorf("bucket %+v", b.JobCase)
		}
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := c.Run(ctx, 1, func(int) {}); err != nil || !r.Interrupted || r.Jobs != 0 {
		t.Errorf("interrupted: %+v, %v", r, err)
	}
	c.Cases = 0
	if r, err := c.Run(t.Context(), 1, func(int) { t.Error("progress") }); err != nil || r.Jobs != 0 ||
		r.Buckets == nil {
		t.Errorf("no jobs: %+v, %v", r, err)
	}
	c.Cases = 1
	if r, err := c.Run(t.Context(), 1, func(int) {}); err != nil || r.Jobs != 1 || r.Differences != 1 {
		t.Errorf("one job: %+v, %v", r, err)
	}
	broken := errors.New("broken")
	c.Got = differing(func(*pica.Job, *pica.Outcome) error { return broken })
	if r, err := c.Run(t.Context(), 1, func(int) {}); !errors.Is(err, broken) || r != nil {
		t.Errorf("an engine that fails: %+v, %v", r, err)
	}
}

// TestOutcomesOfComparisons: undefined jobs are counted apart from other outcomes of a core that
// are no difference.
func TestOutcomesOfComparisons(t *testing.T) {
	fails := func(a adapter.Answer) func() pica.Engine {
		return differing(func(*pica.Job, *pica.Outcome) error { return &adapter.FateError{Core: "core", Answer: a} })
	}
	none := map[string]uint64(nil)
	for name, c := range map[string]struct {
		engines   hunt.Engines
		undefined int
		outcomes  map[string]uint64
		text      string // of the difference
	}{
		"unsupported": {hunt.Engines{Want: vm.New, Got: fails(adapter.Answer{Fate: adapter.Unsupported})}, 0,
			map[string]uint64{"unsupported": 3}, ""},
		"interrupted": {hunt.Engines{Want: vm.New, Got: fails(adapter.Answer{Fate: adapter.Hung,
			Kind: adapter.KindInterrupted})}, 0, map[string]uint64{"hung": 3}, ""},
		"hung": {hunt.Engines{Want: vm.New, Got: fails(adapter.Answer{Fate: adapter.Hung})}, 0, none, "core: hung"},
		"refused": {hunt.Engines{Want: vm.New, Got: fails(adapter.Answer{Fate: adapter.Refused, Kind: "assert",
			Stderr: "first\nlast\n\n"})}, 0, none, "core: refused: assert: last"},
		"of another kind": {hunt.Engines{Want: vm.New, Got: fails(adapter.Answer{Fate: adapter.Refused,
			Kind: adapter.KindInterrupted, Stderr: "only"})}, 0, none, "core: refused: interrupted: only"},
		"equal": {hunt.Engines{Want: vm.New, Got: impl.New}, 0, none, ""},
	} {
		r := compared(t, hunt.Comparison{Engines: c.engines, Cases: 3}, jobOf(t, "mov o0, v0\nend\n", 1))
		text := ""
		if len(r.Buckets) > 0 {
			text = r.Buckets[0].Text
		}
		if r.Jobs != 3 || r.Undefined != c.undefined || !cmp.Equal(r.Outcomes, c.outcomes) || text != c.text {
			t.Errorf("%s: %+v, %q; want %d undefined, %v, %q", name, r, text, c.undefined, c.outcomes, c.text)
		}
	}
	undefined := jobOf(t, "mov o0, v0\nemit\nend\n", 1)
	undefined.Profile = profileOf(t, "panda-interp")
	r := compared(t, hunt.Comparison{Engines: hunt.Engines{Want: impl.New, Got: impl.New}, Cases: 3}, undefined)
	if r.Undefined != 3 || len(r.Outcomes) > 0 {
		t.Errorf("undefined: %+v", r)
	}
}

// TestForeignEnginesAreAskedLess: a core in another process does not get jobs that trap.
func TestForeignEnginesAreAskedLess(t *testing.T) {
	asked := 0
	c := hunt.Comparison{Cases: 2, Engines: hunt.Engines{Want: impl.New, Foreign: true,
		Got: differing(func(*pica.Job, *pica.Outcome) error { asked++; return nil })}}
	if r := compared(t, c, jobOf(t, ".word 0x40000000\nend\n", 1)); r.Undefined != 2 || asked != 0 {
		t.Errorf("%+v, asked %d times; want two undefined jobs and no question", r, asked)
	}
}

// TestUndefinedJobs: a core that is asked for a job without a defined outcome differs if it crashes, and if it
// hangs where the console ends.
func TestUndefinedJobs(t *testing.T) {
	crash := adapter.Answer{Fate: adapter.Crashed, Kind: "signal", Message: "SIGSEGV"}
	hang, refusal := adapter.Answer{Fate: adapter.Hung}, adapter.Answer{Fate: adapter.Refused}
	for _, x := range []struct {
		source string
		answer adapter.Answer
		key    string
	}{
		{".word 0x40000000\nend\n", crash, "crashed: signal SIGSEGV"},
		{".word 0x40000000\nend\n", hang, "hung"},
		{".word 0x40000000\nend\n", refusal, ""},
		{"break\nend\n", crash, "crashed: signal SIGSEGV"},
		{"break\nend\n", hang, ""},
	} {
		c := hunt.Comparison{Cases: 1, Engines: hunt.Engines{Want: impl.New, Foreign: true, Thorough: true,
			Got: differing(func(*pica.Job, *pica.Outcome) error {
				return &adapter.FateError{Core: "core", Answer: x.answer}
			})}}
		key := ""
		if r := compared(t, c, jobOf(t, x.source, 1)); len(r.Buckets) > 0 {
			key = r.Buckets[0].Key
		}
		if key != x.key {
			t.Errorf("%q, %v: difference %q, want %q", x.source, &x.answer, key, x.key)
		}
	}
}

// TestSentJobs: only for a core in another process, inputs are changed and a boolean uniform is
// set that a geometry run sets.
func TestSentJobs(t *testing.T) {
	for _, c := range []struct {
		foreign  bool
		stage    pica.Stage
		vertices int
		b15      bool
	}{
		{false, pica.Geometry, 2, false}, {false, pica.Vertex, 2, false}, {true, pica.Vertex, 2, false},
		{true, pica.Geometry, 1, false}, {true, pica.Geometry, 2, true},
	} {
		job := &pica.Job{Stage: c.stage, InputFormat: pica.Float24, Vertices: make([][]pica.Vec4, c.vertices)}
		sent := hunt.Engines{Foreign: c.foreign}.Sent(job)
		if (sent == job) == c.foreign || (sent.InputFormat == pica.Float32) != c.foreign ||
			(sent.Bools>>15 != 0) != c.b15 {
			t.Errorf("%+v: sent %+v", c, sent)
		}
		if job.InputFormat != pica.Float24 || job.Bools != 0 {
			t.Errorf("%+v: the job itself became %+v", c, job)
		}
	}
}

// TestForeignEnginesKeepBoolean15: the reduction of a job for a core in another process does not end
// in a job that asks who sets b15.
func TestForeignEnginesKeepBoolean15(t *testing.T) {
	job := jobOf(t, "ifu b15, 3, 0\nadd o0, v0, v0\nnop\nend\n", 2)
	job.Stage = pica.Geometry
	for _, c := range []struct {
		foreign bool
		bools   uint16
		differs bool
	}{{false, 0, true}, {true, 0, false}, {true, 1 << 15, true}} {
		job.Bools = c.bools
		e := hunt.Engines{Want: impl.New, Foreign: c.foreign, Got: differing(func(_ *pica.Job, out *pica.Outcome) error {
			out.Vertices[0].O[0][0] ^= 1
			return nil
		})}
		if key := e.Keys().NewKey()(job); (key != "") != c.differs {
			t.Errorf("%+v: key %q", c, key)
		}
	}
}

// TestSourcesOfJobs: the job of a number is fixed.
func TestSourcesOfJobs(t *testing.T) {
	const seed, number = 3, 5
	p := profileOf(t, "f24")
	var g gen.Generator
	want := *g.Job(gen.Seed(seed, number), gen.Alu)
	want.Profile = p
	if diff := cmp.Diff(&want, hunt.Generated(gen.Alu, p)(seed)(number)); diff != "" {
		t.Errorf("generated (-want +got):\n%s", diff)
	}
	shaders := []pica.Shader{{Entry: 1, OutMask: 1}, {Entry: 2, OutMask: 2}}
	cases, source := hunt.ShaderJobs(shaders, p, 4)
	if cases != 8 {
		t.Errorf("%d cases, want 4 of each of 2 shaders", cases)
	}
	job := source(seed)(number)
	vertex := g.Vertex(gen.Seed(seed, number))
	if job.Entry != 2 || job.OutMask != 2 || job.InputFormat != pica.Float24 || !cmp.Equal(job.Vertices, vertex) {
		t.Errorf("job %d is %+v", number, job)
	}
}

// TestEveryEighthJobIsWatched: coverpoints cost as much as the job.
func TestEveryEighthJobIsWatched(t *testing.T) {
	c := comparison(t, gen.Alu, func(*pica.Outcome) {})
	w, err := c.Target().New(1)
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(20) {
		var r hunt.Result
		if err := w.Case(n, &r); err != nil {
			t.Fatal(err)
		}
		if watched := r.Reached != (cover.Set{}); watched != (n%8 == 0) {
			t.Errorf("job %d is watched: %t", n, watched)
		}
	}
}

// TestCasesOfJobs: a case names the first differing instruction, and which of two cores is
// right.
func TestCasesOfJobs(t *testing.T) {
	first := jobOf(t, "mul r3, v0, v0\nmov o0, r3\nend\n", 1)
	wrong := differing(func(_ *pica.Job, out *pica.Outcome) error { out.Vertices[0].R[3][1] ^= 1; return nil })
	differs := func(job *pica.Job, engines hunt.Engines) (text string, located bool) {
		c, err := engines.Case(t.Context(), reduce.JobResult{Job: job})
		if err != nil {
			t.Fatal(err)
		}
		_, located = engines.Keys().Witness(job)
		return c.Text, located
	}
	text, located := differs(first, hunt.Engines{Want: impl.New, Got: wrong})
	if !strings.HasSuffix(text, " after mul r3, v0, v0") || !located {
		t.Errorf("got %q, located: %t", text, located)
	}
	alike := hunt.Engines{Want: impl.New, Got: vm.New}
	if _, located := alike.Keys().Witness(first); located {
		t.Error("what does not differ is located")
	}
	judged := hunt.Engines{Want: impl.New, Got: wrong, Referee: func(context.Context, *pica.Job) string { return "both are" }}
	if text, _ := differs(first, judged); !strings.HasSuffix(text, " after mul r3, v0, v0; both are") {
		t.Errorf("got %q", text)
	}
}

// TestReductionsAreRepeatable: the report on a job does not depend on the number of processors.
func TestReductionsAreRepeatable(t *testing.T) {
	wrong := differing(func(_ *pica.Job, out *pica.Outcome) error { out.Vertices[0].R[3][1] ^= 1; return nil })
	c := hunt.Comparison{Engines: hunt.Engines{Want: impl.New, Got: wrong}}
	job, err := json.Marshal(jobOf(t, "mov r1, v0\nadd r3, v0, r1\nmov o0, r3\nend\n", 3))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var reports []hunt.Reduced
	for _, processors := range []int{1, 4} {
		runtime.GOMAXPROCS(processors)
		r, err := c.Target().Reduce(t.Context(), hunt.Found{Data: job})
		if err != nil || r.Report.End != reduce.Minimal {
			t.Fatalf("%+v, %v", r, err)
		}
		reports = append(reports, r)
	}
	if diff := cmp.Diff(reports[0], reports[1]); diff != "" {
		t.Errorf("(-one +four):\n%s", diff)
	}
}

// TestJobCaseShowsItsOutputs: the text of a job lists the written outputs.
func TestJobCaseShowsItsOutputs(t *testing.T) {
	job := jobOf(t, "mov o0, v0\nend\n", 1)
	job.OutMask = 0xA5
	c, err := hunt.NewJobCase(reduce.JobResult{Job: job})
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	shader := pica.Shader{Program: job.Program, OutMask: 0xA5}
	if err := asm.Disassemble(&want, &shader, asm.Options{Fold: true}); err != nil {
		t.Fatal(err)
	}
	if c.Assembly != want.String() || !strings.Contains(strings.ToLower(c.Assembly), "a5") {
		t.Errorf("got\n%s\nwant\n%s", c.Assembly, want.String())
	}
}
