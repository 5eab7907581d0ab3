package diff_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/diff"
)

func TestRegions(t *testing.T) {
	a := []diag.Region{
		{Off: 0, Len: 1, Path: "x", Value: "1"}, {Off: 1, Len: 1, Path: "only.a"},
		{Off: 2, Len: 1, Path: "padding", Kind: diag.PaddingRegion}, {Off: 3, Len: 1, Path: "code", Kind: diag.OpaqueRegion},
	}
	b := []diag.Region{
		{Off: 0, Len: 1, Path: "x", Value: "2"}, {Off: 1, Len: 1, Path: "padding", Kind: diag.PaddingRegion},
		{Off: 2, Len: 1, Path: "code", Kind: diag.OpaqueRegion}, {Off: 3, Len: 1, Path: "only.b"},
	}
	got, more := diff.Regions(a, []byte{1, 7, 0, 0xaa}, b, []byte{2, 9, 0xbb, 8})
	want := []diff.Difference{
		{Path: "x", A: "1", B: "2"}, {Path: "only.a", A: "07"}, {Path: "code", A: "aa", B: "bb"}, {Path: "only.b", B: "08"},
	}
	if !slices.Equal(got, want) || more != 0 {
		t.Errorf("got %v and %d more, want %v", got, more, want)
	}
}
