package float24_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/pica"
	f24 "github.com/picaproof/picaproof/pica/float24"
)

// A model is a hypothesis about the console's arithmetic: correctly rounded (profile f24), or
// truncating (profile hw).
type model int

const (
	nearest model = iota
	truncating
)

// operations compute with values, one function for each model. Functions of one operand ignore the
// second.
var operations = map[string][2]func(a, b float64) float64{
	"add": {func(a, b float64) float64 { return f24.RoundNearest(a + b) }, f24.AddTruncated},
	"mul": {f24.MulNearest, f24.MulTruncated},
	"rcp": unary(f24.Reciprocal),
	"rsq": unary(f24.ReciprocalRoot),
	"ex2": unary(f24.Exp2),
	"lg2": unary(f24.Log2),
	"flr": unary(f24.Floor),
}

// unary gives both models of a function that rounds to nearest.
func unary(f func(float64) float64) [2]func(a, b float64) float64 {
	return [2]func(a, b float64) float64{
		func(a, _ float64) float64 { return f(a) },
		func(a, _ float64) float64 { return f24.Flush(f(a)) },
	}
}

// apply computes with patterns.
func (m model) apply(operation string, a, b uint32) uint32 {
	x, y := value(a), value(b)
	if m == truncating {
		x, y = f24.Flush(x), f24.Flush(y)
	}
	return pica.Float24.Narrow(math.Float32bits(float32(operations[operation][m](x, y))))
}

// value returns the number that a pattern stands for.
func value(x uint32) float64 { return float64(math.Float32frombits(pica.Float24.Widen(x))) }

// stream draws operands by xorshift from 1: either the low 24 bits (uniform), or numbers of middling
// size (normal).
type stream struct {
	x      uint32
	normal bool
}

func (s *stream) next() uint32 {
	s.x ^= s.x << 13
	s.x ^= s.x >> 17
	s.x ^= s.x << 5
	if s.normal {
		return s.x&0x80FFFF | (56+s.x>>24&15)<<16
	}
	return s.x & 0xFFFFFF
}

// goldenHashes were computed by two or more independent exact implementations:
// uniform stream nearest and truncating, normal stream nearest and truncating.
var goldenHashes = map[string][4]uint64{
	"add": {0xf56288f93d704dab, 0x61a6bd562764d3d7, 0xf987a630e88ce5ff, 0xd8dd894b4bd74f1b},
	"mul": {0x28419ceb7bd11f74, 0xbe9b9363c121afcf, 0x92660476859d5846, 0x1ed80c8ac206f9ff},
	"rcp": {0xbd58cc4278d60f5e, 0xdda1ab4ad1be7bee, 0x99ddb7ea8170dd59, 0x99ddb7ea8170dd59},
	"rsq": {0x9348827f141241f3, 0x87f6ca48169bdf70, 0x27cbcbf9a548feb4, 0x27cbcbf9a548feb4},
	"ex2": {0xe2b721bd09cf9483, 0xcbbcf6c12082decc, 0x7ebbf672d5bf1e68, 0x073c292ba5cd618e},
	"lg2": {0xea16069d12ff1f9b, 0x395597b5a6b0ffbc, 0x128528b345c9828a, 0x128528b345c9828a},
	"flr": {0x2f4dd80b1a22a594, 0x94dfca70479795b4, 0x7cef962ee66a2c5f, 0x7cef962ee66a2c5f},
}

func TestGoldenHashes(t *testing.T) {
	for op, hashes := range goldenHashes {
		for k, want := range hashes {
			m := model(k % 2)
			s := &stream{x: 1, normal: k >= 2}
			h := uint64(fnvStart)
			for range 200000 {
				a, b := s.next(), uint32(0)
				if op == "add" || op == "mul" {
					b = s.next()
				}
				h = fnvWord(h, m.apply(op, a, b))
			}
			if h != want {
				t.Errorf("%s, normal stream %t, model %d: got %016x, want %016x", op, s.normal, m, h, want)
			}
		}
	}
}

// fnvStart is the FNV-1a hash of nothing.
const fnvStart = 0xcbf29ce484222325

// fnvWord appends a little-endian word to an FNV-1a hash.
func fnvWord(h uint64, w uint32) uint64 {
	for k := range 4 {
		h = (h ^ uint64(byte(w>>(8*k)))) * 0x100000001b3
	}
	return h
}

// TestGoldenTables hashes 16 operands in 2032, in long runs all.
func TestGoldenTables(t *testing.T) {
	type span struct{ first, last uint32 }
	positive, negative := span{0x010000, 0x7EFFFF}, span{0x810000, 0xFEFFFF}
	type table struct {
		name   string
		spans  []span
		want   uint64
		sample uint64 // the oracle has the same
	}
	tables := []table{
		{"lg2", []span{positive}, 0x052eef94410de756, 0x64f0c6d4dd81f812},
		{"rsq", []span{positive}, 0x32527bfc57a4f17e, 0xcdd4f6bae5c109e0},
		{"ex2", []span{positive, negative}, 0x75b00be7960253a2, 0xa45d2228f34341c4},
	}
	hash := func(c table, step uint32, want uint64) {
		t.Run(fmt.Sprintf("%s/%d", c.name, step), func(t *testing.T) {
			t.Parallel()
			h := uint64(fnvStart)
			for _, s := range c.spans {
				for x := s.first; x <= s.last; x += step {
					for i := range uint32(16) {
						h = fnvWord(h, truncating.apply(c.name, x+i, 0))
					}
				}
			}
			if h != want {
				t.Errorf("got %016x, want %016x", h, want)
			}
		})
	}
	for _, c := range tables {
		hash(c, 16*127, c.sample)
	}
	for _, c := range long.Extra(t, tables) {
		hash(c, 16, c.want)
	}
}

func TestPointVectors(t *testing.T) {
	for _, v := range []struct {
		op                 string
		a, b, nearest, cut uint32
	}{
		{"add", 0x3F0000, 0x2E0000, 0x3F0000, 0x3F0000},
		{"add", 0x3F0001, 0x2E0000, 0x3F0002, 0x3F0001},
		{"add", 0x3F0000, 0xAE0000, 0x3EFFFF, 0x3EFFFF},
		{"add", 0x3F0000, 0xAD0000, 0x3F0000, 0x3EFFFF},
		{"add", 0x3F0000, 0x810000, 0x3F0000, 0x3EFFFF},
		{"add", 0x7EFFFF, 0x7EFFFF, 0x7F0000, 0x7F0000},
		{"add", 0x7EFFFF, 0x6D0000, 0x7F0000, 0x7EFFFF},
		{"add", 0x010000, 0x818000, 0x808000, 0x000000},
		{"add", 0x000001, 0x000001, 0x000002, 0x000000},
		{"add", 0x800000, 0x800000, 0x800000, 0x000000},
		{"add", 0x3FFFFF, 0x2E0000, 0x400000, 0x3FFFFF},
		{"add", 0x7F0000, 0xFF0000, 0x7F8000, 0x7F8000},
		{"add", 0x7F0000, 0xFEFFFF, 0x7F0000, 0x7F0000},
		{"add", 0xFFFFFF, 0x000000, 0x7F8000, 0x7F8000},
		{"add", 0x3F0000, 0xBF0000, 0x000000, 0x000000},
		{"add", 0x7E0000, 0x810000, 0x7E0000, 0x7DFFFF},
		{"mul", 0x3F0001, 0x3F0001, 0x3F0002, 0x3F0002},
		{"mul", 0x3F8000, 0x3F5555, 0x400000, 0x3FFFFF},
		{"mul", 0x3FFFFF, 0x3FFFFF, 0x40FFFE, 0x40FFFE},
		{"mul", 0x010000, 0x3E0000, 0x008000, 0x000000},
		{"mul", 0x000001, 0x7F0000, 0x7F0000, 0x000000},
		{"mul", 0x800000, 0x7F0000, 0x000000, 0x000000},
		{"mul", 0x7F8000, 0x000000, 0x7F8000, 0x7F8000},
		{"mul", 0xBF0000, 0x000000, 0x800000, 0x000000},
		{"mul", 0x7E0000, 0x400000, 0x7F0000, 0x7F0000},
		{"mul", 0x5F0000, 0x5F0000, 0x7F0000, 0x7F0000},
		{"rcp", 0x408000, 0, 0x3D5555, 0x3D5555},
		{"rcp", 0x3B9999, 0, 0x424000, 0x424000},
		{"rcp", 0x7EFFFF, 0, 0x004000, 0x000000},
		{"rcp", 0x7D0000, 0, 0x010000, 0x010000},
		{"rcp", 0x7D0001, 0, 0x00FFFF, 0x000000},
		{"rcp", 0x000001, 0, 0x7F0000, 0x7F0000},
		{"rcp", 0x800000, 0, 0x7F0000, 0x7F0000},
		{"rcp", 0xFF0000, 0, 0x800000, 0x000000},
		{"rsq", 0x408000, 0, 0x3E279A, 0x3E279A},
		{"rsq", 0x000001, 0, 0x660000, 0x7F0000},
		{"rsq", 0x7F0000, 0, 0x000000, 0x000000},
		{"rsq", 0x800000, 0, 0x7F0000, 0x7F0000},
		{"rsq", 0xBF0000, 0, 0x7F8000, 0x7F8000},
		{"rsq", 0xFF0000, 0, 0x7F8000, 0x7F8000},
		{"ex2", 0x3E0000, 0, 0x3F6A0A, 0x3F6A0A},
		{"ex2", 0xC4F000, 0, 0x010000, 0x010000},
		{"ex2", 0xC50000, 0, 0x004000, 0x000000},
		{"ex2", 0x450000, 0, 0x7F0000, 0x7F0000},
		{"ex2", 0xFF0000, 0, 0x000000, 0x000000},
		{"ex2", 0x800000, 0, 0x3F0000, 0x3F0000},
		{"lg2", 0x408000, 0, 0x3F95C0, 0x3F95C0},
		{"lg2", 0x3B9999, 0, 0xC0A935, 0xC0A935},
		{"lg2", 0x7EFFFF, 0, 0x450000, 0x450000},
		{"lg2", 0x000001, 0, 0xC53800, 0xFF0000},
		{"lg2", 0x800000, 0, 0xFF0000, 0xFF0000},
		{"lg2", 0x3F0000, 0, 0x000000, 0x000000},
		{"lg2", 0xBF0000, 0, 0x7F8000, 0x7F8000},
		{"flr", 0x9F0000, 0, 0xBF0000, 0xBF0000},
		{"flr", 0x800000, 0, 0x800000, 0x000000},
		{"flr", 0x800001, 0, 0xBF0000, 0x000000},
		{"flr", 0xFF0001, 0, 0x7F8000, 0x7F8000},
	} {
		for m, want := range []uint32{v.nearest, v.cut} {
			if got := model(m).apply(v.op, v.a, v.b); got != want {
				t.Errorf("%s %06X, %06X, model %d: got %06X, want %06X", v.op, v.a, v.b, m, got, want)
			}
		}
	}
}

// TestConsoleFacts checks observations on consoles in both models; observations about instructions of
// several steps are vectors of the corpus.
func TestConsoleFacts(t *testing.T) {
	const zero, one, inf, ninf, nan = 0, 0x3F0000, 0x7F0000, 0xFF0000, 0x7F8000
	for m := range model(2) {
		check := func(what string, got, want uint32) {
			t.Helper()
			if got != want {
				t.Errorf("model %d: %s: got %06X, want %06X", m, what, got, want)
			}
		}
		check("mul(inf, 0)", m.apply("mul", inf, zero), zero)
		check("mul(0, inf)", m.apply("mul", zero, inf), zero)
		check("mul(nan, 0)", m.apply("mul", nan, zero), nan)
		check("mul(0, nan)", m.apply("mul", zero, nan), nan)
		check("add(inf, -inf)", m.apply("add", inf, ninf), nan)
		check("rcp(nan)", m.apply("rcp", nan, 0), nan)
		check("rsq(rcp(-inf))", m.apply("rsq", m.apply("rcp", ninf, 0), 0), inf)
		check("lg2(rcp(-inf))", m.apply("lg2", m.apply("rcp", ninf, 0), 0), ninf)
		check("ex2(-inf)", m.apply("ex2", ninf, 0), zero)
		check("-flr(-0.1)", m.apply("flr", 0xBB9999, 0)^1<<23, one)
	}
	n := 0
	for x := uint32(one); x != zero; n++ {
		x = truncating.apply("mul", x, 0x3E0000)
	}
	if n != 63 {
		t.Errorf("1 is halved %d times before it is 0, want 63", n)
	}
}

func BenchmarkArithmetic(b *testing.B) {
	for name := range operations {
		for m, model := range []string{"nearest", "truncating"} {
			b.Run(fmt.Sprintf("%s/%s", name, model), func(b *testing.B) {
				b.ReportAllocs()
				s := &stream{x: 1, normal: true}
				f := operations[name][m]
				for b.Loop() {
					sink = f(value(s.next()), value(s.next()))
				}
			})
		}
	}
}

// sink keeps results alive.
var sink float64
