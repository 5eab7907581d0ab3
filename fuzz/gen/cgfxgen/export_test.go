package cgfxgen

import "github.com/picaproof/picaproof/formats/cgfx"

// Plain returns the bytes of a model in the order of the writer.
func Plain(f *cgfx.File) []byte { return plain(f).Bytes }
