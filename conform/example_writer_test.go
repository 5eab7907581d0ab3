package conform_test

import (
	"fmt"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica/asm"
)

// An assembler that equals picasso to the bit, including its mistakes: each is reported.
func ExampleWriter() {
	err := conform.Writer(func(files []string) ([]byte, error) {
		var sources []asm.Source
		for _, text := range files {
			sources = append(sources, asm.Source{Name: "source", Text: text})
		}
		a, err := asm.Assemble(sources, asm.AssembleOptions{Dialect: asm.Picasso})
		if err != nil {
			return nil, err
		}
		f, err := shbin.FromModule(&a.Module)
		if err != nil {
			return nil, err
		}
		return f.AppendUnchecked(nil)
	})
	causes := err.(interface{ Unwrap() []error }).Unwrap()
	fmt.Println(len(causes), "causes")
	fmt.Println(causes[0])
	// Output:
	// 27 causes
	// wrong constants: known defect: constant that is not a number: the constant: expected another number, or a refusal, observed +Inf (0x7f0000) 0 (0x000000) 0 (0x000000) 0 (0x000000)
	// .constf k(nan, 0, 0, 0)
	// .proc main
	// 	end
	// .end
}
