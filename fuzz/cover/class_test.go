package cover_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/pica"
)

// TestClassBorders names the first and the last pattern of each class.
func TestClassBorders(t *testing.T) {
	for _, x := range []struct {
		class       cover.Class
		storage     pica.Value
		first, last uint32
	}{
		{cover.PosZero, pica.StorageF24, 0x000000, 0x000000},
		{cover.PosSubnormal, pica.StorageF24, 0x000001, 0x00FFFF},
		{cover.PosNormal, pica.StorageF24, 0x010000, 0x7EFFFF},
		{cover.PosInf, pica.StorageF24, 0x7F0000, 0x7F0000},
		{cover.NaN, pica.StorageF24, 0x7F0001, 0x7FFFFF},
		{cover.NegZero, pica.StorageF24, 0x800000, 0x800000},
		{cover.NegSubnormal, pica.StorageF24, 0x800001, 0x80FFFF},
		{cover.NegNormal, pica.StorageF24, 0x810000, 0xFEFFFF},
		{cover.NegInf, pica.StorageF24, 0xFF0000, 0xFF0000},
		{cover.NaN, pica.StorageF24, 0xFF0001, 0xFFFFFF},

		{cover.PosZero, pica.StorageF32, 0x00000000, 0x00000000},
		{cover.PosSubnormal, pica.StorageF32, 0x00000001, 0x007FFFFF},
		{cover.PosNormal, pica.StorageF32, 0x00800000, 0x7F7FFFFF},
		{cover.PosInf, pica.StorageF32, 0x7F800000, 0x7F800000},
		{cover.NaN, pica.StorageF32, 0x7F800001, 0x7FFFFFFF},
		{cover.NegZero, pica.StorageF32, 0x80000000, 0x80000000},
		{cover.NegSubnormal, pica.StorageF32, 0x80000001, 0x807FFFFF},
		{cover.NegNormal, pica.StorageF32, 0x80800000, 0xFF7FFFFF},
		{cover.NegInf, pica.StorageF32, 0xFF800000, 0xFF800000},
		{cover.NaN, pica.StorageF32, 0xFF800001, 0xFFFFFFFF},
	} {
		for _, bits := range []uint32{x.first, x.last} {
			if got := cover.ClassOf(bits, x.storage); got != x.class {
				t.Errorf("%#08x: got %v, want %v", bits, got, x.class)
			}
		}
	}
}
