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

// places maps the paths of a file's fields to their offsets.
type places map[string]int

// placesOf returns the places of an accepted file.
func placesOf(f interface{ Regions() []diag.Region }) places {
	p := places{}
	for _, r := range f.Regions() {
		p[r.Path] = r.Off
	}
	return p
}

// at returns the offset of a field.
func (p places) at(path string) int {
	off, ok := p[path]
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
