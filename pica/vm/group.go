package vm

import (
	"math/bits"

	"github.com/picaproof/picaproof/pica"
)

// A group is a set of lanes that are at the same instruction with the same
// stacks. A branch that goes both ways splits a group in two; groups that meet
// again, at one address with equal stacks, become one. Nothing is assumed about
// how scopes nest: every group has stacks of its own, which work as those of the
// scalar tier do.
type group struct {
	control
	pc, steps int
	mova      int // steps before its latest MOVA, as in machine.lastMova
	mask      uint64
}

// joins reports whether two groups are at the same place. They may have counted
// different numbers of steps.
func (g *group) joins(h *group) bool {
	return g.pc == h.pc && g.address[pica.IndexAL] == h.address[pica.IndexAL] && (g.mova == g.steps-1) == (h.mova == h.steps-1) &&
		g.stacks == h.stacks
}

// before reports whether a group should run first, so that the other one waits
// where they meet: the one that is deeper in calls, then the one further behind.
func (g *group) before(h *group) bool {
	if g.stacks.CallDepth != h.stacks.CallDepth {
		return g.stacks.CallDepth > h.stacks.CallDepth
	}
	return g.pc < h.pc
}

// chunk says how a chunk of lanes is run.
type chunk struct {
	code   *Code
	plan   *plan
	entry  int
	budget int
	native bool
}

// run executes the program for the lanes in use until all of them ended. It
// returns the lanes that must be run by the scalar tier, why, and whether it was
// interrupted. Native arithmetic that meets what it cannot do sets m.status.
func (m *laneMachine) run(x *chunk, first *group, watch *watch) (down uint64, why Reason, interrupted bool) {
	m.groups, m.ends = m.groups[:0], m.ends[:0]
	m.together = false
	if m.most != 0 {
		m.most = 0
		clear(m.late[:])
	}
	g := *first
	g.pc, g.mask, g.mova = x.entry, m.all, -2
	m.enter(&g)
	for {
		limit := 512 // instructions that may run before others, and the caller, have their turn
		if len(m.groups) > 0 {
			m.meet(&g)
			limit = min(limit, m.gap(&g))
		}
		before, size := g.steps, bits.OnesCount64(g.mask)
		done, reason := m.advance(x, &g, limit)
		if m.status != 0 {
			return 0, 0, false
		}
		if watch.proceed != nil {
			if watch.left -= (g.steps - before) * size; watch.left <= 0 {
				watch.left = interval
				if !watch.proceed() {
					return 0, 0, true
				}
			}
		}
		if reason != 0 {
			down, why, done = down|g.mask, reason, true
		} else if done {
			m.finish(&g)
		}
		if done {
			if len(m.groups) == 0 {
				return down, why, false
			}
			m.pick(&g)
		}
	}
}

// enter makes a group the one that runs.
func (m *laneMachine) enter(g *group) {
	m.al = g.address[pica.IndexAL]
	m.mask = g.mask
}

// meet joins the group with those that are where it is, and goes on with the one
// that should run first.
func (m *laneMachine) meet(g *group) {
	for k := len(m.groups) - 1; k >= 0; k-- {
		if h := &m.groups[k]; g.joins(h) {
			afterMova := g.mova == g.steps-1
			if more := h.steps - g.steps; more != 0 {
				// The lower count stays; lanes of the other group were late.
				late := h.mask
				if more < 0 {
					more, late = -more, g.mask
					g.steps = h.steps
				}
				for ; late != 0; late &= late - 1 {
					l := bits.TrailingZeros64(late)
					m.late[l] += more
					m.most = max(m.most, m.late[l])
				}
			}
			g.mova = -2
			if afterMova {
				g.mova = g.steps - 1
			}
			g.mask |= h.mask
			m.groups[k] = m.groups[len(m.groups)-1]
			m.groups = m.groups[:len(m.groups)-1]
		}
	}
	best := -1
	for k := range m.groups {
		if m.groups[k].before(g) && (best < 0 || m.groups[k].before(&m.groups[best])) {
			best = k
		}
	}
	if best >= 0 {
		*g, m.groups[best] = m.groups[best], *g
	}
	m.enter(g)
}

// pick goes on with a group when another one is done.
func (m *laneMachine) pick(g *group) {
	*g = m.groups[len(m.groups)-1]
	m.groups = m.groups[:len(m.groups)-1]
	m.meet(g)
}

// gap returns how many instructions a group may run before it is where another
// one waits.
func (m *laneMachine) gap(g *group) int {
	n := pica.MaxCode
	for k := range m.groups {
		if d := m.groups[k].pc - g.pc; d > 0 {
			n = min(n, d)
		}
	}
	return n
}

// finish notes how the lanes of a group ended.
func (m *laneMachine) finish(g *group) {
	if g.mask == m.all && m.most == 0 {
		m.together, m.steps[0] = true, g.steps
		m.ends = append(m.ends, g.control)
		return
	}
	for set := g.mask; set != 0; set &= set - 1 {
		l := bits.TrailingZeros64(set)
		m.end[l] = uint16(len(m.ends))
		m.steps[l] = g.steps + m.late[l]
	}
	m.ends = append(m.ends, g.control)
}

// ended returns how a lane ended.
func (m *laneMachine) ended(l int) (end *control, steps int) {
	if m.together {
		return &m.ends[0], m.steps[0]
	}
	return &m.ends[m.end[l]], m.steps[l]
}

// advance runs a group until it ended (done), cannot go on here (reason), took
// limit instructions, or might meet others.
func (m *laneMachine) advance(x *chunk, g *group, limit int) (done bool, reason Reason) {
	c, p := x.code, x.plan
	alone := len(m.groups) == 0
	for turns := 64; turns > 0; turns-- {
		pc := g.pc
		if uint(pc) >= uint(len(p.row)) {
			return false, ReasonBeyond
		}
		n := min(int(p.row[pc]), limit)
		if g.steps+m.most+max(n, 1) > x.budget {
			return false, ReasonBudget
		}
		if n > 0 {
			m.execute(x, p.records[p.first[pc]:p.first[pc+n]])
			if m.status != 0 {
				return false, 0
			}
			g.steps += n
			g.pc = pc + n
			if last := &c.ops[pc+n-1]; last.flags&flagScopeEnd != 0 {
				g.pc = g.endScopes(pc+n, pc+n, false)
				m.al = g.address[pica.IndexAL]
			}
			if !alone {
				return false, 0
			}
			continue
		}
		o := &c.ops[pc]
		if o.flags&flagsRemark != 0 {
			if o.flags&(flagInputs|flagLog) != 0 || g.mova == g.steps-1 {
				return false, ReasonRemark
			}
			g.mova = g.steps
		}
		after := pc + 1
		next := after
		switch o.op {
		case opNop:
		case opEnd:
			if o.flags&flagScopeEnd != 0 {
				g.endScopes(after, next, false)
			}
			g.steps++
			return true, 0
		case opTrap, opEmit, opVertex:
			return false, ReasonTrap
		case opLoop:
			g.enterLoop(c, o, m.ints[o.arg&3], after)
		case opJump, opIf, opCall, opBreak:
			taken := m.taken(o.when, g.mask)
			if o.op == opBreak && taken != 0 && g.stacks.LoopDepth == 0 && c.profile.Knobs.BreakOutside == pica.BreakOutsideHang {
				return false, ReasonTrap
			}
			if rest := g.mask &^ taken; taken != 0 && rest != 0 {
				other := *g
				other.mask = rest
				other.branch(o, after, false)
				g.mask = taken
				g.branch(o, after, true)
				m.groups = append(m.groups, other)
				m.enter(g)
				return false, 0
			}
			g.branch(o, after, taken != 0)
			m.al = g.address[pica.IndexAL]
			if !alone {
				return false, 0
			}
			continue
		default: // computes, and is remarkable
			m.execute(x, p.records[p.first[pc]:p.first[pc+1]])
			if m.status != 0 {
				return false, 0
			}
		}
		g.steps++
		if o.flags&flagScopeEnd != 0 {
			next = g.endScopes(after, next, false)
		}
		g.pc = next
		m.al = g.address[pica.IndexAL]
		if !alone {
			return false, 0
		}
	}
	return false, 0
}

// branch executes a conditional instruction for a group of which all lanes meet
// the condition, or none.
func (g *group) branch(o *micro, after int, taken bool) {
	next, broke := after, false
	switch {
	case o.op == opJump && taken, o.op == opIf && !taken:
		next = int(o.target)
	case o.op == opIf:
		g.pushIf(pica.IfEntry{Else: o.target, End: o.end})
	case o.op == opCall && taken:
		g.pushCall(pica.CallEntry{End: o.end, Return: uint16(after)})
		next = int(o.target)
	case o.op == opBreak:
		broke = taken
	}
	if o.flags&flagScopeEnd != 0 || broke {
		next = g.endScopes(after, next, broke)
	}
	g.steps++
	g.pc = next
}

// taken returns the lanes of a mask that meet a condition.
func (m *laneMachine) taken(c condition, mask uint64) uint64 {
	if c.uniform != noUniform {
		if uint8(m.bools>>c.uniform)&1 != c.table {
			return mask
		}
		return 0
	}
	x, y := m.cc[0], m.cc[1]
	set := uint64(0)
	if c.table&1 != 0 {
		set |= ^x & ^y
	}
	if c.table&2 != 0 {
		set |= x & ^y
	}
	if c.table&4 != 0 {
		set |= ^x & y
	}
	if c.table&8 != 0 {
		set |= x & y
	}
	return set & mask
}

// execute runs records of consecutive instructions.
func (m *laneMachine) execute(x *chunk, list []record) {
	if x.native {
		m.executeNative(list)
		return
	}
	for k := range list {
		m.exec(&list[k])
	}
}
