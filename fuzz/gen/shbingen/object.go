package shbingen

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// Object is the tables of a DVLE or of a DVOJ object, which faults spoil. A fault may need an entry that the tables
// lack: the methods pick an entry of a kind, or add one without breaking a rule, and return its index.
type Object struct {
	*gen.Choices
	*shbin.Tables
	Words  uint32             // of the code
	Lines  []shbin.Line       // of a DVOJ object, whose names are symbols
	Retype func(t shbin.Type) // makes it an object of a type
}

// constant picks a constant of a type.
func (o *Object) constant(t shbin.ConstantType) int {
	if list := indices(o.Constants, func(k shbin.Constant) bool { return k.Type == t }); len(list) > 0 {
		return gen.Pick(o.Choices, list)
	}
	o.Constants = append(o.Constants, Constant(o.Choices, t))
	return len(o.Constants) - 1
}

// Label picks a label.
func (o *Object) Label() int {
	if len(o.Labels) == 0 {
		o.AddLabel(o.AddName(labelName(o.Choices)))
	}
	return o.Below(len(o.Labels))
}

// AddLabel appends a label of a name and returns its index.
func (o *Object) AddLabel(name uint32) int {
	l := Label(o.Choices, len(o.Labels), o.Words)
	l.Name = name
	o.Labels = append(o.Labels, l)
	return len(o.Labels) - 1
}

// output picks an output of a register that is mapped.
func (o *Object) output() int {
	if list := indices(o.Outputs, isMapped); len(list) > 0 {
		return gen.Pick(o.Choices, list)
	}
	o.Outputs = append(o.Outputs, Dummy(o.Choices, within[uint16](o.Choices, 0, LastMapped)))
	return len(o.Outputs) - 1
}

func isMapped(o shbin.Output) bool { return o.Register <= LastMapped }

// semantic picks an output that is no dummy.
func (o *Object) semantic() int {
	if list := indices(o.Outputs, func(o shbin.Output) bool { return o.Semantic != shbin.Dummy }); len(list) > 0 {
		return gen.Pick(o.Choices, list)
	}
	i := o.output()
	o.Outputs[i].Semantic = gen.Pick(o.Choices, Semantics)
	return i
}

// mappedBut picks an output of a mapped register other than output i.
func (o *Object) mappedBut(i int) int {
	list := slices.DeleteFunc(indices(o.Outputs, isMapped), func(k int) bool { return k == i })
	if len(list) > 0 {
		return gen.Pick(o.Choices, list)
	}
	o.Outputs = append(o.Outputs, Dummy(o.Choices, (o.Outputs[i].Register+1)%(LastMapped+1)))
	return len(o.Outputs) - 1
}

// uniform picks a uniform or input.
func (o *Object) uniform() int {
	if len(o.Uniforms) == 0 {
		o.addUniform(Uniform(o.Choices, shbin.FirstFloat))
	}
	return o.Below(len(o.Uniforms))
}

// input picks an input.
func (o *Object) input() int {
	if list := indices(o.Uniforms, func(u shbin.Uniform) bool { return u.First < shbin.FirstFloat }); len(list) > 0 {
		return gen.Pick(o.Choices, list)
	}
	return o.addUniform(Uniform(o.Choices, within(o.Choices, shbin.FirstInput, shbin.FirstFloat-1)))
}

// twoUniforms picks two uniforms in their order.
func (o *Object) twoUniforms() (i, j int) {
	for len(o.Uniforms) < 2 {
		o.addUniform(Uniform(o.Choices, gen.Pick(o.Choices, o.freeRegisters())))
	}
	i = o.Below(len(o.Uniforms) - 1)
	return i, i + 1 + o.Below(len(o.Uniforms)-i-1)
}

// freeRegisters returns the registers that no uniform has.
func (o *Object) freeRegisters() []shbin.Register {
	return slices.DeleteFunc(slices.Clone(knownRegisters), func(r shbin.Register) bool {
		return slices.ContainsFunc(o.Uniforms, func(u shbin.Uniform) bool { return u.First <= r && r <= u.Last })
	})
}

// knownRegisters are the registers of all classes.
var knownRegisters = func() (list []shbin.Register) {
	for _, class := range RegisterClasses {
		for r := class.First; r <= class.Last; r++ {
			list = append(list, r)
		}
	}
	return list
}()

// addUniform inserts a uniform with a fresh name and returns its index. The uniforms stay sorted by first register.
func (o *Object) addUniform(u shbin.Uniform) int {
	u.Name = o.AddName(o.freshName())
	return o.insertUniform(u)
}

func (o *Object) insertUniform(u shbin.Uniform) int {
	i, _ := slices.BinarySearchFunc(o.Uniforms, u.First, func(u shbin.Uniform, first shbin.Register) int {
		return cmp.Or(cmp.Compare(u.First, first), -1)
	})
	o.Uniforms = slices.Insert(slices.Clone(o.Uniforms), i, u)
	return i
}

// takeUniform removes a uniform and returns it.
func (o *Object) takeUniform(i int) shbin.Uniform {
	u := o.Uniforms[i]
	o.Uniforms = slices.Delete(slices.Clone(o.Uniforms), i, i+1)
	return u
}

// References returns the fields that hold the offset of a name.
func (o *Object) References() (list []*uint32) {
	for i := range o.Labels {
		list = append(list, &o.Labels[i].Name)
	}
	for i := range o.Uniforms {
		list = append(list, &o.Uniforms[i].Name)
	}
	for i := range o.Lines {
		list = append(list, &o.Lines[i].Name)
	}
	return list
}

// AddName inserts a name between two others and returns its offset, for a label or uniform.
func (o *Object) AddName(name string) uint32 {
	at := uint32(0)
	if i := o.Below(bytes.Count(o.Symbols, []byte{0}) + 1); i > 0 {
		at = uint32(nthNUL(o.Symbols, i) + 1)
	}
	o.InsertText(at, at, name+"\x00")
	return at
}

// InsertText puts text into the symbols at an offset. Names that start at from or later move.
func (o *Object) InsertText(off, from uint32, text string) {
	o.Symbols = slices.Insert(slices.Clone(o.Symbols), int(off), []byte(text)...)
	for _, name := range o.References() {
		if *name >= from {
			*name += uint32(len(text))
		}
	}
}

// nthNUL returns the offset of the n-th NUL, counted from 1.
func nthNUL(b []byte, n int) int {
	at := -1
	for range n {
		at += 1 + bytes.IndexByte(b[at+1:], 0)
	}
	return at
}

// freshName returns a name that no uniform has.
func (o *Object) freshName() string {
	for n := 0; ; n++ {
		name := "added" + strconv.Itoa(n)
		if !slices.ContainsFunc(o.Uniforms, func(u shbin.Uniform) bool { return o.nameAt(u.Name) == name }) {
			return name
		}
	}
}

// nameAt returns the name at an offset of the symbols.
func (o *Object) nameAt(off uint32) string {
	name, _ := o.Name(off)
	return name
}

// rename gives a uniform another name. The old name goes to a new label, so that each name keeps a reference.
func (o *Object) rename(i int, name uint32) {
	o.AddLabel(o.Uniforms[i].Name)
	o.Uniforms[i].Name = name
}

// NoName returns an offset at which no name starts; in a near miss one does there.
func (o *Object) NoName() uint32 {
	end := uint32(len(o.Symbols))
	o.Symbols = append(o.Symbols, gen.Breach(o.Choices, "", o.freshName()+"\x00")...)
	return wrong(o.Choices, end, 1<<32-1, end)
}

// UnendedName returns the offset of a name behind the others that has no NUL; in a near miss it has one.
func (o *Object) UnendedName() uint32 {
	end := uint32(len(o.Symbols))
	o.Symbols = append(o.Symbols, o.freshName()+gen.Breach(o.Choices, "", "\x00")...)
	return end
}

// InsideOf draws an offset inside a name or of its NUL; in a near miss the offset of another name.
func (o *Object) InsideOf(name uint32) uint32 {
	inside := name + within(o.Choices, 0, uint32(len(o.nameAt(name))))
	if o.Near() {
		return o.AddName(o.freshName())
	}
	return inside
}

// addLetters adds a label in whose name the letters stand, perhaps behind some
// others, and returns the offset of these letters.
func (o *Object) addLetters(others, letters string) int {
	before := string(text(o.Choices, o.Below(4), 0x7F))
	if o.Chance(8) {
		before += others
	}
	name := o.AddName(before + letters + string(text(o.Choices, o.Below(4), 0x7F)))
	o.AddLabel(name)
	return int(name) + len(before)
}

// unmap gives an output a register that is not mapped and that no other has.
func (o *Object) unmap(i int) Part {
	var free []uint16
	for register := uint16(LastMapped + 1); register < pica.NumOutputs; register++ {
		if freeComponents(o.Outputs, register) == 15 {
			free = append(free, register)
		}
	}
	o.Outputs[i].Register = gen.Breach(o.Choices, gen.Pick(o.Choices, free), o.Outputs[i].Register)
	return entry("outputs", i, "register")
}

// widen gives an input several registers and returns its index. It removes other inputs of these registers and gives
// their names to labels.
func (o *Object) widen() int {
	wide := o.takeUniform(o.input())
	const last = pica.NumInputs - 1
	first := within(o.Choices, 0, min(wide.First, last-1))
	wide.Last = within(o.Choices, max(first+1, wide.Last), last)
	wide.First, wide.Last = first, gen.Breach(o.Choices, wide.Last, first)
	o.Uniforms = slices.DeleteFunc(o.Uniforms, func(u shbin.Uniform) bool {
		covered := wide.First <= u.First && u.First <= wide.Last
		if covered {
			o.AddLabel(u.Name)
		}
		return covered
	})
	return o.insertUniform(wide)
}
