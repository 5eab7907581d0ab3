package find_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/find"
)

// list writes the numbers of a little-endian file of some width with a format, a few in a line.
func list(b []byte, width int, format string) string {
	var s strings.Builder
	for i := 0; i < len(b); i += width {
		var word [8]byte
		copy(word[:], b[i:min(i+width, len(b))])
		fmt.Fprintf(&s, format, binary.LittleEndian.Uint64(word[:]))
		if i/width%7 == 6 {
			s.WriteString("\n\t")
		}
	}
	return s.String()
}

// halves puts a separator between the halves of hexadecimal numbers of eight digits.
func halves(list, separator string) string {
	return regexp.MustCompile(`0x([0-9a-f]{4})`).ReplaceAllString(list, "0x${1}"+separator)
}

// TestSources: an array is found in each spelling of its numbers.
func TestSources(t *testing.T) {
	b := samples.Read(t, "picasso/p04_uniforms.shbin")
	signed := strings.Builder{}
	characters := strings.Builder{}
	for _, c := range b {
		fmt.Fprintf(&signed, "%d, ", int8(c))
		if c >= '0' && c <= 'z' && c != '\\' {
			fmt.Fprintf(&characters, "'%c',", c)
		} else {
			fmt.Fprintf(&characters, "'\\%o',", c)
		}
	}
	escapes := func(format string) string {
		var s strings.Builder
		for i, c := range b {
			if i%16 == 0 {
				s.WriteString("\"\n  \"")
			}
			fmt.Fprintf(&s, format, c)
		}
		return "\"" + s.String() + "\""
	}
	pieces := func(format, between string) string {
		var s strings.Builder
		for part := range slices.Chunk(b, 16) {
			fmt.Fprintf(&s, format+between, part)
		}
		return s.String()
	}
	python := func(text string) string { return strings.NewReplacer(`'`, `\'`, `\"`, `"`, `"`, `'`).Replace(text) }
	unquoted := func(text string) string { return strings.ReplaceAll(strings.ReplaceAll(text, `\"`, `\x22`), `"`, "") }
	for _, c := range []struct {
		name, text string
		want       find.Array
	}{
		{"Python", "import os\nvs = b" + python(fmt.Sprintf("%q", b)) + "  # it's mine\n",
			find.Array{Name: "vs", Line: 2, Width: 1}},
		{"Python pieces", "vs = (\n" + python(pieces("  b%q", "\n")) + ")\nx = 'a'\n",
			find.Array{Name: "vs", Line: 2, Width: 1}},
		{"Python sum", "vs = b'' + \\\n" + python(pieces("  b%q", " + \\\n")) + "b''\n",
			find.Array{Name: "vs", Line: 2, Width: 1}},
		{"Python lines", "vs = b'''\\\n" + unquoted(pieces("%q", "\\\r\n")) + "'''\n",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"Go", "var vs = \"\" +\n" + pieces("\t%q", " +\n") + "\"\"\n", find.Array{Name: "vs", Line: 2, Width: 1}},
		{"Rust", "// it's\nconst VS: &'static [u8; 12] = &[" + list(b, 1, "0x%02x_u8, ") + "];",
			find.Array{Name: "VS", Line: 2, Width: 1}},
		{"Rust suffix", "const VS: [u8; N] = [" + list(b, 1, "0x%02xu8, ") + "];",
			find.Array{Name: "VS", Line: 1, Width: 1}},
		{"Rust behind a function", "fn f(x: &[u8]) -> u8 {}\nconst VS: &[u8] = &[" + list(b, 1, "%d, ") + "];",
			find.Array{Name: "VS", Line: 2, Width: 1}},
		{"Rust string", "const VS: &'static [u8] = b\"\\\n" + unquoted(pieces("    %q", "\\\n")) + "\";",
			find.Array{Name: "VS", Line: 1, Width: 1}},
		{"Rust characters", "const VS: &'static [u8] = &[b'D', b'V', b'L', b'B', " + list(b[4:], 1, "%d, ") + "];",
			find.Array{Name: "VS", Line: 1, Width: 1}},
		{"Rust words", "const VS: [u32; 3] = [" + halves(list(b, 4, "0x%08x_u32, "), "_") + "];",
			find.Array{Name: "VS", Line: 1, Width: 4}},
		{"C++ words", "u32 vs[] = {" + halves(list(b, 4, "0x%08xu, "), "'") + "};",
			find.Array{Name: "vs", Line: 1, Width: 4}},
		{"C++ bytes", "#include <array>\nconstexpr std::byte vs[] = {" + list(b, 1, "std::byte{0x%02x}, ") + "};",
			find.Array{Name: "vs", Line: 2, Width: 1}},
		{"C++ casts", "std::uint8_t vs[] = {" + list(b, 1, "static_cast<std::uint8_t>(%d), ") + "};",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"macros", "uint32_t vs[] = {" + list(b, 4, "UINT32_C( 0x%x ),") + "};", find.Array{Name: "vs", Line: 1, Width: 4}},
		{"Pascal", "const\n  vs: array[0..139] of Byte = (" + strings.ReplaceAll(list(b, 1, ", $%02X"), ", ", ",")[1:] + ");",
			find.Array{Name: "vs", Line: 2, Width: 1}},
		{"Pascal words", "const vs: array[0..34] of LongWord = (" + list(b, 4, "$%08X, ") + ");",
			find.Array{Name: "vs", Line: 1, Width: 4}},
		{"assembler of the 6502", "vs:\n" + list(b, 1, "\t.byte $%02x\n"), find.Array{Name: "vs", Line: 2, Width: 1}},
		{"assembler of Microsoft", "vs db " + list(b, 1, "0%02Xh, "), find.Array{Line: 1, Width: 1}},
		{"BASIC", "vs = {" + list(b, 1, "&H%02X, ") + "}", find.Array{Name: "vs", Line: 1, Width: 1}},
		{"Kotlin", "val vs = byteArrayOf(" + list(b, 1, "0x%02x.toByte(), ") + ")",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"Lua", "local vs = \"" + strings.ReplaceAll(list(b, 1, `\%d`), "\n\t", "") + "\"\n",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"Lua lines", "local vs = " + escapes(`\%03d`) + "\n", find.Array{Name: "vs", Line: 2, Width: 1}},
		{"xxd", "unsigned char vs[] = {\n" + list(b, 1, "0x%02x, ") + "};\n",
			find.Array{Name: "vs", Line: 2, Width: 1}},
		{"size", "const u8 vs[400] = {" + list(b, 1, "0x%02X,") + "};",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"decimal", "#include <x.h>\n\nint vs[] = {" + list(b, 1, "%d, ") + "};",
			find.Array{Name: "vs", Line: 3, Width: 1}},
		{"brackets", "x = [" + list(b, 1, "%d,") + "]", find.Array{Name: "x", Line: 1, Width: 1}},
		{"octal", "vs[] = {" + list(b, 1, "0%o, ") + "};", find.Array{Name: "vs", Line: 1, Width: 1}},
		{"signed", "char vs[] = {" + signed.String() + "};", find.Array{Name: "vs", Line: 1, Width: 1}},
		{"characters", "char vs[] = {" + characters.String() + "};", find.Array{Name: "vs", Line: 1, Width: 1}},
		{"cast", "char vs[] = {" + list(b, 1, "(char)0x%x, ") + "};",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"casts", "char vs[] = {" + list(b, 1, "((unsigned char) 0x%xu), ") + "};",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"halves", "u16 vs[] = {" + list(b, 2, "0x%04x, ") + "};", find.Array{Name: "vs", Line: 1, Width: 2}},
		{"words", "u32 vs[] = {" + list(b, 4, "0x%08xUL, ") + "};", find.Array{Name: "vs", Line: 1, Width: 4}},
		{"decimal words", "u32 vs[] = {" + list(b, 4, "%d, ") + "};",
			find.Array{Name: "vs", Line: 1, Width: 4}},
		{"long words", "u64 vs[] = {" + list(b, 8, "0x%xull, ") + "};",
			find.Array{Name: "vs", Line: 1, Width: 8}},
		{"comments", "u32 vs[] = {\n" + list(b, 4, "/* a\n */ 0x%x, // 1, 2 {\n") + "};",
			find.Array{Name: "vs", Line: 3, Width: 4}},
		{"short comment", "/*/ x */ vs[] = {" + list(b, 1, "%d,/**/ ") + "};",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"nested", "vs[][4] = {{{" + list(b, 4, "0x%x}, {") + "}}};",
			find.Array{Name: "vs", Line: 1, Width: 4}},
		{"assembler", "vs:\n" + list(b, 1, "\t.byte 0x%02x # x\n"), find.Array{Name: "vs", Line: 2, Width: 1}},
		{"assembler words", "vs: .align 4\nvt:\n" + list(b, 4, "\t.4byte 0x%02x\n"),
			find.Array{Name: "vs", Line: 3, Width: 4}},
		{"strings", "char *vs = \n" + escapes(`\x%02x`) + ";", find.Array{Name: "vs", Line: 3, Width: 1}},
		{"octal strings", "char *vs = " + escapes(`\%03o`) + ";", find.Array{Name: "vs", Line: 2, Width: 1}},
		{"behind others", "int a[] = {1, 2, 3}; f(4, 5); u8 vs[] = {" + list(b, 1, "%d,") + "};",
			find.Array{Name: "vs", Line: 1, Width: 1}},
		{"inside", "u8 vs[] = {1, 2, 3, " + list(b, 1, "%d,") + "4};",
			find.Array{Name: "vs", Line: 1, Width: 1, Offset: 3}},
		{"not ended", "u8 vs[] = {" + list(b, 1, "%d,"), find.Array{Name: "vs", Line: 1, Width: 1}},
	} {
		r := find.In([]byte(c.text), plain)
		if len(r.Files) != 1 || r.Files[0].Array == nil {
			t.Errorf("%s: got %q", c.name, lines(r))
			continue
		}
		f := r.Files[0]
		if *f.Array != c.want || !bytes.Equal(f.Data, b) || !f.Accepted || f.Format != "shbin" {
			t.Errorf("%s: got %q with %d bytes, want %+v", c.name, lines(r), len(f.Data), c.want)
		}
		if begin := c.text[f.Offset]; !strings.ContainsRune("0123456789$&'\"(-", rune(begin)) {
			t.Errorf("%s: the array begins with %q", c.name, c.text[f.Offset:min(f.Offset+8, len(c.text))])
		}
	}
}

// TestBigEndian: words of a machine that stores the highest byte first, as those that run GX2 shaders.
func TestBigEndian(t *testing.T) {
	b := samples.Read(t, "gsh/g01_vertex_pixel.gsh")
	text := "const u32 shader[] = {"
	for i := 0; i < len(b); i += 4 {
		text += fmt.Sprintf("0x%08x,\n", binary.BigEndian.Uint32(b[i:]))
	}
	r := find.In([]byte("int a[] = {1, 2};\n"+text+"};"), plain)
	want := find.Array{Name: "shader", Line: 2, Width: 4, BigEndian: true}
	if len(r.Files) != 1 || *r.Files[0].Array != want || !bytes.Equal(r.Files[0].Data, b) {
		t.Errorf("got %q, want %+v", lines(r), want)
	}
}

// TestEncodedTexts: hexadecimal digits in pairs, and Base64 from the magic on.
func TestEncodedTexts(t *testing.T) {
	b := samples.Read(t, "picasso/p04_uniforms.shbin")
	hexadecimal := func(format string, n int) (text string) {
		for part := range slices.Chunk(b, n) {
			text += fmt.Sprintf(format, part)
		}
		return text
	}
	base := base64.StdEncoding.EncodeToString(b)
	lined := strings.Join(slices.Collect(func(yield func(string) bool) {
		for part := range slices.Chunk([]byte(base), 76) {
			if !yield(string(part)) {
				return
			}
		}
	}), "\r\n  ")
	for _, c := range []struct {
		name, text string
		want       find.Array
	}{
		{"one line", hexadecimal("%x", len(b)), find.Array{Line: 1, Width: 1, Encoding: "hexadecimal"}},
		{"lines", "a text\n" + hexadecimal("%X\n", 30) + "the end",
			find.Array{Line: 2, Width: 1, Encoding: "hexadecimal"}},
		{"pairs", "vs:\n\n" + hexadecimal("% x \n", 16), find.Array{Line: 3, Width: 1, Encoding: "hexadecimal"}},
		{"strings of digits", "vs = (\n" + hexadecimal("'%x'\n  ", 16) + ")",
			find.Array{Line: 2, Width: 1, Encoding: "hexadecimal"}},
		{"behind others", hexadecimal("% x ", 16) + "00 x", find.Array{Line: 1, Width: 1, Encoding: "hexadecimal"}},
		{"assigned", "vs=" + hexadecimal("%x", len(b)) + ";", find.Array{Line: 1, Width: 1, Encoding: "hexadecimal"}},
		{"prefix", "SELECT 0x" + hexadecimal("%X", len(b)) + ", 1", find.Array{Line: 1, Width: 1, Encoding: "hexadecimal"}},
		{"element", "<b>\n<a>" + hexadecimal("%x", len(b)) + "</a>", find.Array{Line: 2, Width: 1, Encoding: "hexadecimal"}},
		{"JSON", "{\"a\": 1, \"vs\": \"" + hexadecimal("%x", len(b)) + "\"}",
			find.Array{Line: 1, Width: 1, Encoding: "hexadecimal"}},
		{"bytes in front", "de ad be ef " + hexadecimal("% x ", 16),
			find.Array{Line: 1, Width: 1, Encoding: "hexadecimal", Offset: 4}},
		{"Base64", "vs: " + base, find.Array{Line: 1, Width: 1, Encoding: "base64"}},
		{"Base64 in XML", "<a>\n<b>\n  " + lined + "</b>RFZMQ", find.Array{Line: 3, Width: 1, Encoding: "base64"}},
		{"Base64 in a string", "{\"vs\": \"" + base + "\", \"RFZMQ\": 1}", find.Array{Line: 1, Width: 1, Encoding: "base64"}},
		{"Base64 without padding", strings.TrimRight(base, "=") + " is all",
			find.Array{Line: 1, Width: 1, Encoding: "base64"}},
	} {
		r := find.In([]byte(c.text), plain)
		if len(r.Files) != 1 || r.Files[0].Array == nil {
			t.Errorf("%s: got %q", c.name, lines(r))
			continue
		}
		f := r.Files[0]
		if *f.Array != c.want || !bytes.Equal(f.Data, b) || !f.Accepted {
			t.Errorf("%s: got %q with %d bytes, want %+v", c.name, lines(r), len(f.Data), c.want)
		}
	}
	for name, text := range map[string]string{
		"odd":          "0 " + hexadecimal("%x", len(b))[1:],
		"a name":       "x" + hexadecimal("%x", len(b)),
		"name behind":  hexadecimal("%x", len(b)) + "_x",
		"short words":  hexadecimal("%x-", 8),
		"half a word":  hexadecimal("%x.", 2),
		"Base64 later": "A" + base,
	} {
		if r := find.In([]byte(text), plain); len(r.Files) > 0 {
			t.Errorf("%s: got %q", name, lines(r))
		}
	}
}

// TestOtherTexts: what stands between numbers and is no comma ends an array.
func TestOtherTexts(t *testing.T) {
	b := samples.Read(t, "picasso/p04_uniforms.shbin")
	for name, text := range map[string]string{
		"words between": list(b, 1, "%d, x, "),
		"sums":          list(b, 1, "%d + "),
		"fractions":     list(b, 1, "%d.0, "),
		"statements":    list(b, 1, "%d; "),
		"open string":   "\"" + strings.ReplaceAll(list(b, 1, "\\x%02x"), "\n\t", "") + "\n",
		"two arguments": list(b, 1, "f(%d, x), "),
		"products":      list(b, 1, "$%x*2, "),
		"a method":      list(b, 1, "%d.size(), "),
		"open Lua":      "\"" + strings.ReplaceAll(list(b, 1, "\\%d"), "\n\t", "") + "\n",
		"too large":     list(b, 1, "0x%020x0000000000000000, "),
		"NUL":           list(b, 1, "%d, ") + "\x00",
	} {
		if r := find.In([]byte(text), plain); len(r.Files) > 0 {
			t.Errorf("%s: got %q", name, lines(r))
		}
	}
}

// TestTwoArrays: each array has its own name and line, and a file does not go on into the next.
func TestTwoArrays(t *testing.T) {
	b := samples.Read(t, "picasso/p01_minimal.shbin")
	text := "u8 a[] = {" + list(b, 1, "%d,") + "};\nu32 b[] = {" + list(b, 4, "%d,") + "};\nchar c[] = {" +
		list(b[:len(b)-8], 1, "%d,") + "}, d[] = {" + list(b[len(b)-8:], 1, "%d,") + "};"
	r := find.In([]byte(text), plain)
	if len(r.Files) != 2 || r.Files[0].Array.Name != "a" || r.Files[1].Array.Name != "b" ||
		r.Files[1].Array.Line != 2+strings.Count(list(b, 1, "%d,"), "\n") || r.Magics != 1 {
		t.Errorf("got %q", lines(r))
	}
}
