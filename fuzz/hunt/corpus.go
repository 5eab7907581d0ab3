package hunt

import (
	"errors"
	"slices"

	"github.com/picaproof/picaproof/fuzz/cover"
)

// replay judges again the cases of the corpus that belong to targets of this run. It ends at the first
// one that the worker did not judge, with ErrInterrupted.
func (r *run) replay(visit func(entry int, data []byte, reached *cover.Set)) (err error) {
	c := r.newCrew()
	defer func() { err = errors.Join(err, c.Close()) }()
	for i, e := range r.Corpus {
		target := slices.IndexFunc(r.targets, func(t Target) bool { return t.Name == e.Target })
		if target < 0 {
			continue
		}
		var result Result
		if err := c.judge(target, e.Number, &result); err != nil {
			return err
		}
		data, err := c.data(target, e.Number)
		if err != nil {
			return err
		}
		visit(i, data, &result.Reached)
	}
	return nil
}

// minimise drops cases from the corpus while the rest reaches the same points. Cases of targets
// outside this run stay.
func (r *run) minimise() error {
	var (
		replayed []int // numbers of entries
		failed   error
	)
	chosen := cover.Minimise(func(yield func(int, *cover.Set) bool) {
		failed = r.replay(func(entry int, data []byte, reached *cover.Set) {
			replayed = append(replayed, entry)
			yield(len(data), reached)
		})
	})
	if errors.Is(failed, ErrInterrupted) {
		return nil // the corpus stays as it is
	}
	if failed != nil {
		return failed
	}
	dropped := map[int]bool{}
	for _, entry := range replayed {
		dropped[entry] = true
	}
	for _, k := range chosen {
		dropped[replayed[k]] = false
	}
	var corpus []Entry
	for i, e := range r.Corpus {
		if !dropped[i] {
			corpus = append(corpus, e)
		}
	}
	r.Corpus = corpus
	return nil
}
