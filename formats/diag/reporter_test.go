package diag_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
)

var rules = []diag.Rule{
	{ID: "X001", Severity: diag.Error, Title: "too small", Kind: diag.ErrLimit},
	{ID: "X002", Severity: diag.Warning, Also: []diag.Severity{diag.Info}, Title: "odd"},
	{ID: "X103", Severity: diag.Error, Title: "bad"},
}

var fields = diag.Struct{
	{Name: "kind", Size: 1},
	{Name: "rest", Size: 3, Kind: diag.OpaqueRegion},
	{Name: "size", Size: 4, Show: func(n uint64) string { return "about " + diag.Dec(n).String() }},
}

var wide = diag.Struct{{Name: "half", Size: 2}, {Name: "long", Size: 8}, {Name: "odd", Size: 3}}

func TestStrictKeepsTheFirstError(t *testing.T) {
	r := diag.Strict(diag.NewRuleSet(rules))
	r.Report("X002", diag.Place{}, diag.Value{}, diag.Value{})
	if r.Failed() || r.Err("x") != nil {
		t.Error("a warning is an error")
	}
	r.Report("X001", fields.At(8, diag.Path{Prefix: "a[1].", Table: "b", Index: 2, Field: "size"}),
		diag.AtLeast(4), diag.Dec(3))
	r.Report("X103", diag.Place{}, diag.Value{}, diag.Value{})
	err := r.Err("x")
	if want := "x: 0x000c: X001 a[1].b[2].size: too small (expected >= 4, found 3)"; err == nil ||
		err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if !r.Failed() || !errors.Is(err, diag.ErrLimit) {
		t.Errorf("got %v, want ErrLimit", err)
	}
}

func TestCollectKeepsAHundred(t *testing.T) {
	r := diag.Collect(diag.NewRuleSet(rules))
	for i := range 2*diag.MaxPerRule + 5 {
		r.ReportAs(diag.Info, "X002", diag.Place{Off: uint64(i), Len: 1, Path: diag.Path{Field: "f"}},
			diag.Value{}, diag.Hex(uint64(i)))
	}
	r.Report("X103", diag.Place{}, diag.Value{}, diag.Value{},
		diag.Place{Off: 1, Len: 2, Path: diag.Path{Prefix: "p."}})
	got := r.Findings()
	if len(got) != diag.MaxPerRule+1 || !r.Failed() {
		t.Fatalf("got %d findings, failed %v", len(got), r.Failed())
	}
	want := diag.Finding{Rule: "X002", Severity: diag.Info, Off: 99, Len: 1, Path: "f", Msg: "odd",
		Found: "0x63", More: 105}
	if diff := cmp.Diff(want, got[99]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	want = diag.Finding{Rule: "X103", Severity: diag.Error, Msg: "bad",
		Related: []diag.Related{{Off: 1, Len: 2, Path: "p"}}}
	if diff := cmp.Diff(want, got[100]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDone: a strict walk ends at an error, a check never.
func TestDone(t *testing.T) {
	for _, r := range []*diag.Reporter{diag.Strict(diag.NewRuleSet(rules)), diag.Collect(diag.NewRuleSet(rules))} {
		for _, id := range []string{"X002", "X001"} {
			r.Report(id, diag.Place{}, diag.Value{}, diag.Value{})
			if got, want := r.Done(), r.Strict() && id == "X001"; got != want {
				t.Errorf("strict %v, after %s: done is %v", r.Strict(), id, got)
			}
		}
	}
}

func TestAlias(t *testing.T) {
	r := diag.Collect(diag.NewRuleSet(rules).Alias("Y0", "X1"))
	r.Report("Y003", diag.Place{}, diag.Value{}, diag.Value{})
	if got := r.Findings()[0].Rule; got != "X103" {
		t.Errorf("got %s, want X103", got)
	}
}

func TestPath(t *testing.T) {
	for want, p := range map[string]diag.Path{
		"dvle[1].outputs[3].mask": {Prefix: "dvle[1].", Table: "outputs", Index: 3, Field: "mask"},
		"dvle[1].outputs[3]":      {Prefix: "dvle[1].", Table: "outputs", Index: 3},
		"dvle[1].entry":           {Prefix: "dvle[1].", Field: "entry"},
		"dvle[1]":                 {Prefix: "dvle[1]."},
		"":                        {},
		"a.b[2].c":                diag.Path{Prefix: "a.", Field: "b"}.Entry(2).In("c"),
	} {
		if got := p.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestValue(t *testing.T) {
	for want, v := range map[string]diag.Value{
		"":                 {},
		"7":                diag.Dec(7),
		"0x1f":             diag.Hex(31),
		"< 7":              diag.Below(7),
		"<= 7":             diag.AtMost(7),
		">= 7":             diag.AtLeast(7),
		"a name":           diag.Text("a name"),
		`""`:               diag.Quoted([]byte{}),
		`"a\n\u00e9"`:      diag.Quoted([]byte("a\n\u00e9")),
		"61 00 c3 a9":      diag.Quoted([]byte("a\x00\u00e9")),
		`"a end" 00 01`:    diag.Quoted([]byte("a end\x00\x01")),
		"61 ff":            diag.Quoted([]byte("a\xff")),
		"n is 7":           {N: 7, Show: func(n uint64) string { return "n is " + diag.Dec(n).String() }},
		"end <= 0x7 of it": {Format: "end <= 0x%x of it", N: 7},
	} {
		if got := v.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := diag.Quote(make([]byte, 65)); len(got) != 64*3-1+3 {
		t.Errorf("a long name is printed as %s", got)
	}
}

func TestStruct(t *testing.T) {
	b := []byte{0xFF, 7, 1, 2, 3, 0, 1, 0, 0}
	got := fields.AppendRegions(nil, b, 1, binary.LittleEndian, "t[0].")
	want := []diag.Region{
		{Off: 1, Len: 1, Path: "t[0].kind", Value: "7"},
		{Off: 2, Len: 3, Kind: diag.OpaqueRegion, Path: "t[0].rest", Value: "010203"},
		{Off: 5, Len: 4, Path: "t[0].size", Value: "about 256"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	regions := wide.AppendRegions(nil, []byte{1, 2, 1, 0, 0, 0, 0, 0, 0, 1, 9, 8, 7}, 0, binary.BigEndian, "")
	if got := []string{regions[0].Value, regions[1].Value, regions[2].Value}; !slices.Equal(got,
		[]string{"258", "72057594037927937", "090807"}) {
		t.Errorf("got %q", got)
	}
	if fields.Size() != 8 {
		t.Errorf("size is %d", fields.Size())
	}
	if at := fields.At(16, diag.Path{Table: "t"}); at.Off != 16 || at.Len != 8 {
		t.Errorf("the whole is at %+v", at)
	}
}

// TestCount counts findings of a rule after its last kept one.
func TestCount(t *testing.T) {
	r := diag.Collect(diag.NewRuleSet(rules))
	for n := 0; !r.Full("X001"); n++ {
		r.Count("X001", 1000) // not yet
		r.Report("X001", diag.Place{}, diag.Dec(1), diag.Dec(0))
		if n > diag.MaxPerRule {
			t.Fatal("never full")
		}
	}
	r.Count("X001", 7)
	r.Report("X001", diag.Place{}, diag.Dec(1), diag.Dec(0))
	list := r.Findings()
	if got := list[len(list)-1].More; len(list) != diag.MaxPerRule || got != 8 {
		t.Errorf("got %d findings and %d more, want %d and 8", len(list), got, diag.MaxPerRule)
	}
	if diag.Strict(diag.NewRuleSet(rules)).Full("X001") {
		t.Error("a strict reporter is full")
	}
}
