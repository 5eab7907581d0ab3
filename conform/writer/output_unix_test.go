//go:build unix

package writer_test

import (
	"context"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
)

// TestNoOutput: an output that is no regular file is reported and never read.
func TestNoOutput(t *testing.T) {
	text := &source.Text{Files: []string{".proc main\nend\n.end\n"}, Entry: "main"}
	for line, want := range map[string]string{
		"true {in} {out}":              "no output file",
		"mkfifo {out} # {in}":          "an output that is no regular file (p---------)",
		"ln -s /dev/zero {out} # {in}": "an output that is no regular file (L---------)",
		"truncate -s 65M {out} # {in}": "an output file of 68157440 bytes",
	} {
		tool, err := writer.NewCommand(line, &source.Picasso, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		a, err := tool.Assemble(context.Background(), text)
		tool.Close()
		if err != nil || a.Fate != writer.Nothing || a.Message != want {
			t.Errorf("%s: %v, %v, %q, want %q", line, err, a.Fate, a.Message, want)
		}
	}
}
