package diag_test

import (
	"encoding"
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
)

// TestNames: the values of an enumeration have these names, in JSON too; a larger value shows its number.
func TestNames(t *testing.T) {
	type named interface {
		fmt.Stringer
		encoding.TextMarshaler
	}
	for _, c := range []struct {
		value func(n int) named
		names []string
	}{
		{func(n int) named { return diag.Severity(n) }, []string{"info", "warning", "error", "Severity(3)"}},
		{func(n int) named { return diag.SourceClass(n) },
			[]string{"hardware", "implementation", "document", "guess", "SourceClass(4)"}},
		{func(n int) named { return diag.ReaderClass(n) },
			[]string{"either", "must refuse", "must accept", "ReaderClass(3)"}},
		{func(n int) named { return diag.RegionKind(n) }, []string{"field", "opaque", "padding", "gap"}},
	} {
		for n, want := range c.names {
			v := c.value(n)
			if text, err := v.MarshalText(); err != nil || string(text) != want || v.String() != want {
				t.Errorf("%T %d: got %v, in JSON %q, %v, want %s", v, n, v, text, err, want)
			}
		}
	}
}

// TestRuleClasses: an error obliges readers as its rule says, a warning and information do not.
func TestRuleClasses(t *testing.T) {
	r := diag.Rule{Severity: diag.Error, Also: []diag.Severity{diag.Warning, diag.Info}, Reader: diag.MustRefuse}
	if got := r.Severities(); got != "E/W/I" {
		t.Errorf("got %s, want E/W/I", got)
	}
	got := []diag.ReaderClass{r.Readers(diag.Error), r.Readers(diag.Warning), r.Readers(diag.Info)}
	if want := []diag.ReaderClass{diag.MustRefuse, diag.Either, diag.MustAccept}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestSelect(t *testing.T) {
	list := diag.Select(rules, "X0")
	if len(list) != 2 || list[0].ID != "X001" || list[1].ID != "X002" || diag.Select(rules, "X0011") != nil {
		t.Errorf("got %v", list)
	}
}

// TestFindingText: expected and found are shown as far as they are known.
func TestFindingText(t *testing.T) {
	for want, f := range map[string]diag.Finding{
		"m":                       {Msg: "m"},
		"m (expected a)":          {Msg: "m", Expected: "a"},
		"m (found b)":             {Msg: "m", Found: "b"},
		"m (expected a, found b)": {Msg: "m", Expected: "a", Found: "b"},
	} {
		if got := f.Text(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
