//go:build linux || darwin

package kit_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/kit"
	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/conform/sweep"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func TestMain(m *testing.M) { testmain.Run(m) }

var update = flag.Bool("update", false, "write picaproof_kit.hpp")

// TestHeaderCpp: the file of the C++ header is the C header, followed by the wrapper.
func TestHeaderCpp(t *testing.T) {
	const name = "picaproof_kit.hpp"
	if *update {
		if err := os.WriteFile(name, kit.HeaderCpp, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(name); err != nil || !bytes.Equal(b, kit.HeaderCpp) {
		t.Errorf("%s is out of date (%v): go test ./conform/kit -run HeaderCpp -update", name, err)
	}
}

// start runs a program as a core. A core that is known to hang gets little time.
func start(t *testing.T, command string) adapter.Core {
	t.Helper()
	limit := time.Minute
	if strings.Contains(command, "hang") {
		limit = 300 * time.Millisecond
	}
	core, err := adapter.Start(command, adapter.Options{Timeout: limit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { core.Close() })
	return core
}

// mov returns mov o0, v0; end over some vertices.
func mov(vertices int) *pica.Job {
	j := &pica.Job{Program: pica.Program{Code: []uint32{0x4c000000, 0x88000000}, Descriptors: []uint32{0x0d86c36f}},
		OutMask: 0xFFFF, InputFormat: pica.Float32}
	for k := range vertices {
		j.Vertices = append(j.Vertices, []pica.Vec4{{0x3f800000, uint32(k), 0x7f800001, 0x80000000}})
	}
	return j
}

// TestSetsB15: the kits pass on what a core says about b15.
func TestSetsB15(t *testing.T) {
	says := func(core adapter.Core) bool {
		info, err := core.Info(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return info.SetsB15
	}
	if !says(start(t, kittest.Toy(t))) || says(start(t, kittest.Build(t, "example/minimal.c"))) {
		t.Error("in C: want the word of the toy core, and none of the minimal core")
	}
	for _, word := range []bool{false, true} {
		var out bytes.Buffer
		core := kit.Core{SetsB15: word}
		if err := kit.Serve(&core, strings.NewReader("{\"op\":\"info\"}\n"), &out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), `"sets_b15":true`) != word {
			t.Errorf("in Go, %v: %s", word, &out)
		}
	}
}

// toyProfile asks the toy core which profile it follows.
func toyProfile(t *testing.T, toy string) pica.Profile {
	out, err := exec.Command(toy, "--profile").Output()
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(strings.TrimSpace(string(out)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// judge compares the toy core with its profile, on generated jobs and on jobs for each field.
// For a core with a fault it returns the first difference.
func judge(t *testing.T, core adapter.Core, p pica.Profile, generated uint64) string {
	t.Helper()
	j := compare.Pair{Want: impl.New(), Got: fingerprint.AsEngine(core), Foreign: true}
	var g gen.Generator
	modes := []gen.Mode{gen.Alu, gen.Flow, gen.Mixed, gen.Geometry}
	jobs := func(yield func(*pica.Job) bool) {
		for n := range generated {
			if !yield(g.Job(gen.Seed(1, n), modes[n%uint64(len(modes))])) {
				return
			}
		}
		for _, s := range sweep.Jobs() {
			if !yield(s.Job) {
				return
			}
		}
	}
	for next := range jobs {
		job := *adapter.AsSent(next)
		job.Profile = p
		v, d, err := j.Run(&job)
		var fate *adapter.FateError
		switch {
		case errors.As(err, &fate):
			return fate.Answer.String()
		case err != nil:
			t.Fatal(err)
		case v == compare.Differ:
			return d.String()
		}
	}
	return ""
}

// TestToy: without a fault the toy core follows its profile.
func TestToy(t *testing.T) {
	toy := kittest.Toy(t)
	if d := judge(t, start(t, toy), toyProfile(t, toy), uint64(long.Few(4000, 1000))); d != "" {
		t.Error(d)
	}
}

// TestToyFaults: each fault shows, except faults that need several requests: TestToyDamage and
// the verdict on the toy core look for these.
func TestToyFaults(t *testing.T) {
	toy := kittest.Toy(t)
	p := toyProfile(t, toy)
	out, err := exec.Command(toy, "--list").Output()
	if err != nil {
		t.Fatal(err)
	}
	several := []string{"crash-late", "crash-many", "state-cache", "cache-entry", "cache-prefix", "cache-sum",
		"cache-constants", "cache-code"}
	var names []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(line, "\t")
		if name, kind := fields[0], fields[1]; kind != "log" && !slices.Contains(several, name) {
			names = append(names, name)
		}
	}
	for _, name := range long.Items(t, names, long.Few(6, 2)) {
		t.Run(name, func(t *testing.T) {
			if d := judge(t, start(t, toy+" --fault "+name), p, 20_000); d == "" {
				t.Error("not found")
			}
		})
	}
}

// TestToyWarning: a message of every request excuses no wrong result.
func TestToyWarning(t *testing.T) {
	toy := kittest.Toy(t)
	if judge(t, start(t, toy+" --fault log-always --fault dp3-w"), toyProfile(t, toy), 20_000) == "" {
		t.Error("a warning excuses a wrong result")
	}
}

// TestToyReport: a report of an instruction that is not implemented excuses a wrong result.
func TestToyReport(t *testing.T) {
	toy := kittest.Toy(t)
	if d := judge(t, start(t, toy+" --fault log-flr"), toyProfile(t, toy), 2000); d != "" {
		t.Errorf("a report of a skipped instruction does not excuse %s", d)
	}
}

// TestToyDamage: a crash that an earlier request causes is traced to it.
func TestToyDamage(t *testing.T) {
	core := start(t, kittest.Toy(t)+" --fault crash-late")
	dphi := mov(1)
	dphi.Code[0] = 0x60000000 // dphi o0, v0, v0
	for n := range 60 {
		j := mov(1)
		if n == 20 {
			j = dphi
		}
		a := core.Ask(context.Background(), j)
		if a.Fate != adapter.Answered {
			t.Fatalf("job %d: got %v", n, &a)
		}
		if a.Damaged == nil {
			continue
		}
		s, last := adapter.Culprit(context.Background(), core, a.Damaged)
		if len(s) != 5 || last.Message != "SIGABRT" {
			t.Fatalf("job %d: %d requests, %v", n, len(s), &last)
		}
		if first, err := s.Job(0); err != nil || first.Code[0] != dphi.Code[0] {
			t.Errorf("got %+v, %v", first, err)
		}
		return
	}
	t.Error("no damage")
}
