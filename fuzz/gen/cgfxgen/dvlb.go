package cgfxgen

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// dvlb draws a DVLB about which there is nothing to say.
func dvlb(c *gen.Choices, odd bool) []byte {
	f := &shbin.File{Program: shbin.DVLP{Code: []uint32{0x88000000}}}
	for range 1 + c.Below(3) {
		f.Entries = append(f.Entries, shbin.DVLE{Type: shbin.Type(c.Bits(1)), End: 1})
	}
	b, _ := f.AppendUnchecked(nil)
	return b
}
