package vm

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/picaproof/picaproof/pica"
)

//go:generate go -C ../../tools run ./vmasm -out ../pica/vm/native_amd64.s

// haveNative reports whether the processor has the instructions of the native tier.
var haveNative = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// runNative executes the records from first up to one of operation laneEnd.
//
//go:noescape
func runNative(first *record, m *laneMachine)

//go:noescape
func nativeHandlers(table *uintptr)

//go:noescape
func loadRows24(to *[4]laneVec, from *pica.Vec4, stride, count uintptr) uint32

//go:noescape
func loadRows32(to *[4]laneVec, from *pica.Vec4, stride, count uintptr) uint32

//go:noescape
func storeRows(to *pica.Vec4, from *[4]laneVec, stride, count uintptr)

// nativeForms is the number of forms of an operation in the handler table.
const nativeForms = 16

// handlerTable has the addresses of the handlers by model, operation, form and
// whether lanes are masked. The form says which operand is constant and which is
// negated; for a comparison it is the relation.
var handlerTable = sync.OnceValue(func() *[int(numModels) * int(numLaneOps) * nativeForms * 2]uintptr {
	t := new([int(numModels) * int(numLaneOps) * nativeForms * 2]uintptr)
	nativeHandlers(&t[0])
	return t
})

// nativeRelations numbers the relations of comparisons.
var nativeRelations = [16]int{0b0010: 0, 0b1101: 1, 0b0001: 2, 0b0011: 3, 0b0100: 4, 0b0110: 5, 0b1111: 6}

// bind stores the handlers of a record. It reports whether there are any.
func (r *record) bind(m model) bool {
	if !haveNative {
		return false
	}
	form := int(r.konst) | int(r.negated)<<2
	if r.op == laneCmp {
		form += 2 * nativeRelations[r.arg>>4]
	}
	entry := handlerTable()[((int(m)*int(numLaneOps)+int(r.op))*nativeForms+form)*2:]
	r.full, r.masked = entry[0], entry[1]
	return r.full != 0
}

// Offsets that native code depends on.
var (
	_ = [1]struct{}{}[unsafe.Sizeof(record{})-64]
	_ = [1]struct{}{}[unsafe.Offsetof(record{}.src)-16]
	_ = [1]struct{}{}[unsafe.Offsetof(record{}.dst)-48]
	_ = [1]struct{}{}[unsafe.Offsetof(record{}.arg)-62]
	_ = [1]struct{}{}[unsafe.Offsetof(laneMachine{}.expand)-4*54*256]
	_ = [1]struct{}{}[unsafe.Offsetof(laneMachine{}.rows)-4*55*256]
	_ = [1]struct{}{}[unsafe.Offsetof(laneMachine{}.cc)-4*55*256-16*130]
	_ = [1]struct{}{}[unsafe.Offsetof(laneMachine{}.bits)-unsafe.Offsetof(laneMachine{}.cc)-56]
	_ = [1]struct{}{}[unsafe.Offsetof(laneMachine{}.masks)-unsafe.Offsetof(laneMachine{}.bits)-16]
)

// Flags of MXCSR. All exceptions are masked. The flags of inexact results, small
// results and subnormal operands are set beforehand: nothing reads them, and raising
// them costs time.
const (
	mxInvalid  = 1 << 0
	mxZero     = 1 << 2
	mxOverflow = 1 << 3
	mxMasked   = 0x1F80 | 1<<1 | 1<<4 | 1<<5
	mxTruncate = 3 << 13
	mxFlush    = 1 << 15
)

// nativeControl is MXCSR for each model, and the exception flags after which the
// results must not be used.
var nativeControl = [numModels]struct{ set, watch uint32 }{
	nearest:    {mxMasked | mxTruncate | mxFlush, mxInvalid | mxZero | mxOverflow},
	truncating: {mxMasked | mxTruncate | mxFlush, mxInvalid | mxZero | mxOverflow},
	single:     {mxMasked, mxInvalid},
}

// playNative runs the records of a tape. If m.status is not 0 afterwards, the results
// must not be used.
func (m *laneMachine) playNative(list []record) {
	c := &nativeControl[m.model]
	m.mxcsr = c.set
	runNative(&list[0], m)
	m.status |= m.mxcsrAfter & c.watch
}

// loadRowsNative loads as many rows as native code can, and reports how many and
// whether all numbers are plain. Rows of one register are stride rows apart.
func (m *laneMachine) loadRowsNative(to *[4]laneVec, rows []pica.Vec4, stride, n int) (loaded int, plain bool) {
	if n = n &^ 7; n == 0 || !haveNative {
		return 0, true
	}
	load := loadRows24
	if m.model == single {
		load = loadRows32
	}
	return n, load(to, &rows[0], uintptr(stride)*16, uintptr(n)) == 0
}

// storeRowsNative stores as many rows as native code can, and reports how many.
func storeRowsNative(rows []pica.Vec4, from *[4]laneVec, stride, n int) (stored int) {
	if n = n &^ 7; n == 0 || !haveNative {
		return 0
	}
	storeRows(&rows[0], from, uintptr(stride)*16, uintptr(n))
	return n
}
