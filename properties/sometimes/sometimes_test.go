// Package sometimes_test serves this module: it holds a campaign of fixed size to the list in
// testdata/reached.txt of what it has to reach. Coverage that is lost makes no other test fail: fewer programs
// are generated, and all that remain pass.
package sometimes_test

//go:generate go test -run ^TestSometimes$ -update .

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/lint"
)

var update = flag.Bool("update", false, "add what is reached and not yet listed")

const (
	seed = 1
	// often is the number of cases that reach a thing that the list may demand. What fewer reach may be lost by
	// chance when a generator changes.
	often = 8
)

// counts counts the cases that reach each thing, by the subject that it belongs to: an opcode, a knob, a format.
type counts map[string]map[string]int

func (c counts) add(subject, thing string) {
	if c[subject] == nil {
		c[subject] = map[string]int{}
	}
	c[subject][thing]++
}

// section is a part of the list.
type section struct {
	title string
	// all yields what there is.
	all iter.Seq2[string, string]
	// run runs the campaign until it is done.
	run func(t *testing.T, c *campaign)
}

var sections = []section{
	{"coverpoints", allPoints, coverpoints},
	{"traps", allTraps, traps},
	{"knob values told apart", allKnobs, knobs},
	{"rules of files fired", allRules, func(t *testing.T, c *campaign) { rules(c, false) }},
	{"rules of files nearly fired", allRules, func(t *testing.T, c *campaign) { rules(c, true) }},
	{"rules of programs fired", allLints, lints},
}

// campaign is a campaign for one section. It ends when all that is listed is reached, or with -update when its
// cases are used up.
type campaign struct {
	mu   sync.Mutex
	got  counts
	want counts // what is listed and not yet reached
}

func (c *campaign) reach(subject, thing string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.got.add(subject, thing)
	if delete(c.want[subject], thing); len(c.want[subject]) == 0 {
		delete(c.want, subject)
	}
}

// needs reports whether a further case that reaches a thing matters.
func (c *campaign) needs(subject, thing string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *update && c.got[subject][thing] < often || c.want[subject][thing] > 0
}

func (c *campaign) done() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !*update && len(c.want) == 0
}

// judge judges a job that it may change.
type judge func(job *pica.Job) error

// jobs judges jobs of every mode, as many as its weight says times n. Each worker has its own judge.
func (c *campaign) jobs(t *testing.T, n int, worker func() judge) {
	t.Helper()
	type crew struct {
		gen.Generator
		judge
	}
	weights := []struct {
		mode gen.Mode
		of   int
	}{{gen.Alu, 8}, {gen.Flow, 3}, {gen.Mixed, 3}, {gen.Geometry, 3}, {gen.Words, 1}}
	total := 0
	for _, w := range weights {
		total += w.of
	}
	var next atomic.Int64
	if err := pool.Run(t.Context(), 0, func() (*crew, error) { return &crew{judge: worker()}, nil },
		func(ctx context.Context, w *crew) (more bool, err error) {
			i := int(next.Add(1)) - 1
			if i >= n*total || c.done() || ctx.Err() != nil {
				return false, ctx.Err()
			}
			at, mode := i%total, gen.Mode("")
			for _, weight := range weights {
				if mode = weight.mode; at < weight.of {
					break
				}
				at -= weight.of
			}
			if err := w.judge(w.Job(gen.Seed(seed, uint64(i)), mode)); err != nil {
				return false, fmt.Errorf("%s, seed %d, job %d: %w", mode, seed, i, err)
			}
			return true, nil
		}); err != nil {
		t.Fatal(err)
	}
}

func allPoints(yield func(subject, thing string) bool) {
	for _, p := range cover.Points() {
		if subject, thing, _ := strings.Cut(p.Name, "/"); !yield(subject, thing) {
			return
		}
	}
}

// coverpoints reaches points of the instruction set.
func coverpoints(t *testing.T, c *campaign) {
	c.jobs(t, 8000, func() judge {
		r, out, seen := new(cover.Recorder), new(pica.Outcome), [cover.NumPoints]int{}
		engine := impl.Watched(r)
		return func(job *pica.Job) error {
			r.Reached = cover.Set{}
			err := engine.Run(job, out)
			for p := range r.Reached.All() {
				if seen[p]++; seen[p] > often {
					continue
				}
				subject, thing, _ := strings.Cut(p.Info().Name, "/")
				c.reach(subject, thing)
			}
			return err
		}
	})
}

// numeric are the profiles that differ most.
var numeric = []pica.Profile{profile.HW(), profile.F24(), profile.F32()}

func allTraps(yield func(subject, thing string) bool) {
	for _, p := range numeric {
		for cause := range pica.NumCauses {
			if !yield(p.Name, cause.String()) {
				return
			}
		}
	}
}

// traps reaches the ends of runs.
func traps(t *testing.T, c *campaign) {
	c.jobs(t, 8000, func() judge {
		engine, out := impl.New(), new(pica.Outcome)
		return func(job *pica.Job) error {
			for _, p := range numeric {
				job.Profile = p
				if err := engine.Run(job, out); err != nil {
					return err
				}
				for i := range out.Vertices {
					c.reach(p.Name, out.Vertices[i].Trap.Cause.String())
				}
			}
			return nil
		}
	})
}

func allKnobs(yield func(subject, thing string) bool) {
	for d := range fingerprint.Dimensions {
		for _, v := range fingerprint.Dimensions[d].Values {
			if !yield(fingerprint.Dimensions[d].Name, v.Name) {
				return
			}
		}
	}
}

// knobs reaches values of knobs: a job tells a value from the one of a profile by results that a core shows.
func knobs(t *testing.T, c *campaign) {
	type alternative struct {
		base         int
		of           *fingerprint.Dimension
		value, other string
		under        pica.Profile
	}
	var list []alternative
	for d := range fingerprint.Dimensions {
		dim := &fingerprint.Dimensions[d]
		for v := range dim.Values {
			for b, base := range numeric {
				if under, ok := dim.With(base, v); ok && v != dim.Get(&base) {
					list = append(list, alternative{b, dim, dim.Values[v].Name, dim.Values[dim.Get(&base)].Name, under})
				}
			}
		}
	}
	c.jobs(t, 1500, func() judge {
		want, other := make([]*fingerprint.Predictor, len(numeric)), make([]*fingerprint.Predictor, len(list))
		for b := range numeric {
			want[b] = fingerprint.NewPredictor()
		}
		for k := range list {
			other[k] = fingerprint.NewPredictor()
		}
		views := make([]view.View, len(numeric))
		return func(job *pica.Job) error {
			job = view.Portable(job)
			job.Budget = min(job.Budget, fingerprint.Budget)
			for b := range numeric {
				want[b].View(job, &numeric[b], &views[b])
			}
			for k := range list {
				a := &list[k]
				if !c.needs(a.of.Name, a.value) && !c.needs(a.of.Name, a.other) || !a.of.Concerns(job) {
					continue
				}
				var got view.View
				other[k].View(job, &a.under, &got)
				if fingerprint.Tells(job, &views[a.base], &got) {
					c.reach(a.of.Name, a.value)
					c.reach(a.of.Name, a.other)
				}
			}
			return nil
		}
	})
}

func allRules(yield func(subject, thing string) bool) {
	for f := range registry.All() {
		for _, r := range f.Rules {
			if !r.Retired && !yield(f.Name, r.ID) {
				return
			}
		}
	}
}

// rules reaches the rules that files with a fault break or, if near is set, that near misses keep.
func rules(c *campaign, near bool) {
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		for _, fault := range from.Faults() {
			for n := uint64(0); n < often && c.needs(from.Name, fault.Rule); n++ {
				choices := gen.From(gen.Seed(seed, n))
				var b []byte
				if near {
					b = fault.NearMiss(choices)
				} else {
					b, _ = fault.File(choices)
				}
				if broken := slices.ContainsFunc(format.Check(b),
					func(f diag.Finding) bool { return f.Rule == fault.Rule }); broken != near {
					c.reach(from.Name, fault.Rule)
				}
			}
		}
	}
}

func allLints(yield func(subject, thing string) bool) {
	for _, r := range lint.Rules {
		if !yield("generated", r.ID) {
			return
		}
	}
}

// lints reaches the rules that generated programs break.
func lints(t *testing.T, c *campaign) {
	c.jobs(t, 200, func() judge {
		return func(job *pica.Job) error {
			broken := map[string]bool{}
			for _, f := range lint.Check([]pica.Shader{{Program: job.Program, Entry: job.Entry, Stage: job.Stage}}) {
				broken[f.Rule] = true
			}
			for id := range broken {
				c.reach("generated", id)
			}
			return nil
		}
	})
}

// TestSometimes: what the list has is reached, and there is nothing that it does not know. What is new joins the
// list by go generate, which takes nothing away: a person does, with the reason in the commit.
func TestSometimes(t *testing.T) {
	name := filepath.Join("testdata", "reached.txt")
	text, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	demanded, never := parse(string(text))
	for _, s := range sections {
		t.Run(s.title, func(t *testing.T) { s.hold(t, demanded, never) })
	}
	if *update {
		if err := os.WriteFile(name, []byte(format(demanded, never)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// hold runs the campaign of a section and compares it with the list. With -update it adds to the list.
func (s *section) hold(t *testing.T, demanded, never map[string]counts) {
	c := campaign{got: counts{}, want: counts{}}
	for subject, things := range demanded[s.title] {
		c.want[subject] = maps.Clone(things)
	}
	s.run(t, &c)
	for _, subject := range slices.Sorted(maps.Keys(c.want)) {
		for _, thing := range slices.Sorted(maps.Keys(c.want[subject])) {
			t.Errorf("seed %d: lost: %s %s", seed, subject, thing)
		}
	}
	rest := counts{}
	for subject, thing := range s.all {
		switch {
		case demanded[s.title][subject][thing] > 0:
		case *update && c.got[subject][thing] >= often:
			demanded[s.title].add(subject, thing)
		case *update:
			rest.add(subject, thing)
		case never[s.title][subject][thing] == 0:
			t.Errorf("the list does not know %s %s: run go generate ./properties/sometimes", subject, thing)
		}
	}
	never[s.title] = rest
}

// unmet begins a line of things that the campaign need not reach.
const unmet = "not demanded: "

// parse reads a list: a title in brackets, then lines "SUBJECT, SUBJECT: THING; THING".
func parse(text string) (demanded, never map[string]counts) {
	demanded, never = map[string]counts{}, map[string]counts{}
	for _, s := range sections {
		demanded[s.title], never[s.title] = counts{}, counts{}
	}
	title := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			title = strings.Trim(line, "[]")
			continue
		}
		line, of := strings.CutPrefix(line, unmet)
		subjects, things, _ := strings.Cut(line, ": ")
		for subject := range strings.SplitSeq(subjects, ", ") {
			for thing := range strings.SplitSeq(things, "; ") {
				if of {
					never[title].add(subject, thing)
				} else {
					demanded[title].add(subject, thing)
				}
			}
		}
	}
	return demanded, never
}

// format writes a list. Subjects with the same things share a line.
func format(demanded, never map[string]counts) string {
	var b strings.Builder
	write := func(prefix string, list counts) {
		subjects := map[string][]string{}
		for _, subject := range slices.Sorted(maps.Keys(list)) {
			key := strings.Join(slices.Sorted(maps.Keys(list[subject])), "; ")
			subjects[key] = append(subjects[key], subject)
		}
		for _, key := range slices.SortedFunc(maps.Keys(subjects), func(a, b string) int {
			return cmp.Compare(subjects[a][0], subjects[b][0])
		}) {
			fmt.Fprintf(&b, "%s%s: %s\n", prefix, strings.Join(subjects[key], ", "), key)
		}
	}
	for _, s := range sections {
		fmt.Fprintf(&b, "[%s]\n", s.title)
		write("", demanded[s.title])
		write(unmet, never[s.title])
	}
	return b.String()
}
