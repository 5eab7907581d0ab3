package gsh_test

import (
	"fmt"
	"log"
	"os"

	"github.com/picaproof/picaproof/formats/gsh"
)

// A file is parsed, and a damaged copy is checked.
func Example() {
	b, err := os.ReadFile("../../corpus/samples/wild/base.gsh")
	if err != nil {
		log.Fatal(err)
	}
	f, err := gsh.Parse(b)
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range f.Shaders {
		fmt.Println(s.Type, "shader,", len(s.Uniforms), "uniforms,", len(s.Code), "bytes of code")
	}
	for _, finding := range gsh.Check(b[:len(b)-4]) {
		fmt.Println(finding.Severity, finding)
	}
	// Output:
	// vertex shader, 0 uniforms, 24 bytes of code
	// pixel shader, 0 uniforms, 8 bytes of code
	// error 0x036c: GSH010 blocks[4]: block header is cut (expected >= 32, found 28)
}
