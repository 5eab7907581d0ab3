package diff_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/shbin"
)

// Two files are compared by what they mean.
func Example() {
	read := func(name string) *shbin.File {
		b, err := os.ReadFile("../../corpus/samples/picasso/" + name)
		if err != nil {
			log.Fatal(err)
		}
		f, err := shbin.Parse(b)
		if err != nil {
			log.Fatal(err)
		}
		return f
	}
	old, changed := read("p01_minimal.shbin"), read("p01_minimal.shbin")
	changed.DVLP.Code[0] = 0x88000000 // end
	result, err := diff.Models(old, changed, convert.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range result.Differences {
		fmt.Printf("%s: %s, now %s\n", d.Path, d.A, d.B)
	}
	// Output:
	// dvlp.code[0]: mov o0, v0, now end
}
