package properties_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// csdrModel is a .csdr model with a short form for messages.
type csdrModel struct{ *csdr.File }

func (m csdrModel) Format(s fmt.State, _ rune) {
	var names []string
	for _, o := range m.Objects {
		names = append(names, o.Name)
	}
	fmt.Fprintf(s, "CSDR %q of %q", m.Version, names)
}

// csdrModels yields models that the writer accepts: DVLBs of a DVLB model, any
// characters in names, raw elements. Shrinking drops shaders, then raw elements.
func csdrModels() gopter.Gen {
	characters := []rune("a<>&\"'\t\r\n =]\u00E9\uFFFD\U0001F600")
	return gopter.Gen(func(p *gopter.GenParameters) *gopter.GenResult {
		r := p.Rng
		raw := func(name string) string {
			return []string{"", "<" + name + "/>", "<" + name + " a='>'>&lt;<b>\r\n</b><!-- " + name + " --></" + name + ">"}[r.Intn(3)]
		}
		f := &csdr.File{Version: []string{"0.7.0", "", "1 & 2"}[r.Intn(3)], EditData: raw("EditData")}
		for i := range r.Intn(5) {
			made, _ := shbinModels()(p).Retrieve()
			b, err := made.(model).AppendBinary(nil)
			if err != nil {
				panic(err)
			}
			name := []rune{rune('0' + i)}
			for range r.Intn(5) {
				name = append(name, characters[r.Intn(len(characters))])
			}
			f.Objects = append(f.Objects, csdr.Object{
				Name: string(name), DVLB: b,
				EditData: raw("EditData"), ShaderKinds: raw("ShaderKinds"), Descriptions: raw("Descriptions"),
			})
		}
		return gopter.NewGenResult(csdrModel{f}, shrinkCsdr)
	})
}

var shrinkCsdr = gopter.Shrinker(func(v any) gopter.Shrink {
	f := v.(csdrModel).File
	var smaller []csdrModel
	with := func(edit func(g *csdr.File)) {
		g := *f
		g.Objects = slices.Clone(f.Objects)
		if edit(&g); !g.Equal(f) {
			smaller = append(smaller, csdrModel{&g})
		}
	}
	with(func(g *csdr.File) { g.EditData = "" })
	for i := range f.Objects {
		with(func(g *csdr.File) { g.Objects = slices.Delete(g.Objects, i, i+1) })
		with(func(g *csdr.File) { o := &g.Objects[i]; o.EditData, o.ShaderKinds, o.Descriptions = "", "", "" })
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

// TestCsdrModelRoundTrip: what the writer accepts is read back as an equal
// model, and the generator's models are accepted.
func TestCsdrModelRoundTrip(t *testing.T) {
	format := judge.Of(csdr.Parse, csdr.Check)
	holds(t, 1500, csdrModels(), func(m csdrModel) error { return format.Model(m.File) })
}

// TestCsdrCanonicalIsIdempotent: the canonical form of a canonical text is that
// text, byte for byte, and holds the same content.
func TestCsdrCanonicalIsIdempotent(t *testing.T) {
	format := judge.Of(csdr.Parse, csdr.Check)
	holds(t, 1000, csdrModels(), func(m csdrModel) error { return format.Canonical(m.File) })
}

// TestCsdrRegionsPartition: the owners cover every byte once, in order.
func TestCsdrRegionsPartition(t *testing.T) {
	format := judge.Of(csdr.Parse, csdr.Check)
	holds(t, 500, csdrModels(), func(m csdrModel) error { return format.Owners(m.File) })
}
