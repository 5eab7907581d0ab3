package latte

// Kind is the kind of a clause, 0 for a control-flow word without one.
type Kind uint8

// The kinds of clauses.
const (
	NoClause Kind = iota
	ALUClause
	TextureClause
	VertexClause
	numKinds
)

// form tells the layout of a control-flow word.
type form uint8

const (
	normalForm form = iota
	exportForm
	memoryForm
	aluForm
)

var formLayouts = [...]*Layout{&normalLayout, &exportLayout, &bufferLayout, &cfALULayout}

// addressUse says what the address of a control-flow word means.
type addressUse uint8

const (
	noAddress      addressUse = iota
	clauseAddress             // of the clause
	freeAddress               // printed, but nothing follows it
	forwardAddress            // of a jump that goes forward
	jumpAddress               // of a jump
	startAddress              // behind the end of the loop
	endAddress                // behind the start of the loop
	exitAddress               // the end of the loop
	callAddress               // of a subroutine

	firstTarget = forwardAddress // from here on the address is one of the control flow
)

// stackUse is what a control-flow word does to the stack of masks.
type stackUse struct {
	pops, pushes int8 // pops is countedPops if POP_COUNT tells
}

const countedPops = -1

var (
	keep         = stackUse{}
	push         = stackUse{0, 1}
	popCounted   = stackUse{countedPops, 0}
	popOne       = stackUse{1, 0}
	popTwo       = stackUse{2, 0}
	popAndPush   = stackUse{countedPops, 1}
	neverCounted = keep // POP_COUNT counts only if the word jumps
)

// A CFOp is one opcode of control-flow words.
type CFOp struct {
	Code    uint8 // CF_INST
	Name    string
	form    form
	Clause  Kind
	address addressUse
	stack   stackUse
}

// CFOps lists the opcodes of control-flow words.
var CFOps = []CFOp{
	{0x00, "NOP", normalForm, NoClause, noAddress, keep},
	{0x01, "TEX", normalForm, TextureClause, clauseAddress, keep},
	{0x02, "VTX", normalForm, VertexClause, clauseAddress, keep},
	{0x03, "VTX_TC", normalForm, VertexClause, clauseAddress, keep},
	{0x04, "LOOP_START", normalForm, NoClause, startAddress, keep},
	{0x05, "LOOP_END", normalForm, NoClause, endAddress, keep},
	{0x06, "LOOP_START_DX10", normalForm, NoClause, startAddress, keep},
	{0x07, "LOOP_START_NO_AL", normalForm, NoClause, startAddress, keep},
	{0x08, "LOOP_CONTINUE", normalForm, NoClause, exitAddress, neverCounted},
	{0x09, "LOOP_BREAK", normalForm, NoClause, exitAddress, neverCounted},
	{0x0A, "JUMP", normalForm, NoClause, forwardAddress, neverCounted},
	{0x0B, "PUSH", normalForm, NoClause, freeAddress, push},
	{0x0C, "PUSH_ELSE", normalForm, NoClause, freeAddress, push},
	{0x0D, "ELSE", normalForm, NoClause, forwardAddress, neverCounted},
	{0x0E, "POP", normalForm, NoClause, freeAddress, popCounted},
	{0x0F, "POP_JUMP", normalForm, NoClause, jumpAddress, neverCounted},
	{0x10, "POP_PUSH", normalForm, NoClause, freeAddress, popAndPush},
	{0x11, "POP_PUSH_ELSE", normalForm, NoClause, freeAddress, popAndPush},
	{0x12, "CALL", normalForm, NoClause, callAddress, keep},
	{0x13, "CALL_FS", normalForm, NoClause, noAddress, keep},
	{0x14, "RETURN", normalForm, NoClause, noAddress, keep},
	{0x15, "EMIT_VERTEX", normalForm, NoClause, noAddress, keep},
	{0x16, "EMIT_CUT_VERTEX", normalForm, NoClause, noAddress, keep},
	{0x17, "CUT_VERTEX", normalForm, NoClause, noAddress, keep},
	{0x18, "KILL", normalForm, NoClause, noAddress, keep},
	{0x19, "END_PROGRAM", normalForm, NoClause, noAddress, keep},
	{0x1A, "WAIT_ACK", normalForm, NoClause, freeAddress, keep},
	{0x1B, "TEX_ACK", normalForm, TextureClause, clauseAddress, keep},
	{0x1C, "VTX_ACK", normalForm, VertexClause, clauseAddress, keep},
	{0x1D, "VTX_TC_ACK", normalForm, VertexClause, clauseAddress, keep},
	{0x20, "MEM_STREAM0", memoryForm, NoClause, noAddress, keep},
	{0x21, "MEM_STREAM1", memoryForm, NoClause, noAddress, keep},
	{0x22, "MEM_STREAM2", memoryForm, NoClause, noAddress, keep},
	{0x23, "MEM_STREAM3", memoryForm, NoClause, noAddress, keep},
	{0x24, "MEM_SCRATCH", memoryForm, NoClause, noAddress, keep},
	{0x25, "MEM_REDUCTION", memoryForm, NoClause, noAddress, keep},
	{0x26, "MEM_RING", memoryForm, NoClause, noAddress, keep},
	{0x27, "EXP", exportForm, NoClause, noAddress, keep},
	{0x28, "EXP_DONE", exportForm, NoClause, noAddress, keep},
	{0x3A, "MEM_EXPORT", memoryForm, NoClause, noAddress, keep},
	{8, "ALU", aluForm, ALUClause, clauseAddress, keep},
	{9, "ALU_PUSH_BEFORE", aluForm, ALUClause, clauseAddress, push},
	{10, "ALU_POP_AFTER", aluForm, ALUClause, clauseAddress, popOne},
	{11, "ALU_POP2_AFTER", aluForm, ALUClause, clauseAddress, popTwo},
	{12, "ALU_EXT", aluForm, NoClause, clauseAddress, keep},
	{13, "ALU_CONTINUE", aluForm, ALUClause, clauseAddress, keep},
	{14, "ALU_BREAK", aluForm, ALUClause, clauseAddress, keep},
	{15, "ALU_ELSE_AFTER", aluForm, ALUClause, clauseAddress, keep},
}

// firstALU is the number of CF_INST 0 of the ALU forms, in cfOps.
const firstALU = 0x80

// cfOps are the known opcodes by number.
var cfOps = func() (all [firstALU + 16]*CFOp) {
	for i := range CFOps {
		n := int(CFOps[i].Code)
		if CFOps[i].form == aluForm {
			n += firstALU
		}
		all[n] = &CFOps[i]
	}
	return all
}()

// cfOpOf returns the opcode of a control-flow word, nil if it is unknown.
func cfOpOf(p pair) *CFOp {
	if p>>61&1 != 0 {
		return cfOps[firstALU+cfALUInst.of(p)]
	}
	return cfOps[cfInst.of(p)]
}

// The opcodes that rules speak of. ALU opcodes are written with firstALU.
const (
	cfReturn    = 0x14
	cfScratch   = 0x24
	cfReduction = 0x25
	cfALUExt    = firstALU + 12
)

// number is the number of an opcode in cfOps.
func (o *CFOp) number() int {
	if o.form == aluForm {
		return firstALU + int(o.Code)
	}
	return int(o.Code)
}
