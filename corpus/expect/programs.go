package expect

import (
	"fmt"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/pica"
)

// Programs is the result of an engine for the executable vectors.
type Programs struct {
	Engine   string   `json:"engine"`
	Vectors  int      `json:"vectors"`
	Evidence int      `json:"evidence"` // vectors with another source than our oracle
	Locks    int      `json:"locks"`    // vectors that only record the present answer of the oracle
	Profiles []string `json:"profiles"`
	Runs     int      `json:"runs"`
	Wrong    []string `json:"wrong"`
}

// JudgePrograms runs the executable vectors on an engine under each profile.
func JudgePrograms(e pica.Engine, profiles []string, parse func(name string) (pica.Profile, error)) (*Programs, error) {
	cases, err := Cases()
	if err != nil {
		return nil, err
	}
	d := &Programs{Engine: e.Name(), Vectors: len(cases), Profiles: profiles, Wrong: []string{}}
	for _, c := range cases {
		if c.Provenance == corpus.Oracle {
			d.Locks++
		}
	}
	d.Evidence = d.Vectors - d.Locks
	var out pica.Outcome
	for _, name := range profiles {
		p, err := parse(name)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			job := c.Job(p)
			if err := e.Run(&job, &out); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
			d.Runs++
			if err := c.Judge(name, &out); err != nil {
				d.Wrong = append(d.Wrong, err.Error())
			}
		}
	}
	return d, nil
}
