package dvojgen

import (
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// placeFaults break the rules about where tables are: DVOJ010 to DVOJ012.
var placeFaults = []gen.Fault{
	misplaced("DVOJ010", func(k kit, size uint32, t table, x *shbin.Extent) bool {
		if t == symbols {
			return false
		}
		last := size - sizeOf(t, *x)
		x.Offset = 4*uint32(k.Within(headerSize/4, uint64(last/4-1))) + uint32(k.Within(1, 3))
		return true
	}),
	misplaced("DVOJ011", func(k kit, _ uint32, t table, x *shbin.Extent) bool {
		x.Offset = 4 * uint32(k.below(headerSize/4))
		if t == symbols {
			x.Offset = uint32(k.below(headerSize))
		}
		return true
	}),
	misplaced("DVOJ011", func(k kit, size uint32, t table, x *shbin.Extent) bool { // starts too late
		n := sizeOf(t, *x)
		step := min(shapes[t].size, 4)
		least := (size-n)/step + 1
		x.Offset = step * uint32(k.Within(uint64(least), uint64((math.MaxUint32-n)/step)))
		return true
	}),
	misplaced("DVOJ011", func(k kit, size uint32, t table, x *shbin.Extent) bool { // has too many entries
		least := (size-x.Offset)/shapes[t].size + 1
		x.Count = uint32(k.Within(uint64(least), uint64((math.MaxUint32-x.Offset)/shapes[t].size)))
		return true
	}),
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
	gen.MissBreaking(raw("DVOJ011", func(k kit) ([]byte, gen.Place) { // cut in the last table
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
		at := d.Break(k.Choices, d.Field(path), gen.Other, nil)
		return d.Bytes, at
	}),
}

// misplaced is a fault of the place of one table, in a file of a size whose last four bytes have no owner. Check does
// not look into a misplaced table. wrong changes the place and reports whether the table can have the fault; code can.
func misplaced(rule string, wrong func(k kit, size uint32, t table, x *shbin.Extent) bool) gen.Fault {
	return raw(rule, func(k kit) ([]byte, gen.Place) {
		l := k.arranged()
		d := k.draft()
		valid := slices.Clone(d.Bytes)
		d.Bytes = append(d.Bytes, 0, 0, 0, 0)
		t := k.aTable(l)
		if !wrong(k, uint32(len(d.Bytes)), t, &l.Tables[t]) {
			t = code
			wrong(k, uint32(len(d.Bytes)), t, &l.Tables[t])
		}
		settle(l)
		for t, x := range l.Tables {
			d.Set(place(table(t)), uint64(x.Offset))
			d.Set(count(table(t)), uint64(x.Count))
		}
		return gen.Only(k.Choices, d.Bytes, valid), d.Place(place(t))
	})
}

// aTable picks a table that is not empty.
func (k kit) aTable(l *dvoj.Layout) table {
	var list []table
	for t, x := range l.Tables {
		if x.Count > 0 {
			list = append(list, table(t))
		}
	}
	return gen.Pick(k.Choices, list)
}
