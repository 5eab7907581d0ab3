package dvojgen

import (
	"cmp"
	"math"
	"slices"

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
	f.Constants = d.constants(d.Size(0, 5, pica.NumBools))
	for range d.Size(0, 3, 20) {
		d.addLabel(&f, addName(&f, d.text()))
	}
	f.Outputs = d.outputs(f.Type, d.Size(0, 5, 12))
	d.uniforms(&f, d.Size(0, 5, 24))
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

// constants draws at most n constants of registers of their own.
func (d drawer) constants(n int) (list []shbin.Constant) {
	for range n {
		k := d.constant(shbin.ConstantType(d.below(len(shbingen.Registers))))
		if d.oddly() || !slices.ContainsFunc(list,
			func(o shbin.Constant) bool { return o.Type == k.Type && o.Register == k.Register }) {
			list = append(list, k)
		}
	}
	return list
}

// constant draws a constant of a type.
func (d drawer) constant(t shbin.ConstantType) shbin.Constant {
	k := shbingen.Constant(d.Choices, t)
	if d.oddly() {
		k.Payload = gen.Free[shbin.Payload](d.Choices, fields, true)
	}
	return k
}

// addLabel appends a label with the name at an offset.
func (d drawer) addLabel(f *dvoj.File, name uint32) {
	l := shbingen.Label(d.Choices, len(f.Labels), uint32(len(f.Code)))
	if l.Name = name; d.oddly() {
		l.ID, l.Flags = d.half(), d.half()
	}
	f.Labels = append(f.Labels, l)
}

// outputs draws at most n outputs with semantics and components of their own.
func (d drawer) outputs(t shbin.Type, n int) (list []shbin.Output) {
	for range n {
		o := d.output(shbin.Dummy)
		if s := gen.Pick(d.Choices, shbingen.Semantics); d.oddly() ||
			!slices.ContainsFunc(list, func(o shbin.Output) bool { return o.Semantic == s }) {
			o.Semantic = s
		} else if t == shbin.VertexShader {
			o.Register = uint16(d.below(pica.NumOutputs))
		}
		for _, other := range list {
			if other.Register == o.Register {
				o.Mask &^= other.Mask
			}
		}
		if o.Mask != 0 || d.odd {
			list = append(list, o)
		}
	}
	return list
}

// output draws an output of a mapped register.
func (d drawer) output(s shbin.Semantic) shbin.Output {
	o := shbingen.Dummy(d.Choices, uint16(d.below(shbingen.LastMapped+1)))
	if o.Semantic, o.Mask = s, uint16(d.Within(1, uint64(o.Mask))); d.oddly() {
		o.Unknown = d.half()
	}
	return o
}

// register draws a register from low to high.
func (d drawer) register(low, high shbin.Register) shbin.Register {
	return shbin.Register(d.Within(uint64(low), uint64(high)))
}

// uniforms adds at most n uniforms with names and registers of their own.
func (d drawer) uniforms(f *dvoj.File, n int) {
	for range n {
		of := gen.Pick(d.Choices, shbingen.RegisterClasses)
		first := d.register(of.First, of.Last)
		last := first
		if (of.First != shbin.FirstInput || d.odd) && d.Bits(1) == 1 {
			last = d.register(first, of.Last)
		}
		if d.oddly() || !slices.ContainsFunc(f.Uniforms,
			func(u shbin.Uniform) bool { return u.First <= last && first <= u.Last }) {
			d.addUniform(f, first, last)
		}
	}
}

// addUniform adds a uniform with a fresh name and returns its index. The table stays sorted; the new uniform follows
// the others of its register.
func (d drawer) addUniform(f *dvoj.File, first, last shbin.Register) int {
	i, _ := slices.BinarySearchFunc(f.Uniforms, first, func(u shbin.Uniform, r shbin.Register) int {
		return cmp.Or(cmp.Compare(u.First, r), -1)
	})
	u := shbingen.Uniform(d.Choices, first)
	u.Name, u.Last = addName(f, d.ownText(f)), last
	f.Uniforms = slices.Insert(f.Uniforms, i, u)
	return i
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
