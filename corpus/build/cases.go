package main

import (
	"encoding/binary"
	"fmt"
)

// ruleCase is a rule with the edits that trigger it and those that just do not,
// to one base file. off is where the rule is reported.
type ruleCase struct {
	rule    string
	off     int
	base    []byte
	comment string
	edits   []edit
	near    string
	miss    []edit
}

// rules adds the two vectors of each case.
func (k *kit) rules(cases []ruleCase) {
	for _, c := range cases {
		k.trigger(c.rule, c.off, c.comment, edited(c.base, c.edits))
		k.nearMiss(c.rule, c.off, c.near, edited(c.base, c.miss))
	}
}

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

// u8, u16 and u32 are the bytes of a patch.
func u8(v byte) []byte    { return []byte{v} }
func u16(v uint16) []byte { return binary.LittleEndian.AppendUint16(nil, v) }
func u32(v uint32) []byte { return binary.LittleEndian.AppendUint32(nil, v) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("a seed cannot be written: %v", err))
	}
	return v
}
