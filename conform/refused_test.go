package conform_test

import (
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestRefusedLoops: Panda3DS's interpreter with one pass less of each loop refuses a fifth open loop whenever it is
// asked, also where the model that is taken for it never ends.
func TestRefusedLoops(t *testing.T) {
	for _, name := range long.Extra(t, []string{"panda-interp"}) {
		refusedLoops(t, name)
	}
}

func refusedLoops(t *testing.T, name string) {
	t.Helper()
	p, _ := profile.ByName(name)
	core := adapter.InProcess("refuses", p, func() pica.Engine {
		return impl.NewWith(func(r *oracle.Rules) {
			finish := r.Flow.Finish
			r.Flow.Finish = func(c *oracle.Control) {
				s := &c.Stacks
				if n := s.LoopDepth; n > 0 && int(s.Loop[n-1].End) == c.Next && s.Loop[n-1].Count == 0 && !c.Ended {
					c.AL += int32(s.Loop[n-1].Step)
					s.LoopDepth--
				}
				finish(c)
			}
		}, nil)
	})
	r := judged(t, core, conform.Options{Suites: []string{"flow"}, Cases: 8})
	for _, d := range r.Deviations {
		if d.Verdict == report.Flaky {
			t.Errorf("%s: %s", d.Bucket, d.Assembly)
		}
	}
}
