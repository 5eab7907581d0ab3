package convert_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/convert"
)

// TestDroppedFields: numbers and texts of a struct that differ from the kept ones are lost, also in
// a struct inside it. Lists and pointers are reported elsewhere.
func TestDroppedFields(t *testing.T) {
	type Part struct {
		Offset uint16 `json:"offset"`
	}
	type record struct {
		Part
		Mode   uint8  `json:"mode,omitempty"`
		First  int32  `json:"first"`
		Name   string `json:"name"`
		Same   string `json:"same"`
		Stream Part   `json:"stream"`
		List   []int  `json:"list"`
		Layout *Part  `json:"layout"`
	}
	var got convert.Report
	v := record{Part{1}, 16, -1, "a", "b", Part{2}, []int{1}, new(Part)}
	got.DroppedFields("list[3]", v, record{Mode: 2, Same: "b"}, "no place")
	got.DroppedFields("", Part{3}, Part{}, "no place")
	var texts []string
	for _, l := range got {
		texts = append(texts, l.String())
	}
	want := []string{"list[3].offset: dropped 0x1: no place", "list[3].mode: dropped 0x10: no place",
		"list[3].first: dropped -1: no place", `list[3].name: dropped "a": no place`,
		"list[3].stream.offset: dropped 0x2: no place", "offset: dropped 0x3: no place"}
	if !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
}
