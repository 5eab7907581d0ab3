package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/picaproof/picaproof/fuzz/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// models infers the model of cores that follow random profiles, and adds the jobs that
// contradict it until no candidate does.
func (s *search) models(seed uint64, count, generated int) {
	for k := range count {
		p := fingerprint.Random(rand.New(rand.NewPCG(seed, uint64(k))))
		before := len(s.jobs)
		for {
			model, _ := fingerprint.Infer(s.answers(&p))
			job := contradiction(&p, &model, generated)
			if job == nil {
				break
			}
			had := len(s.jobs)
			name := fmt.Sprintf("%s: %s", profile.String(p), profile.String(model))
			if s.add(name, fingerprint.Reduced(context.Background(), job, &model, &p)); len(s.jobs) == had {
				log.Printf("%s: the search keeps to %s", profile.String(p), profile.String(model))
				break
			}
		}
		log.Printf("seed %d, %d: %d new jobs", seed, k, len(s.jobs)-before)
	}
}

// answers returns what a core that follows a profile answers to the jobs.
func (s *search) answers(p *pica.Profile) (list []fingerprint.Answer) {
	predict := fingerprint.NewPredictor()
	for _, job := range s.jobs {
		got := new(view.View)
		predict.View(job, p, got)
		list = append(list, fingerprint.Answer{Job: job, Got: got})
	}
	return list
}

// contradiction returns the first candidate that tells a model from the profile that a
// core follows.
func contradiction(p, model *pica.Profile, generated int) *pica.Job {
	s := fingerprint.NewSeparator()
	for job := range fingerprint.Candidates(3, generated) {
		if s.Separates(job, model, p) {
			return job
		}
	}
	return nil
}
