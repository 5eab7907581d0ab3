package hunt

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/show"
)

// JobCase is a job for display and for JSON: its program with its inputs, the job as data, and
// the command that repeats its difference.
type JobCase struct {
	Instructions int             `json:"instructions"`    // eight NOPs and more in a row count as one
	Words        int             `json:"words,omitempty"` // of the program, if more than Instructions
	Job          json.RawMessage `json:"job"`
	Assembly     string          `json:"assembly"`
	Inputs       []string        `json:"inputs"`
	Text         string          `json:"difference,omitempty"`
	Reproduce    string          `json:"reproduce"`
	Reduction    reduce.Report   `json:"reduction"`
}

// NewJobCase returns a reduced job as a case without a difference and without a command.
func NewJobCase(r reduce.JobResult) (*JobCase, error) {
	data, err := json.Marshal(r.Job)
	if err != nil {
		return nil, err
	}
	shader := pica.Shader{Program: r.Job.Program, Entry: r.Job.Entry, Stage: r.Job.Stage, OutMask: r.Job.OutMask}
	var listing strings.Builder
	if err := asm.Disassemble(&listing, &shader, asm.Options{Fold: true}); err != nil {
		return nil, err
	}
	c := &JobCase{Job: data, Assembly: listing.String(), Inputs: show.Inputs(r.Job), Reduction: r.Report}
	c.Instructions = strings.Count("\n"+c.Assembly, "\n\t")
	if words := len(r.Job.Code); words != c.Instructions {
		c.Words = words
	}
	return c, nil
}

// String returns the case as lines to be written under a heading.
func (c *JobCase) String() string {
	var b strings.Builder
	if c.Text != "" {
		fmt.Fprintf(&b, "  %s\n", c.Text)
	}
	for line := range strings.Lines(c.Assembly) {
		fmt.Fprint(&b, strings.TrimRight("    "+line, " \n"), "\n")
	}
	for _, line := range c.Inputs {
		fmt.Fprintf(&b, "    %s\n", line)
	}
	if c.Words > 0 {
		fmt.Fprintf(&b, "  program of %s\n", show.Plural(c.Words, "word"))
	}
	fmt.Fprintf(&b, "  %s, %s\n  %s\n\n", c.Reduction.End, show.Plural(c.Reduction.Tries, "candidate"), c.Reproduce)
	return b.String()
}
