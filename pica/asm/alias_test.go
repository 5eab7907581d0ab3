package asm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestAliases checks that the default dialect reads each of its aliases as the mnemonic, and that picasso's reads
// only its own.
func TestAliases(t *testing.T) {
	assemble := func(name string, dialect asm.Dialect) ([]uint32, error) {
		text := ".proc main\n" + name + " r0.x, r1\nend\n.end\n"
		a, err := asm.Assemble([]asm.Source{{Text: text}}, asm.AssembleOptions{Dialect: dialect})
		if err != nil {
			return nil, err
		}
		return a.Code, nil
	}
	found := 0
	for op := range pica.Opcodes {
		info := &pica.Opcodes[op]
		alias := info.Aliases[pica.Default]
		if alias == "" {
			continue
		}
		found++
		want, err := assemble(info.Name, asm.Default)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{alias, strings.ToUpper(alias)} {
			if got, err := assemble(name, asm.Default); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: got %x, %v, want %x", name, got, err, want)
			}
		}
		unknown := fmt.Sprintf("ASM001: %q is no instruction; did you mean %q?", alias, info.Name)
		if _, err := assemble(alias, asm.Picasso); err == nil || !strings.Contains(err.Error(), unknown) {
			t.Errorf("picasso's dialect: got %v, want %s", err, unknown)
		}
	}
	if found != 3 {
		t.Errorf("%d aliases, want 3", found)
	}
}
