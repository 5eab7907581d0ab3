package vm

import "math/bits"

// A group is a set of lanes at one spot. Within a tape, the lanes of a group may take
// different paths. At its end, lanes at different spots are separate groups until
// they meet again.
type group struct {
	spot        int32
	mask        uint64
	steps, most int // least and greatest number of instructions that a lane has executed
}

// chunk says how to run a chunk of lanes.
type chunk struct {
	code   *Code
	budget int
	native bool
	counts bool // traps and instruction counts are wanted
}

// run executes the program for the lanes in use until all of them ended. It returns
// the lanes that only the scalar tier can run, counted by reason in m.lost, and
// whether it was interrupted. If native arithmetic meets a number that it cannot
// handle, it sets m.status.
func (m *laneMachine) run(x *chunk, watch *watch) (down uint64, interrupted bool) {
	m.groups, m.ends = m.groups[:0], m.ends[:0]
	m.lost = [NumReasons]int{}
	m.together = false
	if x.counts {
		clear(m.late[:])
	}
	g := group{mask: m.all}
	for {
		m.makeRoom(&g)
		t := m.score.write(x.code, g.spot)
		if g.most+t.most > x.budget {
			down |= m.handDown(g.mask, ReasonBudget)
		} else {
			m.mask, m.masks[0] = g.mask, g.mask
			m.play(x, m.score.records[t.first:t.end])
			if m.status != 0 {
				return 0, false
			}
			if watch.proceed != nil {
				if watch.left -= t.most * bits.OnesCount64(g.mask); watch.left <= 0 {
					watch.left = interval
					if !watch.proceed() {
						return 0, true
					}
				}
			}
			down |= m.leave(x, &g, t)
		}
		if len(m.groups) == 0 {
			return down, false
		}
		m.pick(x, &g)
	}
}

// handDown counts lanes that only the scalar tier can continue, and returns them.
func (m *laneMachine) handDown(mask uint64, why Reason) uint64 {
	m.lost[why] += bits.OnesCount64(mask)
	return mask
}

// leave makes groups of the lanes that left a tape. It returns the lanes that only the
// scalar tier can continue.
func (m *laneMachine) leave(x *chunk, g *group, t *tape) (down uint64) {
	if x.counts {
		for _, d := range m.score.delays[t.firstDelay:t.endDelay] {
			m.delay(m.masks[d.mask], d.steps)
		}
	}
	for _, e := range m.score.exits[t.firstExit:t.endExit] {
		h := group{e.spot, m.masks[e.mask], g.steps + e.steps, g.most + e.most}
		switch {
		case h.mask == 0:
		case e.reason != 0:
			down |= m.handDown(h.mask, e.reason)
		case !e.ended:
			m.groups = append(m.groups, h)
		case x.counts:
			m.finish(&h)
		}
	}
	return down
}

// delay notes that lanes executed more instructions than their group counted.
func (m *laneMachine) delay(mask uint64, steps int) {
	for ; mask != 0; mask &= mask - 1 {
		m.late[bits.TrailingZeros64(mask)] += steps
	}
}

// pick takes the group that should run first, joined with the groups at its spot.
func (m *laneMachine) pick(x *chunk, g *group) {
	list := m.groups
	best := 0
	for k := range list {
		if m.score.before(list[k].spot, list[best].spot) {
			best = k
		}
	}
	*g = list[best]
	m.groups = append(list[:best], list[best+1:]...)
	for k := len(m.groups) - 1; k >= 0; k-- {
		h := m.groups[k]
		if h.spot != g.spot {
			continue
		}
		if x.counts {
			if h.steps > g.steps {
				m.delay(h.mask, h.steps-g.steps)
			} else {
				m.delay(g.mask, g.steps-h.steps)
			}
		}
		g.mask |= h.mask
		g.steps, g.most = min(g.steps, h.steps), max(g.most, h.most)
		m.groups = append(m.groups[:k], m.groups[k+1:]...)
	}
}

// makeRoom forgets spots and tapes when there are many; it keeps the spots of groups.
func (m *laneMachine) makeRoom(g *group) {
	s := &m.score
	if len(s.records) < maxTaped && len(s.spots) < maxSpots {
		return
	}
	s.saved = append(s.saved[:0], s.spots[g.spot])
	for k := range m.groups {
		s.saved = append(s.saved, s.spots[m.groups[k].spot])
	}
	s.forget()
	for k := range s.saved {
		p := &s.saved[k]
		at := &g.spot
		if k > 0 {
			at = &m.groups[k-1].spot
		}
		*at = s.spot(&p.control, p.pc, p.mova)
	}
}

// finish records how the lanes of a group ended.
func (m *laneMachine) finish(g *group) {
	end := m.score.spots[g.spot].control
	if g.mask == m.all && g.most == g.steps {
		m.together, m.steps[0] = true, g.steps
		m.ends = append(m.ends, end)
		return
	}
	for set := g.mask; set != 0; set &= set - 1 {
		l := bits.TrailingZeros64(set)
		m.end[l] = uint16(len(m.ends))
		m.steps[l] = g.steps + m.late[l]
	}
	m.ends = append(m.ends, end)
}

// ended returns how a lane ended.
func (m *laneMachine) ended(l int) (end *control, steps int) {
	if m.together {
		return &m.ends[0], m.steps[0]
	}
	return &m.ends[m.end[l]], m.steps[l]
}

// play runs the records of a tape.
func (m *laneMachine) play(x *chunk, list []record) {
	if x.native {
		m.playNative(list)
		return
	}
	for k := 0; k < len(list); k++ {
		switch r := &list[k]; r.op {
		case laneSelect:
			if m.mask = m.masks[r.src[0]%maxMasks]; m.mask == 0 {
				k += int(r.src[1])
			}
		case laneSplit:
			m.split(r)
		case laneJoin:
			m.masks[r.src[2]%maxMasks] = m.masks[r.src[0]%maxMasks] | m.masks[r.src[1]%maxMasks]
		case laneEnd:
			return
		default:
			m.exec(r)
		}
	}
}

// split parts a mask by the condition flags.
func (m *laneMachine) split(r *record) {
	x, y := m.cc[0], m.cc[1]
	set := uint64(0)
	for k, lanes := range [4]uint64{^x & ^y, x & ^y, ^x & y, x & y} {
		if r.src[4+k] != 0 {
			set |= lanes
		}
	}
	mask := m.masks[r.src[0]%maxMasks]
	m.masks[r.src[1]%maxMasks], m.masks[r.src[2]%maxMasks] = mask&set, mask&^set
}
