package cgfx_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/cgfx"
)

// A file is parsed, and a damaged copy is checked.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/csdr/b01_one_shader.bcsdr")
	if err != nil {
		log.Fatal(err)
	}
	f, err := cgfx.Parse(b)
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
	for _, finding := range cgfx.Check(b[:len(b)-4]) {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
	// DefaultShader has 1 DVLE
	// error 0x000c: CGFX007 header.size: file is cut off (expected <= 564, found 568)
}
