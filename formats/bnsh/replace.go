package bnsh

import (
	"bytes"
	"fmt"
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
	What  string `json:"what"` // offset, size, bytes or entries
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
// [File.Replace], written and parsed again.
func (f *File) Changes(g *File) (list []Change) {
	differ := func(path, what string, before, after uint64) {
		if before != after {
			list = append(list, Change{path, what, 1, before, after})
		}
	}
	now := make(map[owner]span)
	for s := range g.spans(g.Layout, nil) {
		now[s.owner] = s
	}
	run := -1
	for s := range f.spans(f.Layout, nil) {
		n, found := now[s.owner]
		switch {
		case !found: // an empty dictionary is not written again
			differ(s.owner.String(), "bytes", uint64(s.len), 0)
			continue
		case n.off == s.off:
			run = -1
		case run >= 0 && list[run].New-list[run].Old == uint64(n.off)-uint64(s.off):
			list[run].Count++
		default:
			run = len(list)
			differ(s.owner.String(), "offset", uint64(s.off), uint64(n.off))
		}
		differ(s.owner.String(), "size", uint64(s.len), uint64(n.len))
	}
	old, l := f.Layout, g.Layout
	differ("container", "size", uint64(old.ContainerSize), uint64(l.ContainerSize))
	differ("pool.memory", "offset", uint64(old.Pool.Memory), uint64(l.Pool.Memory))
	differ("pool.memory", "size", uint64(old.Pool.Size), uint64(l.Pool.Size))
	differ("strings", "offset", uint64(old.Strings), uint64(l.Strings))
	differ("strings", "entries", uint64(len(old.StringPool)), uint64(len(l.StringPool)))
	differ("relocation_table", "offset", uint64(old.Relocations), uint64(l.Relocations))
	for i := range l.Sections {
		before, after := &old.Sections[i], &l.Sections[i]
		path := fmt.Sprintf("relocation_table.sections[%d]", i)
		differ(path, "offset", uint64(before.Position), uint64(after.Position))
		differ(path, "size", uint64(before.Size), uint64(after.Size))
		differ(path, "entries", uint64(len(before.Entries)), uint64(len(after.Entries)))
	}
	differ("gaps", "bytes", gapBytes(old.Gaps), gapBytes(l.Gaps))
	return list
}

// gapBytes returns the number of bytes that belong to no structure.
func gapBytes(gaps []Gap) (n uint64) {
	for _, g := range gaps {
		n += uint64(len(g.Bytes))
	}
	return n
}
