package shbin

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// decodeTables reads the tables of the DVLEs from their sorted spans. The spans of
// a shared table are neighbours; the table is read once.
func (r *reader) decodeTables(spans []wire.Span) {
	for i, s := range spans {
		if s.Kind < dvleTableSpan {
			continue
		}
		table, owner := dvleTables[s.Kind-dvleTableSpan], &r.file.DVLEs[s.Owner].Tables
		if i > 0 && shares(s, spans[i-1]) {
			table.Share(owner, &r.file.DVLEs[spans[i-1].Owner].Tables)
		} else {
			table.Decode(owner, r.Bytes(s.Off, s.Len))
		}
	}
}

// contents checks the table contents of every DVLE that is not skipped.
func (r *reader) contents() {
	var i int    // of the DVLE
	prefix := "" // of the paths in this DVLE; made for its first finding
	c := TableCheck{Reporter: r.Reporter, Words: uint64(len(r.file.DVLP.Code)), LongNames: r.names.Over()}
	c.Prefix = func() string {
		if prefix == "" {
			prefix = dvlePrefix(i)
		}
		return prefix
	}
	c.MaskAt = func(field string) diag.Place { return r.dvlePlace(i, field) }
	for i = range r.file.DVLEs {
		if r.skip[i] {
			continue
		}
		e, l := &r.file.DVLEs[i], &r.layout.DVLEs[i]
		for k, x := range l.Tables {
			c.Offsets[k] = uint64(l.Offset) + uint64(x.Offset)
			table := r.Bytes(c.Offsets[k], dvleTables[k].Bytes(x))
			dvleTables[k].CheckTable(r.Reporter, wire.LE(table), func(entry int, field string) diag.Place {
				return c.at(k, entry, field)
			})
		}
		c.Type, c.InputMask, c.OutputMask = e.Type, e.InputMask, e.OutputMask
		prefix = ""
		if c.All(&e.Tables); r.Done() {
			return
		}
	}
}
