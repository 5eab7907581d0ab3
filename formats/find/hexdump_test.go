package find_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/find"
)

// hexdump writes b in lines of 16 bytes, each in a format with its address and its groups of n bytes. A group has
// its last byte first unless n is 1.
func hexdump(b []byte, n int, format string) string {
	var s strings.Builder
	for i := 0; i < len(b); i += 16 {
		var groups []string
		for group := range slices.Chunk(b[i:min(i+16, len(b))], n) {
			group = bytes.Clone(group)
			slices.Reverse(group)
			groups = append(groups, fmt.Sprintf("%x", group))
		}
		fmt.Fprintf(&s, format, i, strings.Join(groups, " "))
	}
	return s.String()
}

// TestHexdumps: the lines of common programs, with their addresses and columns of characters.
func TestHexdumps(t *testing.T) {
	b := samples.Read(t, "picasso/p04_uniforms.shbin")
	for _, c := range []struct {
		name, text string
		width      int
		want       find.Array
	}{
		{"xxd -g 1", hexdump(b, 1, "%08x: %s  VL..01 23 ab\n"), 1, find.Array{Line: 1}},
		{"xxd -u", "dump:\n" + strings.ToUpper(hexdump(b, 1, "%08x: %s\n")), 1, find.Array{Line: 2}},
		{"hexdump -C", hexdump(b, 1, "%08x  %s  |dead beef|\n"), 1, find.Array{Line: 1}},
		{"od", hexdump(b, 1, "%07o %s\n"), 1, find.Array{Line: 1}},
		{"od -A d", hexdump(b, 1, "%07d %s  >12 34<\r\n"), 1, find.Array{Line: 1}},
		{"quoted", hexdump(b, 1, "> %04x | %s\n"), 1, find.Array{Line: 1}},
		{"debugger", strings.ReplaceAll(hexdump(b, 1, "0x10%04x: %s\n"), " ", "\t0x"), 1, find.Array{Line: 1}},
		{"hexdump", hexdump(b, 2, "%07x %s\n"), 1, find.Array{Line: 1, Width: 2}},
		{"xxd -e", hexdump(b, 4, "%08x: %s  (...\n"), 1, find.Array{Line: 1, Width: 4}},
		{"asterisk", "0000 " + strings.Repeat(" 00", 16) + "\n*\n" + hexdump(b, 1, "1%03x %s\n"), 1,
			find.Array{Line: 1, Offset: 0x1000}},
	} {
		c.want.Encoding = "hexdump"
		c.want.Width = max(1, c.want.Width)
		r := find.In([]byte(c.text), plain)
		if len(r.Files) != 1 || r.Files[0].Array == nil || r.Magics > 0 {
			t.Errorf("%s: got %q, %d magics\n%.200s", c.name, lines(r), r.Magics, c.text)
			continue
		}
		if f := r.Files[0]; *f.Array != c.want || !bytes.Equal(f.Data, b) || !f.Accepted {
			t.Errorf("%s: got %q with %d bytes, want %+v", c.name, lines(r), len(f.Data), c.want)
		}
	}
}

// TestHexdumpEnds: an address that leads back or too far ends a hexdump, as a repetition does that has no line to
// repeat or is too long.
func TestHexdumpEnds(t *testing.T) {
	b := samples.Read(t, "picasso/p04_uniforms.shbin")
	for name, text := range map[string]string{
		"back":       hexdump(b[:64], 1, "%08x: %s\n") + hexdump(b[64:], 1, "%08x: %s\n"),
		"far":        hexdump(b[:64], 1, "%08x: %s\n") + hexdump(b[64:], 1, "ff%06x: %s\n"),
		"too long":   hexdump(b[:64], 1, "%08x: %s\n") + "*\n" + hexdump(b[64:], 1, "7f%06x: %s\n"),
		"no line":    "*\n" + hexdump(b, 1, "%08x: %s. x\n")[:40],
		"odd digits": strings.Replace(hexdump(b, 1, "%08x: %s\n"), ": 0", ": ", 1),
	} {
		if r := find.In([]byte(text), plain); len(r.Files) > 0 || r.Stopped != 0 {
			t.Errorf("%s: got %q, stopped at %d", name, lines(r), r.Stopped)
		}
	}
}
