package vm

import (
	"math"

	"github.com/picaproof/picaproof/pica/float24"
)

// Profile f24: sums and products in binary64, each rounded to nearest float24.
// Rounding a sum of two float24 twice does no harm; a product is exact before it is
// rounded.

// wide returns entry n of an operand in binary64.
func (x *machine) wide(o *operand, n uint8) float64 { return float64(x.value(o, n)) }

// narrow returns the pattern of a number that is a float24.
func narrow(v float64) uint32 { return math.Float32bits(float32(v)) }

func addNearest(x *machine, m *micro) {
	for n := range m.n {
		sum := x.wide(&m.src[0], n) + x.wide(&m.src[1], n)
		if float24.Regular(sum) {
			sum = float24.RoundRegular(sum)
		} else {
			sum = float24.RoundNearest(sum)
		}
		x.file[m.dest[n&3]&fileMask] = narrow(sum)
	}
}

func mulNearest(x *machine, m *micro) {
	for n := range m.n {
		a, b := x.wide(&m.src[0], n), x.wide(&m.src[1], n)
		product := a * b
		if float24.Regular(product) {
			product = float24.RoundRegular(product)
		} else {
			product = float24.MulNearest(a, b)
		}
		x.file[m.dest[n&3]&fileMask] = narrow(product)
	}
}

func madNearest(x *machine, m *micro) {
	for n := range m.n {
		a, b, c := x.wide(&m.src[0], n), x.wide(&m.src[1], n), x.wide(&m.src[2], n)
		product := a * b
		if float24.Regular(product) {
			product = float24.RoundRegular(product)
		} else {
			product = float24.MulNearest(a, b)
		}
		sum := product + c
		if float24.Regular(sum) {
			sum = float24.RoundRegular(sum)
		} else {
			sum = float24.RoundNearest(sum)
		}
		x.file[m.dest[n&3]&fileMask] = narrow(sum)
	}
}

// dotNearest sums the products of the first count components from the left.
// Adding the first one to a negative zero changes nothing.
func (x *machine) dotNearest(m *micro, count uint8) float64 {
	sum := math.Copysign(0, -1)
	for n := range count {
		a, b := x.wide(&m.src[0], n), x.wide(&m.src[1], n)
		product := a * b
		if float24.Regular(product) {
			product = float24.RoundRegular(product)
		} else {
			product = float24.MulNearest(a, b)
		}
		sum += product
		if float24.Regular(sum) {
			sum = float24.RoundRegular(sum)
		} else {
			sum = float24.RoundNearest(sum)
		}
	}
	return sum
}

func dp3Nearest(x *machine, m *micro) { x.broadcast(m, narrow(x.dotNearest(m, 3))) }
func dp4Nearest(x *machine, m *micro) { x.broadcast(m, narrow(x.dotNearest(m, 4))) }

func dphNearest(x *machine, m *micro) {
	last := float24.MulNearest(1, x.wide(&m.src[1], 3))
	x.broadcast(m, narrow(float24.RoundNearest(x.dotNearest(m, 3)+last)))
}

func dstNearest(x *machine, m *micro) {
	product := float24.MulNearest(x.wide(&m.src[0], 1), x.wide(&m.src[1], 1))
	x.scatter(m, [4]uint32{one32, narrow(product), x.pattern(&m.src[0], 2), x.pattern(&m.src[1], 3)})
}

func flrNearest(x *machine, m *micro) {
	for n := range m.n {
		x.file[m.dest[n&3]&fileMask] = narrow(float24.Floor(x.wide(&m.src[0], n)))
	}
}

func rcpNearest(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.Reciprocal(x.wide(&m.src[0], 0))))
}

func rsqNearest(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.ReciprocalRoot(x.wide(&m.src[0], 0))))
}

func ex2Nearest(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.Exp2(x.wide(&m.src[0], 0))))
}

func lg2Nearest(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.Log2(x.wide(&m.src[0], 0))))
}
