package csdr_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
)

// format is the format as the common tests see it.
var format = formattest.Format[*csdr.File]{
	Name:      "csdr",
	Rules:     slices.Concat(csdr.Rules, shbin.Rules),
	Parse:     func(b []byte) (*csdr.File, error) { return csdr.Parse(b) },
	Check:     func(b []byte) []diag.Finding { return csdr.Check(b) },
	Outline:   func(b []byte) diag.Outline { return csdr.Outline(b) },
	Elsewhere: func(f diag.Finding) bool { return strings.Contains(f.Path, ".decoded.") },
}

// dvlb is a DVLB that breaks no rule, with n vertex shaders.
func dvlb(t testing.TB, n int) []byte {
	t.Helper()
	f := &shbin.File{
		DVLP: shbin.DVLP{Code: []uint32{0x4C000000, 0x88000000}, Descriptors: []shbin.Descriptor{{Word: 0x36F}}},
		DVLEs: slices.Repeat([]shbin.DVLE{
			{End: 2, OutputMask: 1, Tables: shbin.Tables{Outputs: []shbin.Output{{Mask: 15}}}}}, n),
	}
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// full has every element of the outline.
func full(t testing.TB) *csdr.File {
	t.Helper()
	return &csdr.File{
		Version:  "0.7.0",
		EditData: "<EditData><MetaData><Key>x &amp; y</Key></MetaData></EditData>",
		Objects: []csdr.Object{
			{Name: "DefaultShader", DVLB: dvlb(t, 2), EditData: "<EditData/>",
				ShaderKinds:  `<ShaderKinds a="1"><K/></ShaderKinds>`,
				Descriptions: "<Descriptions>\r\n</Descriptions>"},
			{Name: "a<b>&\"'\t\r\n\u00E9", DVLB: dvlb(t, 1)},
		},
	}
}

// plain has one shader and nothing else.
func plain(t testing.TB) *csdr.File {
	t.Helper()
	return &csdr.File{Version: "0.7.0", Objects: []csdr.Object{{Name: "DefaultShader", DVLB: dvlb(t, 1)}}}
}

var mustParse, mustAppend = format.MustParse, format.MustAppend
