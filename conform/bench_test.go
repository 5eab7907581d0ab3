package conform_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
)

// TestBenchJobs: the suite bench has the programs of the samples.
func TestBenchJobs(t *testing.T) {
	data, err := os.ReadFile("bench.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	list := samples.Benchmarks(t)
	if len(lines) != len(list) {
		t.Fatalf("%d programs, want %d", len(lines), len(list))
	}
	for k, b := range list {
		var got, want map[string]any
		if err := json.Unmarshal([]byte(lines[k]), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(b.JSON, &want); err != nil {
			t.Fatal(err)
		}
		for name := range want {
			if got[name] == nil {
				delete(want, name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) < 9 {
			t.Errorf("%s (-want +got):\n%s", b.Name, diff)
		}
	}
}

// TestBench: the suite bench has three times for each program.
func TestBench(t *testing.T) {
	p, _ := profile.ByName("f32")
	r, err := conform.Run(t.Context(), adapter.InProcess("hw", p, impl.New),
		conform.Options{Suites: []string{"upload", conform.Bench}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 1 || len(r.Tables[0].Rows) != 8 || len(r.Suites) != 1 {
		t.Fatalf("got %+v, %d suites", r.Tables, len(r.Suites))
	}
	for _, row := range r.Tables[0].Rows {
		if slices.Contains(row[:4], "-") || row[4] != "" {
			t.Errorf("got %q", row)
		}
	}
}
