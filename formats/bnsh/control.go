package bnsh

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// A control blob of GPU code version 1.16 has 0x880 bytes.
const controlSize = 0x880

// word is a word that a control blob has at an offset.
type word struct {
	off  uint64
	want uint32
}

var (
	// The words of a control blob of that version: signature, major, minor.
	controlVersion = []word{{0x00, 0x98761234}, {0x04, 1}, {0x08, 16}}
	// Offsets and sizes that never differ.
	controlConstants = []word{{0x0C, 0x120}, {0x10, 0x0B}, {0x14, 0x878}, {0x18, 0}, {0x6F0, 0x880}, {0x6F4, 0}}
)

// Offsets of the words about the code.
const (
	programSizeAt    = 0x6F8
	constantSizeAt   = 0x6FC
	constantOffsetAt = 0x700
	codeSizeAt       = 0x704
	programStartAt   = 0x708
	scratchAt        = 0x710
	stageAt          = 0x714
)

// First words of code and where the program starts in it.
const (
	graphicsCode  = 0x12345678
	computeCode   = 0x12345679
	graphicsStart = 0x30
	computeStart  = 0x100
)

// controls checks the known words of control blobs against their code.
func (r *reader) controls() {
	for x := range r.file.binaryCodes(r.layout) {
		if x.code.Control != nil {
			r.control(x.code, x.place, x.owner.as(controlPart))
		}
	}
}

// knownControl reports whether a control blob is of GPU code version 1.16.
func knownControl(control []byte) bool {
	if len(control) != controlSize {
		return false
	}
	for _, w := range controlVersion {
		if le.Uint32(control[w.off:]) != w.want {
			return false
		}
	}
	return true
}

func (r *reader) control(code *Code, layout *CodeLayout, o owner) {
	c := uint64(layout.Control)
	at := func(off uint64) diag.Place { return o.word(c, off) }
	word := func(off uint64) uint32 { return le.Uint32(code.Control[off:]) }
	expect := func(rule string, off uint64, want uint32) {
		if got := word(off); got != want {
			r.Report(rule, at(off), diag.Hex(uint64(want)), diag.Hex(uint64(got)))
		}
	}

	if !knownControl(code.Control) {
		r.Report("BNSH090", o.bytes(c, uint64(len(code.Control))), diag.Text("a control of version 1.16"),
			diag.Count(uint64(len(code.Control)), "other byte"))
		return
	}
	for _, w := range controlConstants {
		expect("BNSH091", w.off, w.want)
	}
	start, magic := firstWords(o.stage)
	expect("BNSH094", programStartAt, start)
	expect("BNSH095", scratchAt, code.ScratchPerWarp)
	expect("BNSH096", stageAt, nvn[o.stage])
	if code.Code == nil {
		return
	}
	size := uint32(len(code.Code))
	expect("BNSH092", codeSizeAt, size)
	if end := uint64(word(constantOffsetAt)) + uint64(word(constantSizeAt)); end > uint64(size) {
		r.Report("BNSH093", at(constantOffsetAt), diag.Value{Format: "end <= 0x%x", N: uint64(size)},
			diag.Value{Format: "end 0x%x", N: end})
	}
	first := o.as(codePart).word(uint64(layout.Code), 0)
	if size < 4 {
		first.Len = uint64(size)
		r.Report("BNSH097", first, diag.Quoted(le.AppendUint32(nil, magic)), diag.Bytes(uint64(size)))
	} else if got := le.Uint32(code.Code); got != magic {
		r.Report("BNSH097", first, diag.Quoted(le.AppendUint32(nil, magic)), diag.Quoted(code.Code[:4]))
	}
}

// word returns the place of a word of a blob.
func (o owner) word(base, off uint64) diag.Place {
	return diag.Place{Off: base + off, Len: 4, Path: diag.Path{Prefix: o.String() + ".",
		Field: fmt.Sprintf("word_0x%x", off)}}
}
