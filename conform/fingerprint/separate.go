package fingerprint

import (
	"context"
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// Separator decides whether a job separates two profiles. It is not safe for concurrent use.
type Separator struct {
	a, b   *Predictor
	va, vb view.View
}

// NewSeparator returns a separator.
func NewSeparator() *Separator { return &Separator{a: NewPredictor(), b: NewPredictor()} }

// Separates reports whether a job has different predictions under two profiles. A prediction
// that says nothing differs only from a definite one.
func (s *Separator) Separates(job *pica.Job, a, b *pica.Profile) bool {
	s.a.View(job, a, &s.va)
	if s.va.End == view.Hung {
		return false
	}
	s.b.View(job, b, &s.vb)
	return Tells(job, &s.va, &s.vb)
}

// Tells reports whether a job separates two predictions: they are [Distinct], and neither is
// [Vague].
func Tells(job *pica.Job, a, b *view.View) bool {
	return Distinct(a, b) && !Vague(job, a) && !Vague(job, b)
}

// Vague reports whether a prediction has bits computed from an estimate, for which no tolerance
// is known. A copy of an estimate has its tolerance.
func Vague(job *pica.Job, v *view.View) bool {
	if len(v.Estimated) == 0 {
		return false
	}
	var from [pica.NumTemporaries]bool // temporaries that may hold an estimate
	for before := -1; before != count(from[:]); {
		before = count(from[:])
		for _, w := range job.Code {
			op := pica.OpcodeOf(w)
			info, l := &pica.Opcodes[op], op.Layout()
			reads := slices.ContainsFunc(l.Src[:info.Sources], func(f pica.Field) bool {
				n := f.Get(w) - pica.SourceTemporary
				return n < pica.NumTemporaries && from[n]
			})
			if reads && !info.Copies {
				return true
			}
			if n := l.Dest.Get(w) - pica.DestTemporary; n < pica.NumTemporaries && info.Writes&pica.WritesDest != 0 &&
				(reads || info.Precision != pica.PrecisionExact) {
				from[n] = true
			}
		}
	}
	return false
}

func count(list []bool) (n int) {
	for _, x := range list {
		if x {
			n++
		}
	}
	return n
}

// Distinct reports whether two predictions are not the same.
func Distinct(a, b *view.View) bool {
	if a.End == view.Missing || b.End == view.Missing || a.End == view.Hung || b.End == view.Hung {
		return false
	}
	if a.End == view.Unpredictable || b.End == view.Unpredictable {
		return !(a.End.Refuses() && b.End.Refuses())
	}
	return view.Compare(a, b, nil) == view.Differs
}

// Contradiction returns the first candidate of a seed that separates a model from the profile
// that a core follows, nil for none.
func Contradiction(core, model *pica.Profile, seed uint64, generated int) *pica.Job {
	s := NewSeparator()
	for job := range Candidates(seed, generated) {
		if s.Separates(job, model, core) {
			return job
		}
	}
	return nil
}

// Limits of the reduction of a job: a program that fills the program memory has to, and a job
// that is nearly minimal is small enough.
const (
	longest  = 500
	maxTries = 400
)

// Reduced makes a job that separates two profiles smaller.
func Reduced(ctx context.Context, job *pica.Job, a, b *pica.Profile) *pica.Job {
	if len(job.Code) > longest {
		return reduce.Clone(job)
	}
	r, err := reduce.Job(ctx, job, reduce.Jobs{NewKey: func() reduce.Key {
		s := NewSeparator()
		return func(j *pica.Job) string {
			if j.Initial == nil && s.Separates(j, a, b) {
				return "separates"
			}
			return ""
		}
	}}, reduce.Options{Workers: 1, MaxTries: maxTries})
	if err != nil {
		return reduce.Clone(job)
	}
	return r.Job
}
