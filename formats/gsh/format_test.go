package gsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// format is the format as the common tests see it.
var format = formattest.Format[*gsh.File]{
	Name:         "gsh",
	Rules:        gsh.Rules,
	Parse:        func(b []byte) (*gsh.File, error) { return gsh.Parse(b) },
	Check:        func(b []byte) []diag.Finding { return gsh.Check(b) },
	Outline:      func(b []byte) diag.Outline { return gsh.Outline(b) },
	NotCanonical: func(f *gsh.File) bool { return !f.HasCanonical() },
	Layout:       "GSH070",
	GoesOn:       true,
}

var mustParse, mustAppend = format.MustParse, format.MustAppend

// plain leaves out what structures say about each other: the registers of the samples are invented.
func plain(findings []diag.Finding) []diag.Finding {
	return formattest.Without(gx2.MeaningRules, findings)
}

// sample returns the bytes of a sample.
func sample(t testing.TB, name string) []byte { return samples.Read(t, "gsh/"+name) }
