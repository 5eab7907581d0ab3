package bnshgen

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

var le = binary.LittleEndian

// Words of a control blob of GPU code version 1.16.
const (
	controlSize = 0x880

	programSizeAt    = 0x6F8 // the size and the offset of the constants follow
	constantSizeAt   = 0x6FC
	constantOffsetAt = 0x700
	codeSizeAt       = 0x704
	programStartAt   = 0x708
	scratchAt        = 0x710
	stageAt          = 0x714
)

// word is a word at an offset of a control blob.
type word struct {
	at    int
	value uint32
}

// versionWords make a control blob one of version 1.16. constantWords are the same in every known control blob of that
// version.
var (
	versionWords  = []word{{0x00, 0x98761234}, {0x04, 1}, {0x08, 16}}
	constantWords = []word{{0x0C, 0x120}, {0x10, 0x0B}, {0x14, 0x878}, {0x18, 0}, {0x6F0, 0x880}, {0x6F4, 0}}
)

// stageWords has for each stage the first word of its code, the offset of the program in the code, and NVN's number of
// the stage.
var stageWords = [bnsh.NumStages]struct{ magic, start, number uint32 }{
	bnsh.Vertex:   {0x12345678, 0x30, 0},
	bnsh.Hull:     {0x12345678, 0x30, 3},
	bnsh.Domain:   {0x12345678, 0x30, 4},
	bnsh.Geometry: {0x12345678, 0x30, 2},
	bnsh.Pixel:    {0x12345678, 0x30, 1},
	bnsh.Compute:  {0x12345679, 0x100, 5},
}

// fill draws n bytes that repeat a short pattern. Short patterns make equal blobs likely.
func (d *drawer) fill(n int) wire.Hex {
	unit := []byte{byte(d.Bits(2))}
	if d.sometimes(6) {
		unit = le.AppendUint64(nil, d.Bits(64))[:1+d.Below(8)]
	}
	return bytes.Repeat(unit, n/len(unit)+1)[:n]
}

// code draws code of a program's form.
func (d *drawer) code(p *bnsh.Program, s bnsh.Stage) *bnsh.Code {
	switch {
	case p.CodeType == bnsh.SourceArrayCode:
		code := &bnsh.Code{}
		for range 1 + d.Below(4) {
			code.Texts = append(code.Texts, d.fill(1+d.Below(20)))
		}
		return code
	case p.CodeType != bnsh.BinaryCode || p.BinaryFormat != bnsh.Plain:
		return &bnsh.Code{Code: d.fill(1 + d.Below(20)), UnpackedSize: uint32(d.Bits(32))}
	case d.oddly():
		code := d.binaryCode(s, 0x100)
		code.Control, code.Code = d.fill(1+d.Below(40)), d.fill(1+d.Below(0x300))
		return code
	}
	return d.binaryCode(s, 0x100*gen.Pick(d.Choices, []int{1, 1, 1, 2, 3, 5, 11, 12}))
}

// binaryCode draws size bytes of binary code with a control that suits them.
func (d *drawer) binaryCode(s bnsh.Stage, size int) *bnsh.Code {
	code := gen.Free[bnsh.Code](d.Choices, fields, false)
	code.Code, code.Control, code.UnpackedSize = d.fill(size), nil, 0
	if d.sometimes(4) {
		code.Control = d.fill(controlSize)
	}
	end := d.Below(size + 1) // of the constants
	if d.sometimes(4) {
		end = size
	}
	constants := d.Below(end + 1)
	Fit(&code, s, uint32(d.Bits(32)), uint32(constants), uint32(end-constants))
	return &code
}

// Fit makes the first word of binary code and the words of its control what they are in a file of a
// known version. more are the words of the control about the program and its constants.
func Fit(code *bnsh.Code, s bnsh.Stage, more ...uint32) {
	stage := stageWords[s]
	copy(code.Code, le.AppendUint32(nil, stage.magic))
	if code.Control == nil {
		code.Control = make(wire.Hex, controlSize)
	}
	for _, w := range slices.Concat(versionWords, constantWords, []word{
		{codeSizeAt, uint32(len(code.Code))}, {programStartAt, stage.start}, {scratchAt, code.ScratchPerWarp},
		{stageAt, stage.number},
	}) {
		le.PutUint32(code.Control[w.at:], w.value)
	}
	for k, w := range more {
		le.PutUint32(code.Control[programSizeAt+4*k:], w)
	}
}
