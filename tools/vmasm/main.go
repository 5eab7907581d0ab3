// Vmasm writes the native tier of pica/vm: AVX2 code for every lane operation, in every
// numeric model, for all lanes and for lanes under a mask.
//
// A handler computes one record for all lanes and jumps to the handler of the next one. SI is
// the record, R8 the end of the records, DI the laneMachine; DX runs from DI to CX over the
// lanes. Y10 to Y15 are constants. MXCSR is set for the model; its flags tell afterwards
// whether a handler met a number that it cannot handle. In the models of float24 operands are
// finite (and, in profile hw, not subnormal), and a dead multiplication of each result raises
// a flag if the result is infinite.
package main

import (
	"fmt"
	"math"
	"math/big"
	"sync"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The numeric models, in the order of pica/vm.
const (
	nearest = iota
	truncating
	single
	numModels
)

// The lane operations, in the order of pica/vm.
const (
	laneMov = iota
	laneNeg
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
	laneDot3
	laneDot4
	laneCmp
	laneMova
	laneFetch
	laneSelect
	laneSplit
	laneJoin
	laneEnd
	numOps
)

// Layout of pica/vm: record, laneMachine.
const (
	recordFull   = 0
	recordMasked = 8
	recordSrc    = 16
	recordDst    = 48
	recordNegate = 52
	recordBase   = 56
	recordArg    = 62
	recordSize   = 64

	vector      = 256
	fileSize    = 4 * 54 * vector
	expand      = fileSize
	address     = expand + vector
	rows        = address + 3*vector
	numRows     = 130
	cc          = rows + 16*numRows
	status      = cc + 16 + 4
	mask        = status + 4
	bytesInUse  = mask + 8
	mxcsr       = bytesInUse + 8
	mxcsrBefore = mxcsr + 4
	mxcsrAfter  = mxcsrBefore + 4
	bits        = mxcsrAfter + 4 + 4
	all         = bits + 8
	masks       = all + 8
)

// forms is the number of forms of one operation in the handler table.
const forms = 16

var handlers [numModels * numOps * forms * 2]string

func main() {
	ConstraintExpr("amd64")
	constants()
	transpose()
	for model := range numModels {
		arithmetic(model)
	}
	common()
	comparisons()
	masksOfLanes()
	entry()
	table()
	Generate()
}

var (
	record  = reg.RSI
	machine = reg.RDI
	run     = reg.RDX

	zero, ulps, low, tiny, huge, keep = reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15
)

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

func lane(offset reg.Register, unroll int) operand.Mem {
	return operand.Mem{Base: run, Index: offset, Scale: 1, Disp: 32 * unroll}
}

func symbol(name string) operand.Mem {
	return operand.NewDataAddr(operand.Symbol{Name: "·" + name, Static: true}, 0)
}

func jump(to operand.Op) {
	Instruction(&ir.Instruction{Opcode: "JMP", Operands: []operand.Op{to}, IsTerminal: true})
}

// handler starts a handler and enters it in the table; done ends it.
func handler(model, op, form int, masked bool, name string) {
	name = "native" + name
	if masked {
		name += "Masked"
	}
	TEXT(name+"<>", attr.NOSPLIT|attr.NOFRAME, "func()")
	k := 0
	if masked {
		k = 1
	}
	for m := range numModels {
		if model == numModels || model == m {
			handlers[2*((m*numOps+op)*forms+form)+k] = name
		}
	}
}

// done jumps to the next record.
func done(masked bool) {
	ADDQ(operand.Imm(recordSize), record)
	if masked {
		jump(at(record, recordMasked))
	} else {
		jump(at(record, recordFull))
	}
}

// loop runs body over the lanes, unroll times 8 lanes in one pass.
func loop(unroll int, body func(u int)) {
	MOVQ(machine, run)
	Label("lanes")
	for u := range unroll {
		body(u)
	}
	ADDQ(operand.Imm(uint64(32*unroll)), run)
	CMPQ(run, reg.RCX)
	JCS(operand.LabelRef("lanes"))
}

// store writes a result. masked lanes use scratch registers.
func store(masked bool, value, scratch, scratch2 reg.VecPhysical, to operand.Mem, u int) {
	if masked {
		VMOVUPS(operand.Mem{Base: run, Disp: expand + 32*u}, scratch)
		VMOVUPS(to, scratch2)
		VBLENDVPS(scratch, value, scratch2, value)
	}
	VMOVUPS(value, to)
}

var offsets = []reg.GPPhysical{reg.RAX, reg.RBX, reg.R9, reg.R10}

// source loads the offset of an operand.
func source(k int, to reg.GPPhysical) { MOVL(at(record, recordSrc+4*k), to.As32()) }

func destination() { MOVL(at(record, recordDst), reg.R13L) }

// konst loads the constant operand k into a register.
func konst(k int, to, scratch reg.VecPhysical) {
	source(k, reg.RAX)
	VBROADCASTSS(operand.Mem{Base: machine, Index: reg.RAX, Scale: 1, Disp: rows}, to)
	VBROADCASTSS(at(record, recordNegate), scratch)
	VXORPS(scratch, to, to)
}

// guard raises a flag if a result of float24 is too large. In profile hw it turns a result
// that is too small into zero: a number below 2^-126 is flushed.
func guard(model int, value, scratch reg.VecPhysical) {
	VMULPS(huge, value, scratch)
	if model == truncating {
		VMULPS(tiny, value, value)
		VMULPS(huge, value, value)
	}
}

// careful is set while the second version of a handler is written, for lanes in which a
// product of profile f24 is subnormal; the first version finds them by small. alone says that
// there is one product.
var careful, alone bool

// small collects in Y13 the smallest magnitude of the results that are not zero, doubled and
// less 1. It uses Y9.
func small(value reg.VecPhysical) {
	to := reg.Y9
	if alone {
		to = tiny
	}
	VPADDD(value, value, to)
	VPSUBD(ulps, to, to)
	if !alone {
		VPMINUD(reg.Y9, tiny, tiny)
	}
}

// unlessSmall jumps to slow if small found a subnormal number.
func unlessSmall(free reg.GPPhysical, slow string) {
	VPMINUD(symbol("smallest24"), tiny, reg.Y9)
	VPCMPEQD(reg.Y9, tiny, reg.Y9)
	VMOVMSKPS(reg.Y9, free.As32())
	TESTL(free.As32(), free.As32())
	JNE(operand.LabelRef(slow))
}

// finish rounds a product or quotient as round does, below 2^-62 to a multiple of 2^-78.
// inexact is Y8.
func finish(value reg.VecPhysical) {
	if !careful {
		round(value, reg.Y8)
		small(value)
		return
	}
	// Rounding again is right if the lowest bit is set wherever something was cut off.
	VPSRLD(operand.U8(31), reg.Y8, reg.Y9)
	VPOR(reg.Y9, value, value)
	VMULPS(symbol("units"), value, reg.Y8)
	VROUNDPS(operand.U8(0|8), reg.Y8, reg.Y8)
	VMULPS(symbol("unit"), reg.Y8, reg.Y8)
	VPSRLD(operand.U8(7), value, reg.Y9)
	VPAND(ulps, reg.Y9, reg.Y9)
	VPADDD(low, value, value)
	VPADDD(reg.Y9, value, value)
	VPAND(keep, value, value)
	VPADDD(value, value, reg.Y9)
	VPSUBD(ulps, reg.Y9, reg.Y9)
	VPMINUD(symbol("smallest24"), reg.Y9, tiny)
	VPCMPEQD(tiny, reg.Y9, reg.Y9)
	VBLENDVPS(reg.Y9, reg.Y8, value, value)
}

// round rounds a number that was cut to 24 bits to 17 bits, to nearest even. inexact says that
// something was cut off. It adds half of the lowest bit, or one less if the number is even and
// nothing was cut off.
func round(value, inexact reg.VecPhysical) {
	s := reg.Y9
	VPSLLD(operand.U8(24), value, s)
	VPOR(inexact, s, s)
	VBLENDVPS(s, symbol("half32"), low, s)
	VPADDD(s, value, value)
	VPAND(keep, value, value)
}

const notEqual = 4 // of VCMPPS, quiet

// add computes d = a + b; d is neither. Y8 and Y9 are used.
func add(model int, d, a reg.VecPhysical, b operand.Op) {
	VADDPS(b, a, d)
	switch model {
	case truncating:
		VANDPS(keep, d, d)
		guard(model, d, reg.Y9)
	case nearest:
		// Let b be positive, u its lowest bit as a float24, and d = a + b - rest with a rest.
		// d - a = b + -rest is cut to b only if -rest is at least 0 and below u/128. Then the
		// sum is negative, a outweighs b, the sum is a multiple of u, and so is d, whose lowest
		// bit is coarser than u, because otherwise d would be exact. Hence rest is a multiple of
		// u: too large. For negative b all signs change.
		VSUBPS(a, d, reg.Y8)
		VCMPPS(operand.U8(notEqual), b, reg.Y8, reg.Y8)
		round(d, reg.Y8)
		guard(model, d, reg.Y9)
	}
}

// mul computes d = a * b; d is neither. Y8 and Y9 are used.
func mul(model int, d, a reg.VecPhysical, b operand.Op) {
	VMULPS(b, a, d)
	switch model {
	case truncating:
		VANDPS(keep, d, d)
		guard(model, d, reg.Y9)
	case nearest:
		VMOVAPS(d, reg.Y8)
		VFMSUB231PS(a, b, reg.Y8)
		VCMPPS(operand.U8(notEqual), zero, reg.Y8, reg.Y8)
		finish(d)
		guard(model, d, reg.Y9)
	}
}

// positive turns zeros into +0, as every zero result of hw is.
func positive(model int, d reg.VecPhysical) {
	if model == truncating {
		VADDPS(zero, d, d)
	}
}

var modelNames = [numModels]string{"Nearest", "Truncating", "Single"}

// A form of an operation says which operand is a constant, and which other operand is negated:
// 1 + its number, 0 for none.
type form struct{ konst, negated int }

func (f form) number() int { return f.konst | f.negated<<2 }

func (f form) String() string {
	return []string{"", "Const1", "Const2", "Const3"}[f.konst] + []string{"", "", "Minus2", "Minus3"}[f.negated]
}

// Forms that operations allow.
var (
	plainForm = []form{{}}
	unaryForm = []form{{}, {konst: 1}}
	orderForm = []form{{}, {konst: 1}, {konst: 2}}
	sumForm   = []form{{}, {konst: 1}, {negated: 2}, {konst: 1, negated: 2}}
	madForm   = append([]form{{konst: 3}, {konst: 3, negated: 2}, {negated: 3}, {konst: 1, negated: 3}}, sumForm...)
)

func both(f func(masked bool)) {
	f(false)
	f(true)
}

// componentwise writes the handlers of an operation on single components. Body computes Y4
// from its operands: the first is Y0, the k-th is Yk or, if it is used once, in memory.
func componentwise(model, op, sources int, name string, forms []form, body func(s [3]operand.Op)) {
	for _, f := range forms {
		both(func(masked bool) {
			handler(model, op, f.number(), masked, name+f.String())
			if f.konst > 0 {
				konst(f.konst-1, vec(f.konst-1), reg.Y9)
			}
			if f.negated > 0 {
				VBROADCASTSS(symbol("sign32"), reg.Y7)
			}
			for k := range sources {
				if f.konst != k+1 {
					source(k, offsets[k])
				}
			}
			destination()
			split := model == nearest && (op == laneMul || op == laneMad || op == laneRcp)
			compute := func(u int) {
				s := [3]operand.Op{reg.Y0, reg.Y1, reg.Y2}
				for k := range sources {
					switch {
					case f.negated == k+1:
						VXORPS(lane(offsets[k], u), reg.Y7, vec(k))
					case f.konst == k+1:
					case k > 0 && model != nearest:
						s[k] = lane(offsets[k], u)
					default:
						VMOVUPS(lane(offsets[k], u), vec(k))
					}
				}
				body(s)
			}
			unroll := 4
			if split {
				unroll = 2
			}
			loop(unroll, func(u int) {
				alone = split
				once(split, u, reg.R11, func() { compute(u) })
				alone = false
				store(masked, reg.Y4, reg.Y8, reg.Y9, lane(reg.R13, u), u)
			})
			done(masked)
			again(split, unroll, compute)
		})
	}
}

// once writes a computation whose results may be subnormal, again its second, careful version,
// for unroll passes.
func once(split bool, u int, free reg.GPPhysical, compute func()) {
	if split && !alone {
		VPCMPEQD(tiny, tiny, tiny)
	}
	compute()
	if split {
		unlessSmall(free, fmt.Sprintf("careful%d", u))
		Label(fmt.Sprintf("computed%d", u))
	}
}

func again(split bool, unroll int, compute func(u int)) {
	if !split {
		return
	}
	careful = true
	for u := range unroll {
		Label(fmt.Sprintf("careful%d", u))
		compute(u)
		JMP(operand.LabelRef(fmt.Sprintf("computed%d", u)))
	}
	careful = false
}

func vec(k int) reg.VecPhysical {
	return []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9}[k]
}

func arithmetic(model int) {
	name := modelNames[model]
	componentwise(model, laneAdd, 2, "Add"+name, sumForm, func(s [3]operand.Op) {
		add(model, reg.Y4, reg.Y0, s[1])
		positive(model, reg.Y4)
	})
	componentwise(model, laneMul, 2, "Mul"+name, sumForm, func(s [3]operand.Op) {
		mul(model, reg.Y4, reg.Y0, s[1])
		positive(model, reg.Y4)
	})
	componentwise(model, laneMad, 3, "Mad"+name, madForm, func(s [3]operand.Op) {
		mul(model, reg.Y5, reg.Y0, s[1])
		add(model, reg.Y4, reg.Y5, s[2])
		positive(model, reg.Y4)
	})
	const floor = 1 | 8 // of VROUNDPS, without a flag
	componentwise(model, laneFlr, 1, "Flr"+name, unaryForm, func([3]operand.Op) {
		VROUNDPS(operand.U8(floor), reg.Y0, reg.Y4)
		positive(model, reg.Y4)
	})
	dots(model)
	componentwise(model, laneRcp, 1, "Rcp"+name, plainForm, func([3]operand.Op) {
		VBROADCASTSS(symbol("one32"), reg.Y1)
		VDIVPS(reg.Y0, reg.Y1, reg.Y4)
		if model != single {
			VFNMADD231PS(reg.Y4, reg.Y0, reg.Y1)
			VCMPPS(operand.U8(notEqual), zero, reg.Y1, reg.Y8)
			if model == nearest {
				finish(reg.Y4)
			} else {
				round(reg.Y4, reg.Y8)
			}
			guard(model, reg.Y4, reg.Y9)
			positive(model, reg.Y4)
		}
	})
	componentwise(model, laneRsq, 1, "Rsq"+name, plainForm, func([3]operand.Op) {
		if model == single {
			VBROADCASTSS(symbol("one32"), reg.Y1)
			VSQRTPS(reg.Y0, reg.Y0)
			VDIVPS(reg.Y0, reg.Y1, reg.Y4)
			return
		}
		VBROADCASTSD(symbol("one64"), reg.Y1)
		halves(model, func(x reg.VecPhysical) {
			VSQRTPD(x, x)
			VDIVPD(x, reg.Y1, x)
		})
	})
	componentwise(model, laneEx2, 1, "Ex2"+name, plainForm, func([3]operand.Op) { exponential(model) })
	componentwise(model, laneLg2, 1, "Lg2"+name, plainForm, func([3]operand.Op) { logarithm(model) })
}

// halves converts Y0 to binary64, computes both halves, in Y2 and Y3, and rounds them to Y4.
// No exact result is near the middle of two float24. If a result of binary32 is in doubt, the
// status says so.
func halves(model int, body func(x reg.VecPhysical)) {
	VCVTPS2PD(reg.X0, reg.Y2)
	VEXTRACTF128(operand.U8(1), reg.Y0, reg.X3)
	VCVTPS2PD(reg.X3, reg.Y3)
	body(reg.Y2)
	body(reg.Y3)
	narrow(model)
}

func narrow(model int) {
	if model == single {
		VMOVUPS(symbol("doubt"), reg.Y9)
		for k, x := range []reg.VecPhysical{reg.Y2, reg.Y3} {
			up, down := []reg.VecPhysical{reg.X4, reg.X6}[k], []reg.VecPhysical{reg.X5, reg.X7}[k]
			VMOVAPD(x, reg.Y8)
			VFMADD231PD(x, reg.Y9, reg.Y8)
			VCVTPD2PSY(reg.Y8, up)
			VMOVAPD(x, reg.Y8)
			VFNMADD231PD(x, reg.Y9, reg.Y8)
			VCVTPD2PSY(reg.Y8, down)
		}
		VINSERTF128(operand.U8(1), reg.X6, reg.Y4, reg.Y4)
		VINSERTF128(operand.U8(1), reg.X7, reg.Y5, reg.Y5)
		VPXOR(reg.Y4, reg.Y5, reg.Y5)
		unless(reg.Y5)
		return
	}
	VCVTPD2PSY(reg.Y2, reg.X4)
	VCVTPD2PSY(reg.Y3, reg.X5)
	VINSERTF128(operand.U8(1), reg.X5, reg.Y4, reg.Y4)
	VPADDD(low, reg.Y4, reg.Y4)
	VPADDD(ulps, reg.Y4, reg.Y4)
	VPAND(keep, reg.Y4, reg.Y4)
	guard(model, reg.Y4, reg.Y9)
}

// unless sets the status if a register is not zero.
func unless(x reg.VecPhysical) {
	VPTEST(x, x)
	SETNE(reg.R11B)
	MOVBLZX(reg.R11B, reg.R11L)
	ORL(reg.R11L, at(machine, status))
}

var counter int

// vectorOf defines four equal numbers.
func vectorOf(value float64) operand.Mem {
	name := fmt.Sprintf("number%d", counter)
	counter++
	GLOBL("·"+name, attr.RODATA|attr.NOPTR)
	for k := range 4 {
		DATA(8*k, operand.U64(math.Float64bits(value)))
	}
	return symbol(name)
}

// exponential computes 2^x: 2^fraction by the series of the exponential function; then it adds
// the integer part to the exponent.
func exponential(model int) {
	terms := expTerms[model]
	if model == nearest {
		VCMPPS(operand.U8(0x11), symbol("least24"), reg.Y0, reg.Y1) // subnormal results are not handled here
		unless(reg.Y1)
	}
	VMINPS(symbol("exponentMost"), reg.Y0, reg.Y0)
	VMAXPS(symbol("exponentLeast"), reg.Y0, reg.Y0)
	halves(model, func(x reg.VecPhysical) {
		whole, sum := reg.Y5, reg.Y6
		VROUNDPD(operand.U8(0|8), x, whole)
		VSUBPD(whole, x, x)
		VMOVUPD(terms[len(terms)-1], sum)
		for k := len(terms) - 2; k >= 0; k-- {
			VFMADD213PD(terms[k], x, sum)
		}
		VADDPD(symbol("grid"), whole, whole)
		VPSLLQ(operand.U8(52), whole, whole)
		VPADDQ(whole, sum, x)
	})
}

// logarithm computes log2 x of a positive normal number: with m between the roots
// of 1/2 and 2 and x = m * 2^e, e plus a series in (m-1)/(m+1).
func logarithm(model int) {
	terms := logTerms[model]
	// Zero, negative and subnormal numbers and infinities are not handled here.
	VPSUBD(symbol("smallest32"), reg.Y0, reg.Y1)
	VPMAXUD(symbol("span32"), reg.Y1, reg.Y5)
	VPXOR(symbol("span32"), reg.Y5, reg.Y5)
	unless(reg.Y5)
	VPSUBD(symbol("rootHalf"), reg.Y0, reg.Y1)
	VPSRAD(operand.U8(23), reg.Y1, reg.Y1)
	VPSLLD(operand.U8(23), reg.Y1, reg.Y2)
	VPSUBD(reg.Y2, reg.Y0, reg.Y0)
	VEXTRACTI128(operand.U8(1), reg.Y1, reg.X7)
	exponents := []reg.VecPhysical{reg.X1, reg.X7}
	half := 0
	halves(model, func(x reg.VecPhysical) {
		s, z, sum := reg.Y5, reg.Y6, reg.Y8
		VADDPD(symbol("one64x4"), x, z)
		VSUBPD(symbol("one64x4"), x, s)
		VDIVPD(z, s, s)
		VMULPD(s, s, z)
		VMOVUPD(terms[len(terms)-1], sum)
		for k := len(terms) - 2; k >= 0; k-- {
			VFMADD213PD(terms[k], z, sum)
		}
		VCVTDQ2PD(exponents[half], x)
		VFMADD231PD(sum, s, x)
		half++
	})
}

func dots(model int) {
	for _, count := range []int{3, 4} {
		for _, konstant := range []int{0, 1} {
			both(func(masked bool) {
				name := fmt.Sprintf("Dot%d%s%s", count, modelNames[model], form{konst: konstant})
				handler(model, laneDot3+count-3, konstant, masked, name)
				if konstant == 1 {
					for k := range count {
						konst(k, vec(k), reg.Y9)
					}
				}
				for k := range count {
					source(4+k, []reg.GPPhysical{reg.R9, reg.R10, reg.R11, reg.R12}[k])
				}
				destination()
				sum := []reg.VecPhysical{reg.Y4, reg.Y6}[(count-1)%2]
				compute := func(u int) {
					sum, next := reg.Y4, reg.Y6
					for k := range count {
						a := vec(k)
						if konstant == 0 {
							source(k, reg.RAX)
							a = reg.Y0
							VMOVUPS(lane(reg.RAX, u), a)
						}
						VMOVUPS(lane([]reg.GPPhysical{reg.R9, reg.R10, reg.R11, reg.R12}[k], u), reg.Y7)
						if k == 0 {
							mul(model, sum, a, reg.Y7)
							if model == single {
								VADDPS(zero, sum, sum)
							}
							continue
						}
						mul(model, reg.Y5, a, reg.Y7)
						add(model, next, sum, reg.Y5)
						sum, next = next, sum
					}
					positive(model, sum)
				}
				unroll := 2
				if model == nearest {
					unroll = 1
				}
				loop(unroll, func(u int) {
					once(model == nearest, u, reg.RBX, func() { compute(u) })
					store(masked, sum, reg.Y8, reg.Y9, lane(reg.R13, u), u)
				})
				done(masked)
				again(model == nearest, unroll, compute)
			})
		}
	}
}

// common writes the operations that are the same in every model.
func common() {
	for _, masked := range []bool{false, true} {
		handler(numModels, laneMov, 0, masked, "Mov")
		source(0, reg.RAX)
		destination()
		loop(4, func(u int) {
			VMOVUPS(lane(reg.RAX, u), vec(u))
			store(masked, vec(u), reg.Y8, reg.Y9, lane(reg.R13, u), u)
		})
		done(masked)

		handler(numModels, laneMov, 1, masked, "MovConst")
		konst(0, reg.Y0, reg.Y9)
		destination()
		loop(4, func(u int) {
			VMOVAPS(reg.Y0, reg.Y1)
			store(masked, reg.Y1, reg.Y8, reg.Y9, lane(reg.R13, u), u)
		})
		done(masked)

		handler(numModels, laneNeg, 0, masked, "Neg")
		source(0, reg.RAX)
		destination()
		VBROADCASTSS(symbol("sign32"), reg.Y7)
		loop(4, func(u int) {
			VXORPS(lane(reg.RAX, u), reg.Y7, vec(u))
			store(masked, vec(u), reg.Y8, reg.Y9, lane(reg.R13, u), u)
		})
		done(masked)

		handler(numModels, laneMova, 0, masked, "Mova")
		source(0, reg.RAX)
		MOVBLZX(at(record, recordArg), reg.R13L)
		SHLL(operand.U8(8), reg.R13L)
		ADDL(operand.U32(address), reg.R13L)
		loop(4, func(u int) {
			VCVTTPS2DQ(lane(reg.RAX, u), vec(u))
			store(masked, vec(u), reg.Y8, reg.Y9, lane(reg.R13, u), u)
		})
		done(masked)

		fetch(masked)
	}
	const greaterEqual, less = 0x1D, 0x11
	one := func() { VANDPS(symbol("one32"), reg.Y4, reg.Y4) }
	componentwise(numModels, laneMax, 2, "Max", orderForm, func(s [3]operand.Op) { VMAXPS(s[1], reg.Y0, reg.Y4) })
	componentwise(numModels, laneMin, 2, "Min", orderForm, func(s [3]operand.Op) { VMINPS(s[1], reg.Y0, reg.Y4) })
	componentwise(numModels, laneSge, 2, "Sge", orderForm,
		func(s [3]operand.Op) { VCMPPS(operand.U8(greaterEqual), s[1], reg.Y0, reg.Y4); one() })
	componentwise(numModels, laneSlt, 2, "Slt", orderForm,
		func(s [3]operand.Op) { VCMPPS(operand.U8(less), s[1], reg.Y0, reg.Y4); one() })
}

// fetch reads the row of each lane's address, and transposes eight rows into four vectors.
func fetch(masked bool) {
	handler(numModels, laneFetch, 0, masked, "Fetch")
	MOVBLZX(at(record, recordArg), reg.R12L)
	SHLL(operand.U8(8), reg.R12L)
	ADDL(operand.U32(address), reg.R12L)
	destination()
	VPBROADCASTD(at(record, recordBase), reg.Y7)
	loop(1, func(int) {
		VMOVDQU(lane(reg.R12, 0), reg.Y0)
		VPADDD(symbol("window128"), reg.Y0, reg.Y1)
		VPSRLD(operand.U8(8), reg.Y1, reg.Y1)
		VPCMPEQD(zero, reg.Y1, reg.Y1)
		VPAND(reg.Y1, reg.Y0, reg.Y0)
		VPADDD(reg.Y7, reg.Y0, reg.Y0)
		VPAND(symbol("window127"), reg.Y0, reg.Y0)
		VPSLLD(operand.U8(4), reg.Y0, reg.Y0)
		VEXTRACTI128(operand.U8(1), reg.Y0, reg.X1)
		VMOVQ(reg.X0, reg.RAX)
		VPEXTRQ(operand.U8(1), reg.X0, reg.RBX)
		VMOVQ(reg.X1, reg.R9)
		VPEXTRQ(operand.U8(1), reg.X1, reg.R10)
		row := func(index reg.GPPhysical) operand.Mem {
			MOVL(index.As32(), reg.R11L)
			return operand.Mem{Base: machine, Index: reg.R11, Scale: 1, Disp: rows}
		}
		for k, pair := range [][2]reg.GPPhysical{{reg.RAX, reg.R9}, {reg.RBX, reg.R10}} {
			for half := range 2 {
				if half == 1 {
					SHRQ(operand.U8(32), pair[0])
					SHRQ(operand.U8(32), pair[1])
				}
				to := 2*k + half
				VMOVUPS(row(pair[0]), []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3}[to])
				VINSERTF128(operand.U8(1), row(pair[1]), vec(to), vec(to))
			}
		}
		turn()
		for k, v := range []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3} {
			VMOVUPS(v, operand.Mem{Base: run, Index: reg.R13, Scale: 1, Disp: vector * k})
		}
	})
	done(masked)
}

// turn transposes the 4 by 4 numbers in both halves of Y0 to Y3.
func turn() {
	VUNPCKLPS(reg.Y1, reg.Y0, reg.Y4)
	VUNPCKHPS(reg.Y1, reg.Y0, reg.Y5)
	VUNPCKLPS(reg.Y3, reg.Y2, reg.Y6)
	VUNPCKHPS(reg.Y3, reg.Y2, reg.Y8)
	VSHUFPS(operand.U8(0x44), reg.Y6, reg.Y4, reg.Y0)
	VSHUFPS(operand.U8(0xEE), reg.Y6, reg.Y4, reg.Y1)
	VSHUFPS(operand.U8(0x44), reg.Y8, reg.Y5, reg.Y2)
	VSHUFPS(operand.U8(0xEE), reg.Y8, reg.Y5, reg.Y3)
}

// comparisons writes CMP: a bit for each lane, by relation.
func comparisons() {
	for k, immediate := range []uint8{0x00, 0x04, 0x11, 0x12, 0x1E, 0x1D, 0x0F} { // as relations in pica/vm
		for _, konstant := range []int{0, 1} {
			both(func(masked bool) {
				handler(numModels, laneCmp, 2*k+konstant, masked, fmt.Sprintf("Cmp%d%s", k, form{konst: konstant}))
				if konstant == 1 {
					konst(0, reg.Y0, reg.Y9)
				} else {
					source(0, reg.RAX)
				}
				source(1, reg.RBX)
				LEAQ(at(machine, bits), reg.R9)
				loop(1, func(int) {
					if konstant == 0 {
						VMOVUPS(lane(reg.RAX, 0), reg.Y0)
					}
					VCMPPS(operand.U8(immediate), lane(reg.RBX, 0), reg.Y0, reg.Y1)
					VMOVMSKPS(reg.Y1, reg.R10L)
					MOVB(reg.R10B, at(reg.R9, 0))
					INCQ(reg.R9)
				})
				MOVBLZX(at(record, recordArg), reg.R10L)
				ANDL(operand.Imm(1), reg.R10L)
				flag := operand.Mem{Base: machine, Index: reg.R10, Scale: 8, Disp: cc}
				MOVQ(flag, reg.RAX)
				XORQ(at(machine, bits), reg.RAX)
				ANDQ(at(machine, mask), reg.RAX)
				XORQ(reg.RAX, flag)
				done(masked)
			})
		}
	}
}

// masksOfLanes writes the operations that select, split and join masks.
func masksOfLanes() {
	maskOf := func(index reg.GPPhysical) operand.Mem {
		return operand.Mem{Base: machine, Index: index, Scale: 8, Disp: masks}
	}
	both(func(masked bool) {
		handler(numModels, laneSelect, 0, masked, "Select")
		source(0, reg.RAX)
		MOVQ(maskOf(reg.RAX), reg.RBX)
		MOVQ(reg.RBX, at(machine, mask))
		CMPQ(reg.RBX, at(machine, all))
		JEQ(operand.LabelRef("whole"))
		TESTQ(reg.RBX, reg.RBX)
		JEQ(operand.LabelRef("none"))
		spread()
		done(true)
		Label("none")
		source(1, reg.RAX)
		SHLQ(operand.U8(6), reg.RAX)
		ADDQ(reg.RAX, record)
		done(true)
		Label("whole")
		done(false)

		handler(numModels, laneSplit, 0, masked, "Split")
		MOVQ(at(machine, cc), reg.RAX)
		MOVQ(at(machine, cc+8), reg.RBX)
		XORL(reg.R12L, reg.R12L)
		for k := range 4 {
			MOVQ(reg.RAX, reg.R9)
			if k&1 == 0 {
				NOTQ(reg.R9)
			}
			MOVQ(reg.RBX, reg.R10)
			if k&2 == 0 {
				NOTQ(reg.R10)
			}
			ANDQ(reg.R10, reg.R9)
			MOVLQSX(at(record, recordSrc+4*(4+k)), reg.R11)
			ANDQ(reg.R11, reg.R9)
			ORQ(reg.R9, reg.R12)
		}
		source(0, reg.RAX)
		source(1, reg.RBX)
		source(2, reg.R9)
		MOVQ(maskOf(reg.RAX), reg.RAX)
		ANDQ(reg.RAX, reg.R12)
		MOVQ(reg.R12, maskOf(reg.RBX))
		XORQ(reg.R12, reg.RAX)
		MOVQ(reg.RAX, maskOf(reg.R9))
		done(masked)

		handler(numModels, laneJoin, 0, masked, "Join")
		source(0, reg.RAX)
		source(1, reg.RBX)
		source(2, reg.R9)
		MOVQ(maskOf(reg.RAX), reg.RAX)
		ORQ(maskOf(reg.RBX), reg.RAX)
		MOVQ(reg.RAX, maskOf(reg.R9))
		done(masked)
	})
}

// spread turns the bit of each lane into its sign.
func spread() {
	for half := range 2 {
		VPBROADCASTD(at(machine, mask+4*half), reg.Y0)
		for k := range 4 {
			VPSLLVD(operand.NewDataAddr(operand.Symbol{Name: "·laneBits", Static: true}, 32*k), reg.Y0, reg.Y1)
			VMOVDQU(reg.Y1, at(machine, expand+32*(4*half+k)))
		}
	}
}

// entry writes the entry and the exit of native code.
func entry() {
	TEXT("runNative", attr.NOSPLIT|attr.NOFRAME, "func(first, m *byte)")
	Doc("runNative executes records.")
	Load(Param("first"), record)
	Load(Param("m"), machine)
	VSTMXCSR(at(machine, mxcsrBefore))
	VLDMXCSR(at(machine, mxcsr))
	MOVQ(at(machine, bytesInUse), reg.RCX)
	ADDQ(machine, reg.RCX)
	VXORPS(zero, zero, zero)
	VBROADCASTSS(symbol("ulps32"), ulps)
	VBROADCASTSS(symbol("low32"), low)
	VBROADCASTSS(symbol("tiny32"), tiny)
	VBROADCASTSS(symbol("huge32"), huge)
	VBROADCASTSS(symbol("keep32"), keep)
	MOVQ(at(machine, mask), reg.RBX)
	CMPQ(reg.RBX, at(machine, all))
	JEQ(operand.LabelRef("whole"))
	spread()
	jump(at(record, recordMasked))
	Label("whole")
	jump(at(record, recordFull))

	both(func(masked bool) {
		handler(numModels, laneEnd, 0, masked, "End")
		VSTMXCSR(at(machine, mxcsrAfter))
		VLDMXCSR(at(machine, mxcsrBefore))
		VZEROUPPER()
		RET()
	})
}

// table writes the function that stores the addresses of the handlers.
func table() {
	TEXT("nativeHandlers", attr.NOSPLIT, "func(table *uintptr)")
	Doc("nativeHandlers stores the addresses of the handlers.")
	Load(Param("table"), reg.RDI)
	for k, name := range handlers {
		if name != "" {
			LEAQ(symbol(name), reg.RAX)
			MOVQ(reg.RAX, at(reg.RDI, 8*k))
		}
	}
	RET()
}

// transpose writes the conversions between rows of registers and lanes.
func transpose() {
	row := func(base reg.Register, k int) operand.Mem {
		return []operand.Mem{
			{Base: base}, {Base: base, Index: reg.RBX, Scale: 1}, {Base: base, Index: reg.RBX, Scale: 2},
			{Base: base, Index: reg.R9, Scale: 1},
		}[k]
	}
	// Single: no NaN. Otherwise: zeros and normal finite float24.
	for _, exact := range []bool{true, false} {
		name := "loadRows24"
		if exact {
			name = "loadRows32"
		}
		TEXT(name, attr.NOSPLIT|attr.NOFRAME, "func(to, from *byte, stride, count uintptr) uint32")
		Doc(name + " transposes count rows, a multiple of 8, and returns 0 if native arithmetic takes them.")
		Load(Param("to"), reg.RDI)
		Load(Param("from"), reg.RSI)
		Load(Param("stride"), reg.RBX)
		Load(Param("count"), reg.RCX)
		LEAQ(operand.Mem{Base: reg.RBX, Index: reg.RBX, Scale: 2}, reg.R9)
		VXORPS(reg.Y9, reg.Y9, reg.Y9) // collects faults
		if !exact {
			VMOVDQU(symbol("digits24"), reg.Y11)
			VMOVDQU(symbol("below24"), reg.Y12)
			VMOVDQU(symbol("span24"), reg.Y13)
			VPXOR(reg.Y10, reg.Y10, reg.Y10)
		}
		Label("lanes")
		LEAQ(operand.Mem{Base: reg.RSI, Index: reg.RBX, Scale: 4}, reg.R10)
		for k := range 4 {
			VMOVUPS(row(reg.RSI, k), []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3}[k])
			VINSERTF128(operand.U8(1), row(reg.R10, k), vec(k), vec(k))
		}
		turn()
		for k := range 4 {
			VMOVUPS(vec(k), at(reg.RDI, vector*k))
		}
		if exact {
			const unordered = 3
			for k := range 2 {
				VCMPPS(operand.U8(unordered), vec(2*k), vec(2*k+1), reg.Y4)
				VORPS(reg.Y4, reg.Y9, reg.Y9)
			}
		} else {
			for k := range 4 {
				// Doubled and less the lowest number, zeros wrap far above the span.
				VPADDD(vec(k), vec(k), reg.Y4)
				VPSUBD(reg.Y12, reg.Y4, reg.Y5)
				VPMAXUD(reg.Y13, reg.Y5, reg.Y5)
				VPXOR(reg.Y13, reg.Y5, reg.Y5)
				VPCMPEQD(reg.Y4, reg.Y10, reg.Y6)
				VPANDN(reg.Y5, reg.Y6, reg.Y5)
				VPAND(vec(k), reg.Y11, reg.Y4)
				VPOR(reg.Y4, reg.Y5, reg.Y4)
				VPOR(reg.Y4, reg.Y9, reg.Y9)
			}
		}
		ADDQ(operand.Imm(32), reg.RDI)
		LEAQ(operand.Mem{Base: reg.R10, Index: reg.RBX, Scale: 4}, reg.RSI)
		SUBQ(operand.Imm(8), reg.RCX)
		JNE(operand.LabelRef("lanes"))
		VPTEST(reg.Y9, reg.Y9)
		SETNE(reg.AL)
		MOVBLZX(reg.AL, reg.EAX)
		Store(reg.EAX, ReturnIndex(0))
		VZEROUPPER()
		RET()
	}

	TEXT("storeRows", attr.NOSPLIT|attr.NOFRAME, "func(to, from *byte, stride, count uintptr)")
	Doc("storeRows is the inverse of loadRows32.")
	Load(Param("to"), reg.RSI)
	Load(Param("from"), reg.RDI)
	Load(Param("stride"), reg.RBX)
	Load(Param("count"), reg.RCX)
	LEAQ(operand.Mem{Base: reg.RBX, Index: reg.RBX, Scale: 2}, reg.R9)
	Label("lanes")
	LEAQ(operand.Mem{Base: reg.RSI, Index: reg.RBX, Scale: 4}, reg.R10)
	for k := range 4 {
		VMOVUPS(at(reg.RDI, vector*k), vec(k))
	}
	turn()
	for k := range 4 {
		VMOVUPS([]reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3}[k], row(reg.RSI, k))
		VEXTRACTF128(operand.U8(1), vec(k), row(reg.R10, k))
	}
	ADDQ(operand.Imm(32), reg.RDI)
	LEAQ(operand.Mem{Base: reg.R10, Index: reg.RBX, Scale: 4}, reg.RSI)
	SUBQ(operand.Imm(8), reg.RCX)
	JNE(operand.LabelRef("lanes"))
	VZEROUPPER()
	RET()
}

var expTerms, logTerms [numModels][]operand.Mem

// constants defines the data of the handlers.
func constants() {
	for _, c := range []struct {
		name  string
		value uint32
	}{
		{"one32", 0x3F800000}, {"sign32", 1 << 31},
		{"ulps32", 1}, {"low32", 0x3F}, {"half32", 0x40}, {"keep32", 0xFFFFFF80}, {"huge32", 0x5F800000},
		{"tiny32", 0x1F800000},
		{"window128", 128}, {"window127", 127}, {"exponentMost", math.Float32bits(200)},
		{"exponentLeast", math.Float32bits(-200)},
		{"smallest32", 0x00800000}, {"smallest24", 0x40FFFFFE}, {"units", (127 + 78) << 23},
		{"unit", (127 - 78) << 23}, {"least24", 0xC2780000}, {"span32", 0x7EFFFFFF}, {"digits24", 0x7F},
		{"below24", 2 * 0x20800000}, {"span24", 2*(0x5F800000-0x20800000) - 2}, {"rootHalf", 0x3F3504F3},
	} {
		GLOBL("·"+c.name, attr.RODATA|attr.NOPTR)
		for k := range 8 {
			DATA(4*k, operand.U32(c.value))
		}
	}
	GLOBL("·laneBits", attr.RODATA|attr.NOPTR)
	for k := range 32 {
		DATA(4*k, operand.U32(uint32(31-k)))
	}
	for _, c := range []struct {
		name  string
		value float64
	}{{"one64", 1}, {"one64x4", 1}, {"doubt", 0x1p-48}, {"grid", 0x1.8p52}} {
		GLOBL("·"+c.name, attr.RODATA|attr.NOPTR)
		for k := range 4 {
			DATA(8*k, operand.U64(math.Float64bits(c.value)))
		}
	}
	// 2^x for |x| up to 1/2, and log2 of (1+s)/(1-s) over s as a function of s*s, where
	// |s| is at most (sqrt 2 - 1)/(sqrt 2 + 1).
	for model := range numModels {
		expTerms[model] = series(expCount[model], -0.5, 0.5, func(x *big.Float) *big.Float {
			sum, term := number(0), number(1)
			for k := 1; k < 60; k++ {
				sum.Add(sum, term)
				term.Mul(term, x).Mul(term, ln2()).Quo(term, number(float64(k)))
			}
			return sum
		})
		logTerms[model] = series(logCount[model], 0, 0.02943725152285942, func(z *big.Float) *big.Float {
			sum, power := number(0), number(2)
			for k := range 60 {
				sum.Add(sum, number(0).Quo(power, number(float64(2*k+1))))
				power.Mul(power, z)
			}
			return sum.Quo(sum, ln2())
		})
	}
}

// Numbers of terms of the series in each model.
var (
	expCount = [numModels]int{9, 9, 11}
	logCount = [numModels]int{6, 6, 8}
)

// number returns a number with digits to spare.
func number(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }

// ln2 sums 1/(k 2^k).
var ln2 = sync.OnceValue(func() *big.Float {
	sum, power := number(0), number(1)
	for k := 1; k < 400; k++ {
		power.Quo(power, number(2))
		sum.Add(sum, number(0).Quo(power, number(float64(k))))
	}
	return sum
})

// series returns the coefficients of the polynomial that equals f at the Chebyshev points of
// an interval, which is close to the best polynomial.
func series(count int, low, high float64, f func(*big.Float) *big.Float) (terms []operand.Mem) {
	points, divided := make([]*big.Float, count), make([]*big.Float, count)
	for k := range count {
		points[k] = number((low+high)/2 + (high-low)/2*math.Cos(math.Pi*(float64(k)+0.5)/float64(count)))
		divided[k] = f(points[k])
	}
	for level := 1; level < count; level++ { // Newton's divided differences
		for k := count - 1; k >= level; k-- {
			divided[k] = number(0).Quo(number(0).Sub(divided[k], divided[k-1]),
				number(0).Sub(points[k], points[k-level]))
		}
	}
	sum := make([]*big.Float, count)
	for k := range sum {
		sum[k] = number(0)
	}
	for k := count - 1; k >= 0; k-- { // sum * (x - point) + difference
		for n := count - 1; n >= 0; n-- {
			v := number(0).Mul(sum[n], number(0).Neg(points[k]))
			if n > 0 {
				v.Add(v, sum[n-1])
			} else {
				v.Add(v, divided[k])
			}
			sum[n] = v
		}
	}
	for _, v := range sum {
		x, _ := v.Float64()
		terms = append(terms, vectorOf(x))
	}
	return terms
}
