package compare_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

const (
	two, three         = 0x400000, 0x408000
	nop, end, emit     = uint32(pica.NOP) << 26, uint32(pica.END) << 26, uint32(pica.EMIT) << 26
	setemit            = uint32(pica.SETEMIT) << 26
	closing            = setemit | 2<<24 | 1<<23 // vertex 2 completes a primitive
	anyDescriptor      = uint32(pica.IdentityDescriptor)
	temporary0, output = 0x10, 0
)

// jobOf returns a job with one register for each vertex.
func jobOf(stage pica.Stage, keep bool, code []uint32, inputs ...uint32) *pica.Job {
	job := &pica.Job{Program: pica.Program{Code: code, Descriptors: []uint32{anyDescriptor}}, InputFormat: pica.Float24,
		Stage: stage, OutMask: 1, Keep: keep, Budget: 1000, Ints: [pica.NumInts][4]uint8{{255, 0, 1}}}
	for _, x := range inputs {
		job.Vertices = append(job.Vertices, []pica.Vec4{{x}})
	}
	return job
}

// squaring returns an instruction that some engines below take for a sum: 2 * 2 is 2 + 2, 3 * 3 is not 3 + 3.
func squaring(dest uint32) uint32 { return data(pica.MUL, dest, 0, 0, 0) }

// adding is the oracle, with ADD in place of MUL.
var adding = rewriting{impl.New(), becomes(pica.MUL, pica.ADD)}

// count is r1 += v0.
var count = data(pica.ADD, 0x11, 0, 0x11, 0)

// TestLocateVertex: of several vertices the first that differs, from the state that those
// before it left. The state of a core in another process is known for the first vertex alone.
func TestLocateVertex(t *testing.T) {
	straight := []uint32{count, squaring(temporary0), end}
	emitting := []uint32{count, squaring(output), setemit, emit, end}
	primitive := []uint32{squaring(output), setemit, emit, closing, emit, end}
	late := []uint32{flow(pica.LOOP, 2, 0, 0), nop, nop, squaring(temporary0), squaring(temporary0), end}
	initial := jobOf(pica.Vertex, false, straight, three)
	initial.Initial = &pica.State{R: [16]pica.Vec4{1: {two}}}
	initial.Initial.Stacks.IfDepth = 1
	atOnce := jobOf(pica.Vertex, false, straight[1:], three)
	atOnce.Initial = initial.Initial
	wide := jobOf(pica.Vertex, false, straight, three)
	wide.Profile.Storage = pica.Float32
	for _, c := range []struct {
		name, want, foreign string // neither place if the engines agree
		job                 *pica.Job
	}{
		{"first", "0: step 1, pc 1, r1 408000, 0 scopes: mul: value",
			"0: step 1, pc 1, r1 408000, 0 scopes: mul: value",
			jobOf(pica.Vertex, false, straight, three, two)},
		{"second", "1: step 1, pc 1, r1 408000, 0 scopes: mul: value",
			"1: step 1, pc 1, r1 408000, 0 scopes: mul: value",
			jobOf(pica.Vertex, false, straight, two, three)},
		{"second, kept", "1: step 1, pc 1, r1 414000, 0 scopes: mul: value", "1: value",
			jobOf(pica.Vertex, true, straight, two, three)},
		{"third, kept", "2: step 1, pc 1, r1 41c000, 0 scopes: mul: value", "2: value",
			jobOf(pica.Vertex, true, straight, two, two, three)},
		{"initial", "0: step 1, pc 1, r1 414000, 0 scopes: mul: value", "", initial},
		{"initial, at once", "0: step 0, pc 0, r1 400000, 0 scopes: mul: value", "", atOnce},
		{"float32", "0: step 1, pc 1, r1 40400000, 0 scopes: mul: value",
			"0: step 1, pc 1, r1 40400000, 0 scopes: mul: value", wide},
		{"b15", "1: step 1, pc 1, r1 000000, 1 scopes: mul: value", "1: step 1, pc 1, r1 000000, 1 scopes: mul: value",
			jobOf(pica.Geometry, false, []uint32{flow(pica.IFU, 2, 0, 15), squaring(temporary0), end}, three, three)},
		{"bank hidden at the end", "", "", jobOf(pica.Geometry, false, emitting, three, three)},
		{"bank hidden until the next vertex", "0: step 1, pc 1, r1 408000, 0 scopes: mul: value", "1: value",
			jobOf(pica.Geometry, true, emitting, three, three)},
		{"bank of the second vertex", "2: value", "2: value", jobOf(pica.Geometry, true, emitting, two, three, two)},
		{"primitive", "0: step 0, pc 0, r1 000000, 0 scopes: mul: value",
			"0: step 4, pc 4, r1 000000, 0 scopes: emit: value",
			jobOf(pica.Geometry, false, primitive, three)},
		{"after the scan", "0: step 513, pc 3, r1 000000, 0 scopes: mul: value",
			"0: step 513, pc 3, r1 000000, 0 scopes: mul: value", jobOf(pica.Geometry, false, late, three)},
	} {
		if got := place(t, &compare.Pair{Want: impl.New(), Got: adding}, c.job); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if c.job.Initial != nil {
			continue // the protocol has no field for it
		}
		pair := compare.Pair{Want: impl.New(), Got: foreign{adding}, Foreign: true}
		if got := place(t, &pair, c.job); got != c.foreign {
			t.Errorf("%s: foreign: got %q, want %q", c.name, got, c.foreign)
		}
	}
}

// place tells where engines differ first.
func place(t *testing.T, j *compare.Pair, job *pica.Job) string {
	t.Helper()
	at, found, err := j.Find(job)
	switch {
	case err != nil:
		t.Error(err)
	case !found:
		return ""
	case at.Vertex != at.Difference.Vertex || at.Step >= 0 && at.Storage != job.Profile.Storage:
		t.Errorf("vertex %d in %v, %v", at.Vertex, at.Storage, at.Difference)
	}
	b := &at.Before
	if at.Step < 0 {
		return fmt.Sprintf("%d: %s", at.Vertex, at.Key())
	}
	return fmt.Sprintf("%d: step %d, pc %d, r1 %06x, %d scopes: %s", at.Vertex, at.Step, at.PC, b.R[1][0],
		b.Stacks.IfDepth+b.Stacks.LoopDepth, at.Key())
}

// TestForeignGetsNoTrap: a core in another process is not asked for a job on which the reference
// traps, or the guard in its place.
func TestForeignGetsNoTrap(t *testing.T) {
	hangs := jobOf(pica.Vertex, false, []uint32{flow(pica.BREAK, 0, 0, 0), end}, two)
	hanging := rewriting{impl.New(), func(job *pica.Job) { job.Code[0] = hangs.Code[0] }}
	good := jobOf(pica.Vertex, false, []uint32{nop, end}, two)
	for _, c := range []struct {
		name    string
		guard   pica.Engine
		foreign bool
		job     *pica.Job
		want    compare.Verdict
		runs    int // of the core
	}{
		{"trap", nil, true, hangs, compare.Undefined, 0},
		{"own engine", nil, false, hangs, compare.Equal, 1},
		{"no trap", nil, true, good, compare.Equal, 1},
		{"guard", impl.New(), true, good, compare.Equal, 1},
		{"guard traps", hanging, true, good, compare.Undefined, 0},
	} {
		left := 1
		p := compare.Pair{Want: impl.New(), Got: breaking{impl.New(), &left}, Foreign: c.foreign, Guard: c.guard}
		if v, d, err := p.Run(c.job); v != c.want || err != nil || 1-left != c.runs {
			t.Errorf("%s: got %v, %v, %v, %d runs", c.name, v, d, err, 1-left)
		}
	}
}

// TestForeignCuts: the search among the ends of a program takes few runs, and stops at 4096 instructions.
// A difference in a part that has been executed before is not located.
func TestForeignCuts(t *testing.T) {
	// 241 instructions 16 times, less LOOP itself: then number 3841 follows.
	loop := append([]uint32{flow(pica.LOOP, 240, 0, 0) | 1<<22}, slices.Repeat([]uint32{nop}, 240)...)
	after := func(n int) []uint32 {
		return append(append(slices.Clone(loop), slices.Repeat([]uint32{nop}, n)...), squaring(temporary0), end)
	}
	twice := []uint32{flow(pica.LOOP, 2, 0, 0) | 2<<22, count, data(pica.MUL, temporary0, 0, 0x11, 0x11), end}
	for _, c := range []struct {
		name string
		code []uint32
		step int
		runs int
	}{
		{"straight", append(slices.Repeat([]uint32{nop}, 30), squaring(temporary0), end), 30, 6},
		{"second pass", twice, -1, 3},
		{"after a loop", after(100), 3941, 10},
		{"last", after(254), 4095, 10},
		{"too late", after(255), -1, 10},
		{"much too late", after(300), -1, 10},
	} {
		job := jobOf(pica.Vertex, false, c.code, three)
		job.Budget, job.Ints[1], job.Ints[2] = 5000, [4]uint8{15, 0, 0}, [4]uint8{1, 0, 1}
		if c.name == "second pass" {
			job.Vertices[0][0][0] = two
		}
		left := 100
		p := compare.Pair{Want: impl.New(), Got: foreign{breaking{adding, &left}}, Foreign: true}
		at, found, err := p.Find(job)
		if err != nil || !found || at.Step != c.step || 100-left != c.runs {
			t.Errorf("%s: got step %d, %t, %v, %d runs", c.name, at.Step, found, err, 100-left)
		}
	}
}

// TestFindWithoutVertex: a difference may belong to no vertex.
func TestFindWithoutVertex(t *testing.T) {
	p := compare.Pair{Want: impl.New(), Got: rewriting{impl.New(), func(job *pica.Job) { job.Bools ^= 2 }}}
	if got := place(t, &p, jobOf(pica.Vertex, false, []uint32{end})); got != "0: boolean uniform" {
		t.Errorf("got %q", got)
	}
}

// TestFindEmit: EMIT shows a vertex that got another number.
func TestFindEmit(t *testing.T) {
	job := jobOf(pica.Geometry, false, []uint32{data(pica.MOV, output, 0, 0, 0), setemit, emit,
		data(pica.MOV, output, 0, 1, 0), setemit | 1<<24, emit, closing, emit, end}, three)
	change := func(job *pica.Job) { job.Code[4] = setemit }
	p := compare.Pair{Want: impl.New(), Got: rewriting{impl.New(), change}}
	if got := place(t, &p, job); got != "0: step 7, pc 7, r1 000000, 0 scopes: emit: other class" {
		t.Errorf("got %q", got)
	}
}

// breaking is an engine that fails when runs reaches zero.
type breaking struct {
	pica.Engine
	runs *int
}

var errBroken = errors.New("broken")

func (e breaking) Run(job *pica.Job, out *pica.Outcome) error {
	if *e.runs--; *e.runs < 0 {
		return errBroken
	}
	return e.Engine.Run(job, out)
}

// TestFindFails: whichever run fails, its error is returned. A search takes a known number of runs.
func TestFindFails(t *testing.T) {
	late := []uint32{flow(pica.LOOP, 2, 0, 0), nop, nop, squaring(temporary0), end}
	for _, c := range []struct {
		name       string
		runs, step int
		job        *pica.Job
	}{
		{"vertex", 18, 1,
			jobOf(pica.Vertex, true, []uint32{count, nop, squaring(temporary0), nop, end}, two, three)},
		{"geometry", 12, 1,
			jobOf(pica.Geometry, true, []uint32{squaring(output), setemit, emit, end}, three, three)},
		{"after the scan", 539, 77, jobOf(pica.Geometry, false, late, three)},
	} {
		for n := 0; n <= c.runs; n += c.step {
			left := n
			j := compare.Pair{Want: breaking{impl.New(), &left}, Got: breaking{adding, &left}}
			at, found, err := j.Find(c.job)
			if n == c.runs && (err != nil || !found || left != 0) {
				t.Errorf("%s: %d of %d runs left: %v, %v", c.name, left, n, at, err)
			}
			if n < c.runs && (!errors.Is(err, errBroken) || found) {
				t.Errorf("%s: run %d: found %t, %v", c.name, n, found, err)
			}
		}
	}
}
