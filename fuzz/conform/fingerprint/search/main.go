// Search finds the jobs of the fingerprint: for many profiles, and each answer that
// differs in one of them, a small job that tells the two apart. Then, for some named
// profiles, the same for every two combinations of values of every two knobs; and for
// random profiles, jobs that contradict the model that [fingerprint.Infer] finds.
//
// With -more the stored jobs stay, among them those that package fingerprint's
// TestOpenKnobs found. The pairs of a profile take half a minute and 4 GB of memory.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func main() {
	output := flag.String("o", "zjobs.jsonl", "the file to write")
	random := flag.Int("random", 20, "random profiles besides the named ones")
	generated := flag.Int("generated", 600, "generated candidates of each mode")
	more := flag.Bool("more", false, "keep the jobs of the file, and add those for pairs of knobs")
	bases := flag.String("bases", "hw,f32,azahar-x64,panda-interp", "named profiles whose pairs of knobs are told apart")
	models := flag.Int("models", 20, "random profiles whose inferred model is held against candidates")
	flag.Parse()
	log.SetFlags(0)
	s := &search{seen: map[string]bool{}, separator: fingerprint.NewSeparator()}
	if *more {
		s.keep()
	} else {
		s.singles(*random, *generated)
	}
	s.models(20, *models, *generated/5)
	for name := range strings.FieldsFuncSeq(*bases, func(r rune) bool { return r == ',' }) {
		p, ok := profile.ByName(name)
		if !ok {
			log.Fatalf("there is no profile %q", name)
		}
		s.pairs(p, *generated/5)
	}
	if err := os.WriteFile(*output, s.lines.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

// keep begins with the jobs that are stored.
func (s *search) keep() {
	jobs, err := fingerprint.Jobs()
	if err != nil {
		log.Fatal(err)
	}
	s.jobs = slices.Clone(jobs)
	s.lines.Write(fingerprint.Data())
}

// singles separates each profile from those that differ in one answer.
func (s *search) singles(random, generated int) {
	for i, p := range profiles(random) {
		plain := i < len(profile.Names()) || i%8 == 0 // else the support of opcodes is left out
		n := generated
		if i >= len(profile.Names()) {
			n /= 5
		}
		missing := s.separate(p, n, plain)
		log.Printf("%d %s: %d jobs; not separated: %v", i, profile.String(p), len(s.jobs), missing)
	}
}

// profiles lists the named sets, each value of each knob in some of them, and random
// combinations.
func profiles(random int) (list []pica.Profile) {
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		list = append(list, p)
	}
	for _, name := range []string{"f24", "f32"} {
		p, _ := profile.ByName(name)
		for d := range fingerprint.Dimensions {
			dim := &fingerprint.Dimensions[d]
			for v := range dim.Values {
				if q, ok := dim.With(p, v); ok && v != dim.Get(&p) && len(dim.Values) > 2 && dim.IsKnob() {
					list = append(list, q)
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(12, 1))
	for range random {
		list = append(list, fingerprint.Random(r))
	}
	return list
}

type search struct {
	jobs  []*pica.Job
	lines bytes.Buffer
	seen  map[string]bool

	separator *fingerprint.Separator
}

// alternative is a profile that is to be told from another.
type alternative struct {
	name      string
	p         pica.Profile
	predictor *fingerprint.Predictor
}

// separate adds jobs until every profile that differs from p in one answer is told
// from it, and returns the answers for which no candidate does.
func (s *search) separate(p pica.Profile, generated int, plain bool) (missing []string) {
	var open []*alternative
	for d := range fingerprint.Dimensions {
		dim := &fingerprint.Dimensions[d]
		for v := range dim.Values {
			if q, ok := dim.With(p, v); ok && v != dim.Get(&p) && (plain || dim.IsKnob()) {
				name := fmt.Sprintf("%s %s, %s", dim.Name, dim.Values[dim.Get(&p)].Name, dim.Values[v].Name)
				open = append(open, &alternative{name, q, fingerprint.NewPredictor()})
			}
		}
	}
	base := fingerprint.NewPredictor()
	var want, got view.View
	try := func(job *pica.Job, found func(a *alternative)) {
		base.View(job, &p, &want)
		if want.End == view.Hung || want.End == view.Missing {
			return
		}
		rest := open[:0]
		for _, a := range open {
			a.predictor.View(job, &a.p, &got)
			if fingerprint.Distinct(&want, &got) {
				found(a)
			} else {
				rest = append(rest, a)
			}
		}
		open = rest
	}
	for _, job := range s.jobs {
		try(job, func(*alternative) {})
	}
	for job := range fingerprint.Candidates(1, generated) {
		if len(open) == 0 {
			break
		}
		try(job, func(a *alternative) {
			s.add(profile.String(p)+": "+a.name, fingerprint.Reduced(context.Background(), job, &p, &a.p))
		})
	}
	for _, a := range open {
		missing = append(missing, a.name)
	}
	return missing
}

// add stores a job.
func (s *search) add(separates string, job *pica.Job) {
	job.Profile = pica.Profile{}
	data, err := json.Marshal(job)
	if err != nil {
		log.Fatal(err)
	}
	if s.seen[string(data)] {
		return
	}
	s.seen[string(data)] = true
	line, err := json.Marshal(fingerprint.Stored{Separates: separates, Job: data})
	if err != nil {
		log.Fatal(err)
	}
	s.lines.Write(append(line, '\n'))
	s.jobs = append(s.jobs, view.Portable(job))
}
