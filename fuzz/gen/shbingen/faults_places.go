package shbingen

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// placeFaults break rules about the offsets of a DVLE's tables.
var placeFaults = []fault{
	{rule: "DVLE020", spoil: func(d *draft) place {
		t := d.aTable(d.c.Below(symbolTable))
		last := t.last(d)
		if last == dvleHeaderSize { // the only place, so make room
			d.out.Bytes = append(d.out.Bytes, make([]byte, gen.Only(d.c, 4, 0))...)
			last += 4
		}
		t.Offset = misaligned(d, dvleHeaderSize, last)
		return t.move(d)
	}},
	{rule: "DVLE021", spoil: func(d *draft) place {
		t := d.anyTable()
		t.Offset = t.aligned(within[uint32](d.c, 0, dvleHeaderSize-1))
		return t.move(d)
	}},
	{rule: "DVLE021", spoil: func(d *draft) place {
		t := d.anyTable()
		t.Offset = t.aligned(within(d.c, t.last(d)+t.step(), t.farthest()))
		return t.move(d)
	}},
	{rule: "DVLE021", spoil: func(d *draft) place { // at the end of the file
		t := d.anyTable()
		t.Offset = d.size() - t.base
		return t.move(d)
	}},
	{rule: "DVLE021", spoil: func(d *draft) place {
		t := d.anyTable()
		room := (d.size() - t.base - t.Offset) / tableSizes[t.table]
		t.Count = within(d.c, room+1, t.farthest()/tableSizes[t.table])
		return t.move(d)
	}},
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

// dvleTable is a table of a DVLE that is not empty, in the written file.
type dvleTable struct {
	dvle, table int
	base        uint32 // where the DVLE is
	followers   int    // empty tables behind it in the header, which say where it ends
	shbin.Extent
}

func (d *draft) anyTable() dvleTable { return d.aTable(d.c.Below(symbolTable + 1)) }

// aTable returns a table of a kind.
func (d *draft) aTable(k int) dvleTable {
	t := dvleTable{dvle: d.anyDVLE(), table: k}
	e := &d.m.DVLEs[t.dvle]
	switch o := d.object(e); k {
	case constantTable:
		o.constant(gen.Pick(d.c, allTypes))
	case outputTable:
		o.output()
	case uniformTable:
		o.uniform()
	default:
		o.Label()
	}
	setMasks(e)
	sizes := counts(e)
	for _, n := range sizes[k+1:] {
		if n > 0 {
			break
		}
		t.followers++
	}
	t.base = d.get(offsetOf(t.dvle))
	t.Offset, t.Count = d.get(t.offset(k)), d.get(t.count())
	return t
}

func (t dvleTable) offset(k int) place { return at("dvle[%d].%s.offset", t.dvle, tableNames[k]) }

func (t dvleTable) count() place {
	name := "count"
	if t.table == symbolTable {
		name = "size"
	}
	return at("dvle[%d].%s.%s", t.dvle, tableNames[t.table], name)
}

// last returns the last offset at which the table fits into the file.
func (t dvleTable) last(d *draft) uint32 {
	return d.size() - t.base - t.Count*tableSizes[t.table]
}

// step is the distance between two offsets that the table can have.
func (t dvleTable) step() uint32 {
	if t.table == symbolTable {
		return 1
	}
	return 4
}

// aligned returns the last offset up to off that the table can have.
func (t dvleTable) aligned(off uint32) uint32 { return off - off%t.step() }

// farthest returns an offset that is as high as can be, and the end of the
// table still one where followers need it.
func (t dvleTable) farthest() uint32 {
	if t.followers > 0 {
		return 1 << 31
	}
	return 1<<32 - 1
}

// move writes the wrong offset of the table, and the offsets of the tables behind it.
func (t dvleTable) move(d *draft) place {
	d.replace(t.Count, t.count())
	for k := range t.followers {
		d.replace(t.Offset+t.Count*tableSizes[t.table], t.offset(t.table+1+k))
	}
	return d.replace(t.Offset, t.offset(t.table))
}
