package cover

import (
	"cmp"
	"iter"
	"slices"
)

// holder is a job that is the smallest one to reach some point.
type holder struct {
	number, size int
	set          Set
}

// Minimise chooses few jobs that together reach every point that any of them reaches,
// smaller ones first. The sequence yields the size and the set of each job; the set may be
// reused. The result is the ascending list of their numbers in the sequence. Equal
// sequences give equal results. Memory grows with the number of points, not of jobs.
func Minimise(jobs iter.Seq2[int, *Set]) []int {
	var (
		smallest [NumPoints]*holder
		common   [NumPoints]int // jobs that reach a point
		number   int
	)
	for size, set := range jobs {
		var h *holder
		for p := range set.All() {
			common[p]++
			if smallest[p] != nil && smallest[p].size <= size {
				continue
			}
			if h == nil {
				h = &holder{number, size, *set}
			}
			smallest[p] = h
		}
		number++
	}

	// The rarest points have the fewest jobs to choose from, so they choose first.
	var order []Point
	for p := range smallest {
		if smallest[p] != nil {
			order = append(order, Point(p))
		}
	}
	slices.SortStableFunc(order, func(a, b Point) int { return cmp.Compare(common[a], common[b]) })
	var chosen []*holder
	var reached Set
	for _, p := range order {
		if !reached.Has(p) {
			chosen = append(chosen, smallest[p])
			reached.Union(&smallest[p].set)
		}
	}
	return numbers(indispensable(chosen))
}

// indispensable drops jobs all of whose points other jobs reach, the largest first.
func indispensable(chosen []*holder) []*holder {
	slices.SortFunc(chosen, func(a, b *holder) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(b.number, a.number))
	})
	var times [NumPoints]int
	for _, h := range chosen {
		for p := range h.set.All() {
			times[p]++
		}
	}
	return slices.DeleteFunc(chosen, func(h *holder) bool {
		for p := range h.set.All() {
			if times[p] == 1 {
				return false
			}
		}
		for p := range h.set.All() {
			times[p]--
		}
		return true
	})
}

func numbers(chosen []*holder) []int {
	list := make([]int, len(chosen))
	for k, h := range chosen {
		list[k] = h.number
	}
	slices.Sort(list)
	return list
}
