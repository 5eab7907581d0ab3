package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

func TestText(t *testing.T) {
	for _, c := range []struct {
		text  wire.Text
		json  string
		plain bool
	}{
		{"", `""`, true},
		{"aPos", `"aPos"`, true},
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
		if err := text.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%s: read as %q, want an error", bad, text)
		}
	}
}
