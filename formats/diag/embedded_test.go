package diag_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
)

// TestEmbedded: a finding of an embedded reporter belongs to the outer one, with its place
// moved, and does not count as an error of other embedded files.
func TestEmbedded(t *testing.T) {
	inner := diag.NewRuleSet([]diag.Rule{{ID: "IN1", Severity: diag.Error, Title: "bad", Kind: diag.ErrLimit}})
	report := func(outer *diag.Reporter) {
		box := outer.Embedded(inner, 0x100, "box.")
		sibling := outer.Embedded(inner, 0x200, "other.")
		item := box.Embedded(inner, 0x10, "item.")
		item.Report("IN1", diag.Place{Off: 2, Len: 4, Path: diag.Path{Field: "x"}}, diag.Dec(1), diag.Dec(2),
			diag.Place{Off: 8, Len: 1, Path: diag.Path{Field: "y"}})
		if !item.Failed() || !outer.Failed() || sibling.Failed() {
			t.Errorf("failed: item %v, outer %v, sibling %v", item.Failed(), outer.Failed(), sibling.Failed())
		}
	}
	want := diag.Finding{
		Rule: "IN1", Severity: diag.Error, Off: 0x112, Len: 4, Path: "box.item.x", Msg: "bad",
		Expected: "1", Found: "2",
		Related: []diag.Related{{Off: 0x118, Len: 1, Path: "box.item.y"}, {Off: 2, Len: 4, Path: "x"}},
	}
	all := diag.Collect(nil)
	report(all)
	if diff := cmp.Diff([]diag.Finding{want}, all.Findings()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	first := diag.Strict(nil)
	report(first)
	parse, ok := errors.AsType[*diag.ParseError](first.Err("out"))
	if !ok || !cmp.Equal(parse.Finding, want) || parse.Kind != diag.ErrLimit {
		t.Errorf("got %+v", parse)
	}
}
