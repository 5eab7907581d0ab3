package shbingen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// ConstantFault spoils the payload of a constant, of a DVLE or of a DVOJ object: rule DVLE0nn is DVOJ1nn.
type ConstantFault struct {
	Rule  string               // nn
	Types []shbin.ConstantType // of the constants that can have the fault
	Spoil func(c *gen.Choices, k *shbin.Constant) (field string)
}

var allTypes = []shbin.ConstantType{shbin.Bool, shbin.Int, shbin.Float}

// ConstantFaults break rules about constants.
var ConstantFaults = slices.Concat([]ConstantFault{
	{"33", allTypes[:1], func(c *gen.Choices, k *shbin.Constant) string {
		setWord(k, 0, above[uint32](c, 1))
		return "payload.value"
	}},
	{"34", allTypes[:1], setRest},
	{"34", allTypes[1:2], setRest},
}, floatFaults())

// setRest changes a byte behind the value of a bool or an int.
func setRest(c *gen.Choices, k *shbin.Constant) string {
	gen.Change(c, &k.Payload[4+c.Below(12)])
	return "payload.rest"
}

// floatFaults give each component of a float more than 24 bits, and now and then the next ones.
func floatFaults() (list []ConstantFault) {
	for i, field := range []string{"payload.x", "payload.y", "payload.z", "payload.w"} {
		spoil := func(c *gen.Choices, k *shbin.Constant) string {
			for j := i; j == i || j < 4 && c.Chance(8); j++ {
				setWord(k, j, gen.Breach(c, k.Payload.Words()[j]|uint32(c.Some(0xFF000000)), 1<<24-1))
			}
			return field
		}
		list = append(list, ConstantFault{"35", allTypes[2:], spoil})
	}
	return list
}

// RecordInstead names the rules that near misses of rules about fields may break; all ids begin with prefix.
func RecordInstead(prefix string) map[string][]string {
	return map[string][]string{
		prefix + "30": {prefix + "33", prefix + "34", prefix + "35", prefix + "36"}, // the constant was another type's
		prefix + "32": {prefix + "36"},                                              // another constant may have the last register
		prefix + "50": {prefix + "57"},                                              // another output may have the semantic
	}
}

// setWord sets a word of a constant's value.
func setWord(k *shbin.Constant, i int, v uint32) {
	for j := range 4 {
		k.Payload[4*i+j] = uint8(v >> (8 * j))
	}
}
