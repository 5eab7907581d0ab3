// Package testscript_test runs the command line scenarios in testdata/script:
// each is what a person wants, the command they type, both output streams and
// the exit status.
package testscript_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/picaproof/picaproof/cmd/subreaper"
	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/internal/long"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"picaproof": func() {
			end := subreaper.Become()
			status := tool().Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
			end()
			os.Exit(status)
		},
	})
}

// TestScripts runs every script. Under -short one ends at "[short] stop" or "[short] skip":
// in front of what takes more than half a second of processor time, unless it is the only
// use of a command. What takes more than some seconds follows "[!long] stop".
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup:               setup,
		Condition:           condition,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status":  status,
			"vector":  vector,
			"sample":  sample,
			"unhex":   unhex,
			"damage":  damage,
			"samehex": sameHex,
			"oddname": oddName,
		},
	})
}

// condition is "long" if long tests run.
func condition(name string) (bool, error) {
	if name == "long" {
		return os.Getenv(long.Variable) != "", nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// setup lets the commands of a script run with the mutant of the source that
// tools/mutate has chosen, if any. Nearly all end before they collect garbage.
func setup(env *testscript.Env) error {
	env.Setenv("GOGC", "400")
	for _, name := range []string{"PICAPROOF_MUTANT", "PICAPROOF_MUTANT_TRACE"} {
		if value, set := os.LookupEnv(name); set {
			env.Setenv(name, value)
		}
	}
	return nil
}

// status runs "status N picaproof ARGS..." and demands that exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		_, got = 0, -1
		if _, scanErr := fmt.Sscanf(err.Error(), "exit status %d", &got); scanErr != nil {
			ts.Fatalf("%v", err)
		}
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("exit status: got %d, want %s", got, args[0])
	}
	if args[1] == "picaproof" {
		if err := fitsSchema(args[2:], ts.ReadFile("stdout")); err != nil {
			ts.Fatalf("%v", err)
		}
	}
}

// vector writes the payload of a corpus vector: "vector shbin/NAME FILE".
func vector(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: vector format/name file")
	}
	format, _, _ := strings.Cut(args[0], "/")
	vectors, err := corpus.Vectors(format)
	ts.Check(err)
	for _, v := range vectors {
		if v.Name == args[0] {
			ts.Check(os.WriteFile(ts.MkAbs(args[1]), v.Data, 0o666))
			return
		}
	}
	ts.Fatalf("no vector %s", args[0])
}

// sample copies the samples that match a pattern to the working directory: "sample wild/*.gsh".
func sample(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sample pattern")
	}
	names, err := fs.Glob(samples.Files(), args[0])
	ts.Check(err)
	if len(names) == 0 {
		ts.Fatalf("no sample %s", args[0])
	}
	for _, name := range names {
		b, err := fs.ReadFile(samples.Files(), name)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(path.Base(name)), b, 0o666))
	}
}

// unhex turns a hex text file into a binary one: "unhex IN OUT". Everything
// after a # is a comment.
func unhex(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unhex in out")
	}
	var digits strings.Builder
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		line, _, _ = strings.Cut(line, "#")
		digits.WriteString(strings.Join(strings.Fields(line), ""))
	}
	b, err := hex.DecodeString(digits.String())
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b, 0o666))
}

// damage copies a file with changes: "damage IN OUT CHANGE...". A change is OFFSET=HEX, other bytes from an offset on;
// end=OFFSET, nothing from there on; or add=FILE, another file behind it.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: damage in out change...")
	}
	b := []byte(ts.ReadFile(args[0]))
	for _, change := range args[2:] {
		kind, value, _ := strings.Cut(change, "=")
		at, err := strconv.ParseUint(kind, 0, 31)
		switch kind {
		case "end":
			at, err = strconv.ParseUint(value, 0, 31)
			ts.Check(err)
			b = b[:at]
		case "add":
			b = append(b, ts.ReadFile(value)...)
		default:
			ts.Check(err)
			with, err := hex.DecodeString(value)
			ts.Check(err)
			copy(b[at:at+uint64(len(with))], with)
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b, 0o666))
}

// sameHex compares two binary files and shows the first lines that differ:
// "samehex A B".
func sameHex(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: samehex a b")
	}
	a, err := os.ReadFile(filepath.Clean(ts.MkAbs(args[0])))
	ts.Check(err)
	b, err := os.ReadFile(filepath.Clean(ts.MkAbs(args[1])))
	ts.Check(err)
	if bytes.Equal(a, b) == !neg {
		return
	}
	if neg {
		ts.Fatalf("%s and %s are the same", args[0], args[1])
	}
	left, right := strings.Split(hex.Dump(a), "\n"), strings.Split(hex.Dump(b), "\n")
	for i := range min(len(left), len(right)) {
		if left[i] != right[i] {
			ts.Fatalf("%s and %s differ:\n%s\n%s", args[0], args[1], left[i], right[i])
		}
	}
	ts.Fatalf("%s has %d bytes, %s has %d", args[0], len(a), args[1], len(b))
}

// oddName puts a seven-byte file into a directory under a name with a line feed
// and an escape character: "oddname DIR".
func oddName(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: oddname dir")
	}
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), "a\nb\x1b.shbin"), []byte("DVLB\x01\x00\x00"), 0o666))
}
