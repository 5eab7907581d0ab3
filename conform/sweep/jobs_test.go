package sweep_test

import (
	"encoding/json"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/sweep"
	"github.com/picaproof/picaproof/internal/golden"
)

// TestJobs: the programs are recorded, those of each instruction or subject together.
func TestJobs(t *testing.T) {
	sums := map[string]uint64{}
	for _, job := range sweep.Jobs() {
		subject, _, _ := strings.Cut(job.Name, ":")
		text, err := json.Marshal(job.Job)
		if err != nil {
			t.Fatal(err)
		}
		h := fnv.New64a()
		h.Write([]byte(job.Name))
		h.Write(text)
		sums[subject] = sums[subject]*31 + h.Sum64()
	}
	golden.Hash(t, "number-of-subjects", uint64(len(sums)))
	for subject, sum := range sums {
		golden.Hash(t, strings.ReplaceAll(subject, " ", "-"), sum)
	}
}
