package parts_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/target/parts"
)

func TestSplit(t *testing.T) {
	for _, test := range []struct {
		name, bytes string
		want        []string
	}{
		{"nothing", "", []string{"", "", ""}},
		{"half a length", "\x01", []string{"", "", ""}},
		{"three", "\x01\x00a\x02\x00bcd", []string{"a", "bc", "d"}},
		{"longer than the rest", "\x01\x00a\xFF\x00bcd", []string{"a", "bcd", ""}},
		{"the last alone", "\x00\x00\x00\x00abc", []string{"", "", "abc"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, input := range parts.Split([]byte(test.bytes), 3) {
				got = append(got, string(input))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestJoin(t *testing.T) {
	long := make([]byte, 300)
	got := parts.Split(parts.Join([]byte("a"), long, []byte("bc")), 3)
	if string(got[0]) != "a" || len(got[1]) != len(long) || string(got[2]) != "bc" {
		t.Errorf("got %q", got)
	}
}
