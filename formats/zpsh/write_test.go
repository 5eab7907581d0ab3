package zpsh_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

// TestHash checks the code hash against values of an independent program: over
// 12 bytes, and over 44, which use the lanes of 16 bytes.
func TestHash(t *testing.T) {
	for want, f := range map[uint32]*zpsh.File{
		0x5A1AE688: minimalModel(r4),
		0xDF4AA48A: fullModel(r4),
	} {
		b := mustAppend(t, f)
		if got := uint32(b[12]) | uint32(b[13])<<8 | uint32(b[14])<<16 | uint32(b[15])<<24; got != want {
			t.Errorf("got %08x, want %08x", got, want)
		}
	}
}

// TestRefusedModels: what no bytes stand for is not written, and neither is
// what Parse would refuse.
func TestRefusedModels(t *testing.T) {
	for _, c := range []struct {
		name     string
		revision zpsh.Revision
		edit     func(f *zpsh.File)
		want     error
	}{
		{"no revision", r3, func(f *zpsh.File) { f.Revision = 0 }, diag.ErrInvalid},
		{"unknown revision", r4, longHeader, diag.ErrInvalid},
		{"no code", r3, func(f *zpsh.File) { f.Code = nil }, diag.ErrInvalid},
		{"too much code", r3, func(f *zpsh.File) { f.Code = make([]uint32, 4097) }, diag.ErrInvalid},
		{"too many descriptors", r3, func(f *zpsh.File) { f.Descriptors = make([]uint32, 129) }, diag.ErrInvalid},
		{"too many descriptors for the field", r3, func(f *zpsh.File) { f.Descriptors = make([]uint32, 256) },
			diag.ErrInvalid},
		{"no entries", r3, func(f *zpsh.File) { f.Entries = nil }, diag.ErrInvalid},
		{"too many entries", r3, func(f *zpsh.File) { f.Entries = make([]zpsh.Entry, 4096) }, diag.ErrInvalid},
		{"odd strings", r3, table("main\x00"), diag.ErrInvalid},
		{"too long strings", r3, func(f *zpsh.File) { f.Strings = make([]byte, 1<<18) }, diag.ErrInvalid},
		{"no such name", r3, name(8), diag.ErrInvalid},
		{"int i4", r3, entry(func(e *zpsh.Entry) { e.Ints = []zpsh.Int{{Register: 4}} }), diag.ErrInvalid},
		{"float c96", r3, entry(func(e *zpsh.Entry) { e.Floats = []zpsh.Float{{Register: 96}} }), diag.ErrInvalid},
		{"float of 25 bits", r3, entry(func(e *zpsh.Entry) { e.Floats = []zpsh.Float{{Value: [4]uint32{3: 1 << 24}}} }),
			diag.ErrInvalid},
		{"output o16", r3, entry(func(e *zpsh.Entry) { e.Outputs = []zpsh.Output{{Register: 16}} }), diag.ErrInvalid},
		{"ints descend", r3, entry(func(e *zpsh.Entry) { e.Ints = []zpsh.Int{{Register: 1}, {Register: 0}} }),
			diag.ErrInvalid},
		{"int twice", r3, entry(func(e *zpsh.Entry) { e.Ints = []zpsh.Int{{Register: 1}, {Register: 1}} }),
			diag.ErrInvalid},
		{"flags in R3", r3, entry(func(e *zpsh.Entry) { e.Flags = 1 }), diag.ErrInvalid},
		{"header size in R3", r3, entry(func(e *zpsh.Entry) { e.HeaderWords = 4 }), diag.ErrInvalid},
		{"hash without leniency", r4, func(f *zpsh.File) { f.Layout = &zpsh.Layout{Hash: new(uint32)} },
			diag.ErrInvalid},
		{"hash in R3", r3, func(f *zpsh.File) { f.Layout = &zpsh.Layout{Hash: new(uint32)} }, diag.ErrLayout},
		{"gap in R3", r3, gap(4), diag.ErrLayout},
		{"odd gap", r4, gap(2), diag.ErrLayout},
		{"gap before no entry", r4,
			func(f *zpsh.File) { f.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: 1, Bytes: make([]byte, 4)}}} },
			diag.ErrLayout},
		{"extra header in R4", r4, func(f *zpsh.File) { f.Layout = &zpsh.Layout{ExtraHeader: make(wire.Hex, 4)} },
			diag.ErrLayout},
	} {
		f := minimalModel(c.revision)
		c.edit(f)
		b, err := f.AppendBinary([]byte("before"))
		if !errors.Is(err, c.want) || string(b) != "before" {
			t.Errorf("%s: got %q, %v, want %v", c.name, b, err, c.want)
		}
		f.Canonical() // of any model
		f.Regions()
	}
}

// TestRefusalsNameTheRange holds the texts of refused models to the limits of the
// format.
func TestRefusalsNameTheRange(t *testing.T) {
	for want, edit := range map[string]func(f *zpsh.File){
		"262144 bytes of strings, want 0 to 262140": func(f *zpsh.File) { f.Strings = make([]byte, 1<<18) },
		"4097 instructions, want 1 to 4096":         func(f *zpsh.File) { f.Code = make([]uint32, 4097) },
		"256 descriptors, want 0 to 255":            func(f *zpsh.File) { f.Descriptors = make([]uint32, 256) },
		"int register 4, want 0 to 3":               entry(func(e *zpsh.Entry) { e.Ints = []zpsh.Int{{Register: 4}} }),
		"output register 16, want 0 to 15": entry(
			func(e *zpsh.Entry) { e.Outputs = []zpsh.Output{{Register: 16}} }),
		"int register 1, want 2 to 3": entry(func(e *zpsh.Entry) {
			e.Ints = []zpsh.Int{{Register: 1}, {Register: 1}}
		}),
	} {
		f := minimalModel(r3)
		edit(f)
		if _, err := f.AppendBinary(nil); err == nil || !strings.HasSuffix(err.Error(), ": "+want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestCanonicalKeepsSharedNames: names that together would not fit into a file
// keep the bytes they share.
func TestCanonicalKeepsSharedNames(t *testing.T) {
	b := suffixes(5, 1<<17)
	f := mustParse(t, b)
	if got := mustAppend(t, f.Canonical()); string(got) != string(b) {
		t.Error("the strings changed")
	}
	f = mustParse(t, suffixes(3, 8))
	c := f.Canonical()
	if want := "aaaaaaa\x00aaaaaa\x00aaaaa\x00\x00\x00\x00"; string(c.Strings[:21]) != want[:21] {
		t.Errorf("strings are %q, want %q", c.Strings, want)
	}
	if !f.Equal(mustParse(t, suffixes(3, 8))) {
		t.Error("Canonical changed the file")
	}
}

// TestRegions compares the owners of a file with gaps in a few places.
func TestRegions(t *testing.T) {
	f := fullModel(r4)
	gaps(f)
	got := make(map[string]diag.Region)
	for _, r := range f.Regions() {
		got[r.Path] = r
	}
	for path, want := range map[string]diag.Region{
		"header.counts":    {Off: 0x04, Len: 4, Value: "4 entries, 9 instructions, 2 descriptors"},
		"entry_offsets[1]": {Off: 0x14, Len: 4, Value: "0x00000050"},
		"code[8]":          {Off: 0x40, Len: 4, Value: "0x88000000 end"},
		"strings[3]":       {Off: 0x4F, Len: 9, Value: `"gs_point"`},
		"entries[0].floats[0]": {Off: 0x90, Len: 12,
			Value: "1 (0x3f0000), 2 (0x400000), 0.5 (0x3e0000), -1 (0xbf0000)"},
		"gap":             {Off: 0x128, Len: 8, Kind: diag.GapRegion},
		"entries[3].info": {Off: 0x136, Len: 2, Value: "geometry fixed, 4 vertices from c95"},
		"tail":            {Off: 0x154, Len: 4, Kind: diag.GapRegion},
	} {
		want.Path = path
		if diff := cmp.Diff(want, got[path]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	for _, r := range minimalModel(r3).Regions() {
		if want := "1 entries, 2 instructions, 1 descriptors"; r.Path == "header.counts" && r.Value != want {
			t.Errorf("counts are %q, want %q", r.Value, want)
		}
	}
}

// TestRegionsOfStrings: the last string ends with its zero; up to three zeros
// behind it are padding, and more are strings without a letter.
func TestRegionsOfStrings(t *testing.T) {
	const at = 0x18 // in a minimal file
	for text, want := range map[string][]diag.Region{
		"main\x00\x00\x00\x00": {
			{Path: "strings[0]", Off: at, Len: 5, Value: `"main"`},
			{Path: "strings[5]", Off: at + 5, Len: 3, Kind: diag.PaddingRegion},
		},
		"mai\x00": {{Path: "strings[0]", Off: at, Len: 4, Value: `"mai"`}},
		"ma\x00\x00": {
			{Path: "strings[0]", Off: at, Len: 3, Value: `"ma"`},
			{Path: "strings[3]", Off: at + 3, Len: 1, Kind: diag.PaddingRegion},
		},
		"a\x00bc\x00\x00\x00\x00": {
			{Path: "strings[0]", Off: at, Len: 2, Value: `"a"`},
			{Path: "strings[2]", Off: at + 2, Len: 3, Value: `"bc"`},
			{Path: "strings[5]", Off: at + 5, Len: 3, Kind: diag.PaddingRegion},
		},
		"abc\x00\x00\x00\x00\x00": {
			{Path: "strings[0]", Off: at, Len: 4, Value: `"abc"`},
			{Path: "strings[4]", Off: at + 4, Len: 1, Value: `""`},
			{Path: "strings[5]", Off: at + 5, Len: 3, Kind: diag.PaddingRegion},
		},
		"abcd": {{Path: "strings[0]", Off: at, Len: 4, Kind: diag.OpaqueRegion}}, // no zero ends it
		"ab\x00c": {
			{Path: "strings[0]", Off: at, Len: 3, Value: `"ab"`},
			{Path: "strings[3]", Off: at + 3, Len: 1, Kind: diag.OpaqueRegion},
		},
	} {
		f := minimalModel(r3)
		f.Strings = []byte(text)
		var got []diag.Region
		for _, r := range f.Regions() {
			if r.Off >= at && r.Off < at+len(text) {
				got = append(got, r)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestLargeGap: what a file keeps beside its tables may be larger than they are.
func TestLargeGap(t *testing.T) {
	f := minimalModel(r4)
	gap(1 << 12)(f)
	if b := mustAppend(t, f); !f.Equal(mustParse(t, b)) {
		t.Error("the file changed")
	}
}

// TestShaders checks what engines are given.
func TestShaders(t *testing.T) {
	f := fullModel(r4)
	shaders := f.Shaders()
	want := pica.Shader{
		Program: pica.Program{Code: f.Code, Descriptors: f.Descriptors},
		Name:    "vs", Stage: pica.Vertex, OutMask: 7,
		Floats: []pica.Upload{
			{Register: 0, Format: pica.Float24, Values: []pica.Vec4{{0x3F0000, 0x400000, 0x3E0000, 0xBF0000}}},
			{Register: 95, Format: pica.Float24, Values: []pica.Vec4{{0, 0x000555, 0x3D5555, 0xFF0000}}},
		},
		Ints:  map[int][4]uint8{0: {3, 0, 1, 0}, 3: {255, 1, 2, 0}},
		Bools: map[int]bool{0: true, 15: true},
		Outputs: []pica.Output{
			{Semantic: "position", Register: 0, Mask: 0xF},
			{Semantic: "color", Register: 1, Mask: 0xF},
			{Semantic: "texcoord0", Register: 2, Mask: 0x3},
			{Semantic: "texcoord0w", Register: 2, Mask: 0x4},
		},
	}
	if diff := cmp.Diff(want, shaders[0]); diff != "" {
		t.Errorf("first entry (-want +got):\n%s", diff)
	}
	var parameters []pica.GeometryParameters
	for _, s := range shaders {
		parameters = append(parameters, s.Geometry)
	}
	if diff := cmp.Diff([]pica.GeometryParameters{{}, {}, {Mode: pica.GeometryVariable, Variable: 31},
		{Mode: pica.GeometryFixed, First: 95, Fixed: 4}}, parameters); diff != "" {
		t.Errorf("geometry parameters (-want +got):\n%s", diff)
	}
	if s := shaders[3]; s.Stage != pica.Geometry || s.Entry != 7 || s.Name != "gs_fix" {
		t.Errorf("last entry is %+v", s)
	}
}

// TestCanonicalFillsTheStrings: names that share bytes get bytes of their own when
// together they fill the strings exactly, and share them still when they are one byte
// longer.
func TestCanonicalFillsTheStrings(t *testing.T) {
	const most = 4 * (1<<16 - 1)
	for _, c := range []struct {
		second uint32 // offset of the second name in the first
		want   int    // bytes of strings
	}{
		{1, most},
		{0, most/2 + 1},
	} {
		f := minimalModel(r4)
		twoEntries(f)
		f.Strings = append(bytes.Repeat([]byte{'n'}, most/2), 0)
		f.Entries[0].Name, f.Entries[1].Name = 1, c.second
		if got := len(f.Canonical().Strings); got != c.want {
			t.Errorf("second name at %d: got %d bytes of strings, want %d", c.second, got, c.want)
		}
	}
}
