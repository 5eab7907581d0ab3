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

// models infers the models of cores that follow profiles, and adds candidates that contradict
// them until there are none.
func (s *search) models(list []pica.Profile, generated int) {
	for k, p := range list {
		before := len(s.jobs)
		for {
			model, _ := fingerprint.Infer(context.Background(), s.answers(&p))
			job := fingerprint.Contradiction(&p, &model, 3, generated)
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
		log.Printf("model %d: %d new jobs", k, len(s.jobs)-before)
	}
}

// answers returns the answers of a core that follows a profile to the jobs.
func (s *search) answers(p *pica.Profile) (list []fingerprint.Answer) {
	predict := fingerprint.NewPredictor()
	for _, job := range s.jobs {
		got := new(view.View)
		predict.View(job, p, got)
		list = append(list, fingerprint.Answer{Job: job, Got: got})
	}
	return list
}
