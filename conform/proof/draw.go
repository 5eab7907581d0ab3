package proof

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/pica"
)

// A draw is a further job that a trial may ask for.
type draw struct {
	job *pica.Job
	origin
}

// An origin says where a further job comes from.
type origin uint8

const (
	ofChange       origin = iota // the seed with one systematic change
	ofRepetition                 // the seed with a word that is executed a second time
	ofVariation                  // the seed with a few changes at random
	ofVariedChange               // the seed with a systematic change and a few at random
	ofCaller                     // [Search.Job]
	ofFarChange                  // the seed, perhaps with a systematic change, and many changes at random
)

// Numbers of jobs that are drawn beside the systematic changes, and of those that are far from the seed: they serve
// hypotheses that no other tells apart, and borders behind which no other lies.
const (
	drawn    = 600
	drawnFar = 1000
)

// draws returns further jobs that may tell hypotheses about a case apart.
func (s *Search) draws(c *Case, round uint64) iter.Seq[draw] {
	seed := c.Job
	round += maxRounds * uint64(len(s.causes))
	r := rand.New(rand.NewPCG(round, 0))
	others := otherwise(seed)
	near, flags := neighbours(seed), flagged(seed)
	changes := drawsOf(ofChange, alone(seed), primed(seed), flags, unread(seed), elsewhere(seed), nearer(seed), sized(seed),
		near, others)
	if c.Got.End == view.Crashed {
		changes = append(drawsOf(ofChange, addressed(seed)), changes...)
	}
	changes = append(changes, drawsOf(ofRepetition, repeated(seed))...)
	bases := slices.Concat(others, near, flags)
	return func(yield func(draw) bool) {
		for n := range drawn + len(changes) {
			var d draw
			switch k := n / 2; {
			case n%2 == 0 && k < len(changes):
				d = changes[k]
			case n%3 == 0 && s.Job != nil:
				d = draw{s.Job(uint64(n/3) + drawn*round), ofCaller}
			case len(bases) > 0 && r.IntN(3) == 0:
				d = draw{Vary(r, bases[r.IntN(len(bases))]), ofVariedChange}
			default:
				d = draw{Vary(r, seed), ofVariation}
			}
			if !yield(d) {
				return
			}
		}
		for range drawnFar {
			base := seed
			if len(bases) > 0 && r.IntN(2) == 0 {
				base = bases[r.IntN(len(bases))]
			}
			if !yield(draw{Vary(r, Vary(r, base)), ofFarChange}) {
				return
			}
		}
	}
}

func drawsOf(of origin, lists ...[]*pica.Job) (list []draw) {
	for _, job := range slices.Concat(lists...) {
		list = append(list, draw{job, of})
	}
	return list
}
