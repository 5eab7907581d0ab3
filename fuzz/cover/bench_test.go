package cover_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// BenchmarkRecorder replays traces of about a thousand instructions.
func BenchmarkRecorder(b *testing.B) {
	type run struct {
		job   *pica.Job
		start pica.State
		steps []pica.Step
	}
	for _, mode := range gen.Modes {
		b.Run(string(mode), func(b *testing.B) {
			m := impl.NewMachine()
			var runs []run
			total := 0
			for n := uint64(0); total < 1000; n++ {
				var g gen.Generator // one for each job, because the jobs are kept
				x := run{job: g.Job(gen.Seed(1, n), mode)}
				if err := m.Load(x.job, 0); err != nil {
					b.Fatal(err)
				}
				x.start = *m.State()
				for s := m.Step(); s != nil; s = m.Step() {
					kept, state := *s, *s.State
					kept.State = &state
					x.steps = append(x.steps, kept)
				}
				total += len(x.steps)
				runs = append(runs, x)
			}
			var r cover.Recorder
			b.ReportAllocs()
			for b.Loop() {
				for k := range runs {
					x := &runs[k]
					r.Start(x.job, 0, &x.start)
					for i := range x.steps {
						r.Step(&x.steps[i])
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*total), "ns/step")
		})
	}
}
