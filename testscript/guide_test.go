//go:build linux || darwin

package testscript_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/internal/long"
)

// block is a fenced block of a page: "```sh" is run, "```cpp NAME" is a file.
type block struct {
	language, name, text string
	line                 int
}

func blocks(page string) (list []block) {
	var open *block
	for n, line := range strings.Split(page, "\n") {
		fence, ok := strings.CutPrefix(line, "```")
		switch {
		case ok && open == nil:
			language, name, _ := strings.Cut(fence, " ")
			open = &block{language: language, name: name, line: n + 2}
		case ok:
			list, open = append(list, *open), nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	return list
}

// catch2 stands for the library that the page's example uses.
const catch2 = `#include <cstdlib>
#include <iostream>
#define UNSCOPED_INFO(x) (std::cerr << x << "\n")
#define REQUIRE(x) do { if (!(x)) std::abort(); } while (0)
#define CHECK(x) REQUIRE(x)
#define DYNAMIC_SECTION(name) if ((std::cout << name << "\n"))
#define TEST_CASE(name) int main()
`

// TestAdapterGuide follows docs/adapter.md step by step. Blocks that are marked as long run in a
// long run.
func TestAdapterGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs and runs them for many seconds")
	}
	for _, tool := range []string{"cc", "c++", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no compiler: %v", err)
		}
	}
	page, err := os.ReadFile("../docs/adapter.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(directory, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(line int, script string) {
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir, cmd.Env = directory, append(os.Environ(), "PICAPROOF="+source)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("docs/adapter.md:%d: %v\n%s\n%s", line, err, script, out)
		}
	}
	steps := 0
	for _, b := range blocks(string(page)) {
		switch {
		case b.language == "sh" && b.name == "long" && os.Getenv(long.Variable) == "":
			steps++
		case b.language == "sh":
			run(b.line, b.text)
			steps++
		case b.name != "":
			write(b.name, b.text)
		default:
			t.Errorf("docs/adapter.md:%d: a block of %q without a name", b.line, b.language)
		}
	}
	if steps < 8 {
		t.Errorf("%d steps", steps)
	}
	write("catch2/catch_test_macros.hpp", catch2)
	run(0, fmt.Sprintf("c++ -std=c++17 -Wall -Wextra -I. -I%s -o tests test_shader.cpp && ./tests | grep R001",
		directory))
}
