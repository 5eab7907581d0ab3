package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// losses names what the texts of samples do not carry. All other samples of one entry point come back as they are.
var losses = map[string]string{
	"aemstro/a01_two_dvle.shbin 0":          "version, output mask, labels, flags of operand descriptors",
	"aemstro/a01_two_dvle.shbin 1":          "version, output mask, labels, flags of operand descriptors",
	"dvlb-synthetic/x01_all_tables.shbin 0": "version, order of constants, labels, version of the program, flags of operand descriptors",
	"dvlb-synthetic/x02_line_table.shbin 0": "version, order of constants, labels, version of the program, flags of operand descriptors, source lines",
	"nihstro/n01_minimal.shbin 0":           "version, end word, output mask, labels",
	"nihstro/n02_arith.shbin 0":             "version, end word, input mask, output mask, labels",
	"nihstro/n03_flow.shbin 0":              "version, end word, output mask, labels, order of symbols",
	"nihstro/n04_constants.shbin 0":         "version, end word, output mask, labels",
	"nihstro/n05_uniforms.shbin 0":          "version, end word, input mask, output mask, labels",
	"nihstro/n07_geometry.shbin 0":          "version, end word, output mask, labels",
	"picasso/p05_constants.shbin 0":         "order of constants",
	"picasso/p12_merge.shbin 1":             "merge flag",
}

// TestTextLoss disassembles and assembles every SHBIN of the corpus that is accepted.
func TestTextLoss(t *testing.T) {
	whole := 0
	for _, name := range samples.Glob(t, "*/*.shbin") {
		f, err := shbin.Parse(samples.Read(t, name))
		if err != nil {
			continue
		}
		for i, s := range f.Shaders() {
			if reached := lint.NewGraph(&s).Reached(); len(f.DVLEs) > 1 && reached != nil {
				s = asm.NewPart(&s, reached).Shader
			}
			var text strings.Builder
			if err := asm.Disassemble(&text, &s, asm.Options{}); err != nil {
				t.Fatal(err)
			}
			loss, err := diff.TextLoss(f, i, text.String())
			if err != nil {
				t.Errorf("%s: entry point %d: %v", name, i, err)
				continue
			}
			if got := strings.Join(loss, ", "); got != losses[fmt.Sprint(name, " ", i)] {
				t.Errorf("\t\"%s %d\": %q,", name, i, got)
			}
			if len(loss) == 0 && len(f.DVLEs) == 1 {
				whole++
			}
		}
	}
	if whole < 18 {
		t.Errorf("%d files come back as they are, want 18 or more", whole)
	}
}
