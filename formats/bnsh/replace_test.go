package bnsh_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
	"github.com/picaproof/picaproof/internal/long"
)

// TestReplace: where the new bytes go, what is listed, and that each result is clean.
func TestReplace(t *testing.T) {
	data := samples.Read(t, "wild/three.bnsh")
	parsed, err := bnsh.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	code := func(variation, size int) []byte {
		c, err := parsed.Stage(variation, bnsh.Pixel)
		if err != nil {
			t.Fatal(err)
		}
		b := append(bytes.Clone(c.Code.Code), make([]byte, 0x200)...)[:size]
		b[0xFF] ^= 1
		return b
	}
	control := func(variation int) []byte {
		c, err := parsed.Stage(variation, bnsh.Pixel)
		if err != nil {
			t.Fatal(err)
		}
		b := bytes.Clone(c.Code.Control)
		b[0x87F] ^= 1
		return b
	}
	// moved is what a control of 0x880 more bytes moves.
	moved := []string{
		"pool: offset 0x1e60, now 0x26e0; 4 more moved as far",
		"relocation_table.sections[0]: size 0x1ff0, now 0x2870",
		"relocation_table.sections[0]: entries 0xb, now 0xc",
		"relocation_table.sections[1]: offset 0x1ff0, now 0x2870",
		"relocation_table.sections[2]: offset 0x22f0, now 0x2b70",
		"relocation_table.sections[3]: offset 0x22f0, now 0x2b70",
		"relocation_table.sections[4].entries[3]: offset 0x1e68, now 0x26e8",
	}
	for _, c := range []struct {
		name      string
		variation int
		bytes     bnsh.Replacement
		changes   []string
		offsets   []uint32 // of the pixel code by variation
		findings  []string
	}{
		{name: "in place", variation: 1, bytes: bnsh.Replacement{Code: code(1, 0x100)},
			offsets: []uint32{0x3100, 0x3200, 0x3100}},
		{name: "copied", bytes: bnsh.Replacement{Code: code(0, 0x100)},
			changes: []string{"variations[2].binary.pixel.code: offset 0x3100, now 0x3300"},
			offsets: []uint32{0x3100, 0x3200, 0x3300}},
		{name: "a control of its own", variation: 1, bytes: bnsh.Replacement{Control: control(1)},
			offsets: []uint32{0x3100, 0x3200, 0x3100}},
		{name: "copied control", bytes: bnsh.Replacement{Control: control(0)},
			changes: append([]string{"variations[2].binary.pixel.control: offset 0xb20, now 0x1e60"}, moved...),
			offsets: []uint32{0x3100, 0x3200, 0x3100}},
		{name: "longer", variation: 1, bytes: bnsh.Replacement{Code: code(1, 0x200)},
			changes: []string{"variations[1].binary.pixel.code: size 0x100, now 0x200"},
			offsets: []uint32{0x3100, 0x3200, 0x3100}},
		{name: "longer, the control's word stays", variation: 1,
			bytes:   bnsh.Replacement{Code: code(1, 0x200), Control: control(1)},
			changes: []string{"variations[1].binary.pixel.code: size 0x100, now 0x200"},
			offsets: []uint32{0x3100, 0x3200, 0x3100}, findings: []string{"BNSH092/W"}},
		{name: "longer and copied", bytes: bnsh.Replacement{Code: code(0, 0x200)},
			changes: slices.Concat([]string{"variations[2].binary.pixel.control: offset 0xb20, now 0x1e60"}, moved[:1],
				[]string{"variations[0].binary.pixel.code: size 0x100, now 0x200",
					"variations[2].binary.pixel.code: offset 0x3100, now 0x3400",
					"variations[1].binary.pixel.code: offset 0x3200, now 0x3300"}, moved[1:]),
			offsets: []uint32{0x3100, 0x3300, 0x3400}},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed, err := parsed.Replace(c.variation, bnsh.Pixel, c.bytes)
			if err != nil {
				t.Fatal(err)
			}
			b, err := changed.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			written, err := bnsh.Parse(b)
			if err != nil {
				t.Fatal(err)
			}
			var changes []string
			for _, change := range parsed.Changes(written) {
				changes = append(changes, change.String())
			}
			var offsets []uint32
			for i := range written.Variations {
				offsets = append(offsets, written.Layout.Programs[i].Stages[bnsh.Pixel].Code)
			}
			if !slices.Equal(changes, c.changes) {
				t.Errorf("changes %q, want %q", changes, c.changes)
			}
			if !slices.Equal(offsets, c.offsets) {
				t.Errorf("pixel code at %#x, want %#x", offsets, c.offsets)
			}
			if got := formattest.IDs(bnsh.Check(b)); !slices.Equal(got, c.findings) {
				t.Errorf("findings %v, want %v", got, c.findings)
			}
		})
	}
}

// TestReplaceListsEverything lengthens a code of generated files, so that they are laid out anew. What is no offset or
// size stays, or is listed.
func TestReplaceListsEverything(t *testing.T) {
	const seed = 1
	replaced, gaps, pools, relocations := 0, 0, 0, 0
	for n := range long.Numbers(t, 1500, long.Few(500, 300)) {
		f, err := bnsh.Parse(bnshgen.Format.Odd(gen.From(gen.Seed(seed, uint64(n)))))
		if err != nil {
			t.Fatal(err)
		}
		g := lengthened(f)
		if g == nil {
			continue
		}
		replaced++
		b, err := g.AppendBinary(nil)
		if err != nil {
			t.Fatalf("seed %d, file %d: %v", seed, n, err)
		}
		written, err := bnsh.Parse(b)
		if err != nil || !written.Equal(g) {
			t.Fatalf("seed %d, file %d: the file has other content (%v)", seed, n, err)
		}
		listed := map[string]bool{}
		for _, c := range f.Changes(written) {
			path, _, _ := strings.Cut(c.Path, "[")
			listed[path] = true
		}
		for _, gap := range f.Layout.Gaps {
			kept := slices.ContainsFunc(written.Layout.Gaps, func(other bnsh.Gap) bool {
				return other.Offset == gap.Offset && bytes.Equal(other.Bytes, gap.Bytes)
			})
			if path := fmt.Sprintf("gap at 0x%x", gap.Offset); kept == listed[path] {
				t.Errorf("seed %d, file %d: %s: kept %t, listed %t", seed, n, path, kept, listed[path])
			} else if !kept {
				gaps++
			}
		}
		if other := !slices.Equal(f.Layout.StringPool, written.Layout.StringPool); other != listed["strings"] &&
			f.Layout.Strings == written.Layout.Strings {
			t.Errorf("seed %d, file %d: strings: other %t, listed %t", seed, n, other, listed["strings"])
		} else if other {
			pools++
		}
		if !reflect.DeepEqual(f.Layout.Sections, written.Layout.Sections) {
			if relocations++; !listed["relocation_table.sections"] {
				t.Errorf("seed %d, file %d: other relocations, and none listed", seed, n)
			}
		}
	}
	if t.Logf("%d files: %d gaps dropped, %d with other strings, %d with other relocations", replaced, gaps, pools,
		relocations); min(gaps, pools, relocations) == 0 || replaced < 100 {
		t.Error("a kind of change never occurs")
	}
}

// lengthened returns a file with a longer code; nil if no stage has plain binary code.
func lengthened(f *bnsh.File) *bnsh.File {
	for v := range f.Variations {
		for stage := range bnsh.Stage(bnsh.NumStages) {
			c, err := f.Stage(v, stage)
			if err != nil || c.Code == nil {
				continue
			}
			if g, err := f.Replace(v, stage, bnsh.Replacement{Code: append(bytes.Clone(c.Code.Code), 1)}); err == nil {
				return g
			}
		}
	}
	return nil
}

// TestReplaceRefuses: stages and bytes that cannot be replaced.
func TestReplaceRefuses(t *testing.T) {
	three, err := bnsh.Parse(samples.Read(t, "wild/three.bnsh"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := bnsh.Parse(samples.Read(t, "bnsh/b05_source_glsl.bnsh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file      *bnsh.File
		variation int
		bytes     bnsh.Replacement
		want      string
	}{
		{three, 3, bnsh.Replacement{}, "bnsh: no variation 3; there are 3"},
		{three, 1, bnsh.Replacement{Code: []byte{}}, "bnsh: variation 1, vertex: the new code is empty"},
		{three, 1, bnsh.Replacement{Control: []byte{}}, "bnsh: variation 1, vertex: the new control is empty"},
		{source, 0, bnsh.Replacement{Code: []byte{1}}, "bnsh: variation 0, vertex: the code is source, not plain binary"},
	} {
		g, err := c.file.Replace(c.variation, bnsh.Vertex, c.bytes)
		if g != nil || err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}
