package bnshgen

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

const (
	sections = "relocation_table.sections[*]"
	entries  = sections + ".entries[*]"
)

// ofSection are fields of one section.
func ofSection(i string, fields ...string) (patterns []string) {
	for _, field := range fields {
		patterns = append(patterns, "relocation_table.sections["+i+"]."+field)
	}
	return patterns
}

// relocationFaults break the rules of the relocation table.
var relocationFaults = []fault{
	{"BNSH070", nil, set(gen.Between(1, 7).Added, "header.relocation_table"), nil},
	{"BNSH070", nil, set(inStrings, "header.relocation_table"), nil},
	{"BNSH070", nil, set(behind(0x10), "header.relocation_table"), nil},
	{"BNSH070", nil, set(gen.Other, "relocation_table.signature", "relocation_table.offset"), nil},
	{"BNSH070", nil, nonzeroField("relocation_table.reserved"), nil},
	{"BNSH071", nil, set(gen.Other, "relocation_table.section_count"), nil},
	{"BNSH071", nil, cutSections, nil},
	{"BNSH071", nil, cutEntries, nil},
	{"BNSH071", nil, set(gen.Above(1<<31-1), sections+".count"), nil},
	{"BNSH071", nil, set(gen.Other, sections+".first"), nil},
	{"BNSH071", nil, otherCount, nil},
	{"BNSH072", nil, set(gen.Other, sections+".pointer"), nil},
	{"BNSH072", nil, set(gen.Other, ofSection("0", "position", "size")...), nil},
	{"BNSH072", object, objectsElsewhere, []string{"BNSH072"}},
	{"BNSH072", nil, set(gen.Other, ofSection("1", "size")...), nil},
	{"BNSH072", object, set(gen.Other, ofSection("1", "size")...), nil},
	{"BNSH072", nil, set(gen.Other, ofSection("4", "position", "size")...), nil},
	{"BNSH072", needs(empty, inZlib), set(gen.Other, ofSection("4", "size")...), packed},
	{"BNSH072", nil, set(gen.Other, ofSection("5", "position", "size")...), nil},
	{"BNSH073", keyed, set(gen.OneOf(0), entries+".structs", entries+".pointers"), nil},
	{"BNSH073", keyed, ofRecord(entrySize, set(noPointer, entries+".position")), nil},
	{"BNSH073", needs(onlyValid, keyed), coveredTwice, nil},
	{"BNSH073", needs(onlyValid, keyed), uncovered, nil},
	{"BNSH073", needs(onlyValid, keyed), otherSection, nil},
	{"BNSH074", needs(onlyValid, keyed), splitEntry, notCanonical},
	{"BNSH074", keyed, paddedEntry, notCanonical},
	{"BNSH074", keyed, swappedEntries, notCanonical},
	{"BNSH075", nil, set(gen.Other, ofSection("2", "position", "size")...), notCanonical},
	{"BNSH075", object, set(gen.Other, ofSection("3", "position", "size")...), notCanonical},
	{"BNSH075", needs(empty, inZlib), set(gen.Other, ofSection("4", "position")...), append(notCanonical, packed...)},
	// The converter makes no entry for a null pointer.
	{"BNSH076", onlyValid, nullCovered, append(notCanonical, "BNSH074")},
}

// inStrings draws a multiple of 8 in front of the first string.
func inStrings(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return gen.Between(0, uint64(d.Off("strings.signature")+stringsHead-1)/8).Times(8)(c, d, r)
}

// cutSections ends the file within the sections.
func cutSections(f *file) gen.Place {
	return f.cut(f.sectionAt(0)+f.Below(len(f.Layout.Sections)*sectionSize), "relocation_table.section_count")
}

// cutEntries ends the file before the end of the entries.
func cutEntries(f *file) gen.Place {
	return f.cut(len(f.Bytes)-1-f.Below(entrySize), "relocation_table.sections[5].count")
}

// cut ends the file at an offset, and says so in the header.
func (f *file) cut(at int, reported string) gen.Place {
	f.Bytes = f.Cut(f.Bytes, at)
	f.set(f.Field("header.file_size"), gen.OneOf(uint64(at)))
	return f.field(reported)
}

// otherCount changes the number of entries of a section, so that the first entry of the next section is wrong.
func otherCount(f *file) gen.Place {
	counts := f.fields(sections + ".count")
	i := f.Below(len(counts))
	at := f.set(counts[i], gen.Between(0, 1<<16))
	if i+1 < len(counts) {
		at = f.fields(sections + ".first")[i+1]
	}
	return at
}

// objectsElsewhere moves the section of object memory. The section in front of it keeps its end, or ends at the new
// place.
func objectsElsewhere(f *file) gen.Place {
	position, size := f.field(ofSection("1", "position")[0]), f.field(ofSection("0", "size")[0])
	f.set(position, gen.Other)
	if f.Bits(1) != 0 {
		return size
	}
	f.set(size, gen.OneOf(f.Number(position)))
	return position
}

// noPointer draws an offset at which no pointer is.
func noPointer(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	v := d.Number(r)
	return gen.Pick(c,
		[]uint64{0, v + 1, v + 4, v - 4, uint64(d.Off("strings.signature")), d.Get("header.relocation_table"),
			uint64(len(d.Bytes)+7) &^ 7, gen.Largest(r.Len) &^ 7})
}

// covering draws a section that has entries.
func (f *file) covering() int {
	var with []int
	for i, s := range f.Layout.Sections {
		if len(s.Entries) > 0 {
			with = append(with, i)
		}
	}
	return gen.Pick(f.Choices, with)
}

// appendEntry adds an entry for one pointer to a section and returns where.
func (f *file) appendEntry(section int, position uint32) gen.Place {
	s := &f.Layout.Sections[section]
	s.Entries = append(s.Entries, bnsh.RelocationEntry{Position: position, Structs: 1, Pointers: 1})
	f.rewrite()
	return f.entryAt(section, len(s.Entries)-1)
}

// coveredTwice adds an entry for a pointer that has one.
func coveredTwice(f *file) gen.Place {
	i := f.covering()
	return f.appendEntry(i, gen.Pick(f.Choices, expand(f.Layout.Sections[i].Entries)))
}

// uncovered leaves out a pointer.
func uncovered(f *file) gen.Place {
	s := &f.Layout.Sections[f.covering()]
	positions := expand(s.Entries)
	i := f.Below(len(positions))
	p := positions[i]
	s.Entries = compress(slices.Delete(positions, i, i+1))
	f.rewrite()
	return f.FieldAt(int(p))
}

// otherSection puts an entry into another section.
func otherSection(f *file) gen.Place {
	from := f.covering()
	to := (from + 1 + f.Below(len(f.Layout.Sections)-1)) % len(f.Layout.Sections)
	a, b := &f.Layout.Sections[from], &f.Layout.Sections[to]
	i := f.Below(len(a.Entries))
	b.Entries = append(b.Entries, a.Entries[i])
	a.Entries = slices.Delete(a.Entries, i, i+1)
	f.rewrite()
	return f.entryAt(to, len(b.Entries)-1)
}

// entryRef is a relocation entry of a section.
type entryRef struct{ section, index int }

// pickEntry draws an entry that fits, of which there must be one.
func (f *file) pickEntry(fits func(e bnsh.RelocationEntry) bool) entryRef {
	var found []entryRef
	for i, s := range f.Layout.Sections {
		for k, e := range s.Entries {
			if fits(e) {
				found = append(found, entryRef{i, k})
			}
		}
	}
	return gen.Pick(f.Choices, found)
}

// splitEntry makes two of an entry.
func splitEntry(f *file) gen.Place {
	at := f.pickEntry(func(e bnsh.RelocationEntry) bool { return e.Structs > 1 || e.Pointers > 1 })
	s := &f.Layout.Sections[at.section]
	e := &s.Entries[at.index]
	rest := *e
	if e.Structs > 1 {
		e.Structs = uint16(1 + f.Below(int(rest.Structs)-1))
		rest.Position += 8 * uint32(e.Structs) * (uint32(e.Pointers) + uint32(e.Padding))
		rest.Structs -= e.Structs
	} else {
		e.Pointers = uint8(1 + f.Below(int(rest.Pointers)-1))
		rest.Position += 8 * uint32(e.Pointers)
		rest.Pointers -= e.Pointers
	}
	s.Entries = slices.Insert(s.Entries, at.index+1, rest)
	f.rewrite()
	return f.entryAt(at.section, at.index)
}

// paddedEntry gives an entry that covers one structure another padding.
func paddedEntry(f *file) gen.Place {
	at := f.pickEntry(func(e bnsh.RelocationEntry) bool { return e.Structs == 1 })
	e := &f.Layout.Sections[at.section].Entries[at.index]
	e.Padding ^= uint8(gen.Only(f.Choices, 1+f.Below(0xFF), 0))
	f.rewrite()
	return f.entryAt(at.section, at.index)
}

// swappedEntries swaps two entries of the main section.
func swappedEntries(f *file) gen.Place {
	all := f.Layout.Sections[mainSection].Entries
	i := f.Below(len(all) - 1)
	n := i + gen.Only(f.Choices, 1+f.Below(len(all)-i-1), 0)
	all[i], all[n] = all[n], all[i]
	f.rewrite()
	return f.entryAt(mainSection, i)
}

// nullCovered adds an entry for a pointer that is null.
func nullCovered(f *file) gen.Place {
	var null []uint32
	for _, r := range f.Draft.Regions {
		if r.Off < int(f.Layout.Strings) && strings.HasSuffix(r.Path, ".pointer") && le.Uint64(f.Bytes[r.Off:]) == 0 {
			null = append(null, uint32(r.Off))
		}
	}
	return f.appendEntry(f.Below(len(f.Layout.Sections)), gen.Pick(f.Choices, null))
}
