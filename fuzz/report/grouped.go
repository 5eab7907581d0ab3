package report

// Grouped groups elements with the same key, in the order in which the keys appear.
func Grouped[T any](list []T, key func(x *T) string) (groups [][]T) {
	index := map[string]int{}
	for i := range list {
		k := key(&list[i])
		n, ok := index[k]
		if !ok {
			n = len(groups)
			index[k], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], list[i])
	}
	return groups
}
