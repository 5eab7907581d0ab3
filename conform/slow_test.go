package conform_test

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// TestSlowStart: the progress says that a core starts slowly. The report does not depend on it, even if each request
// has a process of its own, and a fault that a proof can name: on a busy machine every start is slow.
func TestSlowStart(t *testing.T) {
	dp3, p := mutant("dp3-reads-w")
	// An engine keeps the descriptors of the first job with some code.
	core := func(starts *atomic.Int64, slow int64) adapter.Core {
		return adapter.InProcess("slow", p, func() pica.Engine {
			if starts.Add(1) <= slow {
				time.Sleep(time.Second / 2)
			}
			first := map[string][]uint32{}
			return &stateful{dp3.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
				again, key := clone(job), allCode(job)
				if first[key] == nil {
					first[key] = again.Descriptors
				}
				again.Descriptors = first[key]
				return e.Run(again, out)
			}}
		})
	}
	var reports [2]string
	for k, slow := range []int64{0, 8} { // seven of them are measured
		var starts atomic.Int64
		told := false
		r := judged(t, core(&starts, slow), conform.Options{Suites: []string{"alu"}, Cases: 24, Progress: func(text string) {
			told = told || strings.Contains(text, "each start of the core takes ")
		}})
		if slow > 0 && !told {
			t.Error("the progress does not say so")
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		reports[k] = string(text)
		if !strings.Contains(reports[k], `"dp3-reads-w"`) {
			t.Errorf("%d slow starts: no proof of the fault", slow)
		}
		if n := starts.Load(); n > 1500 {
			t.Errorf("%d slow starts: %d processes", slow, n)
		}
	}
	if reports[0] != reports[1] {
		t.Errorf("the reports differ:\n%s\n%s", reports[0], reports[1])
	}
}
