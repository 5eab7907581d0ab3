package dvojgen

import (
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/pica"
)

// outputFaults break DVOJ150 to DVOJ157.
var outputFaults = append(recordFaults(outputs, shbingen.OutputFaults,
	func(k kit, _ shbingen.RecordFault[shbin.Output]) (int, *shbin.Output) { return k.anOutput() }),
	model("DVOJ151", func(k kit) string {
		i, o := k.anOutput()
		o.Register = uint16(k.Wrong(pica.NumOutputs, math.MaxUint16, pica.NumOutputs-1))
		if k.Near() { // only a dummy of a vertex shader can have it
			k.retype(shbin.VertexShader)
			o.Semantic = shbin.Dummy
			k.Outputs = []shbin.Output{*o}
		}
		setMasks(k.File)
		return in(outputs, i, "register")
	}),
	unmapped(func(kit, *shbin.Output) {}),
	unmapped(func(k kit, o *shbin.Output) { // a geometry shader cannot have dummies there
		k.Type, o.Semantic = shbin.GeometryShader, shbin.Dummy
	}),
	gen.OrElse(model("DVOJ156", func(k kit) string {
		i, o := k.anOutput()
		again := shbingen.Dummy(k.Choices, o.Register)
		again.Mask = o.Mask
		if rest := o.Mask & (o.Mask - 1); rest != 0 && k.Bits(1) == 1 {
			again.Mask = rest
		}
		again.Mask = gen.Breach(k.Choices, again.Mask, 0xF&^o.Mask)
		return k.again(i, again, "")
	}), "DVOJ153"), // no component is left
	model("DVOJ157", func(k kit) string {
		i, o := k.anOutput()
		again := *o
		o.Mask = uint16(k.Within(1, 0xE))
		again.Mask = 0xF &^ o.Mask
		again.Semantic = gen.Breach(k.Choices, again.Semantic, shbin.Dummy)
		return k.again(i, again, "semantic")
	}))

// unmapped is the fault of an output to a register without a map.
func unmapped(dress func(k kit, o *shbin.Output)) gen.Fault {
	return model("DVOJ152", func(k kit) string {
		k.Outputs = slices.DeleteFunc(k.Outputs, func(o shbin.Output) bool { return o.Register > shbingen.LastMapped })
		i, o := k.anOutput()
		dress(k, o)
		o.Register = uint16(k.Wrong(shbingen.LastMapped+1, pica.NumOutputs-1, uint64(o.Register)))
		setMasks(k.File)
		return in(outputs, i, "register")
	})
}

// again puts an output somewhere behind output i, and returns the path of a field
// of it.
func (k kit) again(i int, o shbin.Output, field string) string {
	j := i + 1 + k.below(len(k.Outputs)-i)
	k.Outputs = slices.Insert(k.Outputs, j, o)
	setMasks(k.File)
	return in(outputs, j, field)
}

// uniformFaults break DVOJ160 to DVOJ167.
var uniformFaults = slices.Concat([]gen.Fault{
	uniformRange("DVOJ160", "first", func(k kit) (first, last shbin.Register) {
		of := gen.Pick(k.Choices, shbingen.RegisterClasses)
		return k.noRegister(), k.register(of.First, of.Last)
	}),
	uniformRange("DVOJ160", "last", func(k kit) (first, last shbin.Register) {
		of := gen.Pick(k.Choices, shbingen.RegisterClasses)
		return k.register(of.First, of.Last), k.noRegister()
	}),
	uniformRange("DVOJ161", "", func(k kit) (first, last shbin.Register) { // the wrong way round
		of := gen.Pick(k.Choices, shbingen.RegisterClasses)
		last = k.register(of.First, of.Last-1)
		return k.register(last+1, of.Last), last
	}),
	uniformRange("DVOJ161", "", func(k kit) (first, last shbin.Register) { // of two classes
		classes := shbingen.RegisterClasses
		i := k.below(len(classes))
		a, b := classes[i], classes[(i+1+k.below(len(classes)-1))%len(classes)]
		return k.register(a.First, a.Last), k.register(b.First, b.Last)
	}),
	model("DVOJ163", func(k kit) string {
		i, u := k.aUniform(1)
		k.rename(&u.Name, gen.Breach(k.Choices, "", "~"))
		return in(uniforms, i, "")
	}),
	model("DVOJ164", func(k kit) string {
		k.aUniform(2)
		j := 1 + k.below(len(k.Uniforms)-1)
		name := nameAt(k.File, k.Uniforms[k.below(j)].Name)
		k.rename(&k.Uniforms[j].Name, name+gen.Breach(k.Choices, "", "~"))
		return in(uniforms, j, "")
	}),
	model("DVOJ165", func(k kit) string {
		k.aUniform(2)
		j := 1 + k.below(len(k.Uniforms)-1)
		i := k.below(j)
		u := k.Uniforms[i]
		k.Uniforms = slices.Insert(slices.Delete(k.Uniforms, i, i+1), gen.Only(k.Choices, j, i), u)
		return in(uniforms, j, "first")
	}),
	model("DVOJ166", func(k kit) string {
		_, u := k.aUniform(1)
		first := k.register(u.First, u.Last)
		if gen.Only(k.Choices, false, true) {
			return in(uniforms, 0, "")
		}
		i := k.addUniform(k.File, first, k.register(first, u.Last))
		return in(uniforms, i, "")
	}),
	model("DVOJ167", func(k kit) string {
		last := k.register(1, shbingen.RegisterClasses[0].Last)
		i, _ := k.newUniform(gen.Breach(k.Choices, k.register(0, last-1), last), last)
		return in(uniforms, i, "")
	}),
}, nameless("DVOJ162", uniforms, func(k kit) (int, *uint32) {
	i, u := k.aUniform(1)
	return i, &u.Name
}))

// uniformRange is the fault of the range of a uniform, which no other rule then
// looks at.
func uniformRange(rule, field string, wrong func(k kit) (first, last shbin.Register)) gen.Fault {
	return gen.OrElse(model(rule, func(k kit) string {
		first, last := wrong(k)
		const bools = 3
		right := shbingen.RegisterClasses[bools].Last
		first, last = gen.Breach(k.Choices, first, right), gen.Breach(k.Choices, last, right)
		return in(uniforms, k.addUniform(k.File, first, last), field)
	}), "DVOJ166") // another uniform may have the last register
}

// noRegister draws a number that no class has.
func (k kit) noRegister() shbin.Register {
	ints, bools := shbingen.RegisterClasses[2], shbingen.RegisterClasses[3]
	if k.Bits(1) == 1 {
		return k.register(bools.Last+1, math.MaxUint16)
	}
	return k.register(ints.Last+1, bools.First-1)
}
