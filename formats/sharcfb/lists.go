package sharcfb

import "github.com/picaproof/picaproof/formats/diag"

// list is a list being read: a header of size and count, then records that each
// begin with their size and fill the list.
type list struct {
	*reader
	kind     *listKind
	owner    *owner // nil for the lists of the archive
	off, end uint64
	count    int

	index    int    // of the record being read
	from, to uint64 // its bytes
	open     bool   // the count is wrong
}

// openList reads the header of the list at off, which has to end by limit:
// SHARC010, SHARC011. ok is false when the end of the list is not known.
func (r *reader) openList(kind *listKind, of *owner, off, limit uint64) (l list, ok bool) {
	l = list{reader: r, kind: kind, owner: of, off: off, index: -1}
	rest := limit - off
	if rest < listHeaderSize {
		r.Report("SHARC010", diag.Place{Off: off, Len: rest, Path: l.path("")},
			diag.Value{Format: "a list of %d bytes or more", N: listHeaderSize},
			diag.Bytes(rest))
		return l, false
	}
	header := read(r.View, listRecord, off, &r.headers.list)
	size := uint64(header.size)
	if size < listHeaderSize || size > rest {
		r.Report("SHARC010", l.field("size"), diag.Value{Format: "8 to %d", N: rest}, diag.Dec(size))
		return l, false
	}
	listRecord.Check(r.Reporter, r.View, off, l.field)
	l.end = off + size
	l.to = off + listHeaderSize
	n, most := uint64(header.count), (size-listHeaderSize)/kind.least
	if n > most {
		r.Report("SHARC011", l.field("count"), diag.AtMost(most), diag.Dec(n))
		n, l.open = most, true
	}
	l.count = int(n)
	return l, true
}

func (l *list) path(field string) diag.Path {
	p := diag.Path{Prefix: l.owner.prefix(), Field: l.kind.name}
	if field != "" {
		p.Field += "." + field
	}
	return p
}

// field is the place of a field of the list's header.
func (l *list) field(name string) diag.Place {
	at := listRecord.At(l.off, diag.Path{Field: name})
	at.Path = l.path(name)
	return at
}

// at is the place of the record being read, or of one of its fields.
func (l *list) at(field string) diag.Place {
	at := l.kind.fields.At(l.from, l.recordPath(field))
	if field == "" {
		at.Len = l.to - l.from
	}
	return at
}

// placeAt returns the place of n bytes at off of the record being read.
func (l *list) placeAt(field string, off, n uint64) diag.Place {
	return diag.Place{Off: off, Len: n, Path: l.recordPath(field)}
}

func (l *list) recordPath(field string) diag.Path {
	return diag.Path{Prefix: l.owner.prefix(), Table: l.kind.name, Index: l.index, Field: field}
}

// next goes to the next record: SHARC012, and SHARC013 behind the last.
func (l *list) next() bool {
	l.index++
	l.from = l.to
	rest := l.end - l.from
	if l.open && rest == 0 {
		return false
	}
	if l.index >= l.count {
		if l.index == l.count && rest > 0 && !l.open {
			l.Report("SHARC013", diag.Place{Off: l.from, Len: rest, Path: l.path("")},
				diag.Text("records to the end of the list"), diag.Count(rest, "more byte"))
			l.open = true
		}
		return false
	}
	if l.Done() {
		return false
	}
	if rest < l.kind.least {
		l.Report("SHARC012", l.placeAt("", l.from, rest),
			diag.Value{Format: "a record of %d bytes or more", N: l.kind.least},
			diag.Bytes(rest))
		return l.stop()
	}
	size := uint64(l.U32(l.from))
	switch {
	case size < l.kind.least:
		l.Report("SHARC012", l.at("size"), diag.AtLeast(l.kind.least), diag.Dec(size))
		return l.stop()
	case size > rest:
		l.Report("SHARC012", l.at("size"), diag.AtMost(rest), diag.Dec(size))
		return l.stop()
	}
	l.to = l.from + size
	l.kind.rules.Check(l.Reporter, l.View, l.from, l.at)
	return true
}

// stop ends the list early, without SHARC013.
func (l *list) stop() bool {
	l.count = -1
	return false
}

// complete reports whether the list, which was read to its end, has all its records.
func (l *list) complete() bool { return !l.open && l.index == l.count }
