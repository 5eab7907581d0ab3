package sharcfbgen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// notCanonical is the rule about the canonical layout. It breaks too when the canonical writer omits the part that a
// rule warns about.
var notCanonical = []string{"SHARC061"}

var archiveOddities = []oddity{
	{"SHARC009", func(d *drawing) where {
		s := gen.Pick(d.C, slices.DeleteFunc(d.strings(), func(s stringAt) bool { return s.tied }))
		*s.text = gen.Breach(d.C, d.Odd(*s.text), *s.text+"~")
		return at("%s", s.path)
	}, nil},
	{"SHARC022", func(d *drawing) where {
		i := d.ShaderOf()
		d.f.Binaries[i].Slack = &sharcfb.Slack{Gap: d.Data(gen.Only(d.C, 1+d.C.Below(300), 0))}
		return at("binaries[%d].data_offset", i)
	}, notCanonical},
	{"SHARC023", func(d *drawing) where {
		i := d.ShaderOf()
		d.f.Binaries[i].Slack = &sharcfb.Slack{Tail: d.Data(gen.Only(d.C, 1+d.C.Below(300), 0))}
		return at("binaries[%d].size", i)
	}, notCanonical},
	{"SHARC033", func(d *drawing) where {
		i := d.program()
		kind := d.f.Programs[i].Kind
		twin := d.addProgram(kind, 1)
		base := uint32(d.f.Programs[i].Binary(d.C.Below(d.f.Programs[i].Variations()), 0))
		d.f.Programs[twin].BaseIndex = gen.Only(d.C, base, d.f.Programs[twin].BaseIndex)
		return at("programs[%d].base_index", twin)
	}, nil},
	{"SHARC034", func(d *drawing) where {
		for range gen.Only(d.C, 1+d.C.Below(3), 0) {
			d.f.Binaries = append(d.f.Binaries,
				sharcfb.Binary{Shader: d.Shader(gen.Pick(d.C, stageTypes), 3, d.f.Endian == sharcfb.Big)})
		}
		return at("binaries.count")
	}, nil},
	{"SHARC036", func(d *drawing) where {
		for len(d.f.Programs) < 2 {
			d.addProgram(gen.Pick(d.C, kinds))
		}
		i, j := d.Pair(len(d.f.Programs))
		d.f.Programs[j].Name = d.f.Programs[i].Name + gen.Breach[wire.Text](d.C, "", "~")
		return elementAt("programs[%d]", j)
	}, nil},
	{"SHARC043", func(d *drawing) where {
		p := d.withMacros(2)
		list := &d.f.Programs[p]
		i, j := d.Pair(len(list.Macros))
		list.Macros[j].Name = list.Macros[i].Name + gen.Breach[wire.Text](d.C, "", "~")
		if list.Defaults != nil {
			d.setDefaults(list)
		}
		return elementAt("programs[%d].macros[%d]", p, j)
	}, nil},
	{"SHARC043", func(d *drawing) where {
		p := d.addProgram(gen.Pick(d.C, kinds), gen.Pick(d.C, [][]int{{2}, {3}, {1, 2}, {2, 2}, {4, 1}})...)
		list := &d.f.Programs[p]
		m := slices.IndexFunc(list.Macros, func(m sharcfb.Macro) bool { return len(m.Values) > 1 })
		values := list.Macros[m].Values
		i, j := d.Pair(len(values))
		values[j] = values[i] + gen.Breach[wire.Text](d.C, "", "~")
		if list.Defaults != nil {
			d.setDefaults(list)
		}
		return at("programs[%d].macros[%d].values[%d]", p, m, j)
	}, nil},
	oddDefaults(2, func(d *drawing, p *sharcfb.Program, _ int) string {
		p.Defaults = p.Defaults[:gen.Only(d.C, 1+d.C.Below(len(p.Defaults)-1), len(p.Defaults))]
		return ".count"
	}),
	oddDefaults(1, func(d *drawing, p *sharcfb.Program, i int) string {
		p.Defaults = append(p.Defaults, slices.Repeat(p.Defaults[i:i+1], gen.Only(d.C, 1+d.C.Below(3), 0))...)
		return ".count"
	}),
	oddDefaults(1, func(d *drawing, p *sharcfb.Program, i int) string {
		p.Defaults[i].Name += gen.Only(d.C, d.Word(), "")
		return fmt.Sprintf("[%d]", i)
	}),
	oddDefaults(1, func(d *drawing, p *sharcfb.Program, i int) string {
		p.Defaults[i].Values = slices.Repeat(p.Defaults[i].Values, gen.Only(d.C, 2, 1))
		return fmt.Sprintf("[%d]", i)
	}),
	oddDefaults(1, func(d *drawing, p *sharcfb.Program, i int) string {
		value := &p.Defaults[i].Values[0]
		*value = gen.Only(d.C, gx2gen.Fresh(*value+d.Word(), p.Macros[i].Values, itself), *value)
		return fmt.Sprintf("[%d]", i)
	}),
}

// oddDefaults changes the default value of macro i, or the list of default values, of a program with at least least
// macros. change returns the path of the finding below the list.
func oddDefaults(least int, change func(d *drawing, p *sharcfb.Program, i int) string) oddity {
	return oddity{"SHARC046", func(d *drawing) where {
		i := d.withMacros(least)
		p := &d.f.Programs[i]
		d.setDefaults(p)
		changed := fmt.Sprintf("programs[%d].defaults%s", i, change(d, p, d.C.Below(len(p.Defaults))))
		if strings.HasSuffix(changed, "]") {
			return elementAt("%s", changed)
		}
		return at("%s", changed)
	}, nil}
}

// oddSymbol changes a symbol of one of the given lists, of which a field is
// reported.
func oddSymbol(rule, field string, kinds []symbolKind,
	change func(d *drawing, p *sharcfb.Program, s *sharcfb.Symbol)) oddity {
	return oddity{rule, func(d *drawing) where {
		k := gen.Pick(d.C, kinds)
		i, j := d.symbol(k)
		p := &d.f.Programs[i]
		change(d, p, &(*symbols(p, k))[j])
		return at("programs[%d].%s[%d].%s", i, symbolLists[k], j, field)
	}, nil}
}

var symbolOddities = []oddity{
	oddSymbol("SHARC053", "offset", []symbolKind{samplers, attributes},
		func(d *drawing, _ *sharcfb.Program, s *sharcfb.Symbol) {
			s.Offset = gen.Only(d.C, int32(d.Number())&^(1<<d.C.Below(31)), -1)
		}),
	oddSymbol("SHARC053", "default_size", []symbolKind{samplers, attributes},
		func(d *drawing, _ *sharcfb.Program, s *sharcfb.Symbol) {
			s.Default = d.Data(4 * gen.Only(d.C, 1+d.C.Below(4), 0))
		}),
	oddSymbol("SHARC053", "offset", []symbolKind{blocks}, func(d *drawing, _ *sharcfb.Program, s *sharcfb.Symbol) {
		s.Offset += gen.Only(d.C, gen.Pick(d.C, []int32{1, 4, 1 + int32(d.C.Bits(30)), math.MaxInt32 - s.Offset}), 0)
	}),
	oddSymbol("SHARC053", "offset", []symbolKind{blocks}, func(d *drawing, p *sharcfb.Program, s *sharcfb.Symbol) {
		p.Uniforms = nil
		s.Offset -= gen.Only(d.C, gen.Pick(d.C, []int32{1, s.Offset + 1, 1 + int32(d.C.Bits(30)), math.MaxInt32}), 0)
	}),
	oddSymbol("SHARC053", "offset", []symbolKind{uniforms}, func(d *drawing, _ *sharcfb.Program, s *sharcfb.Symbol) {
		s.Offset = gen.Breach(d.C, gen.Pick(d.C, []int32{-1, -4, math.MinInt32, -1 - int32(d.C.Bits(31))}), 0)
	}),
	oddSymbol("SHARC053", "offset", []symbolKind{uniforms}, func(d *drawing, p *sharcfb.Program, s *sharcfb.Symbol) {
		if len(p.Blocks) == 0 {
			d.addSymbol(p, blocks)
		}
		room, _ := largest(p)
		s.Offset = room - int32(len(s.Default)) +
			gen.Breach(d.C, gen.Pick(d.C, []int32{1, 1 + int32(d.C.Bits(8)), math.MaxInt32 - room}), 0)
	}),
	oddSymbol("SHARC055", "id", anySymbols, func(d *drawing, _ *sharcfb.Program, s *sharcfb.Symbol) {
		s.ID = gen.Breach[wire.Text](d.C, "", "^")
	}),
	{"SHARC056", func(d *drawing) where {
		k := gen.Pick(d.C, anySymbols)
		p, _ := d.symbol(k)
		list := symbols(&d.f.Programs[p], k)
		if len(*list) < 2 {
			d.addSymbol(&d.f.Programs[p], k)
		}
		i, j := d.Pair(len(*list))
		(*list)[j].Name = (*list)[i].Name + gen.Breach[wire.Text](d.C, "", "~")
		return at("programs[%d].%s[%d].name", p, symbolLists[k], j)
	}, nil},
}

var anySymbols = []symbolKind{uniforms, blocks, samplers, attributes}
