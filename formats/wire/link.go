package wire

import "bytes"

// Link is an integer of a file that depends on the places of other bytes: an offset, a count or a
// size. A program that removes bytes from a file has to correct the links; package reduce does it.
type Link struct {
	Kind LinkKind
	At   uint64 // offset of the integer in the file
	Size int    // bytes of the integer
	Big  bool   // its byte order
	Mask uint64 // the bits of the number; the other bits are a tag, or other numbers

	Base uint64 // the offset from which the number counts; an Offset from its own place may be negative
	Unit uint64 // the number counts units of so many bytes; 1 unless it is set

	// Len is the number of bytes at the target of an Offset that only such links need: without any
	// such link they can be removed. 0 means none. For other kinds see the list of kinds.
	Len  uint64
	Null bool // a pointer that is 0 when its target has no bytes; a Patch is 0 when its pointer is
	Text bool // the counted bytes, or the bytes at the target, are NUL-terminated names
}

// LinkKind says in which way a Link depends on other bytes.
type LinkKind uint8

// The kinds. The last three have no integer.
const (
	Offset LinkKind = iota // the number is the distance from Base to the target
	Count                  // the number of units from Base on
	Patch                  // an Offset in a list; its entry leaves the list together with its target
	Entry                  // a count of records; the Len bytes from Base on are one of the records
	Number                 // the position of the Len bytes from Base on among all numbered parts
	Owner                  // only the structure at At needs the Len bytes from Base on
	Code                   // Len bytes of PICA200 instructions from Base on, whose targets count words
	Bit                    // bit Unit of the two bytes at Base is set because of the Len bytes or the field at At
)

// Links collects the links of a file.
type Links struct {
	View
	List []Link
}

// maxLinks bounds the number of links: so many for each byte of the file. Thousands of headers may
// share one table.
const maxLinks = 8

// Add adds a link in the byte order of the view, by default of 4 bytes. It leaves out a link
// outside the file.
func (m *Links) Add(x Link) {
	if x.Size == 0 {
		x.Size = 4
	}
	if x.Mask == 0 {
		x.Mask = 1<<(8*x.Size-1)<<1 - 1
	}
	if x.Big = m.Big; x.Kind != Bit {
		x.Unit = max(x.Unit, 1)
	}
	inside := m.Has(x.At, uint64(x.Size)) && x.Base <= m.Size() && (x.Kind != Code || m.Has(x.Base, x.Len))
	if inside && uint64(len(m.List)) < maxLinks*m.Size() {
		m.List = append(m.List, x)
	}
}

// AddTables adds the extents of tables: they follow each other from offset at on and count from base.
// It also adds the fields "name" of the entries, which are offsets in the table of bytes. It returns
// the tables; a table that leaves the file has no bytes.
func AddTables[O any](m *Links, at, base uint64, tables []Table[O]) []Span {
	spans := make([]Span, len(tables))
	var text Span
	for k, t := range tables {
		at := at + 8*uint64(k)
		x := Span{Off: base + uint64(m.U32(at)), Len: t.Size * uint64(m.U32(at+4))}
		if m.Has(x.Off, x.Len) {
			m.Add(Link{Kind: Count, At: at + 4, Base: x.Off, Unit: t.Size, Text: t.Fields == nil})
			spans[k] = x
		}
		m.Add(Link{Kind: Offset, At: at, Base: base, Len: spans[k].Len, Text: t.Fields == nil})
		if t.Fields == nil {
			text = spans[k]
		}
	}
	for k, t := range tables {
		off, found := uint64(0), false
		for _, f := range t.Fields {
			if found = f.Name == "name"; found {
				break
			}
			off += uint64(f.Size)
		}
		for entry := spans[k].Off; found && text.Len > 0 && entry < spans[k].End(); entry += t.Size {
			m.name(entry+off, text)
		}
	}
	return spans
}

// name adds the offset of a NUL-terminated name in a table of names.
func (m *Links) name(at uint64, text Span) {
	start := uint64(m.U32(at))
	name := m.Bytes(text.Off+start, text.Len-min(start, text.Len))
	if n := bytes.IndexByte(name, 0); n >= 0 {
		name = name[:n+1]
	}
	m.Add(Link{Kind: Offset, At: at, Base: text.Off, Len: uint64(len(name))})
}
