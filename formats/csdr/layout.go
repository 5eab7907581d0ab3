package csdr

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

func mapOf(b []byte) *regionMap {
	text := string(b)
	m := &regionMap{scanner: scanner{text: text}}
	if strings.HasPrefix(text, byteOrderMark) {
		m.pos, m.first = len(byteOrderMark), len(byteOrderMark)
		m.add(token{end: m.pos}, diag.OpaqueRegion, "byte_order_mark")
	}
	for m.err == nil {
		t, ok := m.next()
		if !ok {
			m.pos = t.start
			break
		}
		m.token(t)
	}
	if m.pos < len(text) {
		m.add(token{start: m.pos, end: len(text)}, diag.OpaqueRegion, "unread")
	}
	return m
}

// regionMap builds the regions of a text.
type regionMap struct {
	scanner
	regions []diag.Region
	path    []string   // of the open elements, which are all known
	inside  []*element // the same
	shaders int
	base64  map[int][]int // by shader: the offset of each character of its Base64, and the end
}

func (m *regionMap) add(t token, kind diag.RegionKind, name string) {
	r := diag.Region{Off: t.start, Len: t.end - t.start, Kind: kind,
		Path: strings.Join(append(m.path[:len(m.path):len(m.path)], name), ".")}
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
		} else if n := len(m.inside); n == 0 || m.inside[n-1] != binaryData || !m.binary(t) {
			m.add(t, diag.FieldRegion, tokenNames[t.kind])
		}
	case comment, instruction:
		m.add(t, diag.OpaqueRegion, tokenNames[t.kind])
	default:
		m.add(t, diag.FieldRegion, tokenNames[t.kind])
	}
}

// tag adds the start of a known element, or all of another one.
func (m *regionMap) tag(t token) {
	known := &document
	if n := len(m.inside); n > 0 {
		known = m.inside[n-1]
	}
	known = known.child(t.name)
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

// binary adds Base64 as the regions of the DVLB that it encodes, up to the
// first error; a character belongs to the byte that has its first bit. It
// returns false when no byte can be decoded.
func (m *regionMap) binary(t token) bool {
	var (
		chars  []byte // without white space
		places []int  // of the characters in the text
	)
	for i := t.start; i < t.end; i++ {
		if c := m.text[i]; !isWhite(c) {
			chars, places = append(chars, c), append(places, i)
		}
	}
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(chars)))
	n, err := base64.StdEncoding.Decode(decoded, chars)
	if n == 0 {
		return false
	}
	if places[0] > t.start {
		m.add(token{start: t.start, end: places[0]}, diag.PaddingRegion, "white")
	}
	if m.base64 == nil {
		m.base64 = make(map[int][]int)
	}
	if shader := m.shaders - 1; m.base64[shader] == nil {
		m.base64[shader] = append(places, t.end)
	}
	prefix := shaderPrefix(m.shaders-1) + decodedPath
	from := places[0]
	for _, r := range shbin.Outline(decoded[:n]).Regions {
		to := t.end
		if after := r.Off + r.Len; after < n || err != nil {
			to = places[firstCharacter(after)]
		}
		r.Off, r.Len, r.Path = from, to-from, prefix+r.Path
		for i := range r.Also {
			r.Also[i] = prefix + r.Also[i]
		}
		m.regions = append(m.regions, r)
		from = to
	}
	if from < t.end {
		m.add(token{start: from, end: t.end}, diag.FieldRegion, tokenNames[charData])
	}
	return true
}

// firstCharacter returns the index of the Base64 character that has the first
// bit of a decoded byte.
func firstCharacter(decoded int) int { return (4*decoded + 2) / 3 }

// place moves a finding about decoded bytes to the Base64 that encodes them.
// The place in the decoded bytes becomes the last of Related.
func (m *regionMap) place(f *diag.Finding) {
	index, inner, decoded := strings.Cut(strings.TrimPrefix(f.Path, "shaders["), "]."+decodedPath)
	shader, err := strconv.Atoi(index)
	places := m.base64[shader]
	if !decoded || err != nil || places == nil {
		return
	}
	f.Related = append(f.Related, diag.Related{Off: f.Off, Len: f.Len, Path: inner})
	at := func(off int) int { return places[min(firstCharacter(off), len(places)-1)] }
	from, to := at(f.Off), at(f.Off+f.Len)
	f.Off, f.Len = from, to-from
}
