package dvojgen

import (
	"cmp"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
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

// versions are the ones that are known.
var versions = []uint16{0, 0x0C02, 0x1002}

// usualUnknown is the unknown word of the header.
const usualUnknown = math.MaxUint32

// content draws a model with so many words of code, and no layout.
func (d drawer) content(words int) *dvoj.File {
	f := &dvoj.File{Version: gen.Pick(d.Choices, versions), Unknown: usualUnknown}
	if d.Bits(1) == 1 || words > pica.MaxVertexCode && !d.odd {
		f.Type, f.Merge = shbin.GeometryShader, uint8(d.Bits(1))
	}
	f.Descriptors = d.descriptors(d.Size(0, 6, 31, 32, 33, pica.MaxDescriptors))
	f.Code = wordgen.Code(d.Choices, words, len(f.Descriptors))
	d.relocate(f)
	f.Constants = d.constants(d.Size(0, 5, pica.NumBools))
	for range d.Size(0, 3, 20) {
		d.addLabel(f, addName(f, d.text()))
	}
	f.Outputs = d.outputs(f.Type, d.Size(0, 5, 12))
	d.uniforms(f, d.Size(0, 5, 24))
	if words > 0 && d.Bits(1) == 1 {
		d.number(f, words)
	}
	setMasks(f)
	d.pack(f)
	return f
}

func (d drawer) descriptors(n int) []shbin.Descriptor {
	list := make([]shbin.Descriptor, n)
	for i := range list {
		list[i] = shbin.Descriptor{Word: uint32(d.Bits(32)), Flags: d.word()}
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
	r := dvoj.Relocation{Word: uint32(word)}
	gen.Free(&r, d.word, "Word")
	return r
}

// registers is the number of registers of each constant type.
var registers = [...]uint8{shbin.Bool: pica.NumBools, shbin.Int: pica.NumInts, shbin.Float: pica.NumFloats}

// constants draws at most n constants of registers of their own.
func (d drawer) constants(n int) (list []shbin.Constant) {
	for range n {
		t := shbin.ConstantType(d.below(len(registers)))
		k := d.constant(t, uint8(d.below(int(registers[t]))))
		if d.oddly() || !slices.ContainsFunc(list, func(o shbin.Constant) bool { return o.Type == k.Type && o.Register == k.Register }) {
			list = append(list, k)
		}
	}
	return list
}

// constant draws the value of a constant.
func (d drawer) constant(t shbin.ConstantType, register uint8) shbin.Constant {
	switch t {
	case shbin.Bool:
		return shbin.BoolConstant(register, d.Bits(1) == 1)
	case shbin.Int:
		v := d.Bits(32)
		return shbin.IntConstant(register, uint8(v), uint8(v>>8), uint8(v>>16), uint8(v>>24))
	}
	float24 := func() uint32 { return uint32(d.Within(0, 1<<24-1)) }
	return shbin.FloatConstant(register, float24(), float24(), float24(), float24())
}

// addLabel appends a label with the name at an offset.
func (d drawer) addLabel(f *dvoj.File, name uint32) {
	words := uint64(len(f.Code))
	l := shbin.Label{ID: uint16(len(f.Labels)), Flags: 1, Word: uint32(d.Within(0, words)), Length: shbin.NoLength, Name: name}
	if d.Bits(1) == 1 {
		l.Length = uint32(d.Within(0, words-uint64(l.Word)))
	}
	f.Labels = append(f.Labels, l)
}

const (
	lastMapped    = 6   // the last output register that is no dummy's
	allComponents = 0xF // of an output
)

// semantics are those that one output may have.
var semantics = []shbin.Semantic{
	shbin.Position, shbin.NormalQuat, shbin.Color, shbin.TexCoord0, shbin.TexCoord0W, shbin.TexCoord1, shbin.TexCoord2, shbin.ViewVector,
}

// outputs draws at most n outputs with semantics and components of their own.
func (d drawer) outputs(t shbin.Type, n int) (list []shbin.Output) {
	for range n {
		o := shbin.Output{Semantic: shbin.Dummy, Register: uint16(d.below(lastMapped + 1)), Mask: uint16(d.Within(1, allComponents))}
		if s := gen.Pick(d.Choices, semantics); d.oddly() || !slices.ContainsFunc(list, func(o shbin.Output) bool { return o.Semantic == s }) {
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

// class is a register class of the uniform table.
type class struct{ first, last shbin.Register }

var classes = []class{
	{shbin.FirstInput, shbin.FirstInput + pica.NumInputs - 1},
	{shbin.FirstFloat, shbin.FirstFloat + pica.NumFloats - 1},
	{shbin.FirstInt, shbin.FirstInt + pica.NumInts - 1},
	{shbin.FirstBool, shbin.FirstBool + pica.NumBools - 1},
}

// register draws a register from low to high.
func (d drawer) register(low, high shbin.Register) shbin.Register {
	return shbin.Register(d.Within(uint64(low), uint64(high)))
}

// uniforms adds at most n uniforms with names and registers of their own.
func (d drawer) uniforms(f *dvoj.File, n int) {
	for range n {
		of := gen.Pick(d.Choices, classes)
		first := d.register(of.first, of.last)
		last := first
		if (of.first != shbin.FirstInput || d.odd) && d.Bits(1) == 1 {
			last = d.register(first, of.last)
		}
		if d.oddly() || !slices.ContainsFunc(f.Uniforms, func(u shbin.Uniform) bool { return u.First <= last && first <= u.Last }) {
			d.addUniform(f, first, last)
		}
	}
}

// addUniform adds a uniform with a name of its own where the table stays
// sorted, behind those of the same register. It returns its index.
func (d drawer) addUniform(f *dvoj.File, first, last shbin.Register) int {
	i, _ := slices.BinarySearchFunc(f.Uniforms, first, func(u shbin.Uniform, r shbin.Register) int {
		return cmp.Or(cmp.Compare(u.First, r), -1)
	})
	f.Uniforms = slices.Insert(f.Uniforms, i, shbin.Uniform{Name: addName(f, d.ownText(f)), First: first, Last: last})
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
		f.Lines[i] = shbin.Line{Name: names[k], Line: d.word()}
	}
}

// setMasks sets the masks to what the tables say.
func setMasks(f *dvoj.File) {
	f.InputMask, f.OutputMask = 0, 0
	for _, u := range f.Uniforms {
		if inputs := classes[0]; u.First <= u.Last && u.Last <= inputs.last {
			f.InputMask |= uint16(1<<(u.Last+1) - 1<<u.First)
		}
	}
	for _, o := range f.Outputs {
		if o.Register < pica.NumOutputs {
			f.OutputMask |= 1 << o.Register
		}
	}
}
