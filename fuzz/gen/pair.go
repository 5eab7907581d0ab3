package gen

import "bytes"

// Overlay combines two files that differ from one base by a fault each: a byte that either fault changed is changed. ok
// is false if a size differs from the base, or if both changed a byte.
func Overlay(base, a, b []byte) (both []byte, ok bool) {
	if len(a) != len(base) || len(b) != len(base) {
		return nil, false
	}
	both = bytes.Clone(a)
	for i := range base {
		switch {
		case b[i] == base[i]:
		case a[i] != base[i]:
			return nil, false
		default:
			both[i] = b[i]
		}
	}
	return both, true
}
