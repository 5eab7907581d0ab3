package journal_test

import (
	"context"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"

	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// counted counts the questions to a core, and can change its answers.
type counted struct {
	adapter.Core
	asked  int
	change func(a *adapter.Answer)
}

func (c *counted) answered(a adapter.Answer) adapter.Answer {
	c.asked++
	if c.change != nil {
		c.change(&a)
	}
	a.Time = 0 // not stored
	return a
}

func (c *counted) Info(ctx context.Context) (adapter.Reply, error) {
	c.asked++
	return c.Core.Info(ctx)
}

func (c *counted) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	return c.answered(c.Core.Ask(ctx, job))
}

func (c *counted) AskFresh(ctx context.Context, job *pica.Job) adapter.Answer {
	return c.answered(c.Core.AskFresh(ctx, job))
}

func (c *counted) AskAfter(ctx context.Context, jobs ...*pica.Job) (adapter.Answer, int) {
	a, n := c.Core.AskAfter(ctx, jobs...)
	return c.answered(a), n
}

// aging is an engine whose outputs tell how many jobs it has run; it ends on job number last.
type aging struct {
	pica.Engine
	jobs, last uint32
}

func (e *aging) Run(job *pica.Job, out *pica.Outcome) error {
	if e.jobs++; e.jobs == e.last {
		panic("old age")
	}
	err := e.Engine.Run(job, out)
	for i := range out.Vertices {
		out.Vertices[i].O[0][0] = e.jobs
	}
	return err
}

func agingCore(last uint32) *counted {
	return &counted{Core: adapter.InProcess("aging", profile.HW(), func() pica.Engine {
		return &aging{Engine: impl.New(), last: last}
	})}
}

// jobWith is a job of a program that ends at once; n makes it differ from others.
func jobWith(n int, stage pica.Stage) *pica.Job {
	return &pica.Job{Program: pica.Program{Code: []uint32{uint32(pica.END) << 26}}, Stage: stage, OutMask: uint16(n),
		InputFormat: pica.Float32, Vertices: make([][]pica.Vec4, 1+n%3)}
}

// TestCores: a core is asked once for each question, in each manner of asking, and all its answers
// come back.
func TestCores(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	run := func(core *counted) (got []any) {
		j := open(t, name)
		defer j.Close()
		c := journal.OfCore(j, core)
		add := func(a adapter.Answer, more ...any) { got = append(append(got, a), more...) }
		info, err := c.Info(t.Context())
		got = append(got, info.Core, info.Protocol, err)
		for n := range 4 {
			for _, stage := range []pica.Stage{pica.Vertex, pica.Geometry} {
				add(c.Ask(t.Context(), jobWith(n, stage)))
				add(c.Ask(t.Context(), jobWith(n, stage))) // of an older engine
				add(c.AskFresh(t.Context(), jobWith(n, stage)))
			}
		}
		last, answered := c.AskAfter(t.Context(), jobWith(1, pica.Vertex), jobWith(2, pica.Vertex), jobWith(3, pica.Vertex))
		add(last, answered)
		last, answered = c.AskAfter(t.Context(), jobWith(1, pica.Vertex))
		add(last, answered)
		if err := c.Precede(jobWith(5, pica.Vertex)); err != nil {
			t.Fatal(err)
		}
		add(c.Ask(t.Context(), jobWith(1, pica.Vertex)))
		c.Isolate()
		add(c.Ask(t.Context(), jobWith(1, pica.Vertex)))
		return got
	}
	const questions = 1 + 4*2*3 + 2 + 2
	core := agingCore(0)
	want := run(core)
	if core.asked != questions {
		t.Errorf("%d questions asked, want %d", core.asked, questions)
	}
	core = agingCore(0)
	if got := run(core); !reflect.DeepEqual(got, want) || core.asked != 0 {
		t.Errorf("%d asked again; got\n%+v, want\n%+v", core.asked, got, want)
	}
}

// TestCoreManners: the manner of asking, the jobs before, and the core belong to the question.
func TestCoreManners(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	job := jobWith(1, pica.Vertex)
	ask := func(c adapter.Core) { c.Ask(t.Context(), job) }
	behind := func(n int) func(adapter.Core) {
		return func(c adapter.Core) {
			if err := c.Precede(jobWith(n, pica.Vertex)); err != nil {
				t.Fatal(err)
			}
			ask(c)
		}
	}
	for i, do := range []func(adapter.Core){
		ask, behind(1), behind(2), func(c adapter.Core) { c.Isolate(); ask(c) },
		func(c adapter.Core) { c.AskFresh(t.Context(), job) }, func(c adapter.Core) { c.AskAfter(t.Context(), job) },
		func(c adapter.Core) { c.AskAfter(t.Context(), job, job) },
		func(c adapter.Core) { c.Ask(t.Context(), jobWith(1, pica.Geometry)) },
	} {
		for again := range 2 {
			j := open(t, name)
			core := agingCore(0)
			do(journal.OfCore(j, core))
			if core.asked != 1-again {
				t.Errorf("question %d, run %d: %d asked", i, again, core.asked)
			}
			j.Close()
		}
	}
	j := open(t, name)
	defer j.Close()
	other := &counted{Core: adapter.InProcess("other", profile.HW(), impl.New)}
	if ask(journal.OfCore(j, other)); other.asked != 1 {
		t.Error("another core got the answer")
	}
}

// TestCoreAnswers: every kind of answer comes back as it was.
func TestCoreAnswers(t *testing.T) {
	job := jobWith(1, pica.Vertex)
	state := func(a adapter.Answer) adapter.Answer {
		a.Outcome = pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, len(job.Vertices))}
		v := &a.Outcome.Vertices[0]
		v.O[15][3], v.Address, v.AL, v.CC = 0xFFC0_1234, [2]int32{-128, 127}, 200, [2]bool{false, true}
		if a.Unreported == 0 {
			v.R[3][1] = 7
		}
		return a
	}
	trapped := state(adapter.Answer{Fate: adapter.Trapped, Kind: "trap", Message: "budget"})
	trapped.Outcome.Vertices[len(job.Vertices)-1].Trap.Cause = trapped.Cause()
	for _, want := range []adapter.Answer{
		state(adapter.Answer{Log: []string{"a\u2028b"}, Remarks: []string{"estimated rcp"},
			Unreported: pica.RegTemporaries}), trapped,
		{Fate: adapter.Unsupported, Kind: "unsupported", Message: "geometry"},
		{Fate: adapter.Crashed, Kind: "signal", Message: "SIGSEGV", Stderr: "\xFF\x00"},
		{Fate: adapter.Hung, Message: "\xFF"}, {Fate: adapter.Garbled, Message: "no JSON"},
	} {
		name := filepath.Join(t.TempDir(), "state")
		for asked := range 2 {
			j := open(t, name)
			core := agingCore(0)
			core.change = func(a *adapter.Answer) { *a = want }
			if got := journal.OfCore(j, core).Ask(t.Context(), job); !reflect.DeepEqual(got, want) || core.asked != 1-asked {
				t.Errorf("run %d, %d asked: got %+v, want %+v", asked, core.asked, got, want)
			}
			j.Close()
		}
	}
}

// TestCoreNotStored: what an interruption or an earlier job may have caused is asked again.
func TestCoreNotStored(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	for _, x := range []struct {
		last   uint32
		ctx    context.Context
		answer *adapter.Answer
	}{
		{last: 2, ctx: t.Context()}, // damaged
		{ctx: ended},
		{ctx: t.Context(), answer: &adapter.Answer{Fate: adapter.Hung, Kind: adapter.KindInterrupted}},
		{ctx: t.Context(), answer: &adapter.Answer{Fate: adapter.Crashed, Kind: "signal", Message: "SIGTERM"}},
	} {
		name := filepath.Join(t.TempDir(), "state")
		for run := range 2 {
			j := open(t, name)
			core := agingCore(x.last)
			if x.answer != nil {
				core.change = func(a *adapter.Answer) { *a = *x.answer }
			}
			c := journal.OfCore(j, core)
			got, _ := c.AskAfter(x.ctx, jobWith(1, pica.Vertex), jobWith(2, pica.Vertex))
			if core.asked != 1 || (got.Damaged != nil) != (x.last > 0) {
				t.Errorf("%+v: run %d: %d asked, got %+v", x, run, core.asked, got)
			}
			if d := got.Damaged; d != nil { // the sequence can be replayed
				if last, answered := c.Replay(x.ctx, d.Sequence); last.Fate != adapter.Crashed || answered != 1 {
					t.Errorf("got %+v behind %d answers", last, answered)
				}
			}
			j.Close()
		}
	}
}

// TestBadCoreAnswer: a stored answer that no core gives to the job ends the run with an error.
func TestBadCoreAnswer(t *testing.T) {
	deflated := func(text string) string { // one stored block
		n := len(text)
		b := append([]byte{1, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)}, text...)
		return base64.StdEncoding.EncodeToString(b)
	}
	for _, packed := range []string{
		"AAAA", deflated("null"), deflated("[]"), deflated(`{"fate":7}`), deflated(`{"fate":-1}`), deflated(`{"fate":0}`),
		deflated(`{"fate":0,"out":[{"o":"00"}]}`), deflated(`{"fate":1,"out":[{},{},{}]}`),
		deflated(`{"fate":5,"out":[{},{},{}]}`),
	} {
		checkBad(t, `"packed":"`+packed+`"`)
	}
	checkBad(t, `"answered":9,"packed":"`+deflated(`{"fate":5}`)+`"`)
	checkBad(t, `"answered":-1,"packed":"`+deflated(`{"fate":5}`)+`"`)
}

func checkBad(t *testing.T, fields string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "state")
	j := open(t, name)
	job := jobWith(1, pica.Vertex)
	journal.OfCore(j, agingCore(0)).Ask(t.Context(), job)
	j.Close()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b = regexp.MustCompile(`"packed":"[^"]*"`).ReplaceAllLiteral(b, []byte(fields))
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
	j = open(t, name)
	defer j.Close()
	var failure error
	j.OnFailure(func(err error) { failure = err })
	core := agingCore(0)
	a := journal.OfCore(j, core).Ask(t.Context(), job)
	if a.Kind != adapter.KindInterrupted || !errors.Is(failure, journal.ErrJournal) || core.asked != 0 {
		t.Errorf("%s: got %+v, failure %v, %d asked", fields, a, failure, core.asked)
	}
}
