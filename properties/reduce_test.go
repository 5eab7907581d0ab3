package properties_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// reductions draws options: two for whole reductions, which must agree, and one
// for a reduction that is stopped.
func reductions(c *gen.Choices) [3]reduce.Options {
	return [...]reduce.Options{{Workers: 1}, {Workers: 2 + c.Below(3)},
		{Workers: 1 + c.Below(2), MaxTries: 1 + c.Below(100)}}
}

// against judges jobs by the difference between a mutant and the oracle.
func against(m *mutants.Mutant) reduce.Jobs {
	return reduce.Jobs{NewKey: func() reduce.Key {
		pair := compare.Pair{Want: impl.New(), Got: m.New()}
		return func(job *pica.Job) string {
			if at, found, err := pair.Find(job); err == nil && found {
				return at.Key()
			}
			return ""
		}
	}}
}

// TestReducedJobsKeepTheirKey: the key of a job does not change, the program does not grow,
// the given job does not change, and any number of workers gives the same result.
func TestReducedJobsKeepTheirKey(t *testing.T) {
	zoo := mutants.Executors()
	reduced, drawn := 0, 0
	salted(t, 300, jobs, func(c *gen.Choices, job *pica.Job) error {
		drawn++
		how := against(&zoo[c.Below(len(zoo))])
		key := how.NewKey()
		want := key(job)
		if want == "" {
			return nil
		}
		reduced++
		var texts [3]string
		before := reduce.Clone(job)
		for k, opts := range reductions(c) {
			r, err := reduce.Job(t.Context(), job, how, opts)
			if err != nil {
				return failure(job, "%v", err)
			}
			if got := key(r.Job); got != want || r.Key != want || len(r.Job.Code) > len(job.Code) {
				return failure(job, "%s in %d words became %s in %d", want, len(job.Code), got, len(r.Job.Code))
			}
			text, err := json.Marshal(r.Job)
			if err != nil {
				return failure(job, "%v", err)
			}
			texts[k] = string(text)
		}
		if texts[0] != texts[1] {
			return failure(before, "two results:\n%s\n%s", texts[0], texts[1])
		}
		if !slices.Equal(before.Code, job.Code) {
			return failure(before, "the job changed")
		}
		return nil
	})
	if reduced < drawn/30 {
		t.Errorf("only %d of %d jobs were reduced", reduced, drawn)
	}
}

// TestReducedFilesKeepTheirRules: the rules that a file breaks do not change.
func TestReducedFilesKeepTheirRules(t *testing.T) {
	const long = 256 // bytes; larger files take long
	ofFiles(t, 30, func(format registry.Format, b []byte) error {
		rules := func(b []byte) string {
			var ids []string
			for _, f := range format.Check(b) {
				ids = append(ids, f.Rule)
			}
			slices.Sort(ids)
			return strings.Join(slices.Compact(ids), " ")
		}
		want := rules(b)
		if len(b) > long || want == "" {
			return nil
		}
		same := func() reduce.Interesting { return func(b []byte) bool { return rules(b) == want } }
		var results [3][]byte
		for k, opts := range reductions(gen.From(gen.Seed(uint64(len(b)), 0))) {
			r, err := reduce.File(t.Context(), b, same, opts)
			if err != nil {
				return err
			}
			if got := rules(r.Data); got != want || len(r.Data) > len(b) {
				return fmt.Errorf("%s in %d bytes became %s in %d", want, len(b), got, len(r.Data))
			}
			results[k] = r.Data
		}
		if !bytes.Equal(results[0], results[1]) {
			return fmt.Errorf("two results:\n%x\n%x\nof %x", results[0], results[1], b)
		}
		return nil
	})
}
