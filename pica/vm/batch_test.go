package vm_test

import (
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// A run of a batch allocates nothing, on any tier.
func TestBatchAllocatesNothing(t *testing.T) {
	for _, b := range samples.Benchmarks(t) {
		for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
			code, batch := benchBatch(t, b, &profileF24)
			batch.Tier, batch.Count = tier, 130
			// The pool of machines may be emptied at any time, and now and then is under
			// the race detector: one run in fifty must find a machine there.
			least := math.Inf(1)
			for range 50 {
				least = min(least, testing.AllocsPerRun(1, func() {
					if _, err := code.Run(batch); err != nil {
						t.Fatal(err)
					}
				}))
			}
			if least != 0 {
				t.Errorf("%s %v: %v allocations a run", b.Name, tier, least)
			}
		}
	}
}

// One compiled program serves several goroutines.
func TestBatchesAtOnce(t *testing.T) {
	for _, b := range samples.Benchmarks(t) {
		code, first := benchBatch(t, b, &profileHW)
		want, ok := b.Checksum["hw"]
		if !ok {
			continue
		}
		var group sync.WaitGroup
		for n := range 4 {
			group.Go(func() {
				batch := *first
				batch.Tier = vm.Tier(n)
				batch.Steps = nil
				batch.OutRows = make([]pica.Vec4, len(first.OutRows))
				if _, err := code.Run(&batch); err != nil {
					t.Error(err)
				} else if got := foldRows(batch.OutRows); got != want {
					t.Errorf("%s %v: got %016x, want %016x", b.Name, batch.Tier, got, want)
				}
			})
		}
		group.Wait()
	}
}

// An endless batch is given up, on every tier.
func TestBatchIsInterrupted(t *testing.T) {
	p := newBuilder().label("here").flow(decode.Inst{Op: pica.JMPU, Num: 1}, "here", "").program(t)
	code, err := vm.Compile(p, pica.Vertex, &profileF24)
	if err != nil {
		t.Fatal(err)
	}
	for tier := vm.TierScalar; tier < vm.NumTiers; tier++ {
		calls := 0
		_, err := code.Run(&vm.Batch{Count: 1 << 16, Budget: 1 << 40, Tier: tier, Proceed: func() bool { calls++; return calls < 5 }})
		if !errors.Is(err, pica.ErrInterrupted) || calls != 5 {
			t.Errorf("%v: %v after %d calls", tier, err, calls)
		}
	}
}

// A batch that does not fit its slices is refused.
func TestBatchIsChecked(t *testing.T) {
	code, err := vm.Compile(newBuilder().stop().program(t), pica.Vertex, &profileF32)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]*vm.Batch{
		"rows": {Count: 2, Registers: 1, Rows: make([]pica.Vec4, 1)}, "count": {Count: -1}, "registers": {Registers: 17},
		"columns": {Count: 1, Registers: 1, Columns: make([][]uint32, 3)}, "column": {Count: 2, Registers: 1, Columns: [][]uint32{{1}, nil, nil, nil}},
		"outputs": {Count: 2, OutMask: 3, OutFormat: pica.Float32, OutRows: make([]pica.Vec4, 3)}, "format": {OutFormat: pica.Float24},
		"traps": {Count: 1, OutFormat: pica.Float32, Traps: []pica.Trap{}},
	} {
		if _, err := code.Run(b); !errors.Is(err, vm.ErrInvalidBatch) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := code.Run(&vm.Batch{Entry: -1, OutFormat: pica.Float32}); !errors.Is(err, pica.ErrInvalidJob) {
		t.Errorf("entry: %v", err)
	}
}
