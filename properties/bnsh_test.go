package properties_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// bnshModel is a model of a BNSH with a short form for messages.
type bnshModel struct{ *bnsh.File }

func (m bnshModel) Format(s fmt.State, _ rune) {
	stages := 0
	for range m.Codes() {
		stages++
	}
	fmt.Fprintf(s, "BNSH of %d variations, %d stages", len(m.Variations), stages)
}

// bnshModels yields models that the writer accepts. Shrinking drops variations,
// then programs, then reflection.
func bnshModels() gopter.Gen {
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		property := r.Uint32()
		f := &bnsh.File{Header: bnsh.Header{
			Version: bnsh.Version{Major: 2, Minor: uint8(r.Intn(4)), Micro: uint8(r.Intn(13))}, AlignmentShift: uint8(r.Intn(32)),
			Name: []bnsh.Text{"", "a", "key", "\xC3\xA9"}[r.Intn(4)], APIType: 4, APIVersion: uint16(r.Uint32()),
			CompilerVersion: r.Uint32(), LowLevelCompilerVersion: r.Uint64(),
		}}
		bytes := func() wire.Hex { return slices.Repeat(wire.Hex{byte(r.Intn(2))}, 1+r.Intn(4)) }
		program := func(t bnsh.CodeType) *bnsh.Program {
			p := &bnsh.Program{Flags: bnsh.ProgramFlags(r.Intn(4)), CodeType: t, ObjectSize: uint32(4 * r.Intn(5))}
			for s := range bnsh.Compute {
				if s != bnsh.Vertex && r.Intn(2) == 0 {
					continue
				}
				switch t {
				case bnsh.BinaryCode:
					p.Stages[s] = &bnsh.Code{Control: bytes(), Code: bytes(), ScratchPerWarp: r.Uint32()}
					f.PoolProperty = &property
				case bnsh.SourceArrayCode:
					p.Stages[s] = &bnsh.Code{Texts: []wire.Hex{bytes(), bytes()}}
				default:
					p.Stages[s] = &bnsh.Code{Code: bytes(), UnpackedSize: r.Uint32()}
				}
			}
			if r.Intn(2) == 0 {
				p.Reflection = new(bnsh.PerStage[bnsh.StageReflection])
				p.Reflection[bnsh.Vertex] = bnshReflection(func(n int) int { return r.Intn(n) })
			}
			return p
		}
		for range 1 + r.Intn(4) {
			v := bnsh.Variation{Binary: program(bnsh.BinaryCode)}
			switch r.Intn(4) {
			case 0:
				v.Source = program(bnsh.SourceCode + bnsh.CodeType(r.Intn(2)))
			case 1:
				v.Intermediate, v.Binary = program(bnsh.IntermediateCode), nil
			}
			f.Variations = append(f.Variations, v)
		}
		return gopter.NewGenResult(settle(f), shrinkBnsh)
	})
}

func bnshReflection(intn func(n int) int) *bnsh.StageReflection {
	all := []bnsh.Text{"key", "monkey", "aPos", "bPos", "\x00x", "y\x80", "mat[0]", "mat[1]", "a"}
	r := &bnsh.StageReflection{Extended: intn(3) == 0}
	for k := range r.Tables {
		if !r.Extended && bnsh.Kind(k) >= bnsh.SeparateTextures {
			break
		}
		if k > 0 {
			r.Tables[k].First = int32(len(r.Slots))
		}
		at := intn(len(all))
		for _, key := range slices.Concat(all[at:], all[:at])[:intn(5)] {
			r.Tables[k].Keys = append(r.Tables[k].Keys, key)
			r.Slots = append(r.Slots, int32(intn(9)-1))
		}
	}
	return r
}

// settle makes the memory pool follow the programs.
func settle(f *bnsh.File) bnshModel {
	if !slices.ContainsFunc(f.Variations, func(v bnsh.Variation) bool { return v.Binary != nil }) {
		f.PoolProperty = nil
	}
	return bnshModel{f}
}

var shrinkBnsh = gopter.Shrinker(func(v any) gopter.Shrink {
	f := v.(bnshModel).File
	var smaller []bnshModel
	for i := range f.Variations {
		if len(f.Variations) > 1 {
			g := *f
			g.Variations = slices.Delete(slices.Clone(f.Variations), i, i+1)
			smaller = append(smaller, settle(&g))
		}
		for _, drop := range []func(*bnsh.Variation){
			func(v *bnsh.Variation) { v.Source = nil },
			func(v *bnsh.Variation) { v.Source, v.Intermediate, v.Binary = v.Binary, nil, nil },
			func(v *bnsh.Variation) {
				for _, p := range []**bnsh.Program{&v.Source, &v.Intermediate, &v.Binary} {
					if *p != nil {
						q := **p
						q.Reflection = nil
						*p = &q
					}
				}
			},
		} {
			g := *f
			g.Variations = slices.Clone(f.Variations)
			drop(&g.Variations[i])
			if _, err := settle(&g).AppendBinary(nil); err == nil && !g.Equal(f) {
				smaller = append(smaller, bnshModel{&g})
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

// TestBnshModelRoundTrip: what the writer accepts is read back as an equal
// model, and the generator's models are accepted.
func TestBnshModelRoundTrip(t *testing.T) {
	format := judge.Of(bnsh.Parse, bnsh.Check)
	holds(t, 3000, bnshModels(), func(m bnshModel) error { return format.Model(m.File) })
}

// TestBnshCanonicalIsIdempotent: the canonical form of a canonical file is
// that file, byte for byte, and holds the same content.
func TestBnshCanonicalIsIdempotent(t *testing.T) {
	format := judge.Of(bnsh.Parse, bnsh.Check)
	holds(t, 2000, bnshModels(), func(m bnshModel) error {
		b, err := m.Canonical().AppendBinary(nil)
		if err != nil {
			return err
		}
		for _, f := range bnsh.Check(b) {
			if f.Rule == "BNSH081" {
				return errors.New("Check takes the canonical form for another")
			}
		}
		return format.Canonical(m.File)
	})
}

// TestBnshRelocationsAreComplete: the relocation entries of a written file cover
// every pointer that is not null once, and no other word. Pointers are the
// fields of eight bytes but for one.
func TestBnshRelocationsAreComplete(t *testing.T) {
	check(t, 1000, prop.ForAll(func(m bnshModel) (string, error) {
		b, err := m.AppendBinary(nil)
		if err != nil {
			return "", err
		}
		back, err := bnsh.Parse(b)
		if err != nil {
			return "", err
		}
		covered := map[uint32]int{}
		for _, s := range back.Layout.Sections {
			for _, e := range s.Entries {
				for i := range uint32(e.Structs) {
					for n := range uint32(e.Pointers) {
						covered[e.Position+8*(i*(uint32(e.Pointers)+uint32(e.Padding))+n)]++
					}
				}
			}
		}
		for _, r := range back.Regions() {
			pointer := r.Kind == diag.FieldRegion && r.Len == 8 && r.Off >= 0x80 && r.Off < int(back.Layout.Strings) &&
				r.Off%8 == 0 && !bytes.Equal(b[r.Off:r.Off+8], make([]byte, 8)) && r.Path != "container.low_level_compiler_version"
			if want := map[bool]int{true: 1}[pointer]; covered[uint32(r.Off)] != want {
				return fmt.Sprintf("%s at %#x is covered %d times, want %d", r.Path, r.Off, covered[uint32(r.Off)], want), nil
			}
			delete(covered, uint32(r.Off))
		}
		if len(covered) > 0 {
			return fmt.Sprintf("%d words that are no field are covered", len(covered)), nil
		}
		return "", nil
	}, bnshModels()))
}

// TestBnshRegionsPartition: the owners cover every byte once, in order.
func TestBnshRegionsPartition(t *testing.T) {
	format := judge.Of(bnsh.Parse, bnsh.Check)
	holds(t, 500, bnshModels(), func(m bnshModel) error { return format.Owners(m.File) })
}
