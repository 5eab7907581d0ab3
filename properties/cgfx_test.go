package properties_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// cgfxModel is a CGFX model with a short form for messages.
type cgfxModel struct{ *cgfx.File }

func (m cgfxModel) Format(s fmt.State, _ rune) {
	var names []wire.Text
	for _, o := range m.Objects {
		names = append(names, o.Name)
	}
	fmt.Fprintf(s, "CGFX of %q", names)
}

// cgfxModels yields models that the writer accepts: DVLBs of a DVLB model, with
// names that share beginnings and ends. Shrinking drops shaders, then programs.
func cgfxModels() gopter.Gen {
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		f := new(cgfx.File)
		seen := make(map[wire.Text]bool)
		for range r.Intn(6) {
			name := make([]byte, 1+r.Intn(5))
			for i := range name {
				name[i] = "ab`A\xC3\xFF"[r.Intn(6)]
			}
			if seen[wire.Text(name)] {
				continue
			}
			seen[wire.Text(name)] = true
			made, _ := shbinModels()(p).Retrieve()
			binary := made.(model).File
			b, err := binary.AppendBinary(nil)
			if err != nil {
				panic(err)
			}
			o := cgfx.Object{Name: wire.Text(name), DVLB: b}
			for range r.Intn(3) {
				index := func() int32 { return int32(r.Intn(len(binary.Entries)+1)) - 1 }
				x := cgfx.Program{Flag: r.Uint32(), Vertex: index(), Geometry: index()}
				x.Opaque[r.Intn(len(x.Opaque))] = byte(r.Uint32())
				o.Programs = append(o.Programs, x)
			}
			f.Objects = append(f.Objects, o)
		}
		return gopter.NewGenResult(cgfxModel{f}, shrinkCgfx)
	})
}

var shrinkCgfx = gopter.Shrinker(func(v any) gopter.Shrink {
	f := v.(cgfxModel).File
	var smaller []cgfxModel
	for i, o := range f.Objects {
		smaller = append(smaller, cgfxModel{&cgfx.File{Objects: slices.Delete(slices.Clone(f.Objects), i, i+1)}})
		if o.Programs != nil {
			objects := slices.Clone(f.Objects)
			objects[i].Programs = nil
			smaller = append(smaller, cgfxModel{&cgfx.File{Objects: objects}})
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

// TestCgfxModelRoundTrip: what the writer accepts is read back as an equal
// model, and the generator's models are accepted.
func TestCgfxModelRoundTrip(t *testing.T) {
	format := judge.Of(cgfx.Parse, cgfx.Check)
	holds(t, 1500, cgfxModels(), func(m cgfxModel) error { return format.Model(m.File) })
}

// TestCgfxCanonicalIsIdempotent: the canonical form of a canonical file is that
// file, byte for byte, and holds the same content.
func TestCgfxCanonicalIsIdempotent(t *testing.T) {
	format := judge.Of(cgfx.Parse, cgfx.Check)
	holds(t, 1000, cgfxModels(), func(m cgfxModel) error { return format.Canonical(m.File) })
}

// TestCgfxRegionsPartition: the owners cover every byte once, in order.
func TestCgfxRegionsPartition(t *testing.T) {
	format := judge.Of(cgfx.Parse, cgfx.Check)
	holds(t, 500, cgfxModels(), func(m cgfxModel) error { return format.Owners(m.File) })
}
