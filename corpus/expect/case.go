// Package expect turns the executable vectors of the corpus into jobs, and says
// whether what an engine makes of one is what the vector expects.
package expect

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/pica"
)

// Case is an executable vector, read.
type Case struct {
	corpus.Program
	job       pica.Job // in no profile
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

// Job returns the vector's job in a profile. The caller may change what does not
// lie behind a pointer or in a slice.
func (c *Case) Job(p pica.Profile) pica.Job {
	job := c.job
	job.Profile = p
	return job
}

// Judge returns nil if the outcome is what the vector expects of the profile,
// otherwise what is different. A vector that is met though the profile is known to
// miss it is different, too.
func (c *Case) Judge(profile string, out *pica.Outcome) error {
	e, ok := c.For(profile)
	if !ok {
		return fmt.Errorf("%s: nothing is expected of profile %s", c.Name, profile)
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

// Verdict returns what an [corpus.Expectation] calls the outcome, and of one that
// does not meet the vector what is wrong, to be put behind a sentence.
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
