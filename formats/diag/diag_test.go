package diag_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
)

func TestCollectKeepsTheFirstHundred(t *testing.T) {
	r := diag.Collect(diag.NewRuleSet([]diag.Rule{{ID: "A", Severity: diag.Info}, {ID: "B", Severity: diag.Error}}))
	for i := range 250 {
		r.Report("A", diag.Place{Off: uint64(i)}, diag.Value{}, diag.Value{})
		if i < 3 {
			r.Report("B", diag.Place{Off: uint64(i)}, diag.Value{}, diag.Value{})
		}
	}
	f := r.Findings()
	if len(f) != diag.MaxPerRule+3 || !r.Failed() || !r.Full("A") || r.Full("B") {
		t.Fatalf("got %d findings, want %d", len(f), diag.MaxPerRule+3)
	}
	last := f[len(f)-1]
	if last.Off != 99 || last.More != 150 {
		t.Errorf("last kept: got offset %d and %d more, want 99 and 150", last.Off, last.More)
	}
}

func TestParseErrorText(t *testing.T) {
	err := error(&diag.ParseError{Format: "shbin", Kind: diag.ErrMalformed, Finding: diag.Finding{
		Rule: "DVLE007", Severity: diag.Error, Off: 0x40, Len: 4, Path: "dvle[0].entry",
		Msg: "entry is not a word of the code", Expected: "< 19", Found: "19"}})
	const want = "shbin: 0x0040: DVLE007 dvle[0].entry: entry is not a word of the code (expected < 19, found 19)"
	if err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	if wrapped := fmt.Errorf("x: %w", err); !errors.Is(wrapped, diag.ErrMalformed) ||
		errors.Is(wrapped, diag.ErrLimit) {
		t.Error("the kind of refusal does not show through")
	}
}

func TestInvalidErrorNamesTheFirstError(t *testing.T) {
	err := &diag.InvalidError{Format: "shbin", Findings: []diag.Finding{
		{Rule: "W1", Severity: diag.Warning}, {Rule: "E1", Severity: diag.Error, Off: 4, Msg: "bad"}}}
	if want := "shbin: invalid model: 0x0004: E1 bad"; err.Error() != want {
		t.Errorf("got %s, want %s", err, want)
	}
	if !errors.Is(err, diag.ErrInvalid) || errors.Is(err, diag.ErrLimit) {
		t.Error("does not wrap ErrInvalid alone")
	}
	if err.Kind = diag.ErrLimit; !errors.Is(err, diag.ErrInvalid) || !errors.Is(err, diag.ErrLimit) {
		t.Error("does not wrap ErrInvalid and the kind")
	}
}

func TestSortByOffset(t *testing.T) {
	f := []diag.Finding{{Rule: "B", Off: 4}, {Rule: "A", Off: 4, Path: "y"}, {Rule: "C", Off: 0},
		{Rule: "A", Off: 4, Path: "x"}}
	diag.SortByOffset(f)
	got := ""
	for _, f := range f {
		got += f.Rule + f.Path
	}
	if want := "CAxAyB"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFindingJSON(t *testing.T) {
	b, err := json.Marshal(diag.Finding{Rule: "DVLB002", Severity: diag.Warning, Off: 0, Len: 4, Path: "dvlb.magic",
		Msg: "m", Expected: "a", Found: "b"})
	const want = `{"rule":"DVLB002","severity":"warning","offset":0,"length":4,"path":"dvlb.magic",` +
		`"message":"m","expected":"a","found":"b"}`
	if err != nil || string(b) != want {
		t.Errorf("got  %s, %v\nwant %s", b, err, want)
	}
	var f diag.Finding
	if err := json.Unmarshal(b, &f); err != nil || f.Severity != diag.Warning {
		t.Errorf("got %+v, %v", f, err)
	}
}
