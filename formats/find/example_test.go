package find_test

import (
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/picaproof/picaproof/formats/find"
	"github.com/picaproof/picaproof/formats/registry"
)

// An executable with a shader in its data.
func Example() {
	shader, err := os.ReadFile("../../corpus/samples/picasso/p01_minimal.shbin")
	if err != nil {
		log.Fatal(err)
	}
	executable := slices.Concat([]byte("3DSX"), make([]byte, 60), shader, make([]byte, 20))
	found := find.In(executable, func(registry.Format) []registry.Option { return nil })
	for _, f := range found.Files {
		fmt.Printf("0x%x: %s, %d bytes, accepted: %v\n", f.Offset, f.Format, f.Length, f.Accepted)
	}
	// Output:
	// 0x40: shbin, 140 bytes, accepted: true
}
