package shbingen

import "github.com/picaproof/picaproof/fuzz/gen"

// placeFaults break rules about the offsets of a DVLE's tables.
var placeFaults = []fault{
	{rule: "DVLE022", spoil: func(d *draft) place {
		i := d.anyDVLE()
		e := &d.m.DVLEs[i]
		sizes := counts(e)
		empty := indices(sizes[:], func(n int) bool { return n == 0 })
		if len(empty) == 0 {
			e.Constants, empty = nil, []int{constantTable}
		}
		k := gen.Pick(d.c, empty)
		d.m.Layout = d.layout(plan{})
		gen.Change(d.c, &d.m.Layout.DVLEs[i].Tables[k].Offset)
		return at("dvle[%d].%s.offset", i, tableNames[k])
	}},
}
