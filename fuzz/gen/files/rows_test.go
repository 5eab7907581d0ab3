package files_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestRulesAreRows counts the rules that are rows of record tables, and logs how many each format has.
func TestRulesAreRows(t *testing.T) {
	var rows, rules int
	for _, c := range []struct {
		format  string
		rules   []diag.Rule
		records []wire.Documented
		least   int // rows
	}{
		{"shbin", shbin.Rules, shbin.Records, 50},
		{"dvoj", dvoj.Rules, slices.Concat(dvoj.Records, shbin.Records), 18},
		{"csdr", csdr.Rules, nil, 0},
		{"zpsh", zpsh.Rules, zpsh.Records, 0},
		{"cgfx", cgfx.Rules, cgfx.Records, 0},
		{"gsh", gsh.Rules, slices.Concat(gsh.Records, gx2.Records), 0},
		{"sharcfb", sharcfb.Rules, slices.Concat(sharcfb.Records, gx2.Records), 0},
		{"bnsh", bnsh.Rules, bnsh.Records, 0},
	} {
		set := diag.NewRuleSet(c.rules)
		if c.format == "dvoj" {
			set.Alias("DVLE0", "DVOJ1")
		}
		n := len(gen.AliasedFieldRules(c.rules, set, c.records...).IDs())
		t.Logf("%s: %d of %d rules are rows", c.format, n, len(c.rules))
		if n < c.least {
			t.Errorf("%s: %d rules are rows, want at least %d", c.format, n, c.least)
		}
		rows, rules = rows+n, rules+len(c.rules)
	}
	t.Logf("%d of %d rules are rows", rows, rules)
}
