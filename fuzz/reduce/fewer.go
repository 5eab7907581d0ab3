package reduce

import "slices"

// maxFewer bounds the number of calls of shows.
const maxFewer = 100

// Fewer drops elements of a list that shows does not need: first all but the last ones, then
// runs of halving length.
func Fewer[T any](list []T, shows func([]T) bool) []T {
	tries := 0
	try := func(candidate []T) bool {
		tries++
		return tries <= maxFewer && shows(candidate)
	}
	for n := 1; n < len(list); n *= 2 {
		if last := list[len(list)-n:]; try(last) {
			list = last
			break
		}
	}
	for n := len(list) / 2; n > 0; n /= 2 {
		for at := 0; at+n <= len(list) && len(list) > n; {
			if rest := slices.Concat(list[:at], list[at+n:]); try(rest) {
				list = rest
			} else {
				at += n
			}
		}
	}
	return list
}
