package command_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// TestContent: the hash changes with a program, a script and their names, and not with a file that a program
// writes.
func TestContent(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return name
	}
	core, script, log := write("core", "1", 0o777), write("core.py", "1", 0o666), write("log.txt", "1", 0o666)
	lines := []string{core + " --log " + log, "missing " + script, "cd / && A=1 '" + core + "'"}
	var before []string
	for _, line := range lines {
		before = append(before, command.Content(line))
	}
	write("log.txt", "2", 0o666)
	for k, line := range lines {
		if got := command.Content(line); got != before[k] || len(got) != 16 {
			t.Errorf("%s: %q, and %q after a run", line, before[k], got)
		}
	}
	write("core", "2", 0o777)
	write("core.py", "2", 0o666)
	for k, line := range lines {
		if got := command.Content(line); got == before[k] {
			t.Errorf("%s: the hash is the same for another program", line)
		}
	}
	if got := command.Content("missing --fast"); got != "" {
		t.Errorf("no program: %q", got)
	}
}
