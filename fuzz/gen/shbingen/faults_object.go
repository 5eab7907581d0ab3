package shbingen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// ObjectFault spoils the tables of an object: rule DVLE0nn of a DVLE is rule DVOJ1nn of a DVOJ object. The fault leaves
// the masks of the object to its caller.
type ObjectFault struct {
	rule       string     // nn
	also       []string   // nn of the rules that break together with it
	missBreaks []string   // nn of the rules that near misses break
	Type       shbin.Type // of the object, if OneType is set
	OneType    bool
	Spoil      func(o *Object) Part // returns the place of the finding
}

// Rules returns the ids of the rule, of the rules that break together with it, and of the rules that a near miss may
// break. All ids begin with a prefix.
func (f ObjectFault) Rules(prefix string) (rule string, also, missBreaks []string) {
	ids := func(list []string) (ids []string) {
		for _, nn := range list {
			ids = append(ids, prefix+nn)
		}
		return ids
	}
	return prefix + f.rule, ids(f.also), ids(f.missBreaks)
}

// Part is an entry or a field of an object; if Len is not 0, some bytes of a table.
type Part struct {
	Path     string
	Off, Len int
}

// In returns the place of the part in a file.
func (p Part) In(d *gen.Draft) gen.Place {
	at := d.Place(p.Path)
	if p.Len > 0 {
		at.Off, at.Len = at.Off+p.Off, p.Len
	}
	return at
}

// entry is a field of an entry of a table, or all of the entry.
func entry(table string, i int, field string) Part {
	path := fmt.Sprintf("%s[%d]", table, i)
	if field != "" {
		path += "." + field
	}
	return Part{Path: path}
}

// inSymbols is n bytes of the symbols.
func inSymbols(off, n int) Part { return Part{"symbols", off, n} }

// ObjectFaults break the rules about the tables of an object.
var ObjectFaults = slices.Concat(constantFaults, labelFaults, outputFaults, uniformFaults, symbolFaults)

var allTypes = []shbin.ConstantType{shbin.Bool, shbin.Int, shbin.Float}

// ofConstant is the fault of a field of a constant of one of some types.
func ofConstant(rule, field string, types []shbin.ConstantType, spoil func(o *Object, k *shbin.Constant)) ObjectFault {
	return ObjectFault{rule: rule, Spoil: func(o *Object) Part {
		i := o.constant(gen.Pick(o.Choices, types))
		spoil(o, &o.Constants[i])
		return entry("constants", i, field)
	}}
}

// missBreaking is a fault whose near misses break other rules now and then.
func missBreaking(f ObjectFault, rules ...string) ObjectFault {
	f.missBreaks = rules
	return f
}

var constantFaults = slices.Concat([]ObjectFault{
	missBreaking(ofConstant("30", "type", allTypes, func(o *Object, k *shbin.Constant) {
		k.Type = above(o.Choices, shbin.Float)
	}), "35", "36"), // the constant was another type's
	ofConstant("31", "reserved1", allTypes, func(o *Object, k *shbin.Constant) {
		gen.Change(o.Choices, &k.Reserved1)
		k.Reserved3 = gen.Only(o.Choices, uint8(o.Bits(8)), 0)
	}),
	ofConstant("31", "reserved3", allTypes, func(o *Object, k *shbin.Constant) { gen.Change(o.Choices, &k.Reserved3) }),
	missBreaking(ofConstant("32", "register", allTypes, func(o *Object, k *shbin.Constant) {
		k.Register = above(o.Choices, Registers[k.Type]-1)
	}), "36"), // another constant may have the last register
	ofConstant("33", "payload.value", allTypes[:1], func(o *Object, k *shbin.Constant) {
		setWord(k, 0, above[uint32](o.Choices, 1))
	}),
	ofConstant("34", "payload.rest", allTypes[:1], setRest),
	ofConstant("34", "payload.rest", allTypes[1:2], setRest),
	{rule: "36", Spoil: func(o *Object) Part {
		k := o.Constants[o.constant(gen.Pick(o.Choices, allTypes))]
		again := Constant(o.Choices, k.Type)
		again.Register = k.Register
		o.Constants = append(o.Constants, gen.Only(o.Choices, []shbin.Constant{again}, nil)...)
		return entry("constants", len(o.Constants)-1, "")
	}},
}, floatFaults())

// setRest changes a byte behind the value of a bool or an int.
func setRest(o *Object, k *shbin.Constant) { gen.Change(o.Choices, &k.Payload[4+o.Below(12)]) }

// floatFaults give each component of a float more than 24 bits, and now and then the next ones.
func floatFaults() (list []ObjectFault) {
	for i, field := range []string{"payload.x", "payload.y", "payload.z", "payload.w"} {
		list = append(list, ofConstant("35", field, allTypes[2:], func(o *Object, k *shbin.Constant) {
			for j := i; j == i || j < 4 && o.Chance(8); j++ {
				setWord(k, j, gen.Breach(o.Choices, k.Payload.Words()[j]|uint32(o.Some(0xFF000000)), 1<<24-1))
			}
		}))
	}
	return list
}

// setWord sets a word of a constant's value.
func setWord(k *shbin.Constant, i int, v uint32) {
	for j := range 4 {
		k.Payload[4*i+j] = uint8(v >> (8 * j))
	}
}

// ofLabel is the fault of a field of a label.
func ofLabel(rule, field string, spoil func(o *Object, l *shbin.Label)) ObjectFault {
	return ObjectFault{rule: rule, Spoil: func(o *Object) Part {
		i := o.Label()
		spoil(o, &o.Labels[i])
		return entry("labels", i, field)
	}}
}

var labelFaults = []ObjectFault{
	ofLabel("40", "word", func(o *Object, l *shbin.Label) {
		l.Word, l.Length = above(o.Choices, o.Words), shbin.NoLength
	}),
	ofLabel("41", "length", func(o *Object, l *shbin.Label) {
		l.Length = wrong(o.Choices, o.Words-l.Word+1, shbin.NoLength-1, o.Words-l.Word)
	}),
	{rule: "42", Spoil: func(o *Object) Part {
		last := o.AddLabel(o.NoName())
		i := o.Below(len(o.Labels))
		o.Labels[i].Name, o.Labels[last].Name = o.Labels[last].Name, o.Labels[i].Name
		return entry("labels", i, "")
	}},
	// The bytes behind the last NUL of the symbols belong to no name.
	{rule: "42", also: []string{"70", "73"}, Spoil: func(o *Object) Part {
		return entry("labels", o.AddLabel(o.UnendedName()), "")
	}},
	ofLabel("43", "id", func(o *Object, l *shbin.Label) { gen.Change(o.Choices, &l.ID) }),
	ofLabel("44", "flags", func(o *Object, l *shbin.Label) { gen.Change(o.Choices, &l.Flags) }),
}

// ofOutput is the fault of a field of an output of a mapped register.
func ofOutput(rule, field string, spoil func(c *gen.Choices, out *shbin.Output)) ObjectFault {
	return ObjectFault{rule: rule, Spoil: func(o *Object) Part {
		i := o.output()
		spoil(o.Choices, &o.Outputs[i])
		return entry("outputs", i, field)
	}}
}

var outputFaults = []ObjectFault{
	ofOutput("50", "semantic", func(c *gen.Choices, out *shbin.Output) {
		if out.Semantic = 7; c.Chance(8) {
			out.Semantic = above(c, shbin.Dummy)
		}
		out.Semantic = gen.Breach(c, out.Semantic, shbin.Dummy)
	}),
	// Loaders look at an output with a semantic, and pass over a dummy.
	{rule: "51", Spoil: func(o *Object) Part {
		i := o.semantic()
		out := &o.Outputs[i]
		last, others := uint16(LastMapped), slices.Delete(slices.Clone(o.Outputs), i, i+1)
		for last != out.Register && freeComponents(others, last)&out.Mask != out.Mask {
			last--
		}
		if beyond := within[uint16](o.Choices, pica.NumOutputs, 0xFFFF); last == out.Register {
			out.Register = gen.Only(o.Choices, beyond, last)
		} else {
			out.Register = gen.Breach(o.Choices, beyond, last)
		}
		return entry("outputs", i, "register")
	}},
	{rule: "51", Spoil: func(o *Object) Part {
		i := o.output()
		out := &o.Outputs[i]
		out.Register = above[uint16](o.Choices, pica.NumOutputs-1)
		if o.Near() { // only a dummy of a vertex shader can have it
			o.Retype(shbin.VertexShader)
			out.Semantic = shbin.Dummy
			o.Outputs = []shbin.Output{*out}
		}
		return entry("outputs", i, "register")
	}},
	{rule: "52", OneType: true, Type: shbin.VertexShader, Spoil: func(o *Object) Part { return o.unmap(o.semantic()) }},
	{rule: "52", OneType: true, Type: shbin.GeometryShader, Spoil: func(o *Object) Part { return o.unmap(o.output()) }},
	ofOutput("53", "mask", func(c *gen.Choices, out *shbin.Output) {
		out.Mask = gen.Breach(c, 0, out.Mask&-out.Mask)
	}),
	ofOutput("54", "mask", func(c *gen.Choices, out *shbin.Output) { out.Mask |= uint16(c.Flip(0xFFF0)) }),
	ofOutput("55", "unknown", func(c *gen.Choices, out *shbin.Output) { gen.Change(c, &out.Unknown) }),
	// No component may be left.
	{rule: "56", missBreaks: []string{"53"}, Spoil: func(o *Object) Part {
		again := o.Outputs[o.output()]
		again.Semantic = shbin.Dummy
		again.Mask |= uint16(o.Bits(4))
		again.Mask = gen.Breach(o.Choices, again.Mask, freeComponents(o.Outputs, again.Register))
		o.Outputs = append(o.Outputs, again)
		return entry("outputs", len(o.Outputs)-1, "")
	}},
	{rule: "57", Spoil: func(o *Object) Part {
		i := o.semantic()
		j := o.mappedBut(i)
		o.Outputs[j].Semantic = gen.Breach(o.Choices, o.Outputs[i].Semantic, shbin.Dummy)
		return entry("outputs", max(i, j), "semantic")
	}},
}

// ofUniform is the fault of a field of a uniform, or of all of it.
func ofUniform(rule, field string, spoil func(c *gen.Choices, u *shbin.Uniform)) ObjectFault {
	return ObjectFault{rule: rule, Spoil: func(o *Object) Part {
		i := o.uniform()
		spoil(o.Choices, &o.Uniforms[i])
		return entry("uniforms", i, field)
	}}
}

var uniformFaults = []ObjectFault{
	// Another uniform may have the last register.
	{rule: "60", missBreaks: []string{"66"}, Spoil: func(o *Object) Part {
		u := o.takeUniform(o.uniform())
		u.First, u.Last = unknownRegister(o.Choices), within[shbin.Register](o.Choices, 0, 0xFFFF)
		u.Last = gen.Breach(o.Choices, u.Last, u.First)
		return entry("uniforms", o.insertUniform(u), "first")
	}},
	// A range of one register has no other fault.
	{rule: "60", missBreaks: []string{"66"}, Spoil: func(o *Object) Part {
		u := o.takeUniform(o.uniform())
		u.First = unknownRegister(o.Choices)
		u.Last = u.First
		return entry("uniforms", o.insertUniform(u), "first")
	}},
	missBreaking(ofUniform("60", "last", func(c *gen.Choices, u *shbin.Uniform) {
		u.Last = unknownRegister(c)
		u.First = gen.Breach(c, u.First, u.Last)
	}), "65", "66"),
	// A range that ends before it begins, or in another class.
	ofUniform("61", "", func(c *gen.Choices, u *shbin.Uniform) {
		class, _, _ := u.First.Class()
		u.Last = gen.Pick(c, slices.DeleteFunc(slices.Clone(knownRegisters), func(r shbin.Register) bool {
			other, _, _ := r.Class()
			return r >= u.First && other == class
		}))
		u.Last = gen.Breach(c, u.Last, u.First)
	}),
	{rule: "62", Spoil: func(o *Object) Part {
		i := o.uniform()
		o.rename(i, o.NoName())
		return entry("uniforms", i, "")
	}},
	{rule: "62", also: []string{"70", "73"}, Spoil: func(o *Object) Part {
		i := o.uniform()
		o.rename(i, o.UnendedName())
		return entry("uniforms", i, "")
	}},
	{rule: "63", Spoil: func(o *Object) Part {
		i := o.uniform()
		o.rename(i, o.AddName(gen.Breach(o.Choices, "", o.freshName())))
		return entry("uniforms", i, "")
	}},
	{rule: "64", Spoil: func(o *Object) Part {
		i, j := o.twoUniforms()
		o.rename(j, o.AddName(o.nameAt(o.Uniforms[i].Name)+gen.Breach(o.Choices, "", "\x7F")))
		return entry("uniforms", j, "")
	}},
	{rule: "65", Spoil: func(o *Object) Part {
		i, j := o.twoUniforms()
		u := o.takeUniform(j)
		o.Uniforms = slices.Insert(o.Uniforms, gen.Only(o.Choices, i, j), u)
		return entry("uniforms", i+1, "first")
	}},
	{rule: "66", Spoil: func(o *Object) Part {
		u := o.Uniforms[o.uniform()]
		if gen.Only(o.Choices, false, true) {
			return entry("uniforms", 0, "")
		}
		u.First = within(o.Choices, u.First, u.Last)
		u.Last = within(o.Choices, u.First, u.Last)
		return entry("uniforms", o.addUniform(u), "")
	}},
	{rule: "67", Spoil: func(o *Object) Part { return entry("uniforms", o.widen(), "") }},
}

// unknownRegister draws a register number that no class has. In a near miss it is the
// last bool.
func unknownRegister(c *gen.Choices) shbin.Register {
	if c.Chance(8) {
		return wrong[shbin.Register](c, 0x74, 0x77, 0x87)
	}
	return wrong[shbin.Register](c, 0x88, 0xFFFF, 0x87)
}

// Characters of UTF-8, and bytes that are none.
var (
	letters   = []string{"é", "\u0080", "\u07FF", "ࠀ", "漢", "\uFFFD", "\U00010000", "\U0010FFFF"}
	noLetters = []string{"\x80", "\xBF", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE2\x82", "\xE0\x9F\xBF", "\xED\xA0\x80",
		"\xF0\x9F\x92", "\xF4\x90\x80\x80", "\xF8", "\xFF"}
)

var symbolFaults = []ObjectFault{
	// The bytes behind the last NUL of the symbols belong to no name.
	{rule: "70", also: []string{"73"}, Spoil: func(o *Object) Part {
		nul := gen.Breach(o.Choices, "", "\x00")
		o.Symbols = slices.Concat(o.Symbols, text(o.Choices, 1+o.Below(4), 0x7F), []byte(nul))
		return inSymbols(len(o.Symbols)-1, 1)
	}},
	{rule: "71", Spoil: func(o *Object) Part {
		return inSymbols(o.addLetters("", gen.Breach(o.Choices, gen.Pick(o.Choices, letters), "\x7F")), 1)
	}},
	// A character is not ASCII.
	{rule: "72", missBreaks: []string{"71"}, Spoil: func(o *Object) Part {
		wrong := gen.Breach(o.Choices, gen.Pick(o.Choices, noLetters), "\U0010FFFF")
		return inSymbols(o.addLetters(gen.Pick(o.Choices, letters), wrong), 1)
	}},
	{rule: "73", Spoil: func(o *Object) Part { // a string that is no name
		name := labelName(o.Choices)
		at := o.AddName(name)
		if o.Near() {
			o.AddLabel(at)
		}
		return inSymbols(int(at), len(name)+1)
	}},
	{rule: "73", Spoil: func(o *Object) Part { // a string of which the end is a name
		name := "unused" + labelName(o.Choices)
		start, unused := o.AddName(name), gen.Breach(o.Choices, 1+o.Below(len(name)), 0)
		o.AddLabel(start + uint32(unused))
		return inSymbols(int(start), unused)
	}},
	{rule: "74", Spoil: func(o *Object) Part {
		i := o.Label()
		return entry("labels", o.AddLabel(o.InsideOf(o.Labels[i].Name)), "")
	}},
	{rule: "74", Spoil: func(o *Object) Part {
		i := o.uniform()
		o.AddLabel(o.InsideOf(o.Uniforms[i].Name))
		return entry("uniforms", i, "") // labels come first
	}},
	{rule: "74", Spoil: func(o *Object) Part { // a label whose name ends with a uniform's
		i := o.uniform()
		start := o.Uniforms[i].Name
		o.InsertText(start, start, "longer"+gen.Breach(o.Choices, "", "\x00"))
		o.AddLabel(start)
		return entry("uniforms", i, "")
	}},
}
