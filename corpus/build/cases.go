package main

import (
	"encoding/binary"
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// edit is one change of a file's bytes.
type edit struct {
	at   int
	with []byte
}

func edited(b []byte, edits []edit) []byte {
	for _, e := range edits {
		b = patched(b, e.at, e.with...)
	}
	return b
}

// on is an edit of one or more fields: on(at, bytes, at, bytes, ...).
func on(pairs ...any) []edit {
	var edits []edit
	for i := 0; i < len(pairs); i += 2 {
		edits = append(edits, edit{pairs[i].(int), pairs[i+1].([]byte)})
	}
	return edits
}

// original is a valid file with the offsets of its fields by path.
type original struct {
	bytes  []byte
	places map[string]int
}

// originalOf writes a model.
func originalOf(f interface {
	AppendBinary(b []byte) ([]byte, error)
	Regions() []diag.Region
}) original {
	o := original{must(f.AppendBinary(nil)), map[string]int{}}
	for _, r := range f.Regions() {
		o.places[r.Path] = r.Off
	}
	return o
}

// at returns the offset of a field.
func (o original) at(path string) int {
	off, ok := o.places[path]
	if !ok {
		panic("no field " + path)
	}
	return off
}

func u8(v byte) []byte    { return []byte{v} }
func u16(v uint16) []byte { return binary.LittleEndian.AppendUint16(nil, v) }
func u32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("a seed cannot be written: %v", err))
	}
	return v
}
