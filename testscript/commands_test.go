//go:build linux || darwin

package testscript_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/cmd/cli"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/web"
)

// TestCommandsPageNamesAll: docs/commands.md names every command.
func TestCommandsPageNamesAll(t *testing.T) {
	page, err := os.ReadFile("../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range (cli.Tool{}).Command().Commands() {
		if name := cmd.CommandPath(); !strings.Contains(string(page), "`"+name) && !strings.Contains(string(page), "\n"+name+" ") {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestCommandsPage runs every line of docs/commands.md. A line may report findings; bad arguments
// and missing files fail the test. Blocks that are marked as long run under PICAPROOF_LONG=1.
func TestCommandsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts some forty processes")
	}
	t.Parallel()
	page, err := os.ReadFile("../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	corpus, err := filepath.Abs("../corpus")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(corpus, filepath.Join(directory, "corpus")); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, b := range blocks(string(page)) {
		if b.language != "sh" {
			t.Errorf("docs/commands.md:%d: a block of %q", b.line, b.language)
		}
		if b.name == "long" && os.Getenv(long.Variable) == "" {
			continue
		}
		if _, err := web.Built(); b.name == "page" && err != nil {
			continue
		}
		for i, line := range strings.Split(strings.TrimSpace(b.text), "\n") {
			if !strings.ContainsAny(line, "|;&") {
				line = "exec " + line // no second process
			}
			cmd := exec.Command("sh", "-c", line)
			cmd.Dir = directory
			out, err := cmd.CombinedOutput()
			lines++
			exit, ok := errors.AsType[*exec.ExitError](err)
			if err != nil && (!ok || exit.ExitCode() != 1) {
				t.Errorf("docs/commands.md:%d: %v\n%s\n%s", b.line+i, err, line, out)
			}
		}
	}
	if lines < 30 {
		t.Errorf("%d lines", lines)
	}
}
