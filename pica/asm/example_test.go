package asm_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/pica/asm"
)

// Text becomes words, and words become text.
func ExampleAssemble() {
	const text = `
.out position position
.fvec scale
.proc main
	mul position, scale, v0
	end
.end
`
	assembly, err := asm.Assemble([]asm.Source{{Name: "scale.v.pica", Text: text}}, asm.AssembleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%08x\n", assembly.Code)
	shader := assembly.Shader(0)
	if err := asm.Disassemble(os.Stdout, &shader, asm.Options{Pretty: true}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// [20020000 88000000]
	// ; vertex program "main": words 2, operand descriptors 1, output mask 0x0001
	// .entry main
	// .fvec scale c0
	// .out - position o0.xyzw
	//
	// .proc main
	// 	mul o0, scale, v0
	// 	end
	// .end
}

// An error names its rule and its place.
func ExampleErrors() {
	_, err := asm.Assemble([]asm.Source{{Name: "typo.v.pica", Text: "\tmov o0, v16\n\tend\n"}}, asm.AssembleOptions{})
	fmt.Println(err)
	// Output:
	// typo.v.pica:1:10: ASM008: there is no v16: want v0 to v15
}
