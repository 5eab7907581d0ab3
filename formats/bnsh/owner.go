package bnsh

import (
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
)

// scope is the prefix of the path of a part.
type scope uint8

const (
	fileScope       scope = iota //
	variationScope               // variations[3]
	programScope                 // variations[3].binary
	stageScope                   // variations[3].binary.vertex
	reflectionScope              // variations[3].binary.reflection.vertex
)

// owner names the record, table or blob that bytes belong to.
type owner struct {
	variation int32
	index     int32 // of a text; the kind of a dictionary
	part      part
	slot      Slot
	stage     Stage
}

// String returns the path, "variations[3].binary.reflection.vertex.inputs".
func (o owner) String() string {
	p := &parts[o.part]
	b := make([]byte, 0, 80)
	if p.scope >= variationScope {
		b = append(b, "variations["...)
		b = strconv.AppendInt(b, int64(o.variation), 10)
		b = append(b, ']')
	}
	if p.scope >= programScope {
		b = append(b, '.')
		b = append(b, o.slot.String()...)
	}
	if p.scope == reflectionScope {
		b = append(b, ".reflection"...)
	}
	if p.scope >= stageScope {
		b = append(b, '.')
		b = append(b, o.stage.String()...)
	}
	b = append(b, p.name...)
	switch o.part {
	case textPart:
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(o.index), 10)
		b = append(b, ']')
	case dictionaryPart:
		b = append(b, '.')
		b = append(b, Kind(o.index).String()...)
	}
	return string(b)
}

// as returns the owner of another part of the same stage.
func (o owner) as(p part) owner {
	o.part = p
	return o
}

// place returns the place of a field of the owner's record at base, or of the
// record when field is empty.
func (o owner) place(base uint64, field string) diag.Place {
	return parts[o.part].fields.At(base, diag.Path{Prefix: o.String() + ".", Field: field})
}

// bytes returns the place of n bytes at off that belong to the owner.
func (o owner) bytes(off, n uint64) diag.Place {
	return diag.Place{Off: off, Len: n, Path: diag.Path{Prefix: o.String()}}
}

// element returns the place of a field of element i of the owner's table, which
// is at off.
func (o owner) element(off uint64, i int, field string) diag.Place {
	return parts[o.part].elements.At(off, diag.Path{Table: o.String(), Index: i, Field: field})
}

// pointer returns the path of the pointer at an offset in the owner's record or table. ok is false if the owner has
// none there: where records overlap, it may belong to another record.
func (o owner) pointer(off uint64) (path diag.Path, ok bool) {
	p := &parts[o.part]
	fields, pointers := p.fields, p.pointers
	path.Prefix = o.String() + "."
	if start, size := p.recordSize, p.elementSize; off >= start && p.elements != nil {
		path = diag.Path{Table: o.String(), Index: int((off - start) / size)}
		fields, pointers, off = p.elements, p.elementPointers, (off-start)%size
	}
	if !slices.Contains(pointers, off) {
		return path, false
	}
	for _, f := range fields {
		if off == 0 {
			path.Field = f.Name
			break
		}
		off -= uint64(f.Size)
	}
	return path, true
}
