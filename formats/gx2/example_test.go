package gx2_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
)

// A container returns shaders; each has its tables and its code.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/gsh/g01_vertex_pixel.gsh")
	if err != nil {
		log.Fatal(err)
	}
	f, err := gsh.Parse(b)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range f.Shaders {
		if s.Type != gx2.Vertex {
			continue
		}
		for _, a := range s.Attributes {
			fmt.Println("attribute", a.Name, a.Type, "at", a.Location)
		}
	}
	// Output:
	// attribute aPos float4 at 0
}
