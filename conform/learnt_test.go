package conform_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
)

// readBack writes a report as JSON and reads it.
func readBack(t *testing.T, r *report.Report) *report.Report {
	t.Helper()
	again, err := report.Read([]byte(encoded(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestLearnt: shards that take the model and the causes from the report of the core set have, merged, the report of
// one run. The core set and four shards together ask at most 1.2 times what one run asks.
func TestLearnt(t *testing.T) {
	const cases, shards = 2000, 4
	if testing.Short() {
		t.Skip("long: six reports")
	}
	list := []string{"return-wins-over-loop", "", "dp3-reads-w", "negate-2-is-ignored"}
	for _, name := range long.Items(t, list, 1) {
		o := conform.Options{Suites: suites(), Seed: 3, Cases: cases}
		judged := func(o conform.Options) (*report.Report, int64) {
			core := &counted{Core: adapter.InProcess("right", profile.F32(), impl.New)}
			if name != "" {
				core.Core = executor(name)
			}
			r, err := conform.Run(t.Context(), core, o)
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			return readBack(t, r), core.all.Load()
		}
		want, atOnce := judged(o)
		o.Cases = conform.CoreSet
		learnt, all := judged(o)
		o.Cases, o.Learnt, o.Shards = cases, learnt, shards
		var parts []*report.Report
		for o.Shard = range uint64(shards) {
			part, asked := judged(o)
			parts, all = append(parts, part), all+asked
		}
		got, err := report.Merge(parts)
		if err != nil {
			t.Fatal(err)
		}
		got.Late = want.Late
		if diff := cmp.Diff(encoded(t, want), encoded(t, got)); diff != "" {
			t.Errorf("%q: merged shards are not the report of one run (-want +got):\n%s", name, diff)
		}
		if 10*all > 12*atOnce {
			t.Errorf("%q: the core set and %d shards ask %d times, one run %d", name, shards, all, atOnce)
		}
	}
}

// renamed is a core with another name.
type renamed struct{ adapter.Core }

func (renamed) Info(context.Context) (adapter.Reply, error) {
	return adapter.Reply{Core: "another core"}, nil
}

// TestLearntOfOther: the report must be that of the core set of the same run on the same core.
func TestLearntOfOther(t *testing.T) {
	o := conform.Options{Suites: []string{"upload", "alu"}, Seed: 3, Cases: fewCases}
	right := adapter.InProcess("right", profile.HW(), impl.New)
	learnt, err := conform.Run(t.Context(), right, o)
	if err != nil {
		t.Fatal(err)
	}
	hw, again := profile.HW(), func() *report.Report { return readBack(t, learnt) }
	for _, x := range []struct {
		want   string // "" for no error
		core   adapter.Core
		change func(o *conform.Options)
	}{
		{"", right, func(*conform.Options) {}},
		{"core: report picaproof oracle, run another core", renamed{right}, func(*conform.Options) {}},
		{`what a register holds: the core no longer answers "f24"`, adapter.InProcess("right", profile.F32(), impl.New),
			func(*conform.Options) {}},
		{"second core: report , run right", right, func(o *conform.Options) { o.Against = right }},
		{"seed: report 3, run 4", right, func(o *conform.Options) { o.Seed++ }},
		{"suites: report upload,alu, run upload", right, func(o *conform.Options) { o.Suites = o.Suites[:1] }},
		{fmt.Sprintf("cases of the core set: report %d, run %d", fewCases, fewCases+1), right,
			func(o *conform.Options) { o.Cases++ }},
		{"profile: report auto, run hw", right, func(o *conform.Options) { o.Model = &hw }},
		{"the report is not that of a whole run with at most 512 cases", right,
			func(o *conform.Options) { o.Learnt.Learnt = nil }},
		{"the report is not that of a whole run with at most 512 cases", right,
			func(o *conform.Options) { o.Learnt.Shard = "1/2" }},
		{"learnt: opcode 64, want 0 to 63", right, func(o *conform.Options) { o.Learnt.Learnt.Deadly = []int{64} }},
		{"learnt: opcode -1, want 0 to 63", right, func(o *conform.Options) {
			o.Learnt.Learnt.Causes = []report.LearntCause{{Present: []int{-1}}}
		}},
		{`findings: no "words"`, right, func(o *conform.Options) {
			o.Learnt.Learnt.Causes = append(o.Learnt.Learnt.Causes, report.LearntCause{Name: "words"})
		}},
		{`findings: no proof of "words"`, right, func(o *conform.Options) { o.Learnt.Learnt.Proved = []string{"words"} }},
	} {
		o := o
		o.Learnt = again()
		x.change(&o)
		_, err := conform.Run(t.Context(), x.core, o)
		got := ""
		if errors.Is(err, conform.ErrLearnt) {
			got = strings.TrimPrefix(err.Error(), conform.ErrLearnt.Error()+": ")
		}
		if got != x.want || got == "" && err != nil {
			t.Errorf("got %q (%v), want %q", got, err, x.want)
		}
	}
}
