package wire

import "bytes"

// Link is an integer of a file that depends on where other bytes are: an offset, a count, a size.
// With the links of a file, bytes can be taken out of it, and the integers corrected, by one
// procedure for all formats.
type Link struct {
	Kind LinkKind
	At   uint64 // offset of the integer in the file
	Size int    // its bytes
	Big  bool   // its byte order
	Mask uint64 // the bits of the number; the others are a tag, or other numbers

	Base uint64 // where the offset counts from, or where the counted bytes start
	Unit uint64 // bytes of a unit in which the integer counts; 1 unless it is set

	// Len is the number of bytes at the target of an offset that only such links need: without one
	// they are waste. 0 if there are none, or if they are needed anyway. For other kinds see there.
	Len  uint64
	Null bool // a pointer is 0 when its target has no bytes; a Patch is then 0, too
	Text bool // the counted bytes, or those at the target, are NUL-terminated names, each needed by itself
}

// LinkKind says in which way a Link depends on other bytes.
type LinkKind uint8

// The kinds. The last three have no integer.
const (
	Offset LinkKind = iota // the distance from Base to the target
	Count                  // the number of units from Base on
	Patch                  // an Offset that stands in a list, and leaves it with its target
	Entry                  // a count; the Len bytes from Base on are one of what it counts
	Number                 // the position of the Len bytes from Base on among all that are numbered
	Owner                  // only what is at At needs the Len bytes from Base on
	Code                   // Len bytes of PICA200 instructions from Base on, whose targets count words
	Bit                    // bit Unit of the two bytes at Base is set because of At: Len bytes, or the entry there
)

// Links collects the links of a file.
type Links struct {
	View
	List []Link
}

// maxLinks bounds the number of links, in sizes of the file: thousands of headers may share one
// table.
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

// Extent adds an offset that counts from base, and the count of entries of size bytes that
// stands four bytes behind it. It reports whether the table is inside the file.
func (m *Links) Extent(at, base, size uint64, text bool) (x Span, inside bool) {
	x = Span{Off: base + uint64(m.U32(at)), Len: size * uint64(m.U32(at+4))}
	if inside = m.Has(x.Off, x.Len); inside {
		m.Add(Link{Kind: Offset, At: at, Base: base, Len: x.Len, Text: text})
		m.Add(Link{Kind: Count, At: at + 4, Base: x.Off, Unit: size, Text: text})
	} else {
		m.Add(Link{Kind: Offset, At: at, Base: base})
	}
	return x, inside
}

// AddTables adds the links of consecutive extents at offset at, which count from base, and of
// the names of the entries, which are in the table of bytes. It returns where the tables are; one
// that leaves the file is empty.
func AddTables[O any](m *Links, at, base uint64, tables []Table[O]) []Span {
	spans := make([]Span, len(tables))
	var text Span
	for k, t := range tables {
		x, inside := m.Extent(at+8*uint64(k), base, t.Size, t.Fields == nil)
		if inside {
			spans[k] = x
		}
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
			m.Name(entry+off, text)
		}
	}
	return spans
}

// Name adds an offset of a NUL-terminated name in a table of names.
func (m *Links) Name(at uint64, text Span) {
	start := uint64(m.U32(at))
	name := m.Bytes(text.Off+start, text.Len-min(start, text.Len))
	if n := bytes.IndexByte(name, 0); n >= 0 {
		name = name[:n+1]
	}
	m.Add(Link{Kind: Offset, At: at, Base: text.Off, Len: uint64(len(name))})
}
