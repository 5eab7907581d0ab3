package csdr

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

const (
	e, w, i = diag.Error, diag.Warning, diag.Info

	doc, guess = diag.Document, diag.Guess
)

// Rules are the rules of a .csdr text. Those of the DVLBs inside are the rules
// of package shbin.
var Rules = []diag.Rule{
	{ID: "CSDR001", Severity: w, Class: guess, Source: "GBATEK shows none",
		Title: "byte order mark",
		Text:  "The text begins with a UTF-8 byte order mark. A second one is text in front of the root."},
	{ID: "CSDR002", Severity: e, Class: guess, Source: "what is quoted is ASCII",
		Title: "not UTF-8", Text: "The text is not UTF-8, or has a NUL."},
	{ID: "CSDR003", Severity: i, Class: doc, Source: "GBATEK shows none; texts of the same family have one",
		Title: "no XML declaration",
		Text:  "The text, behind a byte order mark, does not begin with <?xml and white space."},
	{ID: "CSDR004", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "XML 1.0; the limits are own strictness",
		Title: "not well-formed",
		Text: fmt.Sprintf("The text is not well-formed XML 1.0, has a document type, declares another encoding "+
			"than UTF-8, or its elements nest deeper than %d.", maxDepth)},
	{ID: "CSDR005", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "GBATEK",
		Title: "wrong root", Text: "The root is not NintendoWareIntermediateFile."},
	{ID: "CSDR006", Severity: e, Class: doc, Source: "GBATEK",
		Title: "element missing or repeated",
		Text:  "There is not exactly one GraphicsContentCtr in the root, or not exactly one Shaders in it."},
	{ID: "CSDR007", Severity: w, Class: doc, Source: "GBATEK",
		Title: "unusual version", Text: "The Version of GraphicsContentCtr is missing or not 0.7.0."},
	{ID: "CSDR008", Severity: e, Class: doc, Source: "GBATEK",
		Title: "shader without a name", Text: "A ShaderCtr has no Name, or an empty one."},
	{ID: "CSDR009", Severity: e, Class: guess, Source: "a lookup finds one of them",
		Title: "name is used twice", Text: "The Name of a ShaderCtr equals that of an earlier one."},
	{ID: "CSDR010", Severity: e, Class: doc, Source: "GBATEK",
		Title: "BinaryData missing or repeated", Text: "There is not exactly one BinaryData in a ShaderCtr."},
	{ID: "CSDR011", Severity: w, Class: guess, Source: "GBATEK's outline",
		Title: "not in the outline",
		Text: "An element or attribute is not in the known outline at that place; or a known element other " +
			"than BinaryData has text other than white space; or there is a processing instruction, a CDATA " +
			"section, or an element inside BinaryData. What is in an unknown element, and in EditData, ShaderKinds " +
			"and Descriptions, is not looked at."},
	{ID: "CSDR012", Severity: w, Class: guess, Source: "such a file is nothing",
		Title: "no shaders", Text: "Shaders has no ShaderCtr."},
	{ID: "CSDR013", Severity: w, Class: doc, Source: "GBATEK",
		Title: "white space in Base64",
		Text:  "There is white space in or around the Base64. The other rules look at it without."},
	{ID: "CSDR014", Severity: e, Class: doc, Reader: diag.MustRefuse, Source: "GBATEK",
		Title: "not Base64",
		Text: "The Base64 is empty, has a character outside the standard alphabet, a length that is not a " +
			"multiple of 4, a = elsewhere than as the last one or two characters, or an element inside."},
	{ID: "CSDR015", Severity: e, Class: guess, Source: "another text would stand for the same bytes",
		Title: "unused bits are set", Text: "Bits of the last group of the Base64 that belong to no byte are not 0."},
	{ID: "CSDR016", Severity: e, Class: guess, Source: "rules of a DVLB",
		Title: "DVLB has errors",
		Text: "The decoded bytes break a rule of severity error of a DVLB. The findings of the DVLB come " +
			"first, with their place in the decoded bytes."},
	{ID: "CSDR017", Severity: i, Class: doc, Source: "GBATEK",
		Title: "line does not end in CR LF",
		Text:  "There is an LF without a CR before it, or a CR without an LF behind it. Reported once."},
}
