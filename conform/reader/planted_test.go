package reader_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
)

// planted is a fault of the toy, and of testdata/reader.c, with its expected cause.
type planted struct {
	fault string
	level report.Level
	cause string // part of its name
	// sanitized is the cause with sanitizers; empty if it is the same.
	sanitized string
	only      string // the build in which the fault shows: "plain", "sanitized"; empty for both
	grows     bool   // shows on growing files
	writes    bool   // shows in rewritten files
}

var faults = []planted{
	{fault: "magic", level: report.AcceptsInvalid, cause: "accepts DVLB002"},
	{fault: "dvlp-magic", level: report.AcceptsInvalid, cause: "accepts DVLP002"},
	{fault: "entries-unchecked", level: report.Crash, cause: "crash: SIGSEGV",
		sanitized: "AddressSanitizer: heap-buffer-overflow in u16"},
	{fault: "wrap", level: report.AcceptsInvalid, cause: "accepts DVLE021"},
	{fault: "code-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLP005",
		sanitized: "AddressSanitizer: heap-buffer-overflow in touch"},
	{fault: "table-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLE021",
		sanitized: "AddressSanitizer: heap-buffer-overflow in touch"},
	{fault: "entry-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLE007"},
	{fault: "register-off-by-one", level: report.AcceptsInvalid, cause: "accepts DVLE032"},
	{fault: "refuses-128", level: report.RefusesValid, cause: "descriptor count"},
	{fault: "label-flags", level: report.RefusesValid, cause: "label flags"},
	{fault: "name-nul", level: report.AcceptsInvalid, cause: "accepts DVLE062"},
	{fault: "wild-write", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "Sanitizer"},
	{fault: "shift", level: report.AcceptsInvalid, cause: "accepts DVLE051",
		sanitized: "UndefinedBehaviorSanitizer: shift exponent N is too large"},
	{fault: "empty", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "Sanitizer"},
	{fault: "semantic-abort", level: report.Crash, cause: "crash: SIGABRT (DVLE050)",
		sanitized: "crash: SIGABRT (DVLE050)"},
	{fault: "double-free", level: report.Crash, cause: "crash: SIGABRT",
		sanitized: "AddressSanitizer: double-free in refuse"},
	{fault: "stack", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "AddressSanitizer"},
	{fault: "endless-range", level: report.Hang, cause: "hang: "},
	{fault: "endless-walk", level: report.Hang, cause: "hang: DVLB00"},
	{fault: "hangs-at-64", level: report.Hang, cause: "hang: "},
	{fault: "hangs-at-version", level: report.Hang, cause: "hang: "},
	{fault: "allocates", level: report.Cost, cause: "memory: "},
	{fault: "quadratic", level: report.Cost, cause: "time: shbin many of .DVLEs[0].Tables.Uniforms", grows: true},
	{fault: "loses-entry", level: report.WrongRewrite, cause: "rewrites another", writes: true},
	{fault: "writes-broken", level: report.WrongRewrite, cause: "rewrites DVL", writes: true},
	{fault: "name-recursion", level: report.Crash, cause: "crash: SIGSEGV",
		sanitized: "AddressSanitizer: stack-overflow", grows: true},
	{fault: "writes-nothing", level: report.WrongRewrite, cause: "rewrites nothing: no output file", writes: true},
	{fault: "writes-directory", level: report.WrongRewrite,
		cause: "rewrites nothing: an output that is no regular file", writes: true},
	{fault: "entry-wrap", level: report.Crash, cause: "crash: SIGSEGV", sanitized: "Sanitizer"},
	{fault: "label-wrap", level: report.AcceptsInvalid, cause: "accepts DVLE041"},
	{fault: "freed", level: report.Crash, cause: "AddressSanitizer: heap-use-after-free, freed in release",
		only: "sanitized"},
	{fault: "leak", level: report.Crash, sanitized: "LeakSanitizer: leak in load", only: "sanitized"},
}

// verdict judges a reader of SHBIN.
func verdict(t *testing.T, r reader.Reader, o reader.Options) *report.Report {
	t.Helper()
	o.Formats, o.Seed = []string{"shbin"}, 1
	got, err := reader.Run(t.Context(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// find looks for the cause of a planted fault in the verdict on a reader.
func (p *planted) find(t *testing.T, r *report.Report, sanitized bool) {
	t.Helper()
	level, cause := p.level, p.cause
	if sanitized && p.sanitized != "" {
		level, cause = report.Crash, p.sanitized
	}
	if !slices.ContainsFunc(r.Deviations,
		func(d report.Deviation) bool { return d.Verdict == level && strings.Contains(d.Bucket, cause) }) {
		t.Errorf("no %q with %q among:", level, cause)
	}
	for _, d := range r.Deviations {
		t.Logf("%s: %s: %d files, %d bytes", d.Verdict, d.Bucket, d.Count, d.Instructions)
	}
}

// builds are the two ways to build a program.
var builds = []string{"plain", "sanitized"}

// TestPlanted: every fault planted in a reader is found, in both builds if they show it differently.
func TestPlanted(t *testing.T) {
	for _, p := range long.Items(t, faults, long.Few(20, 4)) {
		for _, build := range builds {
			if p.only != "" && p.only != build || build == "sanitized" && p.sanitized == "" && p.only == "" {
				continue
			}
			t.Run(p.fault+"/"+build, func(t *testing.T) {
				sanitized := build == "sanitized"
				r := verdict(t, toy{p.fault, sanitized, p.writes}, reader.Options{Repeats: 1, Cases: 5, NoCost: !p.grows})
				p.find(t, r, sanitized)
			})
		}
	}
}

// TestRightReader: a reader without faults has no cause.
func TestRightReader(t *testing.T) {
	r := verdict(t, toy{"none", true, true}, reader.Options{Repeats: uint64(long.Few(3, 1)), Cases: uint64(long.Few(50, 5))})
	for _, d := range r.Deviations {
		t.Errorf("%s: %s: %s: %s, observed %s\n%s%s", d.Verdict, d.Bucket, d.Where, d.Expected, d.Observed, d.Assembly,
			d.Reproduce)
	}
}

// misbehaved is a toy whose replies name a misdeed for the files of some outcomes.
type misbehaved struct {
	toy
	misdeed string
	on      []reader.Outcome
}

func (r misbehaved) Read(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	reply, err := r.toy.Read(ctx, format, data, limit)
	if slices.Contains(r.on, reply.Outcome) {
		reply.Misdeed = r.misdeed
	}
	return reply, err
}

// TestTouchesFiles: a reader that removes or changes its input, or leaves an output after a
// refusal, has one cause.
func TestTouchesFiles(t *testing.T) {
	for misdeed, on := range map[string][]reader.Outcome{
		"its input is changed":       {reader.Accepted},
		"its input is gone":          {reader.Accepted, reader.Refused},
		"an output behind a failure": {reader.Refused},
	} {
		r := verdict(t, misbehaved{toy{"none", false, false}, misdeed, on},
			reader.Options{Repeats: 1, Cases: 1, NoCost: true})
		n := 0
		for _, d := range r.Deviations {
			if d.Bucket == "touches other files: "+misdeed {
				n++
				continue
			}
			t.Errorf("%s: %s: %s", misdeed, d.Verdict, d.Bucket)
		}
		if n != 1 {
			t.Errorf("%d causes, want one with %q", n, misdeed)
		}
	}
}
