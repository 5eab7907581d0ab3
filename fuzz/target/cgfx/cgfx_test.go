// Package cgfx_test holds the fuzz targets of the CGFX parser and writer.
package cgfx_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/fuzz/gen/cgfxgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

func format() *judge.Format[*cgfx.File] {
	return judge.Of(cgfx.Parse, cgfx.Check)
}

func FuzzParseCgfx(f *testing.F) { target.Parse(f, "cgfx", format(), 1<<11) }
func FuzzModelCgfx(f *testing.F) { target.Model(f, format(), cgfxgen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, cgfxgen.Model) }
