package asm_test

import (
	"io"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// counter counts the bytes written to it.
type counter int

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

// TestTextIsLinearInTheNames: all names may be tails of one long string in the file; the text must
// not repeat them whole.
func TestTextIsLinearInTheNames(t *testing.T) {
	size := func(n int) int {
		long := strings.Repeat("a", 8*n)
		s := &pica.Shader{Program: pica.Program{Code: []uint32{0x4C020000, 0x88000000},
			Descriptors: []uint32{0x0D86C36F}}, Name: long}
		for k := range n {
			s.Labels = append(s.Labels, pica.Label{Name: long[k:], Word: k % 3, Length: -1})
			s.Uniforms = append(s.Uniforms, pica.Symbol{Name: long[k:], Class: 'c', First: k % 96, Last: k % 96})
		}
		var c counter
		if err := asm.Disassemble(io.Writer(&c), s, asm.Options{}); err != nil {
			t.Fatal(err)
		}
		return int(c)
	}
	if one, eight := size(500), size(4000); eight > 10*one {
		t.Errorf("500 names take %d bytes, 4000 take %d", one, eight)
	}
}
