package conform

import (
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// dependents finds the registers that depend on the results of some instructions, whatever the
// values are. It is not safe for concurrent use.
type dependents struct {
	of     []pica.Opcode
	engine pica.Engine
	out    pica.Outcome

	now     view.Places
	after   []view.Places // after each vertex
	keep    bool
	decided bool // control flow depends on them
}

func newDependents(of []pica.Opcode) *dependents {
	d := &dependents{of: of}
	d.engine = impl.Watched(d)
	return d
}

// places returns the dependent places of each vertex of a job under its profile, valid until the
// next call. ok is false if control flow depends on the results, so that any place may.
func (d *dependents) places(job *pica.Job) (after []view.Places, ok bool) {
	d.after, d.keep, d.decided = d.after[:0], job.Keep, false
	if d.engine.Run(job, &d.out) != nil || d.decided {
		return nil, false
	}
	return append(d.after, d.now)[1:], true // element 0 is the state before the first vertex
}

// Start begins a vertex.
func (d *dependents) Start(*pica.Job, int, *pica.State) {
	d.after = append(d.after, d.now)
	if before := d.now; len(d.after) == 1 || !d.keep {
		d.now = view.Places{Primitives: len(d.after) > 1 && before.Primitives}
	}
}

// Step follows an instruction.
func (d *dependents) Step(s *pica.Step) {
	if s.Skipped || s.Trap.Cause != pica.TrapNone {
		return
	}
	op := pica.OpcodeOf(s.Word).Base()
	info := &pica.Opcodes[op]
	switch {
	case info.Condition == pica.OnFlags:
		d.decided = d.decided || d.now.CC[0] || d.now.CC[1]
	case info.Writes&pica.Emits != 0:
		d.now.Primitives = d.now.Primitives ||
			slices.ContainsFunc(d.now.O[:], func(slots uint8) bool { return slots != 0 })
	case info.Sources > 0:
		d.write(op, s, d.result(op, s))
	}
}

// result returns the dependent components of a result, before the mask.
func (d *dependents) result(op pica.Opcode, s *pica.Step) (slots uint8) {
	info, descriptor := &pica.Opcodes[op], pica.Descriptor(s.Descriptor)
	if slices.Contains(d.of, op) {
		return 15
	}
	for k := range info.Sources {
		var read uint8 // the dependent slots of the operand
		register := d.register(op, s, k)
		for slot := range 4 {
			if register&(8>>descriptor.Selector(k, slot)) != 0 {
				read |= 8 >> slot
			}
		}
		switch {
		case info.Writes&pica.WritesCC != 0 || info.Writes&pica.WritesAddress != 0:
			slots |= read & info.Reads[k]
		case info.Reads[k] == 0:
			slots |= read
		case read&info.Reads[k] != 0:
			slots = 15
		}
	}
	return slots
}

// register returns the dependent components of the register that source k names.
func (d *dependents) register(op pica.Opcode, s *pica.Step, k int) (slots uint8) {
	l := op.Layout()
	n := l.Src[k].Get(s.Word)
	if index := l.Index.Get(s.Word); index != pica.IndexNone && int(l.Indexed) == k {
		if index != pica.IndexAL && d.now.Address[index-pica.IndexA0X] {
			return 15
		}
		if n < pica.SourceUniform { // implementations read different registers
			for _, r := range d.now.R {
				slots |= r
			}
			return slots
		}
	}
	if n >= pica.SourceTemporary && n < pica.SourceUniform {
		return d.now.R[n-pica.SourceTemporary]
	}
	return 0
}

// write records which components of the destination depend.
func (d *dependents) write(op pica.Opcode, s *pica.Step, result uint8) {
	info, mask := &pica.Opcodes[op], pica.Descriptor(s.Descriptor).Mask()
	switch {
	case info.Writes&pica.WritesCC != 0:
		d.now.CC = [2]bool{result&8 != 0, result&4 != 0}
	case info.Writes&pica.WritesAddress != 0:
		for k := range d.now.Address {
			if slot := uint8(8) >> k; mask&slot != 0 {
				d.now.Address[k] = result&slot != 0
			}
		}
	case info.Writes&pica.WritesDest != 0:
		bank, n := &d.now.O, op.Layout().Dest.Get(s.Word)
		if n >= pica.DestTemporary {
			bank, n = &d.now.R, n-pica.DestTemporary
		}
		bank[n] = bank[n]&^mask | result&mask
	}
}
