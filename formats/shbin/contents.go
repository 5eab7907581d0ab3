package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// decodeTables reads the tables of the DVLEs from their sorted spans. The spans of
// a shared table are neighbours; the table is read once.
func (r *reader) decodeTables(spans []wire.Span) {
	for i, s := range spans {
		if s.Kind < entryTableSpan {
			continue
		}
		table, owner := entryTables[s.Kind-entryTableSpan], &r.file.Entries[s.Owner].Tables
		if i > 0 && shares(s, spans[i-1]) {
			table.Share(owner, &r.file.Entries[spans[i-1].Owner].Tables)
		} else {
			table.Decode(owner, r.Bytes(s.Off, s.Len))
		}
	}
}

// contents checks the table contents of every DVLE that is not skipped.
func (r *reader) contents() {
	var entry int
	prefix := "" // of the paths in this DVLE; made for its first finding
	c := TableCheck{Reporter: r.Reporter, Words: uint64(len(r.file.Program.Code)), LongNames: r.names.Over()}
	c.Prefix = func() string {
		if prefix == "" {
			prefix = entryPrefix(entry)
		}
		return prefix
	}
	c.MaskAt = func(field string) diag.Place { return r.entryPlace(entry, field) }
	for entry = range r.file.Entries {
		if r.skip[entry] {
			continue
		}
		e, l := &r.file.Entries[entry], &r.layout.Entries[entry]
		for k, x := range l.Tables {
			c.Offsets[k] = uint64(l.Offset) + uint64(x.Offset)
			table := r.Bytes(c.Offsets[k], entryTables[k].Bytes(x))
			entryTables[k].CheckTable(r.Reporter, wire.LE(table), func(i int, field string) diag.Place {
				return c.at(k, i, field)
			})
		}
		c.Type, c.InputMask, c.OutputMask = e.Type, e.InputMask, e.OutputMask
		prefix = ""
		if c.All(&e.Tables); r.Done() {
			return
		}
	}
}
