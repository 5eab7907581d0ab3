package zpsh

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// nameIndex answers the questions about names without looking at a string more
// than a few times, however many names end in it.
type nameIndex struct {
	wire.Strings
	table   []byte
	invalid []uint32 // offsets of the bytes that are not UTF-8, ascending
	seen    map[nameKey]use
	missing bool   // a name was not found
	written uint64 // end of the names so far, if they are as zitrus writes them
	other   bool   // they are not
}

// nameKey finds the names that may be equal to one: those of the same length
// and start. Names of the same length at different offsets share no byte, so
// comparing the rest of them costs no more than the table is long for each
// length.
type nameKey struct {
	length int
	start  [16]byte
	probe  int // tells apart those that differ behind the start
}

func newNameIndex(table []byte, names uint64) nameIndex {
	x := nameIndex{Strings: wire.NewStrings(table), table: table, seen: make(map[nameKey]use, names)}
	if utf8.Valid(table) {
		return x
	}
	for i := 0; i < len(table); {
		c, n := utf8.DecodeRune(table[i:])
		if c == utf8.RuneError && n == 1 {
			x.invalid = append(x.invalid, uint32(i))
		}
		i += n
	}
	return x
}

// valid reports whether the name at off is UTF-8. Where a character starts does
// not depend on what is before it, so an invalid byte of the table is one of
// every name that has it; only the first byte of a name may be the middle of a
// character.
func (x *nameIndex) valid(off uint64, name []byte) bool {
	if len(name) == 0 {
		return true
	}
	k, _ := slices.BinarySearch(x.invalid, uint32(off))
	return utf8.RuneStart(name[0]) && (k == len(x.invalid) || uint64(x.invalid[k]) >= off+uint64(len(name)))
}

// use is the first use of a name: by which entry, and where that starts.
type use struct {
	entry int32
	name  uint32
	start uint64
}

// add notes a name, and returns its first use if it was noted before.
func (x *nameIndex) add(name []byte, by use) (first use, again bool) {
	key := nameKey{length: len(name)}
	copy(key.start[:], name)
	for ; ; key.probe++ {
		u, seen := x.seen[key]
		if !seen {
			x.seen[key] = by
			return by, false
		}
		if bytes.Equal(name, x.table[u.name:][:len(name)]) {
			return u, true
		}
	}
}

// name checks the name of an entry: ZPSH024 to ZPSH027.
func (e *entryReader) name() {
	x := &e.names
	off := uint64(e.entry.Name)
	name, ok := x.Lookup(off)
	if !ok {
		x.missing = true
		e.Report("ZPSH024", e.at("name"), diag.Text("offset of a NUL-terminated name"), diag.Hex(off))
		return
	}
	if x.other = x.other || off != x.written; !x.other {
		x.written += uint64(len(name)) + 1
	}
	if len(name) == 0 {
		e.Report("ZPSH025", e.at("name"), diag.Text("a name"), diag.Text(`""`))
	}
	if u, again := x.add(name, use{int32(e.index), e.entry.Name, e.start}); again {
		first := entryReader{reader: e.reader, index: int(u.entry), start: u.start}
		e.Report("ZPSH026", e.at("name"), diag.Text("a name of its own"), diag.Quoted(name), first.at("name"))
	}
	if !x.valid(off, name) {
		e.Report("ZPSH027", e.at("name"), diag.Text("UTF-8"), diag.Quoted(name))
	}
}

// stringsAsWritten compares the strings with what zitrus would write: ZPSH029.
func (r *reader) stringsAsWritten() {
	x := &r.names
	rest := x.table[x.written:]
	if x.missing || !x.other && len(rest) < 4 && isZero(rest) {
		return
	}
	r.Report("ZPSH029", diag.Place{Off: r.at.strings, Len: r.n.strings, Path: diag.Path{Field: "strings"}},
		diag.Text("each name with its NUL, in the order of the entries"), diag.Value{})
}
