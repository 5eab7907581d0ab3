package conform_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// faulty returns a core with a fault that some jobs show.
func faulty() adapter.Core { return executor("return-wins-over-loop") }

// TestAgainst: a fault of only one of two cores is a cause that names the right core; equal
// cores have no causes.
func TestAgainst(t *testing.T) {
	if testing.Short() {
		t.Skip("long: three reports")
	}
	right := adapter.InProcess("right", profile.F24(), impl.New)
	for _, x := range []struct {
		core, against adapter.Core
		agrees        string
	}{
		{faulty(), right, "the other core"},
		{right, faulty(), "this core"},
		{right, right, ""},
	} {
		o := options()
		o.Cases, o.Against = min(o.Cases, 300), x.against
		r, err := conform.Run(t.Context(), x.core, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Against != x.against.Name() {
			t.Errorf("the report names %q as the other core", r.Against)
		}
		if found := len(r.Deviations) > 0; found != (x.agrees != "") {
			t.Errorf("%s against %s: %d causes", x.core.Name(), x.against.Name(), len(r.Deviations))
		}
		for _, d := range r.Deviations {
			if want := "the console's rules agree with " + x.agrees; d.Note != want {
				t.Errorf("%s: note %q, want %q", d.Bucket, d.Note, want)
			}
		}
	}
}

// options are those of runs on faulty, which have a second round.
func options() conform.Options {
	o := conform.Options{Suites: []string{"upload", "alu", "flow", "mixed"}, Cases: 900, Seed: 3}
	if testing.Short() {
		o.Suites, o.Cases = []string{"upload", "flow"}, fewCases
	}
	return o
}

func run(t *testing.T, ctx context.Context, o conform.Options) *report.Report {
	t.Helper()
	r, err := conform.Run(ctx, faulty(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// whole is the report that uninterrupted returns.
var whole *report.Report

// uninterrupted returns the report of one run to the end, of which nothing may be changed.
func uninterrupted(t *testing.T) *report.Report {
	t.Helper()
	if whole == nil {
		whole = run(t, t.Context(), options())
	}
	return whole
}

func encoded(t *testing.T, r *report.Report) string {
	t.Helper()
	var text strings.Builder
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestShards: the merged reports of shards equal the report of one run.
func TestShards(t *testing.T) {
	if testing.Short() {
		t.Skip("long: four reports")
	}
	const shards = 3
	want := uninterrupted(t)
	if want.Bad() == 0 {
		t.Fatal("the fault is not found")
	}
	var parts []*report.Report
	for n := range uint64(shards) {
		o := options()
		o.Shard, o.Shards = n, shards
		part := new(report.Report)
		if err := json.Unmarshal([]byte(encoded(t, run(t, t.Context(), o))), part); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	got, err := report.Merge(parts)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(encoded(t, want), encoded(t, got)); diff != "" {
		t.Errorf("merged shards are not the report of one run (-want +got):\n%s", diff)
	}
	if _, err := report.Merge(append(parts, parts[0])); err == nil {
		t.Error("a shard was merged twice")
	}
	if _, err := report.Merge(parts[1:]); err == nil {
		t.Error("a shard was missing")
	}
}

// TestResume: an interrupted run resumes and writes the same report.
func TestResume(t *testing.T) {
	want := uninterrupted(t)
	o := options()
	o.State = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	stops := 0
	o.Progress = func(text string) {
		if strings.HasPrefix(text, "asking for the core set") {
			stops++
			cancel()
		}
	}
	first, err := conform.Run(ctx, faulty(), o)
	if err != nil {
		t.Fatal(err)
	}
	if stops == 0 || !first.Interrupted {
		t.Fatal("the run was not interrupted")
	}
	o.Progress = nil
	if diff := cmp.Diff(encoded(t, want), encoded(t, run(t, t.Context(), o))); diff != "" {
		t.Errorf("the resumed run has another report (-want +got):\n%s", diff)
	}
}

// counted counts the questions to a core outside the suites.
type counted struct {
	adapter.Core
	all atomic.Int64
}

func (c *counted) Ask(ctx context.Context, job *pica.Job) adapter.Answer {
	c.all.Add(1)
	return c.Core.Ask(ctx, job)
}

func (c *counted) AskFresh(ctx context.Context, job *pica.Job) adapter.Answer {
	c.all.Add(1)
	return c.Core.AskFresh(ctx, job)
}

func (c *counted) AskAfter(ctx context.Context, jobs ...*pica.Job) (adapter.Answer, int) {
	c.all.Add(1)
	return c.Core.AskAfter(ctx, jobs...)
}

// TestResumeAnswers: wherever the answers outside the suites are cut off, the next run asks only
// the rest, and writes the same report. A run with other options is refused.
func TestResumeAnswers(t *testing.T) {
	o := conform.Options{Suites: []string{"upload"}, Cases: fewCases, Seed: 1, Jobs: 2, State: t.TempDir()}
	run := func(o conform.Options) (string, int) {
		core := &counted{Core: adapter.InProcess("hw", profile.HW(), impl.New)}
		r, err := conform.Run(t.Context(), core, o)
		if err != nil {
			t.Fatal(err)
		}
		return encoded(t, r), int(core.all.Load())
	}
	want, all := run(o)
	whole, err := os.ReadFile(filepath.Join(o.State, "answers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, size := range []int{rng.IntN(len(whole)), rng.IntN(len(whole)), len(whole)} {
		o.State = t.TempDir()
		if err := os.WriteFile(filepath.Join(o.State, "answers.jsonl"), whole[:size], 0o666); err != nil {
			t.Fatal(err)
		}
		got, asked := run(o)
		stored := bytes.Count(whole[:size], []byte("\n")) - 2 // the head, and the answer to an info request
		if got != want || asked != all-max(stored, 0) {
			t.Errorf("seed %d, cut at %d: %d of %d asked, %d stored, the same report: %v", seed, size, asked, all, stored,
				got == want)
		}
	}
	stored := bytes.Replace(whole, []byte(`"packed":"`), []byte(`"packed":"AAAA`), 1)
	if err := os.WriteFile(filepath.Join(o.State, "answers.jsonl"), stored, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := conform.Run(t.Context(), adapter.InProcess("hw", profile.HW(), impl.New), o); !errors.Is(err,
		journal.ErrJournal) {
		t.Errorf("an answer of no core: got %v, want %v", err, journal.ErrJournal)
	}
	for _, other := range []func(o *conform.Options){
		func(o *conform.Options) { o.Seed++ }, func(o *conform.Options) { o.Cases++ },
		func(o *conform.Options) { o.Suites = []string{"flow"} }, func(o *conform.Options) { o.Shards = 2 },
		func(o *conform.Options) { o.Arguments = "--exec other" },
		func(o *conform.Options) { p := profile.F24(); o.Model = &p },
		func(o *conform.Options) { o.Against = faulty() },
	} {
		o := o
		other(&o)
		core := adapter.InProcess("hw", profile.HW(), impl.New)
		if _, err := conform.Run(t.Context(), core, o); !errors.Is(err, journal.ErrOther) {
			t.Errorf("%+v: got %v, want %v", o, err, journal.ErrOther)
		}
	}
}

// TestResumeDamaged: a core that keeps state, dies by an earlier job or hangs has the same report after
// an interruption, although what one process did is asked again.
func TestResumeDamaged(t *testing.T) {
	list := []string{"dies behind a callc", "keeps flags", "dies of old age", "hangs on flr", "dies at an entry point"}
	for _, name := range long.Items(t, list, 1) {
		o := conform.Options{Suites: []string{"upload", "flow"}, Cases: fewCases, Seed: 1, State: t.TempDir()}
		run := func() string {
			r, err := conform.Run(t.Context(), statefulCore(name), o)
			if err != nil {
				t.Fatal(err)
			}
			return encoded(t, r)
		}
		want := run()
		if diff := cmp.Diff(want, run()); diff != "" {
			t.Errorf("%s: the same run again has another report (-want +got):\n%s", name, diff)
		}
		answers := filepath.Join(o.State, "answers.jsonl")
		whole, err := os.ReadFile(answers)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(answers, whole[:len(whole)/2], 0o666); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, run()); diff != "" {
			t.Errorf("%s: with half of the answers the report is another one (-want +got):\n%s", name, diff)
		}
	}
}

// killed is the environment variable that makes TestKilled the child process to be killed.
const killed = "PICAPROOF_KILLED"

// TestKilled: a run whose process is killed resumes and writes the same report.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killed); dir != "" {
		o := options()
		o.State, o.Progress = dir, func(text string) { fmt.Println(text) }
		run(t, t.Context(), o)
		return
	}
	o := options()
	o.State = t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=TestKilled$", fmt.Sprintf("-test.short=%v", testing.Short()))
	child.Env = append(os.Environ(), killed+"="+o.State)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	seen := false
	for lines := bufio.NewScanner(out); lines.Scan() && !seen; {
		seen = strings.HasPrefix(lines.Text(), "asking for the core set")
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err == nil || !seen {
		t.Fatal("the child was not killed in the middle of its run")
	}
	if diff := cmp.Diff(encoded(t, uninterrupted(t)), encoded(t, run(t, t.Context(), o))); diff != "" {
		t.Errorf("the resumed run has another report (-want +got):\n%s", diff)
	}
}

// TestSchema: a report fits its JSON Schema, and every form of it can be written.
func TestSchema(t *testing.T) {
	r := uninterrupted(t)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(report.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("report.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(encoded(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Error(err)
	}
	// So does a report without causes.
	right, err := jsonschema.UnmarshalJSON(strings.NewReader(encoded(t, judge(t, "hw", conform.Options{Cases: 16}))))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(right); err != nil {
		t.Error(err)
	}
	delete(value.(map[string]any), "suites")
	if compiled.Validate(value) == nil {
		t.Error("the schema accepts a report without suites")
	}
	var page, xml bytes.Buffer
	if err := r.WriteHTML(&page); err != nil {
		t.Error(err)
	}
	if err := r.WriteJUnit(&xml); err != nil {
		t.Error(err)
	}
	for _, d := range r.Deviations {
		if !strings.Contains(page.String(), d.Bucket) ||
			!strings.Contains(xml.String(), fmt.Sprintf("name=%q", d.Bucket)) {
			t.Errorf("%s is not in every form of the report", d.Bucket)
		}
	}
	for _, word := range []string{"http://", "https://", "<link", "@import", "url(", "src="} {
		if strings.Contains(strings.ReplaceAll(page.String(), "/src", ""), word) {
			t.Errorf("the page is not self-contained: %s", word)
		}
	}
}
