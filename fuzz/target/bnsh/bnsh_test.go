// Package bnsh_test holds the fuzz targets of the BNSH parser and writer.
package bnsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen/bnshgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

func format() *judge.Format[*bnsh.File] {
	return judge.Of(bnsh.Parse, bnsh.Check)
}

func FuzzParseBnsh(f *testing.F) { target.Parse(f, "bnsh", format(), 1<<11) }
func FuzzModelBnsh(f *testing.F) { target.Model(f, format(), bnshgen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, bnshgen.Model) }
