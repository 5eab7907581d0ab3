package pica

import "fmt"

// Opcode is the six-bit field at bits 31:26 of an instruction word.
//
// CMP occupies two opcodes because its format gives bit 26 to the first
// comparison; MAD and MADI occupy eight each because theirs gives bits 28:26 to
// the destination. The constants name the lowest of each group; [Opcode.Base]
// maps every alias to it.
type Opcode uint8

// The opcodes. The numbers left out are reserved: what the console does with
// them is unknown.
const (
	ADD     Opcode = 0x00
	DP3     Opcode = 0x01
	DP4     Opcode = 0x02
	DPH     Opcode = 0x03
	DST     Opcode = 0x04
	EX2     Opcode = 0x05
	LG2     Opcode = 0x06
	LITP    Opcode = 0x07
	MUL     Opcode = 0x08
	SGE     Opcode = 0x09
	SLT     Opcode = 0x0A
	FLR     Opcode = 0x0B
	MAX     Opcode = 0x0C
	MIN     Opcode = 0x0D
	RCP     Opcode = 0x0E
	RSQ     Opcode = 0x0F
	MOVA    Opcode = 0x12
	MOV     Opcode = 0x13
	DPHI    Opcode = 0x18
	DSTI    Opcode = 0x19
	SGEI    Opcode = 0x1A
	SLTI    Opcode = 0x1B
	BREAK   Opcode = 0x20
	NOP     Opcode = 0x21
	END     Opcode = 0x22
	BREAKC  Opcode = 0x23
	CALL    Opcode = 0x24
	CALLC   Opcode = 0x25
	CALLU   Opcode = 0x26
	IFU     Opcode = 0x27
	IFC     Opcode = 0x28
	LOOP    Opcode = 0x29
	EMIT    Opcode = 0x2A
	SETEMIT Opcode = 0x2B
	JMPC    Opcode = 0x2C
	JMPU    Opcode = 0x2D
	CMP     Opcode = 0x2E // and 0x2F
	MADI    Opcode = 0x30 // to 0x37
	MAD     Opcode = 0x38 // to 0x3F
)

// NumOpcodes is the number of values of the opcode field, aliases and reserved
// ones included.
const NumOpcodes = 64

// OpcodeInfo is one row of the instruction table.
type OpcodeInfo struct {
	Name    string   // mnemonic in lower case; empty for a reserved opcode
	Base    Opcode   // the lowest opcode of the same instruction
	Format  Format   // where the fields of the word are
	Sources int      // number of source operands read
	Reads   [3]uint8 // mask of component slots each source contributes (bit 3 = x); 0 means those of the destination mask
	Scalar  bool     // one result, broadcast to every enabled component
	Writes  Effect   // what besides pc changes
}

// Effect is a set of the state an instruction writes.
type Effect uint8

// The members of an Effect.
const (
	WritesDest    Effect = 1 << iota // the destination register, under the mask
	WritesAddress                    // a0.x and a0.y
	WritesCC                         // cc.x and cc.y
	WritesFlow                       // pc, the stacks, aL
	WritesEmit                       // the geometry emitter
)

// Opcodes is the instruction table, indexed by the opcode field.
var Opcodes = func() (t [NumOpcodes]OpcodeInfo) {
	const (
		x    = 8
		y    = 4
		w    = 1
		xyz  = 14
		xyzw = 15
	)
	binary := func(f Format, reads uint8, scalar bool) OpcodeInfo {
		return OpcodeInfo{Format: f, Sources: 2, Reads: [3]uint8{reads, reads}, Scalar: scalar, Writes: WritesDest}
	}
	scalar := OpcodeInfo{Format: Format1u, Sources: 1, Reads: [3]uint8{x}, Scalar: true, Writes: WritesDest}
	flow := func(f Format) OpcodeInfo { return OpcodeInfo{Format: f, Writes: WritesFlow} }
	rows := []struct {
		op   Opcode
		name string
		info OpcodeInfo
	}{
		{ADD, "add", binary(Format1, 0, false)},
		{DP3, "dp3", binary(Format1, xyz, true)},
		{DP4, "dp4", binary(Format1, xyzw, true)},
		{DPH, "dph", OpcodeInfo{Format: Format1, Sources: 2, Reads: [3]uint8{xyz, xyzw}, Scalar: true, Writes: WritesDest}},
		{DST, "dst", OpcodeInfo{Format: Format1, Sources: 2, Reads: [3]uint8{y | 2, y | w}, Writes: WritesDest}},
		{EX2, "ex2", scalar},
		{LG2, "lg2", scalar},
		{LITP, "litp", OpcodeInfo{Format: Format1u, Sources: 1, Reads: [3]uint8{x | y | w}, Writes: WritesDest | WritesCC}},
		{MUL, "mul", binary(Format1, 0, false)},
		{SGE, "sge", binary(Format1, 0, false)},
		{SLT, "slt", binary(Format1, 0, false)},
		{FLR, "flr", OpcodeInfo{Format: Format1u, Sources: 1, Writes: WritesDest}},
		{MAX, "max", binary(Format1, 0, false)},
		{MIN, "min", binary(Format1, 0, false)},
		{RCP, "rcp", scalar},
		{RSQ, "rsq", scalar},
		{MOVA, "mova", OpcodeInfo{Format: Format1u, Sources: 1, Reads: [3]uint8{x | y}, Writes: WritesAddress}},
		{MOV, "mov", OpcodeInfo{Format: Format1u, Sources: 1, Writes: WritesDest}},
		{DPHI, "dphi", OpcodeInfo{Format: Format1i, Sources: 2, Reads: [3]uint8{xyz, xyzw}, Scalar: true, Writes: WritesDest}},
		{DSTI, "dsti", OpcodeInfo{Format: Format1i, Sources: 2, Reads: [3]uint8{y | 2, y | w}, Writes: WritesDest}},
		{SGEI, "sgei", binary(Format1i, 0, false)},
		{SLTI, "slti", binary(Format1i, 0, false)},
		{BREAK, "break", flow(Format0)},
		{NOP, "nop", OpcodeInfo{Format: Format0}},
		{END, "end", flow(Format0)},
		{BREAKC, "breakc", flow(Format2)},
		{CALL, "call", flow(Format2)},
		{CALLC, "callc", flow(Format2)},
		{CALLU, "callu", flow(Format3)},
		{IFU, "ifu", flow(Format3)},
		{IFC, "ifc", flow(Format2)},
		{LOOP, "loop", flow(Format3)},
		{EMIT, "emit", OpcodeInfo{Format: Format0, Writes: WritesEmit}},
		{SETEMIT, "setemit", OpcodeInfo{Format: Format4, Writes: WritesEmit}},
		{JMPC, "jmpc", flow(Format2)},
		{JMPU, "jmpu", flow(Format3)},
		{CMP, "cmp", OpcodeInfo{Format: Format1c, Sources: 2, Reads: [3]uint8{x | y, x | y}, Writes: WritesCC}},
		{MADI, "madi", OpcodeInfo{Format: Format5i, Sources: 3, Writes: WritesDest}},
		{MAD, "mad", OpcodeInfo{Format: Format5, Sources: 3, Writes: WritesDest}},
	}
	for _, r := range rows {
		r.info.Name, r.info.Base = r.name, r.op
		for alias := range 1 << r.info.Format.Layout().DestInOpcode {
			t[int(r.op)+alias] = r.info
		}
	}
	for op := range t {
		if t[op].Name == "" {
			t[op].Base = Opcode(op)
		}
	}
	return t
}()

// OpcodeOf returns the opcode field of an instruction word.
func OpcodeOf(word uint32) Opcode { return Opcode(word >> 26) }

// Reserved reports whether no instruction is known for op.
func (op Opcode) Reserved() bool { return op >= NumOpcodes || Opcodes[op].Name == "" }

// Base returns the lowest opcode of the instruction that op belongs to; a
// reserved opcode is its own base.
func (op Opcode) Base() Opcode {
	if op >= NumOpcodes {
		return op
	}
	return Opcodes[op].Base
}

// Layout returns the field positions of the opcode's format; those of a reserved
// opcode are all absent.
func (op Opcode) Layout() *Layout { return Opcodes[op&(NumOpcodes-1)].Format.Layout() }

// String returns the mnemonic, or "reserved(0x10)".
func (op Opcode) String() string {
	if op.Reserved() {
		return fmt.Sprintf("reserved(0x%02x)", uint8(op))
	}
	return Opcodes[op].Name
}
