package diag_test

import (
	"errors"
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// The error of a parse has the rule and the place.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/nihstro/n06_entry_not_first.shbin")
	if err != nil {
		log.Fatal(err)
	}
	_, err = shbin.Parse(b)
	fmt.Println(errors.Is(err, diag.ErrMalformed))
	if refused, ok := errors.AsType[*diag.ParseError](err); ok {
		f := refused.Finding
		fmt.Printf("%s at %#x, %s: %s\n", f.Rule, f.Off, f.Path, f.Text())
	}
	// Output:
	// true
	// DVLE007 at 0x30, dvle[0].entry: entry is past the code (expected < 7, found 29)
}
