//go:build linux || darwin

// Package kittest serves this module: it builds the kit's examples for tests.
package kittest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Sanitizers are options that end a program on memory errors and undefined behaviour.
var Sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// language says how a program of the kit is made of its source.
type language struct {
	command string   // a compiler, or an interpreter if args is nil
	args    []string // the kit must compile without a warning under them
	kit     string
}

var (
	warnings  = []string{"-Wall", "-Wextra", "-pedantic", "-Werror", "-O2", "-ffp-contract=off"}
	languages = map[string]language{
		".c":   {"cc", append([]string{"-std=c99"}, warnings...), "picaproof_kit.h"},
		".cpp": {"c++", append([]string{"-std=c++17"}, warnings...), "picaproof_kit.hpp"},
		".rs": {"rustc", []string{"--edition=2021", "-Dwarnings", "-Copt-level=2", "-Cdebug-assertions"},
			"picaproof_kit.rs"},
		".py": {"python3", nil, "picaproof_kit.py"},
	}
)

// Directory returns the directory of the kit.
func Directory() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(file))
}

// Toy builds the toy core and returns its path. It skips the test if there is no compiler.
func Toy(t testing.TB) string { return Build(t, "toy/toy.c") }

// Page returns the path of a file that a page of docs shows as a block with a name.
func Page(t testing.TB, page, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(Directory(), "../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), " "+name+"\n")
	text, _, found := strings.Cut(text, "\n```\n")
	if !found {
		t.Fatalf("%s has no block %s", page, name)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Build returns the command that runs a program of the kit. The source is a path, relative ones from
// the kit's directory: "toy/toy.c". A compiled program is kept for other tests. Build skips the test
// if the language's tool is missing, or does not know the extra options.
func Build(t testing.TB, source string, options ...string) (command string) {
	t.Helper()
	l := languages[filepath.Ext(source)]
	if _, err := exec.LookPath(l.command); err != nil {
		t.Skipf("no %s: %v", l.command, err)
	}
	there, name := filepath.Join(t.TempDir(), "core"), filepath.Base(source)
	if err := os.Mkdir(there, 0o777); err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(source) {
		source = filepath.Join(Directory(), source)
	}
	h := sha256.New()
	for _, f := range []struct{ from, to string }{
		{source, name},
		{filepath.Join(Directory(), l.kit), l.kit},
		{filepath.Join(Directory(), l.kit), "../" + l.kit}, // as in the kit's directory
	} {
		b, err := os.ReadFile(f.from)
		if err == nil {
			err = os.WriteFile(filepath.Join(there, f.to), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%d\n%s", len(b), b)
	}
	if l.args == nil {
		return l.command + " " + filepath.Join(there, name)
	}
	args := slices.Concat(l.args, options, []string{name})
	if l.command != "rustc" {
		args = append(args, "-lm")
	}
	version, err := exec.Command(l.command, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(h, "%s\n%q\n", version, args)
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "picaproof-kit")
		err = os.MkdirAll(cache, 0o777)
	}
	if err != nil {
		cache = t.TempDir()
	}
	program := filepath.Join(cache, fmt.Sprintf("%x", h.Sum(nil)[:12]))
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if len(options) > 0 && !compiles(t, l.command, options) {
		t.Skipf("%s does not know %s", l.command, strings.Join(options, " "))
	}
	built := filepath.Join(there, "built")
	cmd := exec.Command(l.command, append(args, "-o", built)...)
	cmd.Dir = there
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	if err := os.Rename(built, program); err != nil {
		t.Log(err) // on another file system
		return built
	}
	return program
}

// compiles reports whether the compiler builds a minimal program with options.
func compiles(t testing.TB, compiler string, options []string) bool {
	args := append([]string{"-x", "c", "-", "-o", filepath.Join(t.TempDir(), "nothing")}, options...)
	cmd := exec.Command(compiler, args...)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	return cmd.Run() == nil
}
