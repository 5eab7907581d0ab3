package gsh_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
)

// TestAgreement mutates every sample at random: whatever the bytes are, Parse and
// Check agree, what is accepted is written as it was, and GSH070 is reported exactly
// when the canonical form is another file.
func TestAgreement(t *testing.T) {
	bases := [][]byte{}
	for _, name := range samples.Glob(t, "gsh/*.gsh") {
		bases = append(bases, samples.Read(t, name))
	}
	x := format
	x.Check = func(b []byte) []diag.Finding {
		findings := gsh.Check(b)
		if f, err := gsh.Parse(b); err == nil && len(f.Opaque) == 0 {
			noted := slices.ContainsFunc(findings, func(x diag.Finding) bool { return x.Rule == "GSH070" })
			if form, err := f.Canonical().AppendBinary(nil); err != nil || noted == bytes.Equal(form, b) {
				t.Errorf("GSH070 reported: %v, but the canonical form is equal: %v; %v", noted, !noted, err)
			}
		}
		return findings
	}
	x.Random(t, bases, 20_000, 20)
}
