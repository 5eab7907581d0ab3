package dvojgen

import "github.com/picaproof/picaproof/fuzz/gen"

// placeFaults break DVOJ012.
var placeFaults = []gen.Fault{
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
		at := d.Break(k.Choices, d.Field(path), gen.Other, nil)
		return d.Bytes, at
	}),
}

// cutTable breaks DVOJ011 with a file that ends in its last table.
var cutTable = gen.MissBreaking(raw("DVOJ011", func(k kit) ([]byte, gen.Place) {
	l := k.arranged()
	t, end := last(l)
	cut := k.Wrong(1, uint64(sizeOf(t, l.Tables[t])), 0)
	d := k.draft()
	return d.Bytes[:uint64(end)-cut], d.Place(place(t))
}), "DVOJ204") // without padding
