package hunt

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// Command judges candidates of a reduction by a shell command.
type Command struct {
	text      string // {} is the path of the candidate
	line      *command.Line
	extension string // extension of the candidate's name
	timeout   time.Duration
}

// NewCommand returns a command that gets each candidate in a file with the extension of name,
// whose path replaces {} in the text. A command that exceeds the timeout fails. The caller
// closes it.
func NewCommand(text, name string, timeout time.Duration) (*Command, error) {
	if !strings.Contains(text, "{}") {
		return nil, fmt.Errorf("%q: want {} where the path of the candidate belongs", text)
	}
	line := command.NewUnbounded(strings.ReplaceAll(text, "{}", command.In))
	return &Command{text, line, filepath.Ext(name), timeout}, nil
}

// Close removes the candidates.
func (c *Command) Close() { c.line.Close() }

// Keeps returns a function that reports whether the command succeeds on data.
func (c *Command) Keeps(ctx context.Context) func(data []byte) bool {
	return func(data []byte) bool {
		r, err := c.line.Run(ctx, &command.Input{Files: [][]byte{data}, Extension: c.extension}, c.timeout)
		return err == nil && r.Exit.Succeeded()
	}
}

// Reproduce returns the command that shows the same for a file.
func (c *Command) Reproduce(file string) string { return strings.ReplaceAll(c.text, "{}", file) }
