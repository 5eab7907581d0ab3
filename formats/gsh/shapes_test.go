package gsh_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestShapes: every shape of file that is known of real files or of the sources of
// writers is accepted, written back byte for byte and mapped to the last byte.
func TestShapes(t *testing.T) {
	vertex, pixel, geometry := shader(gx2.Vertex, 64), shader(gx2.Pixel, 32), shader(gx2.Geometry, 16)
	vertex.Attributes = []gx2.AttribVar{{Name: "aPosition", Type: 11},
		{Name: "aTexCoord", Type: 9, Count: 1, Location: 1}}
	pixel.Samplers = []gx2.SamplerVar{{Name: "tex", Type: gx2.Sampler2D}}
	pixel.Loops = []gx2.LoopVar{{0, 0, 0, 0, 1, 0, 0x0F, 0xFF}, {0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}}
	pair := func(style gsh.Style, align uint32) *gsh.File {
		return mustParseFile(gen.Unchecked(&gsh.File{Style: style, Align: align, Shaders: []gsh.Shader{vertex, pixel}}))
	}
	edited := func(edit func(f *gsh.File)) *gsh.File {
		f := pair(gsh.StyleD, 0)
		edit(f)
		return f
	}
	with := func(blocks ...gsh.Block) *gsh.File { // in front of the end block
		return edited(func(f *gsh.File) {
			end := len(f.Layout.Blocks) - 1
			f.Layout.Blocks = slices.Insert(f.Layout.Blocks, end, blocks...)
			for _, b := range blocks {
				if b.Type.Opaque() {
					f.Opaque = append(f.Opaque, make(wire.Hex, 7*len(f.Opaque)))
				}
			}
		})
	}
	// padded is decaf-emu's padding to 0x200, or another writer's.
	padded := func(padding func(off uint64) int) *gsh.File {
		return edited(func(f *gsh.File) {
			f.Align = 1
			var list []gsh.Block
			at := uint64(0x20)
			for i, b := range f.Layout.Blocks {
				if b.Type == gsh.VertexProgram || b.Type == gsh.PixelProgram {
					n := padding(at)
					list = append(list, gsh.Block{Type: gsh.Padding, Padding: make(wire.Hex, n)})
					at += 0x20 + uint64(n)
				}
				list = append(list, b)
				s := f.Shaders[i/2%2]
				at += 0x20 + map[bool]uint64{true: uint64(s.Layout.Size) + uint64(4*len(s.Slack.Patches)) + 0x28,
					false: uint64(len(s.Code))}[i%2 == 0]
			}
			for i := range list {
				list[i].ID = uint32(i)
			}
			f.Layout.Blocks = list
		})
	}
	for name, f := range map[string]*gsh.File{
		"decaf, pair":           pair(gsh.StyleD, 0),
		"gshCompile, pair":      pair(gsh.StyleN, 0),
		"decaf, align 1":        pair(gsh.StyleD, 1),
		"gshCompile, align 1":   pair(gsh.StyleN, 1),
		"vertex alone":          {Shaders: []gsh.Shader{vertex}},
		"vertex alone, style N": {Style: gsh.StyleN, Shaders: []gsh.Shader{vertex}},
		"pixel alone":           {Shaders: []gsh.Shader{pixel}},
		"without tables":        {Shaders: []gsh.Shader{shader(gx2.Vertex, 8), shader(gx2.Pixel, 8)}},
		"without tables, style N": {Style: gsh.StyleN,
			Shaders: []gsh.Shader{shader(gx2.Vertex, 8), shader(gx2.Pixel, 8)}},
		"by kind":           {Shaders: []gsh.Shader{vertex, vertex, pixel, pixel}},
		"by index":          {Shaders: []gsh.Shader{vertex, pixel, vertex, pixel}},
		"geometry, style D": {Shaders: []gsh.Shader{vertex, pixel, geometry}},
		"geometry, style N": {Style: gsh.StyleN, Align: 1, Shaders: []gsh.Shader{vertex, pixel, geometry}},
		"no shader":         {},
		"initial values": edited(func(f *gsh.File) {
			f.Shaders[0].InitialValues, f.Shaders[0].Layout = make([]gx2.InitialValue, 2), nil
		}),
		"empty name": edited(func(f *gsh.File) {
			f.Shaders[1].Samplers[0].Name,
				f.Shaders[1].Layout = "", nil
		}),
		"a name twice": edited(func(f *gsh.File) {
			f.Shaders[0].Attributes[1].Name,
				f.Shaders[0].Layout = "aPosition", nil
		}),
		"code of odd length": edited(func(f *gsh.File) {
			f.Shaders[1].Code,
				f.Shaders[1].Layout = make(wire.Hex, 13), nil
		}),
		"odd registers": edited(func(f *gsh.File) { f.Shaders[0].Registers[13] = 0xDEADBEEF }),
		"last name not padded": edited(func(f *gsh.File) {
			s := &f.Shaders[0]
			s.Layout.Size -= 2 // of the zeros behind "aTexCoord"
		}),
		"three bytes behind the patch list": edited(func(f *gsh.File) { f.Shaders[1].Slack.Gap = make(wire.Hex, 3) }),
		"old end id":                        edited(func(f *gsh.File) { f.Layout.Blocks[4].ID = 2 }),
		"index 0 throughout":                edited(func(f *gsh.File) { f.Layout.Blocks[2].Index = 0 }),
		"minor version":                     edited(func(f *gsh.File) { f.Layout.Blocks[0].Minor = 1 }),
		"bytes behind the end":              edited(func(f *gsh.File) { f.Layout.Tail = wire.Hex("tail") }),
		"align without blocks":              edited(func(f *gsh.File) { f.Align = 1 }),
		"align 2":                           edited(func(f *gsh.File) { f.Align = 2 }),
		"reserved words":                    edited(func(f *gsh.File) { f.Layout.Reserved = 1 << 10 }),
		"padding in any file":               with(gsh.Block{Type: gsh.Padding, Padding: wire.Hex{1, 2, 3}}),
		"padding to 0x100":                  padded(func(at uint64) int { return int(-(at + 0x40) % 0x100) }),
		"empty padding":                     padded(func(uint64) int { return 0 }),
		"texture": with(gsh.Block{Type: 11}, gsh.Block{Type: gsh.Padding},
			gsh.Block{Type: 12}, gsh.Block{Type: 12}, gsh.Block{Type: 13}),
		"compute":   with(gsh.Block{Type: 14}, gsh.Block{Type: 15}),
		"user data": with(gsh.Block{Type: 16}),
		"unknown blocks": with(gsh.Block{Type: 0}, gsh.Block{Type: 4}, gsh.Block{Type: 17},
			gsh.Block{Type: 0xFFFFFFFF}),
		"both headers first": edited(func(f *gsh.File) {
			b := f.Layout.Blocks
			b[1], b[2] = b[2], b[1]
		}),
		"both styles": edited(func(f *gsh.File) { f.Shaders[1] = pair(gsh.StyleN, 0).Shaders[1] }),
	} {
		t.Run(name, func(t *testing.T) {
			b, err := f.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			g := mustParse(t, b)
			if again := mustAppend(t, g); !bytes.Equal(again, b) || len(g.Shaders) != len(f.Shaders) ||
				len(g.Opaque) != len(f.Opaque) {
				t.Errorf("%d bytes became %d", len(b), len(again))
			}
			if diag.FirstError(gsh.Check(b)) != nil {
				t.Errorf("findings %v", gsh.Check(b))
			}
			end := 0
			for _, r := range g.Regions() {
				if r.Off != end {
					t.Errorf("a region at 0x%x, want 0x%x", r.Off, end)
				}
				end = r.Off + r.Len
			}
			if end != len(b) {
				t.Errorf("the regions end at 0x%x of 0x%x", end, len(b))
			}
			format.Agree(t, b)
		})
	}
}
