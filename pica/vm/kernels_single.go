package vm

import "math"

// Profile f32: binary32, to nearest, nothing fused (hence the conversions of
// products). Arithmetic has one NaN as result.

// nan32 is the NaN of binary32 arithmetic.
const nan32 = 0x7FC00000

// canonical returns the pattern of a result.
func canonical(v float32) uint32 {
	if v != v {
		return nan32
	}
	return math.Float32bits(v)
}

// product multiplies; a NaN that is not an operand's is +0.
func product(a, b float32) float32 {
	p := float32(a * b)
	if p != p && a == a && b == b {
		return 0
	}
	return p
}

func addSingle(x *machine, m *micro) {
	for n := range m.n {
		x.file[m.dest[n&3]&fileMask] = canonical(x.value(&m.src[0], n) + x.value(&m.src[1], n))
	}
}

func mulSingle(x *machine, m *micro) {
	for n := range m.n {
		x.file[m.dest[n&3]&fileMask] = canonical(product(x.value(&m.src[0], n), x.value(&m.src[1], n)))
	}
}

func madSingle(x *machine, m *micro) {
	for n := range m.n {
		a, b, c := x.value(&m.src[0], n), x.value(&m.src[1], n), x.value(&m.src[2], n)
		sum := float32(a*b) + c
		if sum != sum {
			sum = product(a, b) + c
		}
		x.file[m.dest[n&3]&fileMask] = canonical(sum)
	}
}

// dotSingle sums the products of the first count components from the left,
// starting with +0.
func (x *machine) dotSingle(m *micro, count uint8) float32 {
	sum := float32(0)
	for n := range count {
		sum += float32(x.value(&m.src[0], n) * x.value(&m.src[1], n))
	}
	if sum == sum {
		return sum
	}
	sum = 0
	for n := range count {
		sum += product(x.value(&m.src[0], n), x.value(&m.src[1], n))
	}
	return sum
}

func dp3Single(x *machine, m *micro) { x.broadcast(m, canonical(x.dotSingle(m, 3))) }
func dp4Single(x *machine, m *micro) { x.broadcast(m, canonical(x.dotSingle(m, 4))) }

func dphSingle(x *machine, m *micro) {
	x.broadcast(m, canonical(x.dotSingle(m, 3)+x.value(&m.src[1], 3)))
}

func dstSingle(x *machine, m *micro) {
	p := canonical(product(x.value(&m.src[0], 1), x.value(&m.src[1], 1)))
	x.scatter(m, [4]uint32{one32, p, x.pattern(&m.src[0], 2), x.pattern(&m.src[1], 3)})
}

func flrSingle(x *machine, m *micro) {
	for n := range m.n {
		x.file[m.dest[n&3]&fileMask] = canonical(float32(math.Floor(float64(x.value(&m.src[0], n)))))
	}
}

func rcpSingle(x *machine, m *micro) { x.broadcast(m, canonical(1/x.value(&m.src[0], 0))) }

func rsqSingle(x *machine, m *micro) {
	root := float32(math.Sqrt(float64(x.value(&m.src[0], 0))))
	x.broadcast(m, canonical(1/root))
}

func ex2Single(x *machine, m *micro) { x.broadcast(m, canonical(exp2(x.value(&m.src[0], 0)))) }
func lg2Single(x *machine, m *micro) { x.broadcast(m, canonical(log2(x.value(&m.src[0], 0)))) }
