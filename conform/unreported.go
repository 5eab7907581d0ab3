package conform

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// An adapter may leave registers out of its answers, or answer 0 for them always, because it does not copy them from
// the core. Such a register says nothing about the core, and is compared with nothing.

// A usedRegister is a program that uses what it has written to some registers, and shows it in o0.
type usedRegister struct {
	name string // of the registers
	set  pica.Registers
	text string
}

// usedRegisters are programs whose o0 is c2 or v0 if the registers have the values that they should have behind END,
// where they are not 0.
var usedRegisters = []usedRegister{
	{"r0 to r15", pica.RegTemporaries, each(pica.NumTemporaries, "mov r%d, v0") + "mov o0, r15"},
	{"a0.x", pica.RegA0X, "mova a0.x, v0\nmov o0, c0[a0.x]"},
	{"a0.y", pica.RegA0Y, "mova a0.y, v0\nmov o0, c0[a0.y]"},
	{"aL", pica.RegAL, "for i0\nmov o0, c0[lcnt]\nnop\n.end"},
	{"cc.x", pica.RegCCX, "cmp v0, eq, eq, v0\nifc cmp.x\nmov o0, v0\nnop\n.end"},
	{"cc.y", pica.RegCCY, "cmp v0, eq, eq, v0\nifc cmp.y\nmov o0, v0\nnop\n.end"},
}

// job returns the program as a job.
func (u *usedRegister) job() *pica.Job {
	two := pica.Float32.Integer(2)
	job := assembled(u.text)
	job.Vertices[0] = []pica.Vec4{{two, two, two, two}}
	job.Floats = []pica.Upload{{Register: 2, Format: pica.Float32, Values: job.Vertices[0]}}
	job.Ints[0] = [4]uint8{0, 2, 1}
	return job
}

// silent reports whether an answer to the program shows a value that only the registers can have brought about, and 0
// for the registers themselves.
func (u *usedRegister) silent(job *pica.Job, v *view.View) bool {
	return v.End == view.Ended && v.Vertices[0].O[0] == job.Vertices[0][0] && v.Zero(u.set)
}

// findUnreported finds the registers for which the core answers 0 although it uses other values.
func (s *session) findUnreported(ctx context.Context) {
	for i := range usedRegisters {
		u := &usedRegisters[i]
		if job := u.job(); u.silent(job, view.OfAnswer(s.core.Ask(ctx, job))) &&
			!slices.ContainsFunc(s.answers, func(a fingerprint.Answer) bool { return !a.Got.Zero(u.set) }) {
			s.unreported = append(s.unreported, u.name)
		}
	}
	s.leaveOut()
}

// leaveOut takes the registers that the core does not report out of its answers, those so far and later ones.
func (s *session) leaveOut() {
	var set pica.Registers
	for _, u := range usedRegisters {
		if slices.Contains(s.unreported, u.name) {
			set |= u.set
		}
	}
	if set == 0 {
		return
	}
	for i := range s.answers {
		s.answers[i].Got.Unreported |= set
	}
	s.core, s.direct.core = &reticent{s.core, set}, &reticent{s.direct.core, set}
}

// A reticent core leaves registers out of its answers.
type reticent struct {
	adapter.Core
	set pica.Registers
}

func (c *reticent) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	return c.leaveOut(c.Core.Ask(ctx, job))
}

func (c *reticent) AskFresh(ctx context.Context, job *pica.Job) adapter.Answer {
	return c.leaveOut(c.Core.AskFresh(ctx, job))
}

func (c *reticent) AskAfter(ctx context.Context, jobs ...*pica.Job) (adapter.Answer, int) {
	a, n := c.Core.AskAfter(ctx, jobs...)
	return c.leaveOut(a), n
}

func (c *reticent) leaveOut(a adapter.Answer) adapter.Answer {
	a.Unreported |= c.set
	return a
}
