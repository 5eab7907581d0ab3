package zpsh

import (
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// nameCheck is the state of the checks of names.
type nameCheck struct {
	table   []byte // the strings up to the last NUL
	total   wire.NameTotal
	uses    wire.NameSet[use]
	missing bool   // a name was not found
	written uint64 // end of the last name
	other   bool   // the names do not follow each other as in zitrus's files
}

// use identifies the entry that uses a name: its index, and the offset of its header.
type use struct {
	entry int
	start uint64
}

// name checks the name of an entry: ZPSH024 to ZPSH027.
func (e *entryReader) name() {
	x := &e.names
	off := uint64(e.entry.Name)
	name, ok := x.total.Read(x.table, off)
	if !ok {
		x.missing = true
		e.Report("ZPSH024", e.at("name"), diag.Text("offset of a NUL-terminated name"), diag.Hex(off))
		return
	}
	if x.other = x.other || off != x.written || x.total.Over(); x.total.Over() {
		return
	}
	x.written = off + uint64(len(name)) + 1
	if len(name) == 0 {
		e.Report("ZPSH025", e.at("name"), diag.Text("a name"), diag.Text(`""`))
	}
	if u, again := x.uses.Add(name, use{e.index, e.start}); again {
		first := entryReader{reader: e.reader, index: u.entry, start: u.start}
		e.Report("ZPSH026", e.at("name"), diag.Text("a name of its own"), diag.Quoted(name), first.at("name"))
	}
	if !utf8.Valid(name) {
		e.Report("ZPSH027", e.at("name"), diag.Text("UTF-8"), diag.Quoted(name))
	}
}

// sharedNames limits the names by the size of the canonical form, too, if they do not fit into
// the strings each alone: the canonical form has no gaps, and its names share bytes as here.
func (r *reader) sharedNames() {
	if r.names.total.Bytes() <= maxStrings {
		return
	}
	dropped := len(r.layout.ExtraHeader) + len(r.layout.Tail)
	for _, g := range r.layout.Gaps {
		dropped += len(g.Bytes)
	}
	r.names.total.Within(r.Size() - uint64(dropped))
}

// stringsAsWritten checks that the strings are in zitrus's form: ZPSH029.
func (r *reader) stringsAsWritten() {
	x := &r.names
	if x.missing {
		return
	}
	if rest := r.file.Strings[x.written:]; !x.other && len(rest) < 4 && wire.Zero(rest) {
		return
	}
	r.Report("ZPSH029", diag.Place{Off: r.at.strings, Len: r.n.strings, Path: diag.Path{Field: "strings"}},
		diag.Text("each name with its NUL, in the order of the entries"), diag.Text("others"))
}
