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
		*k.File = *k.content(gen.Breach(k.Choices, 0, 1))
		return count(code)
	}),
	model("DVOJ013", func(k kit) string { // a header and nothing else
		*k.File = dvoj.File{Version: k.Version, Type: k.Type, Unknown: usualUnknown,
			Code: []uint32{uint32(pica.END) << 26}[:gen.Breach(k.Choices, 0, 1)]}
		return count(code)
	}),
	model("DVOJ014", func(k kit) string {
		k.retype(shbin.GeometryShader) // a vertex shader has a lower limit
		k.recode(int(k.Wrong(pica.MaxCode+1, pica.MaxCode+500, pica.MaxCode)))
		return count(code)
	}),
	model("DVOJ015", func(k kit) string {
		k.retype(shbin.VertexShader)
		wrong := k.Choices.Size(pica.MaxVertexCode+1, pica.MaxVertexCode+40, pica.MaxCode-1, pica.MaxCode)
		k.recode(gen.Breach(k.Choices, wrong, pica.MaxVertexCode))
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
		k.renumber(gen.Breach(k.Choices, n, words))
		return count(lines)
	}),
	gen.OrElse(model("DVOJ030", func(k kit) string {
		i, end := len(k.Relocations), uint64(len(k.Code))
		k.Relocations = append(k.Relocations, k.relocation(int(k.Wrong(end, math.MaxUint32, end-1))))
		return in(relocations, i, "word")
	}), "DVOJ031", "DVOJ032"), // the last word has one, or must have none
	model("DVOJ031", func(k kit) string {
		i := k.aRelocation(1)
		again := []dvoj.Relocation{k.relocation(int(k.Relocations[i].Word))}
		k.Relocations = slices.Insert(k.Relocations, i, gen.Only(k.Choices, again, nil)...)
		return in(relocations, i+1, "word")
	}),
	model("DVOJ032", func(k kit) string {
		i := k.aRelocation(1)
		op := gen.Pick(k.Choices, []pica.Opcode{pica.END, pica.NOP, pica.BREAK, pica.EMIT}) // all without operands
		k.Code[k.Relocations[i].Word] = uint32(gen.Breach(k.Choices, op, pica.SETEMIT))<<26 | uint32(k.Bits(26))
		return in(relocations, i, "word")
	}),
	model("DVOJ033", func(k kit) string {
		i := k.aRelocation(1)
		word := k.Relocations[i].Word
		missing := gen.Only(k.Choices, 1+k.below(len(k.Relocations)-i), 0)
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
		if gen.Only(k.Choices, true, false) {
			r[i], r[j] = r[j], r[i]
		}
		return in(relocations, min(i, j)+1, "word")
	}),
}

// aRelocation picks a relocation of a file with n or more; it adds the missing ones.
func (k kit) aRelocation(n int) int {
	k.withOperands(n)
	return k.below(len(k.Relocations))
}

// constantFaults break DVOJ130 to DVOJ136.
var constantFaults = append(recordFaults(constants, shbingen.ConstantFaults, kit.faultyConstant),
	model("DVOJ136", func(k kit) string {
		i, c := k.aConstant(k.anyType())
		again := k.constant(c.Type)
		again.Register = c.Register
		j := i + 1 + k.below(len(k.Constants)-i)
		k.Constants = slices.Insert(k.Constants, j, gen.Only(k.Choices, []shbin.Constant{again}, nil)...)
		return in(constants, j, "")
	}))

// recordFaults are the faults of the records of a table; pick returns one of them.
func recordFaults[R any](t table, list []shbingen.RecordFault[R],
	pick func(k kit, f shbingen.RecordFault[R]) (int, *R)) (faults []gen.Fault) {
	for _, f := range list {
		rule, instead := f.Rules("DVOJ1")
		faults = append(faults, gen.OrElse(model(rule, func(k kit) string {
			i, r := pick(k, f)
			path := in(t, i, f.Spoil(k.Choices, r, uint32(len(k.Code))))
			setMasks(k.File)
			return path
		}), instead...))
	}
	return faults
}

func (k kit) faultyConstant(f shbingen.RecordFault[shbin.Constant]) (int, *shbin.Constant) {
	return k.aConstant(gen.Pick(k.Choices, f.Types))
}

// labelFaults break DVOJ140 to DVOJ144.
var labelFaults = slices.Concat(recordFaults(labels, shbingen.LabelFaults,
	func(k kit, _ shbingen.RecordFault[shbin.Label]) (int, *shbin.Label) { return k.aLabel() },
), nameless("DVOJ142", labels, func(k kit) (int, *uint32) {
	i, l := k.aLabel()
	return i, &l.Name
}), nameless("DVOJ021", lines, func(k kit) (int, *uint32) {
	i, l := k.aLine()
	return i, &l.Name
}))

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
			end := uint64(len(k.Symbols))
			k.Symbols = append(k.Symbols, gen.Breach(k.Choices, "", "~\x00")...)
			*name = uint32(k.Wrong(end, math.MaxUint32, end))
			return path
		}),
		model(rule, func(k kit) string {
			path, name := lose(k)
			*name = uint32(len(k.Symbols))
			k.Symbols = append(k.Symbols, k.ownText(k.File)+gen.Breach(k.Choices, "", "\x00")...)
			return path
		}, "DVOJ170", "DVOJ173"), // only the end of the symbols has no NUL, and no name reaches there
	}
}
