package hunt

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Command judges candidates of a reduction by a shell command.
type Command struct {
	text      string // with {} for the path of the candidate
	name      string // of the file
	directory string // that holds a directory for each worker
	timeout   time.Duration
}

// NewCommand returns a command that finds each candidate in a file of the given
// name, whose path takes the place of {} in the text. A command that runs longer
// than the timeout has failed. The caller closes it.
func NewCommand(text, name string, timeout time.Duration) (*Command, error) {
	if !strings.Contains(text, "{}") {
		return nil, fmt.Errorf("%q: want {} where the path of the candidate belongs", text)
	}
	directory, err := os.MkdirTemp("", "picaproof-reduce-")
	return &Command{text, name, directory, timeout}, err
}

// Close removes the candidates.
func (c *Command) Close() error { return os.RemoveAll(c.directory) }

// Keeps returns a function for one goroutine that reports whether the command
// succeeds on data.
func (c *Command) Keeps(ctx context.Context) func(data []byte) bool {
	directory, err := os.MkdirTemp(c.directory, "")
	path := filepath.Join(directory, c.name)
	text := strings.ReplaceAll(c.text, "{}", Quoted(path))
	return func(data []byte) bool {
		if err != nil || os.WriteFile(path, data, 0o666) != nil {
			return false
		}
		ctx, cancel := context.WithTimeout(ctx, c.timeout)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", text)
		cmd.WaitDelay = time.Second
		return cmd.Run() == nil
	}
}

// Reproduce returns the command that shows the same on a file.
func (c *Command) Reproduce(file string) string { return strings.ReplaceAll(c.text, "{}", file) }
