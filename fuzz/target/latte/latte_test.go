// Package latte_test asks of the programs of GX2 shaders: do their bytes and their text give them back, and has the
// check nothing to say about right ones?
package latte_test

import (
	"bytes"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/lattegen"
	"github.com/picaproof/picaproof/fuzz/target/parts"
	"github.com/picaproof/picaproof/latte"
)

// maxInput keeps inputs small: go test minimises a failing input in time quadratic in its length.
const maxInput = 4096

// codes returns the programs of the vectors, each once, with what their shaders say about them.
func codes(f *testing.F) (list []microcode.Program) {
	f.Helper()
	vectors, err := corpus.Vectors("latte")
	if err != nil {
		f.Fatal(err)
	}
	seen := map[string]bool{}
	for _, v := range vectors {
		file, err := gsh.Parse(v.Data)
		if err != nil {
			f.Fatal(v.Name, err)
		}
		programs, _ := microcode.Of(file)
		for _, p := range programs {
			if !seen[string(p.Code)] {
				seen[string(p.Code)] = true
				list = append(list, p)
			}
		}
	}
	if len(list) < 80 {
		f.Fatalf("%d programs", len(list))
	}
	return list
}

// FuzzLatteCode takes any bytes: what decodes encodes to them, and so does its text.
func FuzzLatteCode(f *testing.F) {
	structures := []*latte.Structure{nil, {}}
	for i, p := range codes(f) {
		structures = append(structures, p.Structure())
		f.Add(parts.Join([]byte{byte(i + 2)}, p.Code))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		list := parts.Split(input, 2)
		structure, code := 0, list[1]
		if len(code) > maxInput {
			return
		}
		if len(list[0]) > 0 {
			structure = int(list[0][0]) % len(structures)
		}
		for _, x := range latte.Check(code, structures[structure]) {
			if x.Off < 0 || x.Len < 0 || x.Off+x.Len > len(code) || x.Place >= latte.NumPlaces {
				t.Errorf("%v: %d bytes from %d of %d", x, x.Len, x.Off, len(code))
			}
		}
		if p, err := latte.Decode(code); err == nil {
			same(t, p, code)
		}
	})
}

// FuzzLatteText takes any text: what is read prints as a text that gives the same program.
func FuzzLatteText(f *testing.F) {
	for _, p := range codes(f) {
		if program, err := latte.Decode(p.Code); err == nil {
			f.Add([]byte(latte.Format(program)))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > maxInput {
			return
		}
		if p, err := latte.Parse(string(text)); err == nil {
			same(t, p, p.Encode())
		}
	})
}

// FuzzLatteProgram takes the choices of a generator: nothing is wrong with its programs.
func FuzzLatteProgram(f *testing.F) {
	for n := range uint64(16) {
		f.Add(gen.Input(1, n, 512))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		code := lattegen.Program(gen.From(gen.NewBytes(choices)))
		if list := latte.Check(code, nil); len(list) > 0 {
			t.Fatalf("%v: %x", list, code)
		}
		p, err := latte.Decode(code)
		if err != nil {
			t.Fatal(err)
		}
		same(t, p, code)
	})
}

func same(t *testing.T, p *latte.Program, code []byte) {
	t.Helper()
	if got := p.Encode(); !bytes.Equal(got, code) {
		t.Fatalf("encoded to %x", got)
	}
	text := latte.Format(p)
	again, err := latte.Parse(text)
	if err != nil || !bytes.Equal(again.Encode(), code) || latte.Format(again) != text {
		t.Fatalf("other bytes or text after reading it: %v\n%s", err, text)
	}
}
