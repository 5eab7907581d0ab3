package gsh

import (
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// patchGap is the number of zeros behind a patch list in style N.
const patchGap = 8

// patchList reads words.
func patchList(b []byte) []uint32 {
	if len(b) == 0 {
		return nil
	}
	list := make([]uint32, len(b)/4)
	for i := range list {
		list[i] = binary.BigEndian.Uint32(b[4*i:])
	}
	return list
}

// Patches returns the patch list of a shader at a layout in a style.
func (s Style) Patches(l *gx2.Layout, t gx2.Type) []uint32 {
	pointers, names := l.AppendPointers(nil, t)
	return s.appendPatches(nil, t, pointers, names)
}

// appendPatches appends the patch list of a shader in a style. pointers are the offsets of its pointers; from index
// names on they are pointers to names.
func (s Style) appendPatches(list []uint32, t gx2.Type, pointers []uint32, names int) []uint32 {
	const nulls = 4 // at most, besides the nulls of empty tables
	list = slices.Grow(list, len(pointers)+nulls)
	tag := uint32(nameTag << tagShift)
	if s == StyleN {
		tag = dataTag << tagShift
		list = append(list, 0) // the program pointer
		if t == gx2.Geometry {
			list = append(list, 0)
		}
	}
	for _, at := range pointers[:names] {
		switch {
		case at > 0:
			list = append(list, dataTag<<tagShift|at)
		case s == StyleN:
			list = append(list, 0)
		}
	}
	for _, at := range pointers[names:] {
		list = append(list, tag|at)
	}
	if s == StyleN {
		list = append(list, 0, 0)
	}
	return list
}

// patches compares the patch list of shader i with the pointers: GSH053 to GSH057. broken says that the pointers are
// not known. It returns false after an error.
func (r *reader) patches(i int, s *Shader, broken bool) bool {
	record := &r.shaders[i]
	list := s.Slack.Patches
	names := 0
	r.pointers = r.pointers[:0]
	if !broken {
		r.pointers, names = s.Layout.AppendPointers(r.pointers, s.Type)
		if record.style, record.form = r.styleOf(list, s.Type, names); record.form {
			return true
		}
	}
	origin := r.places[record.header].data()
	first := diag.Place{Off: origin + uint64(s.Layout.Size), Len: 4 * uint64(len(list)),
		Path: diag.Path{Prefix: prefix(i), Field: "patches"}}
	p := patchCheck{reader: r, first: first, size: uint64(s.Layout.Size), broken: broken}
	p.named.reset(p.size)
	p.seen.reset(p.size)
	for _, at := range r.pointers {
		if at > 0 && at%4 == 0 {
			p.named.set(at)
		}
	}
	for k, patch := range list {
		p.patch(k, patch)
	}
	if !broken {
		p.missing(func(index int) diag.Place {
			if index < names {
				return s.Type.TablePointerPlace(index, origin, prefix(i))
			}
			return s.Layout.RecordPlace(index-names, origin, prefix(i), "name")
		})
		if !p.failed {
			r.Report("GSH057", first, diag.Text("the list of style D or N"), diag.Text("another"))
		}
	}
	return !p.failed
}

// styleOf returns the style of which a patch list is, word for word. No list with a
// pointer that a patch cannot name is of any.
func (r *reader) styleOf(list []uint32, t gx2.Type, names int) (style Style, ok bool) {
	if slices.ContainsFunc(r.pointers, func(at uint32) bool { return at%4 != 0 }) {
		return 0, false
	}
	for style := range numStyles {
		r.expected = style.appendPatches(r.expected[:0], t, r.pointers, names)
		if slices.Equal(list, r.expected) {
			return style, true
		}
	}
	return 0, false
}

// patchCheck is one patch list being checked.
type patchCheck struct {
	*reader
	first  diag.Place // of the list
	size   uint64     // of the data
	broken bool
	failed bool
}

func (p *patchCheck) fail(rule string, at diag.Place, expected, found diag.Value) {
	p.failed = true
	p.Report(rule, at, expected, found)
}

// patch checks word k of the list.
func (p *patchCheck) patch(k int, patch uint32) {
	if patch == 0 {
		return
	}
	at := p.first
	at.Off, at.Len, at.Path = at.Off+4*uint64(k), 4, at.Path.Entry(k)
	found := diag.Hex(uint64(patch))
	off, tag := patch&maxOffset, patch>>tagShift
	switch {
	case tag != dataTag && tag != nameTag:
		p.fail("GSH053", at, diag.Text("a tag of 0xD06 or 0xCA7"), found)
	case off%4 != 0 || uint64(off)+4 > p.size:
		p.fail("GSH054", at, diag.Value{Format: "a multiple of 4, at most 0x%x", N: p.size - 4}, found)
	case p.broken:
	case !p.named.has(off):
		p.fail("GSH055", at, diag.Text("a pointer to a table or a name"), found)
	case p.seen.has(off):
		p.fail("GSH056", at, diag.Text("each pointer once"), found)
	default:
		p.seen.set(off)
	}
}

// missing reports the first pointer that the list does not name.
func (p *patchCheck) missing(place func(index int) diag.Place) {
	first := -1
	for index, at := range p.pointers {
		if at > 0 && (at%4 != 0 || !p.seen.has(at)) && (first < 0 || at < p.pointers[first]) {
			first = index
		}
	}
	if first >= 0 {
		p.fail("GSH056", place(first), diag.Text("a patch"), diag.Text("none"))
	}
}

// bitmap has a bit for each word of a range of bytes.
type bitmap []uint64

// reset clears a bitmap for a range of size bytes.
func (m *bitmap) reset(size uint64) {
	n := int(size/4/64) + 1
	*m = slices.Grow((*m)[:0], n)[:n]
	clear(*m)
}

func (m bitmap) set(off uint32)      { m[off/4/64] |= 1 << (off / 4 % 64) }
func (m bitmap) has(off uint32) bool { return m[off/4/64]>>(off/4%64)&1 != 0 }
