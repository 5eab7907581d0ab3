package kit_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	"github.com/picaproof/picaproof/conform/kit"
	"github.com/picaproof/picaproof/pica"
)

// A core is one function. Serve answers a request a line; a program passes its standard streams.
func ExampleServe() {
	core := kit.Core{Name: "copies v0 to o0", Run: func(_ *pica.Job, v *kit.Vertex) error {
		v.O[0] = v.In[0]
		return nil
	}}
	requests := strings.NewReader(`{"id":1,"op":"info"}` + "\n")
	var answers bytes.Buffer
	if err := kit.Serve(&core, requests, &answers); err != nil {
		log.Fatal(err)
	}
	fmt.Print(answers.String())
	// Output:
	// {"id":1,"status":"ok","core":"copies v0 to o0","protocol":1,"stages":["vs"]}
}

// The header for C is part of the module: write it to a file beside the core.
func Example_header() {
	for line := range strings.Lines(string(kit.HeaderC)) {
		fmt.Print(line)
		if strings.Contains(line, "C99") {
			break
		}
	}
	// Output:
	// /*
	//  * picaproof_kit.h: drive a PICA200 shader core by the picaproof adapter protocol.
	//  *
	//  * One file, C99 (C++ reads it too, see picaproof_kit.hpp), no dependency, no
}
