package pattern_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/pattern"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/internal/golden"
)

// describe returns a description of a format with the records of a file placed, if it has a name.
func describe(t *testing.T, format, file string) pattern.Description {
	t.Helper()
	d, ok := pattern.Of(format)
	if !ok {
		t.Fatalf("no records of %s", format)
	}
	if file != "" {
		known, _ := registry.ByName(format)
		d.Place(known.Outline(samples.Read(t, file)).Regions)
	}
	return d
}

// TestForms records both forms of a format with the records of a file placed.
func TestForms(t *testing.T) {
	d := describe(t, "shbin", "picasso/p02_arith_all.shbin")
	var hexpat, ksy strings.Builder
	if err := d.WriteHexpat(&hexpat); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteKSY(&ksy); err != nil {
		t.Fatal(err)
	}
	golden.Text(t, "shbin.hexpat", hexpat.String())
	golden.Text(t, "shbin.ksy", ksy.String())
}

// TestFormats: every format that has records is described: names are identifiers that occur once, fields have the
// size of their record, and the forms have each of them.
func TestFormats(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for f := range registry.All() {
		d, ok := pattern.Of(f.Name)
		if !ok {
			if f.Name != "csdr" { // XML
				t.Errorf("%s is not described", f.Name)
			}
			continue
		}
		var ksy, hexpat strings.Builder
		if err := d.WriteKSY(&ksy); err != nil {
			t.Fatal(err)
		}
		if err := d.WriteHexpat(&hexpat); err != nil {
			t.Fatal(err)
		}
		var read struct {
			Types map[string]struct {
				Seq []struct {
					ID       string
					Type     string
					Size     int
					Contents []int
					Repeat   int `yaml:"repeat-expr"`
				}
			}
		}
		if err := yaml.Unmarshal([]byte(ksy.String()), &read); err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if text := ksy.String() + hexpat.String(); strings.Contains(text, `\u`) {
			t.Errorf("%s: a text is not ASCII", f.Name)
		}
		for _, word := range []string{"parent", "padding", "in", "out", "this"} {
			if strings.Contains(hexpat.String(), " "+word+";") || strings.Contains(hexpat.String(), " "+word+" [[") {
				t.Errorf("%s: %s is a word of ImHex", f.Name, word)
			}
		}
		if len(read.Types) != len(d.Types) {
			t.Errorf("%s: %d types, want %d", f.Name, len(read.Types), len(d.Types))
		}
		for _, typ := range d.Types {
			size, ids := 0, map[string]bool{}
			for _, x := range read.Types[typ.Name].Seq {
				one := x.Size + len(x.Contents)
				if x.Type != "" {
					one = int(x.Type[1] - '0')
				}
				size += one * max(x.Repeat, 1)
				declared := regexp.MustCompile(`(?m)^    \w+ ` + x.ID + `_?[;[ ]`)
				if ids[x.ID] || !name.MatchString(x.ID) || !declared.MatchString(hexpat.String()) {
					t.Errorf("%s: %s.%s", f.Name, typ.Name, x.ID)
				}
				ids[x.ID] = true
			}
			if size != typ.Bytes || !name.MatchString(typ.Name) ||
				strings.Count(hexpat.String(), "\nstruct "+typ.Name) == 0 {
				t.Errorf("%s: %s has %d bytes, its fields %d", f.Name, typ.Name, typ.Bytes, size)
			}
		}
	}
}

// TestPlaced: placements lie in the file and do not overlap, and hold the constants of their records.
func TestPlaced(t *testing.T) {
	for format, files := range map[string]struct {
		name  string
		least int
	}{
		"shbin": {"picasso/p04_uniforms.shbin", 8}, "gsh": {"gsh/g01_vertex_pixel.gsh", 8}, "bnsh": {"wild/three.bnsh", 19},
		"sharcfb": {"sharcfb/s03_macros_six_variations_le.sharcfb", 4},
	} {
		data := samples.Read(t, files.name)
		d := describe(t, format, files.name)
		end, magics := 0, 0
		var shown []string
		for _, p := range d.Placed {
			if p.Offset < end {
				t.Errorf("%s: %s overlaps", format, p.Name)
			}
			end = p.Offset + max(p.Count, 1)*p.Type.Bytes
			shown = append(shown, fmt.Sprintf("%s %s[%d] @ 0x%x", p.Type.Name, p.Name, p.Count, p.Offset))
			if f := p.Type.Fields[0]; f.Kind == wire.Characters && f.Always != nil {
				magics++
				if got := string(data[p.Offset:][:f.Size]); got != string(f.Always) {
					t.Errorf("%s: %s begins with %q, want %q", format, p.Name, got, f.Always)
				}
			}
		}
		if end > len(data) || len(d.Placed) < files.least || format != "sharcfb" && magics == 0 {
			t.Errorf("%s: %d placements up to %d of %d bytes, %d magics:\n%s", format, len(d.Placed), end, len(data), magics,
				strings.Join(shown, "\n"))
		}
	}
	if names := pattern.Names(); !slices.IsSorted(names) {
		t.Errorf("names %q", names)
	}
}
