package cover_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// Words of hand-made programs. b0 is true and b1 false; i0 is one pass with
// step 1, i1 two passes, i2 one pass with step 0.
const (
	nop = uint32(pica.NOP) << 26
	end = uint32(pica.END) << 26
	brk = uint32(pica.BREAK) << 26
)

func flow(op pica.Opcode, uniform, target, num int) uint32 {
	return uint32(op)<<26 | uint32(uniform)<<22 | uint32(target)<<10 | uint32(num)
}

func ifTrue(target, num int) uint32  { return flow(pica.IFU, 0, target, num) }
func ifFalse(target, num int) uint32 { return flow(pica.IFU, 1, target, num) }
func jmp(target int) uint32          { return flow(pica.JMPU, 0, target, 0) }
func call(target, num int) uint32    { return flow(pica.CALL, 0, target, num) }
func loop(i, target int) uint32      { return flow(pica.LOOP, i, target, 0) }

// runs returns the points of a vertex program of these words.
func runs(t testing.TB, code ...uint32) *cover.Set {
	t.Helper()
	return points(t, &pica.Job{
		Program:  pica.Program{Code: code, Descriptors: []uint32{uint32(pica.IdentityDescriptor)}},
		Vertices: make([][]pica.Vec4, 1),
		Bools:    1,
		Ints:     [pica.NumInts][4]uint8{{0, 0, 1}, {1, 0, 1}, {0, 0, 0}},
		Budget:   100,
	})
}

// points returns the points of a job.
func points(t testing.TB, job *pica.Job) *cover.Set {
	t.Helper()
	var r cover.Recorder
	var out pica.Outcome
	if err := impl.Watched(&r).Run(job, &out); err != nil {
		t.Fatal(err)
	}
	if r.Reached.Has(cover.None) {
		t.Errorf("a point that does not exist")
	}
	return &r.Reached
}

// named returns the point with a name.
func named(t testing.TB, name string) cover.Point {
	t.Helper()
	for _, p := range cover.Points() {
		if p.Name == name {
			return p.Point
		}
	}
	t.Fatalf("no point %q", name)
	return cover.None
}

// expect checks that a set has the points named in a list and lacks those of another. Names
// are separated by spaces; _ stands for a space in a name.
func expect(t *testing.T, got *cover.Set, has, lacks string) {
	t.Helper()
	for _, name := range strings.Fields(has) {
		if !got.Has(named(t, strings.ReplaceAll(name, "_", " "))) {
			t.Errorf("%s: not seen", name)
		}
	}
	for _, name := range strings.Fields(lacks) {
		if got.Has(named(t, strings.ReplaceAll(name, "_", " "))) {
			t.Errorf("%s: seen", name)
		}
	}
}

// shapePrograms has for every shape of control flow a program that shows it, and a near
// miss.
var shapePrograms = []struct {
	shape      string
	shows, not []uint32
}{
	{"4.1 break of a loop left before",
		[]uint32{loop(0, 3), jmp(5), nop, nop, end, brk, end},
		[]uint32{loop(0, 3), brk, nop, nop, end}},
	{"4.1 end beyond the memory", []uint32{ifTrue(4000, 96), end}, []uint32{ifTrue(4000, 95), end}},
	{"4.1 loop to the last word", []uint32{loop(0, 4095), end}, []uint32{loop(0, 4094), end}},
	{"4.1 length of a jump above one", []uint32{flow(pica.JMPU, 0, 1, 2), end},
		[]uint32{flow(pica.JMPU, 0, 1, 1), end}},

	{"4.2.1 jump last in if",
		[]uint32{ifTrue(2, 1), jmp(4), nop, nop, end},
		[]uint32{ifTrue(3, 0), jmp(4), nop, nop, end}},
	{"4.2.1 jump last in loop",
		[]uint32{loop(0, 1), jmp(4), nop, nop, end},
		[]uint32{loop(0, 2), jmp(4), nop, nop, end}},
	{"4.2.1 call last in if",
		[]uint32{ifTrue(2, 1), call(4, 1), nop, end, nop, end},
		[]uint32{ifTrue(3, 0), call(4, 1), nop, end, nop, end}},
	{"4.2.1 call last in loop",
		[]uint32{loop(0, 1), call(4, 1), nop, end, nop, end},
		[]uint32{loop(0, 2), call(4, 1), nop, end, nop, end}},
	{"4.2.1 false if last in if",
		[]uint32{ifTrue(2, 0), ifFalse(3, 0), nop, end},
		[]uint32{ifTrue(3, 0), ifFalse(2, 0), nop, end}},
	{"4.2.1 false if last in loop",
		[]uint32{loop(0, 1), ifFalse(3, 0), nop, end},
		[]uint32{loop(0, 2), ifFalse(2, 0), nop, end}},

	{"4.2.2 return lost to an if",
		[]uint32{call(2, 2), end, ifTrue(4, 0), nop, end},
		[]uint32{call(2, 3), end, ifTrue(4, 0), nop, nop, end}},
	{"4.2.3 if ends with the loop",
		[]uint32{loop(0, 2), ifTrue(3, 0), nop, end},
		[]uint32{loop(0, 3), ifTrue(3, 0), nop, nop, end}},
	{"4.2.4 outer loop loses its end",
		[]uint32{loop(0, 2), loop(0, 2), nop, end},
		[]uint32{loop(0, 3), loop(0, 2), nop, nop, end}},

	{"4.2.5 jump to the end of an if", []uint32{ifTrue(3, 0), jmp(3), nop, end},
		[]uint32{ifTrue(3, 0), jmp(2), nop, end}},
	{"4.2.5 jump to the end of a call", []uint32{call(2, 2), end, jmp(4), nop, end},
		[]uint32{call(2, 2), end, jmp(3), nop, end}},
	{"4.2.5 jump to the end of a loop", []uint32{loop(0, 2), jmp(3), nop, end},
		[]uint32{loop(0, 2), jmp(2), nop, end}},

	{"4.2.6 jump out of an if", []uint32{ifTrue(3, 0), jmp(4), nop, nop, end},
		[]uint32{ifTrue(3, 0), jmp(2), nop, nop, end}},
	{"4.2.6 break out of an if",
		[]uint32{loop(0, 4), ifTrue(4, 0), brk, nop, nop, end},
		[]uint32{loop(0, 4), ifTrue(3, 0), brk, nop, nop, end}},
	{"4.2.6 else part after a shadowed then part",
		[]uint32{ifTrue(5, 1), ifTrue(4, 0), jmp(4), nop, nop, nop, end},
		[]uint32{ifTrue(5, 1), ifTrue(4, 0), nop, nop, nop, nop, end}},

	{"4.2.7 empty then part", []uint32{ifTrue(1, 0), end}, []uint32{ifTrue(2, 0), nop, end}},
	{"4.2.8 empty loop of one pass", []uint32{loop(0, 0), end}, []uint32{loop(1, 0), end}},
	{"4.2.8 empty loop left open", []uint32{loop(1, 0), end}, []uint32{loop(0, 0), end}},
	{"4.2.9 call without length", []uint32{call(2, 0), end, nop, end}, []uint32{call(2, 1), end, nop, end}},

	{"4.2.10 two returns at once",
		[]uint32{call(2, 1), end, call(3, 1), nop, end},
		[]uint32{call(2, 2), end, call(4, 1), nop, nop, end}},
	{"4.2.10 three returns at once",
		[]uint32{call(2, 1), end, call(3, 1), call(4, 1), nop, end},
		[]uint32{call(2, 1), end, call(3, 1), nop, end}},
	{"4.2.10 fourth return lost",
		[]uint32{call(2, 1), end, call(3, 1), call(4, 1), call(5, 1), nop, end},
		[]uint32{call(2, 1), end, call(3, 1), call(4, 1), nop, end}},

	{"4.2.11 aL stays after the loop", []uint32{loop(0, 1), nop, end}, []uint32{loop(0, 2), jmp(3), nop, end}},
	{"4.2.11 aL of the outer loop", []uint32{loop(0, 3), loop(0, 2), nop, nop, end},
		[]uint32{loop(0, 3), nop, nop, nop, end}},
	{"4.2.11 break adds the step", []uint32{loop(0, 2), brk, nop, end}, []uint32{loop(2, 2), brk, nop, end}},

	{"4.2.12 backward jump", []uint32{jmp(2), end, jmp(1)}, []uint32{jmp(2), end, jmp(3), end}},
	{"4.2.12 backward call", []uint32{jmp(3), nop, end, call(1, 1), end}, []uint32{jmp(1), call(3, 1), end, nop, end}},
	{"4.2.12 backward false if", []uint32{jmp(2), end, ifFalse(1, 0)}, []uint32{jmp(2), end, ifFalse(3, 0), end}},

	{"4.2.13 end in an if", []uint32{ifTrue(3, 0), end}, []uint32{ifTrue(2, 0), nop, end}},
	{"4.2.13 end in a call", []uint32{call(1, 2), end}, []uint32{call(2, 1), end, nop}},
	{"4.2.13 end in a loop", []uint32{loop(0, 2), end}, []uint32{loop(0, 1), nop, end}},
	{"4.2.13 end closes a loop", []uint32{loop(0, 1), end}, []uint32{loop(0, 2), end}},
}

func TestShapes(t *testing.T) {
	tested := map[string]bool{}
	for _, x := range shapePrograms {
		name := "flow/" + x.shape
		tested[name] = true
		if p := named(t, name); !runs(t, x.shows...).Has(p) {
			t.Errorf("%s: not seen in %08x", name, x.shows)
		} else if runs(t, x.not...).Has(p) {
			t.Errorf("%s: seen in the near miss %08x", name, x.not)
		}
	}
	for _, p := range cover.Points() {
		if strings.HasPrefix(p.Name, "flow/") && !tested[p.Name] {
			t.Errorf("%s: no program shows it", p.Name)
		}
	}
}
