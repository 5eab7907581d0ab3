package shbin

import (
	"cmp"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Sizes of the headers.
const (
	libraryHeaderSize = 8 // and four bytes for each DVLE
	programHeaderSize = 0x28
	shortHeaderSize   = 0x1C // nihstro, Selena, Azahar's dump
	entryHeaderSize   = 0x40
)

// section is a kind of region of a file.
type section uint8

const (
	libraryHeader section = iota
	programHeader
	codeSection
	descriptorSection
	lineSection
	fileNameSection
	entryHeader
	constantSection // from here on in the order of a DVLE header
	labelSection
	outputSection
	uniformSection
	symbolSection

	firstTable = constantSection
	numTables  = 5
)

// sections gives each section its name in paths and the size of one of its
// entries; headers are sized on their own.
var sections = [...]struct {
	name string
	size uint64
}{
	libraryHeader:     {"dvlb", 0},
	programHeader:     {"dvlp", 0},
	codeSection:       {"code", 4},
	descriptorSection: {"descriptors", 8},
	lineSection:       {"lines", 8},
	fileNameSection:   {"file_names", 1},
	entryHeader:       {"", entryHeaderSize},
	constantSection:   {"constants", 0x14},
	labelSection:      {"labels", 0x10},
	outputSection:     {"outputs", 8},
	uniformSection:    {"uniforms", 8},
	symbolSection:     {"symbols", 1},
}

// bytes returns the size of a table of the section.
func (s section) bytes(x Extent) uint64 { return uint64(x.Count) * sections[s].size }

// span is one section at its place in the file.
type span struct {
	off, len uint64
	section  section
	entry    int32 // the DVLE it belongs to; -1 for those of the program
}

func (s span) end() uint64 { return s.off + s.len }

// shares reports whether two DVLEs have one table in common.
func (s span) shares(o span) bool {
	return s.off == o.off && s.len == o.len && s.section == o.section && s.section >= firstTable
}

// program returns the offset of the DVLP.
func (l *Layout) program() uint64 { return libraryHeaderSize + 4*uint64(len(l.Entries)) }

// programFields returns the field table of the DVLP header.
func (l *Layout) programFields() diag.Struct {
	if l.ShortHeader {
		return shortProgramFields
	}
	return programFields
}

// extents are the places of the tables of the DVLP, in header order.
func (l *Layout) extents() [4]*Extent {
	return [...]*Extent{&l.Code, &l.Descriptors, &l.Lines, &l.FileNames}
}

// spans returns every section that has bytes, by offset; tables that share
// their bytes are neighbours, in the order of their DVLEs. DVLEs that skip
// names are left out.
func (l *Layout) spans(skip func(entry int) bool) []span {
	n := 6
	for i := range l.Entries {
		n++
		for _, x := range l.Entries[i].Tables {
			if x.Count > 0 {
				n++
			}
		}
	}
	list := make([]span, 0, n)
	add := func(s section, entry int, off, size uint64) {
		if size > 0 {
			list = append(list, span{off, size, s, int32(entry)})
		}
	}
	p := l.program()
	add(libraryHeader, -1, 0, p)
	add(programHeader, -1, p, l.programFields().Size())
	for k, x := range l.extents() {
		s := codeSection + section(k)
		add(s, -1, p+uint64(x.Offset), s.bytes(*x))
	}
	for i := range l.Entries {
		if skip != nil && skip(i) {
			continue
		}
		e := &l.Entries[i]
		q := uint64(e.Offset)
		add(entryHeader, i, q, entryHeaderSize)
		for k, x := range e.Tables {
			s := firstTable + section(k)
			add(s, i, q+uint64(x.Offset), s.bytes(x))
		}
	}
	slices.SortFunc(list, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.len, b.len),
			cmp.Compare(a.section, b.section), cmp.Compare(a.entry, b.entry))
	})
	return list
}
