package wire_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// ruled is a record with a rule that holds under conditions, and one about two of its fields.
var ruled = wire.NewRecord("ruled",
	wire.Unread[sample]("a", 1, "").
		Must("X001", wire.NotZero(), diag.Dec).When("kind", wire.Is(2)).When("b", wire.IsNot(9)),
	wire.Unread[sample]("b", 1, "").Must("X002", wire.MultipleOf(4), diag.Dec).Once(),
	wire.Unread[sample]("c", 1, "").Must("X002", wire.AtLeast(3), diag.Dec).Once(),
	wire.Unread[sample]("kind", 1, ""))

// TestConditions: a rule is silent unless all of its conditions hold, and a rule about several
// fields speaks once, of the first of them.
func TestConditions(t *testing.T) {
	rules := diag.NewRuleSet([]diag.Rule{{ID: "X001"}, {ID: "X002"}})
	for _, c := range []struct {
		record [4]byte // a, b, c, kind
		want   []string
	}{
		{[4]byte{0, 4, 3, 2}, []string{"a: >= 1, found 0"}},
		{[4]byte{1, 4, 3, 2}, nil},
		{[4]byte{0, 4, 3, 3}, nil},
		{[4]byte{0, 9, 3, 2}, []string{"b: multiple of 4, found 9"}},
		{[4]byte{0, 9, 2, 0}, []string{"b: multiple of 4, found 9"}},
		{[4]byte{0, 8, 2, 0}, []string{"c: >= 3, found 2"}},
		{[4]byte{0, 5, 2, 2}, []string{"a: >= 1, found 0", "b: multiple of 4, found 5"}},
	} {
		r, got := diag.Collect(rules), []string(nil)
		ok := ruled.Check(r, wire.LE(c.record[:]), 0, func(field string) diag.Place {
			return ruled.At(0, diag.Path{Field: field})
		})
		for _, f := range r.Findings() {
			got = append(got, f.Path+": "+f.Expected+", found "+f.Found)
		}
		if !slices.Equal(got, c.want) || ok != (c.want == nil) {
			t.Errorf("%v: got %q, %t, want %q", c.record, got, ok, c.want)
		}
	}
}
