//go:build linux || darwin

// Package kittest builds the kit's examples for tests.
package kittest

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// warnings are the options under which the kit must compile without a word.
var warnings = []string{"-Wall", "-Wextra", "-pedantic", "-Werror", "-O2", "-ffp-contract=off"}

// Sanitizers are options that make a program end where it leaves its memory.
var Sanitizers = []string{"-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// Directory returns the directory of the kit.
func Directory() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(file))
}

// Toy builds the toy core and returns its path. The test is skipped where there is
// no compiler.
func Toy(t testing.TB) string { return Build(t, "toy/toy.c") }

// Build compiles an example, "toy/toy.c", as C99 or C++17 and returns the path of the
// program. The test is skipped where there is no compiler, or none that knows the
// extra options.
func Build(t testing.TB, source string, options ...string) string {
	t.Helper()
	compiler, standard := "cc", "-std=c99"
	if filepath.Ext(source) == ".cpp" {
		compiler, standard = "c++", "-std=c++17"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("no compiler: %v", err)
	}
	if len(options) > 0 && !compiles(t, compiler, options) {
		t.Skipf("%s does not know %s", compiler, strings.Join(options, " "))
	}
	program := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)))
	args := append([]string{standard}, warnings...)
	args = append(append(args, options...), "-I", Directory(), "-o", program, filepath.Join(Directory(), source), "-lm")
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", compiler, strings.Join(args, " "), err, out)
	}
	return program
}

// compiles reports whether the compiler builds anything at all with options.
func compiles(t testing.TB, compiler string, options []string) bool {
	args := append([]string{"-x", "c", "-", "-o", filepath.Join(t.TempDir(), "nothing")}, options...)
	cmd := exec.Command(compiler, args...)
	cmd.Stdin = strings.NewReader("int main(void) { return 0; }\n")
	return cmd.Run() == nil
}
