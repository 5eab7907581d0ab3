package cgfx_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/diag"
)

// TestEmptyExample writes the smallest file.
func TestEmptyExample(t *testing.T) {
	want, err := hex.DecodeString("43474658" + "fffe1400" + "00000005" + "9c000000" + "01000000" + "44415441" +
		"88000000" + strings.Repeat("00", 128))
	if err != nil {
		t.Fatal(err)
	}
	if got := mustAppend(t, &cgfx.File{}); !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
	if f := mustParse(t, want); len(f.Objects) != 0 {
		t.Errorf("got %+v", f)
	}
}

// TestModelRoundTrip: what is written is read back as an equal model.
func TestModelRoundTrip(t *testing.T) {
	f := pair(t)
	g := mustParse(t, mustAppend(t, f))
	if !g.Equal(f) {
		t.Errorf("got %+v, want %+v", g, f)
	}
	g.Layout = nil
	if diff := cmp.Diff(f, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReplace: a DVLB of the same size is replaced in place, whatever else the
// file has; one of another size only in a canonical file.
func TestReplace(t *testing.T) {
	changed := slices.Clone(dvlb(t, 1, false))
	changed[0x3D] ^= 0x10 // another descriptor
	longer := dvlb(t, 3, false)
	foreign := commands(mustAppend(t, pair(t)))

	f := mustParse(t, foreign)
	f.Objects[1].DVLB = changed
	b := mustAppend(t, f)
	if g := mustParse(t, b); len(b) != len(foreign) || !g.Equal(f) || countDifferent(b, foreign) != 1 {
		t.Errorf("replaced in place: %d bytes differ", countDifferent(b, foreign))
	}
	for name, edit := range map[string]func(f *cgfx.File){
		"longer DVLB": func(f *cgfx.File) { f.Objects[1].DVLB = longer },
		"name":        func(f *cgfx.File) { f.Objects[1].Name = "Other" },
		"program":     func(f *cgfx.File) { f.Objects[0].Programs[0].Flag++ },
		"fewer":       func(f *cgfx.File) { f.Objects = f.Objects[:1] },
	} {
		f := mustParse(t, foreign)
		edit(f)
		if b, err := f.AppendBinary([]byte("before")); !errors.Is(err, cgfx.ErrRelocate) ||
			!errors.Is(err, diag.ErrLayout) || string(b) != "before" {
			t.Errorf("%s: got %q, %v, want ErrRelocate", name, b, err)
		}
		f = mustParse(t, mustAppend(t, pair(t)))
		edit(f)
		if g := mustParse(t, mustAppend(t, f)); !g.Equal(f) {
			t.Errorf("%s: a canonical file was not written anew", name)
		}
	}
}

func countDifferent(a, b []byte) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// TestRefusedModels: what a file cannot hold is not written, and neither is
// what Parse would refuse.
func TestRefusedModels(t *testing.T) {
	for name, edit := range map[string]func(f *cgfx.File){
		"empty name":     func(f *cgfx.File) { f.Objects[0].Name = "" },
		"NUL in a name":  func(f *cgfx.File) { f.Objects[0].Name = "a\x00b" },
		"name twice":     func(f *cgfx.File) { f.Objects[0].Name = f.Objects[1].Name },
		"no DVLB":        func(f *cgfx.File) { f.Objects[0].DVLB = nil },
		"damaged DVLB":   func(f *cgfx.File) { f.Objects[0].DVLB = f.Objects[0].DVLB[4:] },
		"no such DVLE":   func(f *cgfx.File) { f.Objects[0].Programs[0].Vertex = 3 },
		"too many":       func(f *cgfx.File) { f.Objects = many(t, 1<<16).Objects },
		"layout, damage": func(f *cgfx.File) { f.Layout = &cgfx.Layout{} },
	} {
		f := pair(t)
		edit(f)
		b, err := f.AppendBinary([]byte("before"))
		if !errors.Is(err, diag.ErrInvalid) || string(b) != "before" {
			t.Errorf("%s: got %v", name, err)
		}
		f.Regions() // of any model
		f.Shaders()
	}
	f := mustParse(t, mustAppend(t, pair(t)))
	size := uint64(len(f.Layout.Bytes))
	for _, offset := range []uint64{1<<64 - 1, size + 1, size - f.Layout.DVLBs[1].Size + 1} { // the last ends outside
		f.Layout.DVLBs[1].Offset = offset
		for _, write := range []func(b []byte) ([]byte, error){f.AppendBinary, f.AppendUnchecked} {
			if b, err := write([]byte("before")); !errors.Is(err, diag.ErrLayout) || string(b) != "before" {
				t.Errorf("a DVLB at 0x%x of 0x%x: %q, %v", offset, size, b, err)
			}
		}
	}
}

// TestInnerFindings: what a DVLB breaks has its place in the file, and in the
// DVLB behind that.
func TestInnerFindings(t *testing.T) {
	b := mustAppend(t, pair(t))
	const entry = 0x08 // of a DVLE
	first := int(b[dvlb0+8]) + dvlb0
	b[first+entry] = 7
	_, err := cgfx.Parse(b)
	parse, ok := errors.AsType[*diag.ParseError](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	f := parse.Finding
	if f.Rule != "DVLE007" || f.Off != first+entry || f.Path != "shaders[0].dvlb.dvle[0].entry" {
		t.Errorf("got %+v", f)
	}
	if want := []diag.Related{{Off: first + entry - dvlb0, Len: 4, Path: "dvle[0].entry"}}; !cmp.Equal(f.Related,
		want) {
		t.Errorf("related are %+v, want %+v", f.Related, want)
	}
}

// TestRegions compares the owners of a file in a few places.
func TestRegions(t *testing.T) {
	got := make(map[string]diag.Region)
	b := mustAppend(t, pair(t))
	for _, r := range mustParse(t, b).Regions() {
		got[r.Path] = r
	}
	names := len(b) - len("DefaultShader\x00Particle\x00\x00")
	for path, want := range map[string]diag.Region{
		"data.kinds[4].count":             {Off: shaders, Len: 4, Value: "2"},
		"dict.nodes[1].name":              {Off: node1 + 8, Len: 4, Value: fmt.Sprintf("%+#x", names-node1-8)},
		"shaders[0].type":                 {Off: object0, Len: 4, Value: "shader 0x80000002"},
		"shaders[0].programs.pointers[1]": {Off: array + 4, Len: 4, Value: "+0x8c"},
		"shaders[0].programs[0].geometry": {Off: program0 + 8, Len: 4, Value: "-1"},
		"shaders[0].dvlb.dvlb.magic":      {Off: dvlb0, Len: 4, Value: `"DVLB"`},
		"shaders[0].dvlb.dvle[2].type":    {Off: dvlb0 + 0xE2, Len: 1, Value: "geometry"},
	} {
		want.Path = path
		if diff := cmp.Diff(want, got[path]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if r := slices.IndexFunc(mustParse(t, b).Regions(),
		func(r diag.Region) bool { return r.Off == names && r.Value == `"DefaultShader"` && r.Len == 14 }); r < 0 {
		t.Error("no region for the first name")
	}
}

// TestReferences: a shader that is elsewhere is listed.
func TestReferences(t *testing.T) {
	f := mustParse(t, set32(object0, 0x80000001)(mustAppend(t, pair(t))))
	if len(f.Objects) != 1 || f.Objects[0].Name != "Particle" || len(f.Layout.References) != 1 ||
		f.Layout.References[0] != "DefaultShader" {
		t.Errorf("got %+v", f)
	}
}

// TestShaders: the entry points of all DVLBs, in order.
func TestShaders(t *testing.T) {
	if got := pair(t).Shaders(); len(got) != 4 || got[2].Stage != 1 || got[3].Stage != 0 {
		t.Errorf("got %d shaders: %+v", len(got), got)
	}
}
