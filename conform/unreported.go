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

// A usedRegister is a register to which a program writes, which it then uses to write 2 to an output.
type usedRegister struct {
	register pica.Registers // one of them
	output   int
}

// registerUses are programs that write values other than 0 to registers, from v0 and c2, which are 2, and use them.
var registerUses = []struct {
	text string
	used []usedRegister
}{
	{each(pica.NumTemporaries, "mov r%d, v0") + each(pica.NumTemporaries, "mov o%d, r%[1]d"), usedTemporaries()},
	{"mova a0.xy, v0\nmov o0, c0[a0.x]\nmov o1, c0[a0.y]", []usedRegister{{pica.RegA0X, 0}, {pica.RegA0Y, 1}}},
	{"for i0\nmov o0, c0[lcnt]\nnop\n.end", []usedRegister{{pica.RegAL, 0}}},
	{"cmp v0, eq, eq, v0\nifc cmp.x\nmov o0, v0\nnop\n.end\nifc cmp.y\nmov o1, v0\nnop\n.end",
		[]usedRegister{{pica.RegCCX, 0}, {pica.RegCCY, 1}}},
}

func usedTemporaries() (list []usedRegister) {
	for n := range pica.NumTemporaries {
		list = append(list, usedRegister{1 << n, n})
	}
	return list
}

// findUnreported finds the registers for which the core answers 0 although it uses other values.
func (s *session) findUnreported(ctx context.Context) {
	two := pica.Float32.Integer(2)
	v := pica.Vec4{two, two, two, two}
	var unreported pica.Registers
	for _, u := range registerUses {
		job := assembled(u.text)
		job.Vertices[0], job.Ints[0] = []pica.Vec4{v}, [4]uint8{0, 2, 1}
		job.Floats = []pica.Upload{{Register: 2, Format: pica.Float32, Values: []pica.Vec4{v}}}
		got := view.OfAnswer(s.core.Ask(ctx, job))
		for _, r := range u.used {
			if got.End == view.Ended && got.Vertices[0].O[r.output] == v && got.Zero(r.register) &&
				!slices.ContainsFunc(s.answers, func(a fingerprint.Answer) bool { return !a.Got.Zero(r.register) }) {
				unreported |= r.register
			}
		}
	}
	s.leaveOut(unreported)
}

// leaveOut takes registers that the core does not report out of its answers, those so far and later ones.
func (s *session) leaveOut(unreported pica.Registers) {
	if s.unreported = unreported; unreported == 0 {
		return
	}
	for i := range s.answers {
		s.answers[i].Got.Unreported |= unreported
	}
	s.core, s.direct.core = &reticent{s.core, unreported}, &reticent{s.direct.core, unreported}
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
