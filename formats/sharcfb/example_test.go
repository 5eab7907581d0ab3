package sharcfb_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// A file is parsed, and the errors of a damaged copy are listed.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/sharcfb/s03_macros_six_variations_le.sharcfb")
	if err != nil {
		log.Fatal(err)
	}
	f, err := sharcfb.Parse(b)
	if err != nil {
		log.Fatal(err)
	}
	for v := range f.Variations() {
		fmt.Println(f.Programs[v.Program].Name, v.Index, v.Settings)
	}
	for _, finding := range sharcfb.Check(b[:len(b)-4]) {
		if finding.Severity == diag.Error {
			fmt.Println(finding.Severity, finding)
		}
	}
	// Output:
	// blur 0 [{KERNEL 3} {OMIT 0}]
	// blur 1 [{KERNEL 3} {OMIT 1}]
	// blur 2 [{KERNEL 5} {OMIT 0}]
	// blur 3 [{KERNEL 5} {OMIT 1}]
	// blur 4 [{KERNEL 7} {OMIT 0}]
	// blur 5 [{KERNEL 7} {OMIT 1}]
	// error 0x0008: SHARC005 header.file_size: file size field is wrong (expected 4880, found 4884)
	// error 0x1208: SHARC010 programs.size: list does not fit (expected 8 to 264, found 268)
}
