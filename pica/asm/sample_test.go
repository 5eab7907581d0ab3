package asm_test

import (
	"encoding/binary"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/pica"
)

// readSample returns the words and operand descriptors of a DVLB file.
func readSample(t *testing.T, name string) pica.Program {
	t.Helper()
	data := samples.Read(t, name)
	u32 := func(at uint32) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	dvlp := 8 + 4*u32(4)
	var p pica.Program
	for k := range u32(dvlp + 12) {
		p.Code = append(p.Code, u32(dvlp+u32(dvlp+8)+4*k))
	}
	for k := range u32(dvlp + 20) {
		p.Descriptors = append(p.Descriptors, u32(dvlp+u32(dvlp+16)+8*k))
	}
	return p
}
