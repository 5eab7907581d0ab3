package exec_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica/vm"
	"github.com/picaproof/picaproof/properties/sequence"
)

// maxCommands bounds a sequence; faults need few commands.
const maxCommands = 16

// commandBytes is the number of bytes of the fuzz input for a command.
const commandBytes = 8

// FuzzState gives commands to an oracle and a VM that run all of them, and to new oracles for
// every vertex.
func FuzzState(f *testing.F) {
	for n := range uint64(64) {
		f.Add(gen.Input(1, n, maxCommands*commandBytes))
	}
	list := make([]sequence.Command, 0, maxCommands)
	f.Fuzz(func(t *testing.T, input []byte) {
		list = list[:0]
		for ; len(input) >= commandBytes && len(list) < maxCommands; input = input[commandBytes:] {
			list = append(list, sequence.Draw(gen.From(gen.NewBytes(input[:commandBytes]))))
		}
		play(t, list)
	})
}

func play(t *testing.T, list []sequence.Command) {
	err := sequence.Play(list, sequence.New(sequence.Fresh(impl.New)),
		sequence.New(sequence.Held(impl.New())), sequence.New(sequence.Held(vm.New())))
	if err != nil {
		t.Fatalf("%v\nof %v", err, list)
	}
}

// TestReplay plays sequences that once showed something.
func TestReplay(t *testing.T) {
	for name, text := range map[string]string{
		"a word changes in place": "program flow 3; vertex 0 1 16; run alone; word 0 7; run alone; word 0 8; " +
			"run keep;",
		"registers stay when others run": "program mixed 5; vertex 1 2 4; run keep; program alu 9; run keep; " +
			"program mixed 5; run keep;",
		"another storage": "program mixed 8; float 3 raw24 9; vertex 0 4 4; run keep; profile f32; " +
			"run keep; profile hw; run keep;",
		"b15 stays after geometry": "program geometry 2; vertex 0 3 4; run alone; program flow 2; run alone;",
		"a snapshot survives what others": "float 0 raw24 1; program mixed 1; vertex 0 1 4; snapshot; float 0 " +
			"float32 2; run keep; restore; run " +
			"keep; reset; run keep;",
	} {
		t.Run(name, func(t *testing.T) {
			list, err := sequence.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			play(t, list)
		})
	}
}
