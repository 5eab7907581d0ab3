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
	c := TableCheck{Reporter: r.Reporter, Words: uint64(len(r.file.Program.Code)), LongNames: r.names.Over()}
	for i := range r.file.Entries {
		if r.skip[i] {
			continue
		}
		e := &r.file.Entries[i]
		q := uint64(r.layout.Entries[i].Offset)
		c.Prefix = entryPrefix(i)
		for k, x := range r.layout.Entries[i].Tables {
			c.Offsets[k] = q + uint64(x.Offset)
		}
		c.Type, c.InputMask, c.OutputMask = e.Type, e.InputMask, e.OutputMask
		c.InputMaskAt = entryRecord.At(q, diag.Path{Prefix: c.Prefix, Field: "input_mask"})
		c.OutputMaskAt = entryRecord.At(q, diag.Path{Prefix: c.Prefix, Field: "output_mask"})
		if c.All(&e.Tables); r.Done() {
			return
		}
	}
}
