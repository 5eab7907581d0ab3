package bnsh_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/wire"
)

var le = binary.LittleEndian

// header is what the files of the console have.
func header(name bnsh.Text) bnsh.Header {
	return bnsh.Header{
		Version: bnsh.Version{Major: 2, Minor: 1, Micro: 12}, AlignmentShift: 12, Name: name, APIType: 4,
		CompilerVersion: 0x00010B02, LowLevelCompilerVersion: 0x0011001600010010,
	}
}

func poolProperty() *uint32 {
	v := uint32(0x61)
	return &v
}

// binaryCode returns code of one stage that is not like that of another n.
func binaryCode(n, control, code int) *bnsh.Code {
	c := &bnsh.Code{Control: make(wire.Hex, control), Code: make(wire.Hex, code)}
	for i := range c.Control {
		c.Control[i] = byte(n>>(i%4*8)) ^ 0xC1
	}
	for i := range c.Code {
		c.Code[i] = byte(n>>(i%4*8)) ^ 0xC0
	}
	return c
}

// binaryFile has n variations with plain binary code of the given stages, the
// code of each stage its own.
func binaryFile(n int, stages ...bnsh.Stage) *bnsh.File {
	f := &bnsh.File{Header: header("test"), PoolProperty: poolProperty()}
	for i := range n {
		p := &bnsh.Program{Flags: bnsh.ResShader, ObjectSize: 0x100}
		for _, s := range stages {
			p.Stages[s] = binaryCode(i*bnsh.NumStages+int(s), 0x20, 0x100)
		}
		f.Variations = append(f.Variations, bnsh.Variation{Binary: p})
	}
	return f
}

// workedModel is the smallest file that has one of everything.
func workedModel() *bnsh.File {
	f := binaryFile(1, bnsh.Vertex)
	f.Name, f.LowLevelCompilerVersion = "ex", 0
	p := f.Variations[0].Binary
	p.Stages[bnsh.Vertex] = &bnsh.Code{Control: bytes.Repeat([]byte{0xC1}, 16), Code: bytes.Repeat([]byte{0xC0}, 0x100)}
	p.Reflection = &bnsh.PerStage[bnsh.StageReflection]{
		bnsh.Vertex: reflection(bnsh.Tables{bnsh.Inputs: {Keys: []bnsh.Text{"aPos", "aTex"}}})}
	return f
}

// reflection fills in the first slots and gives every key a slot.
func reflection(tables bnsh.Tables) *bnsh.StageReflection {
	r := &bnsh.StageReflection{Tables: tables, Extended: len(tables[bnsh.SeparateTextures].Keys)+
		len(tables[bnsh.SeparateSamplers].Keys) > 0}
	n := 0
	for k := range r.Tables {
		if r.Extended || k < int(bnsh.SeparateTextures) {
			r.Tables[k].First = int32(n)
		}
		n += len(tables[k].Keys)
	}
	for i := range n {
		r.Slots = append(r.Slots, int32(i))
	}
	return r
}

// keyList returns n keys with shared ends and different lengths.
func keyList(prefix string, n int) []bnsh.Text {
	keys := make([]bnsh.Text, n)
	for i := range keys {
		keys[i] = bnsh.Text(fmt.Sprintf("%s%d_uniform%.*s", prefix, i, i%7, "abcdefg"))
	}
	return keys
}

// clean has no finding at all: its control is one of version 1.16.
func clean() *bnsh.File {
	f := binaryFile(1, bnsh.Vertex)
	c := f.Variations[0].Binary.Stages[bnsh.Vertex]
	c.Control = make(wire.Hex, 0x880)
	for at, v := range map[int]uint32{0: 0x98761234, 4: 1, 8: 16, 0x0C: 0x120, 0x10: 0x0B, 0x14: 0x878, 0x6F0: 0x880,
		0x704: 0x100, 0x708: 0x30} {
		le.PutUint32(c.Control[at:], v)
	}
	le.PutUint32(c.Code, 0x12345678)
	return f
}

// random returns a valid model with a bit of everything.
func random(r *rand.Rand) *bnsh.File {
	f := &bnsh.File{Header: header(randomText(r))}
	f.Header.AlignmentShift, f.Header.AddressSize = uint8(r.IntN(32)), uint8(r.Uint32())
	f.Header.Version.Minor, f.Header.Version.Micro = uint8(r.IntN(4)), uint8(r.IntN(13))
	f.Header.APIType, f.Header.APIVersion, f.Header.TargetCodeType = uint16(r.IntN(5)), uint16(r.Uint32()),
		uint8(r.IntN(2))
	f.Header.CompilerVersion, f.Header.LowLevelCompilerVersion = r.Uint32(), r.Uint64()
	for range 1 + r.IntN(4) {
		var v bnsh.Variation
		for v == (bnsh.Variation{}) {
			if r.IntN(4) == 0 {
				v.Source = randomProgram(r, bnsh.SourceCode+bnsh.CodeType(r.IntN(2)))
			}
			if r.IntN(4) == 0 {
				v.Intermediate = randomProgram(r, bnsh.IntermediateCode)
			}
			if r.IntN(4) != 0 {
				v.Binary = randomProgram(r, bnsh.BinaryCode)
			}
		}
		f.Variations = append(f.Variations, v)
		if v.Binary != nil && v.Binary.BinaryFormat == bnsh.Plain {
			f.PoolProperty = poolProperty()
		}
	}
	return f
}

func randomText(r *rand.Rand) bnsh.Text {
	return bnsh.Text("abcdefghijklmnopqrstuvwxyz\xFF\x80"[r.IntN(20):][:r.IntN(8)])
}

func randomBytes(r *rand.Rand, most int) wire.Hex {
	b := make(wire.Hex, 1+r.IntN(most))
	for i := range b {
		b[i] = byte(r.IntN(3))
	}
	return b
}

func randomProgram(r *rand.Rand, t bnsh.CodeType) *bnsh.Program {
	p := &bnsh.Program{Flags: bnsh.ProgramFlags(r.IntN(4)), CodeType: t, SourceFormat: bnsh.SourceFormat(r.IntN(2)),
		ObjectSize: uint32(r.IntN(3) * 24)}
	if t != bnsh.SourceArrayCode && r.IntN(4) == 0 {
		p.BinaryFormat = bnsh.Zlib
	}
	stages := []bnsh.Stage{bnsh.Compute}
	if r.IntN(4) != 0 {
		stages = []bnsh.Stage{bnsh.Vertex, bnsh.Hull, bnsh.Domain, bnsh.Geometry, bnsh.Pixel}[r.IntN(5):]
	}
	for _, s := range stages {
		switch c := new(bnsh.Code); {
		case t == bnsh.SourceArrayCode:
			for range 1 + r.IntN(3) {
				c.Texts = append(c.Texts, randomBytes(r, 3))
			}
			p.Stages[s] = c
		case t == bnsh.BinaryCode && p.BinaryFormat == bnsh.Plain:
			c.Control, c.Code = randomBytes(r, 4), randomBytes(r, 3)
			c.ScratchRecommended, c.ScratchPerWarp = r.Uint32(), r.Uint32()
			p.Stages[s] = c
		default:
			c.Code, c.UnpackedSize = randomBytes(r, 3), r.Uint32()
			p.Stages[s] = c
		}
	}
	if r.IntN(2) == 0 {
		p.Reflection = new(bnsh.PerStage[bnsh.StageReflection])
		for s := range p.Reflection {
			if r.IntN(2) == 0 {
				p.Reflection[s] = randomReflection(r)
			}
		}
	}
	return p
}

func randomReflection(r *rand.Rand) *bnsh.StageReflection {
	var tables bnsh.Tables
	kinds := bnsh.SeparateTextures
	if r.IntN(3) == 0 {
		kinds = bnsh.NumKinds
	}
	for k := range kinds {
		if r.IntN(2) == 0 {
			tables[k].Keys = randomKeys(r, 6)
		}
	}
	out := reflection(tables)
	out.Extended = kinds == bnsh.NumKinds
	out.WorkGroup = [3]uint32{r.Uint32N(2), r.Uint32N(2), r.Uint32N(2)}
	return out
}

// randomKeys returns up to most keys that differ, leading NULs not counted.
func randomKeys(r *rand.Rand, most int) []bnsh.Text {
	var keys []bnsh.Text
	seen := map[string]bool{"": true}
	for range r.IntN(most + 1) {
		b := make([]byte, 1+r.IntN(5))
		for i := range b {
			b[i] = "\x00\x01abAB\xFF\x80"[r.IntN(8)]
		}
		if bits := string(bytes.TrimLeft(b, "\x00")); !seen[bits] {
			seen[bits] = true
			keys = append(keys, bnsh.Text(b))
		}
	}
	return keys
}
