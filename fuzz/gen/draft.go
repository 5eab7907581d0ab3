package gen

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// Draft is a file that is being spoilt: its bytes, and the fields in them by
// path.
type Draft struct {
	Bytes   []byte
	order   binary.ByteOrder
	fields  map[string]diag.Region
	regions []diag.Region
}

// NewDraft returns the draft of a file with the given regions.
func NewDraft(b []byte, order binary.ByteOrder, regions []diag.Region) *Draft {
	d := &Draft{Bytes: b, order: order, fields: make(map[string]diag.Region, len(regions)), regions: regions}
	for _, r := range regions {
		d.fields[r.Path] = r
	}
	return d
}

// field returns the region of a field. It panics if the file has no such field, which is a mistake of the generator.
func (d *Draft) field(path string) diag.Region {
	r, ok := d.fields[path]
	if !ok {
		panic(fmt.Sprintf("gen: the file has no field %q", path))
	}
	return r
}

// Off returns the offset of a field.
func (d *Draft) Off(path string) int { return d.field(path).Off }

// Get returns the integer in a field of at most eight bytes.
func (d *Draft) Get(path string) (v uint64) {
	r := d.field(path)
	for i := range r.Len {
		v |= uint64(d.Bytes[r.Off+i]) << d.shift(i, r.Len)
	}
	return v
}

// Set writes an integer to a field of at most eight bytes.
func (d *Draft) Set(path string, v uint64) {
	r := d.field(path)
	for i := range r.Len {
		d.Bytes[r.Off+i] = byte(v >> d.shift(i, r.Len))
	}
}

// Change gives a field of at most eight bytes any other value; none is right.
func (d *Draft) Change(c *Choices, path string) {
	right := d.Get(path)
	d.Set(path, Only(c, right^c.Within(1, 1<<(8*d.field(path).Len)-1), right))
}

// shift returns the place in the integer of byte i of a field of n.
func (d *Draft) shift(i, n int) int {
	if d.order == binary.BigEndian {
		i = n - 1 - i
	}
	return 8 * i
}

// Place returns the place of the field, record or table with a path.
func (d *Draft) Place(path string) Place {
	if r, ok := d.fields[path]; ok {
		return Place{r.Off, r.Len, path}
	}
	return RecordAt(d.regions, path)
}

// RecordAt returns the place of a table with the entries path[0], path[1] and so on, or of a record with the fields
// path.name. A table inside a record does not belong to the record. A structure that the file lacks has the length 0.
func RecordAt(regions []diag.Region, path string) Place {
	entry := func(rest string) bool { return strings.HasPrefix(rest, "[") }
	field := func(rest string) bool { return strings.HasPrefix(rest, ".") && !strings.Contains(rest, "[") }
	for _, part := range []func(rest string) bool{entry, field} {
		at := Place{Path: path}
		for _, r := range regions {
			rest, ok := strings.CutPrefix(r.Path, path)
			if !ok || !part(rest) || at.Len > 0 && r.Off != at.Off+at.Len {
				continue
			}
			if at.Len == 0 {
				at.Off = r.Off
			}
			at.Len += r.Len
		}
		if at.Len > 0 {
			return at
		}
	}
	return Place{Path: path}
}
