//go:build linux || darwin

package command_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// hostile is a command with what a run of it has as its output and misdeed.
type hostile struct{ line, output, noOutput, misdeed string }

// TestHostileOutputs: whatever a command leaves in the place of its output or its input, the run has
// a result, and nothing is left. VICTIM is a directory outside.
func TestHostileOutputs(t *testing.T) {
	testHostile(t, 1, []hostile{
		{"mkfifo {out}", "", "no regular file (p", ""},
		{"mkdir {out}", "", "no regular file (d", ""},
		{"ln -s VICTIM/out.bin {out}", "", "no regular file (L", ""},
		{"ln -s /dev/zero {out}", "", "no regular file (L", ""},
		{"ln -s . {out}", "", "no regular file (L", ""},
		{"dd of={out} bs=1 seek=100000000000 count=0 2> {in}.log", "", "an output file of 100000000000 bytes", ""},
		{"cd {outdir}; seq 3000 | xargs touch; echo x > 1", "x\n", "", ""},
		{"cd {outdir}; printf y > 'a\nb'", "y", "", ""},
		{"cd {outdir}; mkfifo a; printf y > b", "", "no regular file (p", ""},
		{"rm {in}; mkfifo {in}; printf z > {out}", "z", "", "its input is changed"},
		{"rm {in}; ln -s /dev/zero {in}; printf z > {out}", "z", "", "its input is changed"},
	})
}

// TestHostileDirectories: whatever a command does to its directories, the next run has new ones, and
// nothing outside changes.
func TestHostileDirectories(t *testing.T) {
	testHostile(t, 2, []hostile{
		{"rm -r {outdir}; ln -s VICTIM {outdir}; : {out}", "", "no regular file (L", ""},
		{"rm -r {outdir}; ln -s VICTIM {outdir}", "", "no regular file (L", ""},
		{"rm -r {outdir}; mkfifo {outdir}", "", "no regular file (p", ""},
		{"mkdir -p {outdir}/a/b; : > {outdir}/a/b/c; printf z > {out}; chmod 0 {outdir}/a/b {outdir}/a", "z", "", ""},
		{"d=$(dirname {in}); rm -r $d; ln -s VICTIM $d; : {out}", "", "no output file", "its input is gone"},
	})
}

func testHostile(t *testing.T, runs int, list []hostile) {
	t.Helper()
	dir, victim := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", dir)
	keep := filepath.Join(victim, "out.bin")
	if err := os.WriteFile(keep, []byte("keep"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		l := command.NewUnbounded(strings.ReplaceAll(c.line, "VICTIM", victim))
		for range runs {
			r, err := l.Run(t.Context(), one, limit)
			if err != nil || string(r.Output) != c.output || r.Misdeed != c.misdeed ||
				(r.NoOutput == nil) != (c.noOutput == "") ||
				r.NoOutput != nil && !strings.Contains(r.NoOutput.Error(), c.noOutput) {
				t.Errorf("%s: got %q, %v, %q, %v; %s", c.line, r.Output, r.NoOutput, r.Misdeed, err, r.Stderr)
			}
		}
		l.Close()
	}
	if b, err := os.ReadFile(keep); err != nil || string(b) != "keep" {
		t.Errorf("a file outside: got %q, %v", b, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestLeftDirectories: the directory of a killed process goes at the next start, and no other.
func TestLeftDirectories(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	living := command.NewUnbounded("cp {in} {out}")
	defer living.Close()
	if _, err := living.Run(t.Context(), one, limit); err != nil {
		t.Fatal(err)
	}
	used, err := filepath.Glob(filepath.Join(dir, "*", "*.lock"))
	if err != nil || len(used) != 1 {
		t.Fatalf("locks: %v, %v", used, err)
	}
	mark, err := os.ReadFile(used[0])
	if err != nil {
		t.Fatal(err)
	}
	outside, dead := t.TempDir(), filepath.Join(dir, "picaproof-runs-1")
	// A directory of another program, with a file of the same name, and a link to one that looks like ours.
	foreign, link := filepath.Join(dir, "picaproof-runs-2"), filepath.Join(dir, "picaproof-runs-3")
	err = os.Symlink(outside, link)
	for name, content := range map[string][]byte{dead: mark, foreign: []byte("mine"), outside: mark,
		filepath.Join(dir, "picaproof-campaign"): mark} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(name, "1"), 0o700),
			os.WriteFile(filepath.Join(name, filepath.Base(used[0])), content, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	next := command.NewUnbounded("cp {in} {out}")
	defer next.Close()
	for _, l := range []*command.Line{next, living} {
		if r, err := l.Run(t.Context(), one, limit); err != nil || r.NoOutput != nil {
			t.Errorf("got %v, %v", r.NoOutput, err)
		}
	}
	if _, err := os.Stat(dead); err == nil {
		t.Error("the directory of a killed process is left")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 5 {
		t.Errorf("left: %v, %v, want two directories in use, and three others", left, err)
	}
	for _, name := range []string{foreign, outside} {
		if left, err := os.ReadDir(name); err != nil || len(left) != 2 {
			t.Errorf("%s: left: %v, %v", name, left, err)
		}
	}
}

// TestGone: a program that vanishes has not crashed.
func TestGone(t *testing.T) {
	from, err := exec.LookPath("cp")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(from)
	name := filepath.Join(t.TempDir(), "cp")
	if err = errors.Join(err, os.WriteFile(name, program, 0o777)); err != nil {
		t.Fatal(err)
	}
	l := command.NewUnbounded(name + " {in} {out}; exit $?")
	defer l.Close()
	if r, err := l.Run(t.Context(), one, limit); err != nil || r.Outcome != command.Done {
		t.Errorf("got %+v, %v", r.End, err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Run(t.Context(), one, limit); !errors.Is(err, command.ErrStart) {
		t.Errorf("got %+v, %v, want %v", r.End, err, command.ErrStart)
	}
}
