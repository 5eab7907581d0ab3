package zpsh

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// File is a program and its entry points. Raw bytes of a parsed file are sub-slices of
// one private copy of the input.
type File struct {
	Revision    Revision `json:"revision"`
	Flags       uint8    `json:"flags,omitempty"` // reserved
	Code        []uint32 `json:"code"`
	Descriptors []uint32 `json:"descriptors"`
	// Strings holds the NUL-terminated names of the entries; its length is a multiple
	// of 4. Names may share bytes, and some bytes may belong to no name.
	Strings wire.Hex `json:"strings"`
	Entries []Entry  `json:"entries"`
	// Leniencies lists the options that Parse needed to accept the file.
	Leniencies []Option `json:"leniencies,omitempty"`
	// Layout holds the rest of a parsed file; nil if the file was not parsed.
	Layout *Layout `json:"layout,omitempty"`
}

// Entry is an entry point with its constants and the semantics of its outputs. The
// lists are in ascending order of registers.
type Entry struct {
	Name        uint32 `json:"name"` // offset in Strings
	Instruction uint16 `json:"instruction"`
	Info        Info   `json:"info"`
	R4Header
	Bools  uint16  `json:"bools"` // bit i is the value of b(i)
	Ints   []Int   `json:"ints,omitempty"`
	Floats []Float `json:"floats,omitempty"`
	// OutputReserved is the upper half of the output mask; zitrus does not
	// initialise it.
	OutputReserved uint16   `json:"output_reserved,omitempty"`
	Outputs        []Output `json:"outputs,omitempty"`
}

// R4Header holds the fields that an entry header has in R4 only.
type R4Header struct {
	Flags       uint16 `json:"flags,omitempty"`        // reserved
	HeaderWords uint16 `json:"header_words,omitempty"` // zitrus writes 4, the size is 8
}

// Int is the value of i0-i3: x, y, z, w.
type Int struct {
	Register uint8    `json:"register"`
	Value    [4]uint8 `json:"value"`
}

// Float is the value of c0-c95: the float24 patterns of x, y, z, w.
type Float struct {
	Register uint8     `json:"register"`
	Value    [4]uint32 `json:"value"`
}

// Output is the semantic of each component of an output register o0-o15.
type Output struct {
	Register uint8 `json:"register"`
	Map      Map   `json:"map"`
}

// Layout holds the bytes of a file that belong to no other field of the model; a lossless
// writer needs them.
type Layout struct {
	ExtraHeader wire.Hex `json:"extra_header,omitempty"` // header words beyond four
	Hash        *uint32  `json:"hash,omitempty"`         // R4; stored hash if it differs from the code's
	Gaps        []Gap    `json:"gaps,omitempty"`         // R4; in ascending order of entries
	Tail        wire.Hex `json:"tail,omitempty"`         // behind the last entry
}

// Gap is a run of bytes before an entry.
type Gap struct {
	Entry int      `json:"entry"`
	Bytes wire.Hex `json:"bytes"`
}

// Name returns the name of entry i without its NUL; ok is false when the strings hold
// no name at its offset.
func (f *File) Name(i int) (name string, ok bool) {
	b, ok := wire.NameAt(f.Strings, uint64(f.Entries[i].Name))
	return string(b), ok
}

// SetNames replaces Strings by the given names, one for each entry, in zitrus's form:
// in order, each with its NUL, padded with zeros to a multiple of 4.
func (f *File) SetNames(names ...string) {
	f.Strings = nil
	f.Entries = slices.Clone(f.Entries)
	for i, name := range names {
		f.Entries[i].Name = uint32(len(f.Strings))
		f.Strings = append(append(f.Strings, name...), 0)
	}
	for len(f.Strings)%4 != 0 {
		f.Strings = append(f.Strings, 0)
	}
}

// Canonical returns the same program in zitrus's form: names in the order of the
// entries, the right hash, no gaps, no tail, reserved flags clear, a header size of 4 in
// R4 entries, and the upper half of output masks clear. A later revision becomes R4.
// Reserved bits of infos and output maps stay. The strings stay unchanged when a name is
// missing, or when names share bytes and would not fit if each had its own.
func (f *File) Canonical() *File {
	c := *f
	c.Layout, c.Leniencies, c.Flags = nil, nil, 0
	c.Revision = min(f.Revision, R4)
	c.Entries = slices.Clone(f.Entries)
	for i := range c.Entries {
		e := &c.Entries[i]
		e.R4Header, e.OutputReserved = R4Header{}, 0
		if c.Revision.hasTable() {
			e.HeaderWords = storedEntryWords
		}
	}
	if names, ok := f.names(); ok {
		c.SetNames(names...)
	}
	return &c
}

// names returns the names of all entries. ok is false when a name is missing, or when
// the names together exceed the size of a file's strings.
func (f *File) names() (names []string, ok bool) {
	names = make([]string, len(f.Entries))
	room := maxStrings
	for i := range f.Entries {
		name, ok := f.Name(i)
		if room -= len(name) + 1; !ok || room < 0 {
			return nil, false
		}
		names[i] = name
	}
	return names, true
}

// Equal reports whether two files have the same content. Layouts and Leniencies are not
// compared. A nil slice equals an empty one.
func (f *File) Equal(g *File) bool {
	if f.Revision != g.Revision || f.Flags != g.Flags ||
		!slices.Equal(f.Code, g.Code) ||
		!slices.Equal(f.Descriptors, g.Descriptors) ||
		!bytes.Equal(f.Strings, g.Strings) ||
		len(f.Entries) != len(g.Entries) {
		return false
	}
	for i := range f.Entries {
		if !f.Entries[i].equal(&g.Entries[i]) {
			return false
		}
	}
	return true
}

func (e *Entry) equal(o *Entry) bool {
	return e.Name == o.Name && e.Instruction == o.Instruction && e.Info == o.Info &&
		e.R4Header == o.R4Header && e.Bools == o.Bools && e.OutputReserved == o.OutputReserved &&
		slices.Equal(e.Ints, o.Ints) &&
		slices.Equal(e.Floats, o.Floats) &&
		slices.Equal(e.Outputs, o.Outputs)
}
