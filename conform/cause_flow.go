package conform

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// controlling names a fault of flow control: the flow rule of the program, the other
// instructions that it needs, and the uniform that decides.
func (s *session) controlling(ctx context.Context, f *finding, kinds []string, uses, computing []use) {
	f.flow(kinds, uses)
	if s.endInside(ctx, f, uses) {
		return
	}
	s.besides(ctx, f, kinds, computing)
	s.loopField(ctx, f, kinds, uses)
	if op, name := s.decider(ctx, f, uses); name != "" {
		if len(kinds) > 1 { // the other kinds are enough
			f.subject = op
		}
		f.subject += " on " + name
		f.trigger = trigger{Registers: []string{name}}
	}
}

// flow names the flow rule of a program: one instruction, a depth of nesting, or a combination
// of kinds.
func (f *finding) flow(kinds []string, uses []use) {
	var names []string
	var nesting featureSet
	for _, kind := range kinds {
		var ops []string
		for _, u := range uses {
			if pica.Opcodes[u.op].Flow.String() == kind {
				ops = append(ops, u.op.String())
				nesting |= u.features & (hasNesting | hasFullStack | hasOverflow)
			}
		}
		slices.Sort(ops)
		if ops = slices.Compact(ops); len(ops) == 1 {
			names = append(names, ops[0])
		} else {
			names = append(names, kind)
		}
	}
	f.opcode, f.trigger = strings.Join(names, " and "), trigger{Flow: names}
	f.subject = f.opcode
	for _, u := range uses { // the reduction keeps such bits and such a target only if they are needed
		kind := pica.Opcodes[u.op].Flow.String()
		if slices.Contains(kinds, kind) && u.features&hasUnused != 0 {
			f.unused(u.op)
			return
		}
		if far := u.features & hasTarget; far != 0 {
			f.opcode, f.subject = kind, kind+", "+far.names()[0]
			f.trigger = trigger{Opcodes: opcodesOf(kind), Features: far.names()}
			return
		}
	}
	switch how := nesting.names(); {
	case len(names) > 1 && nesting&hasFullStack != 0: // the reduction keeps such a depth only if it is needed
		f.subject += ", " + how[0]
		for _, u := range uses {
			if pica.Opcodes[u.op].Flow == pica.FlowBreak && u.features&hasFullStack != 0 {
				f.trigger = trigger{Opcodes: []string{u.op.String()}, Features: how}
			}
		}
	case len(names) > 1:
	case flowCount(uses) == 1:
		f.trigger = trigger{Opcodes: names}
	case len(how) > 0:
		f.subject += ", " + how[0]
		f.trigger = trigger{Opcodes: opcodesOf(names[0]), Features: how}
	default:
		f.subject = "several " + names[0]
	}
}

// endInside names a fault caused by an END inside a scope: the program runs well if a NOP, at
// which procedures end, replaces the END, and an END is added behind all other words. A scope
// opened by a condition proves nothing: without the END, a wrong decision may not show. A full
// stack proves nothing either, because the reduction keeps it only if it is needed.
func (s *session) endInside(ctx context.Context, f *finding, uses []use) bool {
	n := slices.IndexFunc(uses, func(u use) bool {
		return u.features&hasEndInside != 0 && pica.Opcodes[u.op].Condition == pica.Always
	})
	full := slices.ContainsFunc(uses, func(u use) bool { return u.features&hasFullStack != 0 })
	if n < 0 || full || f.outcome == Hang || len(f.job.Code) >= pica.MaxCode {
		return false
	}
	c := reduce.Clone(f.job)
	for _, end := range uses {
		if pica.Opcodes[end.op].Flow != pica.FlowEnd || end.pc >= len(c.Code) {
			continue
		}
		c.Code[end.pc] = nop
		for _, u := range uses {
			l := u.op.Layout()
			if u.features&hasEndInside == 0 || pica.Opcodes[u.op].Flow != pica.FlowCall || u.pc >= len(c.Code) {
				continue
			}
			if length := end.pc + 1 - int(l.Dst.Get(c.Code[u.pc])); length > 0 && length < 1<<l.Num.Width {
				c.Code[u.pc] = l.Num.Put(c.Code[u.pc], uint32(length))
			}
		}
	}
	c.Code = append(c.Code, uint32(pica.END)<<26)
	if !s.newJudge(ctx).heals(f, c) {
		return false
	}
	kind := pica.Opcodes[uses[n].op].Flow.String()
	f.opcode, f.subject = kind, kind+", "+hasEndInside.names()[0]
	f.trigger = trigger{Opcodes: opcodesOf(kind), Features: hasEndInside.names()}
	return true
}

// besides adds the instructions without which flow control neither crashes nor hangs.
func (s *session) besides(ctx context.Context, f *finding, kinds []string, computing []use) {
	if f.outcome == Differ {
		return
	}
	needed := slices.Clone(kinds)
	for _, u := range computing {
		name := u.op.String()
		if u.pc >= len(f.job.Code) || pica.Opcodes[u.op].Writes&pica.WritesDest == 0 || slices.Contains(needed, name) {
			continue
		}
		c := reduce.Clone(f.job)
		c.Code[u.pc] = nop
		if s.newJudge(ctx).heals(f, c) {
			f.subject += " and " + name
			f.opcode += " and " + name
			needed = append(needed, name)
			f.trigger = trigger{Flow: needed}
		}
	}
}

// decider names the boolean or integer uniform that flow control depends on, and the instruction
// that reads it, if the program runs well with another uniform in its place.
func (s *session) decider(ctx context.Context, f *finding, uses []use) (op, name string) {
	for _, u := range uses {
		l := u.op.Layout()
		// without b15, which is set when a geometry program starts
		file, all, field := "b", uint32(pica.NumBools-1), l.Bool
		if l.Int.Width > 0 {
			file, all, field = "i", pica.NumInts, l.Int
		}
		if field.Width == 0 || u.pc >= len(f.job.Code) {
			continue
		}
		n := field.Get(f.job.Code[u.pc])
		for _, other := range []uint32{(n + 3) % all, (n + 8) % all} {
			c := reduce.Clone(f.job)
			for _, v := range uses {
				if its := v.op.Layout(); v.pc < len(c.Code) && (its.Bool == field || its.Int == field) &&
					field.Get(f.job.Code[v.pc]) == n {
					c.Code[v.pc] = field.Put(c.Code[v.pc], other)
				}
			}
			if file == "i" {
				c.Ints[other] = c.Ints[n]
			} else {
				c.Bools = c.Bools&^(1<<other) | c.Bools>>n&1<<other
			}
			if other != n && s.newJudge(ctx).heals(f, c) {
				return u.op.String(), fmt.Sprint(file, n)
			}
		}
	}
	return "", ""
}

// loopField extends the name by the field of a LOOP (count, start or step) and the value from
// which the LOOP goes wrong, unless the value is small. It adds the value, or several passes, to
// the trigger.
func (s *session) loopField(ctx context.Context, f *finding, kinds []string, uses []use) {
	if f.outcome != Differ || len(kinds) > 1 {
		return
	}
	const small = 3
	j := s.newJudge(ctx)
	for _, u := range uses {
		if pica.Opcodes[u.op].Flow != pica.FlowLoop || u.pc >= len(f.job.Code) {
			continue
		}
		n := u.op.Layout().Int.Get(f.job.Code[u.pc]) % pica.NumInts
		for k, name := range loopFields {
			value := int(f.job.Ints[n][k])
			least := sort.Search(value, func(x int) bool {
				c := reduce.Clone(f.job)
				c.Ints[n][k] = uint8(x)
				return j.ask(c, false) == f.outcome
			})
			if k == 0 && least > 0 && len(f.trigger.Opcodes) > 0 {
				f.trigger.Features = append(f.trigger.Features, hasPasses.names()...)
			}
			if least > small {
				f.subject += fmt.Sprintf(", %s above %d", name, least-1)
				f.trigger.LoopField, f.trigger.Above = name, least-1
				return
			}
		}
	}
}

// opcodesOf lists the instructions of a kind of flow control, or the instruction of that name.
func opcodesOf(name string) (list []string) {
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Flow.String() == name }) {
		list = append(list, op.String())
	}
	if len(list) == 0 {
		list = []string{name}
	}
	return list
}

// flowCount counts the words with a flow instruction that is executed.
func flowCount(uses []use) (n int) {
	for _, u := range uses {
		if k := pica.Opcodes[u.op].Flow; k != pica.FlowNone && k != pica.FlowEnd {
			n++
		}
	}
	return n
}
