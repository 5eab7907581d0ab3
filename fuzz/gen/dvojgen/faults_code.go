package dvojgen

import (
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/pica"
)

// lengthFaults break DVOJ013 to DVOJ034.
var lengthFaults = []gen.Fault{
	model("DVOJ013", func(k kit) string {
		*k.File = *k.content(0)
		return count(code)
	}),
	model("DVOJ013", func(k kit) string { // a header and nothing else
		*k.File = dvoj.File{Version: k.Version, Type: k.Type, Unknown: usualUnknown}
		return count(code)
	}),
	model("DVOJ014", func(k kit) string {
		k.retype(shbin.GeometryShader) // for vertex shaders there is a lower limit
		k.recode(int(k.Wrong(pica.MaxCode+1, pica.MaxCode+500, pica.MaxCode)))
		return count(code)
	}),
	model("DVOJ015", func(k kit) string {
		k.retype(shbin.VertexShader)
		k.recode(k.Choices.Size(pica.MaxVertexCode+1, pica.MaxVertexCode+40, pica.MaxCode-1, pica.MaxCode))
		return count(code)
	}),
	model("DVOJ016", func(k kit) string {
		k.Descriptors = k.descriptors(int(k.Wrong(pica.MaxDescriptors+1, 300, pica.MaxDescriptors)))
		return count(descriptors)
	}),
	model("DVOJ020", func(k kit) string {
		words := len(k.Code)
		n := 1 + k.below(words+20)
		if n == words {
			n++
		}
		k.renumber(n)
		return count(lines)
	}),
	model("DVOJ030", func(k kit) string {
		i := len(k.Relocations)
		k.Relocations = append(k.Relocations, k.relocation(int(k.Within(uint64(len(k.Code)), math.MaxUint32))))
		return in(relocations, i, "word")
	}),
	model("DVOJ031", func(k kit) string {
		i := k.aRelocation(1)
		k.Relocations = slices.Insert(k.Relocations, i, k.relocation(int(k.Relocations[i].Word)))
		return in(relocations, i+1, "word")
	}),
	model("DVOJ032", func(k kit) string {
		i := k.aRelocation(1)
		op := gen.Pick(k.Choices, []pica.Opcode{pica.END, pica.NOP, pica.BREAK, pica.EMIT}) // all without operands
		k.Code[k.Relocations[i].Word] = uint32(op)<<26 | uint32(k.Bits(26))
		return in(relocations, i, "word")
	}),
	model("DVOJ033", func(k kit) string {
		i := k.aRelocation(1)
		word := k.Relocations[i].Word
		missing := 1 + k.below(len(k.Relocations)-i)
		k.Relocations = slices.Delete(k.Relocations, i, i+missing)
		return fmt.Sprintf("code[%d]", word)
	}),
	model("DVOJ034", func(k kit) string {
		i := k.aRelocation(2)
		j := k.below(len(k.Relocations))
		if i == j {
			j = (i + 1) % len(k.Relocations)
		}
		r := k.Relocations
		r[i], r[j] = r[j], r[i]
		return in(relocations, min(i, j)+1, "word")
	}),
}

// aRelocation picks a relocation, after there are n at least.
func (k kit) aRelocation(n int) int {
	k.withOperands(n)
	return k.below(len(k.Relocations))
}

// constantFaults break DVOJ130 to DVOJ136.
var constantFaults = []gen.Fault{
	constant("DVOJ130", anyType, "type",
		func(k kit, c *shbin.Constant) { c.Type = shbin.ConstantType(k.Within(3, 0xFF)) }),
	constant("DVOJ131", anyType, "reserved1",
		func(k kit, c *shbin.Constant) { c.Reserved1 = uint8(k.Within(1, 0xFF)) }),
	constant("DVOJ131", anyType, "reserved3",
		func(k kit, c *shbin.Constant) { c.Reserved3 = uint8(k.Within(1, 0xFF)) }),
	orElse(constant("DVOJ132", anyType, "register", func(k kit, c *shbin.Constant) {
		c.Register = uint8(k.Wrong(uint64(shbingen.Registers[c.Type]), 0xFF, uint64(shbingen.Registers[c.Type])-1))
	}), "DVOJ136"), // another constant may have the last register
	constant("DVOJ133", ofType(shbin.Bool), "payload.value",
		func(k kit, c *shbin.Constant) { putWord(c, 0, k.above32(1)) }),
	constant("DVOJ134", ofType(shbin.Bool, shbin.Int), "payload.rest", func(k kit, c *shbin.Constant) {
		c.Payload[4+k.below(12)] = uint8(k.Within(1, 0xFF))
	}),
	floatBits(0, "payload.x"),
	floatBits(1, "payload.y"),
	floatBits(2, "payload.z"),
	floatBits(3, "payload.w"),
	model("DVOJ136", func(k kit) string {
		i, c := k.aConstant(k.anyType())
		again := k.constant(c.Type)
		again.Register = c.Register
		j := i + 1 + k.below(len(k.Constants)-i)
		k.Constants = slices.Insert(k.Constants, j, again)
		return in(constants, j, "")
	}),
}

func anyType(k kit) shbin.ConstantType { return k.anyType() }

func ofType(types ...shbin.ConstantType) func(k kit) shbin.ConstantType {
	return func(k kit) shbin.ConstantType { return gen.Pick(k.Choices, types) }
}

// constant is the fault of one constant of a type, reported at a field of it.
func constant(rule string, of func(k kit) shbin.ConstantType, field string,
	spoil func(k kit, c *shbin.Constant)) gen.Fault {
	return model(rule, func(k kit) string {
		i, c := k.aConstant(of(k))
		spoil(k, c)
		return in(constants, i, field)
	})
}

// floatBits gives component n of a float more than 24 bits, and perhaps those
// behind it.
func floatBits(n int, field string) gen.Fault {
	return constant("DVOJ135", ofType(shbin.Float), field, func(k kit, c *shbin.Constant) {
		for j := n; j == n || j < len(c.Payload.Words()) && k.Chance(4); j++ {
			putWord(c, j, c.Payload.Words()[j]|uint32(k.Some(0xFF000000)))
		}
	})
}

// putWord changes a word of a payload.
func putWord(c *shbin.Constant, n int, v uint32) {
	for i := range 4 {
		c.Payload[4*n+i] = byte(v >> (8 * i))
	}
}

// labelFaults break DVOJ140 to DVOJ144.
var labelFaults = slices.Concat([]gen.Fault{
	label("DVOJ140", "word", func(k kit, _ int, l *shbin.Label) {
		l.Word, l.Length = k.above32(uint64(len(k.Code))),
			shbin.NoLength
	}),
	label("DVOJ141", "length", func(k kit, _ int, l *shbin.Label) {
		room := uint64(len(k.Code)) - uint64(l.Word)
		l.Length = uint32(k.Wrong(room+1, shbin.NoLength-1, room))
	}),
	label("DVOJ143", "id", func(k kit, i int, l *shbin.Label) { l.ID ^= uint16(k.Some(math.MaxUint16)) }),
	label("DVOJ144", "flags", func(k kit, _ int, l *shbin.Label) { l.Flags ^= uint16(k.Some(math.MaxUint16)) }),
}, nameless("DVOJ142", labels, func(k kit) (int, *uint32) {
	i, l := k.aLabel()
	return i, &l.Name
}), nameless("DVOJ021", lines, func(k kit) (int, *uint32) {
	i, l := k.aLine()
	return i, &l.Name
}))

// label is the fault of one label, reported at a field of it.
func label(rule, field string, spoil func(k kit, i int, l *shbin.Label)) gen.Fault {
	return model(rule, func(k kit) string {
		i, l := k.aLabel()
		spoil(k, i, l)
		return in(labels, i, field)
	})
}

// nameless are the faults of a reference to no name: to no symbol, and to one
// without a NUL.
func nameless(rule string, t table, pick func(k kit) (i int, name *uint32)) []gen.Fault {
	lose := func(k kit) (string, *uint32) {
		i, name := pick(k)
		*name = math.MaxUint32
		k.pack(k.File)
		return in(t, i, ""), name
	}
	return []gen.Fault{
		model(rule, func(k kit) string {
			path, name := lose(k)
			*name = uint32(k.Within(uint64(len(k.Symbols)), math.MaxUint32))
			return path
		}),
		model(rule, func(k kit) string {
			path, name := lose(k)
			*name = uint32(len(k.Symbols))
			k.Symbols = append(k.Symbols, k.ownText(k.File)...)
			return path
		}, "DVOJ170", "DVOJ173"), // only the end of the symbols has no NUL, and no name reaches there
	}
}
