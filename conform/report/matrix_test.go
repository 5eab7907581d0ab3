package report_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestWrongCells: a cause marks the classes of its instruction that have coverpoints.
func TestWrongCells(t *testing.T) {
	r := report.New("conform core", "", "core", 1)
	r.Findings = []report.Deviation{cause("add", report.Own, "add", report.Member{Key: "key", Count: 1})}
	r.Coverpoints.Judged = []string{"add/src=+inf", "mul/src=+inf"}
	r.Coverpoints.NotJudged = []string{"add/src=nan"}
	r.Regroup()
	var got []string
	for _, row := range r.Matrix {
		for k, c := range row.Cells {
			if c.Wrong {
				got = append(got, row.Opcode+" "+r.Classes[k])
			}
		}
	}
	if slices.Sort(got); !slices.Equal(got, []string{"add +inf", "add nan"}) {
		t.Errorf("got %q", got)
	}
}
