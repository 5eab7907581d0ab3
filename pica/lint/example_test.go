package lint_test

import (
	"fmt"
	"log"

	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// A program that reads a register before it writes it.
func ExampleCheck() {
	const text = "\tmov o0, r0\n\tend\n"
	assembly, err := asm.Assemble([]asm.Source{{Name: "mistake.v.pica", Text: text}}, asm.AssembleOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, finding := range lint.Check(assembly.Shaders()) {
		fmt.Println(finding)
	}
	// Output:
	// word 0: PICA006: r0.xyzw may be read before anything writes it
}
