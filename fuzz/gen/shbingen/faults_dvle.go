package shbingen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// dvleFaults break rules about the fields of a DVLE header.
var dvleFaults = []fault{
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
	{rule: "DVLE011", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		gen.Change(d.c, &e.OutputMask)
		return "output_mask"
	})},
	{rule: "DVLE012", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
		gen.Change(d.c, &e.InputMask)
		return "input_mask"
	})},
}

// objectFaults break the rules about the tables of a DVLE.
var objectFaults = func() (list []fault) {
	for _, f := range ObjectFaults {
		rule, also, missBreaks := f.Rules("DVLE0")
		list = append(list, fault{rule: rule, also: also, missBreaks: missBreaks, spoil: func(d *draft) place {
			i := d.anyDVLE()
			if f.OneType {
				i = d.dvleOf(f.Type)
			}
			e := &d.m.DVLEs[i]
			part := f.Spoil(d.object(e))
			setMasks(e)
			part.Path = fmt.Sprintf("dvle[%d].%s", i, part.Path)
			return place{Part: part}
		}})
	}
	return append(list, longLabel)
}()

// longLabel breaks the rule about the end of a label with a sum of 33 bits.
var longLabel = fault{rule: "DVLE041", spoil: aDVLE(func(d *draft, e *shbin.DVLE) string {
	i := d.object(e).Label()
	l := &e.Labels[i]
	if p := &d.m.DVLP; len(p.Code) < 2 {
		p.Code = append(p.Code, uint32(pica.NOP)<<26)
		if len(p.Lines) > 0 { // one for each word
			p.Lines = append(p.Lines, p.Lines[0])
		}
	}
	l.Word = uint32(len(d.m.DVLP.Code))
	l.Length = wrong[uint32](d.c, shbin.NoLength-1, shbin.NoLength-1, 0)
	return entry("labels", i, "length").Path
})}

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
