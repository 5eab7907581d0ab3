package shbingen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// dvleFaults are those of the fields of a DVLE header.
var dvleFaults = []fault{
	{rule: "DVLE002", spoil: func(d *draft) place { return changed(at("dvle[%d].magic", d.anyDVLE()))(d) }},
	{rule: "DVLE003", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		e.Version = gen.Only(d.c, unknownVersion(d.c), e.Version)
		return "version"
	})},
	{rule: "DVLE003", milder: true, spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		others := slices.DeleteFunc(slices.Clone(versions), func(v uint16) bool { return v == e.Version })
		e.Version = gen.Only(d.c, gen.Pick(d.c, others), e.Version)
		return "version"
	})},
	{rule: "DVLE004", spoil: ofType(shbin.GeometryShader, func(d *draft, e *shbin.DVLE) string {
		e.Type = wrong(d.c, shbin.GeometryShader+1, 0xFF, shbin.GeometryShader)
		return "type"
	})},

	{rule: "DVLE005", spoil: ofType(shbin.GeometryShader, func(d *draft, e *shbin.DVLE) string {
		e.Merge = above[uint8](d.c, 1)
		return "merge"
	})},
	{rule: "DVLE006", spoil: ofType(shbin.VertexShader, func(d *draft, e *shbin.DVLE) string {
		e.Merge = gen.Only[uint8](d.c, 1, 0)
		return "merge"
	})},
	// An end inside the code is not after such an entry.
	{rule: "DVLE007", also: []string{"DVLE009"}, spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		e.Entry = above(d.c, uint32(len(d.m.DVLP.Code)-1))
		return "entry"
	})},
	// So much code is too much for a vertex shader.
	{rule: "DVLE010", also: []string{"DVLP008"}, spoil: func(d *draft) place {
		d.lengthen(within(d.c, pica.MaxVertexCode+1, pica.MaxVertexCode+100))
		return ofType(shbin.VertexShader, func(d *draft, e *shbin.DVLE) string {
			words := uint32(len(d.m.DVLP.Code))
			e.Entry, e.End = wrong(d.c, pica.MaxVertexCode, words-1, pica.MaxVertexCode-1), words
			return "entry"
		})(d)
	}},
	{rule: "DVLE008", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		e.End = above(d.c, uint32(len(d.m.DVLP.Code)))
		return "end"
	})},
	{rule: "DVLE009", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		e.End = wrong(d.c, 0, e.Entry, e.Entry+1)
		return "end"
	})},

	{rule: "DVLE013", spoil: ofMode(shbin.Point, func(d *draft, g *shbin.Geometry) string {
		g.Mode = wrong(d.c, shbin.Fixed+1, 0xFF, shbin.Fixed)
		g.Fixed = gen.Breach[uint8](d.c, 0, 1) // which this mode needs
		return "geometry.mode"
	})},
}

// aDVLE spoils a DVLE; spoil returns the field.
func aDVLE(spoil func(d *draft, e *shbin.DVLE) string) func(d *draft) place {
	return func(d *draft) place {
		i := d.anyDVLE()
		return at("dvle[%d].%s", i, spoil(d, &d.m.DVLEs[i]))
	}
}

// ofType spoils a DVLE of a type.
func ofType(t shbin.Type, spoil func(d *draft, e *shbin.DVLE) string) func(d *draft) place {
	return func(d *draft) place {
		i := d.dvleOf(t)
		return at("dvle[%d].%s", i, spoil(d, &d.m.DVLEs[i]))
	}
}

// ofMode spoils the parameters of a geometry shader in a mode.
func ofMode(mode shbin.Mode, spoil func(d *draft, g *shbin.Geometry) string) func(d *draft) place {
	return ofType(shbin.GeometryShader, func(d *draft, e *shbin.DVLE) string {
		e.Geometry = geometry(d.c, mode)
		return spoil(d, &e.Geometry)
	})
}
