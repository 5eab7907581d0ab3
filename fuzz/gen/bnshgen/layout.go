package bnshgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// The sections of a relocation table that the faults speak of.
const (
	mainSection, objectSection, spareSection, spareSection2, codeSection, stringSection = 0, 1, 2, 3, 4, 5

	sectionsAt, sectionSize, entrySize = 0x10, 0x18, 8
)

// sectionAt returns where a section is in the file.
func (f *file) sectionAt(i int) int { return int(f.Layout.Relocations) + sectionsAt + sectionSize*i }

// entryAt returns the place of a relocation entry of a section.
func (f *file) entryAt(section, i int) gen.Place {
	path := fmt.Sprintf("relocation_table.sections[%d].entries[%d]", section, i)
	for _, s := range f.Layout.Sections[:section] {
		i += len(s.Entries)
	}
	return gen.Place{Off: f.sectionAt(len(f.Layout.Sections)) + entrySize*i, Len: entrySize, Path: path}
}

// Move moves everything from one offset on, up to another, by n bytes in the layout of a file.
func Move(f *bnsh.File, from, to, n uint32) {
	l := f.Layout
	moved := func(off uint32) uint32 {
		if off >= from && off < to {
			return off + n
		}
		return off
	}
	for off := range offsets(l) {
		*off = moved(*off)
	}
	for i := range l.Sections {
		s := &l.Sections[i]
		if i != mainSection {
			s.Position = moved(s.Position)
		}
		positions := expand(s.Entries)
		for k := range positions {
			positions[k] = moved(positions[k])
		}
		s.Entries = compress(positions)
	}
	objects := &l.Sections[objectSection]
	l.Sections[mainSection].Size = objects.Position
	for _, i := range []int{spareSection, spareSection2} {
		l.Sections[i].Position = objects.Position + objects.Size
	}
	l.ContainerSize = l.Strings - l.Container
}

// offsets yields the offsets of all records in a layout, without the entries of the relocation table.
func offsets(l *bnsh.Layout) func(yield func(*uint32) bool) {
	return func(yield func(*uint32) bool) {
		all := []*uint32{&l.Container, &l.Variations, &l.Pool.Record, &l.Pool.Object, &l.Pool.Memory, &l.Strings,
			&l.Relocations}
		for i := range l.Programs {
			p := &l.Programs[i]
			all = append(all, &p.Record, &p.Object, &p.Reflection)
			for _, c := range p.Stages {
				if c != nil {
					all = append(all, &c.Record, &c.Control, &c.Code)
				}
			}
			for _, r := range p.Reflections {
				if r != nil {
					all = append(all, &r.Record, &r.Extension, &r.Slots)
					for k := range r.Dictionaries {
						all = append(all, &r.Dictionaries[k].Offset)
					}
				}
			}
		}
		slices.Values(all)(yield)
	}
}

// expand returns the pointers that relocation entries cover, ascending.
func expand(entries []bnsh.RelocationEntry) (positions []uint32) {
	for _, e := range entries {
		for s := range uint32(e.Structs) {
			for n := range uint32(e.Pointers) {
				positions = append(positions, e.Position+8*(s*(uint32(e.Pointers)+uint32(e.Padding))+n))
			}
		}
	}
	slices.Sort(positions)
	return positions
}

// compress returns the entries that the official converter makes for pointers at
// ascending positions: a run, then as many runs of the same length and distance
// as follow, up to one that a longer run hides.
func compress(positions []uint32) (entries []bnsh.RelocationEntry) {
	at := func(i int) uint32 {
		if i < len(positions) {
			return positions[i]
		}
		return 0
	}
	for i := 0; i < len(positions); {
		run := 1
		for run < 0xFF && at(i+run) == at(i)+8*uint32(run) {
			run++
		}
		e := bnsh.RelocationEntry{Position: at(i), Structs: 1, Pointers: uint8(run)}
		stride := at(i+run) - at(i)
		for next := i + run; next < len(positions) && e.Structs < 0xFFFF && stride/8 <= uint32(run)+0xFF; next += run {
			p := e.Position + uint32(e.Structs)*stride
			isRun := true
			for n := range run {
				isRun = isRun && at(next+n) == p+8*uint32(n)
			}
			if !isRun || at(next+run) == p+8*uint32(run) {
				break
			}
			e.Structs++
			e.Padding = uint8(stride/8 - uint32(run))
		}
		entries = append(entries, e)
		i += run * int(e.Structs)
	}
	return entries
}
