package diff

import (
	"bytes"
	"encoding/binary"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

// A view is a copy of a model for comparison: names replace references, and
// code carries its descriptors. Its fields have the names that findings and
// regions use. A view that embeds a part of a model has all fields of that
// part; its own fields replace those with their Go names.

// none replaces a field that is compared at another place, or not at all.
type none struct{}

// view returns the view of a model, or the model itself if its format has no view.
func view(model any) any {
	switch f := model.(type) {
	case *shbin.File:
		return viewDVLB(f)
	case *dvoj.File:
		return viewDVOJ(f)
	case *zpsh.File:
		return viewZPSH(f)
	case *csdr.File:
		return viewCSDR(f)
	case *cgfx.File:
		return viewCGFX(f)
	case *gsh.File:
		return viewGSH(f)
	}
	return model
}

type dvlb struct {
	DVLP  dvlp   `json:"dvlp"`
	DVLEs []dvle `json:"dvle"`
	Rest  `json:",omitempty"`
}

type dvlp struct {
	shbin.DVLP
	Code        code        `json:"code"`
	Descriptors none        `json:"-"`
	Lines       []line      `json:"lines"`
	FileNames   []wire.Text `json:"file_names"`
	Rest        `json:",omitempty"`
}

type line struct {
	shbin.Line
	Name wire.Text `json:"name"`
}

type dvle struct {
	shbin.DVLE
	Tables tables `json:""`
	Rest   `json:",omitempty"`
}

type tables struct {
	shbin.Tables
	Constants []constant `json:"constants"`
	Labels    []label    `json:"labels"`
	Uniforms  []uniform  `json:"uniforms"`
	Symbols   none       `json:"-"`
}

// strayNames returns the bytes of the symbols that no label, uniform or line uses.
func strayNames(t *shbin.Tables, lines []shbin.Line) (r Rest) {
	offsets := lineNames(lines)
	for _, l := range t.Labels {
		offsets = append(offsets, l.Name)
	}
	for _, u := range t.Uniforms {
		offsets = append(offsets, u.Name)
	}
	r.add("symbols", newNames(t.Symbols).stray(offsets))
	return r
}

func lineNames(lines []shbin.Line) []uint32 {
	offsets := make([]uint32, len(lines))
	for i, l := range lines {
		offsets[i] = l.Name
	}
	return offsets
}

type label struct {
	shbin.Label
	Name wire.Text `json:"name"`
}

type uniform struct {
	shbin.Uniform
	Name wire.Text `json:"name"`
}

func viewDVLB(f *shbin.File) dvlb {
	p := &f.DVLP
	v := dvlb{DVLP: dvlp{DVLP: *p, Code: viewCode(p.Code, p.Descriptors), Lines: viewLines(p.Lines, p.FileNames)}}
	if len(p.Lines) == 0 {
		v.DVLP.FileNames = fileNames(p.FileNames)
	} else {
		v.DVLP.add("file_names", newNames(p.FileNames).stray(lineNames(p.Lines)))
	}
	if f.Layout != nil {
		v.gaps(f.Layout.Gaps)
	}
	for i := range f.DVLEs {
		e := &f.DVLEs[i]
		v.DVLEs = append(v.DVLEs, dvle{*e, viewTables(&e.Tables), strayNames(&e.Tables, nil)})
	}
	return v
}

func viewCode(words []uint32, descriptors []shbin.Descriptor) code {
	c := code(pica.Program{Code: words})
	for _, d := range descriptors {
		c.Descriptors = append(c.Descriptors, d.Word)
	}
	return c
}

func viewLines(lines []shbin.Line, names []byte) []line {
	index := newNames(names)
	list := make([]line, len(lines))
	for i, l := range lines {
		list[i] = line{l, index.at(l.Name)}
	}
	return list
}

// fileNames splits a table of source file names that no line refers to.
func fileNames(table []byte) []wire.Text {
	var list []wire.Text
	for len(table) > 0 {
		name, rest, _ := bytes.Cut(table, []byte{0})
		list, table = append(list, wire.Text(name)), rest
	}
	return list
}

func viewTables(t *shbin.Tables) tables {
	index := newNames(t.Symbols)
	v := tables{Tables: *t}
	for _, c := range t.Constants {
		v.Constants = append(v.Constants, constant(c))
	}
	for _, l := range t.Labels {
		v.Labels = append(v.Labels, label{l, index.at(l.Name)})
	}
	for _, u := range t.Uniforms {
		v.Uniforms = append(v.Uniforms, uniform{u, index.at(u.Name)})
	}
	return v
}

type object struct {
	Header      objectHeader      `json:"header"`
	Code        code              `json:"code"`
	Lines       []line            `json:"lines"`
	Relocations []dvoj.Relocation `json:"relocations"`
	tables
	Rest
}

type objectHeader struct {
	dvoj.File
	Code, Descriptors, Lines, Relocations, Tables none `json:"-"`
}

func viewDVOJ(f *dvoj.File) object {
	v := object{
		objectHeader{File: *f},
		viewCode(f.Code, f.Descriptors), viewLines(f.Lines, f.Symbols), f.Relocations, viewTables(&f.Tables),
		strayNames(&f.Tables, f.Lines),
	}
	if f.Layout != nil {
		v.gaps(f.Layout.Gaps)
	}
	return v
}

type zpshFile struct {
	Header  zpshHeader  `json:"header"`
	Code    code        `json:"code"`
	Entries []zpshEntry `json:"entries"`
	Rest
}

type zpshHeader struct {
	zpsh.File
	Code, Descriptors, Strings, Entries none `json:"-"`
}

type zpshEntry struct {
	zpsh.Entry
	Name           wire.Text   `json:"name"`
	Floats         []zpshFloat `json:"floats"`
	OutputReserved none        `json:"-"`
}

type zpshFloat struct {
	Register uint8      `json:"register"`
	Value    [4]float24 `json:"value"`
}

// viewZPSH leaves out the upper half of output masks, which zitrus does not
// initialise.
func viewZPSH(f *zpsh.File) zpshFile {
	index := newNames(f.Strings)
	offsets := make([]uint32, len(f.Entries))
	v := zpshFile{Header: zpshHeader{File: *f}, Code: code{Code: f.Code, Descriptors: f.Descriptors}}
	for i := range f.Entries {
		e := &f.Entries[i]
		offsets[i] = e.Name
		var floats []zpshFloat
		for _, x := range e.Floats {
			w := x.Value
			floats = append(floats,
				zpshFloat{x.Register, [4]float24{float24(w[0]), float24(w[1]), float24(w[2]), float24(w[3])}})
		}
		v.Entries = append(v.Entries, zpshEntry{Entry: *e, Name: index.at(e.Name), Floats: floats})
	}
	v.add("strings", index.stray(offsets))
	if l := f.Layout; l != nil {
		v.add("header.extra", l.ExtraHeader)
		if l.Hash != nil {
			v.Rest = append(v.Rest, part{"header.hash", binary.LittleEndian.AppendUint32(nil, *l.Hash)})
		}
		for _, g := range l.Gaps {
			v.add("layout.gaps", g.Bytes)
		}
		v.add("tail", l.Tail)
	}
	return v
}

type csdrFile struct {
	csdr.File
	Objects []csdrObject `json:"shaders"`
	Rest
}

type csdrObject struct {
	csdr.Object
	DVLB any `json:"dvlb"` // of viewBinary
}

type cgfxFile struct {
	cgfx.File
	Objects []cgfxObject `json:"shaders"`
	Rest
}

type cgfxObject struct {
	cgfx.Object
	DVLB any `json:"dvlb"` // of viewBinary
}

// viewBinary returns the view of a DVLB, or the bytes if they do not parse.
func viewBinary(b wire.Hex) any {
	f, err := shbin.Parse(b)
	if err != nil {
		return b
	}
	return viewDVLB(f)
}

func viewCSDR(f *csdr.File) csdrFile {
	v := csdrFile{File: *f, Rest: restOf(f.Rest())}
	for _, o := range f.Objects {
		v.Objects = append(v.Objects, csdrObject{o, viewBinary(o.DVLB)})
	}
	return v
}

func viewCGFX(f *cgfx.File) cgfxFile {
	v := cgfxFile{File: *f, Rest: restOf(f.Rest())}
	for _, o := range f.Objects {
		v.Objects = append(v.Objects, cgfxObject{o, viewBinary(o.DVLB)})
	}
	return v
}

// gshFile is the view of a GSH. Align says whether programs are aligned; the align mode
// itself is layout.
type gshFile struct {
	gsh.File
	Align  bool          `json:"aligned"`
	Style  none          `json:"-"`
	Opaque []opaqueBlock `json:"opaque"`
	Form   gshForm       `json:""`
	Rest
}

type opaqueBlock struct {
	Type gsh.BlockType `json:"type"`
	Data wire.Hex      `json:"data"`
}

// gshForm holds the fields of a GSH that describe its layout alone.
type gshForm struct {
	Style gsh.Style `json:"style"`
	Align uint32    `json:"align"`
}

func viewGSH(f *gsh.File) gshFile {
	v := gshFile{File: *f, Align: f.Align != 0, Form: gshForm{f.Style, f.Align}}
	for _, data := range f.Opaque {
		v.Opaque = append(v.Opaque, opaqueBlock{Data: data})
	}
	if l := f.Layout; l != nil {
		next := 0
		for _, b := range l.Blocks {
			v.add("layout.padding", b.Padding)
			if b.Type.Opaque() && next < len(v.Opaque) {
				v.Opaque[next].Type = b.Type
				next++
			}
		}
		v.add("layout.tail", l.Tail)
	}
	for i := range f.Shaders {
		s := &f.Shaders[i]
		if s.Slack != nil {
			v.add(index("shaders", i)+".slack.gap", s.Slack.Gap)
		}
		if s.Layout != nil {
			for _, g := range s.Layout.Gaps {
				v.add(index("shaders", i)+".layout.gaps", g.Bytes)
			}
		}
	}
	return v
}
