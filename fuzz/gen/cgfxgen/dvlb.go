package cgfxgen

import (
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// dvlb draws a DVLB; an odd one may have warnings.
func dvlb(c *gen.Choices, odd bool) []byte {
	if odd && c.Chance(8) {
		if b, err := shbingen.Model(c).AppendBinary(nil); err == nil {
			return b
		}
	}
	return shbingen.File(c)
}
