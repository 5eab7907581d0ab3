package conform

import (
	"context"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// counting counts the requests that got a process of their own.
type counting struct {
	adapter.Core
	fresh int
}

func (c *counting) Ask(context.Context, *pica.Job) adapter.Answer { return adapter.Answer{} }

func (c *counting) AskFresh(context.Context, *pica.Job) adapter.Answer {
	c.fresh++
	return adapter.Answer{}
}

// TestWary: a request has a process of its own if its program reads the state that passes, or if a cache may answer
// with another request.
func TestWary(t *testing.T) {
	changed := func(job *pica.Job, change func(*pica.Job)) *pica.Job {
		job = reduce.Clone(job)
		change(job)
		return job
	}
	plain, reads := full("mov o0, v0"), full("ifu b1\nmov o0, v0\nnop\n.end")
	booleans := remains{left: []*leakProbe{{name: "boolean uniforms", finds: []pica.Opcode{pica.IFU}}}}
	byCode := remains{byCode: true}
	descriptors := changed(plain, func(job *pica.Job) { job.Descriptors[0] ^= 16 })
	inputs := changed(plain, func(job *pica.Job) { job.Vertices[0][0][0]++ })
	for _, x := range []struct {
		name    string
		remains remains
		jobs    []*pica.Job
		fresh   int
	}{
		{"booleans that are not read", booleans, []*pica.Job{plain, plain}, 0},
		{"booleans that are read", booleans, []*pica.Job{plain, reads, reads}, 2},
		{"any state", remains{left: []*leakProbe{{}}}, []*pica.Job{plain}, 1},
		{"a cache of all", remains{cached: true}, []*pica.Job{plain, reads}, 2},
		{"a cache by code, one request", byCode, []*pica.Job{plain, reads, plain, plain}, 0},
		{"a cache by code, other descriptors", byCode, []*pica.Job{plain, descriptors, plain}, 1},
		{"a cache by code, other inputs", byCode, []*pica.Job{plain, inputs}, 0},
		{"a cache by code of results", remains{byCode: true, inputs: true}, []*pica.Job{plain, inputs}, 1},
	} {
		core := &counting{}
		s := &session{core: core, direct: pair{core: core}, remains: x.remains}
		s.beWary()
		for _, job := range x.jobs {
			s.core.Ask(t.Context(), job)
		}
		if core.fresh != x.fresh {
			t.Errorf("%s: %d processes, want %d", x.name, core.fresh, x.fresh)
		}
	}
	// A suite asks in shared processes. Afterwards no request with the code is safe.
	core := &counting{}
	s := &session{core: core, direct: pair{core: core}, remains: byCode}
	s.beWary()
	s.direct.core.Ask(t.Context(), plain)
	s.direct.core.Ask(t.Context(), descriptors)
	if s.core.Ask(t.Context(), plain); core.fresh != 1 {
		t.Errorf("%d processes behind a suite, want 1", core.fresh)
	}
}

// turns is an engine that begins each request but the first of its process with r0.x = 1.
type turns struct {
	pica.Engine
	later bool
}

func (e *turns) Run(job *pica.Job, out *pica.Outcome) error {
	begun := *job
	if e.later {
		begun.Initial = new(pica.State)
		begun.Initial.R[0][0] = 0x3F0000 // one
	}
	e.later = true
	return e.Engine.Run(&begun, out)
}

// TestConfirmsEstimates: a program with an estimate whose answer is wrong because of an earlier request is right in a
// process of its own, also if the core's own estimates were tried to explain the wrong answer.
func TestConfirmsEstimates(t *testing.T) {
	model, err := profile.Parse("hw,rcp=estimate")
	if err != nil {
		t.Fatal(err)
	}
	table := hypothesis.Table(&model)
	fault := table[slices.IndexFunc(table, func(h *hypothesis.Hypothesis) bool { return h.Name == "dp3-reads-w" })]
	core := adapter.InProcess("turns", model, func() pica.Engine { return &turns{Engine: hypothesis.Engine(fault)} })
	j := &judge{ctx: t.Context(), core: core, model: model, confirm: true,
		predict: fingerprint.PredictorOf(hypothesis.Engine(fault)), faults: []*hypothesis.Hypothesis{fault}}
	job := under(full("rcp r1, v0\nmul r1, r1, v0\ndp3 r2, v0, v0\nadd o0, r2, r0"), model)
	for n := range 3 {
		if got := j.ask(job, false); got != Equal {
			t.Errorf("request %d: %s, %+v", n, got, j.diff)
		}
	}
}

// TestSpares: which outcome the judge gives to a program that may find state is the same whatever its process ran
// before.
func TestSpares(t *testing.T) {
	reads, writes := full("mov o0, r0"), full("mov r0, v0\nmov o0, r0")
	hangs := full("L0:\ncmp r0, gt, gt, r1\njmpc cmp.x, L0\nmov o0, v0")
	for _, x := range []struct {
		spares bool
		job    *pica.Job
		want   string
	}{
		{false, reads, Equal}, {false, writes, Equal}, {false, hangs, Equal},
		{true, reads, NotComparable}, {true, writes, NotComparable}, {true, hangs, NotComparable},
	} {
		core := adapter.InProcess("turns", profile.HW(), func() pica.Engine { return &turns{Engine: impl.New()} })
		j := &judge{ctx: t.Context(), core: core, model: profile.HW(), predict: fingerprint.NewPredictor(),
			confirm: true, spares: x.spares}
		for n := range 3 {
			if got := j.ask(under(x.job, profile.HW()), false); got != x.want {
				t.Errorf("spares %t, request %d of %v: %s, want %s", x.spares, n, x.job.Code, got, x.want)
			}
		}
	}
}
