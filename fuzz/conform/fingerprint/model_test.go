package fingerprint_test

import (
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/fuzz/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// contradicted returns the first candidate of which a core that follows p answers
// otherwise than the model inferred from its answers predicts.
func contradicted(p, model *pica.Profile, seed uint64, generated int) *pica.Job {
	core, predict := fingerprint.NewPredictor(), fingerprint.NewPredictor()
	var want, got view.View
	for job := range fingerprint.Candidates(seed, generated) {
		core.View(job, p, &got)
		predict.View(job, model, &want)
		if got.End != view.Unpredictable && view.Compare(&want, &got, nil) == view.Differs {
			return job
		}
	}
	return nil
}

// pair returns a named profile with other values for two knobs.
func pair(r *rand.Rand) (p pica.Profile) {
	names := profile.Names()
	p, _ = profile.ByName(names[r.IntN(len(names))])
	for changed := 0; changed < 2; {
		dim := &fingerprint.Dimensions[r.IntN(len(fingerprint.Dimensions))]
		v := r.IntN(len(dim.Values))
		if q, ok := dim.With(p, v); ok && dim.IsKnob() && v != dim.Get(&p) {
			p = q
			changed++
		}
	}
	return p
}

// TestPairsOfKnobs: a core whose model is a named profile but for two knobs follows the
// model that is inferred from its answers.
func TestPairsOfKnobs(t *testing.T) {
	const seed, n = 34, 6
	list := []pica.Profile{}
	for _, text := range []string{"hw,rcp=estimate,overflow=largest", "f32,rcp=estimate,overflow=largest"} {
		p, err := profile.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	for k := range n {
		list = append(list, pair(rand.New(rand.NewPCG(seed, uint64(k)))))
	}
	if testing.Short() {
		list = list[:2]
	}
	for k := range list {
		p := &list[k]
		model, unexplained := fingerprint.Infer(answersOf(t, *p))
		if job := contradicted(p, &model, 1, 60); job != nil || unexplained > 0 {
			t.Errorf("seed %d: %s: found %s, %d answers unexplained, contradicted by %v",
				seed, profile.String(*p), profile.String(model), unexplained, job)
		}
	}
}
