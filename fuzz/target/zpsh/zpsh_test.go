// Package zpsh_test holds the fuzz targets of the ZPSH parser and writer.
package zpsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen/zpshgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

// format has its leniencies on, so that a wrong hash does not hide later faults.
func format() *judge.Format[*zpsh.File] {
	return judge.Of(zpsh.Parse, zpsh.Check, zpsh.HashMismatch, zpsh.SkipUnknownHeader)
}

func FuzzParseZpsh(f *testing.F) { target.Parse(f, "zpsh", format(), 1<<9) }
func FuzzModelZpsh(f *testing.F) { target.Model(f, format(), zpshgen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, zpshgen.Model) }
