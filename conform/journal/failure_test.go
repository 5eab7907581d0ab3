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
	for _, c := range []struct {
		name    string
		answers int64
		want    error
	}{{"", 0, errGone}, {"", 20, nil}, {filepath.Join(t.TempDir(), "state"), 20, nil}} {
		j := open(t, c.name)
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		j.OnFailure(cancel)
		r, err := reader.Run(ctx, journal.OfReader(j, onlyRead{&vanishing{answers: c.answers}}),
			reader.Options{Formats: []string{"csdr"}, Seed: 1, Repeats: 1, Cases: 2, NoCost: true})
		if err != c.want || c.want == nil && (!r.Interrupted || r.Requests == 0) {
			t.Errorf("%+v: got %+v, %v", c, r, err)
		}
		failed := map[bool]error{true: errGone}[c.want == nil]
		if got := context.Cause(ctx); got != failed {
			t.Errorf("%+v: the run failed with %v, want %v", c, got, failed)
		}
		j.Close()
	}
}

// onlyRead is a reader that measures as it reads.
type onlyRead struct{ *vanishing }

func (r onlyRead) Measure(ctx context.Context, f string, data []byte, l time.Duration) (reader.Reply, error) {
	return r.Read(ctx, f, data, l)
}
