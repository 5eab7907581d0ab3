package oracle_test

import (
	"fmt"
	"log"
	"math"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// A program runs over one vertex by the best public knowledge of the console.
func Example() {
	const text = "\tmul r0, v0, v0\n\tadd o0, r0, v0\n\tend\n"
	assembly, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	bits := math.Float32bits
	job := pica.Job{
		Program:     assembly.Program,
		Vertices:    [][]pica.Vec4{{{bits(0.5), bits(1), bits(2), bits(3)}}},
		InputFormat: pica.Float32,
		Profile:     profile.HW(),
	}
	var out pica.Outcome
	if err := oracle.New().Run(&job, &out); err != nil {
		log.Fatal(err)
	}
	v := out.Vertices[0]
	for _, x := range v.O[0] {
		fmt.Print(out.Storage.Decimal(x), " ")
	}
	fmt.Println(v.Trap.Cause)
	// Output:
	// 0.75 2 6 12 none
}
