package dvoj_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/dvoj"
)

// A file is parsed, and a damaged copy is checked.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/dvoj/d01_all_tables.vobj")
	if err != nil {
		log.Fatal(err)
	}
	f, err := dvoj.Parse(b)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Type, "object of", len(f.Code), "words,", len(f.Relocations), "relocations")
	for _, finding := range dvoj.Check(b[:len(b)-4]) {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
	// vertex object of 3 words, 1 relocations
	// error 0x0050: DVOJ011 header.symbols.offset: table outside the file (expected end <= 0xf0, found end 0xf1)
}
