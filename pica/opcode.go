package pica

import "fmt"

// Opcode is the six-bit field at bits 31:26 of an instruction word.
//
// CMP occupies two opcodes because its format gives bit 26 to the first
// comparison; MAD and MADI occupy eight each because theirs gives bits 28:26 to
// the destination. The constants name the lowest of each group; [Opcode.Base]
// maps every alias to it.
type Opcode uint8

// NumOpcodes is the number of values of the opcode field, aliases and reserved
// ones included.
const NumOpcodes = 64

// OpcodeOf returns the opcode field of an instruction word.
func OpcodeOf(word uint32) Opcode { return Opcode(word >> 26) }

// Reserved reports whether no instruction is known for op.
func (op Opcode) Reserved() bool { return op >= NumOpcodes || Opcodes[op].Name == "" }

// OpcodeNamed returns the table entry of the instruction with a mnemonic, or the zero
// OpcodeInfo.
func OpcodeNamed(name string) OpcodeInfo {
	for op := range Opcodes {
		if i := &Opcodes[op]; i.Name == name {
			return *i
		}
	}
	return OpcodeInfo{}
}

// HasOperands reports whether the word holds more than the opcode. A reserved opcode counts
// as one with operands, which nobody knows.
func (op Opcode) HasOperands() bool { return op.Reserved() || Opcodes[op].Format != Format0 }

// Base returns the lowest opcode of the instruction that op belongs to; a
// reserved opcode is its own base.
func (op Opcode) Base() Opcode {
	if op >= NumOpcodes {
		return op
	}
	return Opcodes[op].Base
}

// Layout returns the fields of the instruction. Of the two uniform fields of
// format 3, LOOP has the integer one, all others have the boolean one. A reserved
// opcode has no field.
func (op Opcode) Layout() *Layout { return &Opcodes[op&(NumOpcodes-1)].Layout }

// String returns the mnemonic, or "reserved(0x10)".
func (op Opcode) String() string {
	if op.Reserved() {
		return fmt.Sprintf("reserved(0x%02x)", uint8(op))
	}
	return Opcodes[op].Name
}
