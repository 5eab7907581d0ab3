package main

import (
	"bytes"
	"strings"

	"github.com/picaproof/picaproof/formats/csdr"
)

func init() { builders["csdr"] = csdrVectors }

// csdrPlain is one shader and nothing else.
func csdrPlain() string {
	f := &csdr.File{Version: "0.7.0", Objects: []csdr.Object{{Name: "DefaultShader", DVLB: embeddedDVLB(false)}}}
	return string(must(f.AppendBinary(nil)))
}

// csdrFull has every element of the outline.
func csdrFull() []byte {
	f := &csdr.File{
		Version:  "0.7.0",
		EditData: "<EditData><MetaData>x &amp; y</MetaData></EditData>",
		Objects: []csdr.Object{
			{Name: "DefaultShader", DVLB: embeddedDVLB(true), EditData: "<EditData/>", ShaderKinds: "<ShaderKinds><K/></ShaderKinds>", Descriptions: "<Descriptions>\r\n</Descriptions>"},
			{Name: "a<b>&\"'\t\r\n\u00E9", DVLB: embeddedDVLB(false)},
		},
	}
	return must(f.AppendBinary(nil))
}

// Pieces of csdrPlain.
const (
	csdrRoot    = "<NintendoWareIntermediateFile>"
	csdrEnd     = "</NintendoWareIntermediateFile>"
	csdrContent = `<GraphicsContentCtr Namespace="" Version="0.7.0">`
	csdrShader  = `<ShaderCtr Name="DefaultShader">`
	csdrStart   = "RFZMQgEA" // of the Base64
)

// swap is text with every old replaced by new, in turn and once each.
func swap(text string, pairs ...string) []byte {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			panic("no " + pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return []byte(text)
}

func csdrVectors(k *kit) {
	text := csdrPlain()
	k.seed("plain", "one shader", []byte(text))
	k.seed("full", "every element of the outline", csdrFull())
	k.seed("bare", "no declaration, LF, other quotes, attributes in another order", bytes.ReplaceAll(swap(text,
		"<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n", "", csdrContent, "<GraphicsContentCtr Version = '0.7.0'\r\nNamespace=''>"), []byte("\r\n"), []byte("\n")))
	k.seed("pieces", "Base64 in a reference, a CDATA section, and around a comment", swap(text, csdrStart, "&#82;F<!-- - -->Z<![CDATA[M]]>QgEA"))
	k.seed("unknown", "elements and attributes that are not in the outline", swap(text, csdrRoot, csdrRoot+"<?pi x?><x:a xmlns:x=\"y\"><Shaders/></x:a>", "<Shaders>", `<Shaders Other="1">`))
	for _, c := range csdrCases(text) {
		trigger := swap(text, c.trigger...)
		k.trigger(c.rule, bytes.Index(trigger, []byte(c.at)), c.comment, trigger)
		k.nearMiss(c.rule, bytes.Index(trigger, []byte(c.at)), c.near, swap(text, c.miss...))
	}
}

// csdrCase is a rule with the replacements that trigger it, those that just do
// not, and the text at which it is reported.
type csdrCase struct {
	rule, at string
	comment  string
	trigger  []string
	near     string
	miss     []string
}

// csdrCases lists a trigger and a near miss for every rule of the format.
func csdrCases(text string) []csdrCase {
	of := func(pairs ...string) []string { return pairs }
	second := func(shader string) []string { return of("\t\t</Shaders>", shader+"</Shaders>") }
	again := func(name string) []string {
		return second("<ShaderCtr Name=" + name + ">" + text[strings.Index(text, "<BinaryData>"):strings.Index(text, "</ShaderCtr>")] + "</ShaderCtr>")
	}
	last := text[strings.Index(text, "</BinaryData>")-2 : strings.Index(text, "</BinaryData>")] // "A="
	return []csdrCase{
		{"CSDR001", "\uFEFF", "a byte order mark", of("<?xml", "\uFEFF<?xml"), "none", nil},
		{"CSDR002", "\xFF", "a byte that is not UTF-8", of("DefaultShader", "Default\xFFShader"), "a letter of two bytes", of("DefaultShader", "Default\u00FFShader")},
		{"CSDR003", csdrRoot[:5], "no declaration", of("<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n", ""), "a declaration without an encoding", of(` encoding="utf-8"`, "")},
		{"CSDR004", "<!DOCTYPE", "a document type", of(csdrRoot, "<!DOCTYPE a>"+csdrRoot), "a comment", of(csdrRoot, "<!--DOCTYPE a-->"+csdrRoot)},
		{"CSDR005", "<x:Nint", "a root with a prefix", of(csdrRoot, "<x:"+csdrRoot[1:], csdrEnd, "</x:"+csdrEnd[2:]), "without", nil},
		{"CSDR006", "<Shaders>\r\n\t\t\t<ShaderCtr", "Shaders twice", of("<Shaders>", "<Shaders></Shaders><Shaders>"), "once", nil},
		{"CSDR007", `"1.3.0"`, "version 1.3.0", of("0.7.0", "1.3.0"), "version 0.7.0", nil},
		{"CSDR008", `""></Sh`, "an empty name", of("\t\t</Shaders>", `<ShaderCtr Name=""></ShaderCtr></Shaders>`), "a blank", of("\t\t</Shaders>", `<ShaderCtr Name=" "></ShaderCtr></Shaders>`)},
		{"CSDR009", `"DefaultShade&#114;"`, "a name, once with a reference in it", again(`"DefaultShade&#114;"`), "two names", again(`"DefaultShade&#113;"`)},
		{"CSDR010", `<ShaderCtr Name="b"/>`, "a shader without BinaryData", second(`<ShaderCtr Name="b"/>`), "with BinaryData", again(`"b"`)},
		{"CSDR011", "<Extra>", "an unknown element", of(csdrContent, csdrContent+"<Extra><Shaders/></Extra>"), "EditData", of(csdrContent, csdrContent+"<EditData><Shaders/></EditData>")},
		{"CSDR012", "<Shaders><!--", "no shader", of("<Shaders>", "<Shaders><!--", "</ShaderCtr>", "-->"), "one", of("<Shaders>", "<Shaders><!-- -->")},
		{"CSDR013", "\tRFZM", "a TAB in front of the Base64", of(csdrStart, "\t"+csdrStart), "a comment in front of it", of(csdrStart, "<!--\t-->"+csdrStart)},
		{"CSDR014", "-FZM", "a character of the URL alphabet", of(csdrStart, "-FZMQgEA"), "one of the standard alphabet, and another DVLB", of(csdrStart, "+FZMQgEA")},
		{"CSDR015", "B=</Bin", "a bit that belongs to no byte", of(last+"</BinaryData>", "B=</BinaryData>"), "one that does", of("A"+last+"</BinaryData>", "E"+last+"</BinaryData>")},
		{"CSDR016", "AAAAQgEA", "the magic of the DVLB is four NULs", of(csdrStart, "AAAAQgEA"), "it is DVLB", nil},
		{"CSDR017", "\n" + csdrRoot[:5], "a line that ends in LF", of("?>\r\n", "?>\n"), "in CR LF", nil},
	}
}
