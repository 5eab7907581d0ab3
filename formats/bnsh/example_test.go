package bnsh_test

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/bnsh"
)

// A file in which a name was damaged: the dictionary no longer finds it.
func ExampleCheck() {
	b, _ := workedModel().AppendBinary(nil)
	b[0x2020+3] = 'z' // aPos

	for _, f := range bnsh.Check(b) {
		fmt.Println(f.Severity, f)
	}
	// Output:
	// error 0x02a8: BNSH056 variations[0].binary.reflection.vertex.inputs[1]: key not found (expected found at 1, found 2)
	// info 0x0220: BNSH090 variations[0].binary.vertex.control: unknown control (expected a control of version 1.16, found 16 other bytes)
}

// The stages of every variation, and where the vertex shader takes its inputs.
func ExampleFile_Codes() {
	f := workedModel()
	for c := range f.Codes() {
		fmt.Println("variation", c.Variation, c.Slot, c.Stage, c.Code.Size(), "bytes")
		for i, key := range c.Program.Reflection[c.Stage].Tables[bnsh.Inputs].Keys {
			fmt.Println(i, key, c.Program.Reflection[c.Stage].Lookup(bnsh.Inputs, key))
		}
	}
	// Output:
	// variation 0 binary vertex 256 bytes
	// 0 aPos 0
	// 1 aTex 1
}
