package csdrgen

import "github.com/picaproof/picaproof/formats/csdr"

// Outline is what this package makes of a model before it varies it.
func Outline(f *csdr.File) []byte { return outline(f).append(nil) }
