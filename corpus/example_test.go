package corpus_test

import (
	"fmt"
	"log"

	"github.com/picaproof/picaproof/corpus"
)

// target stands for the *testing.F of a fuzz target: it counts its seeds.
type target struct{ seeds int }

func (t *target) Helper()               {}
func (t *target) Add(...any)            { t.seeds++ }
func (t *target) Fatalf(string, ...any) { panic("no seeds") }

// In a fuzz target, f is the *testing.F:
//
//	func FuzzMyParser(f *testing.F) {
//		corpus.Seeds(f, "shbin")
//		f.Fuzz(func(t *testing.T, b []byte) { myparser.Parse(b) })
//	}
func ExampleSeeds() {
	f := &target{}
	corpus.Seeds(f, "shbin")
	fmt.Println(f.seeds > 100)
	// Output: true
}

// The vectors of a format: files that break one rule, and their near misses.
func ExampleVectors() {
	vectors, err := corpus.Vectors("shbin")
	if err != nil {
		log.Fatal(err)
	}
	for _, v := range vectors {
		if v.Rule == "DVLE007" {
			fmt.Println(v.Name, v.Expect, v.Source)
		}
	}
	// Output:
	// shbin/DVLE007-near-miss ok libctru; nihstro writes such files
	// shbin/DVLE007-trigger malformed libctru; nihstro writes such files
}
