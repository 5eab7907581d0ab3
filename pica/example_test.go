package pica_test

import (
	"fmt"
	"log"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// A job is plain data; any engine runs it.
func Example() {
	job := pica.Job{
		Program: pica.Program{
			Code:        []uint32{0x4C000000, 0x88000000}, // mov o0, v0; end
			Descriptors: []uint32{uint32(pica.IdentityDescriptor)},
		},
		Vertices:    [][]pica.Vec4{{{1, 2, 3, 4}}}, // one vertex with one register, as bits
		InputFormat: pica.Float24,
	}
	var engine pica.Engine = oracle.New()
	var out pica.Outcome
	if err := engine.Run(&job, &out); err != nil {
		log.Fatal(err)
	}
	vertex := out.Vertices[0]
	fmt.Println(vertex.O[0], vertex.Trap.Cause, vertex.Steps, "instructions")
	// Output:
	// [1 2 3 4] none 2 instructions
}
