// Package grouped serves this module: it groups the elements of a list.
package grouped

// By groups elements with the same key, in the order in which the keys appear.
func By[T any](list []T, key func(x *T) string) (groups [][]T) {
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
