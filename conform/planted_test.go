package conform_test

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// shown reports whether a cause counts against the core and is no difference between its model
// and the console.
func shown(d *report.Deviation) bool {
	return d.Verdict.Bad() && !strings.HasPrefix(d.Bucket, "model: ")
}

// accusations returns the verdicts and names of what a report says against a core.
func accusations(r *conform.Report) (list []string) {
	for _, d := range r.Deviations {
		if shown(&d) {
			list = append(list, string(d.Verdict)+": "+d.Bucket)
		}
	}
	return list
}

// TestPlanted: a fault of a core in this process is found and named, whether it is a rule of the
// instruction set or a state that passes from job to job.
func TestPlanted(t *testing.T) {
	list := []struct {
		core  adapter.Core
		cause string // a pattern of the name of the one cause, or of all causes
		most  int    // number of causes
	}{
		{executor("dp3-reads-w"), `^differs from its own model: dp3-reads-w$`, 1},
		{statefulCore("keeps flags"), `condition flags pass to the next request$`, 1},
		{executor("mad-descriptor-of-4-bits"), `madi?|descriptor`, 2},
		{statefulCore("dies of old age"), `^crash: crash after many`, 1},
		{executor("call-stack-of-3"), `call`, 2},
		{statefulCore("dies behind a callc"), `^crash: crash by an earlier`, 1},
		{statefulCore("dies at an entry point"), `^crash: end: crash$`, 1},
		{executor("setemit-keeps-the-winding-flag"), `emit`, 1},
		{statefulCore("hangs on flr"), `^hang: flr`, 1},
	}
	for _, x := range long.Items(t, list, long.Few(3, 2)) {
		r, err := conform.Run(t.Context(), x.core, conform.Options{Suites: suites(), Cases: fewCases, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		causes := accusations(r)
		pattern := regexp.MustCompile(x.cause)
		if len(causes) == 0 || len(causes) > x.most || slices.ContainsFunc(causes,
			func(c string) bool { return !pattern.MatchString(c) }) {
			t.Errorf("%s: got %q, want at most %d of %q", x.core.Name(), causes, x.most, x.cause)
		}
	}
}

// TestPartsOfFault: a fault that no change of the model describes has no cause that describes a part of it.
func TestPartsOfFault(t *testing.T) {
	p, err := profile.Parse("f32,dp=left,rcp0=positive,cmp=true,inneral=outer,op.dst=run,op.litp=run,op.dsti=run")
	if err != nil {
		t.Fatal(err)
	}
	quarters := func(r *oracle.Rules) {
		before := r.Unit.Ops.FromRaw24
		r.Unit.Ops.FromRaw24 = func(u *oracle.Unit, x uint32) uint32 {
			return u.Ops.Mul(u, before(u, x), u.One-2<<u.Mantissa)
		}
	}
	for _, cases := range long.Items(t, []uint64{1200}, 0) {
		core := adapter.InProcess("quarters", p, func() pica.Engine { return impl.NewWith(quarters, nil) })
		r, err := conform.Run(t.Context(), core, conform.Options{Suites: suites(), Cases: cases, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Findings) == 0 {
			t.Error("the core has no finding")
		}
		for _, d := range r.Findings {
			if d.Proof != nil {
				t.Errorf("%s: a cause of %d answers", d.Bucket, d.Proof.Fits)
			}
		}
	}
}

// TestOutputsAreNoUploads: a fault of outputs, which every program shows, is not said to be one of what goes in.
func TestOutputsAreNoUploads(t *testing.T) {
	p, err := profile.Parse("f32,dp=left,rcp0=positive,cmp=true,inneral=outer,op.dst=run,op.litp=run,op.dsti=run")
	if err != nil {
		t.Fatal(err)
	}
	colour := func(r *oracle.Rules) { // o1 is between 0 and 1
		r.Operands.Result = func(c *oracle.Control, _ *[3]pica.Vec4, v *pica.Vec4) {
			u, l := &c.Rules.Unit, c.Rules.Encoding.Shapes[c.Op].Layout
			for i, x := range v {
				switch {
				case l.Dest.Of(c.Word) != pica.DestOutput+1:
				case u.Relate(x, u.One) == oracle.Above:
					v[i] = u.One
				case u.Relate(x, 0) == oracle.Below:
					v[i] = 0
				}
			}
		}
	}
	core := adapter.InProcess("colours", p, func() pica.Engine { return impl.NewWith(colour, nil) })
	for _, core := range long.Items(t, []adapter.Core{core}, 0) {
		accuses(t, core, []string{"upload"}, func(d *report.Deviation) bool {
			return strings.HasPrefix(d.Bucket, "upload")
		})
	}
}

// accuses judges a core and checks that it is found to be faulty, and that no deviation is one that is not true of it.
func accuses(t *testing.T, core adapter.Core, suites []string, untrue func(d *report.Deviation) bool) {
	t.Helper()
	r, err := conform.Run(t.Context(), core, conform.Options{Suites: suites, Cases: 200, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Deviations, func(d report.Deviation) bool { return shown(&d) }) {
		t.Errorf("%s: the fault is not found", core.Name())
	}
	for _, d := range r.Deviations {
		if untrue(&d) {
			t.Errorf("%s: not true: %s, %d programs: %s", core.Name(), d.Bucket, d.Count, d.Summary())
		}
	}
}

// TestRefuted: a change that explains many answers is no cause if it is the only reason why others are wrong. The core
// saves a0.x before each call, and restores it. In most programs this is 0, but it does not become 0 where a call
// returns.
func TestRefuted(t *testing.T) {
	saves := func(r *oracle.Rules) {
		var saved [pica.CallDepth + 1]int32
		call, finish := r.Flow.CALL, r.Flow.Finish
		r.Flow.CALL = func(c *oracle.Control, target, num int) {
			saved[c.Stacks.CallDepth] = c.Address[0]
			call(c, target, num)
		}
		r.Flow.Finish = func(c *oracle.Control) {
			open := c.Stacks.CallDepth
			if finish(c); c.Stacks.CallDepth < open {
				c.Address[0] = saved[c.Stacks.CallDepth]
			}
		}
	}
	core := adapter.InProcess("saves a0.x", profile.F32(), func() pica.Engine { return impl.NewWith(saves, nil) })
	accuses(t, core, suites(), func(d *report.Deviation) bool {
		return d.Proof != nil && strings.Contains(d.Bucket, "becomes 0")
	})
}

// TestSmallSaysLittle: the smallest program of a cause may fit an answer to a question about the model that others
// contradict. BREAK halves aL, which leaves the 0 that it had before, in a small program. A dot product is summed before
// it is rounded, which in a small program is the sum of two pairs.
func TestSmallSaysLittle(t *testing.T) {
	halves := func(r *oracle.Rules) {
		finish := r.Flow.Finish
		r.Flow.Finish = func(c *oracle.Control) {
			left := c.Break
			if finish(c); left && c.Stacks.LoopDepth == 0 {
				c.AL /= 2
			}
		}
	}
	exact := func(r *oracle.Rules) {
		r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
			sum := oracle.Product(u.Operand(a[0]), u.Operand(b[0]))
			for i := 1; i < terms; i++ {
				sum = oracle.Sum(sum, oracle.Product(u.Operand(a[i]), u.Operand(b[i])))
			}
			return u.Pack(sum, oracle.TowardZero)
		}
	}
	for _, x := range []struct {
		name   string
		model  pica.Profile
		change func(r *oracle.Rules)
		never  string
	}{{"half of aL behind a break", profile.F32(), halves, "model: breakstep"}, {"exact dots", profile.HW(), exact, "model: dp"}} {
		core := adapter.InProcess(x.name, x.model, func() pica.Engine { return impl.NewWith(x.change, nil) })
		accuses(t, core, suites(), func(d *report.Deviation) bool { return d.Bucket == x.never })
	}
}

// TestModelBehindFault: with a proved fault known, the answers show more of the model. Without it a model that predicts
// nothing of runs beyond the program fits better.
func TestModelBehindFault(t *testing.T) {
	reverses := func(r *oracle.Rules) {
		swizzle := r.Operands.Swizzle
		r.Operands.Swizzle = func(c *oracle.Control, source int, v *pica.Vec4, selectors int) pica.Vec4 {
			if source == 1 {
				selectors = selectors>>6&3 | selectors>>2&0xC | selectors<<2&0x30 | selectors<<6&0xC0
			}
			return swizzle(c, source, v, selectors)
		}
	}
	core := adapter.InProcess("reverses selectors", profile.F32(), func() pica.Engine { return impl.NewWith(reverses, nil) })
	accuses(t, core, suites(), func(d *report.Deviation) bool { return d.Bucket == "model: end" && d.Value != "4095" })
}

// TestPreciseFault: an operation that computes another function with full precision is one entry, and none about its
// precision.
func TestPreciseFault(t *testing.T) {
	squares := func(r *oracle.Rules) {
		r.Unit.Ops.ReciprocalRoot = func(u *oracle.Unit, a uint32) uint32 { return u.Ops.Mul(u, a, a) }
	}
	core := adapter.InProcess("squares", profile.F32(), func() pica.Engine { return impl.NewWith(squares, nil) })
	r := judged(t, core, conform.Options{Suites: []string{"alu"}, Cases: 200})
	found := false
	for _, d := range r.Deviations {
		switch {
		case d.Bucket == "rsq: the result is the square of source 1 always":
			found = true
		case d.Opcode == "rsq" && shown(&d), d.Bucket == "precision: rsq" && d.ErrorBits > 2:
			t.Errorf("%s: %s: %s", d.Verdict, d.Bucket, d.Note)
		}
	}
	if !found {
		t.Error("the function is not found")
	}
}

// TestManySteps: a limit of more instructions than a program may have words is found.
func TestManySteps(t *testing.T) {
	const most = 5000
	stops := func(r *oracle.Rules) {
		steps, program, finish := 0, r.Program, r.Flow.Finish
		r.Program = func(c *oracle.Control) {
			if steps = 0; program != nil {
				program(c)
			}
		}
		r.Flow.Finish = func(c *oracle.Control) {
			finish(c)
			steps++
			c.Ended = c.Ended || steps == most
		}
	}
	core := adapter.InProcess("stops", profile.F32(), func() pica.Engine { return impl.NewWith(stops, nil) })
	r, err := conform.Run(t.Context(), core, conform.Options{Suites: []string{"upload"}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Deviations, func(d report.Deviation) bool { return d.Bucket == "more than 5000 steps" }) {
		t.Error("the limit is not found")
	}
}

// TestRandomCore: the report on a core with random answers says only that, and that nothing else was judged.
func TestRandomCore(t *testing.T) {
	r, err := conform.Run(t.Context(), statefulCore("is random"),
		conform.Options{Suites: suites(), Cases: fewCases, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Deviations {
		if shown(&d) && (d.Verdict != report.Flaky || d.Bucket != "answers that are not repeated") {
			t.Errorf("%s: %s: %s", d.Verdict, d.Bucket, d.Note)
		}
	}
	if !slices.ContainsFunc(r.Deviations, func(d report.Deviation) bool { return d.Verdict == report.Flaky }) {
		t.Error("the core is not found out")
	}
	if len(r.Cut) == 0 || r.Cut[0] != "the core's model" {
		t.Errorf("cut is %q, want the model first", r.Cut)
	}
}

// TestFailedAs: the entry of a program that fails in a suite, again when it is asked again, and never after that, says
// how it failed, and what the core wrote then.
func TestFailedAs(t *testing.T) {
	for _, last := range []int{4, 5} { // the request that fails last: the repetition, the first one of the reduction
		var mu sync.Mutex
		asked, chosen := map[string]int{}, ""
		core := adapter.InProcess("fails some times", profile.F24(), func() pica.Engine {
			return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
				if err := e.Run(job, out); err != nil || len(job.Code) < 8 || !has(job, pica.LG2) {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				program := fmt.Sprint(job.Code, job.Vertices)
				// The fingerprint and the search for causes ask first.
				if asked[program]++; asked[program] == 3 && chosen == "" {
					chosen = program
				}
				if program == chosen && asked[program] <= last {
					return &adapter.RefusalError{Kind: adapter.KindException, Message: "the cache is full"}
				}
				return nil
			}}
		})
		r := judged(t, core, conform.Options{Suites: []string{"mixed"}, Cases: 100})
		i := slices.IndexFunc(r.Deviations, func(d report.Deviation) bool { return d.Verdict == report.Flaky })
		if i < 0 {
			t.Fatalf("%d failures: no entry", last-2)
		}
		want := "end: expected the answer before: crash: exception, observed another answer in a fresh process"
		if d := &r.Deviations[i]; d.Summary() != want || d.Stderr != "the cache is full" {
			t.Errorf("%d failures: got %q, want %q; it wrote %q", last-2, d.Summary(), want, d.Stderr)
		}
	}
}

// TestBehindProvedFault: an unexplained fault of an instruction that only the core reaches, because of a proved fault,
// is no entry about what leads there, and none about a question of the model whose answer predicts nothing.
func TestBehindProvedFault(t *testing.T) {
	p, err := profile.Parse("f32,dp=left,rcp0=positive,cmp=true,inneral=outer,op.dst=run,op.litp=run,op.dsti=run")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range long.Items(t, []struct {
		lacks func(w uint32) bool // words of CMP that are skipped
		entry string
	}{
		{func(w uint32) bool { return bits.OnesCount32(w)&1 == 0 }, "cmp: condition flag"}, // no condition describes them
		{func(w uint32) bool { return w>>26&1 == 0 }, "cmp: is not executed, opcode 0x2e in six bits"},
	}, 0) {
		core := adapter.InProcess("skips", p, func() pica.Engine {
			engine := impl.NewWith(func(rules *oracle.Rules) {
				rules.Admit[pica.MUL] = func(at *oracle.Control) bool {
					at.Refuse(pica.RefusalUnknown)
					return false
				}
			}, nil)
			return &stateful{engine, func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
				job = clone(job)
				for i, w := range job.Code {
					if op := pica.OpcodeOf(w); op == pica.IFC || op == pica.CMP && x.lacks(w) {
						job.Code[i] = uint32(pica.NOP) << 26
					}
				}
				return e.Run(job, out)
			}}
		})
		r := judged(t, core, conform.Options{Suites: conform.Suites, Cases: 200})
		for _, d := range r.Deviations {
			expected := []string{"ifc: is not executed", x.entry, "model: flush", "model: flush: sign of zero", "model: storage"}
			// A program that has one step more than its budget, because IFC is skipped, is a hang of a core in this process.
			if d.Verdict.Bad() && d.Verdict != report.Hang && !slices.Contains(expected, d.Bucket) {
				t.Errorf("%s: %s: %s\n%s", d.Verdict, d.Bucket, d.Summary(), d.Assembly)
			}
		}
	}
}

// TestTakesBack: a cause whose program the core answers as its model does is no entry, and one that shows only without
// the causes before it is.
func TestTakesBack(t *testing.T) {
	one := pica.Float32.One()
	all := hypothesis.Constants(pica.ADD, "1", one)
	change := all[len(all)-2] // where the sum is above
	job := conform.Assembled("add o0, v0, v0")
	job.Vertices[0] = []pica.Vec4{{one, one, one, one}}
	cause := proof.Cause{Hypothesis: change, Job: job, Got: &view.View{End: view.Ended}}
	p := profile.F24()
	for _, x := range []struct {
		engine func() pica.Engine
		before []proof.Cause
		shown  bool
	}{
		{impl.New, nil, false},
		{func() pica.Engine { return hypothesis.Engine(change) }, nil, true},
		{func() pica.Engine { return hypothesis.Engine(change) }, []proof.Cause{cause}, true},
	} {
		core := adapter.InProcess("adds", p, x.engine)
		if shown := conform.Shows(t.Context(), core, p, cause, x.before...); shown != x.shown {
			t.Errorf("shown %v, want %v", shown, x.shown)
		}
	}
}

// TestOneFarTarget: a core that dies of one program with a far target has no limit of targets.
func TestOneFarTarget(t *testing.T) {
	core := adapter.InProcess("dies of one program", profile.F24(), func() pica.Engine {
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if has(job, pica.CALLC) && len(job.Code) == 2051 {
				panic("2051")
			}
			return e.Run(job, out)
		}}
	})
	r := judged(t, core, conform.Options{Suites: []string{"alu"}, Cases: 10})
	var crashes []string
	for _, d := range r.Deviations {
		if d.Verdict == report.Crash {
			crashes = append(crashes, d.Bucket)
		}
	}
	if len(crashes) != 1 || strings.HasPrefix(crashes[0], "target above") {
		t.Errorf("got %q, want one crash that is no limit", crashes)
	}
}

// TestRandomHang: a program that hung, and ends when it is asked again, is no hang.
func TestRandomHang(t *testing.T) {
	job := &pica.Job{Program: pica.Program{Code: []uint32{uint32(pica.END) << 26}}, Profile: profile.F24(),
		OutMask: 0xFFFF, Budget: 64, InputFormat: pica.Float32, Vertices: [][]pica.Vec4{{}}}
	for _, hangs := range []bool{true, false} {
		core := adapter.InProcess("hangs", profile.F24(), func() pica.Engine {
			return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
				if hangs {
					return pica.ErrInterrupted
				}
				return e.Run(job, out)
			}}
		})
		if got := conform.Repeats(t.Context(), core, job, conform.Hang); got != hangs {
			t.Errorf("got %v, want %v", got, hangs)
		}
	}
}

// TestHangsOnce: programs that hang when they are asked for the first time are flaky.
func TestHangsOnce(t *testing.T) {
	var asked sync.Map
	core := adapter.InProcess("hangs once", profile.F24(), func() pica.Engine {
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			if has(job, pica.FLR) {
				program := fmt.Sprint(job.Program, job.Floats, job.Ints, job.Bools, job.Vertices)
				if _, again := asked.LoadOrStore(program, true); !again {
					return pica.ErrInterrupted
				}
			}
			return e.Run(job, out)
		}}
	})
	r := judged(t, core, conform.Options{Suites: []string{"alu", "regressions"}, Cases: 100})
	flaky := false
	for _, d := range r.Deviations {
		if flaky = flaky || d.Verdict == report.Flaky; d.Verdict == report.Hang {
			t.Errorf("%s: %s", d.Bucket, d.Summary())
		}
	}
	if !flaky {
		t.Error("the core is not found out")
	}
}

// TestFlakyOfRandom: a job whose failure is not repeated belongs to the random opcode that it executes.
func TestFlakyOfRandom(t *testing.T) {
	for _, x := range []struct{ program, random, want string }{
		{"dp4 o0, v0, v0\nmov o1, v0", "dp4 o0, v0, v0", "dp4: random"},
		{"mul o0, v0, v0\nmov o1, v0", "dp4 o0, v0, v0", "dp4: random, flaky"},
		{"jmpu b0, over\nnop\nover:\nmul o0, v0, v0", "mul o0, v0, v0", "mul: random"},
		{"jmpu !b0, over\nmul o0, v0, v0\nover:\nnop", "mul o0, v0, v0", "flaky, mul: random"}, // it is not executed
	} {
		if got := conform.FlakyBeside(conform.Assembled(x.program), conform.Assembled(x.random)); got != x.want {
			t.Errorf("%s: got %q, want %q", x.program, got, x.want)
		}
	}
}

// TestCaches: a code cache with an incomplete key is one cause, which names the gaps.
func TestCaches(t *testing.T) {
	first := func(n int) func(job *pica.Job) string {
		return func(job *pica.Job) string {
			return allCode(&pica.Job{Program: pica.Program{Code: job.Code[:min(n, len(job.Code))]}})
		}
	}
	sum := func(job *pica.Job) string {
		n := uint32(0)
		for _, w := range job.Code {
			n += w
		}
		return string(rune(n&0xFFFF)) + string(rune(n>>16))
	}
	code := func(job, first *pica.Job) { job.Code = first.Code }
	for _, x := range []struct {
		gaps string
		core adapter.Core
	}{
		{"", statefulCore("keeps flags")},
		{"operand descriptors", cachingCore(allCode, func(job, first *pica.Job) { job.Descriptors = first.Descriptors })},
		{"the entry point", cachingCore(allCode, func(job, first *pica.Job) { job.Entry = first.Entry })},
		{"words behind word 16", cachingCore(first(16), code)},
		{"the order of words", cachingCore(sum, code)},
		{"float uniforms", cachingCore(allCode, func(job, first *pica.Job) { job.Floats = first.Floats })},
		{"the entry point, operand descriptors, boolean uniforms, integer uniforms, float uniforms",
			cachingCore(allCode, func(job, first *pica.Job) {
				job.Descriptors, job.Entry, job.Floats = first.Descriptors, first.Entry, first.Floats
				job.Bools, job.Ints = first.Bools, first.Ints
			})},
	} {
		var found []string
		for _, bucket := range conform.Leaks(t.Context(), x.core) {
			if gaps, ok := strings.CutPrefix(bucket, "code cache ignores "); ok {
				found = append(found, gaps)
			}
		}
		if got := strings.Join(found, "; "); got != x.gaps {
			t.Errorf("the cache ignores %q, want %q", got, x.gaps)
		}
	}
}

// talkative is an engine that reports a message, as a skipped instruction, with the answers to
// some jobs.
type talkative struct {
	pica.Engine
	skipped pica.Opcode
	to      func(job *pica.Job) bool
}

func (e *talkative) Run(job *pica.Job, out *pica.Outcome) error {
	err := e.Engine.Run(job, out)
	if err == nil && len(out.Vertices) > 0 && e.to(job) {
		out.Vertices[0].Skipped = append(out.Vertices[0].Skipped, e.skipped)
	}
	return err
}

// TestMessages: a message that comes with right answers excuses no wrong answer; a report of an
// instruction that is not implemented does.
func TestMessages(t *testing.T) {
	for _, x := range []struct {
		core    string
		skipped pica.Opcode
		to      func(job *pica.Job) bool
		excuse  bool
		cause   string
	}{
		{"dp3-reads-w", pica.NOP, func(*pica.Job) bool { return true }, false, "differs from its own model: dp3-reads-w"},
		{"flr-is-missing", pica.FLR, func(job *pica.Job) bool { return has(job, pica.FLR) }, true, ""},
	} {
		m, p := mutant(x.core)
		core := adapter.InProcess(x.core, p, func() pica.Engine { return &talkative{m.New(), x.skipped, x.to} })
		r, err := conform.Run(t.Context(), core, conform.Options{Suites: suites(), Cases: fewCases, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(accusations(r), "; "); got != x.cause {
			t.Errorf("%s: causes %q, want %q", x.core, got, x.cause)
		}
		text := "skipped " + x.skipped.String()
		if len(r.Messages) != 1 || r.Messages[0].Text != text || r.Messages[0].Excuse != x.excuse ||
			r.Messages[0].Run == 0 || r.Messages[0].Differ > 0 {
			t.Errorf("%s: got %+v, want %q, an excuse: %v", x.core, r.Messages, text, x.excuse)
		}
	}
}
