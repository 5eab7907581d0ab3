package csdrgen

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/csdr"
)

// piece is a part of a text: a known element with its contents, or opaque text.
type piece struct {
	name   string // of an element
	attrs  []*attr
	inside []*piece
	gap    string // white space in front of the end of the start tag
	endGap string // of the end tag
	short  bool   // one tag, of an element with nothing in it

	raw  string // without a name
	text bool   // raw is character data, of which two pieces never meet in a known element

	at    int // where it is, once it is written
	inner int // offset of the contents

	innerEnd int // and ends
}

// attr is an attribute; the value is as it stands, quotes included.
type attr struct {
	gap, name, equals, value string
	at, valueAt              int
}

func text(s string) *piece { return &piece{raw: s, text: true} }
func raw(s string) *piece  { return &piece{raw: s} }

// append appends a piece and notes where everything is.
func (p *piece) append(b []byte) []byte {
	p.at = len(b)
	if p.name == "" {
		return append(b, p.raw...)
	}
	b = append(append(b, '<'), p.name...)
	for _, a := range p.attrs {
		b = append(b, a.gap...)
		a.at = len(b)
		b = append(append(b, a.name...), a.equals...)
		a.valueAt = len(b)
		b = append(b, a.value...)
	}
	b = append(b, p.gap...)
	if p.short && len(p.inside) == 0 {
		b = append(b, "/>"...)
		p.inner, p.innerEnd = len(b), len(b)
		return b
	}
	b = append(b, '>')
	p.inner = len(b)
	for _, q := range p.inside {
		b = q.append(b)
	}
	p.innerEnd = len(b)
	return append(append(append(append(b, "</"...), p.name...), p.endGap...), '>')
}

// attr returns an attribute of an element that has it.
func (p *piece) attr(name string) *attr {
	return p.attrs[slices.IndexFunc(p.attrs, func(a *attr) bool { return a.name == name })]
}

// insert inserts a piece in front of the inner piece i.
func (p *piece) insert(i int, q *piece) { p.inside = slices.Insert(p.inside, i, q) }

// remove takes a piece out; the text around it becomes one.
func (p *piece) remove(q *piece) {
	i := slices.Index(p.inside, q)
	p.inside = slices.Delete(p.inside, i, i+1)
	if i > 0 && i < len(p.inside) && p.inside[i-1].text && p.inside[i].text {
		p.inside[i-1].raw += p.inside[i].raw
		p.inside = slices.Delete(p.inside, i, i+1)
	}
}

// document is a text, and its known elements.
type document struct {
	top                    []*piece // the declaration first
	root, content, shaders *piece
	objects                []object
}

// object is a shader with its element.
type object struct {
	csdr.Object
	element, binary *piece
}

func (d *document) append(b []byte) []byte {
	for _, p := range d.top {
		b = p.append(b)
	}
	return b
}

// known are the known elements, but not the BinaryData.
func (d *document) known() []*piece {
	list := []*piece{d.root, d.content, d.shaders}
	for _, o := range d.objects {
		list = append(list, o.element)
	}
	return list
}

// outline is the text that the writer makes of a file.
func outline(f *csdr.File) *document {
	d := new(document)
	d.shaders = &piece{name: "Shaders"}
	var elements []*piece
	for _, o := range f.Objects {
		x := newObject(o)
		d.objects = append(d.objects, x)
		elements = append(elements, x.element)
	}
	d.shaders.inside = lines(3, elements...)
	d.content = &piece{
		name:   "GraphicsContentCtr",
		attrs:  []*attr{attribute("Namespace", ""), attribute("Version", f.Version)},
		inside: lines(2, opaquePiece(f.EditData), d.shaders),
	}
	d.root = &piece{name: "NintendoWareIntermediateFile", inside: lines(1, d.content)}
	d.top = []*piece{raw(`<?xml version="1.0" encoding="utf-8"?>`), text("\r\n"), d.root, text("\r\n")}
	return d
}

func newObject(o csdr.Object) object {
	binary := &piece{name: "BinaryData", inside: []*piece{text(base64.StdEncoding.EncodeToString(o.DVLB))}}
	return object{o, &piece{
		name:   "ShaderCtr",
		attrs:  []*attr{attribute("Name", o.Name)},
		inside: lines(4, opaquePiece(o.EditData), binary, opaquePiece(o.ShaderKinds), opaquePiece(o.Descriptions)),
	}, binary}
}

// opaquePiece returns a piece of opaque text; nil for "".
func opaquePiece(element string) *piece {
	if element == "" {
		return nil
	}
	return raw(element)
}

// lines puts each element on a line of its own; nil is none.
func lines(depth int, elements ...*piece) (list []*piece) {
	for _, e := range elements {
		if e != nil {
			list = append(list, text("\r\n"+strings.Repeat("\t", depth)), e)
		}
	}
	return append(list, text("\r\n"+strings.Repeat("\t", depth-1)))
}

// attribute is an attribute as the writer writes it.
func attribute(name, value string) *attr {
	return &attr{gap: " ", name: name, equals: "=", value: `"` + escapes.Replace(value) + `"`}
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;",
	"\r", "&#13;")
