package shbingen

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// dvlbFaults break rules about the DVLB header.
var dvlbFaults = []fault{
	{rule: "DVLB001", spoil: func(d *draft) place { return d.cut(0, dvlbHeaderSize-1) }},
	{rule: "DVLB004", spoil: func(d *draft) place {
		return d.replace(within(d.c, (d.size()-dvlbHeaderSize)/offsetSize+1, 1<<32-1), at("dvlb.count"))
	}},
	{rule: "DVLB004", spoil: func(d *draft) place {
		d.cut(dvlbHeaderSize, d.base()-1)
		return at("dvlb.count")
	}},
	{rule: "DVLB014", spoil: oddSize},
	{rule: "DVLB005", spoil: func(d *draft) place {
		i, low, high := d.freeOffsets()
		return d.replace(misaligned(d, low, high), offsetOf(i))
	}},
	{rule: "DVLB006", spoil: func(d *draft) place { // inside the table of offsets
		return d.replace(4*within(d.c, 0, d.base()/4-1), offsetOf(0))
	}},
	{rule: "DVLB006", spoil: func(d *draft) place { // or behind the file
		d.bare(len(d.m.DVLEs) - 1)
		return d.replace(4*within(d.c, (d.size()-dvleHeaderSize)/4+1, 1<<30-1), offsetOf(len(d.m.DVLEs)-1))
	}},
	{rule: "DVLB007", spoil: func(d *draft) place {
		i := d.neighbours()
		d.bare(i)
		near := d.get(offsetOf(i)) + 4*within[uint32](d.c, 1, dvleHeaderSize/4-1)
		return d.replace(near, offsetOf(i+1))
	}},
	// Equal offsets do not ascend either.
	{rule: "DVLB007", also: []string{"DVLB008"}, spoil: equalOffsets},
	{rule: "DVLB008", also: []string{"DVLB007"}, spoil: equalOffsets},
	{rule: "DVLB008", spoil: func(d *draft) place {
		i, j := d.twoDVLEs()
		j = gen.Only(d.c, j, i)
		l := d.layout(plan{})
		d.m.Layout = l
		d.m.DVLEs[i], d.m.DVLEs[j] = d.m.DVLEs[j], d.m.DVLEs[i]
		l.DVLEs[i], l.DVLEs[j] = l.DVLEs[j], l.DVLEs[i]
		return offsetOf(i + 1)
	}},
}

// bare removes all tables of a DVLE in a near miss. Its header then ends at the next header or at the end of the file.
func (d *draft) bare(i int) {
	if d.c.Near() {
		d.m.DVLEs[i].Tables = shbin.Tables{}
		setMasks(&d.m.DVLEs[i])
	}
}

func offsetOf(i int) place { return at("dvlb.offsets[%d]", i) }

func equalOffsets(d *draft) place {
	i := d.neighbours()
	return d.replace(d.get(offsetOf(i)), offsetOf(i+1))
}

// cut makes the file end early, at low to high bytes.
func (d *draft) cut(low, high uint32) place {
	n := within(d.c, low, high)
	out := d.bytes()
	out.Bytes = d.c.Cut(out.Bytes, int(n))
	return exactly("dvlb", n, 0)
}

// freeOffsets returns a DVLE and a range of more than one offset at which it is near no other DVLE.
func (d *draft) freeOffsets() (i int, low, high uint32) {
	i = d.anyDVLE()
	low, high = d.base(), d.size()-dvleHeaderSize
	offset := func(i int) uint32 { return d.get(offsetOf(i)) }
	if i+1 < len(d.m.DVLEs) {
		high = offset(i+1) - dvleHeaderSize
	}
	if i > 0 {
		low = offset(i-1) + dvleHeaderSize
	}
	if low == high {
		return 0, d.base(), offset(0) // the first one may go back to where the DVLP is
	}
	return i, low, high
}

// misaligned draws an offset from low to high, two different multiples of 4,
// that is no multiple of 4.
func misaligned(d *draft, low, high uint32) uint32 {
	return low + 4*within(d.c, 0, (high-low)/4-1) + within[uint32](d.c, 1, 3)
}

// oddSize lets the file end with a table of bytes, without padding.
func oddSize(d *draft) place {
	e := &d.m.DVLEs[len(d.m.DVLEs)-1]
	name, even := "odd", d.c.Near()
	for ((len(e.Symbols)+len(name)+1)%4 == 0) != even {
		name += "d"
	}
	o := d.object(e)
	o.AddLabel(o.AddName(name))
	d.m.Layout = d.layout(plan{odd: true})
	return exactly("dvlb", uint32(d.m.Layout.Size), 0)
}
