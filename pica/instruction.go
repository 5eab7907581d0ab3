package pica

import "fmt"

// OpcodeInfo describes an instruction; [Opcodes] holds one for each value of the
// opcode field.
type OpcodeInfo struct {
	Name    string  // mnemonic in lower case; empty for a reserved opcode
	Aliases Aliases // its names in assembly languages, where they are not Name
	Base    Opcode  // the lowest opcode of the instruction
	Plain   Opcode  // an inverted form's plain form, which computes the same; otherwise Base
	Format  InstructionFormat
	Layout  Layout // the fields of the word; see [Opcode.Layout]
	Unread  uint32 // bits of the word that no known reader interprets

	// Instructions with operands:
	Sources int      // number of source operands
	Reads   [3]uint8 // component slots read of a source (bit 3 = x); 0: the slots of the destination mask
	Scalar  bool     // one result, broadcast to every enabled component
	Copies  bool     // the result is the operand, bit for bit
	Truth   bool     // the result is 0 or 1
	Rounds  Rounds   // which intermediate results are rounded
	Never   ClassSet // number classes that the result never belongs to
	// Precision names the knob that says how exact the result is.
	Precision Precision

	// Flow control:
	Flow      Flow
	Condition Condition

	Writes Effect // the state that changes besides pc
}

// Effect is a set of the state an instruction writes.
type Effect uint8

// The members of an Effect.
const (
	WritesDest    Effect = 1 << iota // the destination register, under the mask
	WritesAddress                    // a0.x and a0.y, under the mask
	WritesCC                         // cc.x and cc.y
	WritesFlow                       // pc, the stacks, aL
	WritesEmit                       // the geometry emitter
	Emits                            // the geometry emitter, and a vertex leaves the shader unit
)

// Rounds says which results of an instruction are rounded sums and products of
// its operands, component by component. Other arithmetic has RoundsOther.
type Rounds uint8

// The values of Rounds.
const (
	RoundsOther      Rounds = iota
	RoundsSum               // a + b
	RoundsProduct           // a * b
	RoundsProductSum        // a * b, then + c
)

// Precision is the knob of [Knobs] that says how exact a result is. Nobody knows how exact
// the console's is.
type Precision uint8

// The values of Precision.
const (
	PrecisionExact       Precision = iota // no knob: every correctly rounded result is the same
	PrecisionReciprocal                   // Knobs.Reciprocal
	PrecisionExponential                  // Knobs.Exponential
)

// Flow says what a flow instruction does when its condition holds.
type Flow uint8

// The values of Flow. Target and length are the fields Dst and Num.
const (
	FlowNone  Flow = iota // goes on at the next word
	FlowJump              // goes to the target
	FlowIf                // pushes an IF entry; target and length are the else part; goes to the target if false
	FlowCall              // pushes a CALL entry that ends behind target and length; goes to the target
	FlowLoop              // pushes a LOOP entry; the target is the last word of the body
	FlowBreak             // closes the innermost LOOP entry
	FlowEnd               // ends the run
	NumFlows
)

// String names the kind of flow control: "if" of IFC and IFU.
func (f Flow) String() string {
	if f < NumFlows {
		return flowNames[f]
	}
	return fmt.Sprintf("Flow(%d)", uint8(f))
}

var flowNames = [NumFlows]string{"none", "jump", "if", "call", "loop", "break", "end"}

// HasTarget reports whether the instruction reads its target.
func (f Flow) HasTarget() bool { return f >= FlowJump && f <= FlowLoop }

// HasLength reports whether the instruction reads the length at its target.
func (f Flow) HasLength() bool { return f == FlowIf || f == FlowCall }

// Condition says what decides whether a flow instruction acts.
type Condition uint8

// The values of Condition.
const (
	Always           Condition = iota
	OnFlags                    // cc.x and cc.y, by CondOp, RefX and RefY
	OnUniform                  // a boolean uniform
	OnUniformInverse           // a boolean uniform; bit 0 of Num inverts the test
)

// ClassSet is a set of number classes, a bit for each.
type ClassSet uint16

// classes returns the set of some classes.
func classes(list ...NumberClass) (s ClassSet) {
	for _, c := range list {
		s |= 1 << c
	}
	return s
}

// Has reports whether c is in the set.
func (s ClassSet) Has(c NumberClass) bool { return s>>c&1 != 0 }

// Opcodes is the instruction table, indexed by the opcode field: an alias has the
// row of its base.
var Opcodes = func() (t [NumOpcodes]OpcodeInfo) {
	for op := range t {
		t[op] = OpcodeInfo{Base: Opcode(op), Plain: Opcode(op), Layout: layouts[Format0], Unread: ^opcodeField.Mask()}
	}
	enter := func(row OpcodeInfo) {
		row.complete()
		for alias := range 1 << row.Layout.DestInOpcode {
			t[int(row.Base)+alias] = row
		}
	}
	for _, row := range instructions {
		row.Plain = row.Base
		enter(row)
	}
	for _, form := range inverted {
		row := t[form.plain]
		row.Base, row.Name, row.Aliases, row.Format = form.op, form.name, form.aliases, form.format
		enter(row)
	}
	return t
}()

// complete fills in what follows from the other fields of a row.
func (i *OpcodeInfo) complete() {
	i.Layout = layouts[i.Format]
	l := &i.Layout
	if i.Flow == FlowLoop {
		l.Bool = Field{}
	} else {
		l.Int = Field{}
	}
	i.Sources = 0
	for _, f := range l.Src {
		if f.Width != 0 {
			i.Sources++
		}
	}
	if i.Flow != FlowNone {
		i.Writes |= WritesFlow
	}
	read := Field{Lo: opcodeField.Lo + l.DestInOpcode, Width: opcodeField.Width - l.DestInOpcode}.Mask()
	for _, f := range [...]Field{l.Desc, l.Src[0], l.Src[1], l.Src[2], l.Index, l.CmpX, l.CmpY, l.Int, l.Winding,
		l.Primitive, l.Vertex} {
		read |= f.Mask()
	}
	if i.Writes&WritesDest != 0 {
		read |= l.Dest.Mask()
	}
	if i.Flow.HasTarget() {
		read |= l.Dst.Mask()
	}
	if i.Flow.HasLength() {
		read |= l.Num.Mask()
	}
	switch i.Condition {
	case OnFlags:
		read |= l.CondOp.Mask() | l.RefX.Mask() | l.RefY.Mask()
	case OnUniform:
		read |= l.Bool.Mask()
	case OnUniformInverse:
		read |= l.Bool.Mask() | InverseBit.Mask()
	}
	i.Unread = ^read
}

// opcodeField is the whole opcode field; some formats lend its low bits to
// another field.
var opcodeField = Field{Lo: 26, Width: 6}

// InverseBit is the bit of Num that inverts the test of JMPU.
var InverseBit = Field{Lo: 0, Width: 1}

// OpcodesWhere returns the base opcodes of the instructions for which a predicate
// is true, in ascending order.
func OpcodesWhere(holds func(i *OpcodeInfo) bool) (ops []Opcode) {
	for op := range Opcode(NumOpcodes) {
		if !op.Reserved() && op.Base() == op && holds(&Opcodes[op]) {
			ops = append(ops, op)
		}
	}
	return ops
}
