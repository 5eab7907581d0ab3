package csdr_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// bases are texts that mutations start from.
func bases(t testing.TB) [][]byte {
	whole := string(mustAppend(t, full(t)))
	return [][]byte{
		[]byte(whole), mustAppend(t, plain(t)),
		[]byte("\uFEFF" + strings.ReplaceAll(whole, "\r\n", "\n")),
		[]byte(strings.Replace(whole, base, "&#82;F<!-- - -->Z<![CDATA[M]]>Qg<?x ?>EA", 1)),
	}
}

// TestAgreement mutates texts at random: whatever the bytes are, Parse and
// Check agree, and what is accepted is written as it was.
func TestAgreement(t *testing.T) { format.Random(t, bases(t), 30_000, 200) }

// TestHostileTexts: texts that promise much cost little.
func TestHostileTexts(t *testing.T) {
	for name, text := range hostile(1 << 17) {
		t.Run(name, func(t *testing.T) {
			format.Bounds(t, []byte(text))
			format.Agree(t, []byte(text))
		})
	}
}

// TestLinear: time grows with the size.
func TestLinear(t *testing.T) {
	for name := range hostile(0) {
		t.Run(name, func(t *testing.T) {
			format.Linear(t, func(n int) []byte { return []byte(hostile(n)[name]) }, 1<<14)
		})
	}
}

// hostile are texts of about n bytes.
func hostile(n int) map[string]string {
	inside := func(s string) string { return root + s + "</NintendoWareIntermediateFile>" }
	shaders := func(s string) string {
		return inside(content + "<Shaders>" + s + "</Shaders></GraphicsContentCtr>")
	}
	var attributes, named strings.Builder
	for i := range n / 8 {
		fmt.Fprintf(&attributes, " a%x=''", i)
		if i%8 == 0 {
			fmt.Fprintf(&named, "<ShaderCtr Name='%x'/>", i)
		}
	}
	return map[string]string{
		"elements":        inside(strings.Repeat("<a/>", n/4)),
		"nested":          strings.Repeat("<a>", n/3),
		"nested and left": inside(strings.Repeat(strings.Repeat("<a>", 60)+strings.Repeat("</a>", 60), n/420)),
		"attributes":      inside("<a" + attributes.String() + "/>"),
		"attribute twice": inside("<a" + attributes.String() + " a0=''/>"),
		"references":      inside(strings.Repeat("&lt;", n/4)),
		"open brackets":   strings.Repeat("<", n),
		"ampersands":      inside(strings.Repeat("&", n)),
		"long reference":  inside("&#" + strings.Repeat("1", n)),
		"dashes":          inside("<!--" + strings.Repeat("- ", n/2)),
		"brackets":        inside(strings.Repeat("]] ", n/3)),
		"comments":        inside(strings.Repeat("<!---->", n/7)),
		"white":           strings.Repeat(" ", n),
		"entities":        "<!DOCTYPE a [" + strings.Repeat(`<!ENTITY b "&c;&c;">`, n/20) + "]>" + inside("&b;"),
		"no shaders":      shaders(strings.Repeat("<ShaderCtr/>", n/12)),
		"names":           shaders(named.String()),
		"one name":        shaders(strings.Repeat("<ShaderCtr Name='a'/>", n/21)),
		"a long Base64":   shaders(ctr + binary + strings.Repeat("A", n&^3) + "</BinaryData></ShaderCtr>"),
		"Base64 in bits":  shaders(ctr + binary + strings.Repeat("&#65;", n/20*4) + "</BinaryData></ShaderCtr>"),
		"white Base64":    shaders(ctr + binary + strings.Repeat("A \n", n/12*4) + "</BinaryData></ShaderCtr>"),
		"BOMs":            strings.Repeat("\uFEFF", n/3),
		"long name":       "<" + strings.Repeat("a", n),
	}
}

// TestRefusedModels: what no text stands for is not written, and neither is
// what Parse would refuse.
func TestRefusedModels(t *testing.T) {
	for name, edit := range map[string]func(f *csdr.File){
		"no name":           func(f *csdr.File) { f.Objects[0].Name = "" },
		"name twice":        func(f *csdr.File) { f.Objects[0].Name = f.Objects[1].Name },
		"control character": func(f *csdr.File) { f.Objects[0].Name = "\x01" },
		"not UTF-8":         func(f *csdr.File) { f.Objects[0].Name = "\xFF" },
		"no DVLB":           func(f *csdr.File) { f.Objects[0].DVLB = nil },
		"damaged DVLB":      func(f *csdr.File) { f.Objects[0].DVLB = f.Objects[0].DVLB[4:] },
		"no element":        func(f *csdr.File) { f.EditData = "text" },
		"two elements":      func(f *csdr.File) { f.EditData += f.EditData },
		"another element":   func(f *csdr.File) { f.EditData = "<Other/>" },
		"end of an element": func(f *csdr.File) { f.Objects[0].EditData = "</ShaderCtr>" },
		"other raw element": func(f *csdr.File) { f.Objects[0].ShaderKinds = f.Objects[0].Descriptions },
		"damaged text":      func(f *csdr.File) { f.Layout = &csdr.Layout{Text: "<a"} },
	} {
		f := full(t)
		edit(f)
		b, err := f.AppendBinary([]byte("before"))
		if !errors.Is(err, diag.ErrInvalid) || string(b) != "before" {
			t.Errorf("%s: got %v", name, err)
		}
		f.Regions() // of any model
		f.Shaders()
	}
}

// TestEdits: a DVLB is replaced in any text; other edits need a canonical one,
// since what else is in the text would be lost.
func TestEdits(t *testing.T) {
	whole := mustAppend(t, full(t))
	foreign := []byte(strings.Replace(string(whole), "<Shaders>", "<!-- mine --><Shaders>", 1))

	f := mustParse(t, foreign)
	f.Objects[1].DVLB = dvlb(t, 3)
	b := mustAppend(t, f)
	if g := mustParse(t, b); !g.Equal(f) || !strings.Contains(string(b), "<!-- mine -->") {
		t.Errorf("got %s", b)
	}
	for name, edit := range map[string]func(f *csdr.File){
		"name":     func(f *csdr.File) { f.Objects[1].Name = "b" },
		"version":  func(f *csdr.File) { f.Version = "1" },
		"fewer":    func(f *csdr.File) { f.Objects = f.Objects[:1] },
		"raw":      func(f *csdr.File) { f.EditData = "" },
		"reversed": func(f *csdr.File) { slices.Reverse(f.Objects) },
	} {
		f := mustParse(t, foreign)
		edit(f)
		if b, err := f.AppendBinary([]byte("before")); !errors.Is(err, diag.ErrLayout) || string(b) != "before" {
			t.Errorf("%s: got %q, %v, want ErrLayout", name, b, err)
		}
		f = mustParse(t, whole)
		edit(f)
		if g := mustParse(t, mustAppend(t, f)); !g.Equal(f) {
			t.Errorf("%s: a canonical text was not written anew", name)
		}
	}
}

// TestInnerFindings: what a DVLB breaks has its place in the decoded bytes.
func TestInnerFindings(t *testing.T) {
	f := plain(t)
	f.Objects[0].DVLB[0x44+8] = 7
	b, _ := f.AppendUnchecked(nil)
	_, err := csdr.Parse(b)
	parse, ok := errors.AsType[*diag.ParseError](err)
	if !ok || parse.Finding.Rule != "DVLE007" || parse.Finding.Off != 0x44+8 ||
		parse.Finding.Path != "shaders[0].decoded.dvle[0].entry" {
		t.Errorf("got %+v", err)
	}
}

// TestRegions compares the owners of a text in a few places.
func TestRegions(t *testing.T) {
	text := string(mustAppend(t, full(t)))
	got := make(map[string]diag.Region)
	for _, r := range mustParse(t, []byte(text)).Regions() {
		got[r.Path] = r
	}
	at := func(s string) (off, n int) { return strings.Index(text, s), len(s) }
	const path = "NintendoWareIntermediateFile.GraphicsContentCtr"
	for _, c := range []struct {
		path, text string
		kind       diag.RegionKind
	}{
		{"declaration", `<?xml version="1.0" encoding="utf-8"?>`, diag.FieldRegion},
		{path + ".start", content, diag.FieldRegion},
		{path + ".EditData", full(t).EditData, diag.OpaqueRegion},
		{path + ".Shaders.ShaderCtr[0].ShaderKinds", full(t).Objects[0].ShaderKinds, diag.OpaqueRegion},
		{path + ".Shaders.ShaderCtr[1].end", "</ShaderCtr>\r\n\t\t</Shaders>", diag.FieldRegion},
	} {
		off, n := at(c.text)
		if strings.Contains(c.text, "\r\n") {
			n = strings.Index(c.text, "\r\n")
		}
		if r := got[c.path]; r.Off != off || r.Len != n || r.Kind != c.kind {
			t.Errorf("%s: got %+v, want %d bytes at %d, %v", c.path, r, n, off, c.kind)
		}
	}
}

// TestOutline: the fields of a DVLB have the characters of the Base64 in which
// their bytes begin, also in a text that Parse refuses, and a text that is broken
// is shown up to there.
func TestOutline(t *testing.T) {
	f := plain(t)
	f.Objects[0].DVLB[0x44+8] = 7 // DVLE007
	b, _ := f.AppendUnchecked(nil)
	text := string(b)
	start := strings.Index(text, binary) + len(binary)
	end := strings.Index(text, "</BinaryData>")
	spaced := text[:start] + " " + text[start:start+2] + "\r\n" + text[start+2:]
	for _, c := range []struct {
		name, text, path, value string
		off, n                  int
	}{
		{"refused", text, "shaders[0].decoded.dvlb.magic", `"DVLB"`, start, 6},
		{"refused", text, "shaders[0].decoded.dvle[0].entry", "7", start + (4*0x4C+2)/3, 5},
		{"refused", text, "shaders[0].decoded.dvle[0].symbols.offset", "0x00000048", start + (4*0x7C+2)/3, 5},
		{"cut", text[:end], "shaders[0].decoded.dvlb.magic", `"DVLB"`, start, 6},
		{"cut", text[:end+3], content0 + "BinaryData.unread", "", end, 3},
		{"broken Base64", text[:start+8] + "!" + text[start+8:], "shaders[0].decoded.dvlb.count", "", start + 6, 2},
		{"broken Base64", text[:start+8] + "!" + text[start+8:], content0 + "BinaryData.text", "", start + 8,
			end - start - 7},
		{"white space", spaced, "shaders[0].decoded.dvlb.magic", `"DVLB"`, start + 1, 8},
		{"no Base64", text[:start] + "!" + text[end:], content0 + "BinaryData.text", `"!"`, start, 1},
		{"unfinished element", text[:start-3], content0 + "unread", "", start - len(binary), len(binary) - 3},
		{"another root", "<a><b/></a>", "a", "", 0, 11},
	} {
		outline := csdr.Outline([]byte(c.text))
		formattest.Partition(t, outline.Regions, []byte(c.text))
		i := slices.IndexFunc(outline.Regions, func(r diag.Region) bool { return r.Path == c.path })
		if i < 0 {
			t.Errorf("%s: no region %s in %v", c.name, c.path, outline.Regions)
		} else if r := outline.Regions[i]; r.Off != c.off || r.Len != c.n || c.value != "" && r.Value != c.value {
			t.Errorf("%s: got %+v, want %d bytes at %d, %s", c.name, r, c.n, c.off, c.value)
		}
	}
}

// TestOutlineFindings: a finding of a DVLB has the place of its Base64, also with
// white space in it, and its place in the decoded bytes is the last of Related.
func TestOutlineFindings(t *testing.T) {
	f := full(t)
	f.Objects[0].DVLB[0x48+8] = 7                      // DVLE007
	f.Objects[1].DVLB = f.Objects[1].DVLB[:0x48]       // a cut DVLB
	f.Objects[1].DVLB[len(f.Objects[1].DVLB)-1] = 0xFF // in its last byte
	b, _ := f.AppendUnchecked(nil)
	spaced := bytes.Replace(b, []byte(binary), []byte(binary+" "), 1)
	for _, text := range [][]byte{b, spaced} {
		outline, checked, decoded := csdr.Outline(text), csdr.Check(text), 0
		for i, f := range outline.Findings {
			if !strings.Contains(f.Path, ".decoded.") {
				continue
			}
			decoded++
			inner := f.Related[len(f.Related)-1]
			if inner.Off != checked[i].Off || inner.Len != checked[i].Len || !strings.HasSuffix(f.Path, inner.Path) {
				t.Errorf("%v: related %+v, want the place of %+v", f, inner, checked[i])
			}
			if f.Off < bytes.Index(text, []byte(binary)) ||
				f.Off+f.Len > bytes.LastIndex(text, []byte("</BinaryData>")) {
				t.Errorf("%v, length %d, is outside the Base64", f, f.Len)
			}
			at := slices.IndexFunc(outline.Regions, func(r diag.Region) bool { return r.Path == f.Path })
			if at >= 0 && (outline.Regions[at].Off != f.Off || outline.Regions[at].Len != f.Len) {
				t.Errorf("%v, length %d, is not at its region %+v", f, f.Len, outline.Regions[at])
			}
		}
		if decoded < 2 {
			t.Errorf("got %d findings of DVLBs, want 2: %v", decoded, outline.Findings)
		}
	}
}

const content0 = "NintendoWareIntermediateFile.GraphicsContentCtr.Shaders.ShaderCtr[0]."

// TestModelRoundTrip: what is written is read back as an equal model.
func TestModelRoundTrip(t *testing.T) {
	f := full(t)
	g := mustParse(t, mustAppend(t, f))
	g.Layout = nil
	if diff := cmp.Diff(f, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(g.Shaders()) != 3 {
		t.Errorf("got %d shaders, want 3", len(g.Shaders()))
	}
}

// large is one shader with much code, as in a real file.
func large(t testing.TB) []byte {
	f := full(t)
	f.Objects[0].DVLB = dvlb(t, 1000)
	return mustAppend(t, f)
}

func BenchmarkParse(b *testing.B) { format.BenchmarkParse(b, large(b)) }
func BenchmarkCheck(b *testing.B) { format.BenchmarkCheck(b, large(b)) }
func BenchmarkWrite(b *testing.B) { format.BenchmarkWrite(b, large(b)) }
