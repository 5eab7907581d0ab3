package cover_test

import (
	"iter"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// sized is a job's size and points.
type sized struct {
	size   int
	points []cover.Point
}

// sets yields the jobs as Minimise takes them, in one reused set.
func sets(jobs []sized) iter.Seq2[int, *cover.Set] {
	return func(yield func(int, *cover.Set) bool) {
		for _, j := range jobs {
			var s cover.Set
			for _, p := range j.points {
				s.Add(p)
			}
			if !yield(j.size, &s) {
				return
			}
		}
	}
}

func TestMinimise(t *testing.T) {
	for _, x := range []struct {
		name string
		jobs []sized
		want []int
	}{
		{"nothing", nil, []int{}},
		{"reaches nothing", []sized{{1, nil}}, []int{}},
		{"the first of equals", []sized{{5, []cover.Point{1}}, {5, []cover.Point{1}}}, []int{0}},
		{"the smaller", []sized{{5, []cover.Point{1}}, {4, []cover.Point{1}}}, []int{1}},
		{"the larger where it alone reaches a point",
			[]sized{{9, []cover.Point{1, 2}}, {1, []cover.Point{1}}}, []int{0}},
		{"small ones instead of a large",
			[]sized{{9, []cover.Point{1, 2}}, {1, []cover.Point{1}}, {1, []cover.Point{2}}}, []int{1, 2}},
		{"one chosen early becomes superfluous",
			[]sized{{3, []cover.Point{1, 2, 3}}, {2, []cover.Point{1, 2, 4}}, {2, []cover.Point{3, 5}},
				{4, []cover.Point{4, 5, 6}}}, []int{1, 2, 3}},
		{"of two of which one is superfluous the larger goes",
			[]sized{{1, []cover.Point{0, 2, 4, 5, 7}}, {3, []cover.Point{0, 1, 4, 5, 6}},
				{3, []cover.Point{1, 2, 3, 4, 6, 7}}, {4, []cover.Point{3, 4, 7}}}, []int{0, 2}},
		{"the larger goes, although it comes first",
			[]sized{{2, []cover.Point{0, 2, 3, 7}}, {1, []cover.Point{0, 1, 3, 4, 6, 7}},
				{4, []cover.Point{1, 2, 3, 4, 5, 6}}, {4, []cover.Point{0, 1, 5, 6}}}, []int{1, 2}},
		{"of two of one size the later goes",
			[]sized{{2, []cover.Point{0, 5, 6}}, {4, []cover.Point{1, 5, 7}}, {3, []cover.Point{0, 1, 3, 5, 7}},
				{2, []cover.Point{1, 3, 5, 6}}}, []int{0, 2}},
	} {
		if got := cover.Minimise(sets(x.jobs)); !slices.Equal(got, x.want) {
			t.Errorf("%s: got %v, want %v", x.name, got, x.want)
		}
	}
}

// TestMinimiseKeepsEveryPoint chooses among generated jobs.
func TestMinimiseKeepsEveryPoint(t *testing.T) {
	const seed, runs = 5, 1000
	var g gen.Generator
	var r cover.Recorder
	var out pica.Outcome
	var reached []cover.Set
	var sizes []int
	engine := impl.Watched(&r)
	for _, mode := range []gen.Mode{gen.Alu, gen.Mixed} {
		for n := range uint64(runs) {
			r.Reached = cover.Set{}
			job := g.Job(gen.Seed(seed, n), mode)
			if err := engine.Run(job, &out); err != nil {
				t.Fatal(err)
			}
			reached, sizes = append(reached, r.Reached), append(sizes, len(job.Code))
		}
	}
	chosen := cover.Minimise(func(yield func(int, *cover.Set) bool) {
		for k := range reached {
			if !yield(sizes[k], &reached[k]) {
				return
			}
		}
	})
	var all, kept cover.Set
	for k := range reached {
		all.Union(&reached[k])
	}
	for _, k := range chosen {
		kept.Union(&reached[k])
	}
	t.Logf("seed %d: %d of %d jobs reach all %d points", seed, len(chosen), len(reached), all.Len())
	if kept != all || len(chosen) > len(reached)/2 {
		t.Errorf("seed %d: %d jobs keep %d of %d points", seed, len(chosen), kept.Len(), all.Len())
	}
	for without := range chosen {
		var rest cover.Set
		for n, k := range chosen {
			if n != without {
				rest.Union(&reached[k])
			}
		}
		if rest == all {
			t.Errorf("seed %d: job %d is superfluous", seed, chosen[without])
		}
	}
}
