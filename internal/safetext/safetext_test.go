package safetext_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/picaproof/picaproof/internal/safetext"
)

// TestForms: what each form makes of unsafe text.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		in, text, json string
		colour, markup string // if they are not as text
	}{
		{in: "plain ~ äß 日本 🙂\n\t.", text: "plain ~ äß 日本 🙂\n\t.", json: "plain ~ äß 日本 🙂\n\t."},
		{in: "\x1b[31mred\x1b[0m", text: `\x1b[31mred\x1b[0m`, json: `\u001b[31mred\u001b[0m`, colour: "\x1b[31mred\x1b[0m"},
		{in: "\x1b[2Jgone\x1b]0;t\a", text: `\x1b[2Jgone\x1b]0;t\x07`, json: `\u001b[2Jgone\u001b]0;t\u0007`},
		{in: "a\r\nb\x00\x7f", text: `a\r` + "\n" + `b\x00\x7f`, json: `a\u000d` + "\n" + `b\u0000\u007f`},
		{in: "\u0085\u202e\u2066\u200b\u2028\U000e0001", text: `\u0085\u202e\u2066\u200b\u2028\U000e0001`,
			json: `\u0085\u202e\u2066\u200b\u2028\udb40\udc01`},
		{in: "\xff\xc3\x28\xe2\x82", text: `\xff\xc3(\xe2\x82`, json: `\ufffd\ufffd(\ufffd\ufffd`},
		{in: "::error::x\n \t::env::\na::b :: c\n:x:\n:", text: "\\x3a:error::x\n \t\\x3a:env::\na::b :: c\n:x:\n:",
			json:   "\\u003a:error::x\n \t\\u003a:env::\na::b :: c\n:x:\n:",
			markup: "&#58;:error::x\n \t&#58;:env::\na::b :: c\n:x:\n:"},
		{in: "x ##[error]y ##vso[task] ## # ##v", text: `x \x23#[error]y \x23#vso[task] ## # ##v`,
			json: `x \u0023#[error]y \u0023#vso[task] ## # ##v`, markup: "x &#35;#[error]y &#35;#vso[task] ## # ##v"},
		{in: "###[error]", text: `#\x23#[error]`, json: `#\u0023#[error]`, markup: "#&#35;#[error]"},
	} {
		forms := []string{c.text, cmp.Or(c.colour, c.text), cmp.Or(c.markup, c.text), c.json}
		for form, want := range forms {
			if got := written(safetext.Form(form), len(c.in), c.in); got != want {
				t.Errorf("form %d of %q:\n got %q\nwant %q", form, c.in, got, want)
			}
		}
	}
}

// written returns what a Writer makes of a text that it gets in parts of a size.
func written(form safetext.Form, size int, text string) string {
	var b bytes.Buffer
	w := safetext.NewWriter(&b, form)
	for part := range slices.Chunk([]byte(text), size) {
		w.Write(part)
	}
	w.Close()
	return b.String()
}

// TestDrawn: a text drawn from unsafe parts comes out safe, the same however it is divided, and
// JSON keeps its value.
func TestDrawn(t *testing.T) {
	parts := []string{"a", " ", "\n", "\t", "\r", ":", "::", "#", "##", "[", "##vso", "\x1b", "\x1b[", "1;", "m", "K",
		"\x00", "\x7f", "\u0085", "\u202e", "ü", "\xe2", "\x82", "\xac", "\U0001f642", "\xff", "\"", "\\", "<"}
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	for range 20_000 {
		var text string
		for range 1 + r.IntN(12) {
			text += parts[r.IntN(len(parts))]
		}
		for form := safetext.Text; form <= safetext.JSON; form++ {
			whole := written(form, len(text), text)
			if parted := written(form, 1+r.IntN(3), text); parted != whole {
				t.Fatalf("seed %d: form %d of %q: %q, in parts %q", seed, form, text, whole, parted)
			}
			for line := range strings.Lines(whole) {
				if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
					t.Fatalf("seed %d: form %d of %q: %q", seed, form, text, whole)
				}
			}
			for _, c := range whole {
				if !strconv.IsGraphic(c) && c != '\n' && c != '\t' && (form != safetext.Colour || c != 0x1B) {
					t.Fatalf("seed %d: form %d of %q: %q", seed, form, text, whole)
				}
			}
		}
		line := safetext.Line(text)
		if strings.ContainsFunc(line, func(c rune) bool { return !strconv.IsGraphic(c) }) || !utf8.ValidString(line) {
			t.Fatalf("seed %d: line of %q: %q", seed, text, line)
		}
		var before, after string
		plain, _ := json.Marshal(text)
		if err := json.Unmarshal([]byte(written(safetext.JSON, 5, string(plain))), &after); err != nil {
			t.Fatalf("seed %d: %q: %v", seed, text, err)
		}
		if json.Unmarshal(plain, &before); before != after {
			t.Fatalf("seed %d: %q: got %q, want %q", seed, text, after, before)
		}
	}
}

type nested struct {
	Name   string
	Source string `text:"lines"`
	List   []string
	Values map[string]any
	Next   *nested
	Bytes  []byte
	hidden string
}

// TestOneLine: every string of a value is one line, apart from those with lines by their tag; the
// value itself stays as it is.
func TestOneLine(t *testing.T) {
	value := func() *nested {
		return &nested{Name: "a\nb", Source: "c\nd", List: []string{"e\rf", "g"},
			Values: map[string]any{"h\n": []any{"i\n", 1}}, Next: &nested{Name: "j\x1b"}, Bytes: []byte("k\n"), hidden: "l\n"}
	}
	v := value()
	got, _ := json.Marshal(safetext.OneLine(v))
	want, _ := json.Marshal(&nested{Name: `a\nb`, Source: "c\nd", List: []string{`e\rf`, "g"},
		Values: map[string]any{`h\n`: []any{`i\n`, 1}}, Next: &nested{Name: `j\x1b`}, Bytes: []byte("k\n")})
	if string(got) != string(want) {
		t.Errorf("got %s\nwant %s", got, want)
	}
	same, _ := json.Marshal(v)
	if before, _ := json.Marshal(value()); string(same) != string(before) {
		t.Errorf("changed: %s", same)
	}
}

// BenchmarkWriter: plain text costs little more than a copy.
func BenchmarkWriter(b *testing.B) {
	line := "shader.shbin: shbin: 0x0040: DVLE007 dvle[0].entry: entry point is outside the code\n"
	text := bytes.Repeat([]byte(line), 100)
	var to bytes.Buffer
	for _, form := range []safetext.Form{safetext.Text, safetext.JSON} {
		b.Run(strconv.Itoa(int(form)), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			w := safetext.NewWriter(&to, form)
			for b.Loop() {
				to.Reset()
				w.Write(text)
			}
		})
	}
}
