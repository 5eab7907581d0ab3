package conform

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/proof"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Referee says which rule of a job's profile decides between two cores with different answers to the job, or that none
// does. The answer that the profile predicts may be that of one core by chance: so a rule decides only if it is what
// the cores differ in. It is if some model predicts the answers of one core, and the model with another rule those of
// the other, to the job and to the same program with other numbers.
func Referee(ctx context.Context, job *pica.Job, cores [2]adapter.Core) string {
	var want view.View
	job = view.Portable(job)
	fingerprint.NewPredictor().View(job, &job.Profile, &want)
	name := cmp.Or(job.Profile.Name, profile.String(job.Profile))
	none := "no known rule of " + name + " decides: "
	if want.End == view.Trapped {
		return none + "it is undefined there: " + want.Cause.String()
	}
	shown := [2][]proof.Case{}
	for _, j := range append([]*pica.Job{job}, otherNumbers(job)...) {
		for k, core := range cores {
			shown[k] = append(shown[k], proof.Case{Job: j, Got: view.OfAnswer(core.Ask(ctx, j)).Clone()})
		}
	}
	var all, winners []string
	for _, c := range contested(shown) {
		names := [2]string{cores[c.follows].Name(), cores[1-c.follows].Name()}
		all = append(all, fmt.Sprintf("%s: %s; %s: %s", c.rule, names[0], c.change, names[1]))
		if winner := c.winner(&job.Profile, names); !slices.Contains(winners, winner) {
			winners = append(winners, winner)
		}
	}
	switch {
	case len(all) == 0:
		return none + "no single rule tells one core from the other"
	case len(winners) > 1:
		return none + "the cores differ in one of several: " + strings.Join(all, ", or ")
	case winners[0] == "":
		return none + "nobody has measured it: " + all[0]
	}
	return fmt.Sprintf("%s agrees with %s: %s", name, winners[0], all[0])
}

// A contest is what two cores may differ in: a model predicts the answer of one of them, and the model with another
// value of a question, or with a fault, that of the other.
type contest struct {
	follows   int                    // the core that the model predicts
	dimension *fingerprint.Dimension // nil for a fault
	values    [2]int                 // of the model, and of the other core
	rule      string                 // "dp=left", or the sentence that a fault breaks
	change    string                 // "dp=pairwise", or the name of the fault
}

// winner returns the name of the core that has the answer of a profile to the question, "neither", or "" if the answer
// is the console's and nobody has measured it. The core without a fault is right.
func (c *contest) winner(p *pica.Profile, names [2]string) string {
	if c.dimension == nil {
		return names[0]
	}
	hw, value := profile.HW(), c.dimension.Get(p)
	class := c.dimension.Values[value].Class
	if value == c.dimension.Get(&hw) && class != impl.Console && class != impl.Documented {
		return ""
	}
	if k := slices.Index(c.values[:], value); k >= 0 {
		return names[k]
	}
	return "neither"
}

// otherNumbers returns a job with other inputs, float uniforms and integers, as far as it runs to its end with them.
func otherNumbers(job *pica.Job) (list []*pica.Job) {
	const several, seed = 16, 1
	r, predict := rand.New(rand.NewPCG(seed, 0)), fingerprint.NewPredictor()
	for range several {
		j := reduce.Clone(job)
		for i := range j.Vertices {
			for n := range j.Vertices[i] {
				for lane := range j.Vertices[i][n] {
					j.Vertices[i][n][lane] = math.Float32bits(float32(r.NormFloat64()))
				}
			}
		}
		for i := range j.Floats {
			u := &j.Floats[i]
			for n := range u.Values {
				for lane := range u.Values[n] {
					u.Values[n][lane] = u.Format.Narrow(math.Float32bits(float32(r.NormFloat64())))
				}
			}
		}
		for n := range j.Ints {
			j.Ints[n] = [4]uint8{uint8(r.IntN(8)), uint8(r.IntN(16)), uint8(r.IntN(4))}
		}
		var want view.View
		if predict.View(j, &j.Profile, &want); want.End == view.Ended {
			list = append(list, j)
		}
	}
	return list
}

// contested returns what the answers of two cores may differ in. The job's own profile and the console's come before
// other models. Of each question the first contest counts; a fault counts only if no question does.
func contested(shown [2][]proof.Case) (list []*contest) {
	models := []pica.Profile{shown[0][0].Job.Profile, profile.HW()}
	for _, name := range profile.Names() {
		if p, ok := profile.ByName(name); ok {
			models = append(models, p)
		}
	}
	for _, find := range []func(p pica.Profile, cases []proof.Case) []*contest{otherRules, fault} {
		for _, p := range models {
			for follows := range shown {
				if !predicts(&p, shown[follows]) {
					continue
				}
				for _, c := range find(p, shown[1-follows]) {
					c.follows = follows
					if !slices.ContainsFunc(list, func(o *contest) bool { return o.dimension == c.dimension }) {
						list = append(list, c)
					}
				}
			}
		}
		if len(list) > 0 {
			break
		}
	}
	return list
}

// predicts reports whether a profile predicts answers, the first of them exactly.
func predicts(p *pica.Profile, cases []proof.Case) bool {
	predict := fingerprint.NewPredictor()
	for i, c := range cases {
		var want view.View
		predict.View(c.Job, p, &want)
		if r := view.Compare(&want, c.Got, nil); r == view.Differs || i == 0 && r != view.Same {
			return false
		}
	}
	return true
}

// otherRules returns the questions with another answer to which a model predicts the answers of a core.
func otherRules(p pica.Profile, cases []proof.Case) (list []*contest) {
	for i := range fingerprint.Dimensions {
		d := &fingerprint.Dimensions[i]
		own := d.Get(&p)
		for v := 0; v < len(d.Values) && d.IsKnob() && d.Concerns(cases[0].Job); v++ {
			if q, ok := d.With(p, v); ok && v != own && predicts(&q, cases) {
				list = append(list, &contest{dimension: d, values: [2]int{own, v}, rule: d.Spelled(own), change: d.Spelled(v)})
				break
			}
		}
	}
	return list
}

// fault returns the simplest fault with which a model predicts the answers of a core.
func fault(p pica.Profile, cases []proof.Case) []*contest {
	h := (&proof.Search{Profile: p}).Simplest(cases)
	if h == nil {
		return nil
	}
	return []*contest{{rule: h.Rule, change: h.String()}}
}
