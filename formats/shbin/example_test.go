package shbin_test

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/shbin"
)

// A file that was damaged on its way: Check says where.
func ExampleCheck() {
	b, _ := workedModel().AppendBinary(nil)
	b[0x58] = 3 // the entry point

	for _, f := range shbin.Check(b) {
		if f.Severity > 0 {
			fmt.Println(f.Severity, f)
		}
	}
	// Output:
	// error 0x0058: DVLE007 dvle[0].entry: entry is past the code (expected < 3, found 3)
	// warning 0x005c: DVLE009 dvle[0].end: end is not after entry (expected > 3, found 3)
}

// The names of a DVLE's registers.
func ExampleParse() {
	b, _ := workedModel().AppendBinary(nil)

	f, err := shbin.Parse(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range f.DVLEs {
		fmt.Println(e.Type, "shader at word", e.Entry)
		for _, u := range e.Uniforms {
			name, _ := e.Name(u.Name)
			fmt.Println(name, "in", u.First, "to", u.Last)
		}
	}
	// Output:
	// vertex shader at word 0
	// inPos in v0 to v0
	// mtx in c0 to c3
}

// Every byte has an owner.
func ExampleFile_Regions() {
	for _, r := range workedModel().Regions() {
		if r.Off >= 0xB8 && r.Off < 0xCC {
			fmt.Printf("%03X %d %s = %s\n", r.Off, r.Len, r.Path, r.Value)
		}
	}
	// Output:
	// 0B8 1 dvle[0].constants[2].type = float
	// 0B9 1 dvle[0].constants[2].reserved1 = 0
	// 0BA 1 dvle[0].constants[2].register = c4
	// 0BB 1 dvle[0].constants[2].reserved3 = 0
	// 0BC 4 dvle[0].constants[2].payload.x = 1 (0x3f0000)
	// 0C0 4 dvle[0].constants[2].payload.y = 0 (0x000000)
	// 0C4 4 dvle[0].constants[2].payload.z = 0 (0x000000)
	// 0C8 4 dvle[0].constants[2].payload.w = -0.5 (0xbe0000)
}
