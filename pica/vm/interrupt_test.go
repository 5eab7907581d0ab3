package vm_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// endless is a jump to itself.
func endless(t *testing.T) pica.Program {
	return newBuilder().label("here").flow(decode.Inst{Op: pica.JMPU, Num: 1}, "here", "").program(t)
}

// An endless program ends at the first call of proceed that reports false; the
// calls are at most 2^16 instructions apart.
func TestInterrupted(t *testing.T) {
	const calls = 5
	job := &pica.Job{Program: endless(t), Vertices: make([][]pica.Vec4, 1), Budget: 1 << 40}
	var out pica.Outcome
	left := calls
	err := vm.New().(pica.Interruptible).RunWhile(job, &out, func() bool { left--; return left > 0 })
	if !errors.Is(err, pica.ErrInterrupted) || left != 0 {
		t.Fatalf("got %v with %d calls left, want an interrupted run with none", err, left)
	}
	if steps := out.Vertices[0].Steps; steps < calls || steps > calls<<16 {
		t.Errorf("%d instructions in %d calls, want at most 2^16 a call", steps, calls)
	}
}

// The instructions of all vertices count, however short each run is.
func TestInterruptedBetweenVertices(t *testing.T) {
	const vertices = 1 << 16
	job := &pica.Job{Program: newBuilder().nop().stop().program(t), Vertices: make([][]pica.Vec4, vertices)}
	calls := 0
	var out pica.Outcome
	if err := vm.New().(pica.Interruptible).RunWhile(job, &out, func() bool { calls++; return true }); err != nil ||
		calls < 2 {
		t.Errorf("%d calls, error %v for %d instructions", calls, err, 2*vertices)
	}
	err := vm.New().(pica.Interruptible).RunWhile(job, &out, func() bool { return false })
	if !errors.Is(err, pica.ErrInterrupted) {
		t.Errorf("got %v, want an interrupted run", err)
	}
}

// An interruptible run has the same outcome as any other, also if proceed is called between two MOVA, or at
// the end of the budget.
func TestProceedChangesNothing(t *testing.T) {
	const interval = 1 << 14
	hazard := newBuilder().loop(0, "end")
	for range 63 {
		hazard.nop()
	}
	hazard.label("end")
	for range interval - 1 - (1 + 256*63) { // the first MOVA is instruction 2^14
		hazard.nop()
	}
	hazard.op(mova).op(mova).stop()
	for _, job := range []*pica.Job{
		{Program: hazard.program(t), Ints: [pica.NumInts][4]uint8{{255}}, Profile: profileHW},
		{Program: endless(t), Budget: interval},
		{Program: endless(t), Budget: 3*interval + 7},
		{Program: newBuilder().nop().stop().program(t)},
	} {
		job.Vertices = make([][]pica.Vec4, 2)
		var want, got pica.Outcome
		if err := vm.New().Run(job, &want); err != nil {
			t.Fatal(err)
		}
		if err := vm.New().(pica.Interruptible).RunWhile(job, &got, func() bool { return true }); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d words, budget %d (-run, +run while):\n%s", len(job.Code), job.Budget, diff)
		}
	}
	var out pica.Outcome
	job := &pica.Job{Program: hazard.program(t), Ints: [pica.NumInts][4]uint8{{255}}, Profile: profileHW,
		Vertices: make([][]pica.Vec4, 1)}
	if err := vm.New().Run(job, &out); err != nil {
		t.Fatal(err)
	}
	if v := &out.Vertices[0]; v.Trap.Cause != pica.TrapHang || v.Steps != interval {
		t.Errorf("trap %v after %d instructions, want a hang after %d", v.Trap, v.Steps, interval)
	}
}
