package cli

import (
	"bufio"
	"fmt"
	"io"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/show"
)

// trace prints a record for each instruction of each vertex.
func (a *app) trace(job *pica.Job) error {
	trapped := false
	err := a.text(func(w io.Writer) error {
		out := bufio.NewWriter(w)
		if !a.json() {
			fmt.Fprint(out, show.StepHeading())
		}
		runs, err := impl.Traces(job)
		if err != nil {
			return err
		}
		for i, steps := range runs {
			if len(job.Vertices) > 1 && !a.json() {
				fmt.Fprintf(out, "vertex %d\n", i)
			}
			for s := range steps {
				trapped = trapped || s.Trap.Cause != pica.TrapNone
				if a.json() {
					err = encoder(out, "").Encode(show.StepOf(job, i, s))
				} else {
					_, err = io.WriteString(out, show.StepText(job, s))
				}
				if err != nil {
					return err
				}
			}
		}
		return out.Flush()
	})
	return failedIf(trapped, err)
}

// breakpoint runs the first vertex until the instruction at pc is next, and prints the
// registers.
func (a *app) breakpoint(job *pica.Job, pc int) error {
	state, executed, err := compare.Until(job, pc)
	if err != nil {
		return err
	}
	if state == nil {
		return failure{fmt.Sprintf("the program ended after %s without coming to word %d",
			plural(executed, "instruction"), pc)}
	}
	return a.result(show.StateOf(job, pc, executed, state), false, func(w io.Writer, _ palette) {
		word := uint32(0)
		if pc < len(job.Code) {
			word = job.Code[pc]
		}
		fmt.Fprintf(w, "after %s, before word %d: %s\n%s", plural(executed, "instruction"), pc,
			asm.Format(word, job.Descriptors), show.StateText(job, state))
	})
}

// versusReport is the JSON report of run --versus.
type versusReport struct {
	Parted  bool       `json:"parted"`
	Profile string     `json:"profile,omitempty"`
	Versus  string     `json:"versus,omitempty"`
	Left    *show.Step `json:"left,omitempty"`
	Right   *show.Step `json:"right,omitempty"`
}

// versus runs each vertex under two profiles and prints the first instruction with different
// effects.
func (a *app) versus(job *pica.Job, other pica.Profile) error {
	second := *job
	second.Profile = other
	at, err := compare.Parting(job, &second)
	if err != nil {
		return err
	}
	if at == nil {
		return a.result(versusReport{}, false, func(w io.Writer, _ palette) {
			fmt.Fprintf(w, "%s and %s agree on every step\n", job.Profile.Name, other.Name)
		})
	}
	left, right := show.StepOf(job, at.Vertex, &at.Left), show.StepOf(&second, at.Vertex, &at.Right)
	r := versusReport{Parted: true, Profile: job.Profile.Name, Versus: other.Name, Left: &left, Right: &right}
	return a.result(r, true, func(w io.Writer, _ palette) {
		fmt.Fprintf(w, "vertex %d: %s and %s part\n%s%s%s", at.Vertex, job.Profile.Name, other.Name, show.StepHeading(),
			show.StepText(job, &at.Left), show.StepText(&second, &at.Right))
	})
}
