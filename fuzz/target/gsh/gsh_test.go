// Package gsh_test holds the fuzz targets of the GSH parser and writer.
package gsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/fuzz/gen/gshgen"
	"github.com/picaproof/picaproof/fuzz/judge"
	"github.com/picaproof/picaproof/fuzz/target"
)

func format() *judge.Format[*gsh.File] { return judge.Of(gsh.Parse, gsh.Check) }

func FuzzParseGsh(f *testing.F) { target.Parse(f, "gsh", format(), 1<<11) }
func FuzzModelGsh(f *testing.F) { target.Model(f, format(), gshgen.Model) }

func TestModelsAreMostlyValid(t *testing.T) { target.MostlyValid(t, gshgen.Model) }
