package asm_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/pica"
)

const samples = "../../../shared/data"

// readSample returns the words and operand descriptors of a DVLB file.
func readSample(t *testing.T, name string) pica.Program {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Skipf("no sample files here: %v", err)
	}
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
