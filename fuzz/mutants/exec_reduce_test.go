package mutants_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/picaproof/picaproof/fuzz/campaign"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// maxWords is how long the reduced program of a mutant may be, END included.
// Groups that are not listed have no limit.
var maxWords = map[string]int{"arithmetic": 2, "rounding": 2, "control flow": 8}

// maxRingWords is the same for faults in the depth of a stack, whose names ring
// matches.
const maxRingWords = 12

var ring = regexp.MustCompile(`-stack-|returns-at-once|-return-is-`)

// listing is the program of a job, a line a word.
func listing(job *pica.Job) (text string) {
	for line := range asm.Lines(&pica.Shader{Program: job.Program}) {
		text += fmt.Sprintf("\n\t%2d  %s", line.PC, line.Text)
	}
	return text
}

// TestExecutorsAreReduced reduces the first job that shows each mutant; every
// eighth in short mode.
func TestExecutorsAreReduced(t *testing.T) {
	var times []time.Duration
	for i, m := range mutants.Executors() {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			job, _ := hunt(t, &m, profilesOf(&m)[0])
			if job == nil {
				t.Fatal("no job shows it")
			}
			limit, limited := maxWords[m.Group]
			if ring.MatchString(m.Name) {
				limit = maxRingWords
			}
			start := time.Now()
			r, err := reduce.Job(t.Context(), job, campaign.Difference(oracle.New, m.New), reduce.Options{})
			if err != nil {
				t.Fatal(err)
			}
			times = append(times, time.Since(start))
			t.Logf("%d to %d words, %d tries, %v", len(job.Code), len(r.Job.Code), r.Tries, times[len(times)-1].Round(time.Millisecond))
			if limited && len(r.Job.Code) > limit {
				t.Errorf("%s: %s: %v at %d words, want %d at most%s", m.Group, r.Key, r.End, len(r.Job.Code), limit, listing(r.Job))
			}
		})
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		t.Logf("%d reductions, median %v, longest %v", n, times[n/2], times[n-1])
		if times[n/2] > 2*time.Second {
			t.Errorf("median of %v, want 2 s", times[n/2])
		}
	}
}
