package report_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestWrongCells: a cause marks the classes that its features name, of its instruction only; without such a
// feature it marks all.
func TestWrongCells(t *testing.T) {
	for feature, want := range map[string][]string{"infinite operand": {"-inf", "+inf"}, "NaN operand": {"nan"},
		"zero operand": {"-0", "+0"}, "subnormal operand": {"-subnormal", "+subnormal"},
		"swizzled": {"-inf", "+inf", "nan", "-0", "+0", "-subnormal", "+subnormal", "-normal", "+normal"}} {
		d := cause("add", report.Own, "add", report.Member{Key: "key", Count: 1})
		d.Features = []string{feature}
		r := report.New("conform core", "", "core", 1)
		r.Findings = []report.Deviation{d}
		r.Coverpoints.Judged = []string{"add/src=+inf", "mul/src=+inf"}
		r.Regroup()
		var got []string
		for _, row := range r.Matrix {
			for k, c := range row.Cells {
				switch {
				case c.Wrong && row.Opcode == "add":
					got = append(got, r.Classes[k])
				case c.Wrong:
					t.Errorf("%s: %s of %s is wrong", feature, r.Classes[k], row.Opcode)
				}
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", feature, got, want)
		}
	}
}
