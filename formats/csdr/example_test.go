package csdr_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/csdr"
)

// A file is parsed, and a damaged copy is checked.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/csdr/c01_one_shader.csdr")
	if err != nil {
		log.Fatal(err)
	}
	f, err := csdr.Parse(b)
	if err != nil {
		log.Fatal(err)
	}
	for _, object := range f.Objects {
		binary, err := object.Binary()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(object.Name, "has", len(binary.DVLEs), "DVLE")
	}
	for _, finding := range csdr.Check(b[:len(b)-4]) {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
	// DefaultShader has 1 DVLE
	// error 0x01c0: CSDR004 text: not well-formed (expected </NintendoWareIntermediateFile>, found "</NintendoWareIn")
}
