package target_test

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibFuzzer links a target and runs it on its seeds: as it is, and with a parser that accepts every file.
func TestLibFuzzer(t *testing.T) {
	out, err := exec.Command("clang", "-fsanitize=fuzzer", "-Wl,--unresolved-symbols=ignore-all",
		"-o", os.DevNull, "-x", "c", os.DevNull).CombinedOutput()
	if err != nil {
		t.Skipf("clang links no fuzzer: %v\n%s", err, out)
	}
	dir := t.TempDir()
	seeds := filepath.Join(dir, "seeds")
	out, err = exec.Command("go", "-C", "../../tools", "run", "./libfuzzer",
		"-o", dir, "-only", "^foreign/FuzzBroken$").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := filepath.Join(dir, "foreign_FuzzBroken")
	unpack(t, program+"_seed_corpus.zip", seeds)
	fuzz := func(fault string) (string, error) {
		cmd := exec.Command(program, "-runs=1000", "-seed=1", seeds)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "FOREIGN_FAULT="+fault)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := fuzz(""); err != nil || !strings.Contains(out, "DONE") {
		t.Errorf("a right parser: %v\n%s", err, out)
	}
	text, err := fuzz("accepts")
	if err == nil || !strings.Contains(text, "accepts a file that breaks DVL") {
		t.Errorf("a wrong parser: %v\n%s", err, text)
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "crash-*")); err != nil || len(kept) != 1 {
		t.Errorf("the input is kept as %q, %v", kept, err)
	}
}

// unpack extracts an archive of seeds.
func unpack(t *testing.T, name, dir string) {
	t.Helper()
	r, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if len(r.File) < 100 {
		t.Errorf("%d seeds", len(r.File))
	}
	if err := os.CopyFS(dir, r); err != nil {
		t.Fatal(err)
	}
}
