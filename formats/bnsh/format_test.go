package bnsh_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// format is the format as the common tests see it.
var format = formattest.Format[*bnsh.File]{
	Name:    "bnsh",
	Rules:   bnsh.Rules,
	Parse:   func(b []byte) (*bnsh.File, error) { return bnsh.Parse(b) },
	Check:   func(b []byte) []diag.Finding { return bnsh.Check(b) },
	Outline: func(b []byte) diag.Outline { return bnsh.Outline(b) },
	Layout:  "BNSH081",
	GoesOn:  true,
}

// reported reports whether a rule is among the findings.
func reported(findings []diag.Finding, rule string) bool {
	return slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Rule == rule })
}

var mustParse, build = format.MustParse, format.MustAppend

// mustWrite demands that a file is written as the given bytes.
func mustWrite(t testing.TB, f *bnsh.File, want []byte) {
	t.Helper()
	got, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatalf("write: %v", err)
	}
	mustEqual(t, got, want)
}

func mustEqual(t testing.TB, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	row := at &^ 15
	t.Fatalf("%d bytes, want %d; first difference at %#x:\ngot\n%s\nwant\n%s", len(got), len(want), at,
		hex.Dump(got[min(row, len(got)):min(row+48, len(got))]),
		hex.Dump(want[min(row, len(want)):min(row+48, len(want))]))
}
