package shbingen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// RecordFault spoils one record of a table, of a DVLE or of a DVOJ object: rule DVLE0nn is
// DVOJ1nn.
type RecordFault[R any] struct {
	rule    string               // nn
	instead []string             // of the rules that near misses break
	Types   []shbin.ConstantType // of the constants that can have the fault
	// Spoil returns the field that is reported. The code has so many words.
	Spoil func(c *gen.Choices, r *R, words uint32) (field string)
}

// Rules returns the id of the rule, and the ids of rules that a near miss may break. All begin with prefix.
func (f RecordFault[R]) Rules(prefix string) (rule string, instead []string) {
	for _, nn := range f.instead {
		instead = append(instead, prefix+nn)
	}
	return prefix + f.rule, instead
}

var allTypes = []shbin.ConstantType{shbin.Bool, shbin.Int, shbin.Float}

// ConstantFaults break rules about constants.
var ConstantFaults = slices.Concat([]RecordFault[shbin.Constant]{
	// The constant was another type's.
	{"30", []string{"35", "36"}, allTypes, func(c *gen.Choices, k *shbin.Constant, _ uint32) string {
		k.Type = above(c, shbin.Float)
		return "type"
	}},
	{"31", nil, allTypes, func(c *gen.Choices, k *shbin.Constant, _ uint32) string {
		gen.Change(c, &k.Reserved1)
		k.Reserved3 = gen.Only(c, uint8(c.Bits(8)), 0)
		return "reserved1"
	}},
	{"31", nil, allTypes, func(c *gen.Choices, k *shbin.Constant, _ uint32) string {
		gen.Change(c, &k.Reserved3)
		return "reserved3"
	}},
	// Another constant may have the last register.
	{"32", []string{"36"}, allTypes, func(c *gen.Choices, k *shbin.Constant, _ uint32) string {
		k.Register = above(c, Registers[k.Type]-1)
		return "register"
	}},
	{"33", nil, allTypes[:1], func(c *gen.Choices, k *shbin.Constant, _ uint32) string {
		setWord(k, 0, above[uint32](c, 1))
		return "payload.value"
	}},
	{"34", nil, allTypes[:1], setRest},
	{"34", nil, allTypes[1:2], setRest},
}, floatFaults())

// setRest changes a byte behind the value of a bool or an int.
func setRest(c *gen.Choices, k *shbin.Constant, _ uint32) string {
	gen.Change(c, &k.Payload[4+c.Below(12)])
	return "payload.rest"
}

// floatFaults give each component of a float more than 24 bits, and now and then the next ones.
func floatFaults() (list []RecordFault[shbin.Constant]) {
	for i, field := range []string{"payload.x", "payload.y", "payload.z", "payload.w"} {
		spoil := func(c *gen.Choices, k *shbin.Constant, _ uint32) string {
			for j := i; j == i || j < 4 && c.Chance(8); j++ {
				setWord(k, j, gen.Breach(c, k.Payload.Words()[j]|uint32(c.Some(0xFF000000)), 1<<24-1))
			}
			return field
		}
		list = append(list, RecordFault[shbin.Constant]{"35", nil, allTypes[2:], spoil})
	}
	return list
}

// LabelFaults break rules about labels.
var LabelFaults = []RecordFault[shbin.Label]{
	{"40", nil, nil, func(c *gen.Choices, l *shbin.Label, words uint32) string {
		l.Word, l.Length = above(c, words), shbin.NoLength
		return "word"
	}},
	{"41", nil, nil, func(c *gen.Choices, l *shbin.Label, words uint32) string {
		l.Length = wrong(c, words-l.Word+1, shbin.NoLength-1, words-l.Word)
		return "length"
	}},
	{"43", nil, nil, func(c *gen.Choices, l *shbin.Label, _ uint32) string {
		gen.Change(c, &l.ID)
		return "id"
	}},
	{"44", nil, nil, func(c *gen.Choices, l *shbin.Label, _ uint32) string {
		gen.Change(c, &l.Flags)
		return "flags"
	}},
}

// OutputFaults break rules about outputs of mapped registers.
var OutputFaults = []RecordFault[shbin.Output]{
	{"50", nil, nil, func(c *gen.Choices, o *shbin.Output, _ uint32) string {
		if o.Semantic = 7; c.Chance(8) {
			o.Semantic = above(c, shbin.Dummy)
		}
		o.Semantic = gen.Breach(c, o.Semantic, shbin.Dummy)
		return "semantic"
	}},
	{"53", nil, nil, func(c *gen.Choices, o *shbin.Output, _ uint32) string {
		o.Mask = gen.Breach(c, 0, o.Mask&-o.Mask)
		return "mask"
	}},
	{"54", nil, nil, func(c *gen.Choices, o *shbin.Output, _ uint32) string {
		o.Mask |= uint16(c.Flip(0xFFF0))
		return "mask"
	}},
	{"55", nil, nil, func(c *gen.Choices, o *shbin.Output, _ uint32) string {
		gen.Change(c, &o.Unknown)
		return "unknown"
	}},
}

// recordFaults are the faults of the records of one table of a DVLE; pick returns one of them.
func recordFaults[R any](table string, list []RecordFault[R],
	pick func(d *draft, e *shbin.DVLE, f RecordFault[R]) (int, *R)) (faults []fault) {
	for _, f := range list {
		rule, instead := f.Rules("DVLE0")
		spoil := func(d *draft, e *shbin.DVLE) string {
			i, r := pick(d, e, f)
			defer setMasks(e)
			return element(table, i, f.Spoil(d.c, r, uint32(len(d.m.DVLP.Code))))
		}
		faults = append(faults, fault{rule: rule, instead: instead, spoil: aDVLE(spoil)})
	}
	return faults
}

// setWord sets a word of a constant's value.
func setWord(k *shbin.Constant, i int, v uint32) {
	for j := range 4 {
		k.Payload[4*i+j] = uint8(v >> (8 * j))
	}
}
