package registry

import "github.com/picaproof/picaproof/formats/zpsh"

var zpshFormat = Format{
	Name:       "zpsh",
	Title:      "ZPSH shader of zitrus",
	Magics:     []string{"ZPSH"},
	Extensions: []string{".zpsh"},
	Rules:      zpsh.Rules,
	Leniencies: []Leniency{
		{Option(zpsh.HashMismatch), "a wrong code hash, which zitrus does not verify"},
		{Option(zpsh.SkipUnknownHeader), "a header that is longer than known, read as revision 4"},
	},
	Variants: []Variant{{"3", Option(zpsh.Revision3)}, {"4", Option(zpsh.Revision4)}},
	Parse:    parser(zpsh.Parse),
	Check:    checker(zpsh.Check),
	Outline:  outliner(zpsh.Outline),
	Length:   zpsh.Length,
}
