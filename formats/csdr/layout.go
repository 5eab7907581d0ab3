package csdr

import (
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// Regions returns the owner of every byte of what AppendUnchecked writes, from
// the first to the last: tags, texts, comments; opaque and unknown elements as a
// whole. Paths name the elements around. It returns nil for what Parse would
// not accept.
func (f *File) Regions() []diag.Region {
	b, _ := f.AppendUnchecked(nil)
	text := string(b)
	r := newReader(text, diag.Strict(ruleSet))
	if r.walk(); r.Failed() {
		return nil
	}
	m := regionMap{scanner: scanner{text: text}}
	if strings.HasPrefix(text, byteOrderMark) {
		m.pos, m.first = len(byteOrderMark), len(byteOrderMark)
		m.add(token{end: m.pos}, diag.OpaqueRegion, "byte_order_mark")
	}
	for {
		t, ok := m.next()
		if !ok {
			return m.regions
		}
		m.token(t)
	}
}

// regionMap is the list being made.
type regionMap struct {
	scanner
	regions []diag.Region
	path    []string   // of the open elements, which are all known
	inside  []*element // the same
	shaders int
}

func (m *regionMap) add(t token, kind diag.RegionKind, name string) {
	r := diag.Region{Off: t.start, Len: t.end - t.start, Kind: kind, Path: strings.Join(append(m.path[:len(m.path):len(m.path)], name), ".")}
	if kind == diag.FieldRegion {
		r.Value = diag.Quote([]byte(m.text[t.start:t.end]))
	}
	m.regions = append(m.regions, r)
}

func (m *regionMap) token(t token) {
	switch t.kind {
	case startTag, emptyTag:
		m.tag(t)
	case endTag:
		m.add(t, diag.FieldRegion, tokenNames[t.kind])
		m.path, m.inside = m.path[:len(m.path)-1], m.inside[:len(m.inside)-1]
	case charData:
		if strings.IndexFunc(m.text[t.start:t.end], notWhite) < 0 {
			m.add(t, diag.PaddingRegion, "white")
			return
		}
		m.add(t, diag.FieldRegion, tokenNames[t.kind])
	case comment, instruction:
		m.add(t, diag.OpaqueRegion, tokenNames[t.kind])
	default:
		m.add(t, diag.FieldRegion, tokenNames[t.kind])
	}
}

// tag adds the start of a known element, or all of another one.
func (m *regionMap) tag(t token) {
	known := rootElement
	if n := len(m.inside); n > 0 {
		known = m.inside[n-1].child(t.name)
	}
	if known == nil || known.opaque {
		m.skip(t)
		t.end = m.pos
		m.add(t, diag.OpaqueRegion, t.name)
		return
	}
	name := t.name
	if known == shaderCtr {
		name += "[" + strconv.Itoa(m.shaders) + "]"
		m.shaders++
	}
	m.path, m.inside = append(m.path, name), append(m.inside, known)
	m.add(t, diag.FieldRegion, tokenNames[t.kind])
	if t.kind == emptyTag {
		m.path, m.inside = m.path[:len(m.path)-1], m.inside[:len(m.inside)-1]
	}
}
