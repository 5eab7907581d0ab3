//go:build linux || darwin

package reader_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
)

// planted is a fault of testdata/reader.c with its expected cause.
type planted struct {
	fault string
	level report.Level
	cause string // part of its name
	// sanitized is the cause with sanitizers; empty if it is the same.
	sanitized string
	only      string // the build in which the fault shows: "plain", "sanitized"; empty for both
	quick     bool   // tested without READER_EXHAUSTIVE even if it neither grows nor writes
	grows     bool   // shows on growing files
	writes    bool   // shows in rewritten files
}

var faults = []planted{
	{fault: "magic", level: report.AcceptsInvalid, cause: "accepts DVLB002", quick: true},
	{fault: "dvlp-magic", level: report.AcceptsInvalid, cause: "accepts DVLP002"},
	{fault: "entries-unchecked", level: report.Crash, cause: "crash: SIGSEGV",
		sanitized: "AddressSanitizer: heap-buffer-overflow in u16"},
	{fault: "wrap", level: report.AcceptsInvalid, cause: "accepts DVLE021"},
	{fault: "code-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLP005",
		sanitized: "AddressSanitizer: heap-buffer-overflow in touch"},
	{fault: "table-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLE021",
		sanitized: "AddressSanitizer: heap-buffer-overflow in touch"},
	{fault: "entry-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLE007", quick: true},
	{fault: "register-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLE032"},
	{fault: "refuses-128", level: report.RefusesValid, cause: "descriptor count"},
	{fault: "label-flags", level: report.RefusesValid, cause: "label flags", quick: true},
	{fault: "name-nul", level: report.AcceptsInvalid, cause: "accepts DVLP017"},
	{fault: "wild-write", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "Sanitizer"},
	{fault: "shift", level: report.AcceptsInvalid, cause: "accepts DVLE051",
		sanitized: "UndefinedBehaviorSanitizer: shift exponent N is too large"},
	{fault: "empty", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "Sanitizer", quick: true},
	{fault: "semantic-abort", level: report.Crash, cause: "crash: SIGABRT (DVLE050)",
		sanitized: "crash: SIGABRT (DVLE050)"},
	{fault: "double-free", level: report.Crash, cause: "crash: SIGABRT",
		sanitized: "AddressSanitizer: double-free in refuse"},
	{fault: "stack", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "AddressSanitizer"},
	{fault: "endless-range", level: report.Hang, cause: "hang: "},
	{fault: "endless-walk", level: report.Hang, cause: "hang: DVLB00"},
	{fault: "hangs-at-64", level: report.Hang, cause: "hang: "},
	{fault: "hangs-at-version", level: report.Hang, cause: "hang: "},
	{fault: "ends-at-nul", level: report.RefusesValid, cause: "refuses: refused: short file"},
	{fault: "clears-from-nul", level: report.RefusesValid, cause: "refuses valid files"},
	{fault: "allocates", level: report.Cost, cause: "memory: "},
	{fault: "ignores-lines", level: report.AcceptsInvalid, cause: "accepts DVLP015"},
	{fault: "quadratic", level: report.Cost, cause: "time: shbin many of .DVLEs[0].Tables.Uniforms", grows: true},
	{fault: "loses-entry", level: report.WrongRewrite, cause: "rewrites another", writes: true},
	{fault: "writes-broken", level: report.WrongRewrite, cause: "rewrites DVL", writes: true},
	{fault: "name-recursion", level: report.Crash, cause: "crash: SIGSEGV",
		sanitized: "AddressSanitizer: stack-overflow", grows: true},
	{fault: "writes-nothing", level: report.WrongRewrite, cause: "rewrites nothing: no output file", writes: true},
	{fault: "writes-directory", level: report.WrongRewrite,
		cause: "rewrites nothing: an output that is no regular file", writes: true},
	{fault: "entry-wrap", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "Sanitizer", quick: true},
	{fault: "label-wrap", level: report.AcceptsInvalid, cause: "accepts DVLE041", quick: true},
	{fault: "freed", level: report.Crash, cause: "AddressSanitizer: heap-use-after-free, freed in release",
		only: "sanitized"},
	{fault: "leak", level: report.Crash, sanitized: "LeakSanitizer: leak in load", only: "sanitized"},
}

// build compiles testdata/reader.c.
func build(t *testing.T, options ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "reader")
	args := append([]string{"-std=c99", "-O1", "-g", "-Wall", "-Wextra", "-o", program, "testdata/reader.c"},
		options...)
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		if len(options) == 0 {
			if _, missing := exec.LookPath("cc"); missing != nil {
				t.Skip("no C compiler")
			}
		} else if !strings.Contains(string(out), "reader.c:") {
			t.Skipf("cc does not know %v", options)
		}
		t.Fatalf("cc %v: %v\n%s", args, err, out)
	}
	return program
}

// verdict judges a command.
func verdict(t *testing.T, command string, o reader.Options) *report.Report {
	t.Helper()
	o.Formats, o.Seed, o.Name = []string{"shbin"}, 1, command
	subject := reader.NewCommand(command)
	defer subject.Close()
	r, err := reader.Run(context.Background(), subject, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exhaustive selects all faults, in both builds.
var exhaustive = os.Getenv("READER_EXHAUSTIVE") != ""

// TestPlanted: every fault planted in a reader is found.
func TestPlanted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts thousands of processes; TestFunc finds such faults without them")
	}
	findPlanted(t, "plain")
}

// TestPlantedSanitized: the same with sanitizers.
func TestPlantedSanitized(t *testing.T) {
	if !exhaustive {
		t.Skip("on demand: READER_EXHAUSTIVE=1")
	}
	findPlanted(t, "sanitized", append(slices.Clone(kittest.Sanitizers), "-fno-sanitize-recover=all")...)
}

func findPlanted(t *testing.T, kind string, options ...string) {
	program := build(t, options...)
	for _, p := range faults {
		if p.only != "" && p.only != kind {
			continue
		}
		if !exhaustive && !p.quick && !p.grows && !p.writes {
			continue
		}
		t.Run(p.fault, func(t *testing.T) {
			command := program + " " + p.fault + " {in}"
			if p.writes {
				command += " {out}"
			}
			limit := time.Second
			if p.grows || kind == "sanitized" && p.level != report.Hang { // slow on a busy machine, but no hang
				limit = 20 * time.Second
			}
			r := verdict(t, command, reader.Options{Repeats: 1, Cases: 5, NoCost: !p.grows, Limit: limit})
			level, cause := p.level, p.cause
			if kind == "sanitized" && p.sanitized != "" {
				level, cause = report.Crash, p.sanitized
			}
			if !slices.ContainsFunc(r.Deviations,
				func(d report.Deviation) bool { return d.Verdict == level && strings.Contains(d.Bucket, cause) }) {
				t.Errorf("no %q with %q among:", level, cause)
			}
			for _, d := range r.Deviations {
				t.Logf("%s: %s: %d files, %d bytes", d.Verdict, d.Bucket, d.Count, d.Instructions)
			}
		})
	}
}

// TestRightReader: a reader without faults has no cause.
func TestRightReader(t *testing.T) {
	if testing.Short() {
		t.Skip("starts thousands of processes, as TestPlanted does")
	}
	r := verdict(t, build(t)+" none {in} {out}", reader.Options{Repeats: 3, Cases: 50})
	for _, d := range r.Deviations {
		t.Errorf("%s: %s: %s: %s, observed %s\n%s%s", d.Verdict, d.Bucket, d.Where, d.Expected, d.Observed, d.Assembly,
			d.Reproduce)
	}
}

// TestTouchesFiles: a reader that removes or changes its input, or leaves an output after a
// refusal, has one cause.
func TestTouchesFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("starts thousands of processes, as TestPlanted does")
	}
	program := build(t)
	for arguments, want := range map[string]string{
		"replaces-input {in}":                           "its input is changed",
		"none {in}; s=$?; rm {in}; exit $s":             "its input is gone",
		"none {in} {out}; s=$?; cp {in} {out}; exit $s": "an output behind a failure",
	} {
		r := verdict(t, program+" "+arguments, reader.Options{Repeats: 1, Cases: 1, NoCost: true})
		n := 0
		for _, d := range r.Deviations {
			if d.Bucket == "touches other files: "+want {
				n++
				continue
			}
			t.Errorf("%s: %s: %s", arguments, d.Verdict, d.Bucket)
		}
		if n != 1 {
			t.Errorf("%s: %d causes, want one with %q", arguments, n, want)
		}
	}
}
