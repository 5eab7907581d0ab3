package diag

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
)

// Field is one field of a Struct.
type Field struct {
	Name string
	Size int
	// Show prints the field's integer for reading. Nil means decimal, or hex
	// bytes for a field that is opaque or has no integer size.
	Show func(uint64) string
	Kind RegionKind
	// Text says that the field holds characters: they are printed in file order, whatever the byte order.
	Text bool
	// Table names a table whose entries are this field alone, without a name.
	Table string
}

// Struct is the field table of a structure of fixed size. The fields follow each other without
// gaps. The table gives the places of findings and the regions of a file.
type Struct []Field

// Size returns the size of the structure in bytes.
func (s Struct) Size() uint64 {
	n := 0
	for _, f := range s {
		n += f.Size
	}
	return uint64(n)
}

// At returns the place of a field of the structure at base, or of the whole structure if path
// names no field. The field must be in the table.
func (s Struct) At(base uint64, path Path) Place {
	if path.Field == "" {
		return Place{Off: base, Len: s.Size(), Path: path}
	}
	off := base
	for _, f := range s {
		if f.Name == path.Field {
			return Place{Off: off, Len: uint64(f.Size), Path: path}
		}
		off += uint64(f.Size)
	}
	panic("diag: no field " + path.Field)
}

// AppendRegions appends a region for each field of the structure at off of b. prefix is put
// before the field names and ends with a dot; the dot is dropped if a field has no name, as in a
// table of plain words.
func (s Struct) AppendRegions(regions []Region, b []byte, off int, order binary.ByteOrder, prefix string) []Region {
	if cap(regions)-len(regions) < len(s) { // room for some of the next structures, too: tables have many
		regions = slices.Grow(regions, max(len(s), min((len(b)-off)/8, 256+len(regions))))
	}
	for _, f := range s {
		regions = append(regions, Region{
			Off: off, Len: f.Size, Kind: f.Kind,
			Path: Path{Prefix: prefix, Field: f.Name}.String(), Value: f.show(b[off:off+f.Size], order),
		})
		off += f.Size
	}
	return regions
}

func (f Field) show(b []byte, order binary.ByteOrder) string {
	var n uint64
	switch {
	case f.Text:
		return Quote(b)
	case f.Kind != FieldRegion && f.Show == nil:
		return hex.EncodeToString(b)
	case f.Size == 1:
		n = uint64(b[0])
	case f.Size == 2:
		n = uint64(order.Uint16(b))
	case f.Size == 4:
		n = uint64(order.Uint32(b))
	case f.Size == 8:
		n = order.Uint64(b)
	default:
		return hex.EncodeToString(b)
	}
	if f.Show == nil {
		return strconv.FormatUint(n, 10)
	}
	return f.Show(n)
}
