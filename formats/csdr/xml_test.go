package csdr_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// The characters of names: productions 4 and 4a of XML 1.0, fifth edition.
var (
	nameStart = [][2]rune{
		{':', ':'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}, {0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D},
		{0x37F, 0x1FFF}, {0x200C, 0x200D}, {0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF},
		{0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF},
	}
	nameRest = [][2]rune{{'-', '-'}, {'.', '.'}, {'0', '9'}, {0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}
)

// TestNames tries the characters at both ends of every range, and their neighbours.
func TestNames(t *testing.T) {
	in := func(c rune, ranges [][2]rune) bool {
		return slices.ContainsFunc(ranges, func(r [2]rune) bool { return c >= r[0] && c <= r[1] })
	}
	for _, r := range slices.Concat(nameStart, nameRest) {
		for _, c := range []rune{r[0] - 1, r[0], r[1], r[1] + 1} {
			start := in(c, nameStart)
			for name, want := range map[string]bool{string(c): start, "a" + string(c): start || in(c, nameRest)} {
				if name == "a/" || !utf8.ValidRune(c) {
					continue // the end of an empty tag, and a surrogate
				}
				text := root + "<" + name + "/></NintendoWareIntermediateFile>"
				refused := slices.ContainsFunc(csdr.Check([]byte(text)),
					func(f diag.Finding) bool { return f.Rule == "CSDR004" })
				if refused == want {
					t.Errorf("%q, U+%04X: a name is %t, want %t", name, c, !refused, want)
				}
			}
		}
	}
}

// TestFirstIllegalCharacter: the first of several characters that no XML has.
func TestFirstIllegalCharacter(t *testing.T) {
	for text, want := range map[string]int{
		"<a>\x01\uFFFE</a>": 3, "<a>\uFFFE\x01</a>": 3, "<a>b\uFFFF\uFFFE</a>": 4, "<a>b\uFFFE\uFFFF</a>": 4,
		"<a>bc\x1F\x01</a>": 5,
	} {
		findings := slices.DeleteFunc(csdr.Check([]byte(text)),
			func(f diag.Finding) bool { return f.Rule != "CSDR004" })
		if len(findings) != 1 || findings[0].Off != want {
			t.Errorf("%q: got %v, want one at %d", text, findings, want)
		}
	}
}

// TestEmptyRoots: the root may be an empty tag.
func TestEmptyRoots(t *testing.T) {
	for text, want := range map[string][]string{
		"<NintendoWareIntermediateFile/>": {"CSDR003/I", "CSDR006/E"},
		"<Other/>":                        {"CSDR003/I", "CSDR005/E"},
	} {
		if diff := cmp.Diff(want, formattest.IDs(csdr.Check([]byte(text)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// TestBase64Elsewhere: only a BinaryData has a DVLB.
func TestBase64Elsewhere(t *testing.T) {
	text := root + content + "<Shaders>" + base + "</Shaders></GraphicsContentCtr></NintendoWareIntermediateFile>"
	const want = "NintendoWareIntermediateFile.GraphicsContentCtr.Shaders.text"
	if !slices.ContainsFunc(csdr.Outline([]byte(text)).Regions, func(r diag.Region) bool { return r.Path == want }) {
		t.Errorf("no region %s: %v", want, csdr.Outline([]byte(text)).Regions)
	}
}

// TestByteOrderMark: the shaders behind a byte order mark are read.
func TestByteOrderMark(t *testing.T) {
	want := full(t)
	if f := mustParse(t, append([]byte("\uFEFF"), mustAppend(t, want)...)); !f.Equal(want) {
		t.Errorf("got %+v", f)
	}
}

// TestLineEndsInBase64: ends of lines are white space like any other, however many
// there are for each character.
func TestLineEndsInBase64(t *testing.T) {
	for shaders := range 4 {
		f := plain(t)
		f.Objects[0].DVLB = dvlb(t, 1+shaders)
		whole := string(mustAppend(t, f))
		length := base64.StdEncoding.EncodedLen(len(f.Objects[0].DVLB))
		for _, n := range []int{1, 4, length / 2} {
			rules := func(white string) []string {
				text := strings.Replace(whole, binary, binary+strings.Repeat(white, n), 1)
				findings := csdr.Check([]byte(text))
				return formattest.IDs(slices.DeleteFunc(findings,
					func(f diag.Finding) bool { return f.Rule == "CSDR017" }))
			}
			if diff := cmp.Diff(rules(" "), rules("\n")); diff != "" {
				t.Errorf("%d ends of lines before %d characters (-spaces +ends):\n%s", n, length, diff)
			}
		}
	}
}
