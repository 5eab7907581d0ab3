package sharcfb_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// blurProgram is a program with the macros of a real one: 24 variations.
func blurProgram(kind sharcfb.Kind) *sharcfb.Program {
	return &sharcfb.Program{Name: "blur", Kind: kind, BaseIndex: 40, Macros: []sharcfb.Macro{
		{Name: "GAUSSIAN_KERNEL", Values: []wire.Text{"3", "5", "7", "9", "11", "13"}},
		{Name: "GAUSSIAN_DIR_X", Values: []wire.Text{"0", "1"}},
		{Name: "GAUSSIAN_OMIT", Values: []wire.Text{"0", "1"}},
	}}
}

func blurSettings(kernel, dir, omit string) map[string]string {
	return map[string]string{"GAUSSIAN_KERNEL": kernel, "GAUSSIAN_DIR_X": dir, "GAUSSIAN_OMIT": omit}
}

func TestVariationIndex(t *testing.T) {
	for _, c := range []struct {
		settings map[string]string
		index    int
		two      []int // binaries of kind 3
		three    []int // binaries of kind 7
	}{
		{blurSettings("7", "1", "0"), 10, []int{60, 61}, []int{70, 71, 72}},
		{blurSettings("3", "0", "0"), 0, []int{40, 41}, []int{40, 41, 42}},
		{blurSettings("13", "1", "1"), 23, []int{86, 87}, []int{109, 110, 111}},
		{blurSettings("7", "0", "1"), 9, []int{58, 59}, []int{67, 68, 69}},
	} {
		for kind, binaries := range map[sharcfb.Kind][]int{sharcfb.VertexPixel: c.two,
			sharcfb.VertexPixelGeometry: c.three} {
			f := &sharcfb.File{Programs: []sharcfb.Program{{Name: "other"}, *blurProgram(kind)}}
			v, err := f.Variation("blur", c.settings)
			if err != nil {
				t.Errorf("%v: %v", c.settings, err)
				continue
			}
			want := sharcfb.Variation{Program: 1, Index: c.index, Binaries: binaries}
			for _, m := range f.Programs[1].Macros {
				want.Settings = append(want.Settings,
					sharcfb.Setting{Macro: m.Name, Value: wire.Text(c.settings[string(m.Name)])})
			}
			if diff := cmp.Diff(want, v); diff != "" {
				t.Errorf("%v, kind %d (-want +got):\n%s", c.settings, kind, diff)
			}
		}
	}
}

// TestPartialSettings fills what is not set from the base variation.
func TestPartialSettings(t *testing.T) {
	p := blurProgram(sharcfb.VertexPixel)
	for _, c := range []struct {
		settings map[string]string
		base     int
		strict   int // -1: an error
		agl      int
	}{
		{nil, 0, 0, 0},
		{nil, 17, 17, 17},
		{nil, -1, -1, 0},
		{map[string]string{"GAUSSIAN_KERNEL": "7", "GAUSSIAN_OMIT": "1"}, 0, 9, 9},
		{map[string]string{"GAUSSIAN_KERNEL": "7", "GAUSSIAN_OMIT": "1"}, 2, 11, 11},
		{map[string]string{"GAUSSIAN_OMIT": "1"}, 22, 23, 23},
		{map[string]string{"GAUSSIAN_KERNEL": "8"}, 10, -1, 10},
		{map[string]string{"NO_MACRO": "1", "GAUSSIAN_OMIT": "1"}, 10, -1, 11},
		{map[string]string{"GAUSSIAN_OMIT": "1"}, 24, -1, -1},
		{map[string]string{"GAUSSIAN_OMIT": "1"}, -2, -1, -1},
	} {
		index, err := p.Index(c.settings, c.base)
		if err != nil {
			index = -1
		}
		if index != c.strict {
			t.Errorf("%v on %d: got %d, %v, want %d", c.settings, c.base, index, err, c.strict)
		}
		index, err = p.IndexAGL(c.settings, c.base)
		if err != nil {
			index = -1
		}
		if index != c.agl {
			t.Errorf("AGL, %v on %d: got %d, %v, want %d", c.settings, c.base, index, err, c.agl)
		}
	}
}

func TestVariationErrors(t *testing.T) {
	f := &sharcfb.File{Programs: []sharcfb.Program{*blurProgram(sharcfb.VertexPixel)}}
	for _, c := range []struct {
		program, macro, value string
		want                  error
	}{
		{"blue", "GAUSSIAN_OMIT", "0", sharcfb.ErrNoProgram},
		{"blur", "GAUSSIAN", "0", sharcfb.ErrNoMacro},
		{"blur", "GAUSSIAN_OMIT", "2", sharcfb.ErrNoValue},
		{"blur", "GAUSSIAN_OMIT", "1", nil},
	} {
		if _, err := f.Variation(c.program, map[string]string{c.macro: c.value}); !errors.Is(err, c.want) {
			t.Errorf("%v: got %v", c, err)
		}
	}
	p := &f.Programs[0]
	for range 20 {
		p.Macros = append(p.Macros, p.Macros[1])
	}
	if n := p.Variations(); n != 0 {
		t.Errorf("got %d variations, want 0: too many", n)
	}
	if _, err := p.Values(0); !errors.Is(err, sharcfb.ErrNoVariation) {
		t.Errorf("got %v, want ErrNoVariation", err)
	}
}

// notesIndex is the algorithm of the public format notes, for full settings.
func notesIndex(p *sharcfb.Program, settings map[string]string) (int, error) {
	index := 0
	for _, macro := range p.Macros {
		value, ok := settings[string(macro.Name)]
		at := slices.Index(macro.Values, wire.Text(value))
		if !ok || at < 0 {
			return 0, fmt.Errorf("no value of %s", macro.Name)
		}
		index = index*len(macro.Values) + at
	}
	if p.Kind == sharcfb.VertexPixelGeometry {
		return int(p.BaseIndex) + index*3, nil
	}
	return int(p.BaseIndex) + index*2, nil
}

// TestVariationBijection: over random macro tables every index has settings
// that lead back to it, and the format notes' algorithm finds the same binary.
func TestVariationBijection(t *testing.T) {
	r := formattest.Rand(t, 1)
	programs := 300
	if testing.Short() {
		programs = 50
	}
	for range programs {
		p := randomProgram(r)
		n := p.Variations()
		want := 1
		for _, m := range p.Macros {
			want *= len(m.Values)
		}
		if n != want {
			t.Fatalf("got %d variations, want %d: %v", n, want, p.Macros)
		}
		f := &sharcfb.File{Programs: []sharcfb.Program{*p}}
		seen, next := make(map[string]bool), 0
		for v := range f.Variations() {
			if v.Index != next {
				t.Fatalf("got index %d, want %d", v.Index, next)
			}
			next++
			settings := make(map[string]string)
			for _, s := range v.Settings {
				settings[string(s.Macro)] = string(s.Value)
			}
			key := fmt.Sprint(slices.Sorted(maps.Keys(settings)), v.Settings)
			if seen[key] {
				t.Fatalf("variation %d has the settings of another: %v", v.Index, v.Settings)
			}
			seen[key] = true
			back, err := p.Index(settings, r.IntN(n))
			if err != nil || back != v.Index {
				t.Fatalf("variation %d: settings %v lead to %d, %v", v.Index, settings, back, err)
			}
			first, err := notesIndex(p, settings)
			if err != nil || first != v.Binaries[0] || p.Binary(v.Index, 1) != first+1 {
				t.Fatalf("variation %d: got binaries %v, want %d and following, %v", v.Index, v.Binaries, first, err)
			}
		}
		if next != n {
			t.Fatalf("got %d variations, want %d", next, n)
		}
	}
}

func randomProgram(r *rand.Rand) *sharcfb.Program {
	p := &sharcfb.Program{Name: "r", Kind: []sharcfb.Kind{sharcfb.VertexPixel, sharcfb.VertexPixelGeometry}[r.IntN(2)],
		BaseIndex: r.Uint32N(1000)}
	for product := 1; len(p.Macros) < 6; {
		m := sharcfb.Macro{Name: wire.Text(fmt.Sprintf("M%d", len(p.Macros)))}
		for k := range 1 + r.IntN(7) {
			m.Values = append(m.Values, wire.Text(fmt.Sprint(k*k)))
		}
		if product *= len(m.Values); product > 2000 || r.IntN(8) == 0 {
			break
		}
		p.Macros = append(p.Macros, m)
	}
	return p
}
