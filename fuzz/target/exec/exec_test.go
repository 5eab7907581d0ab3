// Package exec_test asks whether the oracle and the VM agree on every program.
package exec_test

import (
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/target/parts"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// FuzzExecWords runs any words at all: the first input is the choices for descriptors, uniforms
// and vertices, the second the program.
func FuzzExecWords(f *testing.F) {
	var g gen.Generator
	for n := range uint64(64) {
		for _, mode := range gen.Modes {
			job := g.Job(gen.Seed(1, n), mode)
			var code []byte
			for _, w := range job.Code {
				code = binary.LittleEndian.AppendUint32(code, w)
			}
			state := make([]byte, 256)
			for i := range state {
				state[i] = byte(n*7 + uint64(i)*31)
			}
			f.Add(parts.Join(state, code))
		}
	}
	pair := compare.Pair{Want: impl.New(), Got: vm.New()}
	var words []uint32
	f.Fuzz(func(t *testing.T, input []byte) {
		list := parts.Split(input, 2)
		state, code := list[0], list[1]
		job := g.Job(gen.NewBytes(state), gen.Words)
		words = words[:0]
		for ; len(code) >= 4 && len(words) < pica.MaxCode; code = code[4:] {
			words = append(words, binary.LittleEndian.Uint32(code))
		}
		job.Code, job.Budget = words, 2000
		verdict, d, err := pair.Run(job)
		if err != nil {
			t.Fatal(err)
		}
		if verdict == compare.Differ {
			text, _ := json.Marshal(job)
			t.Fatalf("oracle and VM part: %v\njob %s", d, text)
		}
	})
}
