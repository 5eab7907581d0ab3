package gx2_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// at is the offset of the shaders in their file.
const at = 0x40

// full returns a shader of a type with something in every part.
func full(t gx2.Type) *gx2.Shader {
	s := &gx2.Shader{
		Type: t, Registers: make([]uint32, len(t.RegisterNames())), Mode: gx2.ModeBlock,
		Blocks: []gx2.UniformBlock{{Name: "Mtx", Location: 1, Size: 64}, {Name: "Mat", Location: 2, Size: 32}},
		Uniforms: []gx2.UniformVar{{Name: "uView", Type: 29, Count: 1, Offset: 4, Block: 1},
			{Name: "free", Type: 4, Block: gx2.NoBlock}},
		Samplers: []gx2.SamplerVar{{Name: "tex", Type: gx2.SamplerCube, Location: 3}},
		Code:     bytes.Repeat([]byte{0xC0}, 16),
	}
	s.Registers[0] = 0x12345678
	if t == gx2.Vertex {
		s.Attributes = []gx2.AttribVar{{Name: "aPos", Type: 11, Count: 2, Location: 5}}
	}
	if t == gx2.Geometry {
		s.CopyCode = bytes.Repeat([]byte{0xC1}, 8)
	}
	if t != gx2.Pixel {
		s.Stream = gx2.StreamOut{RingItemSize: 12, Enabled: 1, Strides: [4]uint32{16, 0, 4, 0}}
	}
	return s
}

var orders = []binary.ByteOrder{binary.BigEndian, binary.LittleEndian}

// TestExactWords compares words of the written structure and of its tables with
// the offsets that wut and decaf-emu have for them.
func TestExactWords(t *testing.T) {
	for _, order := range orders {
		for kind, want := range map[gx2.Type]map[int]uint32{
			gx2.Vertex: {
				0: 0x12345678, 0xD0: 16, 0xD8: 1, 0xDC: 2, 0xE0: 0x134, 0xE4: 2, 0xE8: 0x14C, 0xEC: 0,
				0xF4: 0, 0xFC: 1,
				0x100: 0x174, 0x104: 1, 0x108: 0x180, 0x10C: 12, 0x110: 1, 0x114: 16, 0x11C: 4, 0x124: 0,
				0x138: 1, 0x13C: 64, 0x150: 29, 0x154: 1, 0x158: 4, 0x15C: 1, 0x170: 0xFFFFFFFF, 0x178: 4, 0x17C: 3,
				0x18C: 5,
			},
			gx2.Pixel: {0: 0x12345678, 0xA4: 16, 0xAC: 1, 0xB0: 2, 0xB4: 0xE8, 0xBC: 0x100, 0xD0: 1, 0xD4: 0x128},
			gx2.Geometry: {0: 0x12345678, 0x4C: 16, 0x54: 8, 0x5C: 1, 0x60: 2, 0x64: 0xC0, 0x88: 12, 0x8C: 1, 0x90: 16,
				0x98: 4, 0xA0: 0},
		} {
			b, err := new(gx2.Writer).Append(nil, full(kind), order, at)
			if err != nil {
				t.Fatal(err)
			}
			for off, w := range want {
				if got := order.Uint32(b[off:]); got != w {
					t.Errorf("%v %v, 0x%x: got 0x%x, want 0x%x", order, kind, off, got, w)
				}
			}
		}
	}
}

// read reads the data of a shader and returns its findings.
func read(s *gx2.Shader, kind gx2.Type, b []byte, order binary.ByteOrder) (bool, []diag.Finding) {
	to := diag.Collect(diag.NewRuleSet(gx2.Rules))
	r := gx2.Reader{Reporter: to}
	ok := r.Read(s, gx2.Source{Type: kind, Data: b, Order: order, Off: at, Path: diag.Path{Field: "shader"}})
	return ok, to.Findings()
}

// TestRoundTrip: what is written is read back as an equal shader without a
// finding, has an owner for every byte, and is written again byte for byte.
func TestRoundTrip(t *testing.T) {
	for _, order := range orders {
		for _, kind := range []gx2.Type{gx2.Vertex, gx2.Pixel, gx2.Geometry} {
			want := full(kind)
			file, err := new(gx2.Writer).Append(make([]byte, at), want, order, at)
			if err != nil {
				t.Fatal(err)
			}
			b := file[at:]
			if uint64(len(b)) > want.MaxSize() {
				t.Errorf("%v: %d bytes, want at most %d", kind, len(b), want.MaxSize())
			}
			var got gx2.Shader
			ok, findings := read(&got, kind, b, order)
			if !ok || len(findings) > 0 || !got.Equal(want) || !got.IsCanonical(at) {
				t.Errorf("%v %v: accepted %t, findings %v, equal %t", order, kind, ok, findings, got.Equal(want))
			}
			if again, err := new(gx2.Writer).Append(nil, &got, order, at); err != nil || !bytes.Equal(again, b) {
				t.Errorf("%v %v: written again: %v\ngot  %x\nwant %x", order, kind, err, again, b)
			}
			regions := got.AppendRegions([]diag.Region{{Len: at, Path: "before"}}, file, order, at, "shader.")
			formattest.Partition(t, regions, file)
			texts := 0
			for _, r := range regions {
				if strings.HasSuffix(r.Path, ".text") && r.Kind == diag.FieldRegion {
					texts++
				}
			}
			if names := len(want.Blocks) + len(want.Uniforms) + len(want.Samplers) +
				len(want.Attributes); texts != names {
				t.Errorf("%v %v: %d names in the byte map, want %d", order, kind, texts, names)
			}
		}
	}
}

// TestSharedNames: a name that is the tail of another one is reported with the first record
// that has the longer one, whatever the order of the names in the data.
func TestSharedNames(t *testing.T) {
	const blocks, sampler = 0x134, 0x174 // where the names of two uniform blocks and of a sampler are
	b, err := new(gx2.Writer).Append(nil, full(gx2.Vertex), binary.BigEndian, at)
	if err != nil {
		t.Fatal(err)
	}
	tex := binary.BigEndian.Uint32(b[sampler:])
	binary.BigEndian.PutUint32(b[blocks:], tex)
	binary.BigEndian.PutUint32(b[blocks+12:], tex+1)
	var s gx2.Shader
	_, findings := read(&s, gx2.Vertex, b, binary.BigEndian)
	var got []string
	for _, f := range findings {
		if f.Rule == "GX2048" {
			got = append(got, f.Path, f.Related[0].Path)
		}
	}
	if want := []string{"shader.blocks[1].text", "shader.blocks[0].text"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q in %v", got, want, findings)
	}
}

// TestCutData: data that is cut anywhere is refused, by an error inside of it.
func TestCutData(t *testing.T) {
	for _, order := range orders {
		b, err := new(gx2.Writer).Append(nil, full(gx2.Geometry), order, at)
		if err != nil {
			t.Fatal(err)
		}
		for n := range b {
			var s gx2.Shader
			ok, findings := read(&s, gx2.Geometry, b[:n], order)
			first := diag.FirstError(findings)
			if ok || first == nil || first.Off < at || first.Off+first.Len > at+n {
				t.Fatalf("%v, %d of %d bytes: accepted %t, error %+v", order, n, len(b), ok, first)
			}
		}
	}
}

// TestRefusedModels: what no structure has room for is not written.
func TestRefusedModels(t *testing.T) {
	for name, s := range map[string]*gx2.Shader{
		"unknown type":      {Type: 3},
		"too few registers": {Type: gx2.Pixel, Registers: make([]uint32, 3)},
		"pixel attributes": {Type: gx2.Pixel, Registers: full(gx2.Pixel).Registers,
			Attributes: full(gx2.Vertex).Attributes},
		"pixel stream-out": {Type: gx2.Pixel, Registers: full(gx2.Pixel).Registers,
			Stream: gx2.StreamOut{Enabled: 1}},
		"vertex copy program": {Type: gx2.Vertex, Registers: full(gx2.Vertex).Registers, CopyCode: []byte{1}},
		"name that has a NUL": {Type: gx2.Vertex, Registers: full(gx2.Vertex).Registers,
			Blocks: []gx2.UniformBlock{{Name: "a\x00b"}}},
		"name that starts with a NUL": {Type: gx2.Vertex, Registers: full(gx2.Vertex).Registers,
			Blocks: []gx2.UniformBlock{{Name: "\x00b"}}},
	} {
		b, err := new(gx2.Writer).Append([]byte("before"), s, binary.BigEndian, at)
		if !errors.Is(err, diag.ErrInvalid) || string(b) != "before" {
			t.Errorf("%s: got %q, %v", name, b, err)
		}
	}
}
