package wire_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// TestConstraints: each constraint finds exactly the records that break it, in a file and in a table, and says what it
// expects.
func TestConstraints(t *testing.T) {
	outer := &wire.Outer{Slot: 2}
	type pair struct{ A, B uint8 }
	for name, c := range map[string]struct {
		constraint wire.Constraint
		table      []pair // of which B has the rule
		want       []string
	}{
		"at most":   {wire.AtMost(3), []pair{{0, 3}, {0, 4}}, []string{"1: <= 3, 4"}},
		"at least":  {wire.AtLeast(3), []pair{{0, 3}, {0, 2}}, []string{"1: >= 3, 2"}},
		"not zero":  {wire.NotZero(), []pair{{0, 0}, {0, 1}}, []string{"0: >= 1, 0"}},
		"below":     {wire.Below(3), []pair{{0, 2}, {0, 3}}, []string{"1: < 3, 3"}},
		"is":        {wire.Is(3), []pair{{0, 2}, {0, 3}, {0, 4}}, []string{"0: 3, 2", "2: 3, 4"}},
		"is, hex":   {wire.IsHex(16), []pair{{0, 16}, {0, 17}}, []string{"1: 0x10, 17"}},
		"one of":    {wire.OneOf("2 or 5", 2, 5), []pair{{0, 2}, {0, 3}, {0, 5}}, []string{"1: 2 or 5, 3"}},
		"between":   {wire.Between("1, 3 to 5", 1, 1, 3, 5), []pair{{0, 2}, {0, 3}, {0, 6}}, []string{"0: 1, 3 to 5, 2", "2: 1, 3 to 5, 6"}},
		"multiple":  {wire.MultipleOf(4), []pair{{0, 0}, {0, 6}, {0, 8}}, []string{"1: multiple of 4, 6"}},
		"of three":  {wire.MultipleOf(3), []pair{{0, 6}, {0, 8}}, []string{"1: multiple of 3, 8"}},
		"clear":     {wire.Clear("no bit 1", 2), []pair{{0, 5}, {0, 6}}, []string{"1: no bit 1, 6"}},
		"any of":    {wire.AnyOf("bit 1 or 2", 6), []pair{{0, 8}, {0, 4}}, []string{"0: bit 1 or 2, 8"}},
		"any of, 2": {wire.AnyOf("bit 0 or 1", 3), []pair{{0, 4}, {0, 6}}, []string{"0: bit 0 or 1, 4"}},
		"zero or":   {wire.ZeroOr(wire.Sibling("a")), []pair{{7, 0}, {7, 7}, {7, 1}}, []string{"2: 0 or 0x7, 1"}},
		"sibling":   {wire.AboveOf(wire.Sibling("a")), []pair{{7, 7}, {7, 8}}, []string{"0: > 7, 7"}},
		"sum": {wire.AtMost(9).And(wire.Sibling("a").Times(2)).Says("end <= %d"), []pair{{3, 3}, {3, 4}},
			[]string{"1: end <= 9, 10"}},
		"previous": {wire.AtLeastOf(wire.Previous()), []pair{{9, 5}, {9, 5}, {9, 4}}, []string{"2: >= 5, 4"}},
		"index":    {wire.EqualTo(wire.Index()), []pair{{0, 0}, {0, 2}}, []string{"1: 1, 2"}},
		"elsewhere": {wire.BelowOf(wire.Elsewhere(outer)), []pair{{0, 5}, {0, 6}},
			[]string{"1: < 6, 6"}},
		"elsewhere, at most": {wire.AtMostOf(wire.Elsewhere(outer)), []pair{{0, 6}, {0, 7}}, []string{"1: <= 6, 7"}},
		"elsewhere, equal":   {wire.EqualTo(wire.Elsewhere(outer)), []pair{{0, 6}, {0, 7}}, []string{"1: 6, 7"}},
		"name": {wire.Named(wire.Elsewhere(outer)), []pair{{0, 6}},
			[]string{"0: offset of a NUL-terminated name, 6"}},
		"record size": {wire.AtLeastOf(wire.RecordSize()), []pair{{0, 1}, {0, 2}}, []string{"0: >= 2, 1"}},
		"room":        {wire.AtMostOf(wire.Room(2, 3)), []pair{{0, 1}, {0, 2}, {0, 0}}, []string{"1: <= 1, 2"}},
		"inside": {wire.Inside(wire.Start(), wire.Sibling("a")), []pair{{2, 4}, {1, 4}, {0, 3}},
			[]string{"1: end <= 0x6, 7", "2: end <= 0x6, 7"}},
		"when": {wire.Is(0).When("a", wire.Is(1)), []pair{{0, 9}, {1, 9}, {2, 9}, {1, 0}}, []string{"1: 0, 9"}},
		"when two": {wire.Is(0).When("a", wire.AtLeast(1)).When("a", wire.OneOf("1 or 3", 1, 3)),
			[]pair{{0, 9}, {1, 9}, {2, 9}, {3, 0}}, []string{"1: 0, 9"}},
		"when elsewhere": {wire.Is(0).WhenOuter(outer, wire.Is(5)), []pair{{0, 9}}, nil},
		"when below another": {wire.Is(0).When("a", wire.BelowOf(wire.Elsewhere(outer))), []pair{{5, 9}, {6, 9}},
			[]string{"0: 0, 9"}},
	} {
		record := wire.NewRecord("pair", wire.Uint("a", func(p *pair) *uint8 { return &p.A }, ""),
			wire.Uint("b", func(p *pair) *uint8 { return &p.B }, "").Must("T1", c.constraint, diag.Dec))
		b := record.Append(nil, c.table...)
		set := diag.NewRuleSet([]diag.Rule{{ID: "T1", Severity: diag.Error}})
		around := func() *wire.Around { return &wire.Around{View: wire.LE(b), Outer: [4]uint64{2: 6}} }
		one, all := diag.Collect(set), diag.Collect(set)
		x := around()
		record.CheckTableIn(all, x, func(i int, field string) diag.Place { return record.At(2*uint64(i), diag.Path{Field: field}) })
		for x.Index = range uint64(len(c.table)) {
			x.Base = 2 * x.Index
			record.CheckIn(one, x, func(field string) diag.Place { return record.At(x.Base, diag.Path{Field: field}) })
		}
		for _, r := range []*diag.Reporter{one, all} {
			var got []string
			for _, f := range r.Findings() {
				got = append(got, fmt.Sprintf("%d: %s, %s", f.Off/2, f.Expected, f.Found))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}

// TestRowsOfARecord: rows may end the check of a record, speak once for a record or a table, at the record, or with the
// other severity of the rule. They are evaluated in the order of the rule table.
func TestRowsOfARecord(t *testing.T) {
	type three struct{ A, B, C uint8 }
	rules := []diag.Rule{{ID: "T2", Severity: diag.Warning, Also: []diag.Severity{diag.Info}}, {ID: "T1", Severity: diag.Error},
		{ID: "T3", Severity: diag.Error}}
	set := diag.NewRuleSet(rules)
	record := wire.NewRecord("three",
		wire.Magic[three]("M").Match("T3"),
		wire.Uint("a", func(v *three) *uint8 { return &v.A }, "").Must("T1", wire.Is(0), diag.Dec).
			Must("T2", wire.AtMost(1), diag.Dec).Milder(),
		wire.Uint("b", func(v *three) *uint8 { return &v.B }, "").Must("T1", wire.Is(0), diag.Dec).Once().AtRecord(),
		wire.Uint("c", func(v *three) *uint8 { return &v.C }, "").Must("T3", wire.Is(0), diag.Dec).OnceInTable(),
		wire.Unread[three]("lost", 1, "").Must("other", wire.Is(9), diag.Dec))
	rows := record.Of(set, rules)
	check := func(r *diag.Reporter, text string, table ...three) string {
		b := record.Append(nil, table...)
		if text != "" {
			copy(b, text)
		}
		rows.CheckTable(r, wire.LE(b), func(i int, field string) diag.Place {
			return record.At(0, diag.Path{Table: "t", Index: i, Field: field})
		})
		s := ""
		for _, f := range r.Findings() {
			s += fmt.Sprintf("%s %v %s %s %s; ", f.Rule, f.Severity, f.Path, f.Expected, f.Found)
		}
		return s
	}
	for _, c := range []struct{ got, want string }{
		{check(diag.Collect(set), "", three{}, three{}), ""},
		{check(diag.Collect(set), "", three{A: 2, B: 2}), "T2 info t[0].a <= 1 2; T1 error t[0].a 0 2; "},
		{check(diag.Collect(set), "", three{B: 2, C: 3}, three{C: 4}), "T1 error t[0] 0 2; T3 error t[0].c 0 3; "},
		{check(diag.Collect(set), "X", three{C: 3}), `T3 error t[0].magic "M" "X"; `},
	} {
		if c.got != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
	r := diag.Strict(set)
	if check(r, "", three{A: 2}); r.Err("x") == nil || r.Err("x").(*diag.ParseError).Finding.Rule != "T1" {
		t.Errorf("strict: %v", r.Err("x"))
	}
}
