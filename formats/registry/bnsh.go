package registry

import "github.com/picaproof/picaproof/formats/bnsh"

var bnshFormat = Format{
	Name:       "bnsh",
	Title:      "BNSH shader binary of nn::gfx",
	Magics:     []string{"BNSH"},
	Extensions: []string{".bnsh"},
	Rules:      bnsh.Rules,
	Parse:      parser(bnsh.Parse),
	Check:      checker(bnsh.Check),
	Outline:    outliner(bnsh.Outline),
	Length:     bnsh.Length,
}
