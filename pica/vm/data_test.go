package vm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/float24"
	"github.com/picaproof/picaproof/pica/vm"
)

// plain computes single instructions the long way, a component at a time.
type plain struct {
	p         *pica.Profile
	registers [128]pica.Vec4 // as source fields number them, storage bits
	address   [4]int32
	cc        [2]bool
}

func (s *plain) single() bool { return s.p.Knobs[pica.KnobStorage] == pica.StorageF32 }

func (s *plain) sign() uint32 {
	if s.single() {
		return 1 << 31
	}
	return 1 << 23
}

// operand reads source k.
func (s *plain) operand(i *decode.Inst, d pica.Descriptor, k int) (v pica.Vec4) {
	field := int(i.Src[k])
	register := s.registers[field]
	if int(i.IndexedSource) == k && i.Index != 0 && field >= c0 {
		offset := int(s.address[i.Index])
		if offset < -128 || offset > 127 {
			offset = 0
		}
		n := (field - c0 + offset) & 0x7F
		if n < 96 {
			register = s.registers[c0+n]
		} else {
			one := number(s.p, 1)
			register = pica.Vec4{one, one, one, one}
		}
	}
	for slot := range v {
		v[slot] = register[d.Selector(k, slot)]
		if d.Negate(k) {
			v[slot] ^= s.sign()
		}
	}
	return v
}

// model is the arithmetic of the float24 profiles.
func (s *plain) model() float24.Arithmetic {
	if s.p.Knobs[pica.KnobRound] == pica.RoundRZ {
		return float24.Truncating
	}
	return float24.Nearest
}

func (s *plain) add(a, b uint32) uint32 {
	if s.single() {
		return fromFloat(toFloat(a) + toFloat(b))
	}
	return uint32(s.model().Add(float24.Bits(a), float24.Bits(b)))
}

func (s *plain) mul(a, b uint32) uint32 {
	if !s.single() {
		return uint32(s.model().Mul(float24.Bits(a), float24.Bits(b)))
	}
	x, y := toFloat(a), toFloat(b)
	if r := float32(x * y); r == r || x != x || y != y {
		return fromFloat(r)
	}
	return 0
}

func toFloat(x uint32) float32 { return math.Float32frombits(x) }

func fromFloat(f float32) uint32 {
	if f != f {
		return 0x7FC00000
	}
	return math.Float32bits(f)
}

// value is a component as a number, for comparisons.
func (s *plain) value(x uint32) float64 {
	if s.single() {
		return float64(toFloat(x))
	}
	return float24.Bits(x).Float64()
}

func (s *plain) unary(op pica.Opcode, x uint32) uint32 {
	if !s.single() {
		m := s.model()
		return uint32(map[pica.Opcode]func(float24.Bits) float24.Bits{
			pica.FLR: m.Flr, pica.RCP: m.Rcp, pica.RSQ: m.Rsq, pica.EX2: m.Ex2, pica.LG2: m.Lg2,
		}[op](float24.Bits(x)))
	}
	v := float64(toFloat(x))
	switch op {
	case pica.FLR:
		return fromFloat(float32(math.Floor(v)))
	case pica.RCP:
		return fromFloat(float32(1 / v))
	case pica.RSQ:
		return fromFloat(1 / float32(math.Sqrt(v)))
	case pica.EX2:
		return fromFloat(float32(math.Exp2(v)))
	}
	return fromFloat(float32(math.Log2(v)))
}

// run executes one instruction; it returns the vector that the mask applies to.
func (s *plain) run(i *decode.Inst, d pica.Descriptor) (r pica.Vec4) {
	var a [3]pica.Vec4
	for k := range pica.Opcodes[i.Op].Sources {
		a[k] = s.operand(i, d, k)
	}
	one := number(s.p, 1)
	flag := func(b bool) uint32 {
		if b {
			return one
		}
		return 0
	}
	dot := func(n int) uint32 {
		sum := s.mul(a[0][0], a[1][0])
		if s.single() {
			sum = s.add(0, sum)
		}
		for k := 1; k < n; k++ {
			sum = s.add(sum, s.mul(a[0][k], a[1][k]))
		}
		return sum
	}
	all := func(x uint32) pica.Vec4 { return pica.Vec4{x, x, x, x} }
	switch i.Op {
	case pica.DP3:
		return all(dot(3))
	case pica.DP4:
		return all(dot(4))
	case pica.DPH, pica.DPHI:
		a[0][3] = one
		return all(dot(4))
	case pica.DST, pica.DSTI:
		return pica.Vec4{one, s.mul(a[0][1], a[1][1]), a[0][2], a[1][3]}
	case pica.EX2, pica.LG2, pica.RCP, pica.RSQ:
		return all(s.unary(i.Op, a[0][0]))
	case pica.MOVA:
		for k := range 2 {
			if d.Mask()&(8>>k) == 0 {
				continue
			}
			s.address[1+k] = math.MinInt32
			if v := math.Trunc(s.value(a[0][k])); math.Abs(v) < 1<<31 {
				s.address[1+k] = int32(v)
			}
		}
		return r
	case pica.CMP:
		for k, op := range []uint8{i.CmpX, i.CmpY} {
			x, y := s.value(a[0][k]), s.value(a[1][k])
			keep := s.p.Knobs[pica.KnobCompare] == pica.CompareKeep && s.cc[k]
			keep = keep || s.p.Knobs[pica.KnobCompare] == pica.CompareTrue
			s.cc[k] = [8]bool{x == y, x != y, x < y, x <= y, x > y, x >= y, keep, keep}[op]
		}
		return r
	case pica.LITP:
		v, cc := float24.Litp(float24.Vec{float24.Bits(a[0][0]), float24.Bits(a[0][1]), 0, float24.Bits(a[0][3])})
		s.cc = cc
		return pica.Vec4{uint32(v[0]), uint32(v[1]), uint32(v[2]), uint32(v[3])}
	}
	for k := range r {
		x, y, z := a[0][k], a[1][k], a[2][k]
		switch i.Op {
		case pica.ADD:
			r[k] = s.add(x, y)
		case pica.MUL:
			r[k] = s.mul(x, y)
		case pica.MAD, pica.MADI:
			r[k] = s.add(s.mul(x, y), z)
		case pica.SGE, pica.SGEI:
			r[k] = flag(s.value(x) >= s.value(y))
		case pica.SLT, pica.SLTI:
			r[k] = flag(s.value(x) < s.value(y))
		case pica.MAX, pica.MIN:
			r[k] = y
			if i.Op == pica.MAX && s.value(x) > s.value(y) || i.Op == pica.MIN && s.value(x) < s.value(y) {
				r[k] = x
			}
		case pica.FLR:
			r[k] = s.unary(i.Op, x)
		case pica.MOV:
			r[k] = x
		}
	}
	return r
}

// specials are drawn as often as everything else.
var specials = []uint32{0, 0x800000, 1, 0x800001, 0x00FFFF, 0x010000, 0x810000, 0x3F0000, 0xBF0000, 0x7EFFFF, 0xFEFFFF,
	0x7F0000, 0xFF0000, 0x7F8000, 0xFF1234, 0x3E0000, 0x450000, 0xC5FFFC, 0x460000, 0x600000, 0x400000}

func component(random *rand.Rand, p *pica.Profile) uint32 {
	x := random.Uint32() & 0xFFFFFF
	switch random.IntN(3) {
	case 0:
		x = specials[random.IntN(len(specials))]
	case 1:
		x = x&0x80FFFF | (0x38+x>>16&15)<<16
	}
	if p.Knobs[pica.KnobStorage] == pica.StorageF32 {
		return decodeBits(x)
	}
	return x
}

// Every instruction with operands, with any registers, masks, selectors,
// negation and indexing.
func TestDataInstructions(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	for _, p := range profiles {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 0))
			vector := func() (v pica.Vec4) {
				for k := range v {
					v[k] = component(random, p)
				}
				return v
			}
			profile := with(*p, pica.KnobHazards, pica.HazardsOff)
			engine, out := vm.New(), new(pica.Outcome)
			for range 40000 {
				op := pica.Opcode(random.IntN(pica.NumOpcodes))
				if pica.Opcodes[op].Sources == 0 || p.Support[op] != pica.SupportRun {
					continue
				}
				word := uint32(op)<<26 | random.Uint32()>>6
				if random.IntN(2) == 0 { // destination among the sources
					i := decode.Decode(word)
					i.Src[0] = i.Dest
					word, _ = decode.Encode(i)
				}
				i := decode.Decode(word)
				d := pica.Descriptor(random.Uint32())
				table := make([]uint32, i.Desc+1)
				table[i.Desc] = uint32(d)
				s := &plain{p: p, address: [4]int32{0, random.Int32N(400) - 200, random.Int32N(400) - 200, random.Int32N(300)}}
				for k := range s.registers {
					s.registers[k] = vector()
				}
				initial := &pica.State{Address: [2]int32{s.address[1], s.address[2]}, AL: s.address[3], R: [16]pica.Vec4(s.registers[16:])}
				for k := range initial.O {
					initial.O[k] = vector()
				}
				for k := range initial.CC {
					initial.CC[k] = random.IntN(2) == 0
				}
				s.cc = initial.CC
				form := pica.Raw24
				if s.single() {
					form = pica.Float32
				}
				job := &pica.Job{
					Program:  pica.Program{Code: []uint32{word, uint32(pica.END) << 26}, Descriptors: table},
					Floats:   []pica.Upload{{Form: form, Values: s.registers[32:]}},
					Vertices: [][]pica.Vec4{s.registers[:16]}, InputForm: form, Initial: initial, Profile: profile,
				}
				if err := engine.Run(job, out); err != nil {
					t.Fatal(err)
				}
				want := *initial
				r := s.run(&i, d)
				if pica.Opcodes[i.Op].Writes&pica.WritesDest != 0 {
					dest := &want.O[i.Dest&15]
					if i.Dest >= r0 {
						dest = &want.R[i.Dest&15]
					}
					for k := range r {
						if d.Mask()&(8>>k) != 0 {
							dest[k] = r[k]
						}
					}
				}
				want.Address, want.CC = [2]int32{s.address[1], s.address[2]}, s.cc
				if got := out.Vertices[0].State; got != want {
					t.Fatalf("word 0x%08x (%v), descriptor 0x%08x: (-want +got)\n%s", word, i.Op, d, cmp.Diff(want, got))
				}
			}
		})
	}
}

func TestRelativeAddressing(t *testing.T) {
	const ones = 1
	for _, c := range []struct {
		offset int
		want   [3]int // bases c0, c40, c95
	}{
		{-1, [3]int{ones, 39, 94}}, {-41, [3]int{87, ones, 54}}, {-42, [3]int{86, ones, 53}}, {-73, [3]int{55, 95, 22}},
		{-127, [3]int{1, 41, ones}}, {-128, [3]int{0, 40, 95}}, {-129, [3]int{0, 40, 95}}, {56, [3]int{56, ones, 23}},
		{87, [3]int{87, ones, 54}}, {88, [3]int{88, 0, 55}}, {96, [3]int{ones, 8, 63}}, {127, [3]int{ones, 39, 94}},
		{128, [3]int{0, 40, 95}}, {129, [3]int{0, 40, 95}}, {1 << 30, [3]int{0, 40, 95}}, {-1 << 31, [3]int{0, 40, 95}},
	} {
		for index := range uint8(4) {
			for k, base := range []uint8{0, 40, 95} {
				want := c.want[k]
				if index == 0 {
					want = int(base)
				}
				b := newBuilder().op(decode.Inst{Op: pica.MOV, Dest: o0, Src: [3]uint8{c0 + base}, Index: index}).stop()
				out, _ := run(t, profileF24, b, func(j *pica.Job) {
					j.Initial = &pica.State{Address: [2]int32{int32(c.offset), int32(c.offset)}, AL: int32(c.offset)}
				})
				if got := out.O[0][0]; got != number(&profileF24, want) {
					t.Errorf("c%d, index %d, offset %d: got 0x%06x, want 0x%06x", base, index, c.offset, got, number(&profileF24, want))
				}
			}
		}
	}
}

// A sum or product that rounds up to 2^64 is infinite for what follows too:
// its difference with itself is no number.
func TestRoundedOverflow(t *testing.T) {
	for _, c := range []struct {
		op   pica.Opcode
		a, b uint32
	}{{pica.ADD, 0x7EFFFF, 0x6D0000}, {pica.MUL, 0x5E8006, 0x5F5550}, {pica.MAD, 0x7EFFFF, 0x3F0000}, {pica.DP3, 0x7EFFFF, 0x3F0000}} {
		b := newBuilder().op(decode.Inst{Op: c.op, Dest: r0, Src: [3]uint8{r0 + 1, r0 + 2, r0 + 3}})
		if c.op != pica.MAD {
			b.insts[0].Src[2] = 0
		}
		b.mov(o0, r0).op(decode.Inst{Op: pica.MAD, Dest: o0 + 1, Src: [3]uint8{r0, r0 + 4, r0}}).stop()
		out, _ := run(t, profileF24, b, func(j *pica.Job) {
			j.Initial = &pica.State{R: [16]pica.Vec4{1: {c.a, 0x6D0000}, 2: {c.b, 0x3F0000}, 3: {0x6D0000}, 4: {0xBF0000}}}
		})
		if got := [2]uint32{out.O[0][0], out.O[1][0]}; got != [2]uint32{0x7F0000, 0x7F8000} {
			t.Errorf("%v %06X, %06X: result and difference with itself are %06X, want 7F0000, 7F8000", c.op, c.a, c.b, got)
		}
	}
}
