package zpshgen

import (
	"slices"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// pieces are the parts of names: ASCII, a run longer than the prefix that most readers compare, and the first and last
// characters of each length in UTF-8.
var pieces = []string{
	"a", "main", "vertex", " ", "\x01", "\x7f", "sixteen bytes or more ",
	"\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\uffff", "\U00010000", "\U0010ffff",
}

// name draws the text of a name, which may be empty.
func (d drawer) name() (name string) {
	for range d.below(4) {
		name += gen.Pick(d.Choices, pieces)
	}
	return name
}

// names draws n names, no two of them equal and none empty.
func (d drawer) names(n int) (names []string) {
	for range n {
		name := d.name()
		for name == "" || slices.Contains(names, name) {
			name += string(rune('a' + d.below(26)))
		}
		names = append(names, name)
	}
	return names
}

// namesOf returns the names of all entries.
func namesOf(f *zpsh.File) (names []string) {
	for i := range f.Entries {
		name, _ := f.Name(i)
		names = append(names, name)
	}
	return names
}

// nameBytes returns the size of names, each with its NUL.
func nameBytes(names []string) (total int) {
	for _, name := range names {
		total += len(name) + 1
	}
	return total
}

// insert puts text into the strings at off, and as many bytes behind it as make
// the length a multiple of 4. Names that start at off or later move.
func insert(f *zpsh.File, off int, text string) {
	strings := slices.Insert(slices.Clone(f.Strings), off, []byte(text)...)
	f.Strings = append(strings, make([]byte, -len(strings)&3)...)
	for i := range f.Entries {
		if e := &f.Entries[i]; int(e.Name) >= off {
			e.Name += uint32(len(text))
		}
	}
}

// rearrangements make the strings of a file others than zitrus would write, and
// leave every entry a name of its own.
var rearrangements = []func(d drawer, f *zpsh.File){
	func(d drawer, f *zpsh.File) { // a string that is no name, in front of one
		at := f.Entries[d.below(len(f.Entries))].Name
		insert(f, int(at), d.name()+"\x00")
	},
	func(d drawer, f *zpsh.File) { // a name that begins inside a longer string
		at := f.Entries[d.below(len(f.Entries))].Name
		insert(f, int(at), d.name()+"a")
	},
	func(d drawer, f *zpsh.File) { // words behind the names
		f.Strings = append(f.Strings, make([]byte, 4*(1+d.below(3)))...)
	},
	func(d drawer, f *zpsh.File) { // text behind the names that no NUL ends
		text := d.name()
		insert(f, len(f.Strings), text+"abcd"[len(text)%4:])
	},
	func(d drawer, f *zpsh.File) { // names in another order
		names := namesOf(f)
		if len(names) == 1 {
			insert(f, 0, "\x00")
			return
		}
		order := slices.Clone(names)
		slices.Reverse(order)
		f.SetNames(order...)
		for i, j := 0, len(names)-1; i < j; i, j = i+1, j-1 {
			f.Entries[i].Name, f.Entries[j].Name = f.Entries[j].Name, f.Entries[i].Name
		}
	},
	func(d drawer, f *zpsh.File) { // a name that is the end of another
		names := namesOf(f)
		i := d.below(len(names))
		_, first := utf8.DecodeRuneInString(names[i])
		if end := names[i][first:]; end == "" || slices.Contains(names, end) {
			insert(f, 0, "\x00")
		} else {
			f.Entries[i].Name += uint32(first)
		}
	},
}
