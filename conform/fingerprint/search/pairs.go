package main

import (
	"context"
	"fmt"
	"log"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// combined is a profile that differs from a base in at most two knobs, with its prediction for
// the present job.
type combined struct {
	p         pica.Profile
	predictor *fingerprint.Predictor
	job       int // the number of the job of v
	v         view.View
}

func (c *combined) view(number int, job *pica.Job) *view.View {
	if c.job != number {
		if c.predictor == nil {
			c.predictor = fingerprint.NewPredictor()
		}
		c.predictor.View(job, &c.p, &c.v)
		c.job = number
	}
	return &c.v
}

// couple is two combinations of values of the same two knobs.
type couple struct{ a, b *combined }

// couples lists for every two knobs every two combinations of their values, the other
// knobs being as in base.
func couples(base pica.Profile) (list []couple) {
	known := map[pica.Knobs]*combined{}
	of := func(p pica.Profile) *combined {
		if known[p.Knobs] == nil {
			known[p.Knobs] = &combined{p: p}
		}
		return known[p.Knobs]
	}
	seen := map[couple]bool{}
	dims := fingerprint.Dimensions
	for i := range dims {
		for k := i + 1; k < len(dims); k++ {
			if !dims[i].IsKnob() || !dims[k].IsKnob() {
				continue
			}
			var grid []*combined
			for v := range dims[i].Values {
				p, ok := dims[i].With(base, v)
				for w := range dims[k].Values {
					if q, fits := dims[k].With(p, w); ok && fits {
						grid = append(grid, of(q))
					}
				}
			}
			for n, a := range grid {
				for _, b := range grid[:n] {
					if c := (couple{a, b}); a != b && !seen[c] && !seen[couple{b, a}] {
						seen[c] = true
						list = append(list, c)
					}
				}
			}
		}
	}
	return list
}

// pairs adds jobs until they separate every couple of a base that some candidate separates.
func (s *search) pairs(base pica.Profile, generated int) {
	open := couples(base)
	all, number, before := len(open), 0, len(s.jobs)
	separated := func(c couple, job *pica.Job) bool {
		return fingerprint.Tells(job, c.a.view(number, job), c.b.view(number, job))
	}
	filter := func(job *pica.Job) {
		number++
		rest := open[:0]
		for _, c := range open {
			if !separated(c, job) {
				rest = append(rest, c)
			}
		}
		open = rest
	}
	for _, job := range s.jobs {
		filter(job)
	}
	stored := len(open)
	for job := range fingerprint.Candidates(2, generated) {
		number++
		var found []couple
		for _, c := range open {
			if separated(c, job) {
				found = append(found, c)
			}
		}
		for _, c := range found {
			if s.added(c, before) {
				continue
			}
			name := fmt.Sprintf("%s: %s", profile.String(c.a.p), profile.String(c.b.p))
			s.add(name, fingerprint.Reduced(context.Background(), job, &c.a.p, &c.b.p))
		}
		if len(found) > 0 {
			filter(job)
		}
	}
	log.Printf("%s: %d couples, %d not separated by the jobs so far, %d by no candidate; %d jobs, %d new",
		profile.String(base), all, stored, len(open), len(s.jobs), len(s.jobs)-before)
}

// added reports whether one of the jobs after the first since jobs separates a couple.
func (s *search) added(c couple, since int) bool {
	for _, job := range s.jobs[since:] {
		if s.separator.Separates(job, &c.a.p, &c.b.p) {
			return true
		}
	}
	return false
}
