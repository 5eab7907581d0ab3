package sweep_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/sweep"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/pica/asm"
)

// TestJobs: the programs of each instruction or subject are counted, with their words, descriptors, constants and
// vertices. The shortest program of each subject is recorded.
func TestJobs(t *testing.T) {
	subjects := map[string][]sweep.Job{}
	for _, job := range sweep.Jobs() {
		name, _, _ := strings.Cut(job.Name, ":")
		subjects[name] = append(subjects[name], job)
	}
	var counts, programs strings.Builder
	for _, name := range slices.Sorted(maps.Keys(subjects)) {
		list := subjects[name]
		words, descriptors, constants, vertices := 0, 0, 0, 0
		different := map[string]bool{}
		for _, job := range list {
			words += len(job.Job.Code)
			descriptors += len(job.Job.Descriptors)
			vertices += len(job.Job.Vertices)
			for _, u := range job.Job.Floats {
				constants += len(u.Values)
			}
			for _, word := range job.Job.Code {
				different[asm.Format(word, job.Job.Descriptors)] = true
			}
		}
		fmt.Fprintf(&counts, "%s: %d jobs, %d words, %d descriptors, ", name, len(list), words, descriptors)
		fmt.Fprintf(&counts, "%d constants, %d vertices; %d different instructions\n", constants, vertices, len(different))
		short := slices.MinFunc(list, func(a, b sweep.Job) int { return len(a.Job.Code) - len(b.Job.Code) })
		fmt.Fprintf(&programs, "%s\n", short.Name)
		for _, word := range short.Job.Code {
			fmt.Fprintf(&programs, "\t%s\n", asm.Format(word, short.Job.Descriptors))
		}
	}
	golden.Text(t, "counts.txt", counts.String())
	golden.Text(t, "programs.txt", programs.String())
}
