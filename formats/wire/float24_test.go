package wire_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

func TestFloat24(t *testing.T) {
	for bits, want := range map[uint32]string{
		0x3F0000:  "1 (0x3f0000)",
		0xBE0000:  "-0.5 (0xbe0000)",
		0x418000:  "6 (0x418000)",
		0x800000:  "-0 (0x800000)",
		0x7F0000:  "+Inf (0x7f0000)",
		0xFF0000:  "-Inf (0xff0000)",
		0x7F0001:  "NaN (0x7f0001)",
		0x010000:  "2.168404344971009e-19 (0x010000)",
		0x13F0000: "0x013f0000",
	} {
		if got := wire.Float24(bits); got != want {
			t.Errorf("%#x: got %s, want %s", bits, got, want)
		}
	}
}
