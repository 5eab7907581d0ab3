// Package expect serves this module: it turns the executable vectors of the corpus into jobs, and
// compares the outcomes of an engine with the expectations of the vectors.
package expect

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/pica"
)

// Case is a parsed executable vector.
type Case struct {
	corpus.Program
	job       pica.Job // without a profile
	want      want
	tolerance tolerance
}

// Cases returns the executable vectors of the corpus in the order of their
// numbers.
func Cases() ([]*Case, error) {
	programs, err := corpus.Programs()
	if err != nil {
		return nil, err
	}
	cases := make([]*Case, len(programs))
	for i, p := range programs {
		if cases[i], err = New(p); err != nil {
			return nil, err
		}
	}
	return cases, nil
}

// New reads a vector.
func New(p corpus.Program) (*Case, error) {
	c := &Case{Program: p}
	job, err := pica.ParseJob(p.Job, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	c.job = *job
	if p.Want != nil {
		if err := json.Unmarshal(p.Want, &c.want); err != nil {
			return nil, fmt.Errorf("%s: want: %w", p.Name, err)
		}
	}
	if c.tolerance, err = parseTolerance(p.Tolerance); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(c.want.outputs)), func(o output) bool { return o.unwritten }) {
		c.job.Initial = marked
	}
	return c, nil
}

// Job returns the vector's job in a profile. The job shares slices and pointers with c; the
// caller must not change the values behind them.
func (c *Case) Job(p pica.Profile) pica.Job {
	job := c.job
	job.Profile = p
	return job
}

// Judge returns nil if the outcome is the vector's expectation for the profile, otherwise the
// difference. It is also a difference if the outcome meets Want although the profile is known to
// miss it.
func (c *Case) Judge(profile string, out *pica.Outcome) error {
	e, ok := c.For(profile)
	if !ok {
		return fmt.Errorf("%s: no expectation for profile %s", c.Name, profile)
	}
	verdict, why := c.Verdict(out)
	if verdict != e.Verdict {
		return fmt.Errorf("%s: %s: got %s, want %s%s", c.Name, profile, verdict, e.Verdict, why)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Outputs)) {
		got, err := Outputs(out, []string{name})
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.Name, profile, err)
		}
		want := e.Outputs[name]
		if len(got[name]) != len(want) {
			return fmt.Errorf("%s: %s: got %d vertices, want %d", c.Name, profile, len(got[name]), len(want))
		}
		for k, text := range got[name] {
			if text != want[k] {
				return fmt.Errorf("%s: %s: %s of vertex %d: got %s, want %s", c.Name, profile, name, k, text, want[k])
			}
		}
	}
	return nil
}

// Verdict returns the verdict of an [corpus.Expectation] for the outcome. If the outcome misses
// Want, why is the difference, as the end of a sentence.
func (c *Case) Verdict(out *pica.Outcome) (verdict, why string) {
	for k := range out.Vertices {
		if t := out.Vertices[k].Trap; t.Cause != pica.TrapNone {
			return t.String(), ""
		}
	}
	if why := c.want.missed(c.tolerance, out); why != "" {
		return corpus.Other, ": " + why
	}
	return corpus.Pass, ""
}
