package impl_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// run runs words with v0.x and v0.y under a profile.
func run(t *testing.T, name string, stage pica.Stage, x, y float32, code ...uint32) *pica.VertexOutcome {
	t.Helper()
	p, err := profile.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	job := &pica.Job{Program: pica.Program{Code: code, Descriptors: []uint32{0x0D86C36F}}, Profile: p, Stage: stage,
		OutMask: 1, Budget: 50, InputFormat: pica.Float32,
		Ints:     [pica.NumInts][4]uint8{{0, 7}, {0, 9}},
		Vertices: [][]pica.Vec4{{{math.Float32bits(x), math.Float32bits(y)}}}}
	var out pica.Outcome
	if err := impl.New().Run(job, &out); err != nil {
		t.Fatal(err)
	}
	return &out.Vertices[0]
}

const end = uint32(pica.END) << 26

// TestOpenQuestions: each question of pica200.md 10, which only a console can answer, has a
// knob. No source names two answers to Q17.
func TestOpenQuestions(t *testing.T) {
	var open []string
	for _, k := range impl.Catalogue {
		open = append(open, strings.Fields(k.Open)...)
	}
	var want []string
	for q := 1; q <= 18; q++ {
		if q != 17 {
			want = append(want, fmt.Sprintf("Q%d", q))
		}
	}
	slices.Sort(open)
	slices.Sort(want)
	if got := slices.Compact(open); !slices.Equal(got, want) {
		t.Errorf("knobs for %v, want %v", got, want)
	}
}

// TestMOVA: rounding and range, as far as nobody knows them.
func TestMOVA(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, c := range []struct {
		profile string
		x, y    float32
		want    [2]int32
	}{
		{"f24", -1.5, 0.9, [2]int32{-1, 0}},
		{"f24", nan, 1 << 40, [2]int32{math.MinInt32, math.MinInt32}},
		{"f24,mova=floor", -1.5, 0.9, [2]int32{-2, 0}},
		{"f24,mova=floor", -0.25, -3, [2]int32{-1, -3}},
		{"f24,mova=nearest", 0.5, 1.5, [2]int32{0, 2}},
		{"f24,mova=nearest", -2.5, -0.75, [2]int32{-2, -1}},
		{"f24,mova=nearest", nan, 1e-18, [2]int32{math.MinInt32, 0}},
		{"f24,movarange=nearest", nan, 1 << 40, [2]int32{0, math.MaxInt32}},
		{"f24,movarange=nearest", inf, -7.5, [2]int32{math.MinInt32, -7}},
		{"f24,movarange=byte", 300, -300, [2]int32{127, -128}},
		{"f24,movarange=byte", 1 << 40, inf, [2]int32{127, -128}},
		{"f24,mova=floor,movarange=byte", -1.5, nan, [2]int32{-2, 0}},
	} {
		if got := run(t, c.profile, pica.Vertex, c.x, c.y, uint32(pica.MOVA)<<26, end).Address; got != c.want {
			t.Errorf("%s: %v, %v: got %v, want %v", c.profile, c.x, c.y, got, c.want)
		}
	}
}

// TestALWidth: 56 passes add 5 to an aL of 7; eight bits wrap once.
func TestALWidth(t *testing.T) {
	p, err := profile.Parse("f24,alwidth=8")
	if err != nil {
		t.Fatal(err)
	}
	for width, want := range map[pica.ALWidthRule]int32{pica.ALWidth32: 7 + 56*5, p.ALWidth: 7 + 56*5 - 256} {
		code := []uint32{uint32(pica.LOOP)<<26 | 1<<10, uint32(pica.NOP) << 26, end}
		job := &pica.Job{Program: pica.Program{Code: code},
			Profile:  pica.Profile{Knobs: pica.Knobs{ALWidth: width}},
			Ints:     [pica.NumInts][4]uint8{{55, 7, 5}},
			Vertices: [][]pica.Vec4{nil}}
		var out pica.Outcome
		if err := impl.New().Run(job, &out); err != nil {
			t.Fatal(err)
		}
		if got := out.Vertices[0].AL; got != want {
			t.Errorf("width %d: got %d, want %d", width, got, want)
		}
	}
}

// TestLoopID: bit 24 is part of the id only where a profile says so.
func TestLoopID(t *testing.T) {
	loop := uint32(pica.LOOP)<<26 | 1<<24 | 1<<22 | 1<<10
	for name, want := range map[string]int32{"f24": 9, "f24,loopid=three": 0} {
		if got := run(t, name, pica.Vertex, 0, 0, loop, uint32(pica.NOP)<<26, end).AL; got != want {
			t.Errorf("%s: aL is %d, want %d", name, got, want)
		}
	}
}

// TestFourthCall: four procedures end after the last word of the innermost. The word after the
// first CALL ends the run; the word after the last procedure traps.
func TestFourthCall(t *testing.T) {
	call := func(target uint32) uint32 { return uint32(pica.CALL)<<26 | target<<10 | 1 }
	code := []uint32{call(2), end, call(3), call(4), call(5), uint32(pica.NOP) << 26, 0x10 << 26}
	for name, want := range map[string]pica.Cause{"f24": pica.TrapReserved, "f24,fourthcall=returns": pica.TrapNone} {
		if got := run(t, name, pica.Vertex, 0, 0, code...).Trap.Cause; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestVertex3: EMIT with vertex id 3 traps, is refused, or stores no vertex.
func TestVertex3(t *testing.T) {
	setemit := uint32(pica.SETEMIT)<<26 | 3<<24 | 1<<23
	for name, want := range map[string]pica.Cause{"f24": pica.TrapEmitVertexID, "f32": pica.TrapUnsupported,
		"f24,vertex3=none": pica.TrapNone} {
		v := run(t, name, pica.Geometry, 1, 1, setemit, uint32(pica.EMIT)<<26, end)
		if v.Trap.Cause != want || want == pica.TrapNone && len(v.Primitives) != 1 {
			t.Errorf("%s: %v, %d primitives", name, v.Trap, len(v.Primitives))
		}
	}
}

// TestOverflow: a sum that is too large, of either sign.
func TestOverflow(t *testing.T) {
	const max24 = 0x1.FFFFp63
	for name, want := range map[string][2]uint32{"f24": {0x7F0000, 0xFF0000},
		"f24,overflow=largest": {0x7EFFFF, 0xFEFFFF}} {
		if got := run(t, name, pica.Vertex, max24, -max24, uint32(pica.ADD)<<26, end).O[0]; [2]uint32(got[:2]) != want {
			t.Errorf("%s: got %06X, want %06X", name, got[:2], want)
		}
	}
}

// TestExponentialOverflows: 2^x is too large for every finite x from 64 up, and infinite for
// infinity alone.
func TestExponentialOverflows(t *testing.T) {
	for name, want := range map[string]uint32{"f24": 0x7F0000, "f24,overflow=largest": 0x7EFFFF} {
		for _, x := range []float32{64, 200, 1023, 1024, 1 << 60} {
			if got := run(t, name, pica.Vertex, x, 0, uint32(pica.EX2)<<26, end).O[0][0]; got != want {
				t.Errorf("%s: EX2(%v): got %06X, want %06X", name, x, got, want)
			}
			if got := run(t, name, pica.Vertex, -2*x, 0, uint32(pica.EX2)<<26, end).O[0][0]; got != 0 {
				t.Errorf("%s: EX2(%v): got %06X, want 0", name, -2*x, got)
			}
		}
		if got := run(t, name, pica.Vertex, float32(math.Inf(1)), 0, uint32(pica.EX2)<<26, end).
			O[0][0]; got != 0x7F0000 {
			t.Errorf("%s: EX2(inf): got %06X", name, got)
		}
	}
}

// TestFlushFlags: LITP's flag x >= 0, given a negative subnormal.
func TestFlushFlags(t *testing.T) {
	for name, want := range map[string]bool{"hw": false, "hw,flushmov=all": false, "hw,flushsge=all": true,
		"hw,flushlitp=all": true} {
		if got := run(t, name, pica.Vertex, -0x1p-70, 0, uint32(pica.LITP)<<26, end).CC[0]; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestProgramEndWraps: word 0 follows word 4095, or word 511 of a vertex program.
func TestProgramEndWraps(t *testing.T) {
	for _, c := range []struct {
		profile string
		stage   pica.Stage
		last    uint32
		want    pica.Cause
	}{
		{"f24", pica.Vertex, 4095, pica.TrapPCRange},
		{"f24,end=wrap", pica.Vertex, 4095, pica.TrapBudget},
		{"f24,end=wrap", pica.Vertex, 511, pica.TrapNone},
		{"f24,end=wrap512", pica.Vertex, 511, pica.TrapBudget},
		{"f24,end=wrap512", pica.Geometry, 511, pica.TrapNone},
		{"f24,end=wrap512", pica.Geometry, 4095, pica.TrapBudget},
	} {
		code := make([]uint32, 513)
		code[0], code[512] = uint32(pica.JMPU)<<26|c.last<<10|1, end // not b0
		if v := run(t, c.profile, c.stage, 0, 0, code...); v.Trap.Cause != c.want {
			t.Errorf("%s, stage %d, word %d: got %v, want %v", c.profile, c.stage, c.last, v.Trap, c.want)
		}
	}
}

// TestWindowZero: an offset beyond a byte reads the base register, or zeros.
func TestWindowZero(t *testing.T) {
	code := []uint32{uint32(pica.MOVA) << 26, uint32(pica.MOV)<<26 | 1<<19 | 0x20<<12,
		uint32(pica.MOV)<<26 | 1<<21 | 1<<19 | 0x7F<<12, end}
	for name, want := range map[string]uint32{"f24": 0x3F0000, "f24,index=window-zero": 0} {
		p, _ := profile.Parse(name)
		one := pica.Vec4{0x3F0000, 0x3F0000, 0x3F0000, 0x3F0000}
		job := &pica.Job{Program: pica.Program{Code: code, Descriptors: []uint32{0x0D86C36F}}, Profile: p,
			InputFormat: pica.Float32,
			Floats:      []pica.Upload{{Format: pica.Float24, Values: []pica.Vec4{one}}},
			Vertices:    [][]pica.Vec4{{{math.Float32bits(200)}}}}
		var out pica.Outcome
		if err := impl.New().Run(job, &out); err != nil {
			t.Fatal(err)
		}
		if got := out.Vertices[0].O[0][0]; got != want {
			t.Errorf("%s: got %06X, want %06X", name, got, want)
		}
	}
}

// scopes keeps what an observer is shown of open scopes.
type scopes struct{ seen []string }

func (*scopes) Start(*pica.Job, int, *pica.State) {}
func (s *scopes) Step(step *pica.Step)            { s.seen = append(s.seen, step.Scopes()) }

// TestObserverSeesScopes: of engines whose scopes have no place in the state.
func TestObserverSeesScopes(t *testing.T) {
	p, _ := profile.ByName("azahar-x64")
	code := []uint32{uint32(pica.CALL)<<26 | 2<<10 | 1, end, uint32(pica.NOP) << 26}
	job := &pica.Job{Program: pica.Program{Code: code},
		Profile: p, Vertices: make([][]pica.Vec4, 1)}
	var s scopes
	if err := impl.Watched(&s).Run(job, new(pica.Outcome)); err != nil {
		t.Fatal(err)
	}
	if len(s.seen) != 3 || s.seen[0] != "call(end 3, return 1)" || s.seen[1] != "" {
		t.Errorf("got %q", s.seen)
	}
}

// unread is an observer that does not look at what it is shown.
type unread struct{}

func (unread) Start(*pica.Job, int, *pica.State) {}
func (unread) Step(*pica.Step)                   {}

// TestUnreadScopesCostNothing: the scopes of a call of itself are thousands of frames, which an observer may not want.
func TestUnreadScopesCostNothing(t *testing.T) {
	for _, name := range []string{"azahar-x64", "panda-x64", "citra-2021"} {
		p, _ := profile.ByName(name)
		job := &pica.Job{Program: pica.Program{Code: []uint32{uint32(pica.CALL)<<26 | 1, end}}, Profile: p,
			Vertices: make([][]pica.Vec4, 1), Budget: 4000}
		engine, out := impl.Watched(unread{}), new(pica.Outcome)
		allocations := testing.AllocsPerRun(2, func() {
			if err := engine.Run(job, out); err != nil {
				t.Fatal(err)
			}
		})
		if allocations > 100 {
			t.Errorf("%s: %v allocations", name, allocations)
		}
	}
}

// TestProgramTooLong: a program that exceeds the memory of an implementation is refused at
// its first word, also if a compiler would refuse it for another reason.
func TestProgramTooLong(t *testing.T) {
	const elseBeyond = uint32(pica.IFU)<<26 | 4000<<10 | 255
	for _, c := range []struct {
		profile string
		words   int
		want    pica.Trap
	}{
		{"panda-interp", 4096, pica.Trap{Cause: pica.TrapUnsupported, Refusal: pica.RefusalPanic}},
		{"panda-x64", 4096, pica.Trap{Cause: pica.TrapUnsupported, Refusal: pica.RefusalPanic}},
		{"panda-x64", 4095, pica.Trap{Cause: pica.TrapUnsupported}},
		{"azahar-x64", 4096, pica.Trap{Cause: pica.TrapUnsupported}},
		{"mikage-interp", 1025, pica.Trap{Cause: pica.TrapUnsupported}},
		{"mikage-interp", 1024, pica.Trap{}},
		{"citra-2021", 4096, pica.Trap{}},
	} {
		code := make([]uint32, c.words)
		code[0], code[1] = end, elseBeyond
		if got := run(t, c.profile, pica.Vertex, 0, 0, code...).Trap; got != c.want {
			t.Errorf("%s, %d words: got %v, want %v", c.profile, c.words, got, c.want)
		}
	}
}

// TestHostStack: recursion ends where the model of the host's stack is full.
func TestHostStack(t *testing.T) {
	p, _ := profile.ByName("azahar-x64")
	job := &pica.Job{Program: pica.Program{Code: []uint32{uint32(pica.CALL)<<26 | 2}}, Profile: p, Budget: 5000,
		Vertices: make([][]pica.Vec4, 1)}
	var out pica.Outcome
	if err := impl.New().Run(job, &out); err != nil {
		t.Fatal(err)
	}
	if v := &out.Vertices[0]; v.Trap.Cause != pica.TrapUnsupported || v.Steps != 4096 {
		t.Errorf("got %v after %d instructions", v.Trap, v.Steps)
	}
}

// TestUnsupportedProfile: no engine takes a profile that has no rules.
func TestUnsupportedProfile(t *testing.T) {
	job := &pica.Job{Profile: pica.Profile{Knobs: pica.Knobs{Round: pica.RoundCut}}}
	changed := impl.NewWith(func(r *oracle.Rules) { r.Unit.Direction = oracle.Nearest }, nil)
	for _, engine := range []pica.Engine{impl.New(), changed} {
		if err := engine.Run(job, new(pica.Outcome)); !errors.Is(err, pica.ErrUnsupportedProfile) {
			t.Errorf("got %v", err)
		}
	}
}
