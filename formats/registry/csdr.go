package registry

import "github.com/picaproof/picaproof/formats/csdr"

// xmlDeclaration is how the texts we write begin.
const xmlDeclaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n"

var csdrFormat = Format{
	// Any other XML is known by the extension only: there is much of it.
	Name:       "csdr",
	Title:      "NintendoWare intermediate text with DVLBs",
	Magics:     []string{xmlDeclaration + "<NintendoWareIntermediateFile", "<NintendoWareIntermediateFile"},
	Extensions: []string{".csdr"},
	Rules:      csdr.Rules,
	Parse:      parser(csdr.Parse),
	Check:      checker(csdr.Check),
	Outline:    outliner(csdr.Outline),
}
