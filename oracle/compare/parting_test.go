package compare_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestParting: two profiles part at the first step with other effects.
func TestParting(t *testing.T) {
	const yForSecond = anyDescriptor&^15&^(0xFF<<14) | 0x55<<14
	multiply, invert := data(pica.MUL, temporary0, 0, 0, 0), data(pica.RCP, temporary0, 0, 0, 0)
	six := uint32(pica.CMP)<<26 | 6<<24
	long := make([]uint32, 1025)
	long[0] = end
	for _, c := range []struct {
		name, left, right, want string
		code, inputs            []uint32
	}{
		{"value", "f24", "hw",
			"1: 1: 402005 3f8003 0 0 false to 2 none; 1: 402004 3f8003 0 0 false to 2 none",
			[]uint32{count, multiply, end}, []uint32{two, 0x3F8003}},
		{"one value, two formats", "f24", "f32", "",
			[]uint32{count, multiply, end}, []uint32{two, 0x7F8000, 0x7F8001}},
		{"sign of infinity", "f24", "f24,rcp0=signed",
			"1: 1: 7f0000 000000 0 0 false to 2 none; 1: ff0000 000000 0 0 false to 2 none",
			[]uint32{count, invert, end}, []uint32{0x7F8000, 0x800000}},
		{"unwritten component", "f24", "f24,zeroinf=nan", "",
			[]uint32{data(pica.MUL, temporary0, 1, 0, 0), end}, []uint32{0x7F0000}},
		{"written component", "f24", "f24,zeroinf=nan",
			"0: 0: 000000 000000 0 0 false to 1 none; 0: 7f8000 000000 0 0 false to 1 none",
			[]uint32{data(pica.MUL, temporary0, 2, 0, 0), end}, []uint32{0x7F0000}},
		{"NaN", "f24", "f24,nan0=zero",
			"0: 0: 7f8000 000000 0 0 false to 1 none; 0: 000000 000000 0 0 false to 1 none",
			[]uint32{data(pica.MUL, temporary0, 0, 0, 1), end}, []uint32{0x7F8000}},
		{"cc.x", "f24", "f24,cmp=keep",
			"0: 1: 000000 000000 0 0 true to 2 none; 1: 000000 000000 0 0 false to 2 none",
			[]uint32{nop, six, end}, []uint32{two}},
		{"a0", "f24", "f24,mova=floor",
			"1: 1: 000000 000000 -1 0 false to 2 none; 1: 000000 000000 -2 0 false to 2 none",
			[]uint32{nop, data(pica.MOVA, 0, 0, 0, 0), end}, []uint32{two, 0xBF8000}},
		{"aL", "f24", "f24,alwidth=8",
			"0: 256: 000000 000000 0 256 false to 2 none; 256: 000000 000000 0 0 false to 2 none",
			[]uint32{flow(pica.LOOP, 1, 1, 0), nop, end}, []uint32{two}},
		{"loop", "f24", "f24,loopid=three",
			"0: 1: 000000 000000 0 255 false to 1 none; 1: 000000 000000 0 0 false to 2 none",
			[]uint32{flow(pica.LOOP, 1, 0, 0) | 5<<22, nop, end}, []uint32{two}},
		{"pc", "f24", "f24,loopid=three",
			"0: 1: 000000 000000 0 0 false to 1 none; 1: 000000 000000 0 0 false to 2 none",
			[]uint32{flow(pica.LOOP, 1, 0, 0) | 6<<22, nop, end}, []uint32{two}},
		{"skip", "f24", "f24,op.add=skip",
			"0: 0: 400000 400000 0 0 false to 1 none; 0: 000000 000000 0 0 false to 1 none",
			[]uint32{count, end}, []uint32{two}},
		{"abort", "f24", "f24,op.add=abort",
			"0: 0: 400000 400000 0 0 false to 1 none; 0: 000000 000000 0 0 false to 0 unsupported at 0",
			[]uint32{count, end}, []uint32{two}},
		{"abort", "f24,op.add=abort", "f24",
			"0: 0: 000000 000000 0 0 false to 0 unsupported at 0; 0: 400000 400000 0 0 false to 1 none",
			[]uint32{count, end}, []uint32{two}},
		{"break", "f24", "f24,breakoutside=ignored",
			"0: 0: 000000 000000 0 0 false to 0 hang at 0; 0: 000000 000000 0 0 false to 1 none",
			[]uint32{flow(pica.BREAK, 0, 0, 0), end}, []uint32{two}},
		{"too long", "f24", "f24,end=abort1024",
			"0: 0: 000000 000000 0 0 false to 1 none; 0: 000000 000000 0 0 false to 0 unsupported at 0",
			long, []uint32{two}},
		{"too long", "f24,end=abort1024", "f24",
			"0: 0: 000000 000000 0 0 false to 0 unsupported at 0; 0: 000000 000000 0 0 false to 1 none",
			long, []uint32{two}},
		{"too long", "f24", "mikage-interp",
			"0: 0: 000000 000000 0 0 false to 1 none; 0: 000000 000000 0 0 false to 0 unsupported at 0",
			long, []uint32{two}},
	} {
		left := jobOf(pica.Vertex, false, c.code, c.inputs...)
		left.Descriptors = append(left.Descriptors, yForSecond|3, yForSecond|8)
		left.Ints[1], left.Ints[2] = [4]uint8{1, 0, 255}, [4]uint8{1}
		right := *left
		var errs [2]error
		left.Profile, errs[0] = profile.Parse(c.left)
		right.Profile, errs[1] = profile.Parse(c.right)
		if errs != [2]error{} {
			t.Errorf("%s: %v", c.name, errs)
			continue
		}
		at, err := compare.Parting(left, &right)
		if err != nil {
			t.Error(err)
			continue
		}
		got := ""
		if at != nil {
			got = fmt.Sprintf("%d: %s; %s", at.Vertex, effects(&at.Left), effects(&at.Right))
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// effects tells the number of a step, its result, r1.x, a0.x, aL and cc.x after it, the next pc, and the trap.
func effects(s *pica.Step) string {
	return fmt.Sprintf("%d: %06x %06x %d %d %t to %d %v", s.Index, s.Result[0], s.State.R[1][0],
		s.State.Address[0], s.State.AL, s.State.CC[0], s.Next, s.Trap)
}

// TestUntil: the state before an instruction is executed for the first time.
func TestUntil(t *testing.T) {
	job := jobOf(pica.Vertex, false, []uint32{count, count, flow(pica.JMPU, 4, 1, 0), nop, count, end, nop}, two, three)
	begun := *job
	begun.Initial = &pica.State{R: [16]pica.Vec4{1: {three}}}
	for _, c := range []struct {
		job          *pica.Job
		pc, executed int
		r1           uint32
	}{
		{job, 0, 0, 0}, {job, 1, 1, two}, {job, 2, 2, 0x410000}, {job, 3, 5, 0}, {job, 4, 3, 0x410000},
		{job, 5, 4, 0x418000}, {job, 6, 5, 0}, {&begun, 0, 0, three}, {&begun, 1, 1, 0x414000},
	} {
		state, executed, err := compare.Until(c.job, c.pc)
		ends := c.pc == 3 || c.pc == 6
		if err != nil || (state == nil) != ends || state != nil && state.R[1][0] != c.r1 || executed != c.executed {
			t.Errorf("%d: got %v after %d, %v", c.pc, state, executed, err)
		}
	}
}
