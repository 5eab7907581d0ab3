package fingerprint

import (
	"context"
	"regexp"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// Messages separates the log messages of a core that report a skipped instruction from its
// habits: messages that also come with right answers. A report of a skipped instruction makes a
// wrong answer not comparable; a habit does not.
//
// The evidence for a habit is a right answer to a program in which every skipped instruction
// would show. A message is a habit if there is more such evidence than wrong answers with the
// message, because a wrongly executed instruction is right now and then; or if a program without
// instructions has the message.
//
// A nil Messages knows no habits.
type Messages struct {
	texts, families map[string]*tally
}

// tally counts the answers that have a message.
type tally struct {
	right, wrong int
	bare         bool // a program without instructions has it
}

func (t *tally) habit() bool { return t.bare || t.right > t.wrong }

// numbers are the parts in which messages of one family differ: addresses, times, counts.
var numbers = regexp.MustCompile(`0[xX][0-9a-fA-F]+|[0-9]+`)

func family(text string) string { return numbers.ReplaceAllString(text, "#") }

// the longest message, and the longest number in a message, that are kept apart
const (
	longestMessage = 200
	longestNumber  = 4
)

// Message returns the form in which a message is counted: without its long numbers, which may
// change from request to request.
func Message(text string) string {
	text = numbers.ReplaceAllStringFunc(text, func(n string) string {
		if len(n) > longestNumber {
			return "#"
		}
		return n
	})
	return text[:min(len(text), longestMessage)]
}

// Evidence returns further programs, besides [Jobs], whose answers distinguish habits from
// reports of skipped instructions: a program that does nothing, and short programs.
func Evidence() (jobs []*pica.Job) {
	jobs = append(jobs, &pica.Job{OutMask: 0xFFFF, Budget: Budget, InputFormat: pica.Float32,
		Vertices: [][]pica.Vec4{{}},
		Program:  pica.Program{Code: []uint32{uint32(pica.END) << 26}}})
	for job := range Candidates(1, evidence) {
		if len(job.Code) <= shortest {
			jobs = append(jobs, reduce.Clone(job))
		}
	}
	return jobs
}

// evidence is the number of generated programs of each mode, and shortest the largest length of
// a program that is used.
const (
	evidence = 60
	shortest = 12
)

// Learn learns the messages in answers. The profile is the model of the core.
func Learn(answers []Answer, p *pica.Profile) *Messages {
	m := &Messages{texts: map[string]*tally{}, families: map[string]*tally{}}
	predict := NewPredictor()
	var want, skipped view.View
	for i := range answers {
		a := &answers[i]
		if len(a.Log) == 0 || a.Got.End != view.Ended {
			continue
		}
		predict.View(a.Job, p, &want)
		var count func(t *tally)
		switch relation := view.Compare(&want, a.Got, nil); {
		case relation == view.Differs && !want.Skips:
			count = func(t *tally) { t.wrong++ }
		case relation == view.Differs || relation == view.Open:
			continue
		case bare(a.Job):
			count = func(t *tally) { t.bare = true }
		case len(a.Job.Code) <= shortest && showsAll(a.Job, p, predict, &want, &skipped):
			count = func(t *tally) { t.right++ }
		default:
			continue
		}
		for _, text := range a.Log {
			count(entry(m.texts, text))
			count(entry(m.families, family(text)))
		}
	}
	return m
}

func entry(m map[string]*tally, text string) *tally {
	if m[text] == nil {
		m[text] = new(tally)
	}
	return m[text]
}

// bare reports whether a program has no instructions but END and NOP.
func bare(job *pica.Job) bool {
	return !slices.ContainsFunc(job.Code,
		func(w uint32) bool { return w != uint32(pica.END)<<26 && w != uint32(pica.NOP)<<26 })
}

// showsAll reports whether a NOP in the place of any instruction changes the prediction
// want; skipped is memory.
func showsAll(job *pica.Job, p *pica.Profile, predict *Predictor, want, skipped *view.View) bool {
	c := *job
	for at, w := range job.Code {
		if op := pica.OpcodeOf(w); op == pica.END || op == pica.NOP {
			continue
		}
		c.Code = slices.Clone(job.Code)
		c.Code[at] = uint32(pica.NOP) << 26
		if predict.View(&c, p, skipped); !Distinct(want, skipped) {
			return false
		}
	}
	return true
}

// Habits says of each known message, and of each family, whether it is a habit.
func (m *Messages) Habits() (texts, families map[string]bool) {
	if m == nil {
		return nil, nil
	}
	habits := func(of map[string]*tally) map[string]bool {
		list := map[string]bool{}
		for text, t := range of {
			list[text] = t.habit()
		}
		return list
	}
	return habits(m.texts), habits(m.families)
}

// Told returns the messages of which another run has found out whether they are habits.
func Told(texts, families map[string]bool) *Messages {
	tallies := func(of map[string]bool) map[string]*tally {
		list := map[string]*tally{}
		for text, habit := range of {
			list[text] = &tally{bare: habit}
		}
		return list
	}
	return &Messages{tallies(texts), tallies(families)}
}

// Habit reports whether a message does not report a skipped instruction.
func (m *Messages) Habit(text string) bool {
	if m == nil {
		return false
	}
	if t := m.texts[text]; t != nil {
		return t.habit()
	}
	t := m.families[family(text)]
	return t != nil && t.habit()
}

// Known reports whether the evidence includes answers with a message or one of its family.
func (m *Messages) Known(text string) bool {
	return m != nil && (m.texts[text] != nil || m.families[family(text)] != nil)
}

// Excuse reports whether a message in log reports a skipped instruction.
func (m *Messages) Excuse(log []string) bool {
	return slices.ContainsFunc(log, func(text string) bool { return !m.Habit(text) })
}

// AsEngine returns a core as an engine whose outcomes have only messages that report a skipped
// instruction. For each profile of jobs, the engine learns these messages when the first message
// arrives. It is safe for concurrent use.
func AsEngine(core adapter.Core) pica.Engine {
	return &quietEngine{Engine: adapter.AsEngine(core), core: core, learnt: map[string]*Messages{}}
}

type quietEngine struct {
	pica.Engine
	core   adapter.Core
	mu     sync.Mutex
	learnt map[string]*Messages // by the name of the profile
}

func (e *quietEngine) Run(job *pica.Job, out *pica.Outcome) error {
	err := e.Engine.Run(job, out)
	if err != nil || out.Reply == nil || len(out.Reply.Log) == 0 {
		return err
	}
	m, err := e.messages(&job.Profile)
	if err != nil {
		return err
	}
	reply := *out.Reply
	reply.Log = slices.DeleteFunc(slices.Clone(reply.Log), m.Habit)
	out.Reply = &reply
	return nil
}

func (e *quietEngine) messages(p *pica.Profile) (*Messages, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m := e.learnt[p.Name]; m != nil {
		return m, nil
	}
	jobs, err := Jobs()
	if err != nil {
		return nil, err
	}
	var answers []Answer
	for _, job := range slices.Concat(jobs, Evidence()) {
		answers = append(answers, Ask(context.Background(), e.core, job))
	}
	e.learnt[p.Name] = Learn(answers, p)
	return e.learnt[p.Name], nil
}

// Ask returns the core's answer to a job.
func Ask(ctx context.Context, core adapter.Core, job *pica.Job) Answer {
	a := core.Ask(ctx, job)
	return Answer{Job: job, Got: view.OfAnswer(a), Log: a.Log}
}
