package registry

import "github.com/picaproof/picaproof/formats/gsh"

var gshFormat = Format{
	Name:       "gsh",
	Title:      "GFD container of GX2 shaders",
	Magics:     []string{"Gfx2"},
	Extensions: []string{".gsh"},
	Rules:      gsh.Rules,
	Parse:      parser(gsh.Parse),
	Check:      checker(gsh.Check),
	Outline:    outliner(gsh.Outline),
}
