package sharcfb_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

func TestNames(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{sharcfb.Little, "little"},
		{sharcfb.Endian(2), "Endian(2)"},
		{sharcfb.VertexPixel, "vertex, pixel"},
		{sharcfb.VertexPixelGeometry, "vertex, pixel, geometry"},
		{sharcfb.Kind(5), "Kind(5)"},
		{gx2.Geometry, "geometry"},
		{gx2.Type(3), "Type(3)"},
		{gx2.ModeCompute, "compute"},
		{gx2.VarType(11), "float4"},
		{gx2.VarType(29), "float4x4"},
		{gx2.VarType(38), "double4x4"},
		{gx2.VarType(0xFFFFFFFF), "VarType(4294967295)"},
		{gx2.SamplerCube, "cube"},
		{gx2.SamplerType(2), "SamplerType(2)"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestStructures holds the structures against their known sizes and offsets.
func TestStructures(t *testing.T) {
	for _, c := range []struct {
		shader gx2.Type
		size   uint64
		words  int
		first  string
		last   string
	}{
		{gx2.Vertex, 0x134, 0xD0 / 4, "SQ_PGM_RESOURCES_VS", "VGT_HOS_REUSE_DEPTH"},
		{gx2.Pixel, 0xE8, 0xA4 / 4, "SQ_PGM_RESOURCES_PS", "SPI_INPUT_Z"},
		{gx2.Geometry, 0xC0, 0x4C / 4, "SQ_PGM_RESOURCES_GS", "VGT_STRMOUT_BUFFER_EN"},
	} {
		names := c.shader.RegisterNames()
		if c.shader.Size() != c.size || len(names) != c.words || names[0] != c.first || names[len(names)-1] != c.last {
			t.Errorf("%v: got 0x%x bytes, %d registers from %s to %s", c.shader, c.shader.Size(), len(names), names[0],
				names[len(names)-1])
		}
	}
	places := make(map[string]int)
	f := mustParse(t, mustAppend(t, fullModel(sharcfb.Big)))
	for _, r := range f.Regions() {
		places[r.Path] = r.Off
	}
	for path, want := range map[string]int{
		"binaries[0].SPI_VS_OUT_ID_0":       0x10,
		"binaries[0].SQ_VTX_SEMANTIC_31":    0xC0,
		"binaries[0].mode":                  0xD8,
		"binaries[0].loops.count":           0xF4,
		"binaries[0].attributes.offset":     0x108,
		"binaries[0].ring_item_size":        0x10C,
		"binaries[0].stream_out_stride[0]":  0x114,
		"binaries[0].buffer.flags":          0x124,
		"binaries[1].SPI_PS_INPUT_CNTL_0":   0x14,
		"binaries[1].CB_SHADER_MASK":        0x94,
		"binaries[1].program":               0xA8,
		"binaries[1].samplers.offset":       0xD4,
		"binaries[2].SQ_GS_VERT_ITEMSIZE":   0x14,
		"binaries[2].copy_size":             0x54,
		"binaries[2].mode":                  0x5C,
		"binaries[2].stream_out":            0x8C,
		"binaries[2].copy_buffer.pointer":   0xBC,
		"binaries[2].VGT_STRMOUT_BUFFER_EN": 0x48,
	} {
		base := places[path[:len("binaries[0].")]+"data_size"] + 4
		if got := places[path] - base; got != want {
			t.Errorf("%s: got 0x%x, want 0x%x", path, got, want)
		}
	}
}

func TestUsed(t *testing.T) {
	s := sharcfb.Symbol{Enable: []byte{0, 1}}
	for variation, want := range map[int]bool{-1: false, 0: false, 1: true, 2: false} {
		if got := s.Used(variation); got != want {
			t.Errorf("variation %d: got %v, want %v", variation, got, want)
		}
	}
}

// TestBinaryForms reads and writes through the interfaces of package encoding
// and a writer.
func TestBinaryForms(t *testing.T) {
	want := mustAppend(t, workedModel())
	var f sharcfb.File
	if err := f.UnmarshalBinary(want); err != nil {
		t.Fatal(err)
	}
	got, err := f.MarshalBinary()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %x, %v\nwant %x", got, err, want)
	}
	var out bytes.Buffer
	if err := sharcfb.Write(&out, &f); err != nil || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("got %x, %v\nwant %x", out.Bytes(), err, want)
	}
	if err := f.UnmarshalBinary(want[1:]); err == nil || !f.Equal(workedModel()) {
		t.Errorf("a refused file gives %v and changes the model", err)
	}
	f.Name = "\x00"
	out.Reset()
	if err := sharcfb.Write(&out, &f); err == nil || out.Len() > 0 {
		t.Errorf("a refused model gives %v and %d bytes", err, out.Len())
	}
}
