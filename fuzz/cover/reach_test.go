package cover_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// generated counts the points of the first jobs of every mode.
func generated(t *testing.T, seed uint64, runs map[gen.Mode]int) *cover.Matrix {
	t.Helper()
	var g gen.Generator
	var r cover.Recorder
	var out pica.Outcome
	matrix := new(cover.Matrix)
	engine := impl.Watched(&r)
	for _, mode := range gen.Modes {
		for n := range uint64(runs[mode]) {
			r.Reached = cover.Set{}
			if err := engine.Run(g.Job(gen.Seed(seed, n), mode), &out); err != nil {
				t.Fatalf("%s, seed %d, job %d: %v", mode, seed, n, err)
			}
			if r.Reached.Has(cover.None) {
				t.Errorf("%s, seed %d, job %d: a point that does not exist", mode, seed, n)
			}
			matrix.Add(&r.Reached)
		}
	}
	return matrix
}

// unreached lists, by the beginnings of names, points that the generators do not reach.
var unreached = []struct{ prefix, reason string }{
	{"pair/emit,end", "something is computed before END"},
	{"pair/break,end", "something is computed before END"},
}

// rare is, by group, the number of points that a campaign as short as this one may miss;
// other groups must be complete.
var rare = map[cover.Group]int{cover.Operands: 3, cover.Rounding: 2, cover.Scopes: 1, cover.Pairs: 15,
	cover.GeometryUnit: 4}

// TestReach: the generators alone, without a fuzzer's feedback, reach nearly every point.
func TestReach(t *testing.T) {
	const seed = 1
	runs := map[gen.Mode]int{gen.Alu: 16000, gen.Flow: 6000, gen.Mixed: 6000, gen.Geometry: 6000, gen.Words: 300}
	if testing.Short() {
		for mode := range runs {
			runs[mode] /= 20
		}
	}
	report := generated(t, seed, runs).Report()
	var text strings.Builder
	if err := report.WriteText(&text, 100); err != nil {
		t.Fatal(err)
	}
	for _, g := range report.Groups {
		missing := 0
		for name := range g.Missing {
			if !slices.ContainsFunc(unreached,
				func(x struct{ prefix, reason string }) bool { return strings.HasPrefix(name, x.prefix) }) {
				missing++
			}
		}
		limit := rare[g.Group]
		if testing.Short() {
			limit = len(g.Points) / 4
		}
		if missing > limit {
			t.Errorf("seed %d: %d points of %s not reached, want at most %d", seed, missing, g.Group, limit)
		}
	}
	t.Log("\n" + text.String())
}
