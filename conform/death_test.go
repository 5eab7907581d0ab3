package conform_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// foreseen reports whether an entry is a crash or a hang that the core's model predicts.
func foreseen(d *report.Deviation) bool {
	return (d.Verdict == report.Crash || d.Verdict == report.Hang) &&
		strings.HasSuffix(d.Note, "the core's model predicts it")
}

// deaths returns the crashes and hangs of a report with their numbers of jobs.
func deaths(r *report.Report) map[string]int {
	list := map[string]int{}
	for _, d := range r.Deviations {
		if d.Verdict == report.Crash || d.Verdict == report.Hang {
			list[d.Bucket] = d.Count
		}
	}
	return list
}

// dying returns a core that follows a profile and ends by a panic where dies says so.
func dying(t *testing.T, name string, dies func(job *pica.Job) bool) adapter.Core {
	t.Helper()
	p, ok := profile.ByName(name)
	if !ok {
		t.Fatal(name)
	}
	return adapter.InProcess(name, p, func() pica.Engine {
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if dies(job) {
				panic("planted")
			}
			return e.Run(job, out)
		}}
	})
}

func never(*pica.Job) bool { return false }

// judged returns the report on a core.
func judged(t *testing.T, core adapter.Core, o conform.Options) *report.Report {
	t.Helper()
	o.Seed = 1
	r, err := conform.Run(t.Context(), core, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestForeseenDeaths: programs that kill or hang a core are entries, although its model, a compiler's,
// predicts them. They are grouped by the shape of their control flow, and each job counts once.
func TestForeseenDeaths(t *testing.T) {
	for _, x := range long.Items(t, []struct {
		name string
		want map[string]int
	}{
		{"azahar-x64", map[string]int{
			"END in a call: crash":        145,
			"END in a call: hang":         2,
			"END in a loop: crash":        35,
			"END in a loop: hang":         4,
			"break outside a loop: crash": 1,
			"call into a loop: hang":      1,
			"call of no words: crash":     9,
			"jump into a loop and loop that ends before it begins: hang": 1,
			"jump out of a loop: hang":                                   1,
			"layout of call and jump: crash":                             1,
			"layout of call and jump: hang":                              2,
			"layout of call and loop: hang":                              2,
			"layout of if: crash":                                        4,
			"loop in a call: hang":                                       7,
			"loop in a loop: crash":                                      2,
			"loop in a loop: hang":                                       2,
			"pc-out-of-range: crash":                                     1,
			"scopes that end together: crash":                            3,
		}},
		{"panda-x64", map[string]int{
			"END in a call: crash":           75,
			"END in a call: hang":            3,
			"END in a loop: crash":           86,
			"END in a loop: hang":            1,
			"call of no words: hang":         1,
			"jump out of a loop: crash":      2,
			"jump out of a loop: hang":       1,
			"layout of call and jump: crash": 3,
			"layout of call and jump: hang":  2,
			"loop in a call: crash":          1,
			"loop in a call: hang":           2,
			"loop in a loop: crash":          1,
			"loop in a loop: hang":           1,
		}},
	}, 2) {
		r := judged(t, dying(t, x.name, never), conform.Options{Suites: conform.Suites, Cases: 150})
		if diff := cmp.Diff(x.want, deaths(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.name, diff)
		}
		crashes := 0
		for _, s := range r.Suites {
			crashes += s.Crash
		}
		for _, d := range r.Deviations {
			for _, m := range d.Members {
				if d.Verdict == report.Crash && slices.Contains(conform.Suites, m.Suite) {
					crashes -= m.Count
				}
			}
			if strings.HasPrefix(d.Bucket, "model: ") && (d.Observed == "crash" || d.Observed == "hang") {
				t.Errorf("%s: %s is a question of the model", x.name, d.Bucket)
			}
			// five calls, and what they lead to
			if most := 16; foreseen(&d) && max(d.Instructions, d.Words) > most {
				t.Errorf("%s: %s: more than %d instructions:\n%s", x.name, d.Bucket, most, d.Assembly)
			}
		}
		if crashes != 0 {
			t.Errorf("%s: the suites have %d crashes more than the entries", x.name, crashes)
		}
	}
}

// TestPlantedDeaths: a program that kills the core is an entry wherever it was asked: in a suite, for the
// model, for a limit, or for the state between requests. Each job counts once.
func TestPlantedDeaths(t *testing.T) {
	isNop := func(w uint32) bool { return pica.OpcodeOf(w) == pica.NOP }
	for _, x := range long.Items(t, []struct {
		name string
		dies func(job *pica.Job) bool
		want map[string]int
	}{
		{"none", never, map[string]int{}},
		{"an instruction", func(job *pica.Job) bool { return has(job, pica.DP3) }, map[string]int{"dp3: crash": 14}},
		{"a program that the model is asked for", func(job *pica.Job) bool {
			return len(job.Code) == 2 && job.Code[0]>>26 == uint32(pica.EX2)
		}, map[string]int{"ex2: crash": 13}},
		{"many words that are not executed", func(job *pica.Job) bool {
			return len(job.Code) > 3000 && job.Entry > 0
		}, map[string]int{"end: crash": 2}},
		{"a long loop", func(job *pica.Job) bool {
			return len(job.Code) < 200 && job.Ints[0][0] > 190 && slices.ContainsFunc(job.Code, isNop)
		}, map[string]int{"end: crash": 1}},
		{"a probe for the loop counter", func(job *pica.Job) bool {
			return len(job.Code) == 4 && job.Code[0]>>26 == uint32(pica.LOOP) && isNop(job.Code[1]) && isNop(job.Code[2])
		}, map[string]int{"loop: crash": 1}},
	}, 3) {
		r := judged(t, dying(t, "f24", x.dies), conform.Options{Suites: []string{"upload", "alu", "flow"}, Cases: 100})
		if diff := cmp.Diff(x.want, deaths(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.name, diff)
		}
	}
}

// TestWordsBehindProgram: a core that dies where a program does not end is not said to die of ADD, which is what the
// words behind it are; a core that dies of ADD is.
func TestWordsBehindProgram(t *testing.T) {
	const behind = "words behind the program: crash"
	endless := func(job *pica.Job) bool { return !has(job, pica.END) && len(job.Vertices) > 0 }
	of := func(dies func(job *pica.Job) bool) map[string]int {
		return deaths(judged(t, dying(t, "f24", dies), conform.Options{Suites: []string{"regressions"}}))
	}
	if got := of(endless); len(got) != 1 || got[behind] == 0 {
		t.Errorf("%v, want only %s", got, behind)
	}
	got := of(func(job *pica.Job) bool { return endless(job) || has(job, pica.ADD) })
	if got["add: crash"] == 0 || got[behind] > 0 {
		t.Errorf("%v, want add: crash", got)
	}
}

// TestStartsOfDying: a core that dies of an opcode is not started for each program that has it.
func TestStartsOfDying(t *testing.T) {
	var deaths atomic.Int64
	core := dying(t, "f24", func(job *pica.Job) bool {
		dies := has(job, pica.DP4)
		if dies {
			deaths.Add(1)
		}
		return dies
	})
	r := judged(t, core, conform.Options{Suites: []string{"alu", "fields"}, Cases: 100})
	if n := deaths.Load(); n > 150 {
		t.Errorf("the core died %d times", n)
	}
	if !slices.ContainsFunc(r.Deviations, func(d report.Deviation) bool {
		return d.Bucket == "dp4: crash" && d.Observed == "crash panic planted" // not only "planted", or a number
	}) {
		t.Errorf("no entry that says how the core dies: %+v", r.Deviations)
	}
}

// TestStartsOfPanics: a core that exits where its model refuses to go on is not started for each such program.
func TestStartsOfPanics(t *testing.T) {
	var panics atomic.Int64
	p, _ := profile.ByName("panda-interp")
	core := adapter.InProcess(p.Name, p, func() pica.Engine {
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			err := e.Run(job, out)
			for i := range out.Vertices {
				if out.Vertices[i].Trap.Cause == pica.TrapUnsupported {
					panics.Add(1)
				}
			}
			return err
		}}
	})
	judged(t, core, conform.Options{Suites: []string{"mixed"}, Cases: 400})
	if n := panics.Load(); n > 450 { // 676 if each is asked for
		t.Errorf("the core exited %d times", n)
	}
}

// TestHangsOfTheConsole: a core that hangs where the console hangs is not accused of it.
func TestHangsOfTheConsole(t *testing.T) {
	p := profile.F24()
	core := adapter.InProcess("hangs as the console", p, func() pica.Engine {
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			err := e.Run(job, out)
			for i := range out.Vertices {
				if cause := out.Vertices[i].Trap.Cause; err == nil && (cause == pica.TrapHang || cause == pica.TrapBudget) {
					return pica.ErrInterrupted
				}
			}
			return err
		}}
	})
	r := judged(t, core, conform.Options{Suites: []string{"upload", "flow", "regressions", "fields"}, Cases: 100})
	if diff := cmp.Diff(map[string]int{}, deaths(r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHangsOnConsole: a core need not end a program that the console never ends, also if a value on the way
// is unreliable there.
func TestHangsOnConsole(t *testing.T) {
	for text, want := range map[string]bool{
		"break":                                  true,
		"mova a0.xy, v0\nmova a0.xy, v0":         true,
		"add r0, v0, v1":                         false,
		"add r0, v0, v1\nbreak":                  true,
		"add r0, v0, v1\nifu b9\nnop\n.end\nnop": false,
	} {
		if got := conform.HangsOnConsole(conform.Assembled(text)); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestFailedAssertion: an entry says that the core ended a program by an assertion or an exception, and with which
// text.
func TestFailedAssertion(t *testing.T) {
	for _, kind := range []string{adapter.KindAssert, adapter.KindException, adapter.KindPanic} {
		p, _ := profile.ByName("f24")
		core := adapter.InProcess("asserts", p, func() pica.Engine {
			return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
				if slices.ContainsFunc(job.Code, func(w uint32) bool { // programs have MIN with other destinations, too
					return pica.OpcodeOf(w) == pica.MIN && pica.MIN.Layout().Dest.Get(w) >= pica.DestTemporary
				}) {
					return &adapter.RefusalError{Kind: kind, Message: "bank < 2"}
				}
				return e.Run(job, out)
			}}
		})
		r := judged(t, core, conform.Options{Suites: []string{"alu"}, Cases: 64})
		i := slices.IndexFunc(r.Deviations, func(d report.Deviation) bool { return d.Verdict == report.Crash })
		if i < 0 {
			t.Fatalf("%s: no crash among %+v", kind, r.Deviations)
		}
		d := &r.Deviations[i]
		if d.Opcode != "min" || d.Observed != kind || d.Stderr != "bank < 2" {
			t.Errorf("%s: got %s, observed %s, wrote %q; want min, %s, and the text", kind, d.Opcode, d.Observed, d.Stderr, kind)
		}
	}
}
