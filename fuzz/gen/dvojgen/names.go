package dvojgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
)

// pieces are the parts of names.
var pieces = []string{"a", "main", "end", "light[0].dir", " ", "\x01", "\x7f", ".vsh"}

// text draws the text of a name, which may be empty.
func (d drawer) text() (text string) {
	for range d.below(4) {
		text += gen.Pick(d.Choices, pieces)
	}
	return text
}

// addName appends a name to the symbols and returns its offset.
func addName(f *dvoj.File, text string) uint32 {
	at := uint32(len(f.Symbols))
	f.Symbols = append(append(f.Symbols, text...), 0)
	return at
}

// objectOf returns the tables of a file.
func objectOf(c *gen.Choices, f *dvoj.File, retype func(t shbin.Type)) *shbingen.Object {
	return &shbingen.Object{Choices: c, Tables: &f.Tables, Words: uint32(len(f.Code)), Lines: f.Lines, Retype: retype}
}

// references returns the fields that hold the offset of a name.
func references(f *dvoj.File) []*uint32 { return objectOf(nil, f, nil).References() }

// pack drops the names to which nothing refers, and draws an order for the
// others. A reference to no name stays as it is.
func (d drawer) pack(f *dvoj.File) {
	old, moved := *f, make(map[uint32]uint32)
	var names []uint32
	for _, r := range references(f) {
		if _, seen := moved[*r]; !seen && *r < uint32(len(f.Symbols)) {
			moved[*r] = 0
			at := len(names) - d.below(len(names)+1)
			names = slices.Insert(names, at, *r)
		}
	}
	f.Symbols = nil
	for _, name := range names {
		text, _ := old.Name(name)
		moved[name] = addName(f, text)
	}
	for _, r := range references(f) {
		if to, ok := moved[*r]; ok {
			*r = to
		}
	}
}

// insert puts text into the symbols at off. Names that start at from or later
// move.
func insert(f *dvoj.File, off, from uint32, text string) {
	objectOf(nil, f, nil).InsertText(off, from, text)
}
