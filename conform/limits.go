package conform

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// Numbers of instructions that a core must run, in loops and in a straight line, and the least
// number that counts as a limit: an earlier failure has another cause.
const (
	manySteps = 15_000
	manyWords = 4000
	fewest    = 64
)

// limits looks for the largest number of executed instructions, of words and of temporaries, and
// for the last target of an instruction, that the core handles. The suites have few programs as
// long, which would show such a fault as many causes.
func (s *session) limits(ctx context.Context) {
	steps := s.stepLimit(ctx)
	words := s.wordLimit(ctx, steps)
	s.temporaryLimit(ctx)
	for _, t := range farTargets {
		if t.op == pica.LOOP && steps < manySteps {
			continue
		}
		s.targetLimit(ctx, t, words)
	}
}

// stepLimit records the number of executed instructions after which the core goes wrong, and
// returns it, or [manySteps].
func (s *session) stepLimit(ctx context.Context) int {
	if !s.far(ctx, 0, loopedRun(manySteps)) {
		return manySteps
	}
	n := 1 + sort.Search(manySteps-1, func(n int) bool { return s.exceeds(ctx, loopedRun(n+1)) })
	// Two loops of half as many passes distinguish a limit of steps from a limit of passes.
	if n < fewest || !s.exceeds(ctx, loopedRun(n/2, n-n/2)) || s.exceeds(ctx, loopedRun((n-1)/2, n-1-(n-1)/2)) {
		return manySteps
	}
	if s.exceeds(ctx, enteredRun(len(loopedRun(n).Code))) { // the number of words is enough
		return manySteps
	}
	job := loopedRun(n)
	if n <= manyWords {
		job = straightRun(n)
	}
	if s.newJudge(adapter.Briefly(ctx)).ask(job, false) != Differ { // the core fails at END, or one instruction before it
		silent, end := reduce.Clone(job), len(job.Code)-1
		if silent.Code = slices.Delete(silent.Code, end-1, end); !s.exceeds(ctx, silent) {
			n++
		}
	}
	s.limit(ctx, job, fmt.Sprintf("more than %d steps", n), "steps", limit{steps: n})
	return n
}

// wordLimit records the number of words after which the core goes wrong, and returns it, or
// [manyWords]. The programs execute few of their words, so that no limit of steps hides it.
func (s *session) wordLimit(ctx context.Context, steps int) int {
	if !s.far(ctx, 1, enteredRun(manyWords)) {
		return manyWords
	}
	n := 1 + sort.Search(manyWords-1, func(n int) bool { return s.exceeds(ctx, enteredRun(n+1)) })
	if n < fewest {
		return manyWords
	}
	// Programs that begin at word 0 distinguish a limit of words from a limit of entry points.
	job := jumpedRun(n)
	if n < steps {
		job = straightRun(n)
	}
	if !s.exceeds(ctx, job) {
		return manyWords
	}
	s.limit(ctx, job, fmt.Sprintf("more than %d words", n), "words", limit{words: n})
	return n
}

// fewestTemporaries is the least number of temporaries that counts as a limit.
const fewestTemporaries = 4

// temporaryLimit records the number of temporaries in use from which the core goes wrong: the
// core then has fewer registers of its own.
func (s *session) temporaryLimit(ctx context.Context) {
	if !s.far(ctx, 2, crowdedRun(pica.NumTemporaries)) {
		return
	}
	n := sort.Search(pica.NumTemporaries-1, func(n int) bool { return s.exceeds(ctx, crowdedRun(n+1)) })
	if n < fewestTemporaries {
		return
	}
	job := crowdedRun(n + 1)
	for k := len(job.Code) - 2; k >= 0; k-- { // temporaries that are written and not read may be enough
		c := reduce.Clone(job)
		if c.Code = slices.Delete(c.Code, k, k+1); s.exceeds(ctx, c) {
			job = c
		}
	}
	var named [pica.NumTemporaries]bool
	eachTemporary(job.Code, func(n uint32) uint32 { named[n] = true; return n })
	if slices.Index(named[:], false) <= n { // the number of temporaries does not matter
		return
	}
	s.limit(ctx, job, fmt.Sprintf("more than %d temporaries", n), "temporaries", limit{temporaries: n})
}

// targetLimit records the number of bits of an instruction's target that the core takes, if it
// does not take all bits of the last word.
func (s *session) targetLimit(ctx context.Context, t farTarget, words int) {
	const near = 16
	last := len(farWords) - 1
	fallsShort := func(word int) bool {
		job, j := t.job(word), s.newJudge(ctx)
		if len(job.Code) >= words {
			return false
		}
		outcome := j.ask(job, true)
		if word > farWords[last] {
			s.witness("limits", firstTarget+int(t.op), job, j.death(job))
		}
		return fails(outcome)
	}
	wrong := func(k int) bool { return fallsShort(farWords[k] + 2) } // a truncated target is word 1
	if !wrong(last) || fallsShort(near) {
		return
	}
	k := 0
	for k < last && !wrong(k) {
		k++
	}
	// Further targets on both sides of the limit distinguish it from a fault of one program. A truncated target is word
	// 2, behind which nothing is shown.
	if !fallsShort(farWords[k]+3) || !fallsShort(farWords[k]+4) || fallsShort(farWords[k]-1) {
		return
	}
	s.limit(ctx, t.job(farWords[k]+2), fmt.Sprintf("target above word %d", farWords[k]), t.op.String(),
		limit{target: farWords[k], ops: only(t.op)})
}

// limit records a limit that a job exceeds.
func (s *session) limit(ctx context.Context, job *pica.Job, subject, opcode string, most limit) {
	j := s.newJudge(ctx)
	outcome := j.ask(job, true)
	if !fails(outcome) || ctx.Err() != nil {
		return
	}
	f := &finding{outcome: outcome, subject: subject, opcode: opcode, job: job, trigger: trigger{beyond: most},
		report: reduce.Report{End: reduce.Minimal},
		stderr: j.said()}
	f.show(j)
	if outcome != Differ {
		f.subject += ": " + outcome
	}
	s.record(&bucket{Member: report.Member{Key: "limits: " + subject, Suite: "limits", Count: 1}, finding: f})
}

// exceeds reports whether a job exceeds a limit of the core. That a job hangs is a guess here.
func (s *session) exceeds(ctx context.Context, job *pica.Job) bool {
	return fails(s.newJudge(adapter.Briefly(ctx)).ask(job, false))
}

// far asks for the program number n that goes far beyond what the suites have, and reports whether it
// exceeds a limit of the core.
func (s *session) far(ctx context.Context, n int, job *pica.Job) bool {
	j := s.newJudge(ctx)
	outcome := j.ask(job, false)
	s.witness("limits", n, job, j.death(job))
	return fails(outcome) && (outcome != Hang || s.exceeds(ctx, straightRun(manyWords))) // a loop may be what hangs
}

// firstTarget is the number of the first far target among the programs that go far.
const firstTarget = 3

// straightRun is a program that executes n NOPs before it shows its input.
func straightRun(n int) *pica.Job { return shownBehind(fmt.Sprintf(".nop %d\n", n)) }

// enteredRun and jumpedRun are programs with n words before the code that shows the input. The
// first starts at that code, the second jumps to it.
func enteredRun(n int) *pica.Job {
	job := straightRun(n)
	job.Entry = n
	return job
}

func jumpedRun(n int) *pica.Job { return farTarget{op: pica.JMPU, num: 1}.job(n) }

// crowdedRun is a program that writes n temporaries before it reads them.
func crowdedRun(n int) *pica.Job {
	return shownBehind(each(n, "mov r%d, v0") + each(n, "mov o%[1]d, r%[1]d"))
}

// loopedRun is a program that executes n instructions in a loop for each of its arguments,
// and shows its input.
func loopedRun(parts ...int) *pica.Job {
	const passes, least = 200, 8
	var text strings.Builder
	var ints [pica.NumInts][4]uint8
	for k, n := range parts {
		if times := min(passes, (n-1)/least); times > 0 {
			fmt.Fprintf(&text, "for i%d\n.nop %d\n.end\n", k, (n-1)/times)
			ints[k][0] = uint8(times - 1)
			n = (n - 1) % times
		}
		if n > 0 {
			fmt.Fprintf(&text, ".nop %d\n", n)
		}
	}
	job := shownBehind(text.String())
	job.Ints = ints
	return job
}

// shownBehind is a program that executes text and then shows its input.
func shownBehind(text string) *pica.Job {
	job := assembled(text + "mov o0, v0")
	one := pica.Float32.One()
	job.Vertices[0] = []pica.Vec4{{one, one, one, one}}
	return job
}

// A farTarget is an instruction whose target may be far, with the fields that make it go there.
type farTarget struct {
	op   pica.Opcode
	num  uint32
	bool bool // b0
}

// farWords are the last words that targets of 8 to 11 bits reach.
var farWords = [...]int{255, 511, 1023, 2047}

var farTargets = []farTarget{{op: pica.JMPU, num: 1}, {op: pica.JMPC}, {op: pica.CALL, num: 1},
	{op: pica.CALLC, num: 1},
	{op: pica.CALLU, num: 1, bool: true}, {op: pica.IFU}, {op: pica.IFC}, {op: pica.LOOP}}

// job returns a program whose output tells whether the instruction goes to a word.
func (t farTarget) job(word int) *pica.Job {
	job := shownBehind(fmt.Sprintf("nop\nend\n.nop %d\nend\n", word-3))
	if t.op == pica.LOOP {
		job = shownBehind(fmt.Sprintf("nop\n.nop %d\nadd r0, v0, r0\nadd r1, v0, r1\n", word-1))
		job.Ints[0][0] = 1
	}
	l := t.op.Layout()
	job.Code[0] = l.Num.Put(l.Dst.Put(uint32(t.op)<<26, uint32(word)), t.num)
	if t.op == pica.IFC { // an else part begins where neither flag is set
		job.Code[0] = l.RefX.Put(l.RefY.Put(job.Code[0], 1), 1)
	}
	if t.bool {
		job.Bools = 1
	}
	return job
}
