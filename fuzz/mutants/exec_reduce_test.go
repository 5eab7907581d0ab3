package mutants_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// maxWords is the largest length of the reduced program of a mutant, END included, by
// group. Other groups have no limit.
var maxWords = map[string]int{"arithmetic": 2, "rounding": 2, "control flow": 8}

// maxRingWords is the same for faults in the depth of a stack; ring matches their names.
const maxRingWords = 12

// maxTries bounds the candidates that a reduction judges.
const maxTries = 3000

var ring = regexp.MustCompile(`-stack-|returns-at-once|-return-is-`)

// listing is the program of a job, one word a line.
func listing(job *pica.Job) (text string) {
	for line := range asm.Lines(&pica.Shader{Program: job.Program}) {
		text += fmt.Sprintf("\n\t%2d  %s", line.PC, line.Text)
	}
	return text
}

// TestExecutorsAreReduced reduces the first job that shows a mutant.
func TestExecutorsAreReduced(t *testing.T) {
	for _, m := range long.Items(t, mutants.Executors(), long.Few(60, 12)) {
		t.Run(m.Name, func(t *testing.T) {
			job, _ := firstKill(t, &m, profilesOf(&m)[0])
			if job == nil {
				t.Fatal("no job shows it")
			}
			limit, limited := maxWords[m.Group]
			if ring.MatchString(m.Name) {
				limit = maxRingWords
			}
			r, err := reduce.Job(t.Context(), job, hunt.Engines{Want: impl.New, Got: m.New}.Keys(), reduce.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d to %d words, %d tries", len(job.Code), len(r.Job.Code), r.Tries)
			if r.Tries > maxTries {
				t.Errorf("%d tries, want %d at most", r.Tries, maxTries)
			}
			if limited && len(r.Job.Code) > limit {
				t.Errorf("%s: %s: %v at %d words, want %d at most%s", m.Group, r.Key, r.End, len(r.Job.Code),
					limit, listing(r.Job))
			}
		})
	}
}
