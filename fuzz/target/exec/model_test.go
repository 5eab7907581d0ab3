package exec_test

import (
	"encoding/json"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica/vm"
)

// FuzzExecModel runs generated programs: the first byte is the mode, the others are the
// choices. The coverpoints of the oracle's run tell the fuzzer which inputs are new.
func FuzzExecModel(f *testing.F) {
	for n := range uint64(64) {
		for mode := range gen.Modes {
			f.Add(append([]byte{byte(mode)}, gen.Input(1, n, 1024)...))
		}
	}
	var g gen.Generator
	var recorder cover.Recorder
	pair := compare.Pair{Want: impl.Watched(&recorder), Got: vm.New()}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) == 0 {
			return
		}
		job := g.Job(gen.NewBytes(input[1:]), gen.Modes[int(input[0])%len(gen.Modes)])
		job.Budget = 2000
		recorder.Reached = cover.Set{}
		verdict, d, err := pair.Run(job)
		if err != nil {
			t.Fatal(err)
		}
		if verdict == compare.Differ {
			text, _ := json.Marshal(job)
			t.Fatalf("oracle and VM part: %v\njob %s", d, text)
		}
		recorder.Reached.Touch()
	})
}
