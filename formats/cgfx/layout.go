package cgfx

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
)

// kind is what a span holds.
type kind uint8

const (
	headerSpan kind = iota
	dataSpan
	dictSpan
	objectSpan
	referenceSpan
	dvlbSpan
	commandSpan
	arraySpan
	programSpan
)

var kindNames = [...]string{"header", "data", "dict", "", "", "dvlb", "commands", "programs.pointers", "programs"}

// span is a part of the file with an owner: the shader, or -1. sub is which of
// several, or how many.
type span struct {
	off, len uint64
	kind     kind
	shader   int32
	sub      int32
}

func (s span) end() uint64 { return s.off + s.len }

// path names the span.
func (s span) path() diag.Path {
	switch s.kind {
	case headerSpan, dataSpan, dictSpan:
		return diag.Path{Field: kindNames[s.kind]}
	case commandSpan:
		return diag.Path{Prefix: shaderPrefix(int(s.shader)), Field: "commands_" + string('a'+rune(s.sub))}
	case programSpan:
		return diag.Path{Prefix: shaderPrefix(int(s.shader)), Table: kindNames[s.kind], Index: int(s.sub)}
	}
	return diag.Path{Prefix: shaderPrefix(int(s.shader)), Field: kindNames[s.kind]}
}

func (s span) place() diag.Place { return diag.Place{Off: s.off, Len: s.len, Path: s.path()} }

// span notes a part of the file. It reports whether it is worth reading.
func (r *reader) span(off, n uint64, k kind, shader, sub int) bool {
	r.filled += n
	r.spans = append(r.spans, span{off, n, k, int32(shader), int32(sub)})
	return !r.overfull()
}

// overfull reports whether the parts are larger than the file. Some of them
// overlap then, and the file will be refused for it: to read on would take time
// and memory out of proportion.
func (r *reader) overfull() bool { return r.filled > r.Size() }

// coverage looks for parts that overlap: CGFX018. It leaves the parts sorted.
func (r *reader) coverage() {
	slices.SortFunc(r.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.len, b.len), cmp.Compare(a.kind, b.kind), cmp.Compare(a.shader, b.shader), cmp.Compare(a.sub, b.sub))
	})
	last := r.spans[0] // the one that reaches farthest
	for _, s := range r.spans[1:] {
		if s.off < last.end() {
			r.Report("CGFX018", s.place(), diag.Value{Format: "start >= 0x%x", N: last.end()}, diag.Value{Format: "start 0x%x", N: s.off}, last.place())
		}
		if s.end() > last.end() {
			last = s
		}
	}
}

// Regions returns the owner of every byte of what AppendUnchecked writes, from
// the first to the last; those of a DVLB are its own, behind the path of its
// shader. It returns nil for what Parse would not accept.
func (f *File) Regions() []diag.Region {
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		return nil
	}
	r := newReader(b, diag.Strict(ruleSet))
	if r.walk(); r.Failed() {
		return nil
	}
	m := regionMap{reader: r, names: r.names()}
	for _, s := range r.spans {
		m.rest(int(s.off))
		m.span(s)
	}
	m.rest(int(r.Size()))
	if n := len(b) - m.end; n > 0 {
		m.add(diag.Region{Len: n, Kind: diag.GapRegion, Path: "tail"})
	}
	return m.regions
}

// names returns the names that are referred to, without their NULs, by offset
// and each range once.
func (r *reader) names() []text {
	list := slices.Clone(r.keys)
	for _, s := range r.spans {
		if s.kind == objectSpan {
			list = append(list, r.nameAt(s.off+0x0C))
		}
	}
	slices.SortFunc(list, func(a, b text) int { return cmp.Compare(a.at, b.at) })
	return slices.CompactFunc(list, func(a, b text) bool { return a.end() == b.end() })
}

// regionMap is the list being made; end is where it ends.
type regionMap struct {
	*reader
	names   []text
	regions []diag.Region
	end     int
}

func (m *regionMap) add(r diag.Region) {
	r.Off = m.end
	m.regions = append(m.regions, r)
	m.end += r.Len
}

func (m *regionMap) fields(fields diag.Struct, path diag.Path) {
	m.regions = fields.AppendRegions(m.regions, m.B, m.end, le, path.String()+".")
	m.end += int(fields.Size())
}

// span adds the leaves of a span that starts here.
func (m *regionMap) span(s span) {
	path := s.path()
	switch s.kind {
	case headerSpan:
		m.fields(headerFields, path)
		if n := int(s.end()) - m.end; n > 0 {
			m.add(diag.Region{Len: n, Kind: diag.OpaqueRegion, Path: "header.extra"})
		}
	case dataSpan:
		m.fields(dataFields, path)
		for k := range int(s.sub) {
			m.fields(pairFields, diag.Path{Prefix: "data.", Table: "kinds", Index: k})
		}
	case dictSpan:
		m.fields(dictFields, path)
		for k := range int(s.sub) + 1 {
			m.fields(nodeFields, diag.Path{Prefix: "dict.", Table: "nodes", Index: k})
		}
	case objectSpan:
		m.fields(objectFields, path)
	case referenceSpan:
		m.fields(referenceFields, path)
	case arraySpan:
		for k := range int(s.sub) {
			m.fields(pointerFields, diag.Path{Prefix: path.Prefix, Table: path.Field, Index: k})
		}
	case programSpan:
		m.fields(programFields, path)
	case commandSpan:
		m.add(diag.Region{Len: int(s.len), Kind: diag.OpaqueRegion, Path: path.String()})
	case dvlbSpan:
		m.dvlb(s)
	}
}

// dvlb adds the regions of a DVLB.
func (m *regionMap) dvlb(s span) {
	object := Object{DVLB: m.Bytes(s.off, s.len)}
	binary, err := object.Binary()
	if err != nil {
		m.add(diag.Region{Len: int(s.len), Kind: diag.OpaqueRegion, Path: s.path().String()})
		return
	}
	for _, r := range binary.Regions() {
		r.Path = dvlbPrefix(int(s.shader)) + r.Path
		for i := range r.Also {
			r.Also[i] = dvlbPrefix(int(s.shader)) + r.Also[i]
		}
		m.add(r)
	}
}

// rest adds the bytes up to end, which no span has: names, padding, and what is
// left. That may belong to content of another kind.
func (m *regionMap) rest(end int) {
	for m.end < end {
		for len(m.names) > 0 && int(m.names[0].end()) < m.end {
			m.names = m.names[1:]
		}
		if len(m.names) == 0 || int(m.names[0].at) >= end {
			m.unknown(end)
			return
		}
		name := m.names[0]
		m.names = m.names[1:]
		m.unknown(int(name.at))
		n := min(int(name.end())+1, end) - m.end
		m.add(diag.Region{Len: n, Path: "names[" + strconv.Itoa(m.end) + "]", Value: diag.Quote(name.b)})
	}
}

// unknown adds the bytes up to end as padding, gap, or content of another kind.
func (m *regionMap) unknown(end int) {
	if end <= m.end {
		return
	}
	r := diag.Region{Len: end - m.end, Kind: diag.GapRegion, Path: "gap"}
	switch {
	case r.Len < 4 && end%4 == 0 && isZero(m.B[m.end:end]):
		r.Kind, r.Path = diag.PaddingRegion, "padding"
	case m.other || m.U32(0x10) > 1:
		r.Kind, r.Path = diag.OpaqueRegion, "other"
	}
	m.add(r)
}
