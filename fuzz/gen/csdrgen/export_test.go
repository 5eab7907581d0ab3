package csdrgen

import "github.com/picaproof/picaproof/formats/csdr"

// Outline returns the text of a model, before it is varied.
func Outline(f *csdr.File) []byte { return outline(f).append(nil) }
