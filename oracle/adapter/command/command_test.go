//go:build linux || darwin

package command_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// limit is enough time for any of the commands, even on a loaded machine.
const limit = 30 * time.Second

var two = &command.Input{Files: [][]byte{[]byte("first"), []byte("second")}, Extension: ".txt", Entry: "main"}

var one = &command.Input{Files: two.Files[:1], Entry: "start", Geometry: true}

// placed are command lines with places, and what they write.
var placed = []struct {
	line string
	in   *command.Input
	want string
}{
	{"cp {in} {out}", two, "first"},
	{"cp {in2} {out}", two, "second"},
	{"cp {in2} {in} {outdir}", two, "first"},
	{"echo a{in2}b > {out}", one, "ab\n"},
	{"basename {in} > {out}", two, "in.txt\n"},
	{"echo {entry} {gs:-g --in} > {out}", one, "start -g --in\n"},
	{"echo {entry} {gs:-g} > {out}", two, "main\n"},
	{"echo '{print}' {} {outs} > {out}", two, "{print} {} {outs}\n"},
	{"W=1 sh -c 'cat {in} > {out}'", two, "first"},
	{"cat {in} > {out} # and no more", two, "first"},
}

// TestPlaces: each place is replaced in a run.
func TestPlaces(t *testing.T) {
	for _, c := range placed {
		l := command.NewUnbounded(c.line)
		r, err := l.Run(t.Context(), c.in, limit)
		if err != nil || r.NoOutput != nil || string(r.Output) != c.want {
			t.Errorf("%s: got %q, %v, %v, want %q", c.line, r.Output, r.NoOutput, err, c.want)
		}
		l.Close()
	}
}

// TestReproduce: each place is replaced in the command that repeats a run.
func TestReproduce(t *testing.T) {
	for i, c := range placed {
		if i%3 == 1 {
			continue // enough processes
		}
		l := command.New(c.line)
		again := exec.Command("sh", "-c", l.Reproduce(c.in))
		again.Dir = t.TempDir()
		message, err := again.CombinedOutput()
		out, err2 := os.ReadFile(filepath.Join(again.Dir, "out",
			map[bool]string{true: "in.txt", false: "out.bin"}[strings.Contains(c.line, "{outdir}")]))
		if err = errors.Join(err, err2); err != nil || string(out) != c.want {
			t.Errorf("%s: repeated by %s: got %q, %v, want %q\n%s", c.line, l.Reproduce(c.in),
				out, err, c.want, message)
		}
		l.Close()
	}
}

// TestBlanks: the name of the temporary directory may have blanks.
func TestBlanks(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "my files")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", dir)
	l := command.New("cp {in} {out}")
	defer l.Close()
	if r, err := l.Run(t.Context(), two, limit); err != nil || string(r.Output) != "first" {
		t.Errorf("got %q, %v, %v", r.Output, r.NoOutput, err)
	}
}

// TestLargeReproduced: the command that repeats a run contains a large input, if that can be
// compressed.
func TestLargeReproduced(t *testing.T) {
	in := &command.Input{Files: [][]byte{[]byte(strings.Repeat("nop\n", 5000)), []byte("second")}, Extension: ".txt"}
	l := command.New("cat {in} {in2} > {out}")
	defer l.Close()
	again := exec.Command("sh", "-c", l.Reproduce(in))
	again.Dir = t.TempDir()
	message, err := again.CombinedOutput()
	out, err2 := os.ReadFile(filepath.Join(again.Dir, "out", "out.bin"))
	if want := string(in.Files[0]) + "second"; errors.Join(err, err2) != nil || string(out) != want {
		t.Errorf("got %d bytes, want %d; %v, %v\n%s", len(out), len(want), err, err2, message)
	}
}

// TestMisdeeds: a command changes files that it must not touch.
func TestMisdeeds(t *testing.T) {
	for line, want := range map[string]string{
		"cp {in} {out}":                   "",
		"cat {in} > {out}; exit 1":        "",
		"touch {out} {in}; exit 1":        "",
		"cp {in} {out}; exit 1":           "an output behind a failure",
		"cp {in} {outdir}/some; exit 1":   "an output behind a failure",
		"cp {in} {out}; kill -SEGV $$":    "",
		"cp {in2} {in}":                   "its input is changed",
		"rm {in2}; mkdir {in2}":           "its input is changed",
		"rm {in2}; cp {in} {out}; exit 1": "its input is gone",
	} {
		l := command.NewUnbounded(line)
		if r, err := l.Run(t.Context(), two, limit); err != nil || r.Misdeed != want {
			t.Errorf("%s: got %q, %v, want %q", line, r.Misdeed, err, want)
		}
		l.Close()
	}
}

// TestEnds: how a command ends, whatever files it leaves; a run sees no file of an earlier run.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		line           string
		outcome        command.Outcome
		fault, message string
	}{
		{"test ! -e {out}; s=$?; echo x > {outdir}/a; mkdir {outdir}/b; echo x > {in2}b; exit $s",
			command.Done, "", ""},
		{"echo {in}: no >&2; exit 1", command.Failed, "", "in.txt: no"},
		{"sh -c 'exit 125'", command.Failed, "", ""},
		{"sh -c 'exit 200'", command.Crashed, "exit status 200", "exit status 200"},
		{"kill -SEGV $$", command.Crashed, "SIGSEGV", "SIGSEGV"},
		{"echo 'x.c:1:2: runtime error: shift by 99: bad' >&2", command.Crashed,
			"UndefinedBehaviorSanitizer: shift by N at x.c:1", "x.c:1:2: runtime error: shift by 99: bad"},
		{"test -e {outdir}/../../seen && exit 127; touch {outdir}/../../seen; exit 1", command.Crashed,
			"exit status 127", "exit status 127"},
		{"sleep 60 & exit 0", command.Done, "", ""},
	} {
		l := command.New(c.line)
		// It runs three times: the first input finds out whether it runs in limited memory.
		r, err := l.Run(t.Context(), two, limit)
		if err != nil || r.Outcome != c.outcome || r.Fault != c.fault || r.Message != c.message {
			t.Errorf("%s: got %+v, %v", c.line, r.End, err)
		}
		l.Close()
	}
	l := command.New("sleep 60")
	defer l.Close()
	if r, err := l.Run(t.Context(), two, 50*time.Millisecond); err != nil || r.Outcome != command.Hung ||
		r.Message != "no end after 500ms" {
		t.Errorf("got %+v, %v", r.End, err)
	}
	for _, line := range []string{"/nonexistent/tool {in}", "sh -c 'nonexistent-tool {in}'"} {
		l := command.New(line)
		if _, err := l.Run(t.Context(), two, limit); err == nil {
			t.Errorf("%s: started", line)
		}
		l.Close()
	}
}

// TestMemory: a command cannot use unlimited memory, and a command that does not run within a
// limit has none.
func TestMemory(t *testing.T) {
	l := command.New("if [ $(wc -c < {in}) -gt 5 ]; then ulimit -v > {out}; fi")
	defer l.Close()
	for _, text := range []string{"first", "another"} {
		r, err := l.Run(t.Context(), &command.Input{Files: [][]byte{[]byte(text)}}, limit)
		if err != nil || text == "another" && string(r.Output) != "2097152\n" {
			t.Errorf("%s: got %q, %v", text, r.Output, err)
		}
	}
	large := command.New("ulimit -v > {out}; grep -q unlimited {out}")
	defer large.Close()
	for range 2 {
		if r, err := large.Run(t.Context(), two, limit); err != nil || r.Outcome != command.Done {
			t.Errorf("got %+v, %v", r.End, err)
		}
	}
}

// TestClose: Close removes all files.
func TestClose(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	l := command.New("cp {in} {out}; mkdir {outdir}/more; touch {outdir}/more/file")
	if _, err := l.Run(t.Context(), two, limit); err != nil {
		t.Fatal(err)
	}
	l.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
