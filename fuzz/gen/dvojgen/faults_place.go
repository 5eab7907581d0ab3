package dvojgen

import (
	"github.com/picaproof/picaproof/fuzz/gen"
)

// placeFaults break the rules about where tables are: DVOJ011 and DVOJ012.
var placeFaults = []gen.Fault{
	raw("DVOJ011", func(k kit) ([]byte, gen.Place) { // so many that their size does not fit 32 bits
		k.withOperands(1) // so that no empty table follows the lines
		k.aLine()
		k.aLabel()
		d := k.draft()
		t := gen.Pick(k.Choices, []table{labels, lines})
		wraps := uint64(1) << 32 / uint64(shapes[t].size)
		d.Set(count(t), gen.Only(k.Choices, k.Within(wraps, wraps+d.Get(count(t))), d.Get(count(t))))
		return d.Bytes, d.Place(place(t))
	}),
	gen.OrElse(raw("DVOJ011", func(k kit) ([]byte, gen.Place) { // cut in the last table
		l := k.arranged()
		t, end := last(l)
		cut := k.Wrong(1, uint64(sizeOf(t, l.Tables[t])), 0)
		d := k.draft()
		return d.Bytes[:uint64(end)-cut], d.Place(place(t))
	}), "DVOJ204"), // without padding
	raw("DVOJ012", func(k kit) ([]byte, gen.Place) {
		var empty []table
		for t, n := range counts(k.File) {
			if n == 0 {
				empty = append(empty, table(t))
			}
		}
		if empty == nil {
			k.Constants, empty = nil, []table{constants}
		}
		path := place(gen.Pick(k.Choices, empty))
		d := k.draft()
		d.Change(k.Choices, path)
		return d.Bytes, d.Place(path)
	}),
}
