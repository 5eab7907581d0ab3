package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// Leaks names the causes of the state that a core keeps from one request to the next.
func Leaks(ctx context.Context, core adapter.Core) (names []string) {
	s := &session{core: core}
	s.findLeaks(ctx)
	for _, l := range oneCache(s.leaks) {
		names = append(names, l.deviation(s).Bucket)
	}
	return names
}

// ProvenanceOf exports the provenance of a prediction that an answer contradicts.
var ProvenanceOf = provenanceOf

// Repeats reports whether a program that failed before, with an outcome, fails again.
func Repeats(ctx context.Context, core adapter.Core, job *pica.Job, outcome string) bool {
	s := &session{core: core, model: job.Profile}
	return (&finding{outcome: outcome, job: job}).repeat(s.newJudge(ctx))
}

// HangsOnConsole reports whether the console never ends a job.
func HangsOnConsole(job *pica.Job) bool { return new(judge).hangsOnConsole(job) }

// Assembled exports the jobs of probes.
var Assembled = assembled

// FaultsOfEnded returns the number of faults that a run keeps which had proved some causes, and then ended.
func FaultsOfEnded(proved []proof.Cause) int {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := &session{proved: proved}
	s.prove(ctx, nil, true)
	return len(s.faults)
}

// Shows reports whether a proved cause is an entry, if others were proved before it.
func Shows(ctx context.Context, core adapter.Core, p pica.Profile, cause proof.Cause, before ...proof.Cause) bool {
	s := &session{core: core, model: p, proved: append(before, cause)}
	s.faults = hypotheses(s.proved)
	_, ok := s.provedDeviation(ctx, len(before), &p)
	return ok
}

// Wears reports whether a core ends after many programs.
func Wears(ctx context.Context, core adapter.Core) bool {
	list, _ := (&session{core: core}).wear(ctx)
	return len(list) > 0
}

// FlakyBeside returns the names of what a run keeps that finds a flaky job, and then a random one.
func FlakyBeside(flaky, random *pica.Job) string {
	s := &session{model: random.Profile}
	w := s.newWatcher()
	ops := telling(w.uses(random))
	s.record(&bucket{finding: changing(flaky)})
	s.record(&bucket{finding: &finding{outcome: Differ, subject: ops.String() + ": random", job: random, random: "2 answers",
		trigger: trigger{all: ops}}})
	s.settleFlaky(w)
	var names []string
	for _, c := range s.causes {
		names = append(names, c.Key)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
