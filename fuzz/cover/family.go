package cover

import "fmt"

// A family is a set of points along up to three axes. Some combinations may not exist.
type family struct {
	group  Group
	name   string // a format that takes one label of each axis
	axes   [][]string
	exists func(i, j, k int) bool // nil: all exist

	stride [2]int // of the first two axes
	points []Point
}

// at returns the point of a combination. It is None for a combination that does not exist
// or lies outside the axes, which a broken executor can cause.
func (f *family) at(i, j, k int) Point {
	n := i*f.stride[0] + j*f.stride[1] + k
	if uint(n) >= uint(len(f.points)) {
		return None
	}
	return f.points[n]
}

// number numbers the points of all families.
func number(families []*family) []*family {
	last := None
	for _, f := range families {
		size := [3]int{1, 1, 1}
		for n, labels := range f.axes {
			size[n] = len(labels)
		}
		f.stride = [2]int{size[1] * size[2], size[2]}
		f.points = make([]Point, 0, size[0]*size[1]*size[2])
		for i := range size[0] {
			for j := range size[1] {
				for k := range size[2] {
					p := None
					if f.exists == nil || f.exists(i, j, k) {
						last++
						p = last
					}
					f.points = append(f.points, p)
				}
			}
		}
	}
	return families
}

// label returns the name of a combination.
func (f *family) label(at ...int) string {
	labels := make([]any, len(f.axes))
	for n := range labels {
		labels[n] = f.axes[n][at[n]]
	}
	return fmt.Sprintf(f.name, labels...)
}
