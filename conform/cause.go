package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// finding is a reduced job that shows something wrong.
type finding struct {
	outcome string
	subject string   // the wrong operation and its condition: "mul, NaN operand"
	opcode  string   // with operands, or the flow rule
	opcodes []string // of the program, if nothing explains it
	job     *pica.Job
	trigger trigger
	report  reduce.Report
	hanging []*pica.Job // ever smaller jobs that hung for a short attempt
	expected,
	observed, where, class string
	stderr   string
	flaky    bool
	foreseen bool   // the model predicts the crash or the hang
	random   string // how often, or in how many ways, a program with varying answers fails
}

// show sets the texts of a finding from the last answer to a judge.
func (f *finding) show(j *judge) {
	f.expected, f.observed, f.where, f.class = j.diff.Expected, j.diff.Observed, j.diff.Where, j.diff.Class.String()
	switch f.stderr = j.said(); j.answer.Fate {
	case adapter.Crashed:
		f.observed = seen(Crash, j.answer.Kind, j.answer.Message)
	case adapter.Refused: // by an assertion, a panic or an exception
		f.observed = cmp.Or(j.answer.Kind, f.observed)
	}
}

// Limits of the reduction of one finding through the core: the number of tries, and the number
// of tries that cost a time limit.
const (
	maxTries = 3000
	maxHangs = 16
)

// reduced makes a job smaller through the core and names its fault. Neither the job nor a
// smaller one brings a known trigger about; ok is false if the reduced job shows nothing that
// speaks against the core.
func (s *session) reduced(ctx context.Context, job *pica.Job, suite string, known triggers) (f *finding, ok bool) {
	first := s.newJudge(ctx)
	first.deadly = true
	outcome := first.ask(job, true)
	for n := 1; n < repeats && !fails(outcome) && ctx.Err() == nil; n++ {
		outcome = first.ask(job, true)
	}
	if !fails(outcome) {
		return changing(job), ctx.Err() == nil
	}
	// Where the model predicts nothing, other such programs show as much.
	foreseen, open := first.foreseen, first.want.End == view.Unpredictable
	if suite == "upload" && outcome == Differ && s.wrongAnywhere(ctx, job) { // another value is another cause
		f = &finding{outcome: outcome, job: reduce.Clone(job), report: reduce.Report{End: reduce.Minimal}}
		if f.repeat(first); f.random != "" {
			return changing(job), true
		}
		f.show(first)
		f.subject, f.opcode = nameOfUpload(job), "upload"
		return f, true
	}
	j := s.newJudge(ctx)
	j.deadly = foreseen || open
	w := wanted{outcome: outcome, foreseen: foreseen, deadly: j.deadly, known: known}
	confirmed := func(f *finding, err error) bool {
		return err == nil && (f.repeat(j) || j.takesHanging(&f.job, f.hanging))
	}
	f, err := s.smaller(adapter.Briefly(ctx), job, w)
	whole := confirmed(f, err)
	if (err != nil || !whole && outcome == Crash) && ctx.Err() == nil { // the guesses of short attempts were wrong
		f, err = s.smaller(ctx, job, w)
		whole = confirmed(f, err)
	}
	switch {
	case err != nil: // the program brings a known trigger about, or its answer changed
		return changing(job), j.ask(job, false) != outcome && ctx.Err() == nil
	case !whole:
		return changing(job), true
	}
	s.name(ctx, j, f)
	if open && flows(&f.trigger.all) { // no program with this control flow is compared: none needs to avoid it
		f.opcode, f.trigger = nameOfShapes(newShaper().of(f.job)), trigger{}
		f.subject = f.opcode + ": " + outcome
	}
	return f, true
}

// wanted is what a smaller job must show.
type wanted struct {
	outcome          string
	foreseen, deadly bool
	known            triggers // which it must not bring about
}

// smaller makes a job smaller that shows an outcome, as the core answers in a context.
func (s *session) smaller(ctx context.Context, job *pica.Job, x wanted) (*finding, error) {
	how, most := reduce.Jobs{}, reduce.Options{Workers: 2, MaxTries: maxTries}
	var hanging []*pica.Job
	how.NewKey = func() reduce.Key {
		j, w := s.newJudge(ctx), s.newWatcher()
		j.deadly = x.deadly
		return func(c *pica.Job) string {
			if c.Initial != nil || adapter.AsksB15(c) || len(hanging) >= maxHangs ||
				len(x.known) > 0 && x.known.hit(c, w.uses(under(c, s.model))) ||
				j.ask(c, false) != x.outcome || j.foreseen != x.foreseen {
				return ""
			}
			if x.outcome == Hang {
				hanging = append(hanging, reduce.Clone(c))
			}
			return x.outcome
		}
	}
	if x.outcome == Hang {
		most.Workers = 1 // with several workers, the tries made before the end depend on timing
		// The tries may end before each bit had its own.
		if c, ok := quiet(job); ok && how.NewKey()(c) == x.outcome {
			job = c
		}
		job, how.Witness = s.shortened(ctx, job)
	}
	r, err := reduce.Job(ctx, job, how, most)
	if err != nil {
		return nil, err
	}
	if once, ok := unrolled(r.Job); ok && how.NewKey()(once) == x.outcome { // the number of vertices does not matter
		if again, err := reduce.Job(ctx, once, how, most); err == nil {
			r = again
		}
	}
	return &finding{outcome: x.outcome, job: r.Job, report: r.Report, hanging: hanging}, nil
}

// takesHanging sets job to the smallest of a list that hangs with all time, and reports whether one does: its answer is
// then the last one of the judge. The jobs of the list, each smaller than the one before it, hang for a short attempt.
func (j *judge) takesHanging(job **pica.Job, list []*pica.Job) bool {
	asked := 0
	ends := sort.Search(len(list), func(k int) bool {
		asked = k
		return j.ask(list[k], true) != Hang
	})
	if ends == 0 {
		return false
	}
	*job = list[ends-1]
	return asked == ends-1 || j.ask(*job, true) == Hang
}

// changing returns the finding of a job whose answer changed.
func changing(job *pica.Job) *finding {
	return &finding{outcome: Flaky, subject: "flaky", opcode: "flaky", job: reduce.Clone(job), flaky: true,
		where: "end", expected: "the answer before", observed: "another answer in a fresh process"}
}

// failed says how the last answer to a judge failed, and behind the first line what the core wrote.
func (j *judge) failed() string {
	var f finding
	f.show(j)
	return f.observed + "\n" + f.stderr
}

// failedAs notes how the job of a finding failed before its answer changed: "crash", "class". text is what the judge
// said of it then, "" if that is not known.
func (f *finding) failedAs(outcome, text string) *finding {
	if f == nil || f.outcome != Flaky {
		return f
	}
	f.expected = "the answer before: " + outcome
	if outcome != Crash && outcome != Hang {
		return f // the class of a wrong value
	}
	observed, wrote, _ := strings.Cut(text, "\n")
	if f.stderr = wrote; strings.HasPrefix(observed, outcome) {
		f.expected = "the answer before: " + observed
	} else if observed != "" {
		f.expected += ": " + observed
	}
	return f
}

// unrolled returns the single run that equals two runs of a program whose second vertex depends
// on the first: it executes the program twice. ok is false for any other job.
func unrolled(job *pica.Job) (once *pica.Job, ok bool) {
	last := len(job.Code) - 1
	isEnd := func(word uint32) bool { return pica.OpcodeOf(word) == pica.END }
	if !job.Keep || len(job.Vertices) != 2 || job.Entry != 0 || slices.IndexFunc(job.Code, isEnd) != last ||
		2*last >= pica.MaxCode {
		return nil, false
	}
	once = reduce.Clone(job)
	once.Code = once.Code[:last]
	for _, word := range job.Code {
		if op := pica.OpcodeOf(word); pica.Opcodes[op].Flow.HasTarget() {
			dst := op.Layout().Dst
			word = dst.Put(word, dst.Get(word)+uint32(last))
		}
		once.Code = append(once.Code, word)
	}
	once.Keep, once.Vertices = false, once.Vertices[1:]
	return once, true
}

// under returns the job under a profile.
func under(job *pica.Job, p pica.Profile) *pica.Job {
	c := *job
	c.Profile = p
	return &c
}

// watched runs a job on the oracle under the model, and reports whether the oracle executes it.
func (s *session) watched(job *pica.Job, o oracle.Observer) bool {
	return impl.Watched(o).Run(under(job, s.model), new(pica.Outcome)) == nil
}

// name names the opcodes of a reduced job and the class of its difference, or its end, and sets the trigger. Its answer
// is the last one that the judge asked for.
func (s *session) name(ctx context.Context, j *judge, f *finding) {
	f.show(j)
	if d := j.unlikeModel(f.job); d.Where != "" { // what is known of other faults is no expectation
		f.expected, f.observed, f.where, f.class = d.Expected, d.Observed, d.Where, d.Class.String()
	}
	if len(f.job.Vertices) > 1 && f.outcome == Differ && f.random == "" {
		s.passing(ctx, f)
		return
	}
	uses := s.newWatcher().uses(under(f.job, s.model))
	behind := slices.ContainsFunc(uses, func(u use) bool { return u.pc >= len(f.job.Code) })
	if behind && f.outcome != Differ && j.ask(zeroWord(f.job), true) != f.outcome {
		f.opcode = "words behind the program"
		f.subject = f.opcode + ": " + f.outcome
		return
	}
	ops := telling(uses)
	if ops != (opcodes{}) && !ops[pica.MOV] && !ops[pica.END] {
		f.trigger.all = ops
	}
	if f.outcome == Differ {
		f.opcode, f.opcodes = ops.String(), ops.names()
		f.subject = f.opcode + ": " + f.class
		return
	}
	if here := presentIn(f.job); !s.executes(ctx, f) {
		ops, f.trigger = here, trigger{present: here}
	} else if ops[pica.END] {
		ops = here // nothing that is executed tells
	}
	f.opcode, f.opcodes = ops.String(), ops.names()
	f.subject = f.opcode + ": " + f.outcome
}

// zeroWord returns a job whose program is a word as those behind a program, and END.
func zeroWord(job *pica.Job) *pica.Job {
	c := *job
	c.Entry, c.Code = 0, []uint32{0, uint32(pica.END) << 26}
	return &c
}

// flows reports whether some opcodes include control flow.
func flows(ops *opcodes) bool {
	for op, has := range ops {
		if has && pica.Opcodes[op].Flow != pica.FlowNone {
			return true
		}
	}
	return false
}

const (
	// certain is the number of equal failures after which a program counts as one that always
	// fails: a random bit has one value that often in 1 of 32,768 runs.
	certain = 16
	// doubts is the number of requests for a program that fails only sometimes.
	doubts = 32
)

// repeat asks for the program until it fails, and then again, to find out whether it always
// fails, and always in the same way. It reports whether the program fails often enough. A hang is
// repeated once, because it costs a time limit.
func (f *finding) repeat(j *judge) bool {
	if f.outcome == Hang {
		return j.ask(f.job, false) == Hang || j.ctx.Err() != nil
	}
	answers := map[view.Difference]bool{}
	asked, failed := 0, 0
	for asked < certain || failed < asked && asked < doubts {
		asked++
		if j.ask(f.job, false) == f.outcome {
			answers[j.diff] = true
			failed++
		}
	}
	if failed < asked && len(f.job.Vertices) > 1 { // many vertices fail more often than one
		f.job = reduce.Clone(f.job)
		f.job.Vertices = f.job.Vertices[:1]
		return f.repeat(j)
	}
	// The failure becomes the last answer, of a fresh process if that fails.
	for n := 0; n < doubts && j.ask(f.job, n < doubts/2) != f.outcome; n++ {
	}
	switch {
	case failed < asked:
		f.random = fmt.Sprintf("the program fails %d times of %d: answers change from one request to the next", failed,
			asked)
	case len(answers) > 1 && f.outcome == Differ:
		f.random = fmt.Sprintf("the program has %d wrong answers: they change from one request to the next",
			len(answers))
	}
	return failed*3 >= asked
}

// heals reports whether job c runs well every time, while the job of the finding fails. It asks
// several times, because a core may answer at random.
func (j *judge) heals(f *finding, c *pica.Job) bool {
	if f.outcome == Hang { // one time limit for the finding is enough
		return j.ask(c, false) == Equal
	}
	for range repeats {
		if j.ask(c, false) != Equal || j.ask(f.job, false) != f.outcome {
			return false
		}
	}
	return true
}
