package conform_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// hidden are the executors whose fault no suite can show, with the reason.
var hidden = map[string]string{
	"vertex-id-3-is-slot-0": "EMIT with vertex id 3 traps: whatever a core answers is right",
}

// TestMutants runs the suites on executors with one fault each, a third of all: every fault must be
// found, as a cause or as an answer of the fingerprint, in few causes.
func TestMutants(t *testing.T) {
	list := slices.DeleteFunc(mutants.Executors(), func(m mutants.Mutant) bool { return m.Equivalent != "" })
	for i := range len(list) / 3 {
		list[i] = list[3*i+1]
	}
	var counts []int
	for _, m := range long.Items(t, list[:len(list)/3], 1) {
		_, p := mutant(m.Name)
		r, err := conform.Run(t.Context(), executor(m.Name), conform.Options{Suites: suites(), Cases: 200, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		causes := accusations(r)
		t.Logf("%s (%s): model %s: %q", m.Name, p.Name, r.Profile.Nearest, causes)
		if found := len(causes) > 0 || r.Profile.Nearest != p.Name; found != (hidden[m.Name] == "") {
			t.Errorf("%s: found %v; hidden: %q", m.Name, found, hidden[m.Name])
		}
		counts = append(counts, len(causes))
	}
	slices.Sort(counts)
	t.Logf("%d faults, median %d causes, most %d", len(counts), counts[len(counts)/2], counts[len(counts)-1])
	if counts[len(counts)/2] > 2 {
		t.Errorf("median %d: want at most 2", counts[len(counts)/2])
	}
}

// saying is a core with a word of its own about b15.
type saying struct {
	adapter.Core
	setsB15 bool
}

func (c saying) Info(ctx context.Context) (adapter.Reply, error) {
	r, err := c.Core.Info(ctx)
	r.SetsB15 = c.setsB15
	return r, err
}

// TestLastBoolean: a core that says that it sets b15 after a geometry program is asked; without the
// word neither a probe nor a suite asks.
func TestLastBoolean(t *testing.T) {
	misses, _ := mutant("b15-is-not-set")
	for _, x := range []struct {
		name   string
		engine func() pica.Engine
		says   bool
		want   string
	}{
		{"misses", misses.New, true, "b15 after a geometry program"},
		{"misses", misses.New, false, ""},
		{"sets", impl.New, true, ""},
		{"sets", impl.New, false, ""},
	} {
		core := saying{adapter.InProcess(x.name, profile.HW(), x.engine), x.says}
		r, err := conform.Run(t.Context(), core, conform.Options{Suites: []string{"upload", "geometry"},
			Cases: uint64(long.Few(512, 100)), Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range r.Deviations {
			got = append(got, d.Bucket)
		}
		if strings.Join(got, "; ") != x.want {
			t.Errorf("%s, says %v: got %q, want %q", x.name, x.says, got, x.want)
		}
	}
}

// TestLastBooleanOfTwo: two cores are not compared by what stands around them.
func TestLastBooleanOfTwo(t *testing.T) {
	misses, _ := mutant("b15-is-not-set")
	core := saying{adapter.InProcess("sets", profile.HW(), impl.New), true}
	r, err := conform.Run(t.Context(), core, conform.Options{Suites: []string{"upload"}, Seed: 1,
		Against: saying{adapter.InProcess("misses", profile.HW(), misses.New), false}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Deviations) != 0 {
		t.Errorf("got %+v", r.Deviations)
	}
}

// secondVertex is an engine that loses o0.x of the second run of a geometry program.
type secondVertex struct{ pica.Engine }

func (e secondVertex) Run(job *pica.Job, out *pica.Outcome) error {
	err := e.Engine.Run(job, out)
	if job.Stage == pica.Geometry && len(out.Vertices) > 1 {
		out.Vertices[1].O[0][0] ^= 1 << 22
	}
	return err
}

// TestReducedWithBoolean: no reduced program asks who sets b15.
func TestReducedWithBoolean(t *testing.T) {
	core := adapter.InProcess("second", profile.F24(), func() pica.Engine { return secondVertex{impl.New()} })
	r, err := conform.Run(t.Context(), core, conform.Options{Suites: []string{"geometry"}, Cases: 40, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	several := 0
	for _, d := range r.Findings {
		job, err := pica.ParseJob(d.Job, func(string) (pica.Profile, error) { return profile.F24(), nil })
		if err != nil {
			t.Fatal(err)
		}
		if adapter.AsksB15(job) {
			t.Errorf("%s: %s", d.Bucket, d.Job)
		}
		if len(job.Vertices) > 1 {
			several++
		}
	}
	if several == 0 {
		t.Errorf("no program of several vertices among %d", len(r.Findings))
	}
}
