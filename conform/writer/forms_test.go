package writer_test

import (
	"context"
	"errors"
	"regexp"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
)

// TestOldAssembler: an assembler that does not know some forms of its dialect mostly gets
// programs without them, once they are found out.
func TestOldAssembler(t *testing.T) {
	unknown := regexp.MustCompile(`(?mi)^\s*\.gsh (fixed|particle|variable|subdivision|point)|view|a0\.x|^\s*\.nodvle`)
	tool := writer.Func(func(t *source.Text) ([]byte, error) {
		for _, f := range t.Files {
			if unknown.MatchString(f) {
				return nil, errors.New("in:1: syntax error")
			}
		}
		return (&planted{}).assemble(t)
	})
	r, err := writer.Run(context.Background(), tool, writer.Options{Seed: 1, Cases: cases(800), Tries: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Suites {
		if s.Name != "programs" {
			continue
		}
		t.Logf("%d of %d as expected, %d differ", s.Equal, s.Run, s.Differ)
		if s.Differ > 50 || s.Run < int(cases(780)) {
			t.Errorf("%d of %d differ", s.Differ, s.Run)
		}
	}
	if title := r.Tables[0].Title; title != "Forms that no accepted source has" {
		t.Errorf("the first table is %q", title)
	}
	const names = `^(index a0\.x|mova to a0\.xy?|view|\.nodvle|gsh (fixed|particle|variable|subdivision|point))$`
	for _, row := range r.Tables[0].Rows {
		if !regexp.MustCompile(names).MatchString(row[0]) {
			t.Errorf("%s is blamed, which the assembler knows", row[0])
		}
	}
	t.Log(r.Tables[0])
}
