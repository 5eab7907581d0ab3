package conform_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// hangingOn returns what a run says whose time ends while a core hangs on programs of so many words.
func hangingOn(t *testing.T, words int, limit time.Duration) (r *conform.Report, err error) {
	t.Helper()
	p, _ := profile.ByName("hw")
	synctest.Test(t, func(t *testing.T) {
		release := make(chan bool)
		core := adapter.InProcess("hanging", p, func() pica.Engine {
			return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
				if len(job.Code) >= words {
					<-release
				}
				return e.Run(job, out)
			}}
		})
		r, err = conform.Run(t.Context(), core,
			conform.Options{Suites: []string{"upload"}, Seed: 1, Jobs: 4, MaxTime: limit})
		close(release)
	})
	return r, err
}

// TestPending: from the first second on, a run that ends while the core hangs says so first, and how long.
func TestPending(t *testing.T) {
	for _, limit := range []time.Duration{time.Second, 4 * time.Second, 15 * time.Second} {
		r, err := hangingOn(t, 5, limit)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := r.WriteText(&text, report.Paint{}); err != nil {
			t.Fatal(err)
		}
		form := regexp.MustCompile(fmt.Sprintf(`^ended by --max-time: no answer yet to [1-9][0-9]* requests for %.1f s; `, limit.Seconds()))
		if _, lines, _ := strings.Cut(text.String(), "\n"); r.Pending == "" || !form.MatchString(lines) {
			t.Errorf("%v: got %q in\n%.200s", limit, r.Pending, text.String())
		}
		if r.Requests > 400 {
			t.Errorf("%v: %d requests, most of which were not asked", limit, r.Requests)
		}
	}
	r, err := hangingOn(t, 2, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var waiting int
	if _, err := fmt.Sscanf(r.Pending, "no answer yet to %d request", &waiting); err != nil || r.Requests <= waiting {
		t.Errorf("%q of %d requests: %v", r.Pending, r.Requests, err)
	}
	_, err = hangingOn(t, 0, 3*time.Second)
	if err == nil || !strings.Contains(err.Error(), "no answer yet to 1 request for 3.0 s") {
		t.Errorf("a core that answers nothing: %v", err)
	}
}
