package bnsh

import (
	"bytes"
	"fmt"
	"slices"
)

// Replacement is new bytes for a stage with plain binary code. A nil slice keeps the bytes that the
// stage has.
type Replacement struct{ Code, Control []byte }

// Replace returns a file in which one stage has other bytes, and which shares all else with f. Other
// stages keep their code, also if it is shared. If a control of version 1.16 is kept, its word about
// the size of the code follows the new code.
//
// AppendBinary writes the bytes in place if there is room and no other stage shares them, else it
// lays the file out anew. Replace fails if there is no such stage, if its code is no plain binary
// code, or if a replacement is empty.
func (f *File) Replace(variation int, stage Stage, r Replacement) (*File, error) {
	c, err := f.Stage(variation, stage)
	if err != nil {
		return nil, err
	}
	if c.Program.form() != binaryForm {
		return nil, fmt.Errorf("bnsh: variation %d, %v: the code is %v, not plain binary", variation, stage,
			c.Program.CodeType)
	}
	code := *c.Code
	if r.Control != nil {
		if len(r.Control) == 0 {
			return nil, fmt.Errorf("bnsh: variation %d, %v: the new control is empty", variation, stage)
		}
		code.Control = bytes.Clone(r.Control)
	}
	if r.Code != nil {
		if len(r.Code) == 0 {
			return nil, fmt.Errorf("bnsh: variation %d, %v: the new code is empty", variation, stage)
		}
		old, size := uint32(len(code.Code)), uint32(len(r.Code))
		code.Code = bytes.Clone(r.Code)
		if r.Control == nil && old != size && knownControl(code.Control) &&
			le.Uint32(code.Control[codeSizeAt:]) == old {
			code.Control = bytes.Clone(code.Control)
			le.PutUint32(code.Control[codeSizeAt:], size)
		}
	}
	g := *f
	g.Variations = append([]Variation{}, f.Variations...)
	program := *c.Program
	program.Stages[stage] = &code
	*g.Variations[variation].slot(c.Slot) = &program
	return &g, nil
}

// Change is a number in which two files of one shape differ, or a run of records that moved by one
// distance.
type Change struct {
	Path  string `json:"path"` // of the first record of a run
	What  string `json:"what"` // offset, size, bytes, entries, index, structs, pointers or padding
	Count int    `json:"count"`
	Old   uint64 `json:"old"`
	New   uint64 `json:"new"`
}

// String returns "variations[0].binary.vertex.code: offset 0x1000, now 0x1100; 3 more moved as far".
func (c Change) String() string {
	s := fmt.Sprintf("%s: %s 0x%x, now 0x%x", c.Path, c.What, c.Old, c.New)
	if c.Count > 1 {
		s += fmt.Sprintf("; %d more moved as far", c.Count-1)
	}
	return s
}

// Changes returns in which offsets and sizes g differs from f, of which it is the result of
// [File.Replace], written and parsed again. It names each run of bytes without an owner that g has
// not, and each string and relocation with another place.
func (f *File) Changes(g *File) []Change {
	var l changes
	now := make(map[owner]span)
	for s := range g.spans(g.Layout, nil) {
		now[s.owner] = s
	}
	for s := range f.spans(f.Layout, nil) {
		n, found := now[s.owner]
		if !found { // an empty dictionary is not written again
			l.differ(s.owner.String(), "bytes", uint64(s.len), 0)
			continue
		}
		l.move(s.owner.String(), "offset", uint64(s.off), uint64(n.off))
		l.differ(s.owner.String(), "size", uint64(s.len), uint64(n.len))
	}
	before, after := f.Layout, g.Layout
	l.differ("container", "size", uint64(before.ContainerSize), uint64(after.ContainerSize))
	l.differ("pool.memory", "offset", uint64(before.Pool.Memory), uint64(after.Pool.Memory))
	l.differ("pool.memory", "size", uint64(before.Pool.Size), uint64(after.Pool.Size))
	l.differ("strings", "offset", uint64(before.Strings), uint64(after.Strings))
	l.differ("strings", "entries", uint64(len(before.StringPool)), uint64(len(after.StringPool)))
	l.strings(before.StringPool, after.StringPool)
	l.differ("relocation_table", "offset", uint64(before.Relocations), uint64(after.Relocations))
	for i := range after.Sections {
		l.section(fmt.Sprintf("relocation_table.sections[%d]", i), &before.Sections[i], &after.Sections[i])
	}
	for _, gap := range before.Gaps {
		kept := func(other Gap) bool { return other.Offset == gap.Offset && bytes.Equal(other.Bytes, gap.Bytes) }
		if !slices.ContainsFunc(after.Gaps, kept) {
			l.differ(fmt.Sprintf("gap at 0x%x", gap.Offset), "bytes", uint64(len(gap.Bytes)), 0)
		}
	}
	return l.list
}

// changes collects changes.
type changes struct {
	list []Change
	run  int // one more than the index of the run that may go on, or 0
}

func (l *changes) differ(path, what string, before, after uint64) {
	if before != after {
		l.list = append(l.list, Change{path, what, 1, before, after})
	}
}

// move is differ for one of a sequence of records: records that moved as far as the record in front make a run.
func (l *changes) move(path, what string, before, after uint64) {
	switch {
	case before == after:
		l.run = 0
	case l.run > 0 && l.list[l.run-1].New-l.list[l.run-1].Old == after-before:
		l.list[l.run-1].Count++
	default:
		l.differ(path, what, before, after)
		l.run = len(l.list)
	}
}

// strings compares the places of strings in the pool.
func (l *changes) strings(before, after []Text) {
	now := make(map[string]int, len(after))
	for i, text := range after {
		now[string(text)] = i
	}
	l.run = 0
	for i, text := range before {
		path := fmt.Sprintf("strings[%d]", i)
		if n, found := now[string(text)]; found {
			l.move(path, "index", uint64(i), uint64(n))
		} else {
			l.differ(path, "bytes", uint64(len(text)), 0)
		}
	}
}

// section compares a section. If the number of relocations stays, it names the relocations with another place.
func (l *changes) section(path string, before, after *Section) {
	l.differ(path, "offset", uint64(before.Position), uint64(after.Position))
	l.differ(path, "size", uint64(before.Size), uint64(after.Size))
	l.differ(path, "entries", uint64(len(before.Entries)), uint64(len(after.Entries)))
	if len(before.Entries) != len(after.Entries) {
		return
	}
	l.run = 0
	for i, old := range before.Entries {
		now, path := &after.Entries[i], fmt.Sprintf("%s.entries[%d]", path, i)
		l.move(path, "offset", uint64(old.Position), uint64(now.Position))
		l.differ(path, "structs", uint64(old.Structs), uint64(now.Structs))
		l.differ(path, "pointers", uint64(old.Pointers), uint64(now.Pointers))
		l.differ(path, "padding", uint64(old.Padding), uint64(now.Padding))
	}
}
