package cgfxgen

import "github.com/picaproof/picaproof/formats/cgfx"

// Plain is what this package makes of a model in the order of the writer.
func Plain(f *cgfx.File) []byte { return plain(f).b }
