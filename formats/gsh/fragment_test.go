package gsh_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// only returns a file with those blocks of another that have one of the types.
func only(b []byte, types ...gsh.BlockType) []byte {
	out := slices.Clone(b[:0x20])
	for at := 0x20; at < len(b); {
		end := at + 0x20 + int(binary.BigEndian.Uint32(b[at+0x14:]))
		if slices.Contains(types, gsh.BlockType(binary.BigEndian.Uint32(b[at+0x10:]))) {
			block := slices.Clone(b[at:end])
			binary.BigEndian.PutUint32(block[0x18:], 0) // the id
			out = append(out, block...)
		}
		at = end
	}
	return out
}

// TestFragment: one block alone is refused, and read and written back with the leniency.
func TestFragment(t *testing.T) {
	whole := samples.Read(t, "wild/base.gsh")
	for _, c := range []struct {
		name             string
		types            []gsh.BlockType
		without, with    []string
		shaders, opaques int
	}{
		{"vertex header", []gsh.BlockType{gsh.VertexHeader}, []string{"GSH031/E"}, []string{"GSH031/W"}, 1, 0},
		{"pixel header", []gsh.BlockType{gsh.PixelHeader}, []string{"GSH031/E"}, []string{"GSH031/W"}, 1, 0},
		{"vertex program", []gsh.BlockType{gsh.VertexProgram}, []string{"GSH034/W", "GSH030/E"},
			[]string{"GSH034/W", "GSH030/W"}, 0, 1},
		{"both programs", []gsh.BlockType{gsh.VertexProgram, gsh.PixelProgram},
			[]string{"GSH034/W", "GSH030/E", "GSH030/E"}, []string{"GSH034/W", "GSH030/W", "GSH030/W"}, 0, 2},
		{"header and another's program", []gsh.BlockType{gsh.VertexHeader, gsh.PixelProgram},
			[]string{"GSH031/E", "GSH030/E"}, []string{"GSH031/W", "GSH030/W"}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := only(whole, append(c.types, gsh.End)...)
			sorted := func(ids []string) []string { return slices.Sorted(slices.Values(ids)) }
			if got := formattest.IDs(gsh.Check(b)); !slices.Equal(sorted(got), sorted(c.without)) {
				t.Errorf("without the leniency %v, want %v", got, c.without)
			}
			if got := formattest.IDs(gsh.Check(b, gsh.Fragment)); !slices.Equal(sorted(got), sorted(c.with)) {
				t.Errorf("with the leniency %v, want %v", got, c.with)
			}
			if f, err := gsh.Parse(b); f != nil || err == nil {
				t.Errorf("accepted without the leniency")
			}
			f, err := gsh.Parse(b, gsh.Fragment)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Shaders) != c.shaders || len(f.Opaque) != c.opaques || f.HasCanonical() ||
				!slices.Equal(f.Leniencies, []gsh.Option{gsh.Fragment}) {
				t.Errorf("%d shaders, %d opaque blocks, canonical %v, %v", len(f.Shaders), len(f.Opaque), f.HasCanonical(),
					f.Leniencies)
			}
			if back, err := f.AppendBinary(nil); err != nil || !bytes.Equal(back, b) {
				t.Errorf("written back: %v, %d bytes, want %d", err, len(back), len(b))
			}
			if _, err := f.Canonical().AppendBinary(nil); !errors.Is(err, diag.ErrInvalid) {
				t.Errorf("canonical form: %v, want an invalid model", err)
			}
			for k := range f.Groups() {
				for _, stage := range []string{"vertex", "pixel"} {
					if _, err := f.Code(k, stage); !errors.Is(err, gsh.ErrNoCode) {
						t.Errorf("code of %s: %v, want none", stage, err)
					}
				}
			}
		})
	}
}

// TestFragmentAllowsNoMore: a second program for one header stays an error, and a whole file needs
// no leniency.
func TestFragmentAllowsNoMore(t *testing.T) {
	whole := samples.Read(t, "wild/base.gsh")
	program := only(whole, gsh.VertexProgram)[0x20:]
	twice := slices.Concat(only(whole, gsh.VertexHeader, gsh.VertexProgram), program, only(whole, gsh.End)[0x20:])
	if got := formattest.IDs(gsh.Check(twice, gsh.Fragment)); !slices.Contains(got, "GSH030/E") {
		t.Errorf("two programs: %v, want GSH030/E", got)
	}
	f, err := gsh.Parse(whole, gsh.Fragment)
	if err != nil || f.Leniencies != nil || !f.HasCanonical() {
		t.Errorf("a whole file: %v, leniencies %v", err, f.Leniencies)
	}
}
