package float24_test

import (
	"fmt"
	"hash/fnv"
	"testing"

	f24 "github.com/picaproof/picaproof/pica/float24"
)

// stream draws operands: xorshift from 1, either the low 24 bits (uniform), or
// numbers of middling size (normal).
type stream struct {
	x      uint32
	normal bool
}

func (s *stream) next() f24.Bits {
	s.x ^= s.x << 13
	s.x ^= s.x >> 17
	s.x ^= s.x << 5
	if s.normal {
		return f24.Bits(s.x&0x80FFFF | (56+s.x>>24&15)<<16)
	}
	return f24.Bits(s.x & 0xFFFFFF)
}

func (s *stream) vec(n int) (v f24.Vec) {
	for k := range n {
		v[k] = s.next()
	}
	return v
}

// operations draw their operands in order and compute one result.
var operations = []struct {
	name string
	run  func(m f24.Arithmetic, s *stream) f24.Bits
}{
	{"add", func(m f24.Arithmetic, s *stream) f24.Bits { a := s.next(); return m.Add(a, s.next()) }},
	{"mul", func(m f24.Arithmetic, s *stream) f24.Bits { a := s.next(); return m.Mul(a, s.next()) }},
	{"mad", func(m f24.Arithmetic, s *stream) f24.Bits { v := s.vec(3); return m.Mad(v[0], v[1], v[2]) }},
	{"dp3", func(m f24.Arithmetic, s *stream) f24.Bits { a := s.vec(3); return m.Dp3(a, s.vec(3)) }},
	{"dp4", func(m f24.Arithmetic, s *stream) f24.Bits { a := s.vec(4); return m.Dp4(a, s.vec(4)) }},
	{"dph", func(m f24.Arithmetic, s *stream) f24.Bits { a := s.vec(3); return m.Dph(a, s.vec(4)) }},
	{"max", func(_ f24.Arithmetic, s *stream) f24.Bits { a := s.next(); return f24.Max(a, s.next()) }},
	{"min", func(_ f24.Arithmetic, s *stream) f24.Bits { a := s.next(); return f24.Min(a, s.next()) }},
	{"rcp", func(m f24.Arithmetic, s *stream) f24.Bits { return m.Rcp(s.next()) }},
	{"rsq", func(m f24.Arithmetic, s *stream) f24.Bits { return m.Rsq(s.next()) }},
	{"ex2", func(m f24.Arithmetic, s *stream) f24.Bits { return m.Ex2(s.next()) }},
	{"lg2", func(m f24.Arithmetic, s *stream) f24.Bits { return m.Lg2(s.next()) }},
	{"flr", func(m f24.Arithmetic, s *stream) f24.Bits { return m.Flr(s.next()) }},
}

// goldenHashes were computed by two or more independent exact implementations:
// uniform stream nearest and truncating, normal stream nearest and truncating.
var goldenHashes = map[string][4]uint64{
	"add": {0xf56288f93d704dab, 0x61a6bd562764d3d7, 0xf987a630e88ce5ff, 0xd8dd894b4bd74f1b},
	"mul": {0x28419ceb7bd11f74, 0xbe9b9363c121afcf, 0x92660476859d5846, 0x1ed80c8ac206f9ff},
	"mad": {0xe8dcc125f38a8c6e, 0x5286fa3e41d8f8b4, 0x4ef555a7c7624d2f, 0xd8dad3fd34d23895},
	"dp3": {0xa9f203f447c2f105, 0x9936071b62209a82, 0xddd67470240cb1b6, 0xac30ce362c731a92},
	"dp4": {0x37f9e28ca31cfc56, 0xedcc1bf28daeb83f, 0x6e2206949d324614, 0x0a7b8f369fc568d2},
	"dph": {0x4ce1790a6e7a9e66, 0xad7c98ef0167accc, 0x172a4823d08d7990, 0x31fbb20b661c2505},
	"max": {0xb7798338e587a2d3, 0xb7798338e587a2d3, 0xf445632be82a778d, 0xf445632be82a778d},
	"min": {0xb3f448350eefb466, 0xb3f448350eefb466, 0x372ab400acf07246, 0x372ab400acf07246},
	"rcp": {0xbd58cc4278d60f5e, 0xdda1ab4ad1be7bee, 0x99ddb7ea8170dd59, 0x99ddb7ea8170dd59},
	"rsq": {0x9348827f141241f3, 0x87f6ca48169bdf70, 0x27cbcbf9a548feb4, 0x27cbcbf9a548feb4},
	"ex2": {0xe2b721bd09cf9483, 0xcbbcf6c12082decc, 0x7ebbf672d5bf1e68, 0x073c292ba5cd618e},
	"lg2": {0xea16069d12ff1f9b, 0x395597b5a6b0ffbc, 0x128528b345c9828a, 0x128528b345c9828a},
	"flr": {0x2f4dd80b1a22a594, 0x94dfca70479795b4, 0x7cef962ee66a2c5f, 0x7cef962ee66a2c5f},
}

func TestGoldenHashes(t *testing.T) {
	for _, op := range operations {
		for k, want := range goldenHashes[op.name] {
			model := f24.Arithmetic(k % 2)
			s := &stream{x: 1, normal: k >= 2}
			h := fnv.New64a()
			for range 200000 {
				x := op.run(model, s)
				h.Write([]byte{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24)})
			}
			if got := h.Sum64(); got != want {
				t.Errorf("%s, normal stream %t, model %d: got %016x, want %016x", op.name, s.normal, model, got, want)
			}
		}
	}
}

// fnvWord appends a little-endian word to an FNV-1a hash.
func fnvWord(h uint64, w uint32) uint64 {
	for k := range 4 {
		h = (h ^ uint64(byte(w>>(8*k)))) * 0x100000001b3
	}
	return h
}

func TestGoldenTables(t *testing.T) {
	type span struct{ first, last f24.Bits }
	positive, negative := span{0x010000, 0x7EFFFF}, span{0x810000, 0xFEFFFF}
	for _, c := range []struct {
		name  string
		f     func(f24.Arithmetic, f24.Bits) f24.Bits
		spans []span
		want  uint64
	}{
		{"lg2", f24.Arithmetic.Lg2, []span{positive}, 0x052eef94410de756},
		{"rsq", f24.Arithmetic.Rsq, []span{positive}, 0x32527bfc57a4f17e},
		{"ex2", f24.Arithmetic.Ex2, []span{positive, negative}, 0x75b00be7960253a2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := uint64(0xcbf29ce484222325)
			for _, s := range c.spans {
				for x := s.first; x <= s.last; x++ {
					h = fnvWord(h, uint32(c.f(f24.Truncating, x)))
				}
			}
			if h != c.want {
				t.Errorf("got %016x, want %016x", h, c.want)
			}
		})
	}
}

func TestPointVectors(t *testing.T) {
	for _, v := range []struct {
		op                 string
		a, b, nearest, cut f24.Bits
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
		for m, want := range []f24.Bits{v.nearest, v.cut} {
			model := f24.Arithmetic(m)
			got := map[string]func() f24.Bits{
				"add": func() f24.Bits { return model.Add(v.a, v.b) },
				"mul": func() f24.Bits { return model.Mul(v.a, v.b) },
				"rcp": func() f24.Bits { return model.Rcp(v.a) },
				"rsq": func() f24.Bits { return model.Rsq(v.a) },
				"ex2": func() f24.Bits { return model.Ex2(v.a) },
				"lg2": func() f24.Bits { return model.Lg2(v.a) },
				"flr": func() f24.Bits { return model.Flr(v.a) },
			}[v.op]()
			if got != want {
				t.Errorf("%s %06X, %06X, model %d: got %06X, want %06X", v.op, v.a, v.b, model, got, want)
			}
		}
	}
}

// What was seen on consoles, and holds in both models.
func TestConsoleFacts(t *testing.T) {
	const zero, one, inf, ninf, nan = f24.Zero, f24.One, f24.PosInf, f24.NegInf, f24.QNaN
	for m := range f24.Arithmetic(2) {
		check := func(what string, got, want f24.Bits) {
			t.Helper()
			if got != want {
				t.Errorf("model %d: %s: got %06X, want %06X", m, what, got, want)
			}
		}
		check("mad(inf, 0, 1)", m.Mad(inf, zero, one), one)
		check("dp4 with an infinite and a zero lane", m.Dp4(f24.Vec{inf, one, one, zero}, f24.Vec{zero, one, one, inf}), 0x400000)
		check("dp3 of infinities and zeros", m.Dp3(f24.Vec{inf, inf, inf}, f24.Vec{}), zero)
		check("dph of infinities and zeros", m.Dph(f24.Vec{inf, zero, inf, nan}, f24.Vec{zero, inf, zero, one}), one)
		check("mul(nan, 0)", m.Mul(nan, zero), nan)
		check("mul(0, nan)", m.Mul(zero, nan), nan)
		check("add(inf, -inf)", m.Add(inf, ninf), nan)
		check("max(0, inf)", f24.Max(zero, inf), inf)
		check("max(0, nan)", f24.Max(zero, nan), nan)
		check("max(nan, 0)", f24.Max(nan, zero), zero)
		check("max(-inf, inf)", f24.Max(ninf, inf), inf)
		check("max(0, -inf)", f24.Max(zero, ninf), zero)
		check("min(0, -inf)", f24.Min(zero, ninf), ninf)
		check("min(0, nan)", f24.Min(zero, nan), nan)
		check("min(nan, 0)", f24.Min(nan, zero), zero)
		check("max(subnormal, 0)", f24.Max(1, zero), 1)
		check("sge(nan, 0)", f24.Sge(nan, zero), zero)
		check("slt(0, nan)", f24.Slt(zero, nan), zero)
		check("sge(0, -0)", f24.Sge(zero, f24.SignBit), one)
		check("rcp(nan)", m.Rcp(nan), nan)
		check("rsq(rcp(-inf))", m.Rsq(m.Rcp(ninf)), inf)
		check("lg2(rcp(-inf))", m.Lg2(m.Rcp(ninf)), ninf)
		check("ex2(-inf)", m.Ex2(ninf), zero)
		check("-flr(-0.1)", m.Flr(0xBB9999).Negate(), one)
		a := f24.Encode(0x3F802000, f24.TowardZero) // 1 + 2^-10
		check("dot((0,0,a,a), (0,0,-1,1))", m.Dp4(f24.Vec{0, 0, a, a}, f24.Vec{0, 0, one.Negate(), one}), zero)
		check("equal operands round once", m.Mad(0x3F0001, 0x3F0001, 0xBF0002), zero)
	}
	if n := halvings(); n != 63 {
		t.Errorf("1 is halved %d times before it is 0, want 63", n)
	}
}

func halvings() int {
	n := 0
	for x := f24.One; !x.IsZero(); n++ {
		x = f24.Truncating.Mul(x, 0x3E0000)
	}
	return n
}

func TestCmp(t *testing.T) {
	const s = f24.Bits(1)
	for _, c := range []struct {
		a, b f24.Bits
		want [8]bool // eq ne lt le gt ge and the two without meaning
	}{
		{f24.One, f24.One, [8]bool{true, false, false, true, false, true, true, true}},
		{f24.Zero, f24.One, [8]bool{false, true, true, true, false, false, true, true}},
		{f24.One, f24.Zero, [8]bool{false, true, false, false, true, true, true, true}},
		{f24.Zero, f24.SignBit, [8]bool{true, false, false, true, false, true, true, true}},
		{s, f24.Zero, [8]bool{false, true, false, false, true, true, true, true}},
		{f24.QNaN, f24.QNaN, [8]bool{false, true, false, false, false, false, true, true}},
		{f24.NegInf, f24.PosInf, [8]bool{false, true, true, true, false, false, true, true}},
	} {
		for op, want := range c.want {
			if got := f24.Cmp(uint8(op), c.a, c.b); got != want {
				t.Errorf("cmp %06X %d %06X: got %t", c.a, op, c.b, got)
			}
		}
	}
}

func TestMova(t *testing.T) {
	for x, want := range map[f24.Bits]int32{
		0x3EC000: 0, 0xBECCCC: 0, 0xBF8000: -1, 0x45FFFE: 127, 0xC60100: -128, 0: 0, 0x800001: 0,
		0x5E0000: -1 << 31, 0xDE0000: -1 << 31, 0x5DFFFF: 0x7FFFC000, 0x7F0000: -1 << 31, 0xFF0000: -1 << 31, 0x7F0001: -1 << 31,
	} {
		if got := f24.Mova(x); got != want {
			t.Errorf("mova %06X: got %d, want %d", x, got, want)
		}
	}
}

func TestLitp(t *testing.T) {
	for _, c := range []struct {
		in, want f24.Vec
		cc       [2]bool
	}{
		{f24.Vec{0x3F0000, 0x3E0000, 0x3F8000, 0x400000}, f24.Vec{0x3F0000, 0x3E0000, 0, 0x400000}, [2]bool{true, true}},
		{f24.Vec{0xBF0000, 0x470000, 0, 0xBF0000}, f24.Vec{0, f24.LitpMax, 0, 0}, [2]bool{}},
		{f24.Vec{0x800000, 0xC70000, 0, 0x7F0000}, f24.Vec{0, f24.LitpMin, 0, 0x7F0000}, [2]bool{true, true}},
		{f24.Vec{0x7F8000, 0x7F8000, 0x7F8000, 0x7F8000}, f24.Vec{0, f24.LitpMin, 0, 0}, [2]bool{}},
		{f24.Vec{1, 1, 1, 0x800001}, f24.Vec{1, 1, 0, 0}, [2]bool{true, false}},
	} {
		got, cc := f24.Litp(c.in)
		if got != c.want || cc != c.cc {
			t.Errorf("litp %06X: got %06X %v, want %06X %v", c.in, got, cc, c.want, c.cc)
		}
	}
}

func TestDst(t *testing.T) {
	got := f24.Nearest.Dst(f24.Vec{1, 0x400000, 0x7F0001, 2}, f24.Vec{3, 0x400000, 4, 0x800000})
	if want := (f24.Vec{f24.One, 0x410000, 0x7F0001, 0x800000}); got != want {
		t.Errorf("got %06X, want %06X", got, want)
	}
}

func BenchmarkArithmetic(b *testing.B) {
	for _, op := range operations {
		for m, name := range []string{"nearest", "truncating"} {
			b.Run(fmt.Sprintf("%s/%s", op.name, name), func(b *testing.B) {
				b.ReportAllocs()
				s := &stream{x: 1, normal: true}
				for b.Loop() {
					op.run(f24.Arithmetic(m), s)
				}
			})
		}
	}
}
