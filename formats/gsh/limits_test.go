package gsh_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
)

// container has blocks of the given types, n bytes each, over and over.
func container(total, n int, types ...uint32) []byte {
	b := binary.BigEndian.AppendUint32([]byte("Gfx2"), 0x20)
	for _, w := range []uint32{7, 1, 2, 1, 0, 0} {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	block := func(t, size uint32) {
		b = append(b, "BLK{"...)
		for _, w := range []uint32{0x20, 1, 0, t, size, 9, 9} {
			b = binary.BigEndian.AppendUint32(b, w)
		}
		b = append(b, make([]byte, size)...)
	}
	for len(b) < total {
		for _, t := range types {
			block(t, uint32(n))
		}
	}
	block(1, 0)
	return b
}

// minimal has as many shaders of a type as take n bytes, in style N.
func minimal(t gx2.Type, n int) []byte {
	f := &gsh.File{Style: gsh.StyleN}
	return gen.Unchecked(&gsh.File{Style: f.Style, Shaders: slices.Repeat([]gsh.Shader{shader(t, 8)}, n/500)})
}

// hostile are files made to cost a reader more than their size, at a given scale.
var hostile = formattest.Hostile{
	"padding blocks":         func(n int) []byte { return container(n, 0, 2) },
	"opaque blocks":          func(n int) []byte { return container(n, 0, 11) },
	"headers without data":   func(n int) []byte { return container(n, 0, 3) },
	"shaders without data":   func(n int) []byte { return container(n, 0, 6, 7) },
	"programs alone":         func(n int) []byte { return container(n, 0, 5, 7, 9, 10) },
	"shaders of zeros":       func(n int) []byte { return container(n, 0xE8+0x28, 6, 7) },
	"smallest vertex":        func(n int) []byte { return minimal(gx2.Vertex, n) },
	"smallest pixel":         func(n int) []byte { return minimal(gx2.Pixel, n) },
	"smallest geometry":      func(n int) []byte { return minimal(gx2.Geometry, n) },
	"names on one run":       func(n int) []byte { return tails(n, func(int) uint32 { return 0 }) },
	"names that are tails":   func(n int) []byte { return tails(n, func(i int) uint32 { return uint32(4 * i) }) },
	"loops without register": func(n int) []byte { return gen.Unchecked(blocksOfLoops(n)) },
	"records that break rules": func(n int) []byte {
		s := shader(gx2.Geometry, 12)
		s.Registers = slices.Repeat([]uint32{0x12345678}, len(s.Registers))
		s.Mode = 9
		s.Stream = gx2.StreamOut{Enabled: 7, Strides: [4]uint32{1, 2, 3, 5}}
		s.Blocks = make([]gx2.UniformBlock, 30)
		s.Uniforms = slices.Repeat([]gx2.UniformVar{{Type: 99, Block: 70}}, 30)
		s.Samplers = slices.Repeat([]gx2.SamplerVar{{Type: 99, Location: 99}}, 30)
		return gen.Unchecked(&gsh.File{Shaders: slices.Repeat([]gsh.Shader{s}, n/2400)})
	},
	"patches of nothing": func(n int) []byte {
		f := mustParseFile(gen.Unchecked(&gsh.File{Shaders: []gsh.Shader{shader(gx2.Pixel, 8)}}))
		f.Shaders[0].Slack.Patches = slices.Repeat([]uint32{0xD0600000}, n/4)
		return gen.Unchecked(f)
	},
}

func mustParseFile(b []byte) *gsh.File {
	f, err := gsh.Parse(b)
	if err != nil {
		panic(err)
	}
	return f
}

// blocksOfLoops has shaders with loop variables only; a structure has room for a
// megabyte of them.
func blocksOfLoops(n int) *gsh.File {
	const most = 0x1000
	f := &gsh.File{}
	for ; n > 0; n -= 8 * most {
		s := shader(gx2.Pixel, 8)
		s.Loops = slices.Repeat([]gx2.LoopVar{{0xFF}}, min(most, n/8+1))
		f.Shaders = append(f.Shaders, s)
	}
	return f
}

// tails has shaders with blocks whose names lead into one long text, at offsets that
// a function gives.
func tails(n int, at func(i int) uint32) []byte {
	const names = 1000
	s := shader(gx2.Pixel, 8)
	s.Blocks = make([]gx2.UniformBlock, names)
	s.Blocks[0].Name = wire.Text(slices.Repeat([]byte("abcd"), names+1))
	one := gen.Unchecked(&gsh.File{Shaders: []gsh.Shader{s}})
	const data, structure = 0x40, 0xE8
	for i := range names {
		pointer := uint32(0xCA7<<20 + structure + 12*names)
		binary.BigEndian.PutUint32(one[data+structure+12*i:], pointer+at(i))
	}
	body := one[0x20 : len(one)-0x20]
	b := slices.Clone(one[:0x20])
	for len(b) < n+len(body) {
		b = append(b, body...)
	}
	return append(b, one[len(one)-0x20:]...)
}

// TestMemory bounds what Parse and Check allocate, and holds every hostile file to
// what holds for any.
func TestMemory(t *testing.T) {
	format.Memory(t, hostile, 4<<20)
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) { format.Agree(t, make(20_000)) })
	}
}

// TestMemoryOfEveryBlock: likewise files with blocks of one type, small ones and some
// with data.
func TestMemoryOfEveryBlock(t *testing.T) {
	type block struct {
		kind uint32
		size int
	}
	var blocks []block
	for kind := range uint32(18) {
		if kind == uint32(gsh.End) {
			continue
		}
		for _, size := range []int{0, 4, 0x15C, 0x4001} {
			format.Bounds(t, container(128<<10, size, kind))
			blocks = append(blocks, block{kind, size})
		}
		format.Agree(t, container(3000, 0x15C, kind))
	}
	for _, b := range long.Items(t, blocks, long.Few(6, 1)) {
		format.Bounds(t, container(4<<20, b.size, b.kind))
	}
}

// TestTimeIsLinear: time grows with the size.
func TestTimeIsLinear(t *testing.T) {
	for name, make := range hostile {
		t.Run(name, func(t *testing.T) { format.Linear(t, make, 20_000) })
	}
}

// TestRepeatedNamesAreRefused refuses names that share bytes and together are over
// the limit.
func TestRepeatedNamesAreRefused(t *testing.T) {
	_, err := gsh.Parse(hostile["names on one run"](1000))
	parse, ok := errors.AsType[*diag.ParseError](err)
	if !ok || !errors.Is(err, diag.ErrLimit) || parse.Finding.Rule != "GX2049" || parse.Finding.Off != 0x40 {
		t.Errorf("got %v, want GX2049 at 0x40", err)
	}
}

// TestKindsOfRefusal: old versions are valid and not supported.
func TestKindsOfRefusal(t *testing.T) {
	b := sample(t, "g01_vertex_pixel.gsh")
	for _, c := range []struct {
		off, value int
		rule       string
		kind       error
		found      string
	}{
		{0x0B, 6, "GSH004", diag.ErrUnsupported, "6, an old version that is not supported"},
		{0x0B, 8, "GSH004", diag.ErrUnsupported, "8"},
		{0x2B, 0, "GSH014", diag.ErrUnsupported, "0, an old version that is not supported"},
		{0x13, 1, "GSH006", diag.ErrMalformed, "1"},
	} {
		bad := slices.Clone(b)
		bad[c.off] = byte(c.value)
		_, err := gsh.Parse(bad)
		parse, ok := errors.AsType[*diag.ParseError](err)
		if !ok || !errors.Is(err, c.kind) || parse.Finding.Rule != c.rule || parse.Finding.Found != c.found {
			t.Errorf("%d at 0x%x: got %v, want %s, %v, found %s", c.value, c.off, err, c.rule, c.kind, c.found)
		}
	}
}

// TestHugeLayouts: a layout that asks for gigabytes of zeros, or that cannot be, is
// not written.
func TestHugeLayouts(t *testing.T) {
	for name, edit := range map[string]func(f *gsh.File){
		"data beyond pointers": func(f *gsh.File) { f.Shaders[0].Layout.Size = 0xFFFFFFFF },
		"table outside":        func(f *gsh.File) { f.Shaders[0].Layout.Tables[5].Offset = 0xFFFF0 },
		"name outside":         func(f *gsh.File) { f.Shaders[0].Layout.Names[0].Offset = 0xFFFF0 },
		"gap outside": func(f *gsh.File) {
			f.Shaders[0].Layout.Gaps = []gx2.Gap{{Offset: 0xFFFF0,
				Bytes: wire.Hex{1}}}
		},
		"no structure":  func(f *gsh.File) { f.Shaders[0].Layout.Size = 4 },
		"no style":      func(f *gsh.File) { f.Style = 2 },
		"no type":       func(f *gsh.File) { f.Shaders[1].Type = 3 },
		"opaque":        func(f *gsh.File) { f.Opaque = make([]wire.Hex, 1) },
		"NUL in a name": func(f *gsh.File) { f.Shaders[0].Attributes[0].Name = "a\x00b" },
	} {
		f := mustParse(t, sample(t, "g01_vertex_pixel.gsh"))
		edit(f)
		var b []byte
		var err error
		format.Bounds(t, nil)
		if b, err = f.AppendBinary([]byte("before")); err == nil || string(b) != "before" {
			t.Errorf("%s: got %d bytes, %v", name, len(b), err)
		}
		f.Regions() // of any model
	}
}

// TestEdits: an edited file is written anew where its layout no longer fits.
func TestEdits(t *testing.T) {
	for name, edit := range map[string]func(f *gsh.File){
		"longer name":   func(f *gsh.File) { f.Shaders[0].Attributes[0].Name = "aPosition" },
		"another name":  func(f *gsh.File) { f.Shaders[0].Attributes[0].Name = "bPos" },
		"fewer shaders": func(f *gsh.File) { f.Shaders = f.Shaders[:1] },
		"more code":     func(f *gsh.File) { f.Shaders[1].Code = make(wire.Hex, 0x400) },
		"another record": func(f *gsh.File) {
			f.Shaders[0].Attributes = append(f.Shaders[0].Attributes,
				gx2.AttribVar{Name: "b"})
		},
		"another order": func(f *gsh.File) { f.Shaders[0], f.Shaders[1] = f.Shaders[1], f.Shaders[0] },
		"other style":   func(f *gsh.File) { *f = *f.Canonical(); f.Style = gsh.StyleN },
		"aligned":       func(f *gsh.File) { *f = *f.Canonical(); f.Align = 1 },
	} {
		f := mustParse(t, sample(t, "g01_vertex_pixel.gsh"))
		edit(f)
		b := mustAppend(t, f)
		if g := mustParse(t, b); !g.Equal(f) {
			t.Errorf("%s: read back as %+v", name, g)
		}
		format.Agree(t, b)
	}
}

// TestStyleN compares the numbers that are known of the sample in the other style.
func TestStyleN(t *testing.T) {
	f := mustParse(t, sample(t, "g01_vertex_pixel.gsh")).Canonical()
	f.Style = gsh.StyleN
	b := mustAppend(t, f)
	g := mustParse(t, b)
	vertex := []uint32{0, 0, 0, 0, 0, 0, 0xD0600108, 0xD0600134, 0, 0}
	pixel := []uint32{0, 0, 0, 0, 0, 0xD06000D4, 0xD06000E8, 0, 0}
	if len(b) != 1000 || g.Style != gsh.StyleN || !slices.Equal(g.Shaders[0].Slack.Patches, vertex) ||
		!slices.Equal(g.Shaders[1].Slack.Patches, pixel) {
		t.Errorf("%d bytes, style %v, patches %x and %x", len(b), g.Style, g.Shaders[0].Slack.Patches,
			g.Shaders[1].Slack.Patches)
	}
	if findings := plain(gsh.Check(b)); len(findings) > 0 {
		t.Errorf("findings %v", findings)
	}
	if size := binary.BigEndian.Uint32(b[0x34:]); size != 0x1A4 {
		t.Errorf("vertex header of 0x%x bytes, want 0x1A4", size)
	}
}

// TestRoomForBlocks: the lists of blocks are allocated once, however many there are.
func TestRoomForBlocks(t *testing.T) {
	allocations := func(size int) float64 {
		b := container(size, 0, 2)
		return testing.AllocsPerRun(10, func() { mustParseFile(b) })
	}
	if few, many := allocations(1<<10), allocations(1<<16); many > few {
		t.Errorf("%v allocations for 2048 blocks, %v for 32", many, few)
	}
}
