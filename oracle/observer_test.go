package oracle_test

import (
	"slices"
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// observed keeps the words of all runs, each after a zero.
type observed struct{ words []uint32 }

func (o *observed) Start(*pica.Job, int, *pica.State) { o.words = append(o.words, 0) }
func (o *observed) Step(s *pica.Step)                 { o.words = append(o.words, s.Word) }

// TestObserverSeesEveryRun compares what an observer is shown with the traces
// of the vertices.
func TestObserverSeesEveryRun(t *testing.T) {
	job := &pica.Job{
		Program:  pica.Program{Code: []uint32{flow(pica.LOOP, 0, 1, 0), nop, end}},
		Vertices: make([][]pica.Vec4, 2),
		Ints:     [pica.NumInts][4]uint8{{2, 0, 0}},
	}
	var got, want observed
	var out pica.Outcome
	if err := impl.Watched(&got).Run(job, &out); err != nil {
		t.Fatal(err)
	}
	runs, err := impl.Traces(job)
	if err != nil {
		t.Fatal(err)
	}
	for _, steps := range runs {
		want.Start(nil, 0, nil)
		for s := range steps {
			want.Step(s)
		}
	}
	if len(want.words) != 2*(1+5) || !slices.Equal(got.words, want.words) {
		t.Errorf("got %08x, want %08x", got.words, want.words)
	}
}
