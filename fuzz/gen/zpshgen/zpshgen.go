// Package zpshgen makes ZPSH files: valid ones, models with odd values, and
// files with one fault.
package zpshgen

import (
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// Format is the generator of ZPSH files.
var Format = gen.Format{Name: "zpsh", File: File, Odd: gen.Written(Model), Faults: Faults}

// File draws a file about which Check has nothing to say; without choices the
// smallest.
func File(c *gen.Choices) []byte { return gen.Unchecked(drawer{c, false}.file()) }

// Model draws a model that breaks no rule of severity error. All else that a
// model can hold is drawn too.
func Model(c *gen.Choices) *zpsh.File { return drawer{c, true}.file() }
