package registry

import "github.com/picaproof/picaproof/formats/csdr"

// xmlDeclaration is the first line of the texts that we write.
const xmlDeclaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n"

var csdrFormat = Format{
	// Other XML is recognised by the extension only, because XML is common.
	Name:       "csdr",
	Title:      "NintendoWare intermediate text with DVLBs",
	Magics:     []string{xmlDeclaration + "<NintendoWareIntermediateFile", "<NintendoWareIntermediateFile"},
	Extensions: []string{".csdr"},
	Rules:      csdr.Rules,
	Parse:      parser(csdr.Parse),
	Check:      checker(csdr.Check),
	Outline:    outliner(csdr.Outline),
}
