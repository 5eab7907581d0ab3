package sharcfb_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen/sharcfbgen"
)

// format is the format as the common tests see it.
var format = formattest.Format[*sharcfb.File]{
	Name:    "sharcfb",
	Rules:   sharcfb.Rules,
	Parse:   func(b []byte) (*sharcfb.File, error) { return sharcfb.Parse(b) },
	Check:   func(b []byte) []diag.Finding { return sharcfb.Check(b) },
	Outline: func(b []byte) diag.Outline { return sharcfb.Outline(b) },
	Layout:  "SHARC061",
	Mutate:  mutate,
	GoesOn:  true,
}

// TestFaults breaks every rule.
func TestFaults(t *testing.T) { format.Faults(t, sharcfbgen.Format) }
