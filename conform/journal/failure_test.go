package journal_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/conform/reader"
)

// vanishing is a reader that cannot be started any more after some answers.
type vanishing struct {
	strange
	answers int64
}

var errGone = errors.New("the program is gone")

func (v *vanishing) Read(ctx context.Context, f string, data []byte, l time.Duration) (reader.Reply, error) {
	if v.asked.Load() >= v.answers {
		return reader.Reply{}, errGone
	}
	return v.strange.Read(ctx, f, data, l)
}

// TestFailure: a program that vanishes in the middle of a run ends it with the results so far; one
// that never answered is an error.
func TestFailure(t *testing.T) {
	for _, name := range []string{"", filepath.Join(t.TempDir(), "state")} {
		for answers, want := range map[int64]error{0: errGone, 20: nil} {
			j := open(t, name)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			j.OnFailure(cancel)
			r, err := reader.Run(ctx, journal.OfReader(j, onlyRead{&vanishing{answers: answers}}),
				reader.Options{Formats: []string{"csdr"}, Seed: 1, Repeats: 1, Cases: 2, NoCost: true})
			if err != want || want == nil && (!r.Interrupted || r.Requests == 0) {
				t.Errorf("%q, %d answers: got %+v, %v, want %v", name, answers, r, err, want)
			}
			if failed := context.Cause(ctx); want == nil && failed != errGone || want != nil && failed != nil {
				t.Errorf("%q, %d answers: the run failed with %v", name, answers, failed)
			}
			j.Close()
			if name != "" {
				name = filepath.Join(t.TempDir(), "state")
			}
		}
	}
}

// onlyRead is a reader that measures as it reads.
type onlyRead struct{ *vanishing }

func (r onlyRead) Measure(ctx context.Context, f string, data []byte, l time.Duration) (reader.Reply, error) {
	return r.Read(ctx, f, data, l)
}
