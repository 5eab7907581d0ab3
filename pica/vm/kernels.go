package vm

import (
	"math"

	"github.com/picaproof/picaproof/pica"
)

// kernel computes one instruction with operands.
type kernel func(x *machine, m *micro)

// common holds the kernels that are the same in every model: they move and compare
// patterns.
var common = [pica.NumOpcodes]kernel{
	pica.MOV: mov, pica.MAX: maximum, pica.MIN: minimum, pica.SGE: sge, pica.SLT: slt,
	pica.CMP: compare, pica.MOVA: mova, pica.LITP: litp,
}

// kernels holds the kernels of each model by the opcode of the plain form.
var kernels = [numModels][pica.NumOpcodes]kernel{
	nearest: withCommon([pica.NumOpcodes]kernel{
		pica.ADD: addNearest, pica.MUL: mulNearest, pica.MAD: madNearest,
		pica.DP3: dp3Nearest, pica.DP4: dp4Nearest, pica.DPH: dphNearest, pica.DST: dstNearest, pica.FLR: flrNearest,
		pica.RCP: rcpNearest, pica.RSQ: rsqNearest, pica.EX2: ex2Nearest, pica.LG2: lg2Nearest,
	}),
	truncating: withCommon([pica.NumOpcodes]kernel{
		pica.ADD: addTruncated, pica.MUL: mulTruncated, pica.MAD: madTruncated,
		pica.DP3: dp3Truncated, pica.DP4: dp4Truncated, pica.DPH: dphTruncated, pica.DST: dstTruncated,
		pica.FLR: flrTruncated,
		pica.RCP: rcpTruncated, pica.RSQ: rsqTruncated, pica.EX2: ex2Truncated, pica.LG2: lg2Truncated,
	}),
	single: withCommon([pica.NumOpcodes]kernel{
		pica.ADD: addSingle, pica.MUL: mulSingle, pica.MAD: madSingle,
		pica.DP3: dp3Single, pica.DP4: dp4Single, pica.DPH: dphSingle, pica.DST: dstSingle, pica.FLR: flrSingle,
		pica.RCP: rcpSingle, pica.RSQ: rsqSingle, pica.EX2: ex2Single, pica.LG2: lg2Single,
	}),
}

func withCommon(own [pica.NumOpcodes]kernel) [pica.NumOpcodes]kernel {
	for op, k := range common {
		if k != nil {
			own[op] = k
		}
	}
	return own
}

// pattern returns entry n of an operand.
func (x *machine) pattern(o *operand, n uint8) uint32 { return x.file[o.at[n&3]&fileMask] ^ o.negate }

// value returns entry n of an operand as a number.
func (x *machine) value(o *operand, n uint8) float32 { return math.Float32frombits(x.pattern(o, n)) }

// broadcast writes one result to all enabled components.
func (x *machine) broadcast(m *micro, pattern uint32) {
	for n := range m.n {
		x.file[m.dest[n&3]&fileMask] = pattern
	}
}

// scatter writes the enabled components of a vector.
func (x *machine) scatter(m *micro, v [4]uint32) {
	for n := range m.n {
		at := m.dest[n&3]
		x.file[at&fileMask] = v[at&3]
	}
}

func mov(x *machine, m *micro) {
	for n := range m.n {
		x.file[m.dest[n&3]&fileMask] = x.pattern(&m.src[0], n)
	}
}

func maximum(x *machine, m *micro) {
	for n := range m.n {
		a, b := x.pattern(&m.src[0], n), x.pattern(&m.src[1], n)
		if math.Float32frombits(a) > math.Float32frombits(b) {
			b = a
		}
		x.file[m.dest[n&3]&fileMask] = b
	}
}

func minimum(x *machine, m *micro) {
	for n := range m.n {
		a, b := x.pattern(&m.src[0], n), x.pattern(&m.src[1], n)
		if math.Float32frombits(a) < math.Float32frombits(b) {
			b = a
		}
		x.file[m.dest[n&3]&fileMask] = b
	}
}

func sge(x *machine, m *micro) {
	for n := range m.n {
		r := uint32(0)
		if x.value(&m.src[0], n) >= x.value(&m.src[1], n) {
			r = one32
		}
		x.file[m.dest[n&3]&fileMask] = r
	}
}

func slt(x *machine, m *micro) {
	for n := range m.n {
		r := uint32(0)
		if x.value(&m.src[0], n) < x.value(&m.src[1], n) {
			r = one32
		}
		x.file[m.dest[n&3]&fileMask] = r
	}
}

// relations says for each operator of CMP which of less, equal, greater and
// unordered (bits 0 to 3) it accepts.
var relations = [8]uint8{0b0010, 0b1101, 0b0001, 0b0011, 0b0100, 0b0110, 0b1111, 0b1111}

func relation(a, b float32) uint8 {
	switch {
	case a < b:
		return 0
	case a == b:
		return 1
	case a > b:
		return 2
	}
	return 3
}

func compare(x *machine, m *micro) {
	for n := range uint8(2) {
		op := m.cmp[n]
		if op == keepFlag {
			continue
		}
		holds := relations[op&7] >> relation(x.value(&m.src[0], n), x.value(&m.src[1], n)) & 1
		x.cc = x.cc&^(1<<n) | holds<<n
	}
}

// integer truncates; a number outside int32 becomes the lowest int32.
func integer(v float32) int32 {
	if v > -1<<31 && v < 1<<31 {
		return int32(v)
	}
	return math.MinInt32
}

func mova(x *machine, m *micro) {
	for n := range uint8(2) {
		if m.arg&(8>>n) != 0 {
			x.address[1+n] = integer(x.value(&m.src[0], n))
		}
	}
}

// litpBound is the bound to which LITP clamps y: 127.99609375, a float24.
const litpBound = 0x42FFFE00

func litp(x *machine, m *micro) {
	var v [4]uint32
	for n := range uint8(4) {
		v[n] = x.pattern(&m.src[0], n)
	}
	f := math.Float32frombits
	x.cc = 0
	if f(v[0]) >= 0 {
		x.cc = 1
	}
	if f(v[3]) >= 0 {
		x.cc |= 2
	}
	if !(f(v[0]) > 0) {
		v[0] = 0
	}
	if !(f(v[3]) > 0) {
		v[3] = 0
	}
	if !(f(v[1]) > -f(litpBound)) {
		v[1] = litpBound | 1<<31
	}
	if !(f(v[1]) < f(litpBound)) {
		v[1] = litpBound
	}
	v[2] = 0
	x.scatter(m, v)
}
