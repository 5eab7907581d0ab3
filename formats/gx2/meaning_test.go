package gx2_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
)

// meaning returns the rules that speak about a shader by itself.
func meaning(s *gx2.Shader) (rules []string) {
	s.Layout = new(gx2.Layout)
	to := diag.Collect(diag.NewRuleSet(gx2.Rules))
	m := gx2.Meaning{Reporter: to}
	m.Check(gx2.Placed{Shader: s, Path: diag.Path{Field: "shader"}})
	for _, f := range to.Findings() {
		rules = append(rules, f.Rule)
	}
	return rules
}

// withUniforms returns a pixel shader in block mode with one block.
func withUniforms(size uint32, list ...gx2.UniformVar) *gx2.Shader {
	s := &gx2.Shader{Type: gx2.Pixel, Mode: gx2.ModeBlock, Blocks: []gx2.UniformBlock{{Name: "b", Size: size}},
		Uniforms: list}
	s.FitRegisters()
	return s
}

// TestSizes: a variable of each type, and an array of three, fit into a block of their size in words, and not
// into one of a byte less.
func TestSizes(t *testing.T) {
	one := []uint32{0, 1, 1, 1, 1, 2, 4, 6, 8, 2, 3, 4, 2, 3, 4, 2, 3, 4, 2, 3, 4, 6, 7, 8, 10, 11, 12, 14, 15, 16,
		8, 14, 16, 12, 22, 24, 16, 30, 32}
	for kind, words := range one {
		if kind == 0 {
			continue
		}
		stride := (words + 3) / 4 * 4
		for count, n := range map[uint32]uint32{0: words, 1: words, 3: 2*stride + words} {
			u := gx2.UniformVar{Name: "u", Type: gx2.VarType(kind), Count: count, Offset: 4}
			for _, missing := range []uint32{0, 1} {
				want := []string{"GX2052"}[:missing]
				if got := meaning(withUniforms(16+4*n-missing, u)); !slices.Equal(got, want) {
					t.Errorf("%v, count %d, size - %d: got %q, want %q", u.Type, count, missing, got, want)
				}
			}
		}
	}
	for _, unknown := range []gx2.VarType{0, 39} {
		if got := meaning(withUniforms(0, gx2.UniformVar{Name: "u", Type: unknown, Offset: 1 << 30})); got != nil {
			t.Errorf("%v: got %q about a size that is not known", unknown, got)
		}
	}
}

// TestElements: rows for elements of an array overlap it, and end where it ends.
func TestElements(t *testing.T) {
	row := func(name wire.Text, offset uint32) gx2.UniformVar {
		return gx2.UniformVar{Name: name, Type: 11, Count: 4, Offset: offset}
	}
	for name, x := range map[string]struct {
		shader *gx2.Shader
		want   []string
	}{
		"elements":         {withUniforms(64, row("m", 0), row("m[0]", 0), row("m[3]", 12)), nil},
		"element too far":  {withUniforms(64, row("m", 0), row("m[2]", 12)), []string{"GX2052"}},
		"no array":         {withUniforms(128, row("m", 0), row("n[1]", 4)), []string{"GX2053"}},
		"no number":        {withUniforms(128, row("m", 0), row("m[x]", 4)), []string{"GX2053"}},
		"earlier in words": {withUniforms(128, row("a", 8), row("b", 0)), []string{"GX2053"}},
		"side by side":     {withUniforms(128, row("a", 16), row("b", 0)), nil},
	} {
		if got := meaning(x.shader); !slices.Equal(got, x.want) {
			t.Errorf("%s: got %q, want %q", name, got, x.want)
		}
	}
}

// TestManyNames: many records of a table, and many names in both stages, are compared once each.
func TestManyNames(t *testing.T) {
	const n = 100
	stage := func(kind gx2.Type, count uint32) *gx2.Shader {
		s := withUniforms(16 * n)
		for i := range uint32(n) {
			s.Uniforms = append(s.Uniforms,
				gx2.UniformVar{Name: wire.Text([]byte{'u', byte(i)}), Type: 11, Count: count, Offset: 4 * i})
		}
		s.Type = kind
		s.FitRegisters()
		s.Layout = new(gx2.Layout)
		return s
	}
	place := func(s *gx2.Shader) gx2.Placed { return gx2.Placed{Shader: s, Path: diag.Path{Field: "shader"}} }
	for count, want := range map[uint32]int{1: 0, 0: n} {
		to := diag.Collect(diag.NewRuleSet(gx2.Rules))
		m := gx2.Meaning{Reporter: to}
		vertex, pixel := place(stage(gx2.Vertex, 1)), place(stage(gx2.Pixel, count))
		m.CheckPair(vertex, pixel, vertex, true)
		if got := len(to.Findings()); got != want {
			t.Errorf("counts 1 and %d: %d findings, want %d", count, got, want)
		}
	}
}

// TestTwinNames: of a name that a stage has twice, the first record is compared.
func TestTwinNames(t *testing.T) {
	stage := func(kind gx2.Type, sizes ...uint32) gx2.Placed {
		s := &gx2.Shader{Type: kind, Layout: new(gx2.Layout)}
		for _, size := range sizes {
			s.Blocks = append(s.Blocks, gx2.UniformBlock{Name: "b", Size: size})
		}
		s.FitRegisters()
		return gx2.Placed{Shader: s, Path: diag.Path{Field: "shader"}}
	}
	for _, x := range []struct {
		vertex, pixel []uint32
		want          int
	}{
		{[]uint32{16, 32}, []uint32{16, 48}, 0},
		{[]uint32{16, 32}, []uint32{16}, 0},
		{[]uint32{16, 32}, []uint32{32, 16}, 1},
		{[]uint32{16}, []uint32{32, 48}, 1},
	} {
		to := diag.Collect(diag.NewRuleSet(gx2.Rules))
		m := gx2.Meaning{Reporter: to}
		vertex := stage(gx2.Vertex, x.vertex...)
		m.CheckPair(vertex, stage(gx2.Pixel, x.pixel...), vertex, true)
		if got := len(to.Findings()); got != x.want {
			t.Errorf("%v and %v: %d findings, want %d", x.vertex, x.pixel, got, x.want)
		}
	}
}
