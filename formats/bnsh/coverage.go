package bnsh

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// The sections of the relocation table: what the runtime may keep apart.
const (
	mainSection   = 0 // from the start of the file to the end of the memory pool's object
	objectSection = 1 // object memory of the programs
	spareSection  = 2 // empty, and so is the next
	spareSection2 = 3
	codeSection   = 4 // the memory pool
	stringSection = 5

	numSections = 6
)

func sectionPlace(l *Layout, i int, field string) diag.Place {
	off := uint64(l.Relocations) + relocationHeadSize + sectionSize*uint64(i)
	return sectionFields.At(off, diag.Path{Prefix: "relocation_table.", Table: "sections", Index: i, Field: field})
}

// sections reads the relocation table.
func (r *reader) sections() bool {
	t := uint64(r.layout.Relocations)
	count := owner{part: relocationPart}.place(t, "section_count")
	if n := r.U32(t + 8); n != numSections {
		return r.refuse("BNSH071", count, diag.Dec(numSections), diag.Value{N: uint64(n), Show: showSigned})
	}
	entries := t + relocationHeadSize + numSections*sectionSize
	if entries > r.Size() {
		return r.refuse("BNSH071", count, diag.Text("sections inside the file"), diag.Dec(numSections))
	}
	var total uint64
	for i := range r.layout.Sections {
		s := t + relocationHeadSize + sectionSize*uint64(i)
		first, n := uint64(r.U32(s+0x10)), r.U32(s+0x14)
		if int32(n) < 0 {
			return r.refuse("BNSH071", sectionPlace(r.layout, i, "count"), diag.AtLeast(0), diag.Value{N: uint64(n), Show: showSigned})
		}
		if first != total {
			return r.refuse("BNSH071", sectionPlace(r.layout, i, "first"), diag.Dec(total), diag.Value{N: first, Show: showSigned})
		}
		total += uint64(n)
	}
	if end := entries + relocationEntrySize*total; end != r.Size() {
		return r.refuse("BNSH071", sectionPlace(r.layout, numSections-1, "count"), diag.Value{Format: "entries up to 0x%x", N: r.Size()}, diag.Value{Format: "entries up to 0x%x", N: end})
	}
	for i := range r.layout.Sections {
		s := t + relocationHeadSize + sectionSize*uint64(i)
		n := relocationEntrySize * uint64(r.U32(s+0x14))
		r.layout.Sections[i] = Section{r.U32(s + 8), r.U32(s + 12), relocationEntries.Decode(r.Bytes(entries, n))}
		entries += n
	}
	return true
}

// objects returns the range that the object memory of all programs spans.
func (f *File) objects(l *Layout) (low, high uint64) {
	for p := range f.programs(l) {
		if p.ObjectSize == 0 {
			continue
		}
		off := uint64(p.layout.Object)
		if high == 0 || off < low {
			low = off
		}
		high = max(high, off+uint64(p.ObjectSize))
	}
	return low, high
}

// sectionRanges checks what each section spans.
func (r *reader) sectionRanges() bool {
	l := r.layout
	low, high := r.file.objects(l)
	if high == 0 {
		low = uint64(l.Sections[objectSection].Position)
	}
	want := [numSections]struct{ position, size uint64 }{
		mainSection:   {0, uint64(l.Sections[objectSection].Position)},
		objectSection: {low, max(high, low) - low},
		codeSection:   {uint64(l.Pool.Memory), uint64(l.Pool.Size)},
		stringSection: {uint64(l.Strings), r.pool.end - uint64(l.Strings)},
	}
	spare := []int{spareSection, spareSection2}
	if l.Pool.Record == 0 {
		spare = append(spare, codeSection)
		want[codeSection].position = uint64(l.Sections[codeSection].Position)
	}
	for i := range l.Sections {
		s := &l.Sections[i]
		at := func(field string) diag.Place { return sectionPlace(l, i, field) }
		if p := r.U64(at("pointer").Off); p != 0 {
			return r.refuse("BNSH072", at("pointer"), diag.Dec(0), diag.Hex(p))
		}
		if i == spareSection || i == spareSection2 {
			continue
		}
		if got := uint64(s.Position); got != want[i].position {
			return r.refuse("BNSH072", at("position"), diag.Hex(want[i].position), diag.Hex(got))
		}
		if got := uint64(s.Size); got != want[i].size {
			return r.refuse("BNSH072", at("size"), diag.Hex(want[i].size), diag.Hex(got))
		}
	}
	objects := &l.Sections[objectSection]
	end := uint64(objects.Position) + uint64(objects.Size)
	for _, i := range spare {
		s := &l.Sections[i]
		if uint64(s.Position) != end {
			r.Report("BNSH075", sectionPlace(l, i, "position"), diag.Hex(end), diag.Hex(uint64(s.Position)))
		}
		if s.Size != 0 {
			r.Report("BNSH075", sectionPlace(l, i, "size"), diag.Dec(0), diag.Hex(uint64(s.Size)))
		}
	}
	return true
}

// coverage checks that the relocation entries cover every pointer that is not
// null once, in the section its target is in, and nothing else.
func (r *reader) coverage() bool {
	covered := newBitmap(r.Size())
	start := uint64(r.layout.Relocations) + relocationHeadSize + numSections*sectionSize
	off := start
	for i := range r.layout.Sections {
		s := &r.layout.Sections[i]
		for k, e := range s.Entries {
			if !r.entry(e, s, covered, entryRef{off, i, k}) {
				return false
			}
			off += relocationEntrySize
		}
	}
	for i, word := range r.pointers {
		for p := range (bitmap{word &^ covered[i]}).all() {
			p += uint64(i) * 512
			if target := le.Uint64(r.B[p:]); target != 0 {
				return r.refuse("BNSH073", diag.Place{Off: p, Len: 8, Path: r.pathOf(p)}, diag.Text("a relocation entry for the pointer"), diag.Hex(target))
			}
		}
	}
	if !r.Strict() {
		r.compareEntries(start)
	}
	return true
}

// entryRef is a relocation entry's place.
type entryRef struct {
	off     uint64
	section int
	index   int
}

func (e entryRef) place(field string) diag.Place {
	return relocationEntryFields.At(e.off, diag.Path{Prefix: fmt.Sprintf("relocation_table.sections[%d].", e.section), Table: "entries", Index: e.index, Field: field})
}

// entry marks the pointers that one entry covers.
func (r *reader) entry(e RelocationEntry, s *Section, covered bitmap, ref entryRef) bool {
	if e.Structs == 0 {
		return r.refuse("BNSH073", ref.place("structs"), diag.AtLeast(1), diag.Dec(0))
	}
	if e.Pointers == 0 {
		return r.refuse("BNSH073", ref.place("pointers"), diag.AtLeast(1), diag.Dec(0))
	}
	for i := range uint64(e.Structs) {
		p := uint64(e.Position) + i*8*(uint64(e.Pointers)+uint64(e.Padding))
		for range e.Pointers {
			if !r.pointers.has(p) {
				return r.refuse("BNSH073", ref.place(""), diag.Text("pointers only"), diag.Value{Format: "no pointer at 0x%x", N: p})
			}
			if covered.has(p) {
				return r.refuse("BNSH073", ref.place(""), diag.Text("every pointer once"), diag.Value{Format: "0x%x again", N: p})
			}
			covered.set(p)
			switch target := le.Uint64(r.B[p:]); {
			case target == 0:
				r.Report("BNSH076", ref.place(""), diag.Text("no null"), diag.Value{Format: "null at 0x%x", N: p})
			case !s.holds(target):
				return r.refuse("BNSH073", ref.place(""), diag.Text("pointers into the section"),
					diag.Value{N: p<<32 | target&0xFFFFFFFF, Show: func(n uint64) string { return showHex(n&0xFFFFFFFF) + " at " + showHex(n>>32) }})
			}
			p += 8
		}
	}
	return true
}

// compareEntries compares the entries with those that the rule makes.
func (r *reader) compareEntries(off uint64) {
	want := relocations(r.B, r.pointers, &r.layout.Sections)
	for i := range r.layout.Sections {
		got := r.layout.Sections[i].Entries
		k := 0
		for k < len(got) && k < len(want[i]) && got[k] == want[i][k] {
			k++
		}
		switch {
		case k < len(got) && k < len(want[i]):
			at := entryRef{off + relocationEntrySize*uint64(k), i, k}
			r.Report("BNSH074", at.place(""), diag.Text(want[i][k].String()), diag.Text(got[k].String()))
		case len(got) != len(want[i]):
			r.Report("BNSH074", sectionPlace(r.layout, i, "count"), diag.Dec(uint64(len(want[i]))), diag.Dec(uint64(len(got))))
		}
		off += relocationEntrySize * uint64(len(got))
	}
}
