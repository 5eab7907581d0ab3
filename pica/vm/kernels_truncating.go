package vm

import "github.com/picaproof/picaproof/pica/float24"

// Profile hw: operands of arithmetic that are zero or subnormal count as +0,
// sums and products are cut, results below 2^-62 are +0.

// flushed returns entry n of an operand, flushed as arithmetic does.
func (x *machine) flushed(o *operand, n uint8) float64 { return float24.Flush(x.wide(o, n)) }

func addTruncated(x *machine, m *micro) {
	for n := range m.n {
		a, b := x.flushed(&m.src[0], n), x.flushed(&m.src[1], n)
		sum := a + b
		if exact(a, b, sum) && float24.Regular(sum) {
			sum = float24.CutRegular(sum)
		} else {
			sum = float24.AddTruncated(a, b)
		}
		x.file[m.dest[n&3]&fileMask] = narrow(sum)
	}
}

// exact reports whether a sum is exact.
func exact(a, b, sum float64) bool { return sum-a == b && sum-b == a }

func mulTruncated(x *machine, m *micro) {
	for n := range m.n {
		a, b := x.flushed(&m.src[0], n), x.flushed(&m.src[1], n)
		product := a * b
		if float24.Regular(product) {
			product = float24.CutRegular(product) + 0
		} else {
			product = float24.MulTruncated(a, b)
		}
		x.file[m.dest[n&3]&fileMask] = narrow(product)
	}
}

func madTruncated(x *machine, m *micro) {
	for n := range m.n {
		a, b, c := x.flushed(&m.src[0], n), x.flushed(&m.src[1], n), x.flushed(&m.src[2], n)
		product := a * b
		if float24.Regular(product) {
			product = float24.CutRegular(product)
		} else {
			product = float24.MulTruncated(a, b)
		}
		sum := product + c
		if exact(product, c, sum) && float24.Regular(sum) {
			sum = float24.CutRegular(sum)
		} else {
			sum = float24.AddTruncated(product, c)
		}
		x.file[m.dest[n&3]&fileMask] = narrow(sum)
	}
}

// dotTruncated sums the products of the first count components from the left. A zero
// sum is positive, because the sum starts with +0.
func (x *machine) dotTruncated(m *micro, count uint8) float64 {
	sum := 0.0
	for n := range count {
		a, b := x.flushed(&m.src[0], n), x.flushed(&m.src[1], n)
		product := a * b
		if float24.Regular(product) {
			product = float24.CutRegular(product)
		} else {
			product = float24.MulTruncated(a, b)
		}
		before := sum
		sum += product
		if exact(before, product, sum) && float24.Regular(sum) {
			sum = float24.CutRegular(sum)
		} else {
			sum = float24.AddTruncated(before, product)
		}
	}
	return sum
}

func dp3Truncated(x *machine, m *micro) { x.broadcast(m, narrow(x.dotTruncated(m, 3))) }
func dp4Truncated(x *machine, m *micro) { x.broadcast(m, narrow(x.dotTruncated(m, 4))) }

func dphTruncated(x *machine, m *micro) {
	last := float24.MulTruncated(1, x.flushed(&m.src[1], 3))
	x.broadcast(m, narrow(float24.AddTruncated(x.dotTruncated(m, 3), last)))
}

func dstTruncated(x *machine, m *micro) {
	product := float24.MulTruncated(x.flushed(&m.src[0], 1), x.flushed(&m.src[1], 1))
	x.scatter(m, [4]uint32{one32, narrow(product), x.pattern(&m.src[0], 2), x.pattern(&m.src[1], 3)})
}

func flrTruncated(x *machine, m *micro) {
	for n := range m.n {
		x.file[m.dest[n&3]&fileMask] = narrow(float24.Floor(x.flushed(&m.src[0], n)))
	}
}

func rcpTruncated(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.Flush(float24.Reciprocal(x.flushed(&m.src[0], 0)))))
}

func rsqTruncated(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.Flush(float24.ReciprocalRoot(x.flushed(&m.src[0], 0)))))
}

func ex2Truncated(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.Flush(float24.Exp2(x.flushed(&m.src[0], 0)))))
}

func lg2Truncated(x *machine, m *micro) {
	x.broadcast(m, narrow(float24.Flush(float24.Log2(x.flushed(&m.src[0], 0)))))
}
