//go:build linux || darwin

package testscript_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/internal/long"
)

// outputLines demands that the lines of a page occur in an output, in order; "..." stands for any
// lines.
func outputLines(t *testing.T, page, output string) {
	t.Helper()
	rest := strings.Split(output, "\n")
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if line == "..." {
			continue
		}
		for len(rest) > 0 && strings.TrimSpace(rest[0]) != line {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			t.Errorf("the page shows a line that is not printed, or in another order:\n%s\n\n%s", line, output)
			return
		}
	}
}

// TestReadmeShowsRealOutput runs the commands of the README's blocks that begin with a prompt,
// and the test that it shows.
func TestReadmeShowsRealOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a core and judges it")
	}
	t.Parallel()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skipf("no compiler: %v", err)
	}
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	for _, name := range []string{"corpus", "conform"} {
		target, err := filepath.Abs("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(directory, name)); err != nil {
			t.Fatal(err)
		}
	}
	blocksShown := 0
	for _, b := range blocks(string(page)) {
		if body, ok := strings.CutPrefix(b.text, "--- FAIL: TestParse (0.66s)\n"); ok {
			err := conform.Reader("shbin", func(b []byte) error {
				if len(b) >= 4 {
					b = append([]byte("DVLB"), b[4:]...)
				}
				_, err := shbin.Parse(b)
				return err
			})
			outputLines(t, body, err.Error())
			blocksShown++
		}
		if !strings.HasPrefix(b.text, "$ ") {
			continue
		}
		blocksShown++
		if strings.Contains(b.text, "conform core") && os.Getenv(long.Variable) == "" {
			continue // a hundred processes
		}
		var printed strings.Builder
		shown := ""
		for line := range strings.Lines(b.text) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				shown += line
				continue
			}
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir, cmd.Stdout = directory, &printed
			err := cmd.Run()
			if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != 1) {
				t.Fatalf("%s: %v", command, err)
			}
		}
		outputLines(t, shown, printed.String())
	}
	if blocksShown != 3 {
		t.Errorf("%d blocks with output, want 3", blocksShown)
	}
}
