package cover_test

import (
	"math/big"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// TestRoundingDirections compares the directions that the recorder computes on integers
// with exact rational arithmetic.
func TestRoundingDirections(t *testing.T) {
	const seed, runs = 1, 4000
	var job pica.Job
	var r cover.Recorder
	var out pica.Outcome
	engine := impl.Watched(&r)
	job.InputFormat, job.Descriptors = pica.Float24,
		[]uint32{uint32(pica.MakeDescriptor(8, [3]bool{}, [3]uint8{27, 27, 27}))}
	seen := map[string]int{}
	for _, op := range []pica.Opcode{pica.ADD, pica.MUL} {
		layout := op.Layout()
		job.Code = []uint32{layout.Src[1].Put(layout.Dest.Put(uint32(op)<<26, pica.DestTemporary), 1), end}
		for n := range uint64(runs) {
			x := gen.Seed(seed, n).Uint64()
			a, b := uint32(x)&0xFFFFFF, uint32(x>>24)&0xFFFFFF
			if x>>63 != 0 { // near each other, so that sums cancel and overflow
				b = b&0x80FFFF | (a+uint32(x>>58&0xF)<<16)&0x7F0000
			}
			if x>>62&1 != 0 { // few bits, so that results are exact or ties
				a, b = a&0xFFFF00, b&0xFFFF00
			}
			if n == 0 {
				a, b = 0x7EFFFF, 0x7EFFFF
			}
			job.Vertices = [][]pica.Vec4{{{a}, {b}}}
			r.Reached = cover.Set{}
			if err := engine.Run(&job, &out); err != nil {
				t.Fatal(err)
			}
			want := exactDirection(op, a, b, out.Vertices[0].R[0][0])
			if want == "" {
				continue
			}
			name := op.String() + "/round=" + want
			seen[name]++
			if !r.Reached.Has(named(t, name)) {
				t.Errorf("seed %d, job %d: %v %06x, %06x is %06x: want %s", seed, n, op, a, b,
					out.Vertices[0].R[0][0], want)
			}
		}
	}
	if len(seen) != 6+7 {
		t.Errorf("seen %v", seen)
	}
}

// TestProducts: the points of the product of a MAD, and the rounding of the sum if the
// product is exact.
func TestProducts(t *testing.T) {
	for _, x := range []struct {
		a, b, c    uint32
		has, lacks string
	}{
		{0x3F0000, 0x3F0000, 0x2E0000, "mad/product=exact mad/round=tie_down", "mad/product=rounded"},
		{0x3F0001, 0x3F0000, 0x2E0000, "mad/product=exact mad/round=tie_up", "mad/round=up"},
		{0x3F0000, 0x3F0000, 0x2E0001, "mad/product=exact mad/round=up", "mad/round=tie_up"},
		{0x3F0001, 0x3F0001, 0x3F0000, "mad/product=rounded", "mad/product=exact mad/round=exact mad/round=down"},
		// to the next power of two
		{0x3EFFFF, 0x3F0000, 0x2D0000, "mad/product=exact mad/round=tie_up", "mad/round=up"},
		{0x7E0000, 0x3F0000, 0x3F0000, "mad/product=exact mad/round=down", "mad/product=overflow"},
		{0x7E0000, 0x3F0000, 0x7E0000, "mad/product=exact mad/round=overflow", "mad/product=overflow"},
		{0x7E0000, 0x400000, 0x3F0000, "mad/product=overflow", "mad/product=exact mad/round=overflow"},
		{0x010000, 0x3E0000, 0x010000, "mad/product=exact mad/round=exact", "mad/product=underflow"},
		{0x010001, 0x3E0000, 0x010000, "mad/product=underflow", "mad/product=exact"},
		{0x7F0000, 0x3F0000, 0x3F0000, "mad/src1=+inf", "mad/product=exact mad/product=overflow"},
	} {
		layout := pica.MAD.Layout()
		code := layout.Dest.Put(uint32(pica.MAD)<<26, pica.DestTemporary)
		for k, f := range layout.Src {
			code = f.Put(code, uint32(k))
		}
		got := points(t, &pica.Job{
			Program: pica.Program{Code: []uint32{code, end},
				Descriptors: []uint32{uint32(pica.MakeDescriptor(8, [3]bool{}, [3]uint8{}))}},
			Vertices: [][]pica.Vec4{{{x.a}, {x.b}, {x.c}}}, InputFormat: pica.Float24,
		})
		expect(t, got, x.has, x.lacks)
	}
}

// exactDirection names the direction in which the exact result was rounded; empty if an
// operand is zero or not finite.
func exactDirection(op pica.Opcode, a, b, result uint32) string {
	x, okX := rational(a)
	y, okY := rational(b)
	if !okX || !okY || x.Sign() == 0 || y.Sign() == 0 {
		return ""
	}
	z := new(big.Rat).Add(x, y)
	if op == pica.MUL {
		z.Mul(x, y)
	}
	r, ok := rational(result)
	if !ok {
		return "overflow"
	}
	magnitude := result & 0x7FFFFF
	difference := new(big.Rat).Sub(z.Abs(z), r.Abs(r))
	direction := []string{"up", "exact", "down"}[difference.Sign()+1]
	if direction == "exact" {
		return direction
	}
	if magnitude < 0x010000 {
		return "underflow"
	}
	// The other candidate is the neighbour on the side of the exact value.
	other, _ := rational(magnitude + uint32(difference.Sign()))
	middle := new(big.Rat).Add(r, other)
	if middle.Cmp(z.Add(z, z)) == 0 {
		return "tie " + direction
	}
	return direction
}

// rational returns the value of a raw float24; ok is false for infinities and
// NaN.
func rational(x uint32) (v *big.Rat, ok bool) {
	e, m := int(x>>16&0x7F), int64(x&0xFFFF)
	if e == 0x7F {
		return nil, false
	}
	if e > 0 {
		m |= 1 << 16
		e--
	}
	if x>>23 != 0 {
		m = -m
	}
	v = new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(m), uint(e)))
	return v.Quo(v, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 78))), true
}
