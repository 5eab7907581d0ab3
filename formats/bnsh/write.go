package bnsh

import (
	"io"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// AppendBinary appends the file to b: at its stored layout, which gives back
// the bytes it was parsed from, or in the canonical layout when it has none or
// when it no longer has the content for it, as when something was added,
// removed, renamed or made larger, or when two stages that share code no longer
// have the same.
//
// Parse makes an equal model of the written bytes. When no layout can hold the
// model, b is returned unchanged and the error wraps diag.ErrInvalid; it is a
// *diag.InvalidError if a rule is broken.
func (f *File) AppendBinary(b []byte) ([]byte, error) {
	out, err := shell.AppendBinary(f, b)
	if err != nil && f.fits(f.Layout) {
		return shell.AppendBinary(f.Canonical(), b)
	}
	return out, err
}

// AppendUnchecked is AppendBinary without the check that Parse accepts the
// bytes. It serves to build malformed files.
func (f *File) AppendUnchecked(b []byte) ([]byte, error) {
	_, out, err := f.compose(b)
	return out, err
}

// Size returns how many bytes of AppendUnchecked are in front of the relocation
// table; 0 if it fails. It writes nothing: a model of a few bytes can ask for
// gigabytes of object memory, and a caller can refuse that first.
func (f *File) Size() uint64 {
	layout, _, err := f.place()
	if err != nil {
		return 0
	}
	return uint64(layout.Relocations)
}

// place returns the layout that the file is written in.
func (f *File) place() (layout *Layout, canonical bool, err error) {
	if layout = f.Layout; !f.fits(layout) {
		canonical = true
		if layout, err = f.canonicalLayout(); err != nil {
			return nil, true, err
		}
	}
	return layout, canonical, f.sound(layout)
}

// compose appends the file to b and returns the layout it has there.
func (f *File) compose(b []byte) (*Layout, []byte, error) {
	layout, canonical, err := f.place()
	if err != nil {
		return nil, b, err
	}
	start, size := len(b), int(layout.Relocations)
	out := slices.Grow(b, size+size/64)[:start+size]
	clear(out[start:])
	w := &writer{View: wire.LE(out[start:]), file: f, layout: layout}
	if canonical {
		w.pointers = newBitmap(uint64(size))
	}
	w.write()
	if canonical {
		for i, entries := range relocations(w.B, w.pointers, &layout.Sections) {
			layout.Sections[i].Entries = entries
		}
	}
	return layout, layout.appendRelocations(out, start), nil
}

// MarshalBinary is AppendBinary to a slice of its own.
func (f *File) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// Write writes the bytes of AppendBinary to w.
func Write(w io.Writer, f *File) error { return wire.Write(w, f) }

// fits reports whether a layout has the shape of the file.
func (f *File) fits(l *Layout) bool {
	if l == nil {
		return false
	}
	programs := l.Programs
	for i := range f.Variations {
		for slot := range Slot(NumSlots) {
			p := f.Variations[i].Program(slot)
			if p == nil {
				continue
			}
			if len(programs) == 0 || !p.fits(&programs[0]) {
				return false
			}
			programs = programs[1:]
		}
	}
	return len(programs) == 0 && int(l.Name) < len(l.StringPool) && l.StringPool[l.Name] == f.Name &&
		(l.Pool.Record != 0) == (f.PoolProperty != nil)
}

func (p *Program) fits(l *ProgramLayout) bool {
	for s, code := range p.Stages {
		if at := l.Stages[s]; (at != nil) != (code != nil) ||
			at != nil && p.form() == textForm && len(at.Texts) != len(code.Texts) {
			return false
		}
	}
	if (l.Reflection != 0) != (p.Reflection != nil) {
		return false
	}
	for s, at := range l.Reflections {
		switch {
		case at == nil && (p.Reflection == nil || p.Reflection[s] == nil):
		case at == nil || p.Reflection == nil || p.Reflection[s] == nil || !p.Reflection[s].fits(at):
			return false
		}
	}
	return true
}

func (s *StageReflection) fits(l *StageReflectionLayout) bool {
	for k, d := range l.Dictionaries {
		switch n := len(s.Tables[k].Keys); {
		case n == 0 && d.Offset == 0:
		case len(d.Nodes) != n+1:
			return false
		}
	}
	return (l.Extension != 0) == s.Extended && (l.Slots != 0) == (len(s.Slots) > 0)
}
