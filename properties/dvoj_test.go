package properties_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/judge"
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
// model, and the generator's models are accepted.
func TestDvojModelRoundTrip(t *testing.T) {
	format := judge.Of(dvoj.Parse, dvoj.Check)
	holds(t, 3000, dvojModels(), func(m dvojModel) error { return format.Model(m.File) })
}

// TestDvojCanonicalIsIdempotent: the canonical form of a canonical file is
// that file, byte for byte, and holds the same content.
func TestDvojCanonicalIsIdempotent(t *testing.T) {
	format := judge.Of(dvoj.Parse, dvoj.Check)
	holds(t, 2000, dvojModels(), func(m dvojModel) error { return format.Canonical(m.File) })
}

// TestDvojRegionsPartition: the owners cover every byte once, in order.
func TestDvojRegionsPartition(t *testing.T) {
	format := judge.Of(dvoj.Parse, dvoj.Check)
	holds(t, 500, dvojModels(), func(m dvojModel) error { return format.Owners(m.File) })
}
