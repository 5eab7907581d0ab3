package pica

// The opcodes. Other numbers are reserved: their effect on the console is unknown.
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

// Component slots, as in a destination mask.
const (
	slotX    = 8
	slotY    = 4
	slotZ    = 2
	slotW    = 1
	slotsXYZ = slotX | slotY | slotZ
	allSlots = slotsXYZ | slotW
)

// Number classes that some results never belong to.
var (
	negative    = classes(ClassNegInf, ClassNegNormal, ClassNegSubnormal, ClassNegZero)
	subnormal   = classes(ClassNegSubnormal, ClassPosSubnormal)
	notZeroOne  = negative | subnormal | classes(ClassPosInf, ClassNaN)
	notNearZero = subnormal | classes(ClassNegZero)
)

// instructions are the instructions in the order of their opcodes; inverted forms
// follow.
var instructions = []OpcodeInfo{
	{Base: ADD, Name: "add", Format: Format1, Rounds: RoundsSum, Writes: WritesDest},
	{Base: DP3, Name: "dp3", Format: Format1, Reads: [3]uint8{slotsXYZ, slotsXYZ}, Scalar: true, Writes: WritesDest},
	{Base: DP4, Name: "dp4", Format: Format1, Reads: [3]uint8{allSlots, allSlots}, Scalar: true, Writes: WritesDest},
	{Base: DPH, Name: "dph", Format: Format1, Reads: [3]uint8{slotsXYZ, allSlots}, Scalar: true, Writes: WritesDest},
	{Base: DST, Name: "dst", Aliases: Aliases{Aemstro: "op4"}, Format: Format1, Reads: [3]uint8{slotY | slotZ, slotY | slotW}, Writes: WritesDest},
	{Base: EX2, Name: "ex2", Aliases: Aliases{Default: "exp", Nihstro: "exp"}, Format: Format1u,
		Reads: [3]uint8{slotX}, Scalar: true, Precision: PrecisionExponential, Never: negative, Writes: WritesDest},
	// Even the neighbours of 1 have logarithms far above 2^-62.
	{Base: LG2, Name: "lg2", Aliases: Aliases{Default: "log", Nihstro: "log"}, Format: Format1u,
		Reads: [3]uint8{slotX}, Scalar: true, Precision: PrecisionExponential, Never: notNearZero, Writes: WritesDest},
	{Base: LITP, Name: "litp", Aliases: Aliases{Default: "lit", Nihstro: "lit", Aemstro: "op7"}, Format: Format1u,
		Reads: [3]uint8{slotX | slotY | slotW},
		Never: classes(ClassNegInf, ClassNaN), Writes: WritesDest | WritesCC},
	{Base: MUL, Name: "mul", Format: Format1, Rounds: RoundsProduct, Writes: WritesDest},
	{Base: SGE, Name: "sge", Format: Format1, Truth: true, Never: notZeroOne, Writes: WritesDest},
	{Base: SLT, Name: "slt", Format: Format1, Truth: true, Never: notZeroOne, Writes: WritesDest},
	{Base: FLR, Name: "flr", Format: Format1u, Never: subnormal, Writes: WritesDest},
	{Base: MAX, Name: "max", Format: Format1, Writes: WritesDest},
	{Base: MIN, Name: "min", Format: Format1, Writes: WritesDest},
	{Base: RCP, Name: "rcp", Format: Format1u, Reads: [3]uint8{slotX}, Scalar: true, Precision: PrecisionReciprocal,
		Writes: WritesDest},
	{Base: RSQ, Name: "rsq", Format: Format1u, Reads: [3]uint8{slotX}, Scalar: true, Precision: PrecisionReciprocal,
		Never: negative | classes(ClassPosSubnormal), Writes: WritesDest},
	{Base: MOVA, Name: "mova", Format: Format1u, Reads: [3]uint8{slotX | slotY}, Writes: WritesAddress},
	{Base: MOV, Name: "mov", Format: Format1u, Copies: true, Writes: WritesDest},
	{Base: BREAK, Name: "break", Format: Format0, Flow: FlowBreak},
	{Base: NOP, Name: "nop", Format: Format0},
	{Base: END, Name: "end", Format: Format0, Flow: FlowEnd},
	{Base: BREAKC, Name: "breakc", Format: Format2, Flow: FlowBreak, Condition: OnFlags},
	{Base: CALL, Name: "call", Format: Format2, Flow: FlowCall},
	{Base: CALLC, Name: "callc", Format: Format2, Flow: FlowCall, Condition: OnFlags},
	{Base: CALLU, Name: "callu", Format: Format3, Flow: FlowCall, Condition: OnUniform},
	{Base: IFU, Name: "ifu", Format: Format3, Flow: FlowIf, Condition: OnUniform},
	{Base: IFC, Name: "ifc", Format: Format2, Flow: FlowIf, Condition: OnFlags},
	{Base: LOOP, Name: "loop", Format: Format3, Flow: FlowLoop},
	{Base: EMIT, Name: "emit", Format: Format0, Writes: WritesEmit | Emits},
	{Base: SETEMIT, Name: "setemit", Format: Format4, Writes: WritesEmit},
	{Base: JMPC, Name: "jmpc", Format: Format2, Flow: FlowJump, Condition: OnFlags},
	{Base: JMPU, Name: "jmpu", Format: Format3, Flow: FlowJump, Condition: OnUniformInverse},
	{Base: CMP, Name: "cmp", Format: Format1c, Reads: [3]uint8{slotX | slotY, slotX | slotY}, Writes: WritesCC},
	{Base: MAD, Name: "mad", Format: Format5, Rounds: RoundsProductSum, Writes: WritesDest},
}

// inverted lists the forms in which another source is the wide one.
var inverted = []struct {
	op      Opcode
	name    string
	aliases Aliases
	format  InstructionFormat
	plain   Opcode
}{
	{DPHI, "dphi", Aliases{}, Format1i, DPH},
	{DSTI, "dsti", Aliases{Aemstro: "op19"}, Format1i, DST},
	{SGEI, "sgei", Aliases{}, Format1i, SGE},
	{SLTI, "slti", Aliases{}, Format1i, SLT},
	{MADI, "madi", Aliases{}, Format5i, MAD},
}
