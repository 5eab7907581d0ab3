package vm_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// stream draws operands by xorshift from 1: the low 24 bits or, in the normal stream, numbers of middling
// size.
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

// goldenOps draw the operands of one result in order: the given number of components of each source. An
// operation on one component computes four results at once.
var goldenOps = []struct {
	op    pica.Opcode
	draws []int
	want  [3][2]uint64 // f24, hw, f32: uniform and normal stream; 0 for unknown
}{
	{pica.ADD, []int{1, 1},
		[3][2]uint64{{0xf56288f93d704dab, 0xf987a630e88ce5ff}, {0x61a6bd562764d3d7, 0xd8dd894b4bd74f1b},
			{0xd830d2df02326aa0, 0xd6b3d2385f241f3b}}},
	{pica.MUL, []int{1, 1},
		[3][2]uint64{{0x28419ceb7bd11f74, 0x92660476859d5846}, {0xbe9b9363c121afcf, 0x1ed80c8ac206f9ff},
			{0x9e89524edc3d94c6, 0xd37b4e9255a7844c}}},
	{pica.MAD, []int{1, 1, 1},
		[3][2]uint64{{0xe8dcc125f38a8c6e, 0x4ef555a7c7624d2f}, {0x5286fa3e41d8f8b4, 0xd8dad3fd34d23895},
			{0x7086aed1bbbf897c, 0x4350ae35a6210195}}},
	{pica.DP3, []int{3, 3},
		[3][2]uint64{{0xa9f203f447c2f105, 0xddd67470240cb1b6}, {0x9936071b62209a82, 0xac30ce362c731a92}}},
	{pica.DP4, []int{4, 4},
		[3][2]uint64{{0x37f9e28ca31cfc56, 0x6e2206949d324614}, {0xedcc1bf28daeb83f, 0x0a7b8f369fc568d2},
			{0xdca8ce234322f41b, 0x6f64ef0c7dec413a}}},
	{pica.DPH, []int{3, 4},
		[3][2]uint64{{0x4ce1790a6e7a9e66, 0x172a4823d08d7990}, {0xad7c98ef0167accc, 0x31fbb20b661c2505}}},
	{pica.MAX, []int{1, 1},
		[3][2]uint64{{0xb7798338e587a2d3, 0xf445632be82a778d}, {0xb7798338e587a2d3, 0xf445632be82a778d}}},
	{pica.MIN, []int{1, 1},
		[3][2]uint64{{0xb3f448350eefb466, 0x372ab400acf07246}, {0xb3f448350eefb466, 0x372ab400acf07246}}},
	{pica.RCP, []int{1},
		[3][2]uint64{{0xbd58cc4278d60f5e, 0x99ddb7ea8170dd59}, {0xdda1ab4ad1be7bee, 0x99ddb7ea8170dd59},
			{0xf81ca9c958ea15ff, 0xb157c6501be09cad}}},
	{pica.RSQ, []int{1},
		[3][2]uint64{{0x9348827f141241f3, 0x27cbcbf9a548feb4}, {0x87f6ca48169bdf70, 0x27cbcbf9a548feb4},
			{0xfd4de86ece617ac0, 0xf712b5ce85b51714}}},
	{pica.EX2, []int{1},
		[3][2]uint64{{0xe2b721bd09cf9483, 0x7ebbf672d5bf1e68}, {0xcbbcf6c12082decc, 0x073c292ba5cd618e}}},
	{pica.LG2, []int{1},
		[3][2]uint64{{0xea16069d12ff1f9b, 0x128528b345c9828a}, {0x395597b5a6b0ffbc, 0x128528b345c9828a}}},
	{pica.FLR, []int{1},
		[3][2]uint64{{0x2f4dd80b1a22a594, 0x7cef962ee66a2c5f}, {0x94dfca70479795b4, 0x7cef962ee66a2c5f}}},
}

const (
	goldenResults = 200000
	goldenBatch   = 1000
)

// goldenHash runs one instruction over the stream and hashes the results.
func goldenHash(t *testing.T, op pica.Opcode, draws []int, p *pica.Profile, normal bool) uint64 {
	lanes := 4
	if pica.Opcodes[op].Scalar {
		lanes = 1
	}
	i := decode.Inst{Op: op, Dest: o0, Src: [3]uint8{v0, v0 + 1, v0 + 2}}
	if len(draws) < 3 {
		i.Src[2] = 0
	}
	if len(draws) < 2 {
		i.Src[1] = 0
	}
	profile := with(*p, func(k *pica.Knobs) { k.Hazards = pica.HazardsOff })
	single := profile.Storage == pica.Float32
	job := &pica.Job{Program: newBuilder().op(i).stop().program(t), Profile: profile, InputFormat: pica.Float24}
	if single {
		job.InputFormat = pica.Float32
	}
	job.Vertices = make([][]pica.Vec4, goldenBatch)
	for k := range job.Vertices {
		job.Vertices[k] = make([]pica.Vec4, len(draws))
	}
	s := &stream{x: 1, normal: normal}
	draw := func() uint32 {
		x := s.next()
		if single {
			if x = pica.Float24.Widen(x); x&0x7FFFFFFF > 0x7F800000 {
				x = 0x7FC00000
			}
		}
		return x
	}
	engine, out := vm.New(), new(pica.Outcome)
	h := uint64(0xcbf29ce484222325)
	for done := 0; done < goldenResults; {
		for _, v := range job.Vertices {
			for lane := range lanes {
				for source, count := range draws {
					for n := range count {
						v[source][lane+n] = draw()
					}
				}
			}
		}
		if err := engine.Run(job, out); err != nil {
			t.Fatal(err)
		}
		for k := range out.Vertices {
			for lane := range lanes {
				r := out.Vertices[k].O[0][lane]
				for n := range 4 {
					h = (h ^ uint64(byte(r>>(8*n)))) * 0x100000001b3
				}
				done++
			}
		}
	}
	return h
}

func TestGoldenHashes(t *testing.T) {
	for i, g := range goldenOps {
		for k, p := range profiles {
			t.Run(g.op.String()+"/"+p.Name, func(t *testing.T) {
				t.Parallel()
				streams := []int{(i + k) % 2, (i + k + 1) % 2}
				streams = slices.DeleteFunc(streams, func(n int) bool { return g.want[k][n] == 0 })
				for _, n := range long.Items(t, streams, 1) {
					if got, want := goldenHash(t, g.op, g.draws, p, n == 1), g.want[k][n]; got != want {
						t.Errorf("normal stream %t: got %016x, want %016x", n == 1, got, want)
					}
				}
			})
		}
	}
}
