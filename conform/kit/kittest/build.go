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
	"strings"
	"testing"
)

// warnings are the options under which the kit must compile without output.
var warnings = []string{"-Wall", "-Wextra", "-pedantic", "-Werror", "-O2", "-ffp-contract=off"}

// Sanitizers are options that end a program on memory errors and undefined behaviour.
var Sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// Directory returns the directory of the kit.
func Directory() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(file))
}

// Toy builds the toy core and returns its path. It skips the test if there is no compiler.
func Toy(t testing.TB) string { return Build(t, "toy/toy.c") }

// Build compiles an example, "toy/toy.c", as C99 or C++17, unless it was compiled before, and
// returns the path of the program. It skips the test if there is no compiler, or none with
// support for the extra options.
func Build(t testing.TB, source string, options ...string) string {
	t.Helper()
	compiler, standard := "cc", "-std=c99"
	if filepath.Ext(source) == ".cpp" {
		compiler, standard = "c++", "-std=c++17"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no compiler: %v", err)
	}
	args := append(append([]string{standard}, warnings...), options...)
	args = append(args, "-I", Directory(), filepath.Join(Directory(), source), "-lm")
	cache, err := os.UserCacheDir()
	if err == nil {
		cache = filepath.Join(cache, "picaproof-kit")
		err = os.MkdirAll(cache, 0o777)
	}
	if err != nil {
		cache = t.TempDir()
	}
	program := filepath.Join(cache, digest(t, compiler, source, args))
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if len(options) > 0 && !compiles(t, compiler, options) {
		t.Skipf("%s does not know %s", compiler, strings.Join(options, " "))
	}
	built := filepath.Join(t.TempDir(), "built")
	args = append(args, "-o", built)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", compiler, strings.Join(args, " "), err, out)
	}
	if err := os.Rename(built, program); err != nil {
		t.Log(err) // on another file system
		return built
	}
	return program
}

// digest identifies the inputs of a build, so that all tests build a program only once.
func digest(t testing.TB, compiler, source string, args []string) string {
	h := sha256.New()
	version, err := exec.Command(compiler, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(h, "%s\n%q\n", version, args)
	for _, name := range []string{source, "picaproof_kit.h", "picaproof_kit.hpp"} {
		b, err := os.ReadFile(filepath.Join(Directory(), name))
		if err != nil {
			t.Fatal(err)
		}
		h.Write(b)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
}

// compiles reports whether the compiler builds a minimal program with options.
func compiles(t testing.TB, compiler string, options []string) bool {
	args := append([]string{"-x", "c", "-", "-o", filepath.Join(t.TempDir(), "nothing")}, options...)
	cmd := exec.Command(compiler, args...)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	return cmd.Run() == nil
}
