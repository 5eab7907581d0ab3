package latte

// The words of the text form.

const (
	unusedSelName  = "UNUSED_SEL"
	execMaskName   = "UPDATE_EXEC_MASK"
	updatePredName = "UPDATE_PRED"
)

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

var memoryAccess = [4]struct {
	name    string
	indexed bool
}{{"WRITE", false}, {"WRITE", true}, {"READ", false}, {"READ", true}}

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

const (
	lodUnit    = 8
	offsetUnit = 2
)

var (
	outputModifiers = [4]string{"", "*2", "*4", "/2"}
	indexNames      = [8]string{"AR.x", "AR.y", "AR.z", "AR.w", "AL", "IDX5", "IDX6", "IDX7"}
	maskOperations  = [4]string{"", "(BREAK)", "(CONTINUE)", "(KILL)"}
	fetchTypes      = [4]string{"VERTEX_DATA", "INSTANCE_DATA", "NO_INDEX_OFFSET", "3"}
	numberFormats   = [4]string{"NORM", "INT", "SCALED", "3"}
	signs           = [2]string{"UNSIGNED", "SIGNED"}
	clampModes      = [2]string{"CLAMP", "NO_ZERO"}
	megaNames       = [2]string{"MINI", "MEGA"}
	endianSwaps     = [4]string{"NONE", "8IN16", "8IN32", "AUTO"}
)

// swizzleNames are the names of bank swizzles of vector units and of t.
var swizzleNames = [2][8]string{
	{"VEC_012", "VEC_021", "VEC_120", "VEC_102", "VEC_201", "VEC_210"},
	{"SCL_210", "SCL_122", "SCL_212", "SCL_221"},
}
