package files_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/pica"
)

// valid and odd name the generators of a format besides its rules.
const valid, odd = "valid", "odd"

// shape is something that few files of a generator have.
type shape struct {
	name, format string
	mode         string // valid, odd, or the rule that is broken
	has          func(model any) bool
}

var shapes = []shape{
	{"as much code as there can be", "zpsh", valid,
		func(m any) bool { return len(m.(*zpsh.File).Code) == pica.MaxCode }},
	{"far more code than a vertex unit has", "zpsh", "ZPSH030",
		func(m any) bool { return len(m.(*zpsh.File).Code) > 600 }},
	{"forty entries", "zpsh", valid, func(m any) bool { return len(m.(*zpsh.File).Entries) == 40 }},
	{"as much code as there can be", "dvoj", valid,
		func(m any) bool { return len(m.(*dvoj.File).Code) == pica.MaxCode }},
	{"twenty labels", "dvoj", valid, func(m any) bool { return len(m.(*dvoj.File).Labels) == 20 }},
	{"as much code as there can be", "shbin", valid,
		func(m any) bool { return len(m.(*shbin.File).DVLP.Code) == pica.MaxCode }},
	{"six entry points", "shbin", valid, func(m any) bool { return len(m.(*shbin.File).DVLEs) == 6 }},
	{"a copy program in front of the code", "sharcfb", odd, ofShader(func(s *gx2.Shader) bool {
		l := s.Layout
		return s.Type == gx2.Geometry && l != nil && l.CopyProgram.Offset < l.Program.Offset
	})},
	{"a copy program behind the code, in a layout of its own", "sharcfb", odd, ofShader(func(s *gx2.Shader) bool {
		l := s.Layout
		return s.Type == gx2.Geometry && l != nil && l.CopyProgram.Offset > l.Program.Offset
	})},
	{"no programs", "sharcfb", valid, func(m any) bool { return len(m.(*sharcfb.File).Programs) == 0 }},
	{"a pixel shader in compute mode beside a geometry shader", "gsh", "GX2021", func(m any) bool {
		f := m.(*gsh.File)
		return slices.ContainsFunc(f.Groups(), func(g gsh.Group) bool {
			return g[gx2.Geometry] != gsh.NoShader && g[gx2.Pixel] != gsh.NoShader &&
				f.Shaders[g[gx2.Pixel]].Mode == gx2.ModeCompute
		})
	}},
	{"padding in front of a program that needs none", "gsh", "GSH022", func(m any) bool {
		const whole = 0x300 - 0x20 // with the header of the block three alignments
		blocks := m.(*gsh.File).Layout.Blocks
		i := slices.IndexFunc(blocks, func(b gsh.Block) bool { return len(b.Padding) == whole })
		return i >= 0 && blocks[i+1].Type != gsh.VertexHeader && blocks[i+1].Type != gsh.PixelHeader &&
			blocks[i+1].Type != gsh.GeometryHeader
	}},
	{"twelve shaders", "cgfx", valid, func(m any) bool { return len(m.(*cgfx.File).Objects) == 12 }},
	{"no shaders", "cgfx", odd, func(m any) bool { return len(m.(*cgfx.File).Objects) == 0 }},
	{"no shaders", "csdr", odd, func(m any) bool { return len(m.(*csdr.File).Objects) == 0 }},
	{"tessellation", "bnsh", valid, func(m any) bool {
		for _, v := range m.(*bnsh.File).Variations {
			if v.Binary != nil && v.Binary.Stages[bnsh.Hull] != nil && v.Binary.Stages[bnsh.Domain] != nil {
				return true
			}
		}
		return false
	}},
}

func ofShader(has func(s *gx2.Shader) bool) func(model any) bool {
	return func(model any) bool {
		f := model.(*sharcfb.File)
		for i := range f.Binaries {
			if has(&f.Binaries[i].Shader) {
				return true
			}
		}
		return false
	}
}

// TestRareShapes looks for a file of each rare shape: a branch of a generator
// that is never taken tests nothing.
func TestRareShapes(t *testing.T) {
	const runs = 1500
	for _, s := range shapes {
		from, _ := files.ByName(s.format)
		known, _ := registry.ByName(s.format)
		draw := func(c *gen.Choices) []byte { return from.File(c) }
		switch s.mode {
		case valid:
		case odd:
			draw = from.Odd
		default:
			for _, f := range from.Faults() {
				if f.Rule == s.mode {
					draw = func(c *gen.Choices) []byte { b, _ := f.File(c); return b }
				}
			}
		}
		n := 0
		for k := uint64(0); k < runs && n == 0; k++ {
			if doc, err := known.Parse(draw(gen.From(gen.Seed(seed, k)))); err == nil && s.has(doc.Model()) {
				n++
			}
		}
		if n == 0 {
			t.Errorf("seed %d: none of %d %s files of %s has %s", seed, runs, s.mode, s.format, s.name)
		}
	}
}
