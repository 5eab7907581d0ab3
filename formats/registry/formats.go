package registry

import (
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
)

//go:generate go test -run ^TestTable$ -update .

// xmlDeclaration is the first line of the texts that we write.
const xmlDeclaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n"

// formats is the table of all formats, by name.
var formats = []Format{
	row(bnsh.Parse, bnsh.Check, bnsh.Outline, Format{
		Name:       "bnsh",
		Title:      "BNSH shader binary of nn::gfx",
		Magics:     []string{"BNSH"},
		Extensions: []string{".bnsh"},
		Rules:      bnsh.Rules,
		Records:    bnsh.Records,
		Length:     bnsh.Length,
	}),
	row(cgfx.Parse, cgfx.Check, cgfx.Outline, Format{
		Name:       "cgfx",
		Title:      "CGFX container with DVLBs",
		Magics:     []string{"CGFX"},
		Extensions: []string{".bcsdr", ".bchsdr"},
		Rules:      cgfx.Rules,
		Records:    slices.Concat(cgfx.Records, shbin.Records),
		Links:      cgfx.Links,
	}),
	row(csdr.Parse, csdr.Check, csdr.Outline, Format{
		// Other XML is recognised by the extension only, because XML is common.
		Name:       "csdr",
		Title:      "NintendoWare intermediate text with DVLBs",
		Magics:     []string{xmlDeclaration + "<NintendoWareIntermediateFile", "<NintendoWareIntermediateFile"},
		Extensions: []string{".csdr"},
		Rules:      csdr.Rules,
	}),
	row(dvoj.Parse, dvoj.Check, dvoj.Outline, Format{
		Name:       "dvoj",
		Title:      "DVOJ shader object",
		Magics:     []string{"DVOJ", "DVOB"},
		Extensions: []string{".vobj", ".gobj"},
		Rules:      dvoj.Rules,
		Records: slices.Concat(dvoj.Records, []wire.Documented{shbin.WordRecord, shbin.DescriptorRecord,
			shbin.LineRecord, shbin.ConstantRecord, shbin.LabelRecord, shbin.OutputRecord, shbin.UniformRecord}),
		Links: dvoj.Links,
		Leniencies: []Leniency{
			{Option(dvoj.AllowDVOB), `the magic "DVOB", which stands in GBATEK's prose`},
			{Option(dvoj.TypeFlags), "further bits in the type byte of an object, which 3dbrew thinks possible"},
		},
	}),
	row(gsh.Parse, gsh.Check, gsh.Outline, Format{
		Name:       "gsh",
		Title:      "GFD container of GX2 shaders",
		Magics:     []string{"Gfx2"},
		Big:        []string{"Gfx2"},
		Extensions: []string{".gsh"},
		Rules:      gsh.Rules,
		Records:    slices.Concat(gsh.Records, gx2.Records),
		Links:      gsh.Links,
		Leniencies: []Leniency{{Option(gsh.Fragment),
			"a header without its program, or a program without its header, as where two files hold them"}},
		Length: gsh.Length,
	}),
	row(sharcfb.Parse, sharcfb.Check, sharcfb.Outline, Format{
		Name:  "sharcfb",
		Title: "SHARCFB binary shader archive with GX2 shaders",
		// The signature in either byte order. A source archive is then refused with a finding about its version.
		Magics:     []string{"SHAB", "BAHS", "SHAA", "AAHS"},
		Big:        []string{"SHAB", "SHAA"},
		Extensions: []string{".sharcfb", ".sharc"},
		Rules:      sharcfb.Rules,
		Records:    slices.Concat(sharcfb.Records, gx2.Records),
		Links:      sharcfb.Links,
		Length:     sharcfb.Length,
	}),
	row(shbin.Parse, shbin.Check, shbin.Outline, Format{
		Name:       "shbin",
		Title:      "DVLB/DVLP/DVLE shader binary",
		Magics:     []string{"DVLB"},
		Extensions: []string{".shbin"},
		Rules:      shbin.Rules,
		Records:    append(slices.Clone(shbin.Records), shbin.WordRecord),
		Links:      shbin.Links,
		Leniencies: []Leniency{{Option(shbin.EmulatorDump),
			"up to 4096 operand descriptors, as in the shader dumps of Azahar"}},
		Length: shbin.Length,
	}),
	row(zpsh.Parse, zpsh.Check, zpsh.Outline, Format{
		Name:       "zpsh",
		Title:      "ZPSH shader of zitrus",
		Magics:     []string{"ZPSH"},
		Extensions: []string{".zpsh"},
		Rules:      zpsh.Rules,
		Records:    zpsh.Records,
		Links:      zpsh.Links,
		Leniencies: []Leniency{
			{Option(zpsh.HashMismatch), "a wrong code hash, which zitrus does not verify"},
			{Option(zpsh.SkipUnknownHeader), "a header that is longer than known, read as revision 4"},
		},
		Variants: []Variant{{"3", Option(zpsh.Revision3)}, {"4", Option(zpsh.Revision4)}},
		Length:   zpsh.Length,
	}),
}
