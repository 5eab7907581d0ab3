//go:build linux || darwin

package vectors_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/conform/vectors"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// writeHeader writes the C header into a directory.
func writeHeader(t *testing.T, list []vectors.Vector) (directory string) {
	t.Helper()
	var b bytes.Buffer
	if err := vectors.WriteHeader(&b, list); err != nil {
		t.Fatal(err)
	}
	directory = t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "picaproof_vectors.h"), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return directory
}

// compile builds the toy core with the vectors in it.
func compile(t *testing.T, directory, compiler string, options ...string) string {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no compiler: %v", err)
	}
	program := filepath.Join(directory, "vectors")
	toy := filepath.Join(kittest.Directory(), "toy")
	args := append(options, "-Wall", "-Wextra", "-pedantic", "-Werror", "-ffp-contract=off", "-I", directory, "-I", toy,
		"-o", program)
	if out, err := exec.Command(compiler, append(args, filepath.Join(toy, "vectors.c"), "-lm")...).
		CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// missedInC returns the names of the vectors that the toy core misses, by the loop of the header.
func missedInC(t *testing.T, program string, args ...string) (names []string) {
	t.Helper()
	out, err := exec.Command(program, append([]string{"f32"}, args...)...).Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, "\t")
		names = append(names, name)
	}
	return names
}

// TestHeader: the loop of the C header and Verify miss the same vectors on the same core, with
// any fault. The header compiles as C99 and as C++17.
func TestHeader(t *testing.T) {
	list := all(t)
	directory := writeHeader(t, list)
	compile(t, directory, "c++", "-x", "c++", "-fsyntax-only", "-std=c++17", "-Wno-pedantic", "-Wno-unknown-pragmas")
	program := compile(t, directory, "cc", "-std=c99")
	text := lines(t)
	faults := []string{"slti-sources", "", "emit-winding", "loop-count", "upload-subnormal"}
	for _, fault := range long.Items(t, faults, long.Few(2, 1)) {
		command, args := kittest.Toy(t), []string{}
		if fault != "" {
			command, args = command+" --fault "+fault, []string{"--fault", fault}
		}
		core, err := adapter.Start(command, adapter.Options{Processes: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer core.Close()
		r, err := vectors.Verify(bytes.NewReader(text), adapter.AsEngine(core), "f32")
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, f := range r.Failed {
			want = append(want, f.Name)
		}
		got := missedInC(t, program, args...)
		if !slices.Equal(got, want) || len(want) == 0 || len(want) > 40 {
			t.Errorf("fault %q: the header misses %v, Verify %v", fault, got, want)
		}
	}
}

// TestHeaderNotices: the self-check notices a damaged table.
func TestHeaderNotices(t *testing.T) {
	directory := writeHeader(t, all(t)[:5])
	path := filepath.Join(directory, "picaproof_vectors.h")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(b, []byte("0x88000000u"), []byte("0x88000001u"), 1)
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	err = exec.Command(compile(t, directory, "cc", "-std=c99"), "f32").Run()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 {
		t.Errorf("got %v, want exit status 3", err)
	}
}
