package dvojgen

import (
	"math"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// headerFaults break DVOJ001 to DVOJ003, DVOJ005, DVOJ008, DVOJ111 and DVOJ112.
var headerFaults = []gen.Fault{
	raw("DVOJ001", func(k kit) ([]byte, gen.Place) {
		n := k.below(headerSize)
		return k.Cut(k.draft().Bytes, n), gen.Place{Off: n, Path: "header"}
	}),
	field("DVOJ002", "header.magic", gen.OtherThan(otherMagic)),
	field("DVOJ003", "header.magic", gen.OneOf(otherMagic)),
	model("DVOJ005", func(k kit) string {
		k.Type = shbin.Type(k.Within(2, 0xFF))
		if k.Near() {
			k.retype(shbin.GeometryShader)
		}
		return "header.type"
	}),
	unknownWord(shbin.VertexShader, false),
	unknownWord(shbin.GeometryShader, true),
	field("DVOJ111", "header.output_mask", gen.Other),
	field("DVOJ112", "header.input_mask", gen.Other),
}

// unknownWord changes the unknown word of an object of a type.
func unknownWord(t shbin.Type, milder bool) gen.Fault {
	f := model("DVOJ008", func(k kit) string {
		k.retype(t)
		k.Unknown ^= uint32(k.Flip(math.MaxUint32))
		return "header.unknown"
	})
	f.Milder = milder
	return f
}

// otherMagic is "DVOB".
const otherMagic = 0x424F5644
