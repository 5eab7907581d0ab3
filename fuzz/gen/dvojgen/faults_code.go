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
	gen.MissBreaking(model("DVOJ030", func(k kit) string {
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

// lineFaults break the rules about the names of lines: DVOJ021 and DVOJ174.
var lineFaults = []gen.Fault{
	model("DVOJ021", func(k kit) string { return k.nameless((*shbingen.Object).NoName) }),
	// Only the end of the symbols has no NUL, and no name reaches there.
	model("DVOJ021", func(k kit) string { return k.nameless((*shbingen.Object).UnendedName) }, "DVOJ170", "DVOJ173"),
	model("DVOJ174", func(k kit) string { // a label with a part of a name, or all of it
		_, line := k.aLine()
		name := line.Name
		first := slices.IndexFunc(k.Lines, func(l shbin.Line) bool { return l.Name == name })
		o := k.object()
		o.AddLabel(o.InsideOf(name))
		return in(lines, first, "")
	}),
}

// nameless gives a line a wrong name, and drops its old name if no other line has it.
func (k kit) nameless(name func(o *shbingen.Object) uint32) string {
	i, line := k.aLine()
	line.Name = math.MaxUint32
	k.pack(k.File)
	line.Name = name(k.object())
	return in(lines, i, "")
}
