package oracle_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// Frequent float24 patterns.
const (
	zero24 = 0x000000
	minus0 = 0x800000
	half24 = 0x3E0000
	one24  = 0x3F0000
	two24  = 0x400000
	three  = 0x408000
	four24 = 0x410000
	inf24  = 0x7F0000
	nan24  = 0x7F8000
	sign24 = 0x800000
)

var (
	v1234 = pica.Vec4{one24, two24, three, four24}
	ones  = pica.Vec4{one24, one24, one24, one24}
)

// A program is a few words with the state they must leave. Only what want
// names is compared; without profiles both f24 and hw must agree.
type program struct {
	name     string
	code     []uint32
	desc     []uint32
	in       []pica.Vec4
	single   bool // the inputs are float32
	uploads  []pica.Upload
	initial  *pica.State
	profiles []pica.Profile

	o       map[int]pica.Vec4
	address *[2]int32
	cc      *[2]bool
}

var programs = []program{
	{name: "swizzle and negate",
		code: []uint32{op1(pica.MOV, outO, regV, 0, 0), op1(pica.ADD, outO+1, regV, regV, 1), end},
		desc: []uint32{desc("xyzw", "-wzyx"), desc("xyzw", "yzwx", "-xyzw")}, in: []pica.Vec4{v1234},
		o: map[int]pica.Vec4{0: {four24 | sign24, three | sign24, two24 | sign24, one24 | sign24},
			1: {one24, one24, one24, 0xC08000}}},
	{name: "negation of zero", code: []uint32{op1(pica.MOV, outO, regV, 0, 0), end}, desc: []uint32{desc("xyzw", "-")},
		in: []pica.Vec4{{zero24, minus0, nan24, 0x000001}},
		o:  map[int]pica.Vec4{0: {minus0, zero24, nan24 | sign24, 0x800001}}},
	{name: "mask", code: []uint32{op1(pica.MOV, outO, regV, 0, 0), op1(pica.MOV, outO, regV, 0, 1),
		op1(pica.MOV, outO+1, regV, 0, 2), end},
		desc: []uint32{desc("xz"), desc("w", "xxxx"), desc("")}, in: []pica.Vec4{v1234},
		o: map[int]pica.Vec4{0: {one24, zero24, three, one24}, 1: {}}},
	{name: "sources are read before writing",
		code: []uint32{op1(pica.MOV, tmpR, regV, 0, 0), op1(pica.ADD, tmpR, regR, regR, 1),
			op1(pica.MOV, outO, regR, 0, 0), end},
		desc: []uint32{identity, desc("xyzw", "yzwx", "xxxx")}, in: []pica.Vec4{v1234},
		o: map[int]pica.Vec4{0: {three, four24, 0x414000, two24}}},
	{name: "inverted forms", code: []uint32{
		op1i(pica.SGEI, outO, regV, regC+5, 0), op1i(pica.SLTI, outO+1, regV, regC+5, 0),
		op1i(pica.DPHI, outO+2, regV, regC+5, 0), op1i(pica.DSTI, outO+3, regV, regC+5, 0), end},
		desc: []uint32{identity}, in: []pica.Vec4{v1234},
		uploads: []pica.Upload{{Register: 5, Format: pica.Float24, Values: []pica.Vec4{{two24, two24, two24, two24}}}},
		o: map[int]pica.Vec4{0: {zero24, one24, one24, one24}, 1: {one24, zero24, zero24, zero24},
			2: {0x42C000, 0x42C000, 0x42C000, 0x42C000}, 3: {one24, four24, three, two24}}},
	{name: "mad and madi", code: []uint32{opMAD(outO, regV, regC+1, regV, 0), opMADI(outO+1, regV, regV, regC+1, 1),
		opMAD(tmpR+15, regV, regC+1, regV, 0), op1(pica.MOV, outO+2, regR+15, 0, 0), end},
		desc: []uint32{desc("xyzw", "", "yyyy"), desc("xyzw", "", "", "-yyyy")}, in: []pica.Vec4{v1234},
		uploads: []pica.Upload{{Register: 1, Format: pica.Float24,
			Values: []pica.Vec4{{zero24, three, zero24, zero24}}}},
		o: map[int]pica.Vec4{0: {four24, 0x420000, 0x428000, 0x430000}, 1: {0xC00000, one24, 0x418000, 0x42A000},
			2: {four24, 0x420000, 0x428000, 0x430000}}},
	{name: "dp3 ignores w", code: []uint32{op1(pica.DP3, outO, regV, regV+1, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{one24, two24, three, nan24}, {one24, one24, one24, inf24}},
		o:  map[int]pica.Vec4{0: {0x418000, 0x418000, 0x418000, 0x418000}}},
	{name: "dph takes w as one", code: []uint32{op1(pica.DPH, outO, regV, regV+1, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{one24, two24, three, nan24}, {one24, one24, one24, one24}},
		o:  map[int]pica.Vec4{0: {0x41C000, 0x41C000, 0x41C000, 0x41C000}}},
	{name: "dp4 from the left",
		code: []uint32{op1(pica.DP4, outO, regV, regV+2, 0), op1(pica.DP4, outO+1, regV+1, regV+2, 0), end},
		desc: []uint32{identity},
		// 2^30 swallows 1
		in: []pica.Vec4{{0x5D0000, one24, 0xDD0000, one24}, {one24, one24, 0x5D0000, 0xDD0000}, ones},
		o:  map[int]pica.Vec4{0: ones, 1: {}}},
	{name: "dp4 of negative zeros has no seed", code: []uint32{op1(pica.DP4, outO, regV, regV+1, 0), end},
		desc: []uint32{identity},
		in:   []pica.Vec4{{minus0, minus0, minus0, minus0}, ones}, profiles: []pica.Profile{f24},
		o: map[int]pica.Vec4{0: {minus0, minus0, minus0, minus0}}},
	{name: "dp4 ignores a lane of inf times 0", code: []uint32{op1(pica.DP4, outO, regV, regV+1, 0), end},
		desc: []uint32{identity},
		in:   []pica.Vec4{{inf24, one24, zero24, one24}, {zero24, one24, inf24, zero24}},
		o:    map[int]pica.Vec4{0: ones}},
	{name: "mad rounds twice", code: []uint32{opMAD(outO, regV, regV+1, regV+2, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{0x3F0001}, {0x3F0001}, {0xBF0002}}, // (1+2^-16)^2 - (1+2^-15)
		o:  map[int]pica.Vec4{0: {}}},
	{name: "mad adds to a zero product", code: []uint32{opMAD(outO, regV, regV+1, regV+2, 0), end},
		desc: []uint32{identity},
		in: []pica.Vec4{{inf24, zero24, nan24, inf24}, {zero24, inf24, zero24, inf24},
			{one24, one24, one24, 0xFF0000}},
		o: map[int]pica.Vec4{0: {one24, one24, nan24, nan24}}},
	{name: "dst", code: []uint32{op1(pica.DST, outO, regV, regV+1, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{nan24, two24, 0x7F0001, nan24}, {nan24, three, nan24, minus0}},
		o:  map[int]pica.Vec4{0: {one24, 0x418000, 0x7F0001, minus0}}},
	{name: "litp", code: []uint32{op1(pica.LITP, outO, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{two24, 0x7E0000, one24, minus0}},
		o:  map[int]pica.Vec4{0: {two24, 0x45FFFC, zero24, zero24}}, cc: &[2]bool{true, true}},
	{name: "litp below", code: []uint32{op1(pica.LITP, outO, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{0x800001, 0xFE0000, one24, 0xBF0000}},
		o:  map[int]pica.Vec4{0: {zero24, 0xC5FFFC, zero24, zero24}}, cc: &[2]bool{false, false}},
	{name: "litp of NaN", code: []uint32{op1(pica.LITP, outO, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{nan24, nan24, one24, 0x000001}},
		o:  map[int]pica.Vec4{0: {zero24, 0xC5FFFC, zero24, 0x000001}}, cc: &[2]bool{false, true}},
	{name: "mova truncates", code: []uint32{op1(pica.MOVA, 0, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{0x3ECCCC, 0xBF8000}}, address: &[2]int32{0, -1}},
	{name: "mova mask", code: []uint32{op1(pica.MOVA, 0, regV, 0, 0), end}, desc: []uint32{desc("yzw")},
		in: []pica.Vec4{{three, 0xC08000}}, address: &[2]int32{0, -3}},
	{name: "mova out of range", code: []uint32{op1(pica.MOVA, 0, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{nan24, 0x5E0000}}, address: &[2]int32{-1 << 31, -1 << 31}},
	{name: "mova of the largest", code: []uint32{op1(pica.MOVA, 0, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{0x5DFFFF, 0xDE0000}}, address: &[2]int32{0x7FFFC000, -1 << 31}},
	{name: "mova of infinity", code: []uint32{op1(pica.MOVA, 0, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{inf24, 0xFF0000}}, address: &[2]int32{-1 << 31, -1 << 31}},
	{name: "mova of 127.9", code: []uint32{op1(pica.MOVA, 0, regV, 0, 0), end}, desc: []uint32{identity},
		in: []pica.Vec4{{0x45FF99, 0x3E8000}}, address: &[2]int32{127, 0}},
	comparison("cmp eq ne", pica.CmpEQ, pica.CmpNE, pica.Vec4{zero24, zero24}, pica.Vec4{minus0, minus0}, true, false),
	comparison("cmp eq ne subnormal", pica.CmpEQ, pica.CmpNE, pica.Vec4{1, 1}, pica.Vec4{0, 0}, false, true),
	comparison("cmp lt le", pica.CmpLT, pica.CmpLE, pica.Vec4{one24, one24}, pica.Vec4{one24, one24}, false, true),
	comparison("cmp lt le negative", pica.CmpLT, pica.CmpLE, pica.Vec4{0xC00000, 0xBF0000},
		pica.Vec4{0xBF0000, 0xC00000}, true, false),
	comparison("cmp gt ge", pica.CmpGT, pica.CmpGE, pica.Vec4{two24, one24}, pica.Vec4{one24, one24}, true, true),
	comparison("cmp gt ge less", pica.CmpGT, pica.CmpGE, pica.Vec4{one24, zero24}, pica.Vec4{one24, one24}, false,
		false),
	comparison("cmp eq ne NaN", pica.CmpEQ, pica.CmpNE, pica.Vec4{nan24, nan24}, pica.Vec4{nan24, nan24}, false, true),
	comparison("cmp lt le NaN", pica.CmpLT, pica.CmpLE, pica.Vec4{nan24, one24}, pica.Vec4{one24, nan24}, false, false),
	comparison("cmp gt ge NaN", pica.CmpGT, pica.CmpGE, pica.Vec4{nan24, one24}, pica.Vec4{one24, nan24}, false, false),
	comparison("cmp 6 7", 6, 7, pica.Vec4{nan24, one24}, pica.Vec4{one24, nan24}, true, true),
	{name: "float32 upload to the nearest", single: true, code: upload(), desc: []uint32{identity},
		profiles: []pica.Profile{f24},
		in:       []pica.Vec4{{0x3F8000C0, 0x3F800040, 0x3FFFFFFF, 0x20400000}},
		o:        map[int]pica.Vec4{0: {0x3F0002, 0x3F0000, 0x400000, 0x00C000}}},
	{name: "float32 upload toward zero", single: true, code: upload(), desc: []uint32{identity},
		profiles: []pica.Profile{hw},
		in:       []pica.Vec4{{0x3F8000C0, 0x3F800040, 0x3FFFFFFF, 0x20400000}},
		o:        map[int]pica.Vec4{0: {0x3F0001, 0x3F0000, 0x3FFFFF, 0x00C000}}},
	{name: "float32 upload of extremes", single: true, code: upload(), desc: []uint32{identity},
		in: []pica.Vec4{{0x7F7FFFFF, 0xFF800000, 0x80000000, 0xFFC00001}},
		o:  map[int]pica.Vec4{0: {inf24, 0xFF0000, minus0, 0xFF8000}}},
	{name: "float32 upload of small ones", single: true, code: upload(), desc: []uint32{identity},
		in: []pica.Vec4{{0x18800000, 0x98000000, 0x00000001, 0x7F800001}},
		o:  map[int]pica.Vec4{0: {0x000001, minus0, 0x000000, nan24}}},
	{name: "raw24 is kept", code: upload(), desc: []uint32{identity},
		in: []pica.Vec4{{0x000001, 0x7F0001, 0xFF8000, minus0}},
		o:  map[int]pica.Vec4{0: {0x000001, 0x7F0001, 0xFF8000, minus0}}},
	{name: "float32 storage of raw24", code: upload(), desc: []uint32{identity}, profiles: []pica.Profile{f32},
		in: []pica.Vec4{{0x000001, 0x7F0001, 0xFF0000, minus0}},
		o:  map[int]pica.Vec4{0: {0x18800000, 0x7F800080, 0xFF800000, 0x80000000}}},
	{name: "float32 storage of float32", single: true, code: upload(), desc: []uint32{identity},
		profiles: []pica.Profile{f32},
		in:       []pica.Vec4{{0x3F800001, 0x7F800001, 1, 0x80000001}},
		o:        map[int]pica.Vec4{0: {0x3F800001, 0x7F800001, 1, 0x80000001}}},
	{name: "float32 specials", single: true,
		code: []uint32{op1(pica.RCP, outO, regV, 0, 0), op1(pica.RSQ, outO+1, regV, 0, 0),
			op1(pica.MUL, outO+2, regV, regV+1, 0), op1(pica.DP3, outO+3, regV, regV+1, 0), end},
		desc: []uint32{identity}, profiles: []pica.Profile{f32},
		in: []pica.Vec4{{0x80000000, 0x80000000, 0x80000000, 0x7F800000}, {0x3F800000, 0x3F800000, 0x3F800000, 0}},
		o: map[int]pica.Vec4{0: {0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000},
			1: {0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000},
			2: {0x80000000, 0x80000000, 0x80000000, 0}, 3: {}}},
	{name: "float32 logarithm next to one", single: true, code: []uint32{op1(pica.LG2, outO, regV, 0, 0), end},
		desc: []uint32{identity}, profiles: []pica.Profile{f32},
		in: []pica.Vec4{{0x3F7FFFFF}}, o: map[int]pica.Vec4{0: {0xB3B8AA3C, 0xB3B8AA3C, 0xB3B8AA3C, 0xB3B8AA3C}}},
}

// comparison is a CMP of v0 with v1; both flags are set whatever the mask.
func comparison(name string, x, y uint32, a, b pica.Vec4, wantX, wantY bool) program {
	return program{name: name, code: []uint32{opCMP(regV, regV+1, x, y), end}, desc: []uint32{desc("", "xyzw", "xyzw")},
		in: []pica.Vec4{a, b}, initial: &pica.State{CC: [2]bool{!wantX, !wantY}}, cc: &[2]bool{wantX, wantY}}
}

// upload copies v0 to o0.
func upload() []uint32 { return []uint32{op1(pica.MOV, outO, regV, 0, 0), end} }

// relative returns what c[base + a0.x] reads where every constant holds its number.
func relative(base uint32, offset int32) pica.Vec4 {
	word := indexed(op1(pica.MOV, outO, regC+base, 0, 0), pica.IndexA0X)
	p := program{code: []uint32{word, end}, desc: []uint32{identity},
		initial: &pica.State{Address: [2]int32{offset, 0}},
		uploads: []pica.Upload{{Format: pica.Float32, Values: numbers()}}}
	var out pica.Outcome
	job := p.job(f32)
	if err := impl.New().Run(&job, &out); err != nil {
		panic(err)
	}
	return out.Vertices[0].O[0]
}

func (p *program) job(profile pica.Profile) pica.Job {
	form := pica.Float24
	if p.single {
		form = pica.Float32
	}
	return pica.Job{Program: pica.Program{Code: p.code, Descriptors: p.desc}, Vertices: [][]pica.Vec4{p.in},
		InputFormat: form,
		Floats:      p.uploads, Initial: p.initial, Profile: profile}
}

// check returns what is wrong with the outcome.
func (p *program) check(out *pica.Outcome) error {
	v := &out.Vertices[0]
	if v.Trap.Cause != pica.TrapNone {
		return fmt.Errorf("%s: trap %v", p.name, v.Trap)
	}
	for n, want := range p.o {
		if got := v.O[n]; got != want {
			return fmt.Errorf("%s: o%d: got %06X, want %06X", p.name, n, got, want)
		}
	}
	if p.address != nil && v.Address != *p.address {
		return fmt.Errorf("%s: a0: got %d, want %d", p.name, v.Address, *p.address)
	}
	if p.cc != nil && v.CC != *p.cc {
		return fmt.Errorf("%s: cc: got %v, want %v", p.name, v.CC, *p.cc)
	}
	return nil
}

// checkPrograms returns the first program that the engine gets wrong.
func checkPrograms(engine pica.Engine) error {
	var out pica.Outcome
	for i := range programs {
		p := &programs[i]
		profiles := p.profiles
		if profiles == nil {
			profiles = []pica.Profile{f24, hw}
		}
		for _, profile := range profiles {
			job := p.job(profile)
			if err := engine.Run(&job, &out); err != nil {
				return err
			}
			if err := p.check(&out); err != nil {
				return fmt.Errorf("%s: %w", profile.Name, err)
			}
		}
	}
	return nil
}

func TestPrograms(t *testing.T) {
	if err := checkPrograms(impl.New()); err != nil {
		t.Error(err)
	}
}

// TestRelative covers base and offset of relative addressing; -1 stands for
// (1, 1, 1, 1).
func TestRelative(t *testing.T) {
	bases := [3]uint32{0, 40, 95}
	for _, c := range []struct {
		offset int32
		want   [3]int
	}{
		{-1, [3]int{-1, 39, 94}}, {-41, [3]int{87, -1, 54}}, {-42, [3]int{86, -1, 53}}, {-73, [3]int{55, 95, 22}},
		{-127, [3]int{1, 41, -1}}, {-128, [3]int{0, 40, 95}}, {-129, [3]int{0, 40, 95}}, {56, [3]int{56, -1, 23}},
		{87, [3]int{87, -1, 54}}, {88, [3]int{88, 0, 55}}, {96, [3]int{-1, 8, 63}}, {127, [3]int{-1, 39, 94}},
		{128, [3]int{0, 40, 95}}, {-1 << 31, [3]int{0, 40, 95}}, {1<<31 - 1, [3]int{0, 40, 95}},
	} {
		for i, base := range bases {
			want := float32(1)
			if c.want[i] >= 0 {
				want = float32(c.want[i])
			}
			if got := relative(base, c.offset)[0]; got != bitsOf(want) {
				t.Errorf("c%d%+d: got %08X, want %08X", base, c.offset, got, bitsOf(want))
			}
		}
	}
}
