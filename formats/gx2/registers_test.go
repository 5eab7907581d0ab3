package gx2_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/gx2"
)

// TestRegisterText: a register is its fields by name; most that are 0 are left out, bits of no field are
// not.
func TestRegisterText(t *testing.T) {
	for _, x := range []struct {
		shader gx2.Type
		word   int
		value  uint32
		want   string
	}{
		{gx2.Vertex, 0, 0x103, "NUM_GPRS 3, STACK_SIZE 1"},
		{gx2.Vertex, 0, 3, "NUM_GPRS 3, STACK_SIZE 0"},
		{gx2.Vertex, 0, 0x80200103, "NUM_GPRS 3, STACK_SIZE 1, DX10_CLAMP 1, 0x80000000 in no field"},
		{gx2.Pixel, 0, 0x80000002, "NUM_GPRS 2, STACK_SIZE 0, CLAMP_CONSTS 1"},
		{gx2.Pixel, 5, 0x5C0, "SEMANTIC 192, DEFAULT_VAL 0,0,0,1, FLAT_SHADE 1"},
		{gx2.Pixel, 39, 0x50, "Z_ORDER early then late, KILL_ENABLE 1"},
		{gx2.Geometry, 1, 2, "PRIM_TYPE triangle strip"},
		{gx2.Geometry, 1, 9, "PRIM_TYPE 9"},
		{gx2.Vertex, 3, 2, ""},
	} {
		if got := x.shader.Register(x.word).Text(x.value); got != x.want {
			t.Errorf("%v, word %d, 0x%x: got %q, want %q", x.shader, x.word, x.value, got, x.want)
		}
	}
}

// TestRegisterMasks compares the bits of all fields with those of decaf-emu's headers.
func TestRegisterMasks(t *testing.T) {
	const all = 1<<32 - 1
	for kind, want := range map[gx2.Type]map[int]uint32{
		gx2.Vertex: {0: 0x77E0FFFF, 1: 1, 2: 0x3F3F, 3: all, 4: all, 13: all, 14: 0x03FFFFFF, 15: all, 16: all, 17: 0xFF,
			48: 0xFF, 49: 15, 50: 0xFF, 51: 0xFF},
		gx2.Pixel: {0: 0xF7E0FFFF, 1: 0x1F, 2: 0xFFFFFF3F, 3: 0x7FFFFFFF, 4: all, 5: 0x7FFFF, 36: 0x7FFFF, 37: all,
			38: 0xFF, 39: 0x1FF3, 40: 1},
		gx2.Geometry: {0: 0x77E0FFFF, 1: 0x3F, 2: 0x3C91F, 3: 0x03FFFFFF, 4: 0x77E0FFFF, 5: 0x7FFF, 6: 0x3F3F, 7: all,
			8: all, 17: all, 18: 15},
	} {
		for i, mask := range want {
			if got := kind.Register(i).Mask(); got != mask {
				t.Errorf("%v, word %d, %s: got bits 0x%x, want 0x%x", kind, i, kind.Register(i).Name, got, mask)
			}
		}
	}
}
