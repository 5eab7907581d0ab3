package registry

import "github.com/picaproof/picaproof/formats/cgfx"

var cgfxFormat = Format{
	Name:       "cgfx",
	Title:      "CGFX container with DVLBs",
	Magics:     []string{"CGFX"},
	Extensions: []string{".bcsdr", ".bchsdr"},
	Rules:      cgfx.Rules,
	Parse:      parser(cgfx.Parse),
	Check:      checker(cgfx.Check),
	Outline:    outliner(cgfx.Outline),
}
