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
	x := &dvleTableCheck{TableCheck: TableCheck{Reporter: r.Reporter, Words: uint64(len(r.file.DVLP.Code)),
		LongNames: r.names.Over()}, reader: r}
	x.Prefix, x.MaskAt = x.prefix, x.maskAt
	for i := range r.file.DVLEs {
		if r.skip[i] {
			continue
		}
		x.index, x.path = i, ""
		e, l := &r.file.DVLEs[i], &r.layout.DVLEs[i]
		for k, extent := range l.Tables {
			x.Offsets[k] = uint64(l.Offset) + uint64(extent.Offset)
		}
		x.Type, x.InputMask, x.OutputMask = e.Type, e.InputMask, e.OutputMask
		if x.All(&e.Tables); r.Done() {
			return
		}
	}
}

// dvleTableCheck checks the tables of a DVLE.
type dvleTableCheck struct {
	TableCheck
	reader *reader
	index  int    // of the DVLE
	path   string // prefix of the paths in this DVLE, once a finding needs it
}

func (x *dvleTableCheck) prefix() string {
	if x.path == "" {
		x.path = dvlePrefix(x.index)
	}
	return x.path
}

func (x *dvleTableCheck) maskAt(field string) diag.Place { return x.reader.dvlePlace(x.index, field) }
