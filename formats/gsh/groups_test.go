package gsh_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/picaproof/picaproof/formats/gsh"
)

// TestGroups: the shaders of a sample that are used together, and their code.
func TestGroups(t *testing.T) {
	two := sample(t, "g04_two_shaders_padding.gsh")
	f := mustParse(t, two)
	groups := f.Groups()
	if len(groups) != 2 || groups[0] != (gsh.Group{0, 2, gsh.NoShader}) ||
		groups[1] != (gsh.Group{1, 3, gsh.NoShader}) {
		t.Errorf("got %v", groups)
	}
	geometry := sample(t, "g03_geometry_copy.gsh")
	g := mustParse(t, geometry)
	for _, c := range []struct {
		f     *gsh.File
		group int
		stage string
		want  []byte
	}{
		{f, 0, "vertex", two[1024:][:256]},
		{f, 1, "vertex", two[2048:][:24]},
		{f, 0, "pixel", two[2560:][:160]},
		{f, 1, "pixel", two[3584:][:256]},
		{g, 0, "geometry", geometry[1324:][:40]},
		{g, 0, "copy", geometry[1396:][:16]},
	} {
		if got, err := c.f.Code(c.group, c.stage); err != nil || !bytes.Equal(got, c.want) {
			t.Errorf("group %d, %s: got %x, %v, want %x", c.group, c.stage, got, err, c.want)
		}
	}
	for _, group := range []int{-1, 2} {
		if _, err := f.Code(group, "vertex"); !errors.Is(err, gsh.ErrNoCode) {
			t.Errorf("group %d: got %v", group, err)
		}
	}
	for _, stage := range []string{"geometry", "copy", ""} {
		if _, err := f.Code(0, stage); !errors.Is(err, gsh.ErrNoCode) {
			t.Errorf("stage %q: got %v", stage, err)
		}
	}
}
