package registry

import "github.com/picaproof/picaproof/formats/sharcfb"

// sharcfbFormat is found by signature in either byte order. A source archive,
// found by its extension, is refused with a finding that says what it is.
var sharcfbFormat = Format{
	Name:       "sharcfb",
	Title:      "SHARCFB binary shader archive with GX2 shaders",
	Magics:     []string{"SHAB", "BAHS"},
	Extensions: []string{".sharcfb", ".sharc"},
	Rules:      sharcfb.Rules,
	Parse:      parser(sharcfb.Parse),
	Check:      checker(sharcfb.Check),
}
