package dvojgen

import (
	"math"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/gen/wordgen"
	"github.com/picaproof/picaproof/pica"
)

// drawer draws the parts of a model. Without choices each is the smallest there
// is.
type drawer struct {
	*gen.Choices
	odd bool // values that only warn are drawn too
}

// oddly is true one time in four, if odd values are wanted.
func (d drawer) oddly() bool { return d.odd && !d.Chance(12) }

// below draws a number of n values, word and half any number of 32 and 16 bits.
func (d drawer) below(n int) int { return int(d.Within(0, uint64(n)-1)) }
func (d drawer) word() uint32    { return uint32(d.Within(0, math.MaxUint32)) }
func (d drawer) half() uint16    { return uint16(d.Within(0, math.MaxUint16)) }

// words draws a code length.
func (d drawer) words() int {
	return d.Size(1, 12, 60, pica.MaxVertexCode, pica.MaxVertexCode+1, pica.MaxCode)
}

// usualUnknown is the unknown word of the header.
const usualUnknown = math.MaxUint32

// content draws a model with so many words of code, and no layout.
func (d drawer) content(words int) *dvoj.File {
	odd := d.oddly()
	f := gen.Free[dvoj.File](d.Choices, fields, odd)
	if f.Type = shbin.Type(d.Bits(1)); words > pica.MaxVertexCode && !d.odd {
		f.Type = shbin.GeometryShader
	}
	if !odd {
		f.Merge, f.Unknown = f.Merge*uint8(f.Type), usualUnknown
	}
	f.Descriptors = d.descriptors(d.Size(0, 6, 31, 32, 33, pica.MaxDescriptors))
	f.Code = wordgen.Code(d.Choices, words, len(f.Descriptors))
	d.relocate(&f)
	objectOf(d.Choices, &f, nil).Draw(f.Type)
	if words > 0 && d.Bits(1) == 1 {
		d.number(&f, words)
	}
	setMasks(&f)
	d.pack(&f)
	return &f
}

func (d drawer) descriptors(n int) []shbin.Descriptor {
	list := make([]shbin.Descriptor, n)
	for i := range list {
		list[i] = gen.Free[shbin.Descriptor](d.Choices, fields, false)
	}
	return list
}

// relocate draws a relocation for each instruction with operands.
func (d drawer) relocate(f *dvoj.File) {
	f.Relocations = nil
	for i, w := range f.Code {
		if pica.OpcodeOf(w).HasOperands() {
			f.Relocations = append(f.Relocations, d.relocation(i))
		}
	}
}

func (d drawer) relocation(word int) dvoj.Relocation {
	r := gen.Free[dvoj.Relocation](d.Choices, fields, false)
	r.Word = uint32(word)
	return r
}

// number draws n lines, which have one to three file names.
func (d drawer) number(f *dvoj.File, n int) {
	f.Lines = make([]shbin.Line, n)
	var names []uint32
	for i := range f.Lines {
		k := d.below(3)
		if k >= len(names) {
			k = len(names)
			names = append(names, addName(f, d.text()))
		}
		f.Lines[i] = gen.Free[shbin.Line](d.Choices, fields, false)
		f.Lines[i].Name = names[k]
	}
}

// setMasks computes the input mask and the output mask from the tables.
func setMasks(f *dvoj.File) { f.InputMask, f.OutputMask = shbingen.Masks(&f.Tables) }
