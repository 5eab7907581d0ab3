package properties_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// answer is the answer of an engine to a job.
type answer struct {
	out pica.Outcome
	err error
}

// TestOrderOfJobs: a list of jobs gets the same answers, to the last remark, whether an engine
// runs it forwards or backwards or runs each job alone. The jobs take turns in all named
// profiles and in random combinations of knobs; an engine that does not implement a profile
// must refuse it in any order.
func TestOrderOfJobs(t *testing.T) {
	jobs := long.Few(200, 60)
	for n := range long.Numbers(t, 10, 1) {
		inAnyOrder(t, jobs, uint64(11+n))
	}
}

func inAnyOrder(t *testing.T, jobs int, seed uint64) {
	t.Helper()
	for _, mode := range gen.Modes {
		list := mixedProfiles(mode, jobs, seed)
		for _, create := range engines {
			t.Run(string(mode)+"/"+create().Name(), func(t *testing.T) {
				forwards, backwards := make([]answer, len(list)), make([]answer, len(list))
				engine := create()
				for k, job := range list {
					forwards[k] = answerOf(engine, job)
				}
				engine = create()
				for k, job := range slices.Backward(list) {
					backwards[k] = answerOf(engine, job)
				}
				for k, job := range list {
					alone := answerOf(create(), job)
					if !reflect.DeepEqual(alone, forwards[k]) || !reflect.DeepEqual(alone, backwards[k]) {
						t.Errorf("seed %d, job %d in %s depends on what ran before: %v", seed, k,
							profile.String(job.Profile),
							failure(job, "alone %v, forwards %v, backwards %v", ends(alone),
								ends(forwards[k]), ends(backwards[k])))
					}
				}
			})
		}
	}
}

// mixedProfiles draws jobs of a mode, each in another profile: named profiles in turn, then
// one with random knobs and opcodes.
func mixedProfiles(mode gen.Mode, jobs int, seed uint64) []*pica.Job {
	rng := rand.New(rand.NewPCG(seed, 0))
	names := profile.Names()
	list := make([]*pica.Job, jobs)
	for k := range list {
		job := new(gen.Generator).Job(gen.Seed(seed, uint64(k)), mode)
		job.Profile, _ = profile.ByName(names[k%len(names)])
		if k%(2*len(names)) >= len(names) {
			vary(rng, &job.Profile)
		}
		list[k] = job
	}
	return list
}

// vary changes a few knobs and opcodes of a profile at random.
func vary(rng *rand.Rand, p *pica.Profile) {
	for range 1 + rng.IntN(4) {
		k := rng.IntN(len(impl.Catalogue))
		impl.Catalogue[k].Set(p, rng.IntN(len(impl.Catalogue[k].Values)))
	}
	for range rng.IntN(3) {
		p.Support[rng.IntN(pica.NumOpcodes)] = pica.Support(rng.IntN(int(pica.NumSupports)))
	}
	p.Name = profile.String(*p)
}

// answerOf runs a job. Lists without elements are nil.
func answerOf(engine pica.Engine, job *pica.Job) (a answer) {
	a.err = engine.Run(job, &a.out)
	if a.err != nil {
		return answer{err: a.err}
	}
	for k := range a.out.Vertices {
		v := &a.out.Vertices[k]
		v.Primitives, v.Hazards = filled(v.Primitives), filled(v.Hazards)
		v.Skipped, v.Estimated = filled(v.Skipped), filled(v.Estimated)
	}
	return a
}

// filled returns a list, or nil if it has no elements.
func filled[T any](list []T) []T { return append([]T(nil), list...) }

// ends names how the vertices of a job ended.
func ends(a answer) (list []string) {
	if a.err != nil {
		return []string{a.err.Error()}
	}
	for k := range a.out.Vertices {
		list = append(list, a.out.Vertices[k].Trap.String())
	}
	return list
}
