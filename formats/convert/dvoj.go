package convert

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// unknownWord is the usual value of a DVOJ's header word of unknown meaning.
const unknownWord = 0xFFFFFFFF

// fromDVOJ returns an object as a DVLB with one DVLE, without linking it.
func fromDVOJ(o *dvoj.File, r *Report) (*shbin.File, error) {
	tables := o.Tables
	tables.Labels, tables.Uniforms = slices.Clone(o.Labels), slices.Clone(o.Uniforms)
	lines := slices.Clone(o.Lines)
	f := &shbin.File{
		DVLP: shbin.DVLP{Version: uint32(o.Version), Code: o.Code, Descriptors: o.Descriptors, Lines: lines},
		DVLEs: []shbin.DVLE{{
			Version: o.Version, Type: o.Type, Merge: o.Merge, End: uint32(len(o.Code)),
			InputMask: o.InputMask, OutputMask: o.OutputMask, Tables: tables,
		}},
	}
	r.invented("dvlp.version", fmt.Sprintf("0x%x", o.Version), "an object has one version")
	r.invented("dvle[0].end", fmt.Sprint(len(o.Code)), "an object is one procedure; this is the end of its code")
	if o.Type != shbin.VertexShader {
		r.invented("dvle[0].geometry", shbin.Point.String(),
			"an object does not say how a geometry shader gets its vertices")
	}
	r.droppedFields("header", *o, dvoj.File{Version: o.Version, Type: o.Type, Merge: o.Merge, InputMask: o.InputMask,
		OutputMask: o.OutputMask, Unknown: o.Unknown}, reasons{"": "a DVLB has no place for it"})
	if o.Unknown != unknownWord {
		r.dropped("header.unknown", fmt.Sprintf("0x%08x", o.Unknown), "a DVLB has no place for it")
	}
	if n := len(o.Relocations); n > 0 {
		r.dropped("relocations", count(n, "relocation"), "a linked program has none")
	}
	f.DVLP.FileNames = referenced(o.Symbols, lineReferences(lines))
	d := &f.DVLEs[0]
	d.Symbols = referenced(o.Symbols, tableReferences(&d.Tables))
	if n := unused(o); n > 0 {
		r.dropped("symbols", count(n, "byte"), "no name uses them")
	}
	if o.Layout != nil {
		gaps(o.Layout.Gaps, r)
	}
	return f, nil
}

// unused returns the number of bytes in the symbols that no name uses.
func unused(o *dvoj.File) int {
	t := shbin.Tables{Labels: slices.Clone(o.Labels), Uniforms: slices.Clone(o.Uniforms)}
	references := append(tableReferences(&t), lineReferences(slices.Clone(o.Lines))...)
	return len(o.Symbols) - len(referenced(o.Symbols, references))
}

// gaps reports gaps with bytes other than zero as lost.
func gaps(list []shbin.Gap, r *Report) {
	for _, g := range list {
		if slices.ContainsFunc(g.Bytes, func(b byte) bool { return b != 0 }) {
			r.dropped("layout.gaps", fmt.Sprintf("%s at 0x%x", count(len(g.Bytes), "byte"), g.Offset),
				"they belong to nothing")
		}
	}
}

func gapsOf(f *shbin.File, r *Report) {
	if f.Layout != nil {
		gaps(f.Layout.Gaps, r)
	}
}

func lineReferences(lines []shbin.Line) []*uint32 {
	list := make([]*uint32, len(lines))
	for i := range lines {
		list[i] = &lines[i].Name
	}
	return list
}

// toDVOJ returns a DVLE as an object, with the DVLP.
func toDVOJ(f *shbin.File, index int, r *Report) (*dvoj.File, error) {
	d, p := &f.DVLEs[index], &f.DVLP
	path := func(field string) string { return item("dvle", index, field) }
	if d.Entry != 0 {
		return nil, refuse(path("entry"), "an object starts at its first word, not at word %d", d.Entry)
	}
	for i := range f.DVLEs {
		if i != index {
			r.dropped(item("dvle", i, ""), f.DVLEs[i].Type.String(), "an object has one entry point")
		}
	}
	o := &dvoj.File{
		Version: d.Version, Type: d.Type, Merge: d.Merge, InputMask: d.InputMask, OutputMask: d.OutputMask,
		Unknown: unknownWord, Code: p.Code, Descriptors: p.Descriptors, Lines: slices.Clone(p.Lines), Tables: d.Tables,
	}
	r.invented("header.unknown", fmt.Sprintf("0x%08x", uint32(unknownWord)),
		"its meaning is unknown; this is the usual value")
	lost := reasons{"": "an object has no place for it"}
	r.droppedFields("dvlp", *p, shbin.DVLP{Version: p.Version}, lost)
	r.droppedFields(path(""), *d, shbin.DVLE{Version: d.Version, Type: d.Type, Merge: d.Merge, End: d.End,
		InputMask: d.InputMask, OutputMask: d.OutputMask, Geometry: d.Geometry}, lost)
	if p.Version != uint32(d.Version) {
		r.dropped("dvlp.version", fmt.Sprintf("0x%x", p.Version),
			"an object has one version, the version of the entry point")
	}
	if int(d.End) != len(p.Code) {
		r.dropped(path("end"), fmt.Sprint(d.End), "an object is one procedure, which ends with its code")
	}
	if d.Geometry != (shbin.Geometry{}) {
		g := d.Geometry
		r.dropped(path("geometry"), fmt.Sprintf("%v, first %d, variable count %d, fixed count %d", g.Mode, g.First,
			g.Variable, g.Fixed), "an object has no known place for it")
	}
	for i, word := range p.Code {
		if pica.OpcodeOf(word).HasOperands() { // 3dbrew
			o.Relocations = append(o.Relocations, dvoj.Relocation{Word: uint32(i)})
		}
	}
	if n := len(o.Relocations); n > 0 {
		r.invented("relocations", count(n, "relocation"),
			"an object has one for each word with operands; their other words are unknown, and 0")
	}
	fileNames(f, o, r)
	gapsOf(f, r)
	return o, nil
}

// fileNames copies the names of source files into the symbols.
func fileNames(f *shbin.File, o *dvoj.File, r *Report) {
	names := referenced(f.DVLP.FileNames, lineReferences(o.Lines))
	if n := len(f.DVLP.FileNames) - len(names); n > 0 {
		r.dropped("dvlp.file_names", count(n, "byte"), "no line uses them, and an object names files by its lines")
	}
	if len(names) == 0 {
		return
	}
	start := uint32(len(o.Symbols))
	o.Symbols = slices.Concat(o.Symbols, wire.Hex(names))
	for i := range o.Lines {
		o.Lines[i].Name += start
	}
}
