package bnshgen

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// The blobs of the last variation, which are its own.
const (
	lastControl = "variations[last].binary.*.control"
	lastCode    = "variations[last].binary.*.code"
)

// controlFaults break the rules about the statements of a control blob about its code.
var controlFaults = []fault{
	{"BNSH090", lone, anotherVersion, nil},
	{"BNSH090", anotherControlSize, at(lastControl), nil},
	{"BNSH091", lone, anotherConstant, nil},
	{"BNSH092", lone, setWord(lastControl, codeSizeAt, other), nil},
	{"BNSH093", lone, constantsBehindCode, nil},
	{"BNSH094", lone, setWord(lastControl, programStartAt, other), nil},
	{"BNSH094", lone, setWord(lastControl, programStartAt, otherStart), nil},
	{"BNSH095", lone, setWord(lastControl, scratchAt, other), nil},
	{"BNSH095", lone, anotherScratch, nil},
	{"BNSH096", lone, setWord(lastControl, stageAt, other), nil},
	{"BNSH096", lone, setWord(lastControl, stageAt, between(0, bnsh.NumStages-1)), nil},
	{"BNSH097", lone, setWord(lastCode, 0, other), nil},
	{"BNSH097", lone, setWord(lastCode, 0, between(0x12345678, 0x12345679)), nil},
	// Code that is too short for its first word has an unusual size.
	{"BNSH097", missized(4, 1, 2, 3), func(f *file) gen.Place { return placeOf(f.wordAt(lastCode, 0)) },
		[]string{"BNSH037"}},
}

// otherStart draws the start that compute has for others, and the other way
// round.
func otherStart(f *file, r diag.Region) uint64 { return 0x30 + 0x100 - f.value(r) }

// wordAt returns a word of a blob.
func (f *file) wordAt(blob string, off int) diag.Region {
	r := f.field(blob)
	return diag.Region{Off: r.Off + off, Len: min(4, r.Len-off), Path: fmt.Sprintf("%s.word_%#x", r.Path, off)}
}

// setWord gives a word of a blob another value.
func setWord(blob string, off int, v value) func(f *file) gen.Place {
	return func(f *file) gen.Place { return f.set(f.wordAt(blob, off), v) }
}

// anotherVersion changes one of the words that make a control blob one of version 1.16.
func anotherVersion(f *file) gen.Place {
	f.set(f.wordAt(lastControl, gen.Pick(f.Choices, versionWords).at), other)
	return placeOf(f.field(lastControl))
}

// anotherControlSize appends a variation with a control that is too short or too
// long.
func anotherControlSize(d *drawer, m *bnsh.File) {
	lone(d, m)
	size := gen.Pick(d.Choices,
		[]int{controlSize - 1, controlSize + 1, 1, 4, 1 + d.Below(controlSize-1), controlSize + 0x100})
	code := only(&last(m).Stages)
	code.Control = append(code.Control, make(wire.Hex, size)...)[:gen.Only(d.Choices, size, controlSize)]
}

// anotherConstant changes a word that is the same in all controls.
func anotherConstant(f *file) gen.Place {
	return f.set(f.wordAt(lastControl, gen.Pick(f.Choices, constantWords).at), other)
}

// constantsBehindCode makes the constants end behind the code.
func constantsBehindCode(f *file) gen.Place {
	size := f.value(f.wordAt(lastControl, codeSizeAt))
	offset, constants := f.wordAt(lastControl, constantOffsetAt), f.wordAt(lastControl, constantSizeAt)
	n := gen.Pick(f.Choices, []uint64{0, 1, size, uint64(f.Below(int(size))), most(constants)})
	n = gen.Breach(f.Choices, n, min(n, size))
	f.store(constants.Off, constants.Len, n)
	room := size - min(n, size) // of none no offset is right, not even 0
	f.store(offset.Off, offset.Len, gen.Breach(f.Choices, above(room)(f, offset), room))
	return placeOf(offset)
}

// anotherScratch changes the scratch memory of a record, which its control has, too.
func anotherScratch(f *file) gen.Place {
	f.set(f.field("variations[last].binary.*.scratch_per_warp"), other)
	return placeOf(f.wordAt(lastControl, scratchAt))
}
