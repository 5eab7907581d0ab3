// Package csdr_test holds the fuzz targets of the CSDR parser and writer.
package csdr_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/fuzz/gen/csdrgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

func format() *judge.Format[*csdr.File] {
	return judge.Of(csdr.Parse, csdr.Check)
}

func FuzzParseCsdr(f *testing.F) { target.Parse(f, "csdr", format(), 1<<11) }
func FuzzModelCsdr(f *testing.F) { target.Model(f, format(), csdrgen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, csdrgen.Model) }
