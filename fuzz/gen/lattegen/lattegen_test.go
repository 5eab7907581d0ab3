package lattegen_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/lattegen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/latte"
)

const (
	seed     = 39
	programs = 1_000_000
	few      = 3000
)

// TestProgram: nothing is wrong with drawn programs, and their bytes and their text give them back.
func TestProgram(t *testing.T) {
	for n := range long.Numbers(t, programs, few) {
		code := lattegen.Program(gen.From(gen.Seed(seed, uint64(n))))
		p := same(t, n, code)
		if list := latte.Check(code, nil); len(list) != 0 {
			t.Fatalf("seed %d, program %d: %v\n%s", seed, n, list, latte.Format(p))
		}
	}
}

// TestShader: nothing is wrong with a drawn program and its structure.
func TestShader(t *testing.T) {
	for n := range long.Numbers(t, programs, few) {
		code, s := lattegen.Shader(gen.From(gen.Seed(seed, uint64(n))))
		if list := latte.Check(code, s); len(list) != 0 {
			t.Fatalf("seed %d, program %d: %v\n%+v\n%s", seed, n, list, s, latte.Format(same(t, n, code)))
		}
	}
}

// TestFaults: a fault breaks its rule, and there is one for every rule.
func TestFaults(t *testing.T) {
	missing := map[string]bool{}
	for _, r := range latte.Rules {
		missing[r.ID] = true
	}
	for _, f := range lattegen.Faults {
		delete(missing, f.Rule)
		found, drawn := 0, 0
		for n := range long.Numbers(t, programs/1000, 100) {
			code, s, ok := f.Draw(gen.From(gen.Seed(seed, uint64(n))))
			if !ok {
				continue
			}
			drawn++
			if slices.ContainsFunc(latte.Check(code, s), func(x latte.Finding) bool { return x.Rule == f.Rule }) {
				found++
			}
		}
		if drawn < 30 || found < drawn {
			t.Errorf("seed %d, %s: %d of %d programs", seed, f.Rule, found, drawn)
		}
	}
	if len(missing) > 0 {
		t.Errorf("no fault breaks %v", missing)
	}
}

// TestOdd: programs that break rules have bytes and a text that give them back, too.
func TestOdd(t *testing.T) {
	broken := 0
	for n := range long.Numbers(t, programs, few) {
		code := lattegen.Odd(gen.From(gen.Seed(seed, uint64(n))))
		same(t, n, code)
		if len(latte.Check(code, nil)) > 0 {
			broken++
		}
	}
	if broken < few/2 {
		t.Errorf("only %d programs break a rule", broken)
	}
}

// TestDamaged: any damage ends in a program or in a finding inside of it.
func TestDamaged(t *testing.T) {
	refused := 0
	for n := range long.Numbers(t, programs, few) {
		c := gen.From(gen.Seed(seed, uint64(n)))
		code := lattegen.Damaged(c, lattegen.Program(c))
		if _, err := latte.Decode(code); err != nil {
			refused++
		}
		for _, f := range latte.Check(code, nil) {
			if f.Off < 0 || f.Len < 0 || f.Off+f.Len > len(code) {
				t.Fatalf("seed %d, program %d: %v, %d bytes from %d of %d", seed, n, f, f.Len, f.Off, len(code))
			}
		}
	}
	if refused < few/20 {
		t.Errorf("only %d programs are refused", refused)
	}
}

// same returns the program of a code, which its bytes and its text have to give back.
func same(t *testing.T, n int, code []byte) *latte.Program {
	t.Helper()
	p, err := latte.Decode(code)
	if err != nil || !bytes.Equal(p.Encode(), code) {
		t.Fatalf("seed %d, program %d: other bytes: %v", seed, n, err)
	}
	text := latte.Format(p)
	again, err := latte.Parse(text)
	if err != nil || !bytes.Equal(again.Encode(), code) || latte.Format(again) != text {
		t.Fatalf("seed %d, program %d: other bytes or text after reading it: %v\n%s", seed, n, err, text)
	}
	return p
}
