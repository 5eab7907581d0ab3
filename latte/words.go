package latte

// The words of the text form.

const unusedSelName = "UNUSED_SEL"

var addressNames = [...]string{
	noAddress: "ADDR", clauseAddress: "ADDR", freeAddress: "ADDR", forwardAddress: "ADDR", jumpAddress: "ADDR",
	startAddress: "FAIL_JUMP_ADDR", endAddress: "PASS_JUMP_ADDR", exitAddress: "ADDR", callAddress: "ADDR",
}

var conditions = [4]string{"ACTIVE", "FALSE", "BOOL", "NOT_BOOL"}

// exportNames are the types of exports, exportFirst the numbers that count as 0.
var (
	exportNames = [4]string{"PIX", "POS", "PARAM", "INVALID"}
	exportFirst = [4]int{positionExport: firstPosition}
)

// memoryAccess are the types of memory exports, without the bit that says whether they are indexed.
var memoryAccess = [2]string{"WRITE", "READ"}

const memoryIndexed = 1

// memoryUnit is what the address of a memory export is multiplied with.
func memoryUnit(op *CFOp) uint32 {
	if op.Code == cfScratch || op.Code == cfReduction {
		return 16
	}
	return 4
}

// Lock sets.
const (
	lineRows   = 16
	lockAtLoop = 3
)

// lockedRows is the number of rows that a mode locks.
func lockedRows(mode uint32) uint32 { return min(mode, 2) * lineRows }

// selectNames are the letters of selects.
const selectNames = "xyzw01?_"

// allCoords says that no coordinate is denormal.
const allCoords = 0xF

var (
	outputModifiers = [4]string{"", "*2", "*4", "/2"}
	indexNames      = [8]string{"AR.x", "AR.y", "AR.z", "AR.w", "AL", "IDX5", "IDX6", "IDX7"}
	maskOperations  = [4]string{"", "(BREAK)", "(CONTINUE)", "(KILL)"}
	fetchTypes      = [4]string{"VERTEX_DATA", "INSTANCE_DATA", "NO_INDEX_OFFSET", "3"}
	numberFormats   = [4]string{"NORM", "INT", "SCALED", "3"}
	signs           = [2]string{"UNSIGNED", "SIGNED"}
	clampModes      = [2]string{"CLAMP", "NO_ZERO"}
	endianSwaps     = [4]string{"NONE", "8IN16", "8IN32", "AUTO"}
)

// swizzleNames are the names of bank swizzles of vector units and of t.
var swizzleNames = [2][8]string{
	{"VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210"},
	{"SCL_210", "SCL_122", "SCL_212", "SCL_221"},
}
