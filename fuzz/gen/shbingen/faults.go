package shbingen

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// fault spoils a draft of a valid file and says where.
type fault struct {
	rule       string
	spoil      func(d *draft) place
	also       []string
	milder     bool
	missBreaks []string
}

var faults = slices.Concat(dvlbFaults, dvlpFaults, codeFaults, dvleFaults, placeFaults, objectFaults,
	nameFaults, coverageFaults)

// Faults has at least one entry for every rule.
var Faults = sync.OnceValue(func() (list []gen.Fault) {
	for _, f := range faults {
		list = append(list, gen.Fault{Rule: f.rule, Spoil: f.file, Also: f.also, Milder: f.milder, MissBreaks: f.missBreaks})
	}
	return gen.FieldFaults[shbin.Option]{Rules: fields, File: File, Outline: shbin.Outline}.With(list)
})

// oddities are the faults that are no errors, and odd headers. They change the model only, not
// the written bytes.
var oddities = append(slices.DeleteFunc(slices.Clone(faults), func(f fault) bool {
	return !gen.Mild(shbin.Rules, f.rule) || !gen.Mild(shbin.Rules, f.also...)
}), fault{spoil: oddHeader})

// oddHeader gives a DVLE a merge flag and geometry bytes that break rules but no error.
func oddHeader(d *draft) place {
	e := &d.m.DVLEs[d.anyDVLE()]
	g := &e.Geometry
	for _, b := range []*uint8{&e.Merge, &g.Variable, &g.Fixed} {
		*b |= uint8(d.c.Bits(8))
	}
	if e.Type == shbin.VertexShader {
		g.Mode, g.First = shbin.Mode(d.c.Bits(8)), uint8(d.c.Bits(8))
	} else if g.Mode != shbin.Fixed {
		g.First = uint8(d.c.Bits(8))
	}
	return place{}
}

// file draws a file with the fault.
func (f fault) file(c *gen.Choices) ([]byte, gen.Place) {
	d := newDraft(c, pica.MaxVertexCode)
	c.Valid(func() []byte { return gen.Unchecked(d.m) })
	p := f.spoil(d)
	out := d.bytes()
	return out.Bytes, p.in(out)
}

// bytes writes the file when it is called first, and returns the draft of its bytes, which later calls may patch.
func (d *draft) bytes() *gen.Draft {
	if d.out == nil {
		b := d.write()
		d.out = gen.NewDraft(b, binary.LittleEndian, d.m.Regions())
	}
	return d.out
}

// size returns the size of the written file.
func (d *draft) size() uint32 { return uint32(len(d.bytes().Bytes)) }

// get reads a field of the file.
func (d *draft) get(p place) uint32 { return uint32(d.bytes().Get(p.Path)) }

// set writes a field of the file and says where.
func (d *draft) set(v uint32, p place) place {
	d.bytes().Set(p.Path, uint64(v))
	return p
}

// replace writes a wrong value to a field whose present value is the only right one.
func (d *draft) replace(v uint32, p place) place { return d.set(gen.Only(d.c, v, d.get(p)), p) }

// changed writes any other value to a field.
func changed(p place) func(d *draft) place {
	return func(d *draft) place {
		d.bytes().Break(d.c, d.bytes().Field(p.Path), gen.Other, nil)
		return p
	}
}
