package gx2gen

import (
	"strings"

	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// plainTexts are names that keep SHARC009. They have the first and the last characters that the rule allows, and the
// first and the last of each length in UTF-8.
var plainTexts = []wire.Text{
	"", "aPos", "Pos", "uColor", "tex_map0", " ", "~", `C:\"x"`, "日本", "é",
	"\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\uffff", "\U00010000", "\U0010ffff",
}

// oddBytes break SHARC009 wherever they stand.
var oddBytes = []wire.Text{"\x01", "\n", "\x1f", "\x7f", "\xff", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789__"

// Text draws a plain text, which may be empty.
func (d Drawer) Text() wire.Text {
	switch kind := d.C.Bits(4); {
	case kind < 4:
		return gen.Pick(d.C, plainTexts)
	case kind == 15:
		return d.Letters(d.C.Below(300))
	}
	return d.Letters(1 + d.C.Below(10))
}

// Word draws a plain text that is not empty.
func (d Drawer) Word() wire.Text {
	if t := d.Text(); t != "" {
		return t
	}
	return "x"
}

// Letters draws a text of n characters, of which the first eight vary.
func (d Drawer) Letters(n int) wire.Text {
	var b strings.Builder
	for range min(n, 8) {
		b.WriteByte(letters[d.C.Bits(6)])
	}
	b.WriteString(strings.Repeat("_", max(n-8, 0)))
	return wire.Text(b.String())
}

// Odd puts bytes that are not plain anywhere into a text.
func (d Drawer) Odd(t wire.Text) wire.Text {
	at := d.C.Below(len(t) + 1)
	return t[:at] + gen.Pick(d.C, oddBytes) + t[at:]
}

// Fresh returns a text that no element of a list has as its name: t, if need be
// with digits behind it.
func Fresh[E any](t wire.Text, list []E, name func(E) wire.Text) wire.Text {
	for n := 0; ; n++ {
		taken := false
		for _, e := range list {
			taken = taken || name(e) == t
		}
		if !taken {
			return t
		}
		t += wire.Text(letters[n%len(letters)])
	}
}
