package registry

import "github.com/picaproof/picaproof/formats/sharcfb"

// sharcfbFormat is found by signature in either byte order. A source archive is
// found too, to be refused with a finding that names its version.
var sharcfbFormat = Format{
	Name:       "sharcfb",
	Title:      "SHARCFB binary shader archive with GX2 shaders",
	Magics:     []string{"SHAB", "BAHS", "SHAA", "AAHS"},
	Extensions: []string{".sharcfb", ".sharc"},
	Rules:      sharcfb.Rules,
	Parse:      parser(sharcfb.Parse),
	Check:      checker(sharcfb.Check),
	Outline:    outliner(sharcfb.Outline),
}
