package gen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// Regions returns the regions of the draft.
func (d *Draft) Regions() []diag.Region { return d.regions }

// Named adds a field that the regions of the draft do not name: n bytes at an offset.
func (d *Draft) Named(off, n int, path string) diag.Region {
	r := diag.Region{Off: off, Len: n, Path: path}
	d.fields[path] = r
	return r
}

// At returns the place of the field at an offset. It panics if no field starts there, which is a mistake of the
// generator.
func (d *Draft) At(off int) Place {
	i := slices.IndexFunc(d.regions, func(r diag.Region) bool { return r.Off == off })
	return d.Place(d.regions[i].Path)
}

// Match returns the regions whose path matches one of the patterns, in the order of the patterns. A star stands for
// anything without a dot.
func (d *Draft) Match(patterns ...string) (found []diag.Region) {
	for _, pattern := range patterns {
		for _, r := range d.regions {
			if matches(pattern, r.Path) {
				found = append(found, r)
			}
		}
	}
	return found
}

func matches(pattern, path string) bool {
	for i := 0; i < len(pattern); i++ {
		if pattern[i] == '*' {
			for n := i; !matches(pattern[i+1:], path[n:]); n++ {
				if n == len(path) || path[n] == '.' {
					return false
				}
			}
			return true
		}
		if i == len(path) || pattern[i] != path[i] {
			return false
		}
	}
	return len(pattern) == len(path)
}
