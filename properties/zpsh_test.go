package properties_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/pica"
)

// zpshModel is a ZPSH model with a short form for messages.
type zpshModel struct{ *zpsh.File }

func (m zpshModel) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "%v of %d words, %d entries, layout %+v", m.Revision, len(m.Code), len(m.Entries), m.Layout)
}

// zpshModels yields models that the writer accepts, with gaps and tails.
// Shrinking drops the layout, then entries, then their constants.
func zpshModels() gopter.Gen {
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		f := &zpsh.File{Revision: zpsh.R3 + zpsh.Revision(r.Intn(2)), Flags: uint8(r.Intn(2)), Descriptors: []uint32{r.Uint32()}}
		words := 1 + r.Intn(20)
		for range words {
			f.Code = append(f.Code, []uint32{uint32(pica.NOP) << 26, uint32(pica.MOV) << 26, 0x10 << 26, uint32(pica.JMPC)<<26 | uint32(r.Intn(words))<<10}[r.Intn(4)])
		}
		var names []string
		for i := range 1 + r.Intn(4) {
			e := zpsh.Entry{Instruction: uint16(r.Intn(words)), Bools: uint16(r.Uint32()), OutputReserved: uint16(r.Uint32())}
			e.Info = []zpsh.Info{0, zpsh.PointInfo(1 + r.Intn(16)), zpsh.VariableInfo(r.Intn(32)), zpsh.FixedInfo(1+r.Intn(16), r.Intn(96))}[r.Intn(4)]
			if f.Revision == zpsh.R4 {
				e.Flags, e.HeaderWords = uint16(r.Intn(2)), uint16(4+4*r.Intn(2))
			}
			for _, register := range ascending(r.Perm(pica.NumFloats)[:r.Intn(5)]) {
				e.Floats = append(e.Floats, zpsh.Float{Register: register, Value: [4]uint32{r.Uint32() >> 8, 0, r.Uint32() >> 8, r.Uint32() >> 8}})
			}
			for _, register := range ascending(r.Perm(pica.NumInts)[:r.Intn(3)]) {
				e.Ints = append(e.Ints, zpsh.Int{Register: register, Value: [4]uint8{uint8(r.Uint32()), 1, 2, 3}})
			}
			for _, register := range ascending(r.Perm(pica.NumOutputs)[:r.Intn(5)]) {
				e.Outputs = append(e.Outputs, zpsh.Output{Register: register, Map: zpsh.Map(r.Uint32())})
			}
			f.Entries = append(f.Entries, e)
			names = append(names, fmt.Sprintf("%c\xC3\xA9%d", 'a'+r.Intn(26), i))
		}
		f.SetNames(names...)
		if r.Intn(2) == 0 {
			f.Layout = &zpsh.Layout{Tail: make(wire.Hex, r.Intn(6))}
			if f.Revision == zpsh.R4 {
				f.Layout.Gaps = []zpsh.Gap{{Entry: r.Intn(len(f.Entries)), Bytes: make(wire.Hex, 4+4*r.Intn(3))}}
			}
		}
		return gopter.NewGenResult(zpshModel{f}, shrinkZpsh)
	})
}

func ascending(registers []int) []uint8 {
	slices.Sort(registers)
	list := make([]uint8, len(registers))
	for i, r := range registers {
		list[i] = uint8(r)
	}
	return list
}

var shrinkZpsh = gopter.Shrinker(func(v any) gopter.Shrink {
	f := v.(zpshModel).File
	var smaller []zpshModel
	add := func(edit func(g *zpsh.File)) {
		g := *f
		g.Entries = slices.Clone(f.Entries)
		edit(&g)
		smaller = append(smaller, zpshModel{&g})
	}
	if f.Layout != nil {
		add(func(g *zpsh.File) { g.Layout = nil })
	}
	for i, e := range f.Entries {
		if f.Layout == nil && len(f.Entries) > 1 {
			add(func(g *zpsh.File) { g.Entries = slices.Delete(g.Entries, i, i+1) })
		}
		if e.Floats != nil || e.Ints != nil || e.Outputs != nil {
			add(func(g *zpsh.File) { x := &g.Entries[i]; x.Floats, x.Ints, x.Outputs = nil, nil, nil })
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

// TestZpshModelRoundTrip: what the writer accepts is read back as an equal
// model, and the generator's models are accepted.
func TestZpshModelRoundTrip(t *testing.T) {
	format := judge.Of(zpsh.Parse, zpsh.Check)
	holds(t, 3000, zpshModels(), func(m zpshModel) error { return format.Model(m.File) })
}

// TestZpshCanonicalIsIdempotent: the canonical form of a canonical file is that
// file, byte for byte, and runs the same programs.
func TestZpshCanonicalIsIdempotent(t *testing.T) {
	check(t, 2000, prop.ForAll(func(m zpshModel) (string, error) {
		once, err := m.Canonical().AppendBinary(nil)
		if err != nil {
			return "", err
		}
		back, err := zpsh.Parse(once)
		if err != nil {
			return "", err
		}
		twice, err := back.Canonical().AppendBinary(nil)
		if err != nil {
			return "", err
		}
		if !bytes.Equal(once, twice) {
			return "the canonical form changed", nil
		}
		if got, want := fmt.Sprintf("%+v", back.Shaders()), fmt.Sprintf("%+v", m.Shaders()); got != want {
			return "the shaders changed", nil
		}
		return "", nil
	}, zpshModels()))
}

// TestZpshRegionsPartition: the owners cover every byte once, in order.
func TestZpshRegionsPartition(t *testing.T) {
	format := judge.Of(zpsh.Parse, zpsh.Check)
	holds(t, 500, zpshModels(), func(m zpshModel) error { return format.Owners(m.File) })
}
