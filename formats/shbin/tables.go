package shbin

import "github.com/picaproof/picaproof/formats/diag"

// decodeTables reads the tables at the given spans. Spans with the same bytes
// are neighbours; they are read once.
func (r *reader) decodeTables(spans []span) {
	for i, s := range spans {
		if s.section < firstTable {
			continue
		}
		table, owner := tableColumns[s.section-firstTable], &r.file.Entries[s.entry].Tables
		if i > 0 && s.shares(spans[i-1]) {
			table.share(owner, &r.file.Entries[spans[i-1].entry].Tables)
		} else {
			table.decode(owner, r.Bytes(s.off, s.len))
		}
	}
}

// tables checks the contents of the tables of every DVLE that can be examined.
func (r *reader) tables() {
	c := TableCheck{Reporter: r.Reporter, Words: uint64(len(r.file.Program.Code))}
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
		c.InputMaskAt = entryHeaderFields.At(q, diag.Path{Prefix: c.Prefix, Field: "input_mask"})
		c.OutputMaskAt = entryHeaderFields.At(q, diag.Path{Prefix: c.Prefix, Field: "output_mask"})
		if c.All(&e.Tables); r.done() {
			return
		}
	}
}
