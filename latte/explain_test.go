package latte_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/latte"
)

// TestExplain explains each instruction of each sample: its operands are those of the text, and its fields have all its
// bits.
func TestExplain(t *testing.T) {
	roles := map[string]int{}
	for _, s := range programs(t) {
		name, code := s.File, s.code
		p, err := latte.Decode(code)
		if err != nil {
			continue
		}
		for _, l := range latte.Lines(p) {
			if !l.Instruction {
				continue
			}
			x, ok := p.Explain(l.Off / latte.WordBytes)
			if !ok || len(x.Sentences) == 0 || x.Source == "" || !strings.Contains(l.Text, x.Mnemonic) {
				t.Errorf("%s: %q: got %+v, %t", name, l.Text, x, ok)
				continue
			}
			rest := l.Text
			for _, o := range x.Operands {
				_, after, found := strings.Cut(rest, o.Text)
				if !found {
					t.Errorf("%s: %q lacks the %s %q", name, l.Text, o.Role, o.Text)
				}
				rest = after
				roles[o.Role]++
			}
			words := make([]byte, l.Len)
			for _, f := range x.Fields {
				at := words[4*int(f.Word):]
				binary.LittleEndian.PutUint32(at, binary.LittleEndian.Uint32(at)|f.Value<<f.Low)
			}
			if got := code[l.Off : l.Off+l.Len]; string(got) != string(words) {
				t.Errorf("%s: %q: fields %x, bytes %x", name, l.Text, words, got)
			}
		}
		if x, ok := p.Explain(p.Size); ok {
			t.Errorf("%s: an instruction behind the end: %+v", name, x)
		}
	}
	for _, role := range []string{"destination", "source", "source 1", "source 2", "source 3", "coordinates", "texture", "sampler"} {
		if roles[role] == 0 {
			t.Errorf("no instruction has a %s", role)
		}
	}
}
