package gen

import "bytes"

// Overlay combines two files that were spoilt from one base: what either changed
// is changed. ok is false when they have another size than the base or changed
// the same bytes.
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
