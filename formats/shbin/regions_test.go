package shbin_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestRegionsOfSharedTables checks that bytes of several owners are listed once.
func TestRegionsOfSharedTables(t *testing.T) {
	b := edited(t, twins(3))
	regions := mustParse(t, b).Regions()
	formattest.Partition(t, regions, b)
	i := slices.IndexFunc(regions, func(r diag.Region) bool { return r.Path == "dvle[0].constants[95].payload.w" })
	want := diag.Region{
		Off: len(b) - 4, Len: 4, Path: "dvle[0].constants[95].payload.w", Value: "0 (0x000000)",
		Also: []string{"dvle[1].constants[95].payload.w", "dvle[2].constants[95].payload.w"},
	}
	if i < 0 {
		t.Fatal("no region of the last word")
	}
	if diff := cmp.Diff(want, regions[i]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRegionKinds looks at what is not a field.
func TestRegionKinds(t *testing.T) {
	f := mustParse(t, edited(t, gap(4, 1)))
	f.DVLEs[0].Symbols[22] = 'x' // the last NUL
	f.DVLEs[0].Uniforms = nil    // so that the file is laid out anew
	var got []diag.Region
	for _, r := range f.Regions() {
		if r.Kind != diag.FieldRegion {
			r.Path += " " + r.Kind.String()
			got = append(got, r)
		}
	}
	want := []diag.Region{
		{Off: 0xB8, Len: 12, Kind: diag.OpaqueRegion, Path: "dvle[0].constants[0].payload.rest opaque",
			Value: "000000000000000000000000"},
		{Off: 0xCC, Len: 12, Kind: diag.OpaqueRegion, Path: "dvle[0].constants[1].payload.rest opaque",
			Value: "000000000000000000000000"},
		{Off: 0x127, Len: 4, Kind: diag.OpaqueRegion, Path: "dvle[0].symbols[19] opaque"},
		{Off: 0x12B, Len: 1, Kind: diag.PaddingRegion, Path: "padding padding"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	kinds := make(map[diag.RegionKind]int)
	for _, r := range mustParse(t, edited(t, gap(4, 1))).Regions() {
		kinds[r.Kind]++
	}
	if kinds[diag.GapRegion] != 1 || kinds[diag.PaddingRegion] != 0 {
		t.Errorf("got %v", kinds)
	}
}

// TestRegionsOfGeometryMode checks that only the mode of a geometry program has a name.
func TestRegionsOfGeometryMode(t *testing.T) {
	for kind, want := range map[shbin.Type]string{shbin.VertexShader: "2", shbin.GeometryShader: "fixed"} {
		f := mustParse(t, edited(t, gap(4, 1)))
		f.DVLEs[0].Type, f.DVLEs[0].Geometry.Mode = kind, shbin.Fixed
		i := slices.IndexFunc(f.Regions(), func(r diag.Region) bool { return r.Path == "dvle[0].geometry.mode" })
		if got := f.Regions()[i].Value; got != want {
			t.Errorf("%v: got %s, want %s", kind, got, want)
		}
	}
}
