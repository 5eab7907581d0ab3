package wire_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

// TestDecodeHex: a field of fixed size has two digits for each byte.
func TestDecodeHex(t *testing.T) {
	for text, want := range map[string]string{
		"0aFF": "",
		"0a":   "2 hex digits, want 4", "0aff0": "5 hex digits, want 4", "0aff00": "6 hex digits, want 4",
		"0axx": "encoding/hex: invalid byte: U+0078 'x'",
	} {
		var to [2]byte
		got := ""
		if err := wire.DecodeHex(to[:], []byte(text)); err != nil {
			got = err.Error()
		} else if to != [2]byte{0x0A, 0xFF} {
			t.Errorf("%q: got %x", text, to)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		text  wire.Text
		json  string
		plain bool
	}{
		{"", `""`, true},
		{"aPos", `"aPos"`, true},
		{"a b", `"a b"`, true},
		{"日本", `"日本"`, true},
		{`a\b`, `"a\\\\b"`, true},
		{"\xff\\x41", `"\\xff\\\\x41"`, false},
		{"a\x07", `"a\u0007"`, false},
		{"\x7f", "\"\x7f\"", false},
		{"\uFFFD", "\"\uFFFD\"", true},
	} {
		got, err := json.Marshal(c.text)
		if err != nil || string(got) != c.json {
			t.Errorf("%q: got %s, %v, want %s", c.text, got, err, c.json)
		}
		var back wire.Text
		if err := json.Unmarshal(got, &back); err != nil || back != c.text {
			t.Errorf("%q: back as %q, %v", c.text, back, err)
		}
		if got := c.text.Plain(); got != c.plain {
			t.Errorf("%q: plain %v, want %v", c.text, got, c.plain)
		}
	}
	for _, bad := range []string{`\`, `\n`, `\x1`, `\xzz`} {
		var text wire.Text
		if err := text.UnmarshalText(slices.Clip([]byte(bad))); err == nil {
			t.Errorf("%s: read as %q, want an error", bad, text)
		}
	}
}

// TestShowFlags names the bits of sets of flags.
func TestShowFlags(t *testing.T) {
	show := wire.ShowFlags(wire.ShowHex, "cold", "", "wet")
	for n, want := range map[uint64]string{
		0: "0x0", 1: "0x1: cold", 5: "0x5: cold, wet", 2: "0x2: 0x2 in no field",
		0x8000_0004: "0x80000004: wet, 0x80000000 in no field",
	} {
		if got := show(n); got != want {
			t.Errorf("0x%x: got %q, want %q", n, got, want)
		}
	}
	if got := wire.ShowFlags(wire.ShowDec, "cold")(1); got != "1: cold" {
		t.Errorf("got %q", got)
	}
}
