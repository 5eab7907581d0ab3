package vm

import "github.com/picaproof/picaproof/pica"

// The batch and native tiers run many vertices side by side. A vertex is a lane; a
// laneVec is one component of one register in all lanes.

// laneCount is the number of vertices that run together: a bit each in a mask.
const laneCount = 64

type laneVec [laneCount]uint32

// Registers of the lane file, four laneVecs each. v, r and o come first, numbered
// as in the register file of the scalar tier; constants are not in it.
const (
	laneOutput   = 32 // o0-o15
	laneScratch  = 48 // results on their way to a register that is still read
	laneRelative = 49 // the register that a relative address names
	laneNegated  = 50 // operands with their sign flipped, two registers
	laneSpread   = 52 // constants, in every lane, two registers
	laneSlots    = 54
)

// Rows of the constants: the c registers, the ones behind them, and two more.
const (
	rowLiteral = 128 // 0, 1, -1
	rowBound   = 129 // the bounds of LITP
	numRows    = 130

	rowLoop = numRows // the row of an address relative to aL, before aL is known
)

// Components of the literals in the rows.
const (
	literalZero = 4*rowLiteral + iota
	literalOne
	literalMinusOne
	_
	literalLow
	literalHigh
)

// laneOp is a lane operation. Operands are single components.
type laneOp uint8

const (
	laneMov laneOp = iota
	laneNeg        // flips signs
	laneAdd
	laneMul
	laneMad
	laneMax
	laneMin
	laneSge
	laneSlt
	laneFlr
	laneRcp
	laneRsq
	laneEx2
	laneLg2
	laneDot3   // of operands 0 to 2 and 4 to 6
	laneDot4   // of operands 0 to 3 and 4 to 7
	laneCmp    // to condition flag arg&1, by the relations arg>>4
	laneMova   // to address register arg
	laneFetch  // four components of the row base + address register arg of each lane
	laneSelect // select the mask src[0] for the next records; if it is empty, skip src[1] of them
	laneSplit  // split the mask src[0]: src[1] where the condition src[4:] holds, src[2] elsewhere
	laneJoin   // join the masks src[0] and src[1] to src[2]
	laneEnd    // the last record of a tape
	numLaneOps
	laneALRow = numLaneOps // rowLoop is the row base + aL from here on; in a tape it is replaced
)

// record is a lane operation with its operands as byte offsets: of lane vectors
// from the lane file, of constants from the first row. The native tier reads
// records, so their layout is known to its generator.
type record struct {
	full, masked uintptr // its native code, for all lanes and for lanes under the mask
	src          [8]uint32
	dst          uint32
	negate       uint32 // mask that flips the sign of the constant operand
	base         uint32 // row of a relative address
	op           laneOp
	konst        uint8 // 1 + the operand that is a constant (all four of a dot product); 0 for none
	arg          uint8
	negated      uint8 // 1 + the other operand with a flipped sign; 0 for none
}

// laneMachine runs up to laneCount vertices. The native tier depends on the order of
// the fields before groups.
type laneMachine struct {
	file       [4 * laneSlots]laneVec
	expand     laneVec    // memory of native code: the mask, in the sign of a lane that takes part
	address    [3]laneVec // by index field: unused, a0.x, a0.y
	rows       [numRows]pica.Vec4
	cc         [2]uint64 // bit masks: cc.x, cc.y
	_          uint32
	status     uint32 // exception flags of native arithmetic
	mask       uint64 // lanes that records change
	bytes      uint64 // of a lane vector in use
	mxcsr      uint32 // while native code runs; before, and after
	_          uint32
	mxcsrAfter uint32
	_          uint32
	bits       uint64           // memory of native comparisons
	whole      uint64           // the mask of all lanes in use, for which native code uses unmasked handlers
	masks      [maxMasks]uint64 // of the tape that runs

	all      uint64 // mask of the lanes in use
	score    score
	groups   []group
	together bool // all lanes ended in one group: ends[0], after steps[0]
	ends     []control
	end      [laneCount]uint16 // by lane: index in ends
	steps    [laneCount]int
	late     [laneCount]int  // by lane: steps more than its group has counted
	lost     [NumReasons]int // handed down, by reason

	model model
	n     int        // number of lanes in use
	spare [3]laneVec // operands that are constant or negated
}

// ignoreWhole is 0. A test sets it to all ones: then a mask of fewer than laneCount
// lanes is never the mask of all lanes, and native code runs its handlers for masked
// lanes throughout.
var ignoreWhole uint64

func offset(slot, component int) uint32 { return uint32(4*slot+component) * laneCount * 4 }

// lane returns the lane vector at an offset.
func (m *laneMachine) lane(offset uint32) *laneVec {
	return &m.file[offset/(4*laneCount)%(4*laneSlots)]
}

// konst returns the constant at an offset.
func (m *laneMachine) konst(offset uint32) *uint32 {
	return &m.rows[offset/16%numRows][offset/4%4]
}

// constant reports whether source n is a constant.
func (r *record) constant(n int) bool {
	if r.op == laneDot3 || r.op == laneDot4 {
		return r.konst != 0 && n < 4
	}
	return r.konst == uint8(n+1)
}
