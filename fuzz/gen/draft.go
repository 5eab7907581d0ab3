package gen

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
)

// Draft is a file that is being spoilt: its bytes, and the fields in them by
// path.
type Draft struct {
	Bytes   []byte
	Regions []diag.Region
	order   binary.ByteOrder
	fields  map[string]Place // by path, once one is asked for
}

// NewDraft returns the draft of a file with the given regions.
func NewDraft(b []byte, order binary.ByteOrder, regions []diag.Region) *Draft {
	return &Draft{Bytes: b, Regions: regions, order: order}
}

// find returns the place of a field.
func (d *Draft) find(path string) (at Place, ok bool) {
	if d.fields == nil {
		d.fields = make(map[string]Place, len(d.Regions))
		for _, r := range d.Regions {
			d.fields[r.Path] = placeOf(r)
		}
	}
	at, ok = d.fields[path]
	return at, ok
}

// Field returns the place of a field. It panics if the file has no such field, which is a mistake of the generator.
func (d *Draft) Field(path string) Place {
	at, ok := d.find(path)
	if !ok {
		panic(fmt.Sprintf("gen: the file has no field %q", path))
	}
	return at
}

// FieldAt returns the place of the field at an offset.
func (d *Draft) FieldAt(off int) Place {
	i := slices.IndexFunc(d.Regions, func(r diag.Region) bool { return r.Off == off })
	if i < 0 {
		panic(fmt.Sprintf("gen: no field at %#x", off))
	}
	return placeOf(d.Regions[i])
}

// Pick draws one of the fields whose path matches one of the patterns.
func (d *Draft) Pick(c *Choices, patterns ...string) Place { return Pick(c, d.Match(patterns...)) }

// Match returns the fields whose path matches one of the patterns, in which * stands for anything without a dot, and +
// for an index above 0.
func (d *Draft) Match(patterns ...string) (found []Place) {
	for _, pattern := range patterns {
		for _, r := range d.Regions {
			if matches(pattern, r.Path) {
				found = append(found, placeOf(r))
			}
		}
	}
	return found
}

func matches(pattern, path string) bool {
	for i := range len(pattern) {
		switch {
		case pattern[i] == '*':
			for n := i; !matches(pattern[i+1:], path[n:]); n++ {
				if n == len(path) || path[n] == '.' {
					return false
				}
			}
			return true
		case pattern[i] == '+':
			rest := strings.TrimLeft(path[i:], "0123456789")
			return !strings.HasPrefix(path[i:], "0") && matches(pattern[i+1:], rest)
		case i == len(path) || pattern[i] != path[i]:
			return false
		}
	}
	return len(pattern) == len(path)
}

// Sibling returns another field of the record that has field r; a pointer is a record in it.
func (d *Draft) Sibling(r Place, name string) Place {
	return d.Field(r.Path[:strings.LastIndexByte(strings.TrimSuffix(r.Path, ".pointer"), '.')+1] + name)
}

// Off returns the offset of a field.
func (d *Draft) Off(path string) int { return d.Field(path).Off }

// Get returns the number in a field of at most eight bytes.
func (d *Draft) Get(path string) (v uint64) { return d.Number(d.Field(path)) }

// Set writes a number to a field of at most eight bytes.
func (d *Draft) Set(path string, v uint64) { d.Store(d.Field(path), v) }

// Number returns the number in a field of at most eight bytes.
func (d *Draft) Number(r Place) (v uint64) {
	for i := range r.Len {
		v |= uint64(d.Bytes[r.Off+i]) << d.shift(i, r.Len)
	}
	return v
}

// Store writes a number to a field of at most eight bytes.
func (d *Draft) Store(r Place, v uint64) {
	for i := range r.Len {
		d.Bytes[r.Off+i] = byte(v >> d.shift(i, r.Len))
	}
}

// shift returns the place in the number of byte i of a field of n.
func (d *Draft) shift(i, n int) int {
	if d.order == binary.BigEndian {
		i = n - 1 - i
	}
	return 8 * i
}

// Place returns the place of the field, record or table with a path.
func (d *Draft) Place(path string) Place {
	if at, ok := d.find(path); ok {
		return at
	}
	return d.record(path)
}

// PlaceOf returns the place of a region.
func placeOf(r diag.Region) Place { return Place{r.Off, r.Len, r.Path} }

// record returns the place of a table with the entries path[0], path[1] and so on, or of a record with the fields
// path.name. A table inside a record does not belong to the record. A structure that the file lacks has the length 0.
func (d *Draft) record(path string) Place {
	entry := func(rest string) bool { return strings.HasPrefix(rest, "[") }
	field := func(rest string) bool { return strings.HasPrefix(rest, ".") && !strings.Contains(rest, "[") }
	for _, part := range []func(rest string) bool{entry, field} {
		at := Place{Path: path}
		for _, r := range d.Regions {
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
