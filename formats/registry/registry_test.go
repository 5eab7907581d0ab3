package registry_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
)

func TestFormatsAreComplete(t *testing.T) {
	var names []string
	rules := make(map[string]string)
	for f := range registry.All() {
		names = append(names, f.Name)
		if f.Title == "" || f.Parse == nil || f.Check == nil || f.Outline == nil || len(f.Rules) == 0 {
			t.Errorf("%s is not complete", f.Name)
		}
		if g, ok := registry.ByName(f.Name); !ok || g.Name != f.Name {
			t.Errorf("%s is not found by its name", f.Name)
		}
		for _, magic := range f.Magics {
			if len(magic) > registry.Head {
				t.Errorf("%s has a magic of %d bytes", f.Name, len(magic))
			}
		}
		for _, ext := range f.Extensions {
			if ext != strings.ToLower(ext) || !strings.HasPrefix(ext, ".") {
				t.Errorf("%s has the extension %q", f.Name, ext)
			}
		}
		for _, r := range f.Rules {
			// Several formats share the rules of code and of GX2 shaders.
			if other := rules[r.ID]; other != "" && !strings.HasPrefix(r.ID, "CODE") &&
				!strings.HasPrefix(r.ID, "GX2") {
				t.Errorf("%s and %s both have %s", other, f.Name, r.ID)
			}
			rules[r.ID] = f.Name
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("formats are not sorted: %v", names)
	}
}

// TestNothing gives every format bytes that cannot be its file.
func TestNothing(t *testing.T) {
	for f := range registry.All() {
		for _, b := range [][]byte{nil, {0}, bytes.Repeat([]byte{0xFF}, 64)} {
			d, err := f.Parse(b)
			if parseError, ok := errors.AsType[*diag.ParseError](err); !ok || d != nil {
				t.Errorf("%s: got %v, %v for %x", f.Name, d, err, b)
			} else if parseError.Finding.Rule != diag.FirstError(f.Check(b)).Rule {
				t.Errorf("%s: Parse and Check differ for %x", f.Name, b)
			}
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct {
		name, start, want string
	}{
		{"shader.shbin", "DVLB\x01\x00\x00\x00", "shbin"},
		{"shader", "DVLB", "shbin"},
		{"shader.SHBIN", "DVLX", "shbin"},
		{"shader.bin", "DVLX", ""},
		{"", "SHAA\x00\x00\x00\x0b", "sharcfb"},
		{"", "AAHS\x0b\x00\x00\x00", "sharcfb"},
		{"", "", ""},
	} {
		f, ok := registry.Detect(c.name, []byte(c.start))
		if f.Name != c.want || ok != (c.want != "") {
			t.Errorf("%q starting %q is %q, want %q", c.name, c.start, f.Name, c.want)
		}
	}
}

func TestRules(t *testing.T) {
	for id, want := range map[string][]string{"DVLE007": {"shbin"},
		"CODE002": {"dvoj", "shbin", "zpsh"}, "DVLE999": nil} {
		var got []string
		for f, r := range registry.Rules(id) {
			if r.ID != id {
				t.Errorf("%s: got rule %s", id, r.ID)
			}
			got = append(got, f.Name)
		}
		if slices.Sort(got); !slices.Equal(got, want) || registry.KnownRule(id) != (want != nil) {
			t.Errorf("%s: got formats %q, known %t; want %q", id, got, registry.KnownRule(id), want)
		}
	}
}
