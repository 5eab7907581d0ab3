// Package files serves this module: it lists the file generators of all formats.
package files

//go:generate go test -run ^Test(NothingChangesUnseen|ASeedNamesTheSameFiles)$ -update .

import (
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
	"github.com/picaproof/picaproof/fuzz/gen/cgfxgen"
	"github.com/picaproof/picaproof/fuzz/gen/csdrgen"
	"github.com/picaproof/picaproof/fuzz/gen/dvojgen"
	"github.com/picaproof/picaproof/fuzz/gen/gshgen"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
)

// Formats has one entry for each format of formats/registry that has a
// generator.
var Formats = []gen.Format{
	bnshgen.Format,
	cgfxgen.Format,
	csdrgen.Format,
	dvojgen.Format,
	gshgen.Format,
	sharcfbgen.Format,
	shbingen.Format,
	zpshgen.Format,
}

// ByName returns the generator of a format.
func ByName(name string) (gen.Format, bool) {
	i := slices.IndexFunc(Formats, func(f gen.Format) bool { return f.Name == name })
	if i < 0 {
		return gen.Format{}, false
	}
	return Formats[i], true
}
