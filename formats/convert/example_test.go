package convert_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/shbin"
)

// A conversion returns the new model and the list of its losses.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/picasso/p01_minimal.shbin")
	if err != nil {
		log.Fatal(err)
	}
	f, err := shbin.Parse(b)
	if err != nil {
		log.Fatal(err)
	}
	to, _ := convert.To("zpsh")
	model, losses, err := to(f, convert.Options{})
	if err != nil {
		log.Fatal(err)
	}
	out, err := model.AppendBinary(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %d bytes\n", out[:4], len(out))
	for _, loss := range losses {
		fmt.Println(loss)
	}
	// Output:
	// ZPSH, 76 bytes
	// dvle[0].version: dropped 0x1002: ZPSH has no tool versions
	// entries[0].name: invented "main": no label names the entry point, and a ZPSH finds entries by name
}
