package convert

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

// entryWords is the header size that zitrus stores in an R4 entry.
const entryWords = 4

// fromZPSH returns a ZPSH file as a program.
func fromZPSH(z *zpsh.File, r *Report) (*shbin.File, error) {
	f := &shbin.File{DVLP: shbin.DVLP{Code: z.Code}, DVLEs: make([]shbin.DVLE, len(z.Entries))}
	r.invented("dvlp.version", "0", "ZPSH has no tool versions")
	for _, word := range z.Descriptors {
		f.DVLP.Descriptors = append(f.DVLP.Descriptors, shbin.Descriptor{Word: word})
	}
	if len(z.Descriptors) > 0 {
		r.invented("dvlp.descriptors", "flags 0",
			"ZPSH has one word for each descriptor; the meaning of the other is unknown")
	}
	namesFromZPSH(z, f, r)
	for i := range z.Entries {
		e := entryFromZPSH{entry: &z.Entries[i], dvle: &f.DVLEs[i], index: i, Report: r}
		e.convert(len(z.Code))
		if words := z.Entries[i].HeaderWords; z.Revision != zpsh.R3 && words != entryWords {
			e.dropped(e.path("header_words"), fmt.Sprint(words), "a size that no reader looks at")
		}
	}
	restOfZPSH(z, r)
	return f, nil
}

// namesFromZPSH turns each entry's name into a label.
func namesFromZPSH(z *zpsh.File, f *shbin.File, r *Report) {
	var references []*uint32
	for i := range z.Entries {
		offset := z.Entries[i].Name
		references = append(references, &offset)
		name, _ := z.Name(i)
		if len(name) == 0 {
			continue
		}
		d := &f.DVLEs[i]
		d.Symbols = append(append(d.Symbols, name...), 0)
		d.Labels = []shbin.Label{defaultLabel(uint32(z.Entries[i].Instruction))}
		r.invented(item("dvle", i, "labels[0]"), "id 0, flags 1, no length",
			"a label has more than the name of a ZPSH entry; so it is in official files")
	}
	if n := stray(z.Strings, references); n > 0 {
		r.dropped("strings", count(n, "byte"), "no entry has them for its name")
	}
}

// restOfZPSH reports losses that belong to no entry.
func restOfZPSH(z *zpsh.File, r *Report) {
	r.droppedFields("header", *z, zpsh.File{Revision: z.Revision}, onlyZPSH)
	layoutOfZPSH(z.Layout, r)
}

// layoutOfZPSH reports losses in the layout.
func layoutOfZPSH(l *zpsh.Layout, r *Report) {
	if l == nil {
		return
	}
	if n := len(l.ExtraHeader); n > 0 {
		r.dropped("header.extra", count(n, "byte"), "header words of unknown meaning")
	}
	if l.Hash != nil {
		r.dropped("header.hash", fmt.Sprintf("0x%08x", *l.Hash), "it is not the hash of the code")
	}
	for _, g := range l.Gaps {
		r.dropped("layout.gaps", count(len(g.Bytes), "byte")+" before "+item("entries", g.Entry, ""),
			"they belong to nothing")
	}
	if n := len(l.Tail); n > 0 {
		r.dropped("tail", count(n, "byte"), "they belong to nothing")
	}
}

var onlyZPSH = reasons{"flags": "reserved flags of ZPSH", "": "only a ZPSH has it"}

// entryFromZPSH converts an entry into a DVLE.
type entryFromZPSH struct {
	*Report
	entry *zpsh.Entry
	dvle  *shbin.DVLE
	index int
}

func (e *entryFromZPSH) path(field string) string { return item("entries", e.index, field) }

func (e *entryFromZPSH) convert(codeLength int) {
	d := e.dvle
	d.Entry, d.End = uint32(e.entry.Instruction), uint32(codeLength)
	for _, field := range [...]struct {
		name, now string
		why       string
	}{
		{"version", "0", "ZPSH has no tool versions"},
		{"merge", "0", "ZPSH does not say whether output maps are merged"},
		{"end", fmt.Sprint(d.End), "ZPSH does not say where a procedure ends; this is the end of the code"},
		{"input_mask", "0", "ZPSH does not declare inputs"},
	} {
		e.invented(item("dvle", e.index, field.name), field.now, field.why)
	}
	x := e.entry
	kept := zpsh.Entry{Name: x.Name, Instruction: x.Instruction, Info: x.Info, Bools: x.Bools,
		R4Header: zpsh.R4Header{HeaderWords: x.HeaderWords}, OutputReserved: x.OutputReserved}
	e.droppedFields(e.path(""), *x, kept, onlyZPSH)
	if x.OutputReserved != 0 {
		e.dropped(e.path("output_mask"), fmt.Sprintf("0x%x", x.OutputReserved),
			"the upper half of the mask, which means nothing")
	}
	e.info()
	e.constants()
	e.outputs()
}

// info converts the type and the geometry parameters.
func (e *entryFromZPSH) info() {
	d, info := e.dvle, e.entry.Info
	if info.Type() != zpsh.Vertex {
		d.Type = shbin.GeometryShader
	}
	switch info.Type() {
	case zpsh.GeometryPoint:
		e.dropped(e.path("info"), count(info.Inputs(), "input"), "a DVLE does not have the number of inputs")
	case zpsh.GeometryVariable:
		d.Geometry = shbin.Geometry{Mode: shbin.Variable, Variable: uint8(info.FullVertices())}
		n := fmt.Sprint(info.FullVertices())
		e.changed(e.path("info"), n, n,
			"the same number, but libctru gives it to the GPU less 1, zitrus as it is; which is right is unknown")
	case zpsh.GeometryFixed:
		d.Geometry = shbin.Geometry{Mode: shbin.Fixed, First: uint8(info.First()), Fixed: uint8(info.Vertices())}
	}
	if bits := info.Reserved(); bits != 0 {
		e.dropped(e.path("info"), fmt.Sprintf("bits 0x%04x", uint16(bits)), "they are reserved")
	}
}

// constants converts constants: true bools, then ints, then floats.
func (e *entryFromZPSH) constants() {
	t := &e.dvle.Tables
	for b := range uint8(pica.NumBools) {
		if e.entry.Bools>>b&1 != 0 {
			t.Constants = append(t.Constants, shbin.BoolConstant(b, true))
		}
	}
	for _, v := range e.entry.Ints {
		t.Constants = append(t.Constants, shbin.IntConstant(v.Register, v.Value[0], v.Value[1], v.Value[2],
			v.Value[3]))
	}
	for _, v := range e.entry.Floats {
		t.Constants = append(t.Constants, shbin.FloatConstant(v.Register, v.Value[0], v.Value[1], v.Value[2],
			v.Value[3]))
	}
}

// outputs converts the output maps. The mask also keeps registers for which the
// output table has no place.
func (e *entryFromZPSH) outputs() {
	d := e.dvle
	for _, o := range e.entry.Outputs {
		d.OutputMask |= 1 << o.Register
		path := item(e.path("outputs"), int(o.Register), "")
		if bits := uint32(o.Map) & 0xE0E0E0E0; bits != 0 {
			e.dropped(path, fmt.Sprintf("bits 0x%08x", bits), "they are reserved")
		}
		list, left := unmapped(uint16(o.Register), o.Map)
		if o.Register >= numMaps {
			if d.Type == shbin.GeometryShader {
				e.dropped(path, o.Map.String(),
					"the output table of a geometry shader has o0 to o6; the mask keeps the register")
				continue
			}
			if list[0].Semantic != shbin.Dummy || len(left) > 0 {
				e.changed(path, o.Map.String(), "dummy", "only o0 to o6 can have a semantic in a DVLE")
			}
			list, left = []shbin.Output{{Semantic: shbin.Dummy, Register: uint16(o.Register), Mask: allMask}}, nil
		}
		for _, k := range left {
			e.dropped(path, o.Map.Semantic(k).String()+" in "+"xyzw"[k:k+1],
				"a DVLE gives a semantic's components in order from the first")
		}
		if list[0].Semantic == shbin.Dummy {
			e.invented(item(item("dvle", e.index, "outputs"), len(d.Outputs), "mask"), showMask(allMask),
				"a map does not say which components the next stage reads")
		}
		d.Outputs = append(d.Outputs, list...)
	}
}

// numMaps is the GPU's number of output maps (libctru).
const numMaps = 7
