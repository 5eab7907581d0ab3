// Search finds the jobs of the fingerprint. For many profiles, and for each profile that differs
// from one of them in one answer, it finds a small job that separates the two. Then it finds
// jobs, for random profiles, that contradict the model of [fingerprint.Infer]; and, for some
// named profiles, jobs for every two combinations of values of every two knobs.
//
// With -more the stored jobs stay, including jobs that package fingerprint's TestOpenKnobs
// found, and the named profiles are not searched again. The pairs of a profile take half a
// minute and 4 GB of memory.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func main() {
	output := flag.String("o", "zjobs.jsonl.gz", "the file to write")
	random := flag.Int("random", 20, "random profiles that are told from those with one other answer")
	seed := flag.Uint64("seed", 20, "seed of the random profiles")
	generated := flag.Int("generated", 600, "generated candidates of each mode")
	more := flag.Bool("more", false, "keep the stored jobs, and add to them")
	bases := flag.String("bases", "hw,f32,azahar-x64,panda-interp",
		"named profiles whose pairs of knobs are told apart")
	models := flag.Int("models", 20,
		"random profiles, and as many near named ones, whose inferred model is held against candidates")
	flag.Parse()
	log.SetFlags(0)
	s := &search{seen: map[string]bool{}, separator: fingerprint.NewSeparator()}
	if *more {
		s.keep()
	} else {
		s.singles(sets(), *generated, true)
		s.singles(values(), *generated/5, false)
	}
	s.singles(randoms(*seed, *random), *generated/5, false)
	s.models(slices.Concat(randoms(*seed, *models), nears(*seed, *models)), *generated)
	for name := range strings.FieldsFuncSeq(*bases, func(r rune) bool { return r == ',' }) {
		p, ok := profile.ByName(name)
		if !ok {
			log.Fatalf("there is no profile %q", name)
		}
		s.pairs(p, *generated/5)
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, _ = z.Write(s.lines.Bytes()) // to memory
	_ = z.Close()
	if err := os.WriteFile(*output, packed.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

// keep starts with the stored jobs.
func (s *search) keep() {
	jobs, err := fingerprint.Jobs()
	if err != nil {
		log.Fatal(err)
	}
	s.jobs = slices.Clone(jobs)
	data, err := fingerprint.Data()
	if err != nil {
		log.Fatal(err)
	}
	s.lines.Write(data)
}

// singles separates each profile from all profiles that differ in one answer; supports adds the
// support of opcodes.
func (s *search) singles(list []pica.Profile, generated int, supports bool) {
	for i := range list {
		before := len(s.jobs)
		missing := s.separate(list[i], generated, supports)
		log.Printf("%d %s: %d jobs, %d new; not separated: %v", i, profile.String(list[i]), len(s.jobs),
			len(s.jobs)-before, missing)
	}
}

// sets lists the named sets.
func sets() (list []pica.Profile) {
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		list = append(list, p)
	}
	return list
}

// values lists each value of each knob in some named sets.
func values() (list []pica.Profile) {
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
	return list
}

// randoms lists the first n random profiles of a seed.
func randoms(seed uint64, n int) (list []pica.Profile) {
	for k := range n {
		list = append(list, fingerprint.Random(rand.New(rand.NewPCG(seed, uint64(k)))))
	}
	return list
}

// nears lists n named sets with other values for one to six knobs.
func nears(seed uint64, n int) (list []pica.Profile) {
	for k := range n {
		list = append(list, fingerprint.RandomNear(rand.New(rand.NewPCG(seed, uint64(k))), 1+k%6))
	}
	return list
}

type search struct {
	jobs  []*pica.Job
	lines bytes.Buffer
	seen  map[string]bool

	separator *fingerprint.Separator
}

// alternative is a profile that jobs must separate from another.
type alternative struct {
	name      string
	p         pica.Profile
	predictor *fingerprint.Predictor
}

// separate adds jobs until they separate p from every profile that differs from it in one
// answer. It returns the answers that no candidate separates.
func (s *search) separate(p pica.Profile, generated int, supports bool) (missing []string) {
	var open []*alternative
	for d := range fingerprint.Dimensions {
		dim := &fingerprint.Dimensions[d]
		for v := range dim.Values {
			if q, ok := dim.With(p, v); ok && v != dim.Get(&p) && (supports || dim.IsKnob()) {
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
			if fingerprint.Tells(job, &want, &got) {
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
