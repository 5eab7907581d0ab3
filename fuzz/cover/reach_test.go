package cover_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// record runs every vertex of a job in the oracle.
func record(t testing.TB, m *oracle.Machine, r *cover.Recorder, job *pica.Job) (steps int) {
	for vertex := range job.Vertices {
		if err := m.Load(job, vertex); err != nil {
			t.Fatal(err)
		}
		r.Start(job, vertex, m.State())
		for s := m.Step(); s != nil; s = m.Step() {
			r.Step(s)
			steps++
		}
	}
	return steps
}

func TestReach(t *testing.T) {
	var m oracle.Machine
	var r cover.Recorder
	var g gen.Generator
	var matrix cover.Matrix
	for _, mode := range gen.Modes {
		for n := range uint64(1000) {
			r.Reached = cover.Set{}
			job := g.Job(gen.Seed(1, n), mode)
			record(t, &m, &r, job)
			if r.Reached.Has(cover.None) {
				t.Fatalf("%s, job %d: a point that does not exist", mode, n)
			}
			matrix.Add(&r.Reached)
		}
	}
	var b strings.Builder
	report := matrix.Report()
	report.WriteText(&b, 60)
	t.Log(b.String())
}
