package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// program is an executable vector under construction.
type program struct {
	corpus.Program
	file     []string          // outputs whose bits are stored for every profile
	observed map[string]string // observed behaviour of implementations, by profile
}

// programs makes the executable vectors.
func programs() (vectors, error) {
	list, err := regressions()
	if err != nil {
		return nil, err
	}
	made := vectors{}
	for _, p := range slices.Concat(list, classes(), conditions()) {
		if err := p.foresee(); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
		if err := made.add(p.Name, p.Program); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// foresee sets the expectations: the oracle's outcome of the job in every named profile.
// Profiles with equal outcomes are one expectation. It is an error if an implementation was
// observed to behave differently, or if the console's profile misses the wanted outputs.
func (p *program) foresee() error {
	c, err := expect.New(p.Program)
	if err != nil {
		return err
	}
	engine := impl.New()
	for _, name := range profile.Names() {
		set, _ := profile.ByName(name)
		job := c.Job(set)
		var out pica.Outcome
		if err := engine.Run(&job, &out); err != nil {
			return err
		}
		if seen, ok := p.observed[name]; ok {
			if err := confirm(c, seen, &out); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		e := corpus.Expectation{Profiles: []string{name}}
		var why string
		if e.Verdict, why = c.Verdict(&out); name == "hw" && e.Verdict == corpus.Other {
			return fmt.Errorf("hw%s", why)
		}
		if e.Outputs, err = p.filed(e.Verdict, &out); err != nil {
			return err
		}
		same := func(x corpus.Expectation) bool {
			return x.Verdict == e.Verdict && reflect.DeepEqual(x.Outputs, e.Outputs)
		}
		if k := slices.IndexFunc(p.Expect, same); k >= 0 {
			p.Expect[k].Profiles = append(p.Expect[k].Profiles, name)
		} else {
			p.Expect = append(p.Expect, e)
		}
	}
	return nil
}

// filed returns the outputs of the expectation: the outputs that the vector chooses and, if a
// run does not pass, the wanted outputs. A refusal has none.
func (p *program) filed(verdict string, out *pica.Outcome) (map[string][]string, error) {
	names := p.file
	if verdict != corpus.Pass && p.Want != nil {
		var want map[string]json.RawMessage
		if err := json.Unmarshal(p.Want, &want); err != nil {
			return nil, err
		}
		names = slices.AppendSeq(slices.Clone(names), maps.Keys(want))
		slices.Sort(names)
		names = slices.Compact(names)
	}
	if len(names) == 0 || out.Vertices[0].Trap.Cause == pica.TrapUnsupported {
		return nil, nil
	}
	return expect.Outputs(out, names)
}
