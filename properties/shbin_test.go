package properties_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/pica"
)

// model is a DVLB model with a short form for messages, which are made on every
// run.
type model struct{ *shbin.File }

func (m model) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "DVLB of %d words, %d entry points", len(m.Program.Code), len(m.Entries))
}

// shbinModels yields models that the writer accepts. Shrinking drops entry
// points, then tables.
func shbinModels() gopter.Gen {
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		names := []byte("main\x00mtx\x00\xC3\xA9\x00")
		f := &shbin.File{Program: shbin.DVLP{Version: r.Uint32(), Descriptors: []shbin.Descriptor{{Word: r.Uint32(), Flags: r.Uint32()}}}}
		words := 1 + r.Intn(20)
		for range words {
			f.Program.Code = append(f.Program.Code, []uint32{uint32(pica.NOP) << 26, uint32(pica.MOV) << 26, 0x10 << 26, uint32(r.Intn(words)) << 10 & 0x3FFC00}[r.Intn(4)])
		}
		if r.Intn(2) == 0 {
			f.Program.FileNames = []byte("a.vsh\x00b\x00")
			f.Program.Lines = []shbin.Line{{Name: uint32(r.Intn(8)), Line: r.Uint32()}}
		}
		for range 1 + r.Intn(3) {
			e := shbin.DVLE{Version: uint16(r.Uint32()), Merge: uint8(r.Uint32()), Entry: uint32(r.Intn(words)), End: uint32(r.Intn(words + 1)),
				InputMask: uint16(r.Uint32()), OutputMask: uint16(r.Uint32())}
			e.Symbols = names[:len(names)-r.Intn(3)]
			last := bytes.LastIndexByte(e.Symbols, 0)
			for range r.Intn(3) {
				e.Constants = append(e.Constants, shbin.FloatConstant(uint8(r.Intn(96)), r.Uint32(), r.Uint32(), 0, 1), shbin.BoolConstant(uint8(r.Intn(16)), true))
				e.Labels = append(e.Labels, shbin.Label{ID: uint16(r.Uint32()), Word: uint32(r.Intn(words + 1)), Length: shbin.NoLength, Name: uint32(r.Intn(last + 1))})
				e.Uniforms = append(e.Uniforms, shbin.Uniform{Name: uint32(r.Intn(last + 1)), First: 0x10, Last: shbin.Register(0x10 + r.Intn(96))})
			}
			for k := range r.Intn(4) {
				e.Outputs = append(e.Outputs, shbin.Output{Semantic: shbin.Semantic(k), Register: uint16(k), Mask: uint16(1 + r.Intn(15)), Unknown: uint16(r.Uint32())})
			}
			f.Entries = append(f.Entries, e)
		}
		return gopter.NewGenResult(model{f}, shrinkModel)
	})
}

var shrinkModel = gopter.Shrinker(func(v any) gopter.Shrink {
	f := v.(model).File
	var smaller []model
	for i := range f.Entries {
		if len(f.Entries) > 1 {
			g := *f
			g.Entries = append(append([]shbin.DVLE(nil), f.Entries[:i]...), f.Entries[i+1:]...)
			smaller = append(smaller, model{&g})
		}
		e := f.Entries[i]
		for _, drop := range []func(*shbin.DVLE){
			func(e *shbin.DVLE) { e.Constants = nil },
			func(e *shbin.DVLE) { e.Labels = nil },
			func(e *shbin.DVLE) { e.Outputs = nil },
			func(e *shbin.DVLE) { e.Uniforms = nil },
		} {
			g := *f
			g.Entries = append([]shbin.DVLE(nil), f.Entries...)
			g.Entries[i] = e
			drop(&g.Entries[i])
			if !g.Equal(f) {
				smaller = append(smaller, model{&g})
			}
		}
	}
	return func() (any, bool) {
		if len(smaller) == 0 {
			return nil, false
		}
		m := smaller[0]
		smaller = smaller[1:]
		return m, true
	}
})

// TestShbinModelRoundTrip: what the writer accepts is read back as an equal
// model, and the generator's models are accepted.
func TestShbinModelRoundTrip(t *testing.T) {
	format := judge.Of(shbin.Parse, shbin.Check)
	holds(t, 3000, shbinModels(), func(m model) error { return format.Model(m.File) })
}

// TestShbinCanonicalIsIdempotent: the canonical form of a canonical file is
// that file, byte for byte, and holds the same content.
func TestShbinCanonicalIsIdempotent(t *testing.T) {
	format := judge.Of(shbin.Parse, shbin.Check)
	holds(t, 3000, shbinModels(), func(m model) error { return format.Canonical(m.File) })
}

// TestShbinRegionsPartition: the owners cover every byte once, in order.
func TestShbinRegionsPartition(t *testing.T) {
	format := judge.Of(shbin.Parse, shbin.Check)
	holds(t, 1000, shbinModels(), func(m model) error { return format.Owners(m.File) })
}
