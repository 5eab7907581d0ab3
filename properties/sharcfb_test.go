package properties_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/sharcfb/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// archive is a SHARCFB model with a short form for messages.
type archive struct{ *sharcfb.File }

func (a archive) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "SHARCFB of %d binaries, %d programs", len(a.Binaries), len(a.Programs))
}

// archives yields models that the writer accepts. Shrinking drops programs, then
// what they and their shaders hold.
func archives() gopter.Gen {
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		f := &sharcfb.File{Endian: sharcfb.Endian(r.Intn(2)), Name: archiveName(r)}
		for range r.Intn(4) {
			f.Programs = append(f.Programs, archiveProgram(r, f))
		}
		return gopter.NewGenResult(archive{f}, shrinkArchive)
	})
}

func archiveName(r *rand.Rand) wire.Text {
	return []wire.Text{"", "aPos", "Pos", "naïve", "\xff", "uColor"}[r.Intn(6)]
}

// archiveProgram makes a program and appends its binaries to f.
func archiveProgram(r *rand.Rand, f *sharcfb.File) sharcfb.Program {
	p := sharcfb.Program{Name: archiveName(r), Kind: []sharcfb.Kind{sharcfb.VertexPixel, sharcfb.VertexPixelGeometry}[r.Intn(2)], BaseIndex: uint32(len(f.Binaries))}
	for k := range r.Intn(4) {
		m := sharcfb.Macro{Name: wire.Text(fmt.Sprintf("M%d", k)), ID: archiveName(r)}
		for v := range 1 + r.Intn(3) {
			m.Values = append(m.Values, wire.Text(fmt.Sprint(v*v)))
		}
		p.Macros = append(p.Macros, m)
		if r.Intn(2) == 0 {
			p.Defaults = append(p.Defaults, sharcfb.Macro{Name: m.Name, Values: m.Values[:1]})
		}
	}
	n := p.Variations()
	for _, list := range []*[]sharcfb.Symbol{&p.Uniforms, &p.Blocks, &p.Samplers, &p.Attributes} {
		for range r.Intn(3) {
			s := sharcfb.Symbol{Offset: int32(r.Uint32()), Name: archiveName(r), ID: archiveName(r), Default: make(wire.Hex, 4*r.Intn(4)), Enable: make(wire.Hex, n)}
			r.Read(s.Default)
			for i := range s.Enable {
				s.Enable[i] = byte(r.Intn(2))
			}
			*list = append(*list, s)
		}
	}
	for range n {
		for stage := range p.Kind.Stages() {
			f.Binaries = append(f.Binaries, sharcfb.Binary{Shader: archiveShader(r, gx2.Type(stage))})
		}
	}
	return p
}

func archiveShader(r *rand.Rand, t gx2.Type) gx2.Shader {
	s := gx2.Shader{Type: t, Registers: make([]uint32, len(t.RegisterNames())), Mode: gx2.Mode(r.Intn(4)), Code: make(wire.Hex, 1+r.Intn(40))}
	r.Read(s.Code)
	for i := range s.Registers {
		s.Registers[i] = uint32(r.Intn(11))
	}
	for range r.Intn(3) {
		s.Blocks = append(s.Blocks, gx2.UniformBlock{Name: archiveName(r), Location: r.Uint32(), Size: r.Uint32()})
		s.Uniforms = append(s.Uniforms, gx2.UniformVar{Name: archiveName(r), Type: gx2.VarType(r.Intn(40)), Count: r.Uint32(), Block: int32(r.Uint32())})
		s.Samplers = append(s.Samplers, gx2.SamplerVar{Name: archiveName(r), Location: r.Uint32()})
		s.Loops = append(s.Loops, gx2.LoopVar{1, 2, 3, 4, 5, 6, 7, byte(r.Uint32())})
	}
	switch t {
	case gx2.Vertex:
		s.Attributes = []gx2.AttribVar{{Name: archiveName(r), Type: 11, Location: r.Uint32()}}
		s.Stream.Enabled = uint32(r.Intn(2))
	case gx2.Geometry:
		s.CopyCode = make(wire.Hex, 1+r.Intn(40))
		s.Stream.RingItemSize = r.Uint32()
	}
	return s
}

var shrinkArchive = gopter.Shrinker(func(v any) gopter.Shrink {
	f := v.(archive).File
	var smaller []archive
	if n := len(f.Programs); n > 0 {
		g := *f
		g.Programs, g.Binaries = f.Programs[:n-1], f.Binaries[:f.Programs[n-1].BaseIndex]
		smaller = append(smaller, archive{&g})
	}
	for i, p := range f.Programs {
		if p.Symbols.Uniforms == nil && p.Defaults == nil {
			continue
		}
		g := *f
		g.Programs = slices.Clone(f.Programs)
		g.Programs[i].Symbols, g.Programs[i].Defaults = sharcfb.Symbols{}, nil
		smaller = append(smaller, archive{&g})
	}
	for i, b := range f.Binaries {
		if b.Blocks == nil {
			continue
		}
		g := *f
		g.Binaries = slices.Clone(f.Binaries)
		s := &g.Binaries[i].Shader
		s.Blocks, s.Uniforms, s.Samplers, s.Loops = nil, nil, nil, nil
		smaller = append(smaller, archive{&g})
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

// TestSharcfbModelRoundTrip: what the writer accepts is read back as an equal
// model, and the generator's models are accepted.
func TestSharcfbModelRoundTrip(t *testing.T) {
	format := judge.Of(sharcfb.Parse, sharcfb.Check)
	holds(t, 1000, archives(), func(m archive) error { return format.Model(m.File) })
}

// TestSharcfbCanonicalIsIdempotent: the canonical form of a canonical file is
// that file, byte for byte, and holds the same content.
func TestSharcfbCanonicalIsIdempotent(t *testing.T) {
	format := judge.Of(sharcfb.Parse, sharcfb.Check)
	holds(t, 1000, archives(), func(m archive) error {
		b, err := m.Canonical().AppendBinary(nil)
		if err != nil {
			return err
		}
		for _, f := range sharcfb.Check(b) {
			if f.Rule == "SHARC061" {
				return errors.New("Check takes the canonical form for another")
			}
		}
		return format.Canonical(m.File)
	})
}

// TestSharcfbConvertIsItsOwnInverse: there and back gives the same bytes, and
// the other byte order holds the same values.
func TestSharcfbConvertIsItsOwnInverse(t *testing.T) {
	check(t, 1000, prop.ForAll(func(a archive) (string, error) {
		b, err := a.AppendBinary(nil)
		if err != nil {
			return "", err
		}
		f, err := sharcfb.Parse(b)
		if err != nil {
			return "", err
		}
		other, err := f.Convert(1 - f.Endian)
		if err != nil {
			return "", err
		}
		turned, err := other.AppendBinary(nil)
		if err != nil {
			return "", err
		}
		read, err := sharcfb.Parse(turned)
		if err != nil {
			return "", err
		}
		back, err := read.Convert(f.Endian)
		if err != nil {
			return "", err
		}
		again, err := back.AppendBinary(nil)
		if err != nil {
			return "", err
		}
		if !bytes.Equal(again, b) || len(turned) != len(b) {
			return "there and back is another file", nil
		}
		return "", nil
	}, archives()))
}

// TestSharcfbVariationBijection: the settings of every variation lead back to
// it, by whatever variation the gaps are filled, and each has binaries of its
// own.
func TestSharcfbVariationBijection(t *testing.T) {
	check(t, 1000, prop.ForAll(func(a archive) (string, error) {
		owners := make(map[int]int)
		for v := range a.Variations() {
			p := &a.Programs[v.Program]
			settings := make(map[string]string)
			for _, s := range v.Settings {
				settings[string(s.Macro)] = string(s.Value)
			}
			for _, base := range []int{0, p.Variations() - 1} {
				if index, err := p.Index(settings, base); err != nil || index != v.Index {
					return fmt.Sprintf("%v leads to %d, want %d", settings, index, v.Index), err
				}
			}
			for stage, i := range v.Binaries {
				owners[i]++
				if a.Binaries[i].Type != gx2.Type(stage) {
					return fmt.Sprintf("binary %d is no %v shader", i, gx2.Type(stage)), nil
				}
			}
		}
		for i, n := range maps.All(owners) {
			if n != 1 {
				return fmt.Sprintf("binary %d belongs to %d variations", i, n), nil
			}
		}
		if len(owners) != len(a.Binaries) {
			return fmt.Sprintf("%d of %d binaries belong to variations", len(owners), len(a.Binaries)), nil
		}
		return "", nil
	}, archives()))
}

// TestSharcfbRegionsPartition: the owners cover every byte once, in order.
func TestSharcfbRegionsPartition(t *testing.T) {
	format := judge.Of(sharcfb.Parse, sharcfb.Check)
	holds(t, 500, archives(), func(m archive) error { return format.Owners(m.File) })
}
