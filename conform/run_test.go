package conform_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// fewCases is a number of cases of each suite that shows faults of common instructions.
const fewCases = 100

// suites returns the suites of most runs. Short tests leave out those of a fixed length,
// which have most jobs; TestOwnModel has all.
func suites() []string {
	if testing.Short() {
		return conform.Suites[:slices.Index(conform.Suites, "regressions")]
	}
	return conform.Suites
}

// judge runs a core of this process that follows a profile on o.Suites, or on those of most
// runs.
func judge(t *testing.T, name string, o conform.Options) *conform.Report {
	t.Helper()
	p, ok := profile.ByName(name)
	if !ok {
		t.Fatal(name)
	}
	if o.Suites == nil {
		o.Suites = suites()
	}
	o.Seed = 1
	r, err := conform.Run(context.Background(), adapter.InProcess(name, p, impl.New), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOwnModel: a core that follows a named profile to the bit never differs from its model. What its
// model lets crash or hang is an entry all the same.
func TestOwnModel(t *testing.T) {
	cases := uint64(long.Few(300, fewCases))
	for _, name := range long.Items(t, profile.Names(), 1) {
		r := judge(t, name, conform.Options{Suites: conform.Suites, Cases: cases})
		for _, d := range r.Deviations {
			if len(d.Members) > 0 && !foreseen(&d) {
				t.Errorf("%s: %s: %s\n%s%v\nexpected %s, observed %s", name, d.Bucket, d.Verdict, d.Assembly, d.Inputs,
					d.Expected, d.Observed)
			}
		}
		p, _ := profile.ByName(name)
		for _, d := range judge(t, name, conform.Options{Cases: cases / 2, Model: &p}).Deviations {
			if d.Verdict == report.Asked || len(d.Members) > 0 && !foreseen(&d) {
				t.Errorf("--profile %s: %s: %s\n%s%v\nexpected %s, observed %s", name, d.Bucket, d.Verdict, d.Assembly,
					d.Inputs, d.Expected, d.Observed)
			}
		}
		t.Logf("%s: nearest %s, named %v, %v", name, r.Profile.Nearest, r.Profile.Names, r.Suites)
	}
}

// TestInterruptedEarly: the error of a run that is interrupted before it judged anything does
// not mention a time limit.
func TestInterruptedEarly(t *testing.T) {
	p, _ := profile.ByName("hw")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := conform.Run(ctx, adapter.InProcess("hw", p, impl.New),
		conform.Options{Suites: conform.Suites, Cases: 10, Seed: 1})
	if err == nil || !strings.HasPrefix(err.Error(), "interrupted before ") {
		t.Errorf("got %v, want that it was interrupted", err)
	}
}
