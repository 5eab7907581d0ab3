package csdr_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/fuzz/gen/csdrgen"
)

// edit is a replacement of text: every old by new, once.
type edit []string

func (e edit) apply(t *testing.T, text string) string {
	t.Helper()
	for i := 0; i < len(e); i += 2 {
		if !strings.Contains(text, e[i]) {
			t.Fatalf("no %q in %s", e[i], text)
		}
		text = strings.Replace(text, e[i], e[i+1], 1)
	}
	return text
}

const (
	root       = "<NintendoWareIntermediateFile>"
	content    = `<GraphicsContentCtr Namespace="" Version="0.7.0">`
	ctr        = `<ShaderCtr Name="DefaultShader">`
	twoContent = content + "<Shaders/></GraphicsContentCtr>"
	base       = "RFZMQgEA" // how the Base64 of plain starts
	binary     = "<BinaryData>"
)

// combinations are edits of the plain text that break several rules at once.
// findings are all that Check must report, in order, at where the first of them
// stands after the edit.
var combinations = []struct {
	findings string
	at       string // text at the first finding; "" is the end
	edit     edit
}{
	{"CSDR001/W CSDR003/I CSDR004/E", "\uFEFF", edit{"<?xml", "\uFEFF\uFEFF<?xml"}},
	{"CSDR012/W CSDR006/E", "<Shaders/>", edit{content, twoContent + content}},
	{"CSDR012/W CSDR006/E", "<Shaders/>", edit{"<Shaders>", "<Shaders/><Shaders>"}},
	{"CSDR009/E CSDR010/E", `"DefaultShader"/`,
		edit{"\t\t</Shaders>", "<ShaderCtr Name=\"DefaultShader\"/></Shaders>"}},
	{"CSDR009/E CSDR010/E", `"DefaultShade&#114;"`,
		edit{"\t\t</Shaders>", `<ShaderCtr Name="DefaultShade&#114;"/></Shaders>`}},
	{"CSDR011/W CSDR014/E", "<a/>", edit{base, base + "<a/>"}},
	{"DVLB002/E CSDR016/E", "", edit{base, "AAAAQgEA"}},
	{"CSDR015/E DVLB002/E CSDR016/E", "B=</Bin", edit{base, "AAAAQgEA", "A=</BinaryData>", "B=</BinaryData>"}},
}

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format.Faults(t, csdrgen.Format) }

func TestTogether(t *testing.T) {
	whole := string(mustAppend(t, plain(t)))
	for _, c := range combinations {
		t.Run(strings.ReplaceAll(c.findings, "/", "."), func(t *testing.T) {
			text := c.edit.apply(t, whole)
			findings := own(csdr.Check([]byte(text)))
			if diff := cmp.Diff(strings.Fields(c.findings), formattest.IDs(findings)); diff != "" {
				t.Fatalf("findings (-want +got):\n%s%v", diff, findings)
			}
			if at := text[findings[0].Off:]; !strings.HasPrefix(at, c.at) || c.at == "" && at != "" &&
				!format.Elsewhere(findings[0]) {
				t.Errorf("the finding is at %.30q, want %.30q: %v", at, c.at, findings[0])
			}
			format.Agree(t, []byte(text))
		})
	}
}

// own leaves out the milder findings of the DVLBs.
func own(findings []diag.Finding) []diag.Finding {
	return slices.DeleteFunc(findings,
		func(f diag.Finding) bool { return strings.HasPrefix(f.Rule, "DVL") && f.Severity < diag.Error })
}

// TestWellFormed: what XML 1.0 demands beyond tags that match.
func TestWellFormed(t *testing.T) {
	const before, after = root, "</NintendoWareIntermediateFile>"
	good := func(s string) string { return before + s + after }
	for text, ok := range map[string]bool{
		good(""):                            true,
		good("<a b='1' c=\"2\"/>"):          true,
		good("<a b = '>' />"):               true,
		good("<a b='1'c='2'/>"):             false,
		good("<a b='1' b='2'/>"):            false,
		good("<a b/>"):                      false,
		good("<a b=1/>"):                    false,
		good("<a b='<'/>"):                  false,
		good("<a b='&'/>"):                  false,
		good("<a b='&amp;'/>"):              true,
		good("<1/>"):                        false,
		good("< a/>"):                       false,
		good("<a></a >"):                    true,
		good("<a></ a>"):                    false,
		good("<a></b>"):                     false,
		good("<\u00E9/>"):                   true,
		good("<a\u00D7/>"):                  false,
		good("<a:b/>"):                      true,
		good("&"):                           false,
		good("&lt"):                         false,
		good("&#0;"):                        false,
		good("&#9;&#x10FFFF;&#xe9;"):        true,
		good("&#x110000;"):                  false,
		good("&#xD800;"):                    false,
		good("&#xFFFF;"):                    false,
		good("&#;"):                         false,
		good("&#x;"):                        false,
		good("&#-1;"):                       false,
		good("&#99999999999999999999;"):     false,
		good("&#12"):                        false,
		good("]]>"):                         false,
		good("]] >"):                        true,
		good("<![CDATA[ <a> & ]]>"):         true,
		good("<![CDATA["):                   false,
		good("<!-- a - b -->"):              true,
		good("<!-- a -- b -->"):             false,
		good("<!-- a --->"):                 false,
		good("<!-->"):                       false,
		good("<!---->"):                     true,
		good("<?a?><?b c ?>"):               true,
		good("<?a"):                         false,
		good("<??>"):                        false,
		good("<?a/?>"):                      false,
		good("<?xml version='1.0'?>"):       false,
		good("<?XmL a?>"):                   false,
		good("<?xml-stylesheet a?>"):        true,
		good("<!DOCTYPE a>"):                false,
		good("<!ELEMENT a>"):                false,
		good("\x1F"):                        false,
		good("\x01"):                        false,
		good("\x7F"):                        true,
		good("\uFFFE"):                      false,
		good("\uFFFD"):                      true,
		good("") + " \r\n\t":                true,
		good("") + "x":                      false,
		good("") + "<a/>":                   false,
		good("") + "<!-- -->":               true,
		good("") + "<![CDATA[]]>":           false,
		"x" + good(""):                      false,
		"&#32;" + good(""):                  false,
		" <?xml version='1.0'?>" + good(""): false,
		"<?xml version='1.0'?>" + good(""):  true,
		"<?xml version = \"1.1\" standalone='no' ?>" + good(""):              true,
		"<?xml version='1.0' encoding='Utf-8' standalone='yes'?>" + good(""): true,
		"<?xml version='2.0'?>" + good(""):                                   false,
		"<?xml version='1.'?>" + good(""):                                    false,
		"<?xml version='1./'?>" + good(""):                                   false,
		"<?xml version='1.:'?>" + good(""):                                   false,
		"<?xml?>" + good(""):                                                 false,
		"<?xml encoding='utf-8'?>" + good(""):                                false,
		"<?xml encoding='utf-8' version='1.0'?>" + good(""):                  false,
		"<?xml version='1.0' standalone='yes' encoding='utf-8'?>" + good(""): false,
		"<?xml version='1.0' encoding='utf8'?>" + good(""):                   false,
		"<?xml version='1.0' other='1'?>" + good(""):                         false,
		"<?xml version='1.0'>" + good(""):                                    false,
		"":                                                                   false,
		"<":                                                                  false,
		"<a":                                                                 false,
		"<a ":                                                                false,
		"<a b":                                                               false,
		"<a b=":                                                              false,
		"<a b='":                                                             false,
		"<a/":                                                                false,
		"</":                                                                 false,
		"</a>":                                                               false,
		"<!":                                                                 false,
		"<?":                                                                 false,
		"<?a ":                                                               false,
		"<!--":                                                               false,
		"<?xml version='1.0'?>":                                              false,
		" ":                                                                  false,
	} {
		refused := slices.ContainsFunc(csdr.Check([]byte(text)),
			func(f diag.Finding) bool { return f.Rule == "CSDR004" })
		if refused == ok {
			t.Errorf("%q: well-formed is %v, want %v: %v", text, !refused, ok, csdr.Check([]byte(text)))
		}
		format.Agree(t, []byte(text))
	}
}

// TestValues: references and ends of lines in names, and Base64 that is spread
// over several pieces, read as XML has it; the text comes back as it was.
func TestValues(t *testing.T) {
	want := plain(t)
	text := string(mustAppend(t, want))
	e := edit{ctr, "<ShaderCtr Name='a&#x26;b\r\nc\td&#9;&lt;&gt;&amp;&apos;&quot;&#74;&#x4a;&#x4A;'>", base,
		"&#82;F<!-- - -->Z<![CDATA[M]]>Qg<?x ?>EA"}
	spread := e.apply(t, text)
	f := mustParse(t, []byte(spread))
	if o := f.Objects[0]; o.Name != "a&b c d\t<>&'\"JJJ" || !bytes.Equal(o.DVLB, want.Objects[0].DVLB) {
		t.Errorf("got %q, %x", o.Name, o.DVLB)
	}
	format.Agree(t, []byte(spread))

	f.Objects[0].DVLB = dvlb(t, 3)
	replaced := mustAppend(t, f)
	start := strings.Index(spread, binary) + len(binary)
	end := strings.Index(spread, "</BinaryData>")
	if want := spread[:start] + base64.StdEncoding.EncodeToString(dvlb(t, 3)) + spread[end:]; string(replaced) != want {
		t.Errorf("got  %s\nwant %s", replaced, want)
	}
}
