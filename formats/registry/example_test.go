package registry_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

// The format of a file is detected; then the file is parsed and checked.
func Example() {
	const name = "../../corpus/samples/nihstro/n06_entry_not_first.shbin"
	b, err := os.ReadFile(name)
	if err != nil {
		log.Fatal(err)
	}
	format, ok := registry.Detect(name, b)
	if !ok {
		log.Fatal("unknown format")
	}
	if _, err := format.Parse(b); err != nil {
		fmt.Println("refused:", err)
	}
	for _, finding := range format.Check(b) {
		if finding.Severity == diag.Error {
			fmt.Println(finding)
		}
	}
	// Output:
	// refused: shbin: 0x0030: DVLE007 dvle[0].entry: entry is past the code (expected < 7, found 29)
	// 0x0030: DVLE007 dvle[0].entry: entry is past the code (expected < 7, found 29)
}
