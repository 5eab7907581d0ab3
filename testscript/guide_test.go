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

// block is a fenced block of a page: "```sh" is run, "```text" is printed by it, "```cpp NAME" is a file.
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

// guide is a directory in which a page is followed.
type guide struct {
	*testing.T
	page, directory, source string
	output                  string // of the last script
}

// write writes a file of the page.
func (g *guide) write(name, text string) {
	g.Helper()
	path := filepath.Join(g.directory, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		g.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		g.Fatal(err)
	}
}

// run runs a script of the page.
func (g *guide) run(line int, script string) {
	g.Helper()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = g.directory, append(os.Environ(), "PICAPROOF="+g.source)
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.Fatalf("docs/%s:%d: %v\n%s\n%s", g.page, line, err, script, out)
	}
	g.output = string(out)
}

// follow follows a page step by step. It skips the test if a tool is missing. Blocks that are marked
// as long run in a long run.
func follow(t *testing.T, page string, leastSteps int, tools ...string) *guide {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles programs and runs them for many seconds")
	}
	t.Parallel()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no compiler: %v", err)
		}
	}
	text, err := os.ReadFile("../docs/" + page)
	if err != nil {
		t.Fatal(err)
	}
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	g := &guide{T: t, page: page, directory: t.TempDir(), source: source}
	steps := 0
	for _, b := range blocks(string(text)) {
		switch {
		case b.language == "sh" && b.name == "long" && os.Getenv(long.Variable) == "":
			steps++
		case b.language == "sh":
			g.run(b.line, b.text)
			steps++
		case b.name != "":
			g.write(b.name, b.text)
		case b.language == "text":
			outputLines(t, b.text, g.output)
		default:
			t.Errorf("docs/%s:%d: a block of %q without a name", page, b.line, b.language)
		}
	}
	if steps < leastSteps {
		t.Errorf("docs/%s: %d steps", page, steps)
	}
	return g
}

// TestAdapterGuide follows docs/adapter.md.
func TestAdapterGuide(t *testing.T) {
	g := follow(t, "adapter.md", 8, "cc", "c++", "sh")
	g.write("catch2/catch_test_macros.hpp", catch2)
	g.run(0, fmt.Sprintf("c++ -std=c++17 -Wall -Wextra -I. -I%s -o tests test_shader.cpp && ./tests | grep R001",
		g.directory))
}

// TestAdapterGuidePython follows docs/adapter-python.md.
func TestAdapterGuidePython(t *testing.T) { follow(t, "adapter-python.md", 2, "python3", "sh") }

// TestAdapterGuideRust follows docs/adapter-rust.md.
func TestAdapterGuideRust(t *testing.T) { follow(t, "adapter-rust.md", 2, "rustc", "sh") }

// TestTutorials follows the pages whose steps need Go alone.
func TestTutorials(t *testing.T) {
	for _, page := range []string{"tutorial-writer.md", "tutorial-parser.md"} {
		t.Run(page, func(t *testing.T) { follow(t, page, 2, "go", "sh") })
	}
}
