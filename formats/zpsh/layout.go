package zpsh

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// Sizes in bytes, and the limits of the fields that hold them.
const (
	shortHeaderSize = 12 // R3; longer in later revisions
	entrySize3      = 28
	entrySize4      = 32

	storedEntryWords = 4 // what zitrus stores as the size of an R4 entry header
	rightEntryWords  = entrySize4 / 4

	maxEntries = 1<<12 - 1
	maxStrings = 4 * (1<<16 - 1)
)

// entrySize returns the size of an entry header.
func (r Revision) entrySize() uint64 {
	if r.hasTable() {
		return entrySize4
	}
	return entrySize3
}

// places are the offsets of the sections in the file.
type places struct {
	offsets, code, descriptors, strings, area uint64
}

// place lays out the sections: numbers of entries, instructions, descriptors
// and bytes of strings.
func (r Revision) place(entries, instructions, descriptors, strings uint64) (p places) {
	p.offsets = 4 * uint64(r)
	p.code = p.offsets
	if r.hasTable() {
		p.code += 4 * entries
	}
	p.descriptors = p.code + 4*instructions
	p.strings = p.descriptors + 4*descriptors
	p.area = p.strings + strings
	return p
}

// place lays out the sections of a model.
func (f *File) place() places {
	return f.Revision.place(uint64(len(f.Entries)), uint64(len(f.Code)), uint64(len(f.Descriptors)), uint64(len(f.Strings)))
}

// Regions returns the owner of every byte of what AppendUnchecked writes, from
// the first to the last; nil when it writes nothing.
func (f *File) Regions() []diag.Region {
	b, err := f.AppendUnchecked(nil)
	if err != nil {
		return nil
	}
	m := regionMap{bytes: b}
	p := f.place()
	m.fields(headerFields, diag.Path{Field: "header"})
	if f.Revision.hasTable() {
		m.fields(hashFields, diag.Path{Field: "header"})
		m.run(int(p.offsets)-m.end, diag.OpaqueRegion, "header.extra")
		m.words(wordFields, p.code, "entry_offsets")
	}
	m.words(shbin.WordFields, p.descriptors, "code")
	m.words(wordFields, p.strings, "descriptors")
	m.strings(int(p.area))
	gaps := f.layout().Gaps
	for i := range f.Entries {
		if len(gaps) > 0 && gaps[0].Entry == i {
			m.run(len(gaps[0].Bytes), diag.GapRegion, "gap")
			gaps = gaps[1:]
		}
		m.entry(f, i)
	}
	m.run(len(b)-m.end, diag.GapRegion, "tail")
	return m.regions
}

// regionMap is the list being made; end is where it ends.
type regionMap struct {
	bytes   []byte
	regions []diag.Region
	end     int
}

// run adds a region of n bytes, unless n is 0.
func (m *regionMap) run(n int, kind diag.RegionKind, path string) *diag.Region {
	if n == 0 {
		return nil
	}
	m.regions = append(m.regions, diag.Region{Off: m.end, Len: n, Kind: kind, Path: path})
	m.end += n
	return &m.regions[len(m.regions)-1]
}

func (m *regionMap) fields(fields diag.Struct, path diag.Path) {
	m.regions = fields.AppendRegions(m.regions, m.bytes, m.end, le, path.String()+".")
	m.end += int(fields.Size())
}

// words adds a table of words that ends at end.
func (m *regionMap) words(fields diag.Struct, end uint64, table string) {
	for i := 0; m.end < int(end); i++ {
		m.fields(fields, diag.Path{Table: table, Index: i})
	}
}

// strings adds the strings, each with its NUL; the path has the offset by which
// entries refer to it. Zeros at the end are padding.
func (m *regionMap) strings(end int) {
	start := m.end
	for m.end < end {
		n, kind := nameRun(m.bytes[m.end:end])
		path := diag.Path{Table: "strings", Index: m.end - start}
		text := m.bytes[m.end : m.end+n]
		r := m.run(n, kind, path.String())
		if kind == diag.FieldRegion {
			r.Value = diag.Quote(text[:n-1])
		}
	}
}

// nameRun measures the first region of a rest of the strings: one name with its
// NUL, the padding at the end, or bytes that no NUL ends.
func nameRun(b []byte) (int, diag.RegionKind) {
	if len(b) < 4 && isZero(b) {
		return len(b), diag.PaddingRegion
	}
	for i, c := range b {
		if c == 0 {
			return i + 1, diag.FieldRegion
		}
	}
	return len(b), diag.OpaqueRegion
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// entry adds the header and the payload of entry i.
func (m *regionMap) entry(f *File, i int) {
	path := diag.Path{Table: "entries", Index: i}
	m.fields(f.Revision.entryFields(), path)
	e := &f.Entries[i]
	item := func(table string, register uint8) diag.Path {
		return diag.Path{Prefix: path.String() + ".", Table: table, Index: int(register)}
	}
	for _, v := range e.Ints {
		m.fields(intFields, item("ints", v.Register))
	}
	for _, v := range e.Floats {
		m.run(floats.Size, diag.FieldRegion, item("floats", v.Register).String()).Value = showFloat(v.Value)
	}
	for _, v := range e.Outputs {
		m.fields(mapFields, item("outputs", v.Register))
	}
}
