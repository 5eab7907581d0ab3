package main

import (
	"encoding/binary"
	"fmt"
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

func u8(v byte) []byte    { return []byte{v} }
func u16(v uint16) []byte { return binary.LittleEndian.AppendUint16(nil, v) }
func u32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("a seed cannot be written: %v", err))
	}
	return v
}
