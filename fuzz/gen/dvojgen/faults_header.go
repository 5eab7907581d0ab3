package dvojgen

import (
	"math"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// headerFaults break DVOJ001 to DVOJ003, DVOJ005, DVOJ111 and DVOJ112.
var headerFaults = []gen.Fault{
	raw("DVOJ001", func(k kit) ([]byte, gen.Place) {
		n := k.below(headerSize)
		return k.Cut(k.draft().Bytes, n), gen.Place{Off: n, Path: "header"}
	}),
	field("DVOJ002", "header.magic", func(k kit, right uint64) uint64 {
		wrong := right ^ k.Within(1, 0xFF)<<(8*k.below(4))
		if wrong == otherMagic {
			wrong++
		}
		return wrong
	}),
	field("DVOJ003", "header.magic", func(kit, uint64) uint64 { return otherMagic }),
	model("DVOJ005", func(k kit) string {
		k.Type = shbin.Type(k.Within(2, 0xFF))
		if k.Near() {
			k.retype(shbin.GeometryShader)
		}
		return "header.type"
	}),
	field("DVOJ111", "header.output_mask", func(k kit, right uint64) uint64 { return right ^ k.Some(math.MaxUint16) }),
	field("DVOJ112", "header.input_mask", func(k kit, right uint64) uint64 { return right ^ k.Some(math.MaxUint16) }),
}

// otherMagic is "DVOB".
const otherMagic = 0x424F5644

// field is the fault of one field: value draws a wrong one.
func field(rule, path string, value func(k kit, right uint64) uint64) gen.Fault {
	return raw(rule, func(k kit) ([]byte, gen.Place) {
		d := k.draft()
		right := d.Get(path)
		d.Set(path, gen.Only(k.Choices, value(k, right), right))
		return d.Bytes, d.Place(path)
	})
}
