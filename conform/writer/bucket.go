package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/pool"
)

// run is the common part of the runs of assemblers and of converters. T is the input of the
// tool.
type run[T any] struct {
	Options
	tool  Tool
	size  func(input T) int
	kept  int // the number of cases that a bucket keeps
	done  atomic.Int64
	first refusals // of right inputs before the generated ones

	mu      sync.Mutex
	buckets map[string]*bucket[T]
	notes   map[string]int
	failed  error

	warnings warnings
	// unsteady is set if the output of the tool for one input varies.
	unsteady bool
}

// bucket groups cases with findings of one key.
type bucket[T any] struct {
	report.Member
	cases []shownBy[T] // the smallest ones
}

// shownBy is an input with its finding.
type shownBy[T any] struct {
	*finding
	input  T
	number uint64
}

// newRun returns a run, and a context that ends with the time of the run.
func newRun[T any](ctx context.Context, tool Tool, o Options, kept int, size func(input T) int) (
	*run[T], context.Context, context.CancelFunc) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	o.Tries = cmp.Or(o.Tries, 400)
	ctx, cancel := pool.Within(ctx, o.MaxTime)
	r := &run[T]{Options: o, tool: tool, size: size, kept: kept, buckets: map[string]*bucket[T]{}, notes: map[string]int{},
		warnings: warnings{rules: map[string]*warned{}}}
	return r, ctx, cancel
}

// each calls do for the numbers below n, several at a time, until the context ends or the tool
// cannot be judged.
func (r *run[T]) each(ctx context.Context, n uint64, do func(k uint64) error) {
	r.fail(pool.Each(ctx, r.Jobs, int(min(n, math.MaxInt)), func(_ context.Context, k int) error {
		if err := do(uint64(k)); err != nil {
			return err
		}
		if done := r.done.Add(1); done%64 == 0 {
			r.Progress(fmt.Sprintf("%d sources", done))
		}
		return nil
	}))
}

// fail stores the first error that is not the end of a context.
func (r *run[T]) fail(err error) {
	if r.failed == nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		r.failed = err
	}
}

// count counts an outcome.
func (r *run[T]) count(c *report.Counts, f *finding) {
	switch {
	case f == nil:
		r.countAs(c, &c.Equal)
	case f.level == report.Crash:
		r.countAs(c, &c.Crash)
	case f.level == report.Hang:
		r.countAs(c, &c.Hang)
	default:
		r.countAs(c, &c.Differ)
	}
}

// countAs counts a job in one of the counts.
func (r *run[T]) countAs(c *report.Counts, in *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Run++
	*in++
}

// note counts a text.
func (r *run[T]) note(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes[text]++
}

// addNotes adds the table of the notes to a report, unless there are none.
func (r *run[T]) addNotes(to *report.Report, title string, columns ...string) {
	t := report.Table{Title: title, Columns: columns}
	for _, text := range slices.Sorted(maps.Keys(r.notes)) {
		t.Rows = append(t.Rows, []string{text, strconv.Itoa(r.notes[text])})
	}
	addTable(to, t)
}

// add adds a case to the bucket of its finding.
func (r *run[T]) add(number uint64, input T, f *finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := f.key()
	b := r.buckets[key]
	if b == nil {
		b = &bucket[T]{Member: report.Member{Key: key, Suite: "programs", Number: number}}
		r.buckets[key] = b
	}
	b.Count++
	b.Number = min(b.Number, number)
	b.cases = append(b.cases, shownBy[T]{f, input, number})
	slices.SortFunc(b.cases, func(x, y shownBy[T]) int {
		return cmp.Or(cmp.Compare(r.size(x.input), r.size(y.input)), cmp.Compare(x.number, y.number))
	})
	b.cases = b.cases[:min(len(b.cases), r.kept)]
}

// sorted returns the buckets in the order of their keys. It also decides whether the tool is
// unsteady.
func (r *run[T]) sorted() (list []*bucket[T]) {
	for _, key := range slices.Sorted(maps.Keys(r.buckets)) {
		b := r.buckets[key]
		r.unsteady = r.unsteady || b.cases[0].level == report.NotDeterministic
		list = append(list, b)
	}
	return list
}
