package pica

// The source register space of a seven-bit field: v0-v15 at 0x00, r0-r15 at
// 0x10, c0-c95 at 0x20. A five-bit field reaches the first two. Destination
// fields hold o0-o15 at 0x00 and r0-r15 at 0x10.
const (
	SourceInput     = 0x00
	SourceTemporary = 0x10
	SourceUniform   = 0x20
	DestOutput      = 0x00
	DestTemporary   = 0x10
)

// Sizes of the register files and of the memories of a shader unit.
const (
	NumInputs      = 16
	NumTemporaries = 16
	NumOutputs     = 16
	NumFloats      = 96 // float uniforms c0-c95
	NumInts        = 4  // integer uniforms i0-i3
	NumBools       = 16 // boolean uniforms b0-b15

	MaxCode        = 4096 // program words (12-bit targets)
	MaxVertexCode  = 512  // words that fit the vertex units
	MaxDescriptors = 128  // 7-bit descriptor number
	MaxMADDescs    = 32   // the descriptor number of MAD and MADI has 5 bits
)

// Depths of the three flow-control stacks. They are rings: a push on a full
// one drops the oldest entry (3dbrew, single observer).
const (
	IfDepth   = 8
	CallDepth = 4
	LoopDepth = 4
)

// Comparison operators of CMP. 6 and 7 are undefined; the notes say "true".
const (
	CmpEQ = iota
	CmpNE
	CmpLT
	CmpLE
	CmpGT
	CmpGE
)

// MirroredCmp maps each operator to the operator with the same result for exchanged operands.
var MirroredCmp = [8]uint8{CmpEQ, CmpNE, CmpGT, CmpGE, CmpLT, CmpLE, 6, 7}

// Condition operators of format 2.
const (
	CondOr = iota
	CondAnd
	CondX
	CondY
)

// Values of the index field.
const (
	IndexNone = iota
	IndexA0X
	IndexA0Y
	IndexAL
)
