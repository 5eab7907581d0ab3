// Package reduce serves this module: it makes jobs and files smaller while they still show the same
// fault. It knows the instruction set, and the formats say which integers depend on the places of
// other bytes, so that dropping a part leaves the rest intact: flow targets and offsets are corrected.
//
// The caller's function says what a candidate shows: the key of a job (the bucket of its
// difference), or a verdict on the bytes of a file. A candidate replaces the best one if it
// is smaller in a fixed order (sizes first, then lexicographically) and shows the same. So
// reduction ends, its result does not depend on the number of workers, and it never drifts to
// another bucket.
package reduce

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"
)

// End says why a reduction stopped.
type End string

// The end states.
const (
	Minimal         End = "minimal"          // no smaller candidate shows the same
	BudgetExhausted End = "budget exhausted" // Options.MaxTries was reached
	Interrupted     End = "interrupted"      // the context ended
)

// Options limits a reduction. The zero Options is ready to use.
type Options struct {
	Workers  int // candidates judged at once; 0 means one for each processor
	MaxTries int // candidates judged in all; 0 means no limit
	// Memory has the verdicts of earlier runs of the same reduction; new ones are added.
	// Nil means a memory for this run only.
	Memory *Memory
	// Progress is called after each batch, from the goroutine of the caller. It
	// may be nil.
	Progress func(Report)
}

// Report counts what a reduction did.
type Report struct {
	End     End     `json:"end"`
	Tries   int     `json:"tries"`   // candidates judged, this run
	Skipped int     `json:"skipped"` // candidates that had been judged before
	Kinds   []Count `json:"kinds"`
}

// Count counts the candidates of one kind.
type Count struct {
	Kind  string `json:"kind"`
	Tries int    `json:"tries"`
	Kept  int    `json:"kept"`
}

// an edit makes a candidate; it reports false when it does not apply.
type edit[T any] func() (T, bool)

// kind is a kind of edits that make a value smaller.
type kind[T any] struct {
	name string
	// edits lists the edits of best, the boldest first.
	edits func(best T) []edit[T]
}

// search is one reduction. size is a complete description of a value, in the
// order in which values are compared.
type search[T any] struct {
	kinds  []kind[T]
	size   func(v T) []uint64
	judges []func(v T) bool // one for each worker
	opts   Options
	memory *Memory
	report Report

	best     T
	bestSize []uint64
}

// newSearch prepares a search from best, which is interesting.
func newSearch[T any](best T, kinds []kind[T], size func(T) []uint64, judge func() func(T) bool,
	opts Options) *search[T] {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	s := &search[T]{kinds: kinds, size: size, opts: opts, memory: opts.Memory, best: best, bestSize: size(best)}
	if s.memory == nil {
		s.memory = new(Memory)
	}
	for range opts.Workers {
		s.judges = append(s.judges, judge())
	}
	for _, k := range kinds {
		s.report.Kinds = append(s.report.Kinds, Count{Kind: k.name})
	}
	return s
}

// run applies all kinds until none of them finds a smaller value.
func (s *search[T]) run(ctx context.Context) {
	for improved := true; improved; {
		improved = false
		for k := range s.kinds {
			for {
				kept := s.sweep(ctx, k)
				if s.report.End != "" {
					return
				}
				if !kept {
					break
				}
				improved = true
			}
		}
	}
	s.report.End = Minimal
}

// candidate is a value to be judged.
type candidate[T any] struct {
	value T
	size  []uint64
	hash  hash
	at    int // position among the edits
	good  bool
}

// sweep walks once through the candidates of a kind. After a success it continues at the same
// position among the candidates of the new best. It reports whether there was a success.
func (s *search[T]) sweep(ctx context.Context, k int) (kept bool) {
	edits := s.kinds[k].edits(s.best)
	for at := 0; at < len(edits); {
		batch, next := s.gather(edits, at)
		if s.report.End != "" || !s.judge(ctx, k, batch) {
			return kept
		}
		at = next
		if i := slices.IndexFunc(batch, func(c candidate[T]) bool { return c.good }); i >= 0 {
			s.best, s.bestSize, at, kept = batch[i].value, batch[i].size, batch[i].at, true
			s.report.Kinds[k].Kept++
			edits = s.kinds[k].edits(s.best)
		}
		if s.opts.Progress != nil {
			s.opts.Progress(s.report)
		}
	}
	return kept
}

// gather collects smaller candidates from position at, as many as there are workers, and
// returns the position where to continue. A candidate that is known to be good ends the batch;
// known bad ones are left out. If no more may be judged, the search ends.
func (s *search[T]) gather(edits []edit[T], at int) (batch []candidate[T], next int) {
	room := len(s.judges)
	if s.opts.MaxTries > 0 {
		room = min(room, s.opts.MaxTries-s.report.Tries)
	}
	for ; at < len(edits) && len(batch) < max(room, 1); at++ {
		v, ok := edits[at]()
		if !ok {
			continue
		}
		size := s.size(v)
		if slices.Compare(size, s.bestSize) >= 0 {
			continue
		}
		h := hashOf(size)
		good, known := s.memory.get(h)
		if slices.ContainsFunc(batch, func(c candidate[T]) bool { return c.hash == h }) || known && !good {
			s.report.Skipped++
			continue
		}
		if good {
			s.report.Skipped++
			return append(batch, candidate[T]{v, size, h, at, good}), at + 1
		}
		if room <= 0 {
			s.report.End = BudgetExhausted
			return nil, at
		}
		batch = append(batch, candidate[T]{v, size, h, at, good})
	}
	return batch, at
}

// judge judges a batch, all candidates at once. It reports false if the reduction is over.
func (s *search[T]) judge(ctx context.Context, k int, batch []candidate[T]) bool {
	var workers sync.WaitGroup
	for i := range batch {
		if batch[i].good {
			continue
		}
		s.report.Tries++
		s.report.Kinds[k].Tries++
		try := func() { batch[i].good = s.judges[i](batch[i].value) }
		if i == len(batch)-1 { // a new goroutine costs more than a quick judgement
			try()
		} else {
			workers.Go(try)
		}
	}
	workers.Wait()
	if ctx.Err() != nil { // a judgement may be incomplete
		s.report.End = Interrupted
		return false
	}
	for i := range batch {
		s.memory.store(batch[i].hash, batch[i].good)
	}
	return true
}

type hash [16]byte

func hashOf(size []uint64) (h hash) {
	b := make([]byte, 0, 8*len(size))
	for _, v := range size {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	sum := sha256.Sum256(b)
	copy(h[:], sum[:])
	return h
}
