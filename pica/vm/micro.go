package vm

import "github.com/picaproof/picaproof/pica"

// The flat register file: four components a register.
const (
	slotInput     = 0   // v0-v15
	slotTemporary = 16  // r0-r15
	slotUniform   = 32  // c0-c95
	slotOnes      = 128 // indices 96 to 127 read it: (1, 1, 1, 1)
	slotOutput    = 160 // o0-o15, the selected bank
	slotOther     = 176 // the other bank of a geometry program
	slotScratch   = 192 // results on their way to a register that is still read
	slotRelative  = 193 // the register that an indexed operand names
	numSlots      = 256

	fileMask = 4*numSlots - 1
)

const one32 = 0x3F800000

// file is the register file, a component at slot*4 + component.
type file [4 * numSlots]uint32

// operation is the operation of a lowered instruction. Below opFlow it is the opcode of
// the plain form of an instruction with operands, and has a kernel.
type operation uint8

const (
	opFlow operation = pica.NumOpcodes + iota
	opNop
	opEnd
	opJump   // to target if the condition holds
	opIf     // push and continue if the condition holds, else to target
	opCall   // push and go to target
	opLoop   // push and continue
	opBreak  // leave the loop
	opEmit   // EMIT
	opVertex // SETEMIT
	opTrap   // the program stops here; arg is the cause
)

// condition says when a flow instruction acts: by a truth table of the flags, indexed
// by cc.x + 2*cc.y, or by a boolean uniform.
type condition struct {
	uniform uint8 // b register, or noUniform
	table   uint8 // of the flags; for a uniform, bit 0 inverts
}

const (
	noUniform = 0xFF
	always    = 0xF
)

// uniformly reports whether a condition is the same for all vertices (alike), and if
// so, whether it holds.
func (c condition) uniformly(bools uint16) (holds, alike bool) {
	if c.uniform == noUniform {
		return true, c.table == always
	}
	return uint8(bools>>c.uniform)&1 != c.table, true
}

// flags mark the extra work of the executor around an operation.
type flags uint8

const (
	flagIndexed  flags = 1 << iota // an operand is relative to an address register
	flagInputs                     // reads two different input registers
	flagMova                       // MOVA: two in a row are a hazard
	flagLog                        // the profile ignores it and logs a message
	flagCopy                       // the result waits in the scratch slot
	flagScopeEnd                   // a scope may end behind this word
	flagsRemark  = flagInputs | flagMova | flagLog
)

// operand is a source: the slots of its components, and the sign bit to flip.
type operand struct {
	at     [4]uint16
	negate uint32
}

// micro is a lowered instruction.
//
// A component-wise operation reads and writes the first n entries of its lists. Other
// operations read entries by component, and write to the first n entries of dest one
// result, or the component of each entry.
type micro struct {
	op    operation
	flags flags
	n     uint8
	arg   uint8 // the destination mask of MOVA; else see loopUniform, emitted, cause and ignored
	when  condition
	index uint8 // address register of the indexed operand
	cmp   [2]uint8
	dest  [4]uint16
	src   [3]operand
	// target and end are addresses of flow instructions. An indexed operand has the
	// number of its c register in target, a waiting result its final slot in end.
	target, end uint16
}

// keepFlag is the operator of a comparison that does not change its flag.
const keepFlag = 8

// loopUniform returns the number of the integer uniform of opLoop.
func (m *micro) loopUniform() uint8 { return m.arg & 3 }

// Bits of arg for opVertex, above the slot number.
const (
	vertexPrimitive = 1 << 2
	vertexInverted  = 1 << 3
)

// emitted returns what opVertex sets for the next EMIT.
func (m *micro) emitted() (slot uint8, primitive, inverted bool) {
	return m.arg & 3, m.arg&vertexPrimitive != 0, m.arg&vertexInverted != 0
}
