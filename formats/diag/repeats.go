package diag

import "iter"

// Repeats yields the index of each of n items whose key an earlier item has, and the index of
// the first item with that key. It serves rules that demand unique names.
func Repeats[K comparable](n int, key func(i int) K) iter.Seq2[int, int] {
	const few = 12 // up to this number comparing all pairs is faster than a map
	if n <= few {
		return func(yield func(int, int) bool) {
			for i := 1; i < n; i++ {
				k := key(i)
				for j := range i {
					if key(j) == k {
						if !yield(i, j) {
							return
						}
						break
					}
				}
			}
		}
	}
	return func(yield func(int, int) bool) {
		first := make(map[K]int, n)
		for i := range n {
			k := key(i)
			if j, seen := first[k]; !seen {
				first[k] = i
			} else if !yield(i, j) {
				return
			}
		}
	}
}
