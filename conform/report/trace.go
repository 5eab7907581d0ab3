package report

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"
)

// Trace leads to the first executed instruction after which two runs differ.
type Trace struct {
	// Steps are the instructions before it, and the instruction twice, once for each run.
	Steps []Step `json:"steps,omitempty"`
	// Missing says why no instruction is known.
	Missing string `json:"missing,omitempty"`
}

// Step is an executed instruction.
type Step struct {
	Number      int    `json:"number"` // of executed instructions before it
	PC          int    `json:"pc"`
	Instruction string `json:"instruction,omitempty"`
	Operands    string `json:"operands,omitempty"` // after indexing, swizzle and negation
	// Whose is "" for a step that is the same in both runs, else "expected", "observed", "core" or
	// "console".
	Whose  string `json:"whose,omitempty"`
	Effect string `json:"effect"`
}

// Lines returns the trace as lines of text. A line leaves out what the line above has for the same step.
func (t *Trace) Lines() []string {
	if t.Missing != "" {
		return []string{"the first different step is not known: " + t.Missing}
	}
	var text strings.Builder
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for k := range t.Steps {
		s := &t.Steps[k]
		effect := s.Effect
		if s.Whose != "" {
			effect = s.Whose + ": " + cmp.Or(effect, "no effect")
		}
		row := []string{fmt.Sprintf("step %d", s.Number), fmt.Sprintf("word %d", s.PC), s.Instruction, s.Operands}
		if k > 0 {
			above := &t.Steps[k-1]
			for column, same := range []bool{s.Number == above.Number, s.PC == above.PC, s.Instruction == above.Instruction,
				s.Operands == above.Operands} {
				if same && s.Number == above.Number {
					row[column] = ""
				}
			}
		}
		fmt.Fprintf(columns, "%s\t%s\n", strings.Join(row, "\t"), effect)
	}
	columns.Flush() // a strings.Builder fails no write
	lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
	for k := range lines {
		lines[k] = strings.TrimRight(lines[k], " ")
	}
	return lines
}
