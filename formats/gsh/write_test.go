package gsh_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestFaces: the other ways to read and write a file.
func TestFaces(t *testing.T) {
	b := sample(t, "g03_geometry_copy.gsh")
	var f gsh.File
	if err := f.UnmarshalBinary(b); err != nil || !f.Equal(mustParse(t, b)) {
		t.Errorf("unmarshalled %+v, %v", f, err)
	}
	if err := f.UnmarshalBinary(b[:40]); err == nil {
		t.Error("half a file is unmarshalled")
	}
	var out bytes.Buffer
	if err := gsh.Write(&out, &f); err != nil || !bytes.Equal(out.Bytes(), b) {
		t.Errorf("written %x, %v", out.Bytes(), err)
	}
	if got, err := f.MarshalBinary(); err != nil || !bytes.Equal(got, b) {
		t.Errorf("marshalled %x, %v", got, err)
	}
}

// TestUnwritable: what no bytes can hold is refused as such, and has no regions.
func TestUnwritable(t *testing.T) {
	for name, edit := range map[string]func(f *gsh.File){
		"style":  func(f *gsh.File) { f.Style = 2 },
		"type":   func(f *gsh.File) { f.Shaders[1].Type = 3 },
		"opaque": func(f *gsh.File) { f.Opaque = make([]wire.Hex, 1) },
	} {
		f := mustParse(t, sample(t, "g01_vertex_pixel.gsh"))
		edit(f)
		if b, err := f.AppendUnchecked([]byte("before")); !errors.Is(err, diag.ErrInvalid) || string(b) != "before" {
			t.Errorf("%s: got %q, %v", name, b, err)
		}
		if regions := f.Regions(); regions != nil {
			t.Errorf("%s: regions %v", name, regions)
		}
	}
	bad := mustParse(t, sample(t, "g01_vertex_pixel.gsh"))
	bad.Shaders[0].Mode = 7
	if regions := bad.Regions(); regions != nil {
		t.Errorf("a mode that is refused: regions %v", regions)
	}
}

// TestLayoutsOfOtherFiles: a layout whose blocks are not those of the shaders does not
// apply.
func TestLayoutsOfOtherFiles(t *testing.T) {
	b := sample(t, "g01_vertex_pixel.gsh")
	for name, edit := range map[string]func(blocks []gsh.Block) []gsh.Block{
		"no blocks": func([]gsh.Block) []gsh.Block { return nil },
		"no end":    func(l []gsh.Block) []gsh.Block { return l[:4] },
		"end in the middle": func(l []gsh.Block) []gsh.Block {
			return slices.Insert(l, 2,
				gsh.Block{Type: gsh.End})
		},
		"program first":    func(l []gsh.Block) []gsh.Block { l[0], l[1] = l[1], l[0]; return l },
		"no program":       func(l []gsh.Block) []gsh.Block { return slices.Delete(l, 1, 2) },
		"one program more": func(l []gsh.Block) []gsh.Block { return slices.Insert(l, 1, l[1]) },
		"one header less":  func(l []gsh.Block) []gsh.Block { return slices.Delete(l, 2, 3) },
		"one header more":  func(l []gsh.Block) []gsh.Block { return slices.Insert(l, 0, l[0]) },
		"headers of other types": func(l []gsh.Block) []gsh.Block {
			l[0].Type, l[1].Type = gsh.PixelHeader,
				gsh.PixelProgram
			return l
		},
		"opaque block": func(l []gsh.Block) []gsh.Block { return slices.Insert(l, 4, gsh.Block{Type: 16}) },
	} {
		f := mustParse(t, b)
		f.Layout.Blocks = edit(f.Layout.Blocks)
		f.Layout.Tail = wire.Hex("not written")
		if got, err := f.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s: got %x, %v, want the canonical form", name, got, err)
		}
	}
}

// TestTwoUnusualLists: what the patch list of one shader names is not known of the
// next.
func TestTwoUnusualLists(t *testing.T) {
	f := mustParse(t, sample(t, "g04_two_shaders_padding.gsh"))
	for i := range f.Shaders {
		slices.Reverse(f.Shaders[i].Slack.Patches)
	}
	var got []string
	for _, x := range plain(gsh.Check(mustAppend(t, f))) {
		got = append(got, x.Rule+" "+x.Path)
	}
	want := []string{"GSH057 shaders[0].patches", "GSH057 shaders[1].patches", "GSH057 shaders[2].patches",
		"GSH057 shaders[3].patches", "GSH070 file"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestModesInWords: a finding about modes names those of the whole group.
func TestModesInWords(t *testing.T) {
	f := mustParse(t, sample(t, "g03_geometry_copy.gsh"))
	f.Shaders[2].Mode = gx2.ModeCompute
	findings := plain(gsh.Check(mustAppend(t, f)))
	if len(findings) != 1 || findings[0].Rule != "GX2021" ||
		findings[0].Found != "geometry, pixel shader block, geometry shader compute" {
		t.Errorf("got %v", findings)
	}
}

// TestRegions compares the owners of a file far from canonical in a few places.
func TestRegions(t *testing.T) {
	got := make(map[string]diag.Region)
	for _, r := range mustParse(t, sample(t, "g05_not_canonical.gsh")).Regions() {
		got[r.Path] = r
	}
	for path, want := range map[string]diag.Region{
		"header.magic":                 {Off: 0, Len: 4, Value: `"Gfx2"`},
		"blocks[0].magic":              {Off: 32, Len: 4, Value: `"BLK{"`},
		"header.align":                 {Off: 0x14, Len: 4, Value: "1: padding blocks place the programs"},
		"blocks[0].type":               {Off: 48, Len: 4, Value: "padding"},
		"blocks[0].data":               {Off: 64, Len: 4, Kind: diag.GapRegion},
		"blocks[1].type":               {Off: 84, Len: 4, Value: "vertex header"},
		"blocks[3].data":               {Off: 1000, Len: 156, Kind: diag.OpaqueRegion},
		"shaders[0].patches[0]":        {Off: 496, Len: 4, Value: "0x0"},
		"shaders[0].patches[1]":        {Off: 500, Len: 4, Value: "0xca700144"},
		"shaders[0].patch_gap":         {Off: 532, Len: 12, Kind: diag.PaddingRegion},
		"shaders[0].trailer.data_size": {Off: 556, Len: 4, Value: "396"},
		"shaders[0].code":              {Off: 1188, Len: 40, Kind: diag.OpaqueRegion},
		"shaders[1].patch_gap":         {Off: 920, Len: 8, Kind: diag.GapRegion},
		"shaders[1].code":              {Off: 1300, Len: 24, Kind: diag.OpaqueRegion},
		"tail":                         {Off: 1420, Len: 4, Kind: diag.GapRegion},
	} {
		want.Path = path
		if diff := cmp.Diff(want, got[path]); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	clean := mustParse(t, sample(t, "g04_two_shaders_padding.gsh")).Regions()
	if i := slices.IndexFunc(clean,
		func(r diag.Region) bool { return r.Path == "blocks[1].data" }); clean[i].Kind != diag.PaddingRegion {
		t.Errorf("padding is %+v", clean[i])
	}
}

// TestUnalignedPointers: a patch names no word that is not aligned, though the list has
// the form of a style.
func TestUnalignedPointers(t *testing.T) {
	for _, style := range [...]gsh.Style{gsh.StyleD, gsh.StyleN} {
		for by := range uint32(4) {
			sampler := shader(gx2.Pixel, 8)
			sampler.Samplers = []gx2.SamplerVar{{Name: "tex", Type: gx2.Sampler2D}}
			f := mustParseFile(gen.Unchecked(&gsh.File{Style: style, Shaders: []gsh.Shader{sampler}}))
			s := &f.Shaders[0]
			for i := range s.Layout.Tables {
				if x := &s.Layout.Tables[i]; x.Count > 0 {
					x.Offset += by
				}
			}
			s.Layout.Names[0].Offset += 4
			s.Layout.Size += 4
			s.Slack.TextOffset += 4
			s.Slack.Patches = style.Patches(s.Layout, s.Type)
			b := gen.Unchecked(f)
			_, err := gsh.Parse(b)
			if by == 0 {
				if err != nil {
					t.Errorf("style %s, aligned: %v", style, err)
				}
				continue
			}
			var refused *diag.ParseError
			if !errors.As(err, &refused) || refused.Finding.Rule != "GSH054" {
				t.Errorf("style %s, %d bytes off: got %v, want GSH054", style, by, err)
				continue
			}
			first := slices.IndexFunc(s.Slack.Patches, func(p uint32) bool { return p%4 != 0 })
			if at, patch := refused.Finding.Off, s.Slack.Patches[first]; binary.BigEndian.Uint32(b[at:]) != patch {
				t.Errorf("style %s, %d bytes off: refused at 0x%x, want the patch 0x%x", style, by, at, patch)
			}
		}
	}
}

// TestOldBlocks: the types of version 0 have other numbers, so that a block of it is no
// vertex header, whatever its type: its index is not checked, and not counted.
func TestOldBlocks(t *testing.T) {
	b := gen.Unchecked(&gsh.File{Style: gsh.StyleD,
		Shaders: []gsh.Shader{shader(gx2.Vertex, 8), shader(gx2.Vertex, 8)}})
	const blocks, major, kind, index = 0x20, 0x08, 0x10, 0x1C
	if b[blocks+kind+3] != byte(gsh.VertexHeader) {
		t.Fatal("the first block is no vertex header")
	}
	b[blocks+major+3], b[blocks+index+3] = 0, 9
	var rules []string
	for _, f := range gsh.Check(b) {
		rules = append(rules, f.Rule+" "+f.Path)
	}
	want := []string{"GSH014 blocks[0].major_version", "GSH021 blocks[2].index", "GSH030 blocks[1]"}
	if !slices.Equal(rules, want) {
		t.Errorf("got %q, want %q", rules, want)
	}
}

// TestOldEnd: an end block of an old version is an end block, whatever else it says.
func TestOldEnd(t *testing.T) {
	b := gen.Unchecked(&gsh.File{Style: gsh.StyleN, Shaders: []gsh.Shader{shader(gx2.Vertex, 8)}})
	end := len(b) - 0x20
	for _, off := range []int{0x08, 0x0C, 0x18} { // version and id
		binary.BigEndian.PutUint32(b[end+off:], 0xCDC4FE81)
	}
	var got []string
	for _, f := range gsh.Check(b) {
		got = append(got, f.Rule+" "+f.Found)
	}
	if want := []string{"GSH014 0xcdc4fe81", "GSH015 0xcdc4fe81"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestEnds: a patch list that ends behind the data, and names that do not end where
// it begins, are refused with both ends.
func TestEnds(t *testing.T) {
	const trailer, textSize, patchCount = 0x40 + 0xE8, 0x14, 0x20
	for field, want := range map[int]string{
		patchCount: "GSH046: end <= 0xe8, end 0x10c",
		textSize:   "GSH049: end 0xe8, end 0xf1",
	} {
		b := gen.Unchecked(&gsh.File{Style: gsh.StyleD, Shaders: []gsh.Shader{shader(gx2.Pixel, 8)}})
		b[trailer+field+3] += 9
		_, err := gsh.Parse(b)
		var refused *diag.ParseError
		if !errors.As(err, &refused) {
			t.Fatalf("got %v, want %q", err, want)
		}
		if f := refused.Finding; f.Rule+": "+f.Expected+", "+f.Found != want {
			t.Errorf("got %s: %s, %s, want %q", f.Rule, f.Expected, f.Found, want)
		}
	}
}
