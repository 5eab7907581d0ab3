package registry

import "github.com/picaproof/picaproof/formats/sharcfb"

// sharcfbFormat is recognised by its signature in either byte order. So is a source archive,
// which is then refused with a finding about its version.
var sharcfbFormat = Format{
	Name:       "sharcfb",
	Title:      "SHARCFB binary shader archive with GX2 shaders",
	Magics:     []string{"SHAB", "BAHS", "SHAA", "AAHS"},
	Extensions: []string{".sharcfb", ".sharc"},
	Rules:      sharcfb.Rules,
	Parse:      parser(sharcfb.Parse),
	Check:      checker(sharcfb.Check),
	Outline:    outliner(sharcfb.Outline),
	Length:     sharcfb.Length,
}
