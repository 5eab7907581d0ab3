package main

import (
	"bytes"
	"strings"

	"github.com/picaproof/picaproof/formats/csdr"
)

func init() { builders["csdr"] = csdrSeeds }

// csdrPlain has one shader and no optional element.
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
			{Name: "DefaultShader", DVLB: embeddedDVLB(true), EditData: "<EditData/>",
				ShaderKinds: "<ShaderKinds><K/></ShaderKinds>", Descriptions: "<Descriptions>\r\n</Descriptions>"},
			{Name: "a<b>&\"'\t\r\n\u00E9", DVLB: embeddedDVLB(false)},
		},
	}
	return must(f.AppendBinary(nil))
}

// Substrings of csdrPlain.
const (
	csdrRoot    = "<NintendoWareIntermediateFile>"
	csdrContent = `<GraphicsContentCtr Namespace="" Version="0.7.0">`
	csdrStart   = "RFZMQgEA" // of the Base64
)

// swap returns text with each old string replaced by the new one, in turn and once each.
func swap(text string, pairs ...string) []byte {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			panic("no " + pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return []byte(text)
}

func csdrSeeds(k *kit) {
	text := csdrPlain()
	k.seed("plain", "one shader", []byte(text))
	k.seed("full", "every element of the outline", csdrFull())
	k.seed("bare", "no declaration, LF, other quotes, attributes in another order", bytes.ReplaceAll(swap(text,
		"<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n", "", csdrContent,
		"<GraphicsContentCtr Version = '0.7.0'\r\nNamespace=''>"), []byte("\r\n"), []byte("\n")))
	k.seed("pieces", "Base64 in a reference, a CDATA section, and around a comment",
		swap(text, csdrStart, "&#82;F<!-- - -->Z<![CDATA[M]]>QgEA"))
	k.seed("unknown", "elements and attributes that are not in the outline",
		swap(text, csdrRoot, csdrRoot+"<?pi x?><x:a xmlns:x=\"y\"><Shaders/></x:a>", "<Shaders>",
			`<Shaders Other="1">`))
}
