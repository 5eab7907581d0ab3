package bnshgen

import (
	"fmt"
	"math"

	"github.com/picaproof/picaproof/formats/bnsh"
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
	{"BNSH092", lone, setWord(lastControl, codeSizeAt, gen.Other), nil},
	{"BNSH093", lone, constantsBehindCode, nil},
	{"BNSH094", lone, setWord(lastControl, programStartAt, gen.Other), nil},
	{"BNSH094", lone, setWord(lastControl, programStartAt, otherStart), nil},
	{"BNSH095", lone, setWord(lastControl, scratchAt, gen.Other), nil},
	{"BNSH095", lone, anotherScratch, nil},
	{"BNSH096", lone, setWord(lastControl, stageAt, gen.Other), nil},
	{"BNSH096", lone, setWord(lastControl, stageAt, gen.Between(0, bnsh.NumStages-1)), nil},
	{"BNSH097", lone, setWord(lastCode, 0, gen.Other), nil},
	{"BNSH097", lone, setWord(lastCode, 0, gen.Between(0x12345678, 0x12345679)), nil},
	// Code that is too short for its first word has an unusual size.
	{"BNSH097", missized(4, 1, 2, 3), func(f *file) gen.Place { return f.wordAt(lastCode, 0) },
		[]string{"BNSH037"}},
}

// otherStart draws the start that compute has for others, and the other way
// round.
func otherStart(_ *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	return 0x30 + 0x100 - d.Number(r)
}

// wordAt returns a word of a blob.
func (f *file) wordAt(blob string, off int) gen.Place {
	r := f.field(blob)
	return gen.Place{Off: r.Off + off, Len: min(4, r.Len-off), Path: fmt.Sprintf("%s.word_%#x", r.Path, off)}
}

// setWord gives a word of a blob another value.
func setWord(blob string, off int, v gen.Value) func(f *file) gen.Place {
	return func(f *file) gen.Place { return f.set(f.wordAt(blob, off), v) }
}

// anotherVersion changes one of the words that make a control blob one of version 1.16.
func anotherVersion(f *file) gen.Place {
	f.set(f.wordAt(lastControl, gen.Pick(f.Choices, versionWords).at), gen.Other)
	return f.field(lastControl)
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
	return f.set(f.wordAt(lastControl, gen.Pick(f.Choices, constantWords).at), gen.Other)
}

// constantsBehindCode makes the constants end behind the code.
func constantsBehindCode(f *file) gen.Place {
	size := f.Number(f.wordAt(lastControl, codeSizeAt))
	offset, constants := f.wordAt(lastControl, constantOffsetAt), f.wordAt(lastControl, constantSizeAt)
	n := gen.Pick(f.Choices, []uint64{0, 1, size, uint64(f.Below(int(size))), math.MaxUint32})
	n = gen.Breach(f.Choices, n, min(n, size))
	f.Store(constants, n)
	room := size - min(n, size) // of none no offset is right, not even 0
	return f.Break(f.Choices, offset, gen.Above(room), gen.OneOf(room))
}

// anotherScratch changes the scratch memory of a record, which its control has, too.
func anotherScratch(f *file) gen.Place {
	f.set(f.field("variations[last].binary.*.scratch_per_warp"), gen.Other)
	return f.wordAt(lastControl, scratchAt)
}
