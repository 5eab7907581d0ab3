package zpsh_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// A file is parsed, and a damaged copy is checked.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/zpsh/z02_four_entries_r4.zpsh")
	if err != nil {
		log.Fatal(err)
	}
	f, err := zpsh.Parse(b)
	if err != nil {
		log.Fatal(err)
	}
	for i, e := range f.Entries {
		name, _ := f.Name(i)
		fmt.Println(name, "starts at word", e.Instruction)
	}
	for _, finding := range zpsh.Check(b[:len(b)-4]) {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
	// vs starts at word 0
	// gs_point starts at word 3
	// gs_var starts at word 3
	// gs_fix starts at word 7
	// error 0x0124: ZPSH020 entries[3]: payload ends after the file (expected end <= 0x144, found end 0x148)
}
