package vm

import (
	"math"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
)

// The batch tier in plain Go. A kernel computes an operation for all lanes in use; if
// only lanes under a mask may change, its results go to laneResult first.

// exec computes one record.
func (m *laneMachine) exec(r *record) {
	switch r.op {
	case laneCmp:
		m.compare(r)
		return
	case laneMova:
		m.mova(r)
		return
	case laneFetch:
		m.fetch(r)
		return
	}
	d := m.lane(r.dst)
	if m.mask == m.all {
		m.compute(r, d)
		return
	}
	var result laneVec
	m.compute(r, &result)
	for l := range m.n {
		if m.mask>>l&1 != 0 {
			d[l&63] = result[l&63]
		}
	}
}

// operand returns the lanes of operand k. A constant is spread, and signs are
// flipped, in lanes of their own.
func (m *laneMachine) operand(r *record, k int) *laneVec {
	to := &m.spare[k%3]
	switch {
	case r.constant(k):
		v := *m.konst(r.src[k&7]) ^ r.negate
		for l := range m.n {
			to[l&63] = v
		}
	case r.negated == uint8(k+1):
		v := m.lane(r.src[k&7])
		for l := range m.n {
			to[l&63] = v[l&63] ^ 1<<31
		}
	default:
		return m.lane(r.src[k&7])
	}
	return to
}

func number(x uint32) float32 { return math.Float32frombits(x) }

// compute stores the results of a record in d; d may be an operand.
func (m *laneMachine) compute(r *record, d *laneVec) {
	if r.op == laneDot3 || r.op == laneDot4 {
		m.dot(r, d)
		return
	}
	a := m.operand(r, 0)
	switch r.op {
	case laneMov:
		copy(d[:m.n&127], a[:])
		return
	case laneNeg:
		for l := range m.n {
			d[l&63] = a[l&63] ^ 1<<31
		}
		return
	case laneFlr, laneRcp, laneRsq, laneEx2, laneLg2:
		f := unary[m.model][r.op-laneFlr]
		for l := range m.n {
			d[l&63] = f(a[l&63])
		}
		return
	}
	b := m.operand(r, 1)
	switch r.op {
	case laneMax:
		for l := range m.n {
			x, y := a[l&63], b[l&63]
			if number(x) > number(y) {
				y = x
			}
			d[l&63] = y
		}
	case laneMin:
		for l := range m.n {
			x, y := a[l&63], b[l&63]
			if number(x) < number(y) {
				y = x
			}
			d[l&63] = y
		}
	case laneSge:
		for l := range m.n {
			v := uint32(0)
			if number(a[l&63]) >= number(b[l&63]) {
				v = one32
			}
			d[l&63] = v
		}
	case laneSlt:
		for l := range m.n {
			v := uint32(0)
			if number(a[l&63]) < number(b[l&63]) {
				v = one32
			}
			d[l&63] = v
		}
	case laneAdd:
		m.add(d, a, b)
	case laneMul:
		m.mul(d, a, b)
	case laneMad:
		var product laneVec
		c := m.operand(r, 2)
		m.mul(&product, a, b)
		m.add(d, &product, c)
	}
}

func (m *laneMachine) add(d, a, b *laneVec) {
	switch m.model {
	case single:
		for l := range m.n {
			d[l&63] = canonical(number(a[l&63]) + number(b[l&63]))
		}
	case nearest:
		for l := range m.n {
			sum := float64(number(a[l&63])) + float64(number(b[l&63]))
			if float24.Regular(sum) {
				sum = float24.RoundRegular(sum)
			} else {
				sum = float24.RoundNearest(sum)
			}
			d[l&63] = narrow(sum)
		}
	case truncating:
		for l := range m.n {
			x, y := float24.Flush(float64(number(a[l&63]))), float24.Flush(float64(number(b[l&63])))
			sum := x + y
			if exact(x, y, sum) && float24.Regular(sum) {
				sum = float24.CutRegular(sum)
			} else {
				sum = float24.AddTruncated(x, y)
			}
			d[l&63] = narrow(sum)
		}
	}
}

func (m *laneMachine) mul(d, a, b *laneVec) {
	switch m.model {
	case single:
		for l := range m.n {
			d[l&63] = canonical(product(number(a[l&63]), number(b[l&63])))
		}
	case nearest:
		for l := range m.n {
			x, y := float64(number(a[l&63])), float64(number(b[l&63]))
			p := x * y
			if float24.Regular(p) {
				p = float24.RoundRegular(p)
			} else {
				p = float24.MulNearest(x, y)
			}
			d[l&63] = narrow(p)
		}
	case truncating:
		for l := range m.n {
			x, y := float24.Flush(float64(number(a[l&63]))), float24.Flush(float64(number(b[l&63])))
			p := x * y
			if float24.Regular(p) {
				p = float24.CutRegular(p) + 0
			} else {
				p = float24.MulTruncated(x, y)
			}
			d[l&63] = narrow(p)
		}
	}
}

// dot sums from the left; profile f32 starts with +0.
func (m *laneMachine) dot(r *record, d *laneVec) {
	var sum, product laneVec
	count := int(r.op-laneDot3) + 3
	for k := range count {
		a, b := m.operand(r, k), m.lane(r.src[4+k&7])
		switch {
		case k > 0:
			m.mul(&product, a, b)
			m.add(&sum, &sum, &product)
		case m.model == single:
			m.mul(&product, a, b)
			m.add(&sum, &sum, &product)
		default:
			m.mul(&sum, a, b)
		}
	}
	*d = sum
}

// unary holds the operations of one operand, from laneFlr, of each model.
var unary = [numModels][5]func(uint32) uint32{
	nearest: {
		rounded(float24.Floor), rounded(float24.Reciprocal), rounded(float24.ReciprocalRoot), rounded(float24.Exp2),
		rounded(float24.Log2),
	},
	truncating: {
		flushed(float24.Floor), flushed(float24.Reciprocal), flushed(float24.ReciprocalRoot), flushed(float24.Exp2),
		flushed(float24.Log2),
	},
	single: {
		func(x uint32) uint32 { return canonical(float32(math.Floor(float64(number(x))))) },
		func(x uint32) uint32 { return canonical(1 / number(x)) },
		func(x uint32) uint32 { return canonical(1 / float32(math.Sqrt(float64(number(x))))) },
		func(x uint32) uint32 { return canonical(exp2(number(x))) },
		func(x uint32) uint32 { return canonical(log2(number(x))) },
	},
}

func rounded(f func(float64) float64) func(uint32) uint32 {
	return func(x uint32) uint32 { return narrow(f(float64(number(x)))) }
}

func flushed(f func(float64) float64) func(uint32) uint32 {
	return func(x uint32) uint32 { return narrow(float24.Flush(f(float24.Flush(float64(number(x)))))) }
}

func (m *laneMachine) compare(r *record) {
	a, b := m.operand(r, 0), m.operand(r, 1)
	accepts := r.arg >> 4
	bits := uint64(0)
	for l := range m.n {
		bits |= uint64(accepts>>relation(number(a[l&63]), number(b[l&63]))&1) << l
	}
	cc := &m.cc[r.arg&1]
	*cc = *cc&^m.mask | bits&m.mask
}

func (m *laneMachine) mova(r *record) {
	a, d := m.lane(r.src[0]), &m.address[r.arg%3]
	for l := range m.n {
		if m.mask>>l&1 != 0 {
			d[l&63] = uint32(integer(number(a[l&63])))
		}
	}
}

// window returns the row of a relative address, see fetchRelative.
func window(base uint32, offset int32) uint32 {
	if offset < -128 || offset > 127 {
		offset = 0
	}
	return (base + uint32(offset)) & 0x7F
}

func (m *laneMachine) fetch(r *record) {
	address := &m.address[r.arg%3]
	d := (*[4]laneVec)(m.file[r.dst/(4*laneCount):])
	for l := range m.n {
		row := &m.rows[window(r.base, int32(address[l&63]))]
		for k := range d {
			d[k][l&63] = row[k]
		}
	}
}

// regular reports whether native arithmetic can compute with the lanes of a vector.
func (m *laneMachine) regular(v *laneVec) bool {
	for l := range m.n {
		if !plainNumber(m.model, v[l&63]) {
			return false
		}
	}
	return true
}

// plainNumber reports whether native arithmetic can compute with a pattern: in profile
// f32 with all but NaN, in the others with zeros and normal finite float24.
func plainNumber(m model, x uint32) bool {
	x &^= 1 << 31
	if m == single {
		return x <= 0x7F800000
	}
	return x == 0 || x-0x20800000 < 0x5F800000-0x20800000 && x&0x7F == 0
}

// row loads literal rows behind the c registers.
var literals = [2]pica.Vec4{{0, one32, one32 | 1<<31, 0}, {litpBound | 1<<31, litpBound, 0, 0}}
