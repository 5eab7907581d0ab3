package bnsh

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// The sections of the relocation table. The runtime may load each at an address
// of its own.
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
	return sectionRecord.At(off, diag.Path{Prefix: "relocation_table.", Table: "sections", Index: i, Field: field})
}

// sections reads the sections of the relocation table and, when their counts
// say where they are, the entries.
func (r *reader) sections() {
	t := uint64(r.layout.Relocations)
	count := owner{part: relocationPart}.place(t, "section_count")
	if n := r.U32(t + relocationCountAt); n != numSections {
		r.fail("BNSH071", count, diag.Dec(numSections), signed(int32(n)))
		return
	}
	entries := t + relocationHeadSize + numSections*sectionSize
	if entries > r.Size() {
		r.fail("BNSH071", count, diag.Text("sections inside the file"), diag.Dec(numSections))
		return
	}
	r.known |= knowSections
	var sections [numSections]sectionFields
	for i := range sections {
		sections[i].Section = &r.layout.Sections[i]
	}
	sectionRecord.Get(r.B[t+relocationHeadSize:], sections[:])
	var all, total uint64 // entries, by their counts and as the first entries correct them
	for i, s := range sections {
		first, n := uint64(uint32(s.first)), uint64(uint32(s.count))
		if s.count < 0 {
			r.fail("BNSH071", sectionPlace(r.layout, i, "count"), diag.AtLeast(0), signed(s.count))
			return
		}
		if first != total {
			r.fail("BNSH071", sectionPlace(r.layout, i, "first"), diag.Dec(total), signed(s.first))
			next := (r.Size() - entries) / relocationEntrySize
			if i+1 < numSections {
				next = uint64(uint32(sections[i+1].first))
			}
			if next == first+n {
				total = first // the count before is wrong, not this
			}
		}
		all, total = all+n, total+n
	}
	if end := entries + relocationEntrySize*total; end != r.Size() {
		r.fail("BNSH071", sectionPlace(r.layout, numSections-1, "count"),
			diag.Value{Format: "entries up to 0x%x", N: r.Size()}, diag.Value{Format: "entries up to 0x%x", N: end})
	}
	if entries+relocationEntrySize*all != r.Size() {
		return
	}
	r.known |= knowEntries
	for i, s := range sections {
		table := r.Bytes(entries, relocationEntrySize*uint64(s.count))
		relocationEntryRecord.CheckTable(r.Reporter, wire.LE(table), func(k int, field string) diag.Place {
			return entryRef{entries + relocationEntrySize*uint64(k), i, k}.place(field)
		})
		s.Entries = relocationEntryRecord.Decode(table)
		entries += uint64(len(table))
	}
}

// objects returns the range that the object memory of all programs spans.
func (f *File) objects(l *Layout) (low, high uint64) {
	for p := range f.programs(l) {
		off := uint64(p.layout.Object)
		if off == 0 {
			continue
		}
		if high == 0 || off < low {
			low = off
		}
		high = max(high, off+uint64(p.ObjectSize))
	}
	return low, high
}

// sectionRanges checks the position and the size of each section.
func (r *reader) sectionRanges() {
	l := r.layout
	want, known := r.wantedSections()
	for i := range l.Sections {
		s := &l.Sections[i]
		at := func(field string) diag.Place { return sectionPlace(l, i, field) }
		sectionRecord.Check(r.Reporter, r.View, at("").Off, at)
		if !known[i] {
			r.sectionError[i] = i != spareSection && i != spareSection2
			continue
		}
		if s.Position != want[i].Position {
			r.sectionError[i] = true
			r.fail("BNSH072", at("position"), diag.Hex(uint64(want[i].Position)), diag.Hex(uint64(s.Position)))
		}
		if s.Size != want[i].Size {
			r.sectionError[i] = true
			r.fail("BNSH072", at("size"), diag.Hex(uint64(want[i].Size)), diag.Hex(uint64(s.Size)))
		}
	}
	r.sectionError[mainSection] = r.sectionError[mainSection] || r.sectionError[objectSection]
	spare := []int{spareSection, spareSection2}
	if l.Pool.Record == 0 && !r.binary && r.complete(someForm) {
		spare = append(spare, codeSection)
	}
	objects := &l.Sections[objectSection]
	end := uint64(objects.Position) + uint64(objects.Size)
	if r.sectionError[objectSection] {
		return
	}
	for _, i := range spare {
		s := &l.Sections[i]
		if uint64(s.Position) != end {
			r.Report("BNSH075", sectionPlace(l, i, "position"), diag.Hex(end), diag.Hex(uint64(s.Position)))
		}
		if s.Size != 0 && i != codeSection {
			r.Report("BNSH075", sectionPlace(l, i, "size"), diag.Dec(0), diag.Hex(uint64(s.Size)))
		}
	}
}

// wantedSections returns the position and the size that each section must have,
// and for which sections they are known. The spare sections may be anywhere.
func (r *reader) wantedSections() (want [numSections]Section, known [numSections]bool) {
	l := r.layout
	want[mainSection].Size = l.Sections[objectSection].Position
	known[mainSection] = true
	low, high := r.file.objects(l)
	if high == 0 {
		low, high = uint64(l.Sections[objectSection].Position), uint64(l.Sections[objectSection].Position)
	}
	want[objectSection] = Section{Position: uint32(low), Size: uint32(high - low)}
	known[objectSection] = r.complete(someObject)
	switch {
	case l.Pool.Memory != 0:
		want[codeSection] = Section{Position: l.Pool.Memory, Size: l.Pool.Size}
		known[codeSection] = true
	case l.Pool.Record == 0 && !r.binary && r.complete(someForm):
		want[codeSection].Position = l.Sections[codeSection].Position
		known[codeSection] = true
	}
	want[stringSection] = Section{Position: l.Strings, Size: uint32(r.pool.end) - l.Strings}
	known[stringSection] = r.known&knowPool != 0 && !r.pool.open
	return want, known
}

// coverage checks that the relocation entries cover every pointer that is not
// null once, in the section its target is in, and nothing else.
func (r *reader) coverage() {
	start := uint64(r.layout.Relocations) + relocationHeadSize + numSections*sectionSize
	if !r.coversExactly() && !r.checkEntries(start) {
		return
	}
	if len(r.astray) == 0 && r.complete(somePointer) && !slices.Contains(r.sectionError[:], true) && !r.Strict() {
		r.compareEntries(start)
	}
}

// coversExactly reports whether the entries cover exactly the pointers of the file. It is the fast test for right files
// and does not find the fault of others.
func (r *reader) coversExactly() bool {
	left := slices.Clone(r.pointers)
	for i := range r.layout.Sections {
		s := &r.layout.Sections[i]
		for _, e := range s.Entries {
			if !r.takeEntry(left, e, s) {
				return false
			}
		}
	}
	for p := range left.all() {
		if le.Uint64(r.B[p:]) != 0 {
			return false
		}
	}
	return true
}

// takeEntry removes the pointers that an entry covers from left. It returns false when
// the entry covers none, or a position that is not in left, or a pointer that does not
// lead into the section.
func (r *reader) takeEntry(left bitmap, e RelocationEntry, s *Section) bool {
	step := 8 * (uint64(e.Pointers) + uint64(e.Padding))
	start, end := uint64(e.Position), uint64(e.Position)+step*uint64(e.Structs)
	for i := range uint64(e.Pointers) {
		if !r.takeRow(left, start+8*i, end, step, s) {
			return false
		}
	}
	return e.Structs > 0 && e.Pointers > 0
}

// takeRow removes the pointers at from, from+step and so on below to, like takeEntry.
func (r *reader) takeRow(left bitmap, from, to, step uint64, s *Section) bool {
	b := r.B
	for p := from; p < to; p += step {
		if !left.take(p) {
			return false
		}
		if target := le.Uint64(b[p:]); target == 0 || !s.contains(target) {
			return false
		}
	}
	return true
}

// checkEntries checks each entry alone, from the first one at off, and looks for pointers without an entry. It returns
// false after an error.
func (r *reader) checkEntries(off uint64) bool {
	covered, sound := newBitmap(r.Size()), true
	for i := range r.layout.Sections {
		for k, e := range r.layout.Sections[i].Entries {
			sound = r.entry(e, covered, entryRef{off, i, k}) && sound
			if off += relocationEntrySize; r.done() {
				return false
			}
		}
	}
	if !sound || !r.complete(someTarget) {
		return false // neither the pointers of a wrong entry nor the pointers of the file are known
	}
	for i, word := range r.pointers {
		for p := range (bitmap{word &^ covered[i]}).all() {
			p += uint64(i) * 512
			target := le.Uint64(r.B[p:])
			if target == 0 || r.astray[p] {
				continue
			}
			if sound = false; r.Full("BNSH073") {
				r.Count("BNSH073", 1)
				continue
			}
			r.fail("BNSH073", diag.Place{Off: p, Len: 8, Path: r.pathOf(p)},
				diag.Text("a relocation entry for the pointer"), diag.Hex(target))
			if r.done() {
				return false
			}
		}
	}
	return sound
}

// entryRef is a relocation entry's place.
type entryRef struct {
	off     uint64
	section int
	index   int
}

func (e entryRef) place(field string) diag.Place {
	return relocationEntryRecord.At(e.off, diag.Path{Prefix: fmt.Sprintf("relocation_table.sections[%d].", e.section),
		Table: "entries", Index: e.index, Field: field})
}

// entry marks the pointers that one entry covers, and reports its first
// fault.
func (r *reader) entry(e RelocationEntry, covered bitmap, ref entryRef) bool {
	if e.Structs == 0 {
		return r.fail("BNSH073", ref.place("structs"), diag.AtLeast(1), diag.Dec(0))
	}
	if e.Pointers == 0 {
		return r.fail("BNSH073", ref.place("pointers"), diag.AtLeast(1), diag.Dec(0))
	}
	for i := range uint64(e.Structs) {
		p := uint64(e.Position) + i*8*(uint64(e.Pointers)+uint64(e.Padding))
		for range e.Pointers {
			if !r.covers(p, covered, ref) {
				return false
			}
			p += 8
		}
	}
	return true
}

// covers marks the pointer at p, which an entry covers. When not all pointers
// are known any word of the file may be one.
func (r *reader) covers(p uint64, covered bitmap, ref entryRef) bool {
	isPointer := r.pointers.has(p)
	if !isPointer && (r.complete(somePointer) || p%8 != 0 || !r.Has(p, 8)) {
		return r.fail("BNSH073", ref.place(""), diag.Text("pointers only"),
			diag.Value{Format: "no pointer at 0x%x", N: p})
	}
	if covered.has(p) {
		return r.fail("BNSH073", ref.place(""), diag.Text("every pointer once"),
			diag.Value{Format: "0x%x again", N: p})
	}
	covered.set(p)
	if !isPointer || r.astray[p] || !r.complete(someTarget) {
		return true
	}
	switch target := le.Uint64(r.B[p:]); {
	case target == 0:
		r.Report("BNSH076", ref.place(""), diag.Text("no null"), diag.Value{Format: "null at 0x%x", N: p})
	case !r.sectionError[ref.section] && !r.layout.Sections[ref.section].contains(target):
		return r.fail("BNSH073", ref.place(""), diag.Text("pointers into the section"),
			diag.Value{N: p<<32 | target&0xFFFFFFFF,
				Show: func(n uint64) string { return wire.ShowHex(n&0xFFFFFFFF) + " at " + wire.ShowHex(n>>32) }})
	}
	return true
}

// compareEntries compares the entries with the entries that compress makes.
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
			r.Report("BNSH074", sectionPlace(r.layout, i, "count"), diag.Dec(uint64(len(want[i]))),
				diag.Dec(uint64(len(got))))
		}
		off += relocationEntrySize * uint64(len(got))
	}
}
