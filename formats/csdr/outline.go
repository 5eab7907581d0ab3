package csdr

import (
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// element is a known element: its attributes and the elements in it. What is in
// an opaque one is not known.
type element struct {
	name     string
	attrs    []string
	children []*element
	opaque   bool
}

// The outline.
var (
	editData     = &element{name: "EditData", opaque: true}
	shaderKinds  = &element{name: "ShaderKinds", opaque: true}
	descriptions = &element{name: "Descriptions", opaque: true}
	binaryData   = &element{name: "BinaryData"}
	shaderCtr    = &element{name: "ShaderCtr", attrs: []string{"Name"},
		children: []*element{editData, binaryData, shaderKinds, descriptions}}
	shadersPart = &element{name: "Shaders", children: []*element{shaderCtr}}
	contentCtr  = &element{name: "GraphicsContentCtr", attrs: []string{"Namespace", "Version"},
		children: []*element{editData, shadersPart}}
	rootElement = &element{name: "NintendoWareIntermediateFile", children: []*element{contentCtr}}
	document    = element{children: []*element{rootElement}}
)

// child returns the first known element with a name, or nil.
func (x *element) child(name string) *element {
	for _, c := range x.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

const usualVersion = "0.7.0"

// outline reads the elements of a well-formed text: CSDR005 to CSDR016.
func (r *reader) outline() {
	r.pos = r.first
	for {
		t, ok := r.next()
		switch {
		case !ok:
			return
		case t.kind == instruction:
			r.unknown(t, "instruction")
		case t.kind == comment:
			r.comment(t)
		case t.kind != startTag && t.kind != emptyTag:
		case t.name != rootElement.name:
			r.Report("CSDR005", place(t.start, t.end, "root"), diag.Text(rootElement.name),
				diag.Quoted([]byte(t.name)))
			return
		default:
			parts := 0
			r.children(t, rootElement, func(c token, x *element) {
				if parts++; parts > 1 {
					r.repeated("CSDR006", c, contentCtr.name)
				}
				r.content(c)
			})
			if parts == 0 {
				r.missing("CSDR006", t, contentCtr.name)
			}
		}
	}
}

// missing reports that the element that starts with t lacks an element.
func (r *reader) missing(rule string, t token, path string) {
	r.Report(rule, place(t.start, t.end, path), diag.Text("one in "+t.name), diag.Text("none"))
}

// repeated reports that an element is not the first of its kind.
func (r *reader) repeated(rule string, t token, path string) {
	r.Report(rule, place(t.start, t.end, path), diag.Text("one"), diag.Text("another"))
}

// unknown reports a piece of text that the outline does not have: CSDR011.
func (r *reader) unknown(t token, what string) {
	r.note("outline."+what, r.text[t.start:t.end])
	r.odd(t, what)
}

// odd is unknown for a piece that the model does not note.
func (r *reader) odd(t token, what string) {
	r.Report("CSDR011", place(t.start, t.end, "outline."+what), diag.Text("what the outline has"),
		diag.Quoted([]byte(r.text[t.start:min(t.end, t.start+128)])))
}

// unknownElement reports an element that is not in the outline, and skips it.
func (r *reader) unknownElement(t token) {
	r.odd(t, "element")
	r.note("outline.element", r.skip(t))
}

func (r *reader) comment(t token) { r.note("outline.comment", r.text[t.start:t.end]) }

// children reads a known element whose start is t, and calls known with the
// start of each known element in it, which must read that one to its end.
func (r *reader) children(t token, x *element, known func(c token, x *element)) {
	r.attributesOf(t, x)
	if t.kind == emptyTag {
		return
	}
	for {
		c, _ := r.next()
		switch c.kind {
		case endTag:
			return
		case startTag, emptyTag:
			if y := x.child(c.name); y != nil {
				known(c, y)
				continue
			}
			r.unknownElement(c)
		case charData:
			if strings.IndexFunc(unescape(r.text[c.start:c.end], false), notWhite) >= 0 {
				r.unknown(c, "text")
			}
		case cdata, instruction:
			r.unknown(c, tokenNames[c.kind])
		case comment:
			r.comment(c)
		}
	}
}

// attributesOf reports the attributes that an element should not have.
func (r *reader) attributesOf(t token, x *element) {
	for a := range r.attrsAt(t.start + 1 + len(t.name)) {
		name, known := r.text[a.name:a.nameEnd], false
		for _, n := range x.attrs {
			known = known || n == name
		}
		if !known {
			r.unknown(token{start: a.name, end: a.valueEnd + 1}, "attribute")
		}
	}
}

// value returns an attribute's value and its place, quotes included; ok is
// false when the tag does not have it.
func (r *reader) value(t token, name string) (value string, at span, ok bool) {
	for a := range r.attrsAt(t.start + 1 + len(t.name)) {
		if r.text[a.name:a.nameEnd] == name {
			return unescape(r.text[a.value:a.valueEnd], true), span{a.value - 1, a.valueEnd + 1}, true
		}
	}
	return "", span{}, false
}

// keep is skip; it sets *raw if that is still empty.
func (r *reader) keep(t token, raw *string, path string) {
	element := r.skip(t)
	if *raw != "" {
		r.note(path, element)
		return
	}
	*raw = element
}

// content reads a GraphicsContentCtr.
func (r *reader) content(t token) {
	version, at, ok := r.value(t, "Version")
	if !ok {
		at = span{t.start, t.end}
	}
	if version != usualVersion {
		r.Report("CSDR007", place(at.start, at.end, "version"), diag.Text(usualVersion), diag.Quoted([]byte(version)))
	}
	r.file.Version = version
	if namespace, _, _ := r.value(t, "Namespace"); namespace != "" {
		r.note("namespace", namespace)
	}
	parts := 0
	r.children(t, contentCtr, func(c token, x *element) {
		if x == editData {
			r.keep(c, &r.file.EditData, "edit_data")
			return
		}
		if parts++; parts > 1 {
			r.repeated("CSDR006", c, shadersPart.name)
		}
		before := r.count
		r.children(c, shadersPart, func(c token, _ *element) { r.shader(c) })
		if r.count == before {
			r.Report("CSDR012", place(c.start, c.end, shadersPart.name), diag.Text("a ShaderCtr"), diag.Text("none"))
		}
	})
	if parts == 0 {
		r.missing("CSDR006", t, shadersPart.name)
	}
}

// shaderPrefix starts the paths of a shader.
func shaderPrefix(i int) string { return "shaders[" + strconv.Itoa(i) + "]." }

// shader reads a ShaderCtr.
func (r *reader) shader(t token) {
	prefix := shaderPrefix(r.count)
	r.count++
	o := Object{Name: r.name(t, prefix)}
	var base64 encoded
	parts := 0
	r.children(t, shaderCtr, func(c token, x *element) {
		switch x {
		case editData:
			r.keep(c, &o.EditData, prefix+"edit_data")
		case shaderKinds:
			r.keep(c, &o.ShaderKinds, prefix+"shader_kinds")
		case descriptions:
			r.keep(c, &o.Descriptions, prefix+"descriptions")
		default:
			if parts++; parts > 1 {
				r.repeated("CSDR010", c, prefix+"binary_data")
				r.skip(c)
				return
			}
			base64 = r.binary(c)
		}
	})
	if parts == 0 {
		r.missing("CSDR010", t, prefix+"binary_data")
		return
	}
	o.DVLB = r.decode(&base64, prefix)
	if r.Strict() && !r.Failed() {
		r.file.Objects = append(r.file.Objects, o)
		r.contents = append(r.contents, base64.content)
	}
}

// name reads the name of a shader: CSDR008 and CSDR009.
func (r *reader) name(t token, prefix string) string {
	name, at, ok := r.value(t, "Name")
	if !ok {
		at = span{t.start, t.end}
	}
	if name == "" {
		r.Report("CSDR008", place(at.start, at.end, prefix+"name"), diag.Text("a name"), diag.Text("none"))
		return name
	}
	if first, again := r.names[name]; again {
		r.Report("CSDR009", place(at.start, at.end, prefix+"name"), diag.Text("a name of its own"),
			diag.Quoted([]byte(name)), place(first.start, first.end, "name"))
		return name
	}
	r.names[name] = at
	return name
}
