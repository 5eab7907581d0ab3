package zpsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// TestXXH32 uses the vectors and the input of the self-test of xxHash's command line tool.
func TestXXH32(t *testing.T) {
	const seed = 0x9E3779B1
	input := make([]byte, 222)
	state := uint64(seed)
	for i := range input {
		input[i] = byte(state >> 56)
		state *= 0x9E3779B185EBCA8D
	}
	for _, v := range []struct {
		size       int
		seed, want uint32
	}{
		{0, 0, 0x02CC5D05},
		{0, seed, 0x36B78AE7},
		{1, 0, 0xCF65B03E},
		{1, seed, 0xB4545AA4},
		{14, 0, 0x1208E7E2},
		{14, seed, 0x6AF1D1FE},
		{222, 0, 0x5BD11DBD},
		{222, seed, 0x58803C5F},
	} {
		if got := zpsh.XXH32(input[:v.size], v.seed); got != v.want {
			t.Errorf("%d bytes, seed %#x: got %#08x, want %#08x", v.size, v.seed, got, v.want)
		}
	}
}
