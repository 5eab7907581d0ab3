package shbingen

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// dvleFaults break rules about the fields of a DVLE header.
var dvleFaults = []fault{
	// So much code is too much for a vertex shader.
	{rule: "DVLE010", also: []string{"DVLP008"}, spoil: func(d *draft) place {
		d.lengthen(within(d.c, pica.MaxVertexCode+1, pica.MaxVertexCode+100))
		return ofType(shbin.VertexShader, func(d *draft, e *shbin.DVLE) string {
			words := uint32(len(d.m.DVLP.Code))
			e.Entry, e.End = wrong(d.c, pica.MaxVertexCode, words-1, pica.MaxVertexCode-1), words
			return "entry"
		})(d)
	}},
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
