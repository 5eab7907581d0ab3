// Package shbin_test holds the fuzz targets of the SHBIN parser and writer.
package shbin_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen/shbingen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

// maxInput keeps inputs small. The tests of formats/shbin cover large files.
const maxInput = 512

func format() *judge.Format[*shbin.File] {
	return judge.Of(shbin.Parse, shbin.Check)
}

func FuzzParseShbin(f *testing.F) { target.Parse(f, "shbin", format(), maxInput) }
func FuzzModelShbin(f *testing.F) { target.Model(f, format(), shbingen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, shbingen.Model) }
