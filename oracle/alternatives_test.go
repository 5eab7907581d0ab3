package oracle_test

import (
	"testing"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestAlternatives runs one instruction under settings that implementations
// disagree about. The result is o0.x; the operands are raw float24.
func TestAlternatives(t *testing.T) {
	const (
		big   = 0x5D0000 // 2^30
		minus = sign24
		inf32 = 0x7F800000
		nan32 = 0x7FC00000
		trap  = 0xDEAD // refused
	)
	binary := func(op pica.Opcode) uint32 { return op1(op, outO, regV, regV+1, 0) }
	unary := func(op pica.Opcode) uint32 { return op1(op, outO, regV, 0, 0) }
	fused := opMAD(outO, regV, regV+1, regV+2, 0)
	all := func(x uint32) pica.Vec4 { return pica.Vec4{x, x, x, x} }
	for _, c := range []struct {
		profile string
		word    uint32
		in      []pica.Vec4
		want    uint32
	}{
		{"hw,round=rne", binary(pica.ADD), []pica.Vec4{all(0x3F0001), all(0x2E0000)}, 0x3F0002},
		{"hw", binary(pica.ADD), []pica.Vec4{all(one24), all(0x810000)}, 0x3EFFFF},
		{"hw,round=align,hazards=off", binary(pica.ADD), []pica.Vec4{all(one24), all(0x810000)}, one24}, // 1 - 2^-62
		// 1 - 2^-19: the last guard bit
		{"hw,round=align,hazards=off", binary(pica.ADD), []pica.Vec4{all(one24), all(0xAC0000)}, 0x3EFFFF},
		{"hw,round=align,hazards=off", binary(pica.ADD), []pica.Vec4{all(one24), all(0xAB0000)}, one24},
		{"hw,round=align,hazards=off", binary(pica.MUL), []pica.Vec4{all(0x3F8000), all(0x3F5555)}, 0x3FFFFF},
		{"f24,dp=pairwise", binary(pica.DP4), []pica.Vec4{{big, one24, big | minus, one24}, ones}, zero24},
		{"f24,dp=mixed", binary(pica.DP4), []pica.Vec4{{big, one24, big | minus, one24}, ones}, zero24},
		{"f24,dp=mixed", binary(pica.DP3), []pica.Vec4{{one24, big, big | minus, one24}, ones}, zero24},
		{"f24", binary(pica.DP4), []pica.Vec4{{one24, big, big | minus, one24}, ones}, one24},
		{"f24,dp=seeded", binary(pica.DP4), []pica.Vec4{all(minus0), ones}, zero24},
		{"f24,mad=fused", fused, []pica.Vec4{all(0x3F0001), all(0x3F0001), all(0xBF0002)}, 0x1F0000}, // 2^-32
		{"f24,mad=fused", fused, []pica.Vec4{all(inf24), all(zero24), all(one24)}, one24},
		{"hw,mad=fused,hazards=off", fused, []pica.Vec4{all(0x000001), all(one24), all(one24)}, one24},
		{"hw", binary(pica.MUL), []pica.Vec4{all(0xBF0000), all(zero24)}, zero24},
		{"hw,flush=signed", binary(pica.MUL), []pica.Vec4{all(0xBF0000), all(zero24)}, minus0},
		{"hw,flush=signed", binary(pica.MUL), []pica.Vec4{all(0x810000), all(half24)}, minus0},
		{"hw,flush=signed", binary(pica.MUL), []pica.Vec4{all(0x800001), all(two24)}, minus0},
		{"hw,flush=signed", binary(pica.ADD), []pica.Vec4{all(0x800001), all(one24)}, one24},
		{"hw,flush=signed,rcp0=signed", unary(pica.RCP), []pica.Vec4{all(0x800001)}, 0xFF0000},
		{"hw", unary(pica.MOV), []pica.Vec4{all(minus0)}, minus0},
		{"hw,special=positive", unary(pica.MOV), []pica.Vec4{all(minus0)}, zero24},
		{"hw,special=positive", unary(pica.MOV), []pica.Vec4{all(0x800001)}, 0x800001},
		{"hw,special=positive", unary(pica.MOV), []pica.Vec4{all(nan24)}, nan24},
		{"f32,special=positive", unary(pica.MOV), []pica.Vec4{all(minus0)}, 0},
		{"hw", unary(pica.MOV), []pica.Vec4{all(0x000001)}, 0x000001},
		{"hw,flushmov=all", unary(pica.MOV), []pica.Vec4{all(0x000001)}, zero24},
		{"hw,flushmov=all", unary(pica.MOV), []pica.Vec4{all(0x810000)}, 0x810000},
		{"hw,flushmov=all", binary(pica.MAX), []pica.Vec4{all(0x000001), all(zero24)}, 0x000001},
		{"hw", binary(pica.SGE), []pica.Vec4{all(zero24), all(0x000001)}, zero24},
		{"hw,flushsge=all", binary(pica.SGE), []pica.Vec4{all(zero24), all(0x000001)}, one24},
		{"hw,flushsge=all", binary(pica.SGE), []pica.Vec4{all(zero24), all(0x010000)}, zero24},
		{"hw", binary(pica.SLT), []pica.Vec4{all(zero24), all(0x000001)}, one24},
		{"hw,flushsge=all", binary(pica.SLT), []pica.Vec4{all(zero24), all(0x000001)}, zero24},
		{"hw,flushsge=all", binary(pica.SLT), []pica.Vec4{all(zero24), all(0x010000)}, one24},
		{"hw", unary(pica.LITP), []pica.Vec4{all(0x000001)}, 0x000001},
		{"hw,flushlitp=all", unary(pica.LITP), []pica.Vec4{all(0x000001)}, zero24},
		{"hw,flushlitp=all", unary(pica.LITP), []pica.Vec4{all(0x010000)}, 0x010000},
		{"hw,nan0=zero,hazards=off", binary(pica.MUL), []pica.Vec4{all(nan24), all(zero24)}, zero24},
		{"hw,nan0=zero,hazards=off", binary(pica.MUL), []pica.Vec4{all(nan24), all(one24)}, nan24},
		{"hw,maxinf=src2,hazards=off", binary(pica.MAX), []pica.Vec4{all(zero24), all(0xFF0000)}, 0xFF0000},
		{"hw,maxinf=src2,hazards=off", binary(pica.MAX), []pica.Vec4{all(two24), all(one24)}, two24},
		{"f24", binary(pica.MAX), []pica.Vec4{all(zero24), all(minus0)}, minus0},
		{"f24,maxzero=ordered", binary(pica.MAX), []pica.Vec4{all(zero24), all(minus0)}, zero24},
		{"f24,maxzero=ordered", binary(pica.MAX), []pica.Vec4{all(minus0), all(minus0)}, minus0},
		{"f24,maxzero=ordered", binary(pica.MAX), []pica.Vec4{all(one24), all(minus0)}, one24},
		{"f24", binary(pica.MIN), []pica.Vec4{all(minus0), all(zero24)}, zero24},
		{"f24,maxzero=ordered", binary(pica.MIN), []pica.Vec4{all(minus0), all(zero24)}, minus0},
		{"f24,maxzero=ordered", binary(pica.MIN), []pica.Vec4{all(zero24), all(zero24)}, zero24},
		{"f24,maxzero=ordered", binary(pica.MIN), []pica.Vec4{all(zero24), all(0x800001)}, 0x800001},
		{"f24,zeroinf=nan", binary(pica.MUL), []pica.Vec4{all(inf24), all(zero24)}, nan24},
		{"f24,negate=multiply", op1(pica.MOV, outO, regV, 0, 1), []pica.Vec4{all(zero24)}, minus0},
		{"f24,negate=multiply,zeroinf=positive", op1(pica.MOV, outO, regV, 0, 1), []pica.Vec4{all(minus0)}, zero24},
		{"f24,rcp0=signed", unary(pica.RCP), []pica.Vec4{all(minus0)}, 0xFF0000},
		{"f24,rcp0=signed", unary(pica.RSQ), []pica.Vec4{all(minus0)}, 0xFF0000},
		{"f24,rcp=estimate", unary(pica.RCP), []pica.Vec4{all(two24)}, 0x3E0000},
		{"f24,rcp=short", unary(pica.RCP), []pica.Vec4{all(two24)}, 0x3DFFE0},
		{"f24,rcp=estimate", unary(pica.RCP), []pica.Vec4{all(zero24)}, inf24},
		{"f24,ex2=estimate", unary(pica.LG2), []pica.Vec4{all(two24)}, one24},
		{"f24,ex2=estimate", unary(pica.EX2), []pica.Vec4{all(nan24)}, nan24},

		// Decoding of raw float24 into float32 registers.
		{"azahar-interp", unary(pica.MOV), []pica.Vec4{all(0x000001)}, 0x18800000},
		{"azahar-interp", unary(pica.MOV), []pica.Vec4{all(0x00FFFF)}, 0x207FFF00},
		{"azahar-x64", unary(pica.MOV), []pica.Vec4{all(0x7F8000)}, nan32},
		{"panda-interp", unary(pica.MOV), []pica.Vec4{all(0x000001)}, 0x20000080},
		{"citra-2021", unary(pica.MOV), []pica.Vec4{all(0x00FFFF)}, 0x207FFF80},
		{"citra-2021", unary(pica.MOV), []pica.Vec4{all(minus0)}, 0x80000000},
		{"mikage-interp", unary(pica.MOV), []pica.Vec4{all(0x008000)}, 0},
		{"mikage-interp", unary(pica.MOV), []pica.Vec4{all(minus0)}, 0},
		{"mikage-interp", unary(pica.MOV), []pica.Vec4{all(inf24)}, 0x5F800000},
		{"mikage-interp", unary(pica.MOV), []pica.Vec4{all(nan24)}, 0x5FC00000},
		{"panda-x64", unary(pica.MOV), []pica.Vec4{all(0x7EFFFF)}, 0x5F7FFF80},

		// Arithmetic of the emulators.
		{"panda-x64", fused, []pica.Vec4{all(0x3F0001), all(0x3F0001), all(0xBF0002)}, 0x2F800000},
		{"azahar-x64", fused, []pica.Vec4{all(0x3F0001), all(0x3F0001), all(0xBF0002)}, 0},
		{"panda-x64", binary(pica.MUL), []pica.Vec4{all(inf24), all(zero24)}, nan32},
		{"mikage-interp", binary(pica.MUL), []pica.Vec4{all(0xBF0000), all(zero24)}, 0},
		{"mikage-interp", op1(pica.MOV, outO, regV, 0, 1), []pica.Vec4{all(zero24)}, 0},
		{"azahar-interp", binary(pica.MUL), []pica.Vec4{all(0xBF0000), all(zero24)}, 0x80000000},
		{"azahar-interp", binary(pica.DP3), []pica.Vec4{all(minus0), ones}, 0},
		{"citra-2021", binary(pica.DP3), []pica.Vec4{all(minus0), ones}, 0},
		{"mikage-interp", binary(pica.DP3), []pica.Vec4{all(minus0), ones}, 0},
		{"azahar-x64", binary(pica.DP3), []pica.Vec4{all(minus0), ones}, 0x80000000},
		{"panda-interp", binary(pica.DP3), []pica.Vec4{all(minus0), ones}, 0x80000000},
		{"panda-x64", binary(pica.DP3), []pica.Vec4{all(minus0), ones}, 0},
		{"panda-interp", binary(pica.MAX), []pica.Vec4{all(inf24), all(0xFF0000)}, 0xFF800000},
		{"azahar-interp", binary(pica.MAX), []pica.Vec4{all(inf24), all(0xFF0000)}, inf32},
		{"panda-interp", unary(pica.RCP), []pica.Vec4{all(minus0)}, inf32},
		{"azahar-interp", unary(pica.RCP), []pica.Vec4{all(minus0)}, 0xFF800000},
		{"azahar-interp", unary(pica.RCP), []pica.Vec4{all(three)}, 0x3EAAAAAB},
		{"azahar-x64", unary(pica.RCP), []pica.Vec4{all(three)}, 0x3EAAAAAB}, // estimated
		{"panda-interp", unary(pica.LITP), []pica.Vec4{{minus0, 0x7E0000, 0, 0}}, 0x80000000},
		{"panda-interp", binary(pica.DPH), []pica.Vec4{ones, ones}, trap},
		{"panda-interp", indexed(binary(pica.MAX), pica.IndexA0X), []pica.Vec4{ones, ones}, trap},
		{"citra-2021", unary(pica.LITP), []pica.Vec4{ones}, 0},
		{"mikage-interp", unary(pica.FLR), []pica.Vec4{ones}, 0},
		{"mikage-interp", op1i(pica.SGEI, outO, regV, regV, 0), []pica.Vec4{ones}, trap},

		// Borked3DS: float32, then 16 mantissa bits and the range of float24.
		{"borked-rz24", binary(pica.ADD), []pica.Vec4{all(0x3F0001), all(0x2E0000)}, 0x3F800080},
		{"borked-rz24", binary(pica.MUL), []pica.Vec4{all(0x010000), all(half24)}, 0},
		{"borked-rz24", binary(pica.MUL), []pica.Vec4{all(0x7E0000), all(two24)}, 0x5F800000},
		{"borked-rz24", binary(pica.MUL), []pica.Vec4{all(0x7EFFFF), all(four24)}, inf32},
		{"borked-rz24", unary(pica.RCP), []pica.Vec4{all(three)}, 0x3EAAAA80},

		// Addressing.
		// a0.x is 1: v1
		{"citra-2021", indexed(unary(pica.MOV), pica.IndexA0X), []pica.Vec4{ones, all(two24)}, 0x40000000},
		{"azahar-interp", indexed(unary(pica.MOV), pica.IndexA0X), []pica.Vec4{ones, all(two24)}, 0x3F800000},
		{"citra-2021", indexed(op1(pica.MOV, outO, regC+95, 0, 0), pica.IndexA0X), nil, trap},
		{"panda-x64", indexed(op1(pica.MOV, outO, regC+95, 0, 0), pica.IndexA0X), nil, 0},
		{"panda-x64", indexed(unary(pica.MOV), pica.IndexA0X), []pica.Vec4{ones, all(two24)}, 0x40000000},
		{"f24", indexed(op1(pica.MOV, outO, regC+95, 0, 0), pica.IndexA0X), nil, one24},
	} {
		p, err := profile.Parse(c.profile)
		check(t, err)
		job := words(p, []uint32{identity, desc("xyzw", "-")}, c.word, end)
		job.Vertices, job.Initial = [][]pica.Vec4{c.in}, &pica.State{Address: [2]int32{1, 0}}
		if p.Knobs.Hazards == pica.HazardsTrap {
			job.Profile.Knobs.Hazards = pica.HazardsOff
		}
		v := &run(t, job).Vertices[0]
		got := v.O[0][0]
		if v.Trap.Cause == pica.TrapUnsupported {
			got = trap
		}
		if got != c.want {
			t.Errorf("%s: %08X of %06X: got %08X, want %08X (%v)", c.profile, c.word, c.in, got, c.want, v.Trap)
		}
	}
}

// TestReset holds what is cleared before a vertex although state is kept.
func TestReset(t *testing.T) {
	for name, want := range map[string]pica.State{
		"none":     {Address: [2]int32{3, 4}, AL: 5, CC: [2]bool{true, true}},
		"cc":       {Address: [2]int32{3, 4}, AL: 5},
		"cc-index": {},
	} {
		p, err := profile.Parse("f24,reset=" + name)
		check(t, err)
		job := words(p, plain, end)
		job.Keep, job.Initial = true, &pica.State{Address: [2]int32{3, 4}, AL: 5, CC: [2]bool{true, true}}
		if got := run(t, job).Vertices[0].State; got.Address != want.Address || got.AL != want.AL || got.CC != want.CC {
			t.Errorf("reset=%s: got a0 %v, aL %d, cc %v", name, got.Address, got.AL, got.CC)
		}
	}
}

// TestTemporaries: r0 of the first vertex and of one that keeps what the first left.
func TestTemporaries(t *testing.T) {
	w1 := pica.Vec4{3: one24}
	for name, want := range map[string][2]pica.Vec4{"kept": {{}, ones}, "zero": {}, "w1": {w1, w1}} {
		p, err := profile.Parse("f24,temporaries=" + name)
		check(t, err)
		job := words(p, plain, op1(pica.MOV, outO, regR, 0, 0), op1(pica.MOV, tmpR, regV, 0, 0), end)
		job.Vertices, job.Keep = [][]pica.Vec4{{ones}, {ones}}, true
		out := run(t, job)
		if got := [2]pica.Vec4{out.Vertices[0].O[0], out.Vertices[1].O[0]}; got != want {
			t.Errorf("temporaries=%s: got %06X, want %06X", name, got, want)
		}
	}
}

// TestCompareKnobs covers the comparison operators 6 and 7 on a NaN and on
// numbers; the flags start as false and true.
func TestCompareKnobs(t *testing.T) {
	for _, c := range []struct {
		cmp  string
		x, y uint32
		want [2]bool
	}{
		{"true", 6, 7, [2]bool{true, true}},
		{"keep", 6, 7, [2]bool{false, true}},
		{"ordered", 6, 7, [2]bool{true, true}},
		{"ordered", 7, 7, [2]bool{false, true}},
		{"ordered", 6, pica.CmpNE, [2]bool{true, false}},
	} {
		p, err := profile.Parse("f24,cmp=" + c.cmp)
		check(t, err)
		job := words(p, plain, opCMP(regV, regV, c.x, c.y), end)
		job.Vertices, job.Initial = [][]pica.Vec4{{{nan24, one24}}}, &pica.State{CC: [2]bool{false, true}}
		if got := run(t, job).Vertices[0].CC; got != c.want {
			t.Errorf("cmp=%s, %d %d: got %v, want %v", c.cmp, c.x, c.y, got, c.want)
		}
	}
}
