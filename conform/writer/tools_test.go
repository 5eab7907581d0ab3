package writer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
)

// text returns the sources of a program as one text.
func text(t *source.Text) string { return strings.Join(t.Files, "\n") }

// refusing is an assembler that refuses the sources for which refuse returns a message.
func refusing(refuse func(text string) string) writer.Func {
	return func(t *source.Text) ([]byte, error) {
		if message := refuse(text(t)); message != "" {
			return nil, errors.New(message)
		}
		return (&planted{}).assemble(t)
	}
}

// verdict is what a run says about a tool besides the known defects of the dialect's own assembler.
type verdict struct {
	name     string
	tool     writer.Tool
	untested []string // in their order
	causes   []string // sorted
}

// verdicts are tools that are judged in a few programs.
var verdicts = []verdict{
	{name: "right", tool: writer.Func((&planted{}).assemble)},
	{name: "one form missing", tool: refusing(func(text string) string {
		if strings.Contains(text, ".gsh") {
			return "unknown directive"
		}
		return ""
	}), causes: []string{"refuses valid: refused: unknown directive"},
		untested: []string{"known defect: 4097 words", "known defect: setemit flag without a comma",
			"known defect: unknown setemit flag", "known defect: variable mode of no vertices",
			"known defect: fixed mode of no vertices", "geometry mode twice", "geometry after an output",
			"geometry uniforms in a temporary", "fixed mode that overlaps its uniforms",
			"variable mode of 256 vertices", "geometry after a constant", "unknown geometry mode"}},
}

// TestVerdicts: the causes of a tool, and what was not tested, by name.
func TestVerdicts(t *testing.T) {
	for _, x := range verdicts {
		r, err := writer.Run(t.Context(), x.tool, writer.Options{Seed: 1, Cases: 60, Tries: 100})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		var causes, untested []string
		for _, d := range r.Deviations {
			if !strings.HasPrefix(d.Bucket, "known defect: ") {
				causes = append(causes, string(d.Verdict)+": "+d.Bucket)
			}
		}
		for _, u := range r.NotTested {
			untested = append(untested, u.Name)
		}
		slices.Sort(causes)
		if !slices.Equal(causes, x.causes) {
			t.Errorf("%s: causes: got %q, want %q", x.name, causes, x.causes)
		}
		if !slices.Equal(untested, x.untested) {
			t.Errorf("%s: not tested: got %d %q, want %q", x.name, len(untested), untested, x.untested)
		}
	}
}
