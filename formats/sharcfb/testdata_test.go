package sharcfb_test

import (
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// sample returns one of the sample files.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	return samples.Read(t, "sharcfb/"+name)
}

// plain leaves out what structures say about each other: the registers of samples and of the models of the
// tests are invented.
func plain(findings []diag.Finding) []diag.Finding {
	return formattest.Without(gx2.MeaningRules, findings)
}

// ruleOf spells a finding as the sample lists do: "SHARC009/W".
func ruleOf(f diag.Finding) string { return f.Rule + "/" + f.Severity.Letter() }

var mustParse, mustAppend = format.MustParse, format.MustAppend
