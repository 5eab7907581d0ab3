package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// The profiles of the golden values, written out so that the tests of the
// arithmetic do not depend on the catalogue.
var (
	f24 = pica.Profile{Name: "f24"}
	hw  = pica.Profile{Name: "hw", Knobs: pica.Knobs{
		Upload: pica.UploadRZ, Round: pica.RoundRZ, Flush: pica.FlushAll}}
	f32 = pica.Profile{Name: "f32", Knobs: pica.Knobs{
		Storage: pica.Float32, Upload: pica.UploadExact, Dot: pica.DotSeeded,
		ReciprocalZero: pica.ReciprocalZeroSigned, Reciprocal: pica.ReciprocalTwice,
		Compare: pica.CompareKeep,
		InnerAL: pica.InnerALStart, BreakOutside: pica.BreakOutsideIgnored,
		ProgramEnd: pica.ProgramEnd4095, EmitInVertex: pica.EmitInVertexAbort, Vertex3: pica.Vertex3Abort}}
)

// An operation is an instruction under test: the lanes of its operands that the
// operand stream fills, and the program that leaves the result in o0.x.
type operation struct {
	name  string
	lanes []int
	word  uint32
}

var operations = []operation{
	{"ADD", []int{1, 1}, op1(pica.ADD, outO, regV, regV+1, 0)},
	{"MUL", []int{1, 1}, op1(pica.MUL, outO, regV, regV+1, 0)},
	{"MAD", []int{1, 1, 1}, opMAD(outO, regV, regV+1, regV+2, 0)},
	{"DP3", []int{3, 3}, op1(pica.DP3, outO, regV, regV+1, 0)},
	{"DP4", []int{4, 4}, op1(pica.DP4, outO, regV, regV+1, 0)},
	{"DPH", []int{3, 4}, op1(pica.DPH, outO, regV, regV+1, 0)},
	{"MAX", []int{1, 1}, op1(pica.MAX, outO, regV, regV+1, 0)},
	{"MIN", []int{1, 1}, op1(pica.MIN, outO, regV, regV+1, 0)},
	{"RCP", []int{1}, op1(pica.RCP, outO, regV, 0, 0)},
	{"RSQ", []int{1}, op1(pica.RSQ, outO, regV, 0, 0)},
	{"EX2", []int{1}, op1(pica.EX2, outO, regV, 0, 0)},
	{"LG2", []int{1}, op1(pica.LG2, outO, regV, 0, 0)},
	{"FLR", []int{1}, op1(pica.FLR, outO, regV, 0, 0)},
}

// A feeder runs one instruction over many operands, a batch a job.
type feeder struct {
	engine pica.Engine
	job    pica.Job
	out    pica.Outcome
	batch  [][3]pica.Vec4
	used   func(result uint32)
}

const batchSize = 512

func newFeeder(engine pica.Engine, profile pica.Profile, word uint32, used func(uint32)) *feeder {
	f := &feeder{engine: engine, batch: make([][3]pica.Vec4, 0, batchSize), used: used}
	f.job = pica.Job{Program: pica.Program{Code: []uint32{word, end}, Descriptors: []uint32{identity}},
		InputFormat: pica.Float24, Profile: profile}
	f.job.Vertices = make([][]pica.Vec4, 0, batchSize)
	return f
}

func (f *feeder) feed(v [3]pica.Vec4) error {
	f.batch = append(f.batch, v)
	f.job.Vertices = append(f.job.Vertices, f.batch[len(f.batch)-1][:])
	if len(f.batch) < batchSize {
		return nil
	}
	return f.flush()
}

func (f *feeder) flush() error {
	if err := f.engine.Run(&f.job, &f.out); err != nil {
		return err
	}
	for i := range f.batch {
		v := &f.out.Vertices[i]
		if v.Trap.Cause != pica.TrapNone {
			return fmt.Errorf("trap %v", v.Trap)
		}
		f.used(v.O[0][0])
	}
	f.batch, f.job.Vertices = f.batch[:0], f.job.Vertices[:0]
	return nil
}

// fnv is FNV-1a over little-endian words.
type fnv uint64

func newFNV() fnv { return 0xcbf29ce484222325 }

func (h *fnv) add(x uint32) {
	for range 4 {
		*h = (*h ^ fnv(x&0xFF)) * 0x100000001b3
		x >>= 8
	}
}

// stream hashes n results of an operation over the operand stream U (any
// pattern) or N (normal numbers of moderate size).
func stream(engine pica.Engine, profile pica.Profile, op operation, normal bool, n int) (uint64, error) {
	h := newFNV()
	single := profile.Storage == pica.Float32
	f := newFeeder(engine, profile, op.word, func(x uint32) {
		if single && x&0x7F800000 == 0x7F800000 && x&0x7FFFFF != 0 {
			x = 0x7FC00000
		}
		h.add(x)
	})
	x := uint32(1)
	draw := func() uint32 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		v := x & 0xFFFFFF
		if normal {
			v = x&0x80FFFF | (56+x>>24&15)<<16
		}
		if single && v&0x7F0000 == 0x7F0000 && v&0xFFFF != 0 {
			v = 0x7F8000 // binary32 7FC00000
		}
		return v
	}
	for range n {
		var v [3]pica.Vec4
		for k, lanes := range op.lanes {
			for i := range lanes {
				v[k][i] = draw()
			}
		}
		if err := f.feed(v); err != nil {
			return 0, err
		}
	}
	if err := f.flush(); err != nil {
		return 0, err
	}
	return uint64(h), nil
}

// goldenResults is how many results a golden hash covers.
const goldenResults = 200_000

// golden holds the hashes of the operand streams; 0 where none is known.
var golden = map[string]struct{ uF24, uHW, nF24, nHW, uF32, nF32 uint64 }{
	"ADD": {0xf56288f93d704dab, 0x61a6bd562764d3d7, 0xf987a630e88ce5ff, 0xd8dd894b4bd74f1b, 0xd830d2df02326aa0,
		0xd6b3d2385f241f3b},
	"MUL": {0x28419ceb7bd11f74, 0xbe9b9363c121afcf, 0x92660476859d5846, 0x1ed80c8ac206f9ff, 0x9e89524edc3d94c6,
		0xd37b4e9255a7844c},
	"MAD": {0xe8dcc125f38a8c6e, 0x5286fa3e41d8f8b4, 0x4ef555a7c7624d2f, 0xd8dad3fd34d23895, 0x7086aed1bbbf897c,
		0x4350ae35a6210195},
	"DP3": {0xa9f203f447c2f105, 0x9936071b62209a82, 0xddd67470240cb1b6, 0xac30ce362c731a92, 0, 0},
	"DP4": {0x37f9e28ca31cfc56, 0xedcc1bf28daeb83f, 0x6e2206949d324614, 0x0a7b8f369fc568d2, 0xdca8ce234322f41b,
		0x6f64ef0c7dec413a},
	"DPH": {0x4ce1790a6e7a9e66, 0xad7c98ef0167accc, 0x172a4823d08d7990, 0x31fbb20b661c2505, 0, 0},
	"MAX": {0xb7798338e587a2d3, 0xb7798338e587a2d3, 0xf445632be82a778d, 0xf445632be82a778d, 0, 0},
	"MIN": {0xb3f448350eefb466, 0xb3f448350eefb466, 0x372ab400acf07246, 0x372ab400acf07246, 0, 0},
	"RCP": {0xbd58cc4278d60f5e, 0xdda1ab4ad1be7bee, 0x99ddb7ea8170dd59, 0x99ddb7ea8170dd59, 0xf81ca9c958ea15ff,
		0xb157c6501be09cad},
	"RSQ": {0x9348827f141241f3, 0x87f6ca48169bdf70, 0x27cbcbf9a548feb4, 0x27cbcbf9a548feb4, 0xfd4de86ece617ac0,
		0xf712b5ce85b51714},
	"EX2": {0xe2b721bd09cf9483, 0xcbbcf6c12082decc, 0x7ebbf672d5bf1e68, 0x073c292ba5cd618e, 0, 0},
	"LG2": {0xea16069d12ff1f9b, 0x395597b5a6b0ffbc, 0x128528b345c9828a, 0x128528b345c9828a, 0, 0},
	"FLR": {0x2f4dd80b1a22a594, 0x94dfca70479795b4, 0x7cef962ee66a2c5f, 0x7cef962ee66a2c5f, 0, 0},
}

// TestGoldenStreams hashes the results of each instruction over a stream of operands, in long runs over several.
func TestGoldenStreams(t *testing.T) {
	type operandStream struct {
		profile pica.Profile
		normal  bool
		want    uint64
	}
	for n, op := range operations {
		t.Run(op.name, func(t *testing.T) {
			t.Parallel()
			g, engine := golden[op.name], impl.New()
			list := []operandStream{{f24, false, g.uF24}, {hw, false, g.uHW}, {f24, true, g.nF24}, {hw, true, g.nHW},
				{f32, false, g.uF32}, {f32, true, g.nF32}}
			list = slices.DeleteFunc(list, func(s operandStream) bool { return s.want == 0 })
			list = append(list[n%len(list):], list[:n%len(list)]...)
			for _, s := range long.Items(t, list, 1) {
				got, err := stream(engine, s.profile, op, s.normal, goldenResults)
				if err != nil {
					t.Fatal(err)
				}
				if got != s.want {
					t.Errorf("%s, normal operands %v: got %016x, want %016x", s.profile.Name, s.normal, got, s.want)
				}
			}
		})
	}
}

// TestExhaustive hashes a function over normal float24, the results rounded to nearest and flushed below 2^-62: over
// every 127th sixteen, in long runs over all.
func TestExhaustive(t *testing.T) {
	ranges := [][2]uint32{{0x010000, 0x7EFFFF}, {0x810000, 0xFEFFFF}}
	type function struct {
		op     pica.Opcode
		ranges [][2]uint32
		want   uint64
		sample uint64 // recorded where all operands gave want
	}
	functions := []function{
		{pica.LG2, ranges[:1], 0x052eef94410de756, 0x64f0c6d4dd81f812},
		{pica.RSQ, ranges[:1], 0x32527bfc57a4f17e, 0xcdd4f6bae5c109e0},
		{pica.EX2, ranges, 0x75b00be7960253a2, 0xa45d2228f34341c4},
	}
	hash := func(c function, stride uint32, want uint64) {
		t.Run(fmt.Sprintf("%v/%d", c.op, stride), func(t *testing.T) {
			t.Parallel()
			h := newFNV()
			// Four vertices' worth of operands a vertex: one a register.
			code := make([]uint32, 0, 17)
			for i := range uint32(16) {
				code = append(code, op1(c.op, outO+i, regV+i, 0, 0))
			}
			job := pica.Job{Program: pica.Program{Code: append(code, end), Descriptors: []uint32{identity}},
				InputFormat: pica.Float24, Profile: hw, Vertices: [][]pica.Vec4{make([]pica.Vec4, 16)}}
			var out pica.Outcome
			engine := impl.New()
			for _, r := range c.ranges {
				for x := r[0]; x <= r[1]; x += 16 * stride {
					for i := range uint32(16) {
						job.Vertices[0][i][0] = x + i
					}
					if err := engine.Run(&job, &out); err != nil {
						t.Fatal(err)
					}
					for i := range 16 {
						h.add(out.Vertices[0].O[i][0])
					}
				}
			}
			if uint64(h) != want {
				t.Errorf("got %016x, want %016x", uint64(h), want)
			}
		})
	}
	for _, c := range functions {
		hash(c, 127, c.sample)
	}
	for _, c := range long.Extra(t, functions) {
		hash(c, 1, c.want)
	}
}
