package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// A run judges mutants of one package and records the outcomes.
type run struct {
	*harness
	record *record
	jobs   int
	only   string              // the suite to run, "" for all
	alive  bool                // only mutants that no test has noticed
	judged func(entry, string) // called with each entry and suite, one at a time

	mu    sync.Mutex        // guards record and hints
	hints map[*unit][]*test // the last killers of a unit's mutants
}

// maxShared bounds the mutants in one build.
const maxShared = 2000

// all judges mutants until the context ends.
func (r *run) all(ctx context.Context, mutants []*mutant) error {
	packages, err := r.testPackages(ctx)
	if err != nil {
		return err
	}
	packages = slices.DeleteFunc(packages, func(p *testPackage) bool { return !r.chosen.packages.MatchString(p.name) })
	// Mutants that are alone in their build come last, because the shared build shows how long the
	// tests take.
	shared, alone := split(mutants)
	for len(shared)+len(alone) > 0 {
		n := min(len(shared), maxShared)
		chunk := slices.Clone(shared[:n])
		if shared = shared[n:]; len(shared) == 0 {
			chunk, alone = append(chunk, alone...), nil
		}
		if err := r.chunk(ctx, chunk, packages); err != nil {
			return err
		}
	}
	return nil
}

func split(mutants []*mutant) (shared, alone []*mutant) {
	for _, m := range mutants {
		if m.alone() {
			alone = append(alone, m)
		} else {
			shared = append(shared, m)
		}
	}
	return shared, alone
}

// chunk judges mutants, with one build for all that can share it. Package by package, the
// tests run on the mutants that have survived so far: a package whose turn never comes is
// never built.
func (r *run) chunk(ctx context.Context, mutants []*mutant, packages []*testPackage) error {
	units := map[*unit]int{}
	for i, m := range mutants {
		m.number = i + 1
		if _, known := units[m.unit]; !known {
			units[m.unit] = len(units)
		}
	}
	shared, alone := split(mutants)
	common, err := r.newBuild("shared", r.source.rewrite(shared, units))
	if err != nil {
		return err
	}
	defer os.RemoveAll(common.dir)
	builds := map[*mutant]*build{}
	for _, m := range shared {
		builds[m] = common
	}
	for _, m := range alone {
		if builds[m], err = r.newBuild(fmt.Sprintf("alone%d", m.number), r.source.rewriteAlone(m)); err != nil {
			return err
		}
		defer os.RemoveAll(builds[m].dir)
	}
	r.hints = map[*unit][]*test{}
	for rank, suite := range suites {
		left := slices.DeleteFunc(slices.Clone(mutants), func(m *mutant) bool { return !r.pending(m, suite.name) })
		for _, p := range packages {
			if p.rank != rank || len(left) == 0 {
				continue
			}
			r.log("%d mutants left, tests of %s", len(left), p.name)
			tests, err := common.tests(ctx, p)
			if err != nil {
				return err
			}
			if left, err = r.against(ctx, left, builds, p, tests, units); err != nil {
				return err
			}
		}
		if r.chosen.some() {
			continue // other tests of the suite may notice
		}
		for _, m := range left {
			if err := r.write(m, suite.name, nobody, survived); err != nil {
				return err
			}
		}
	}
	return nil
}

// against returns the mutants that survive the tests of a package.
func (r *run) against(ctx context.Context, mutants []*mutant, builds map[*mutant]*build, p *testPackage, tests []*test,
	units map[*unit]int) ([]*mutant, error) {
	dead := make([]bool, len(mutants))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.jobs)
	for i, m := range mutants {
		group.Go(func() (err error) {
			dead[i], err = r.judge(ctx, builds[m], m, p, r.batches(m, units[m.unit], tests))
			return err
		})
	}
	err := group.Wait()
	var left []*mutant
	for i, m := range mutants {
		if !dead[i] {
			left = append(left, m)
		}
	}
	return left, err
}

// pending reports whether a suite has to judge a mutant. The whole suite judges a mutant that
// the generated suite has noticed only if it is asked for.
func (r *run) pending(m *mutant, suite string) bool {
	if r.only != "" && r.only != suite {
		return false
	}
	e, known := r.record.of(m)
	if !known {
		return true
	}
	if r.alive {
		return e.Outcome == survived
	}
	noticed := suite == wholeSuite && r.only == "" && e.dead(generatedSuite)
	return *e.killer(suite) == "" && e.Outcome != equivalent && !noticed
}

// judge runs batches of tests until one fails, and records the failure.
func (r *run) judge(ctx context.Context, b *build, m *mutant, p *testPackage, batches [][]*test) (bool, error) {
	defer b.forget(p, m.alone())
	for _, batch := range batches {
		v, err := b.execute(ctx, batch, fmt.Sprintf("%s=%d", activeVariable, m.number), limit(batch))
		if err != nil {
			return false, err
		}
		if !v.killed {
			continue
		}
		r.remember(m.unit, batch, v.test)
		how := killed
		if v.timeout {
			how = timeout
		}
		return true, r.write(m, suites[p.rank].name, p.name+"."+v.test, how)
	}
	return false, nil
}

// limit is the processor time after which tests count as hanging.
func limit(batch []*test) time.Duration {
	sum := 3 * time.Second
	for _, t := range batch {
		sum += 10 * t.time
	}
	return sum
}

// maxHints is the number of killers of a unit that are tried first.
const maxHints = 4

func (r *run) remember(u *unit, batch []*test, name string) {
	i := slices.IndexFunc(batch, func(t *test) bool { return t.name == name })
	if i < 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	hints := slices.DeleteFunc(r.hints[u], func(t *test) bool { return t == batch[i] })
	hints = slices.Insert(hints, 0, batch[i])
	r.hints[u] = hints[:min(len(hints), maxHints)]
}

// batches returns the tests that reach a mutant, in processes to run: tests that killed its
// neighbours first, then by time. Nothing is known about the tests that reach a constant.
func (r *run) batches(m *mutant, unit int, tests []*test) [][]*test {
	r.mu.Lock()
	hints := slices.Clone(r.hints[m.unit])
	r.mu.Unlock()
	var all [][]*test
	for _, t := range hints {
		if slices.Contains(tests, t) {
			all = append(all, []*test{t})
		}
	}
	byTime := map[int][]*test{} // by powers of four
	for _, t := range tests {
		if slices.Contains(hints, t) || !m.alone() && !t.units[unit] {
			continue
		}
		bucket := 0
		for t.time > 50*time.Millisecond<<(2*bucket) {
			bucket++
		}
		byTime[bucket] = append(byTime[bucket], t)
	}
	for _, bucket := range slices.SortedFunc(maps.Keys(byTime), cmp.Compare[int]) {
		all = append(all, byTime[bucket])
	}
	return all
}

// write records the verdict of a suite on a mutant. A survivor has the reason for an older mutant
// of its place, for whoever checks it again.
func (r *run) write(m *mutant, suite, killer string, how outcome) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, known := r.record.of(m)
	if !known {
		e = entry{identity: m.identity, Outcome: survived, Reason: e.Reason}
	}
	e.Change = m.Change
	*e.killer(suite) = killer
	if how != survived {
		e.Outcome, e.Reason = how, ""
	}
	if err := r.record.add(e); err != nil {
		return err
	}
	r.judged(e, suite)
	return nil
}

// workDir returns the directory of builds, outside the module.
func workDir() (string, error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}
