package conform

import (
	"slices"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A shaper lists the shapes of control flow that a run shows under the rules of the console:
// constructs for which a compiler needs more than blocks that are nested as they are written.
type shaper struct {
	engine pica.Engine
	out    pica.Outcome
	hw     pica.Profile

	code  []uint32
	open  []scope // the newest last
	found []string
	kinds []string // of flow control
}

// scope is an open call or loop.
type scope struct {
	kind       pica.Flow
	first, end int // the first word, and the word behind the last
}

func (s *scope) has(word int) bool { return s.first <= word && word < s.end }

func newShaper() *shaper {
	w := &shaper{hw: profile.HW()}
	w.engine = impl.Watched(w)
	return w
}

// layoutOf is the prefix of the shapes of a program that has none but the kinds of its control flow.
const layoutOf = "layout of "

// of lists the shapes of a job, sorted.
func (w *shaper) of(job *pica.Job) []string {
	w.found, w.kinds = nil, nil
	if w.engine.Run(under(job, w.hw), &w.out) != nil {
		return nil
	}
	list := w.found
	if len(list) == 0 {
		for _, kind := range w.kinds {
			list = append(list, layoutOf+kind)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Start implements oracle.Observer.
func (w *shaper) Start(job *pica.Job, _ int, _ *pica.State) { w.code, w.open = job.Code, w.open[:0] }

func (w *shaper) add(shape string) {
	if !slices.Contains(w.found, shape) {
		w.found = append(w.found, shape)
	}
}

// Step implements oracle.Observer.
func (w *shaper) Step(s *pica.Step) {
	op := pica.OpcodeOf(s.Word).Base()
	kind := pica.Opcodes[op].Flow
	if s.Trap.Cause != pica.TrapNone {
		w.trap(s.Trap.Cause)
		return
	}
	if s.Skipped {
		return
	}
	if kind != pica.FlowNone && kind != pica.FlowEnd {
		w.kinds = append(w.kinds, kind.String())
	}
	l := op.Layout()
	target, num := int(l.Dst.Get(s.Word)), int(l.Num.Get(s.Word))
	switch taken := s.Next == target; kind {
	case pica.FlowCall:
		if taken {
			w.call(s.PC, scope{kind, target, target + num})
		}
	case pica.FlowLoop:
		w.loop(scope{kind, s.PC + 1, target + 1})
	case pica.FlowJump:
		if taken {
			w.jump(s.PC, target)
		}
	case pica.FlowBreak:
		if n := len(w.open); n > 0 && w.open[n-1].kind == pica.FlowCall && w.closing(s) {
			w.add("break out of a call")
		}
	case pica.FlowEnd:
		for _, x := range w.open {
			if x.first < x.end { // a call of no words never returns
				w.add("END in a " + x.kind.String())
			}
		}
	}
	w.close(s)
}

// trap names what the console does not define.
func (w *shaper) trap(cause pica.Cause) {
	switch cause {
	case pica.TrapBudget: // the shapes so far say why
	case pica.TrapHang:
		w.add("break outside a loop")
	default:
		w.add(cause.String())
	}
}

// depths returns the numbers of open calls and loops after a step.
func depths(s *pica.Step) map[pica.Flow]int {
	return map[pica.Flow]int{pica.FlowCall: int(s.State.Stacks.CallDepth), pica.FlowLoop: int(s.State.Stacks.LoopDepth)}
}

// count returns the number of open scopes of a kind.
func (w *shaper) count(kind pica.Flow) (n int) {
	for _, x := range w.open {
		if x.kind == kind {
			n++
		}
	}
	return n
}

// closing reports whether a step leaves a loop.
func (w *shaper) closing(s *pica.Step) bool { return w.count(pica.FlowLoop) > depths(s)[pica.FlowLoop] }

// close forgets the scopes that end with a step.
func (w *shaper) close(s *pica.Step) {
	closed := 0
	for kind, depth := range depths(s) {
		for w.count(kind) > depth {
			closed++
			n := len(w.open) - 1
			for w.open[n].kind != kind {
				n--
			}
			w.open = slices.Delete(w.open, n, n+1)
		}
	}
	if closed > 1 {
		w.add("scopes that end together")
	}
}

func (w *shaper) call(at int, x scope) {
	switch {
	case x.first == x.end:
		w.add("call of no words")
	case x.has(at) || slices.Contains(w.open, x):
		w.add("call of itself")
	case w.count(pica.FlowCall) == pica.CallDepth:
		w.add("stack overflow of calls")
	}
	if w.into(at, x.first) {
		w.add("call into a loop")
	}
	w.open = append(w.open, x)
}

func (w *shaper) loop(x scope) {
	if x.end <= x.first {
		w.add("loop that ends before it begins")
	}
	for _, y := range w.open {
		if y.end < x.end {
			w.add("loop beyond the end of a " + y.kind.String())
		}
	}
	switch {
	case w.count(pica.FlowCall) > 0:
		w.add("loop in a call")
	case w.count(pica.FlowLoop) == pica.LoopDepth:
		w.add("stack overflow of loops")
	case w.count(pica.FlowLoop) > 0:
		w.add("loop in a loop")
	}
	w.open = append(w.open, x)
}

func (w *shaper) jump(at, target int) {
	for _, x := range w.open {
		switch {
		case x.has(target) || x.first == x.end:
		case x.kind == pica.FlowCall && target == x.end:
			w.add("jump to the end of a call")
		default:
			w.add("jump out of a " + x.kind.String())
		}
	}
	if w.into(at, target) {
		w.add("jump into a loop")
	}
}

// into reports whether a target lies in the body of a loop, and the instruction that goes there does
// not.
func (w *shaper) into(at, target int) bool {
	for pc, word := range w.code {
		if pica.Opcodes[pica.OpcodeOf(word).Base()].Flow != pica.FlowLoop {
			continue
		}
		body := scope{first: pc + 1, end: int(pica.LOOP.Layout().Dst.Get(word)) + 1}
		if body.has(target) && !body.has(at) {
			return true
		}
	}
	return false
}
