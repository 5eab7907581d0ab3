package properties_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
)

// dvojModel is a DVOJ model with a short form for messages.
type dvojModel struct{ *dvoj.File }

func (m dvojModel) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "DVOJ of %d words, %d lines, %d relocations", len(m.Code), len(m.Lines), len(m.Relocations))
}

// dvojModels yields models that the writer accepts: the program and the tables
// of an entry point of a DVLB model, with lines and relocations. Shrinking
// drops tables.
func dvojModels() gopter.Gen {
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		made, _ := shbinModels()(p).Retrieve()
		linked := made.(model).File
		e, r := linked.Entries[0], p.Rng
		f := &dvoj.File{
			Version: e.Version, Merge: e.Merge, InputMask: e.InputMask, OutputMask: e.OutputMask, Unknown: r.Uint32(),
			Code: linked.Program.Code, Descriptors: linked.Program.Descriptors, Tables: e.Tables,
		}
		last := bytes.LastIndexByte(f.Symbols, 0)
		for i := range f.Code {
			if r.Intn(2) == 0 {
				f.Lines = append(f.Lines, shbin.Line{Name: uint32(r.Intn(last + 1)), Line: r.Uint32()})
			}
			if r.Intn(2) == 0 {
				f.Relocations = append(f.Relocations, dvoj.Relocation{Word: uint32(i), Unknown: r.Uint32(), Unknown2: r.Uint32()})
			}
		}
		return gopter.NewGenResult(dvojModel{f}, shrinkDvoj)
	})
}

var shrinkDvoj = gopter.Shrinker(func(v any) gopter.Shrink {
	f := v.(dvojModel).File
	drops := []func(f *dvoj.File){
		func(f *dvoj.File) { f.Lines = nil },
		func(f *dvoj.File) { f.Relocations = nil },
		func(f *dvoj.File) { f.Constants = nil },
		func(f *dvoj.File) { f.Labels = nil },
		func(f *dvoj.File) { f.Outputs = nil },
		func(f *dvoj.File) { f.Uniforms = nil },
	}
	return func() (any, bool) {
		for len(drops) > 0 {
			g := *f
			drops[0](&g)
			drops = drops[1:]
			if !g.Equal(f) {
				return dvojModel{&g}, true
			}
		}
		return nil, false
	}
})

// TestDvojModelRoundTrip: what the writer accepts is read back as an equal
// model, and every byte has an owner.
func TestDvojModelRoundTrip(t *testing.T) {
	check(t, 3000, prop.ForAll(func(m dvojModel) (string, error) {
		b, err := m.AppendBinary(nil)
		if err != nil {
			return "", err
		}
		back, err := dvoj.Parse(b)
		if err != nil {
			return "", err
		}
		if !back.Equal(m.File) {
			return "another model came back", nil
		}
		end := 0
		for _, r := range back.Regions() {
			if r.Off != end || r.Len <= 0 {
				return fmt.Sprintf("region %+v does not start at %d", r, end), nil
			}
			end += r.Len
		}
		if end != len(b) {
			return fmt.Sprintf("regions end at %d of %d", end, len(b)), nil
		}
		return "", nil
	}, dvojModels()))
}

// TestDvojCanonicalIsIdempotent: the canonical form of a canonical file is that
// file, byte for byte, and holds the same content.
func TestDvojCanonicalIsIdempotent(t *testing.T) {
	check(t, 2000, prop.ForAll(func(m dvojModel) (string, error) {
		once, err := m.Canonical().AppendBinary(nil)
		if err != nil {
			return "", err
		}
		back, err := dvoj.Parse(once)
		if err != nil {
			return "", err
		}
		twice, err := back.Canonical().AppendBinary(nil)
		if err != nil {
			return "", err
		}
		if !bytes.Equal(once, twice) || !back.Canonical().Equal(m.File) {
			return "the canonical form changed", nil
		}
		return "", nil
	}, dvojModels()))
}
