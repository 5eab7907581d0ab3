package sharcfbgen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

var programFields = []wrongField{
	{"SHARC030", aProgram, "name_length", gen.Beyond(rest("size", 0x10)), nil, nil},
	{"SHARC031", aProgram, "kind", gen.Either(gen.OneOf(0, 1, 2, 4, 5, 6), gen.Above(7)), nil, nil},
	{"SHARC040", aMacro, "name_length", gen.Beyond(rest("size", 0x10, "id_length")), nil, (*kit).elementPlace},
	{"SHARC040", aMacro, "id_length", gen.Beyond(rest("size", 0x10, "name_length")), nil, (*kit).elementPlace},
	{"SHARC040", aMacro, "value_count", moreValues, nil, nil},
	{"SHARC040", aMacroOfMany, "value_count", fewerValues, nil, nil},
	{"SHARC041", aMacro, "value_count", gen.Either(gen.OneOf(0), gen.Above(math.MaxInt32)), nil, nil},
	{"SHARC050", aSymbol, "name_length", gen.Other, nil, (*kit).elementPlace},
	{"SHARC050", aSymbol, "id_length", gen.Other, nil, (*kit).elementPlace},
	{"SHARC050", aSymbol, "default_size", gen.Other, nil, (*kit).elementPlace},
	{"SHARC050", aSymbol, "variation_count", gen.Other, nil, (*kit).elementPlace},
}

// moreValues and fewerValues draw another number of values that a macro can have.
func moreValues(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return gen.Between(d.Number(r)+1, math.MaxInt32)(c, d, r)
}

func fewerValues(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return gen.Between(1, d.Number(r)-1)(c, d, r)
}

// aMacroOfMany draws a macro with several values.
func aMacroOfMany(k *kit) string {
	return fmt.Sprintf("programs[%d].macros[0]", k.addProgram(gen.Pick(k.C, kinds), 2+k.C.Below(3)))
}

var programBreaches = []breach{
	{"SHARC032", func(k *kit) gen.Place {
		i := k.program()
		p := &k.f.Programs[i]
		most := len(k.f.Binaries) - p.Variations()*p.Kind.Stages()
		k.Set(fmt.Sprintf("programs[%d].base_index", i),
			gen.Only(k.C, k.Above(uint64(most)), p.BaseIndex))
		return k.Place(fmt.Sprintf("programs[%d].base_index", i))
	}, nil},
	{"SHARC035", func(k *kit) gen.Place {
		i := k.ShaderOf()
		at := k.Place(fmt.Sprintf("binaries[%d].type", i))
		t := gen.Pick(k.C, slices.DeleteFunc(slices.Clone(stageTypes),
			func(t gx2.Type) bool { return t == k.f.Binaries[i].Type }))
		t = gen.Breach(k.C, t, k.f.Binaries[i].Type)
		k.f.Binaries[i].Shader = k.Shader(t, k.f.Binaries[i].Mode, k.f.Endian == sharcfb.Big)
		k.settle()
		k.variations(func(_ sharcfb.Kind, first int) {
			gx2gen.Agree(&k.f.Binaries[first].Shader, &k.f.Binaries[first+int(gx2.Pixel)].Shader)
		})
		k.rewrite()
		return at
	}, nil},
	// The values end inside the record, or only behind it.
	{"SHARC040", func(k *kit) gen.Place {
		macro := aMacro(k)
		more := append([]byte("more\x00"), k.Data(k.C.Below(9))...)
		k.splice(macro, k.Off(macro+".id"), 0, gen.Only(k.C, more, nil)...)
		return k.Place(macro + ".value_count")
	}, nil},
	{"SHARC040", func(k *kit) gen.Place {
		macro := aMacro(k)
		k.Bytes[k.Off(macro+".id")-1] = byte(gen.Only(k.C, 1+k.C.Below(0xFF), 0))
		return k.Place(macro + ".value_count")
	}, nil},
	// The first empty value of a macro is reported.
	{"SHARC042", func(k *kit) gen.Place {
		aMacro(k)
		k.lengthen()
		values := slices.DeleteFunc(k.strings(), func(s stringAt) bool { return s.counted })
		i := k.C.Below(len(values))
		at := k.Place(values[i].path)
		*values[i].text = gen.Breach[wire.Text](k.C, "", "^")
		for _, v := range values[i+1:] {
			if parent(v.path) == parent(values[i].path) && k.C.Chance(4) {
				*v.text = gen.Only(k.C, "", *v.text)
			}
		}
		k.rewrite()
		at.Len = 1 // its NUL
		return at
	}, nil},
	tooMany("macros.count", func(k *kit, p *sharcfb.Program) {
		for i := range int(k.C.Wrong(maxMacros+1, maxMacros+3, maxMacros)) - len(p.Macros) {
			name := wire.Text(fmt.Sprintf("macro %d", i))
			p.Macros = append(p.Macros, sharcfb.Macro{Name: name, Values: []wire.Text{"0"}})
		}
	}),
	tooMany("macros[0].value_count", func(k *kit, p *sharcfb.Program) {
		k.C.OnlyValid()
		p.Macros = p.Macros[:1]
		p.Macros[0].Values = manyValues(maxValues + 1 + k.C.Below(3))
	}),
	tooMany("macros", func(k *kit, p *sharcfb.Program) {
		k.C.OnlyValid()
		p.Macros = nil
		for _, n := range gen.Pick(k.C, tooManyVariations) {
			p.Macros = append(p.Macros, sharcfb.Macro{Name: k.Text(), Values: manyValues(n)})
		}
	}),
	// Two lengths that are wrong by the same amount, modulo 2^32.
	{"SHARC050", func(k *kit) gen.Place {
		symbol := aSymbol(k)
		fields := gen.Shuffled(k.C, []string{".name_length", ".id_length", ".default_size", ".variation_count"})
		for _, field := range fields[:2] {
			k.add(symbol+field, gen.Only[uint32](k.C, 1<<31, 0))
		}
		return k.elementPlace(symbol)
	}, nil},
	brokenSymbol("SHARC051", "variation_count", anySymbols, nil, func(k *kit, s *sharcfb.Symbol) {
		n := gen.Pick(k.C, []int{0, len(s.Enable) - 1, len(s.Enable) + 1, len(s.Enable) + 1 + k.C.Below(300)})
		s.Enable = append(s.Enable, make(wire.Hex, 301)...)[:gen.Only(k.C, n, len(s.Enable))]
	}),
	{"SHARC052", func(k *kit) gen.Place {
		symbol := aSymbol(k)
		path := symbol + ".enable"
		off := k.Off(path) + k.C.Below(int(k.Get(symbol+".variation_count")))
		k.Bytes[off] = byte(k.C.Wrong(2, 0xFF, 1))
		return gen.Place{Off: off, Len: 1, Path: path}
	}, nil},
	{"SHARC054", func(k *kit) gen.Place {
		i, j := k.symbol(uniforms)
		k.f.Programs[i].Blocks = nil // they may not have room for the value
		at := k.Place(fmt.Sprintf("programs[%d].uniforms[%d].default_size", i, j))
		k.f.Programs[i].Uniforms[j].Default = k.oddData()
		k.rewrite()
		return at
	}, nil},
	// A sampler or attribute has no default value at all.
	brokenSymbol("SHARC054", "default_size", []symbolKind{samplers, attributes}, []string{"SHARC053"},
		func(k *kit, s *sharcfb.Symbol) {
			s.Default = k.oddData()
		}),
}

// oddData draws a value whose size is no multiple of 4.
func (k *kit) oddData() wire.Hex { return k.Data(4*k.C.Below(4) + gen.Breach(k.C, 1+k.C.Below(3), 4)) }

// Limits of SHARC044.
const (
	maxMacros = 1024
	maxValues = 1024
)

// tooManyVariations are numbers of values whose product exceeds 65535. Some products are small modulo 2^16, 2^32 or
// 2^64.
var tooManyVariations = [][]int{
	{256, 256}, {64, 1024}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {65, 1009}, {3, 5, 17, 2, 129},
	{257, 511}, {1024, 1024, 1024, 4}, {1024, 1024, 1024, 1024, 1024, 1024, 16},
}

// manyValues returns n values.
func manyValues(n int) []wire.Text {
	values := make([]wire.Text, n)
	for i := range values {
		values[i] = wire.Text(rune(0x100 + i))
	}
	return values
}

// tooMany breaks SHARC044 in a program. The finding is about a field of the program.
func tooMany(field string, change func(k *kit, p *sharcfb.Program)) breach {
	return breach{"SHARC044", func(k *kit) gen.Place {
		i := k.withMacros(1)
		p := &k.f.Programs[i]
		p.Defaults = nil
		path := fmt.Sprintf("programs[%d].%s", i, field)
		k.Write()
		change(k, p)
		k.rewrite()
		if strings.HasSuffix(field, "count") {
			return k.Place(path)
		}
		return k.elementPlace(path)
	}, nil}
}

// brokenSymbol changes a symbol of one of some lists. The finding is about a field of the symbol.
func brokenSymbol(rule, field string, kinds []symbolKind, also []string,
	change func(k *kit, s *sharcfb.Symbol)) breach {
	return breach{rule, func(k *kit) gen.Place {
		kind := gen.Pick(k.C, kinds)
		i, j := k.symbol(kind)
		at := k.Place(fmt.Sprintf("programs[%d].%s[%d].%s", i, symbolLists[kind], j, field))
		change(k, &(*symbols(&k.f.Programs[i], kind))[j])
		k.rewrite()
		return at
	}, also}
}
