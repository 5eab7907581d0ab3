package conform

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// finding is a reduced job that shows something wrong.
type finding struct {
	outcome string
	subject string // what the program shows: "mul, NaN operand"
	opcode  string // with operands, or the flow rule
	job     *pica.Job
	trigger Trigger
	report  reduce.Report
	expected,
	observed, where, class string
	stderr string
	flaky  bool
}

// maxTries limits the reduction of one finding through the core.
const maxTries = 3000

// reduced makes a job smaller through the core and says what it shows. The job must not
// bring any of the known triggers about, nor does a smaller one; ok is false where it
// shows nothing.
func (s *session) reduced(ctx context.Context, job *pica.Job, suite string, known Masks) (f *finding, ok bool) {
	first := s.newJudge(ctx)
	outcome := first.ask(job, true)
	if !fails(outcome) {
		return &finding{outcome: Flaky, subject: "flaky", opcode: "flaky", job: reduce.Clone(job), flaky: true,
			expected: "the answer before", observed: "another answer in a fresh process"}, true
	}
	if suite == "upload" && outcome == Differ { // small enough, and another value is another cause
		f = &finding{outcome: outcome, job: reduce.Clone(job), report: reduce.Report{End: reduce.Minimal}, opcode: "mov"}
		f.expected, f.observed, f.where, f.class = first.diff.Expected, first.diff.Observed, first.diff.Where, first.diff.Class.String()
		if s.general(ctx, f) {
			f.subject, f.trigger = "mov", Trigger{Opcodes: []string{"mov"}}
		} else {
			s.upload(f)
		}
		return f, true
	}
	newKey := func() reduce.Key {
		j, w := s.newJudge(ctx), newWatcher()
		return func(c *pica.Job) string {
			if c.Initial != nil || j.ask(c, false) != outcome {
				return ""
			}
			if len(known) > 0 && known.hit(c, w.uses(under(c, s.model))) {
				return ""
			}
			return outcome
		}
	}
	tries := maxTries
	if outcome == Hang {
		tries = 6 // each may cost a time limit
	}
	r, err := reduce.Job(ctx, job, reduce.Jobs{NewKey: newKey}, reduce.Options{Workers: 2, MaxTries: tries})
	if err != nil {
		return nil, false
	}
	f = &finding{outcome: outcome, job: r.Job, report: r.Report}
	s.name(ctx, f)
	return f, true
}

// under returns the job under a profile.
func under(job *pica.Job, p pica.Profile) *pica.Job {
	c := *job
	c.Profile = p
	return &c
}

// name says what a reduced job shows and which programs show it.
func (s *session) name(ctx context.Context, f *finding) {
	j, w := s.newJudge(ctx), newWatcher()
	j.ask(f.job, false)
	f.expected, f.observed, f.where, f.class = j.diff.Expected, j.diff.Observed, j.diff.Where, j.diff.Class.String()
	f.stderr = j.answer.Stderr
	if j.answer.Fate == adapter.Crashed {
		f.observed = strings.TrimSpace("crash " + j.answer.Message)
	}
	uses := slices.Clone(w.uses(under(f.job, s.model)))
	var computing []use
	for _, u := range uses {
		if pica.Opcodes[u.op].Sources > 0 {
			computing = append(computing, u)
		}
	}
	kinds := flowKinds(uses)
	geometry := slices.ContainsFunc(uses, func(u use) bool {
		return pica.Opcodes[u.op].Writes&(pica.WritesEmit|pica.Emits) != 0
	})
	switch {
	case len(f.job.Vertices) > 1 && f.outcome == Differ:
		f.subject, f.opcode = "state of the vertex before", "state and vertices"
		f.trigger = Trigger{Vertices: true}
	case len(kinds) > 0:
		f.flow(kinds, uses)
	case geometry:
		f.subject, f.opcode = "emit", "emit"
		f.trigger = Trigger{Opcodes: []string{"emit", "setemit"}}
	case len(computing) == 0:
		f.present(f.job)
	default:
		s.arithmetic(ctx, f, computing)
	}
	if f.outcome != Differ {
		f.subject += ": " + f.outcome
		if len(f.trigger.Flow) == 0 && !s.executes(ctx, f) {
			f.trigger.Present = true
		}
	}
}

// executes reports whether a crash or hang needs the program to be executed: behind an
// END it must be gone.
func (s *session) executes(ctx context.Context, f *finding) bool {
	c := reduce.Clone(f.job)
	if len(c.Code) >= pica.MaxCode {
		return true
	}
	c.Code = append(c.Code, uint32(pica.END)<<26)
	c.Entry = len(c.Code) - 1
	return s.newJudge(ctx).ask(c, true) != f.outcome
}

// flow names the flow rule that a program shows.
func (f *finding) flow(kinds []string, uses []use) {
	f.subject = strings.Join(kinds, " and ")
	if len(kinds) == 1 {
		var ops []string
		for _, u := range uses {
			if k := pica.Opcodes[u.op].Flow; k != pica.FlowNone && k != pica.FlowEnd {
				ops = append(ops, u.op.String())
			}
		}
		slices.Sort(ops)
		if ops = slices.Compact(ops); len(ops) == 1 && len(uses) > 0 && flowCount(uses) == 1 {
			f.subject = ops[0]
			f.opcode, f.trigger = ops[0], Trigger{Opcodes: ops}
			return
		}
		f.subject += " and " + kinds[0]
	}
	f.opcode, f.trigger = f.subject, Trigger{Flow: kinds}
}

// flowCount counts the flow instructions executed, by their places.
func flowCount(uses []use) (n int) {
	for _, u := range uses {
		if k := pica.Opcodes[u.op].Flow; k != pica.FlowNone && k != pica.FlowEnd {
			n++
		}
	}
	return n
}

// present names a program that computes nothing: what crashes on a word.
func (f *finding) present(job *pica.Job) {
	var ops []string
	for _, w := range job.Code {
		if op := pica.OpcodeOf(w).Base(); op != pica.END && op != pica.NOP {
			ops = append(ops, op.String())
		}
	}
	slices.Sort(ops)
	if ops = slices.Compact(ops); len(ops) == 0 {
		ops = []string{"end"}
	}
	f.subject = strings.Join(ops, " and ")
	f.opcode, f.trigger = f.subject, Trigger{Opcodes: ops, Present: true}
}

// shared are the features that are a cause of their own, whatever instruction has
// them.
const shared = hasIndex | hasNegation | hasSwizzle | hasMask | hasHighDesc

// arithmetic names what a program of computing instructions shows. The last one is at
// fault unless it only moves what another computed.
func (s *session) arithmetic(ctx context.Context, f *finding, computing []use) {
	guilty := computing[len(computing)-1]
	for _, u := range computing {
		if !pica.Opcodes[u.op].Copies {
			guilty = u
		}
	}
	plain := pica.Opcodes[guilty.op].Plain.String()
	f.opcode = plain
	classes := guilty.features & (hasInfinity | hasNaN | hasSubnormal | hasZero)
	switch features := guilty.features & shared; {
	case features != 0 && len(computing) == 1:
		f.subject = strings.Join(features.names(), " and ")
		f.trigger = Trigger{Opcodes: []string{guilty.op.String()}, Features: features.names()}
	case features&hasIndex != 0:
		f.subject = "relative addressing"
		f.trigger = Trigger{Any: true, Features: []string{"relative addressing"}}
	case len(computing) == 1 && pica.Opcodes[guilty.op].Copies && f.outcome == Differ && !s.general(ctx, f):
		s.upload(f)
	case classes != 0 && !s.general(ctx, f):
		least := lowest(classes)
		f.subject = plain + ", " + strings.Join(least.names(), " and ")
		f.trigger = Trigger{Opcodes: forms(guilty.op), Features: least.names()}
	default:
		f.subject, f.trigger = plain, Trigger{Opcodes: forms(guilty.op)}
	}
}

// lowest returns the most special class.
func lowest(classes featureSet) featureSet {
	for _, c := range []featureSet{hasNaN, hasInfinity, hasSubnormal, hasZero} {
		if classes&c != 0 {
			return c
		}
	}
	return 0
}

// forms lists an instruction and its inverted form.
func forms(op pica.Opcode) (names []string) {
	for _, o := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Plain == pica.Opcodes[op].Plain }) {
		names = append(names, o.String())
	}
	return names
}

// general reports whether the program fails with ordinary numbers, too.
func (s *session) general(ctx context.Context, f *finding) bool {
	j := s.newJudge(ctx)
	for n := range 6 {
		c := reduce.Clone(f.job)
		k := 0
		ordinary := func(format pica.NumberFormat) uint32 {
			k++
			return format.Integer(int64(1+(3*n+2*k)%7)) | format.Sign()*uint32((n>>1+k)&1)
		}
		for i := range c.Floats {
			for r := range c.Floats[i].Values {
				for l := range 4 {
					c.Floats[i].Values[r][l] = ordinary(c.Floats[i].Format)
				}
			}
		}
		for i := range c.Vertices {
			for r := range c.Vertices[i] {
				for l := range 4 {
					c.Vertices[i][r][l] = ordinary(c.InputFormat)
				}
			}
		}
		if j.ask(c, false) == f.outcome {
			return true
		}
	}
	return false
}

// upload blames the way of a value to its register.
func (s *session) upload(f *finding) {
	seen := map[string]bool{}
	note := func(where string, format pica.NumberFormat, v pica.Vec4) {
		for _, x := range v {
			if x != 0 {
				seen[uploadName(where, format, x)] = true
			}
		}
	}
	for _, u := range f.job.Floats {
		for _, v := range u.Values {
			note("uniform", u.Format, v)
		}
	}
	for _, row := range f.job.Vertices {
		for _, v := range row {
			note("input", f.job.InputFormat, v)
		}
	}
	if len(seen) == 0 {
		f.subject, f.trigger = f.opcode, Trigger{Opcodes: []string{f.opcode}}
		return
	}
	for name := range seen {
		f.trigger.Uploads = append(f.trigger.Uploads, name)
	}
	slices.Sort(f.trigger.Uploads)
	f.opcode = "upload"
	f.subject = fmt.Sprintf("upload of %s", strings.Join(f.trigger.Uploads, ", "))
}
