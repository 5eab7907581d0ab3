package vm_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// specials are drawn as often as all other values together.
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
	if p.Storage == pica.Float32 {
		return pica.Float24.Widen(x)
	}
	return x
}

// Every instruction with operands, with any registers, masks, selectors,
// negation and indexing, against the oracle.
func TestDataInstructions(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	for _, p := range profiles {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			var random *rand.Rand // of one job
			vectors := func(list []pica.Vec4) {
				for k := range list {
					for c := range list[k] {
						list[k][c] = component(random, p)
					}
				}
			}
			inputs, uniforms, initial := make([]pica.Vec4, pica.NumInputs), make([]pica.Vec4,
				pica.NumFloats), new(pica.State)
			job := &pica.Job{
				Floats:   []pica.Upload{{Format: p.Storage, Values: uniforms}},
				Vertices: [][]pica.Vec4{inputs}, InputFormat: p.Storage, Initial: initial,
				Profile: with(*p, func(k *pica.Knobs) { k.Hazards = pica.HazardsOff }),
			}
			engine, reference := vm.New(), impl.New()
			var got, want pica.Outcome
			for n := range long.Numbers(t, 40_000, long.Few(8000, 2000)) {
				random = rand.New(rand.NewPCG(seed, uint64(n)))
				op := pica.Opcode(random.IntN(pica.NumOpcodes))
				if pica.Opcodes[op].Sources == 0 || p.Support[op] != pica.SupportRun {
					continue
				}
				i := decode.Decode(uint32(op)<<26 | random.Uint32()>>6)
				if random.IntN(2) == 0 { // destination among the sources
					i.Src[0] = i.Dest
				}
				word, err := decode.Encode(i)
				if err != nil {
					t.Fatal(err)
				}
				job.Descriptors = make([]uint32, i.Desc+1)
				job.Descriptors[i.Desc] = random.Uint32()
				job.Code = []uint32{word, uint32(pica.END) << 26}
				for _, list := range [][]pica.Vec4{inputs, uniforms, initial.R[:], initial.O[:]} {
					vectors(list)
				}
				initial.Address = [2]int32{random.Int32N(400) - 200, random.Int32N(400) - 200}
				initial.AL = random.Int32N(300)
				initial.CC = [2]bool{random.IntN(2) == 0, random.IntN(2) == 0}
				if err := errors.Join(engine.Run(job, &got), reference.Run(job, &want)); err != nil {
					t.Fatal(err)
				}
				if g, w := got.Vertices[0].State, want.Vertices[0].State; g != w {
					t.Fatalf("word 0x%08x (%v), descriptor 0x%08x: (-want +got)\n%s", word, i.Op,
						job.Descriptors[i.Desc], cmp.Diff(w, g))
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
		{-1, [3]int{ones, 39, 94}}, {-41, [3]int{87, ones, 54}}, {-42, [3]int{86, ones, 53}},
		{-73, [3]int{55, 95, 22}},
		{-127, [3]int{1, 41, ones}}, {-128, [3]int{0, 40, 95}}, {-129, [3]int{0, 40, 95}}, {56, [3]int{56, ones, 23}},
		{87, [3]int{87, ones, 54}}, {88, [3]int{88, 0, 55}}, {96, [3]int{ones, 8, 63}}, {127, [3]int{ones, 39, 94}},
		{128, [3]int{0, 40, 95}}, {129, [3]int{0, 40, 95}}, {1 << 30, [3]int{0, 40, 95}},
		{-1 << 31, [3]int{0, 40, 95}},
	} {
		for index := range uint8(4) {
			for k, base := range []uint8{0, 40, 95} {
				want := c.want[k]
				if index == 0 {
					want = int(base)
				}
				b := newBuilder().op(decode.Inst{Op: pica.MOV, Dest: o0,
					Src: [3]uint8{c0 + base}, Index: index}).stop()
				out, _ := run(t, profileF24, b, func(j *pica.Job) {
					j.Initial = &pica.State{Address: [2]int32{int32(c.offset), int32(c.offset)}, AL: int32(c.offset)}
				})
				if got := out.O[0][0]; got != number(&profileF24, want) {
					t.Errorf("c%d, index %d, offset %d: got 0x%06x, want 0x%06x", base, index, c.offset, got,
						number(&profileF24, want))
				}
			}
		}
	}
}

// A sum or product that rounds up to 2^64 is infinite for later instructions, too: its difference with
// itself is no number.
func TestRoundedOverflow(t *testing.T) {
	for _, c := range []struct {
		op   pica.Opcode
		a, b uint32
	}{{pica.ADD, 0x7EFFFF, 0x6D0000}, {pica.MUL, 0x5E8006, 0x5F5550}, {pica.MAD, 0x7EFFFF, 0x3F0000},
		{pica.DP3, 0x7EFFFF, 0x3F0000}} {
		b := newBuilder().op(decode.Inst{Op: c.op, Dest: r0, Src: [3]uint8{r0 + 1, r0 + 2, r0 + 3}})
		if c.op != pica.MAD {
			b.insts[0].Src[2] = 0
		}
		b.mov(o0, r0).op(decode.Inst{Op: pica.MAD, Dest: o0 + 1, Src: [3]uint8{r0, r0 + 4, r0}}).stop()
		out, _ := run(t, profileF24, b, func(j *pica.Job) {
			j.Initial = &pica.State{R: [16]pica.Vec4{1: {c.a, 0x6D0000}, 2: {c.b, 0x3F0000},
				3: {0x6D0000}, 4: {0xBF0000}}}
		})
		if got := [2]uint32{out.O[0][0], out.O[1][0]}; got != [2]uint32{0x7F0000, 0x7F8000} {
			t.Errorf("%v %06X, %06X: result and difference with itself are %06X, want 7F0000, 7F8000", c.op, c.a, c.b,
				got)
		}
	}
}
