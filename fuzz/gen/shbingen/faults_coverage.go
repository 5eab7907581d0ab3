package shbingen

import (
	"bytes"
	"fmt"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// coverageFaults break rules about bytes that have no owner, or several.
var coverageFaults = []fault{
	{rule: "DVLB010", spoil: func(d *draft) place {
		i, j := d.twoDVLEs()
		d.object(&d.m.DVLEs[j]).constant(gen.Pick(d.c, allTypes))
		d.m.DVLEs[i] = d.m.DVLEs[j]
		sizes := counts(&d.m.DVLEs[j])
		k := gen.Pick(d.c, indices(sizes[:], func(n int) bool { return n > 0 }))
		return d.inside(part{owner: i, table: k, of: j})
	}},
	{rule: "DVLB009", spoil: func(d *draft) place {
		i, j := d.twoDVLEs()
		all := &d.m.DVLEs[j]
		all.Constants = append(all.Constants[:0:0], Constant(d.c, shbin.Float), Constant(d.c, shbin.Bool),
			Constant(d.c, shbin.Int))
		from := d.c.Below(3)
		n := within(d.c, 1, min(3-from, 2))
		d.m.DVLEs[i].Constants = all.Constants[from : from+n]
		return d.inside(part{owner: i, table: constantTable, of: j, from: from})
	}},
	{rule: "DVLB009", spoil: namesInside},
	{rule: "DVLB011", spoil: leave(gap{zero: true})},
	{rule: "DVLB012", spoil: leave(gap{})},
	{rule: "DVLB013", spoil: leave(gap{tail: true, zero: true})},
	{rule: "DVLB013", spoil: leave(gap{tail: true})},
	// All of them can share as much as may be.
	{rule: "DVLB010", also: []string{"DVLB010"}, spoil: func(d *draft) place {
		d.c.OnlyValid()
		d.shareSymbols(0)
		shared := d.bytes().Place("dvle[0].symbols")
		return exactly("dvle[1].symbols", uint32(shared.Off), shared.Len)
	}},
	{rule: "DVLB015", missBreaks: []string{"DVLB010"}, spoil: func(d *draft) place {
		return at("dvle[%d]", d.shareSymbols(gen.Breach(d.c, 1+4*within[uint32](d.c, 0, 250), 0)))
	}},
}

// inside lays the file out with a table inside another and says where it is.
func (d *draft) inside(p part) place {
	l := d.layout(plan{parts: gen.Only(d.c, []part{p}, nil)})
	d.m.Layout = l
	x := l.DVLEs[p.owner].Tables[p.table]
	second := p.owner
	if p.from == 0 && p.of > p.owner {
		second = p.of // of two tables at one offset
	}
	return exactly(fmt.Sprintf("dvle[%d].%s", second, tableNames[p.table]), l.DVLEs[p.owner].Offset+x.Offset,
		int(l.DVLEs[second].Tables[p.table].Count*tableSizes[p.table]))
}

// leave lays the file out with a gap.
func leave(g gap) func(d *draft) place {
	return func(d *draft) place {
		drawn := g
		drawn.size = within[uint32](d.c, 1, 20)
		d.m.Layout = d.layout(plan{gap: gen.Only(d.c, &drawn, nil)})
		return exactly("gap", drawn.off, drawn.n)
	}
}

// namesInside places the file names over bytes of another region. Only the number of file names has a rule.
func namesInside(d *draft) place {
	p := &d.m.DVLP
	p.Lines, p.FileNames = nil, nil
	d.m.Layout = d.layout(plan{})
	out, base := d.bytes(), d.base()
	var starts, ends []uint32
	for _, b := range d.blocks(d.m.Layout, nil) {
		off := base
		if b.owner != dvlp {
			off = d.m.Layout.DVLEs[b.owner].Offset
		}
		if b.extent != nil {
			off += b.extent.Offset
		}
		for end := off + b.size; end > off; end-- {
			// the second of two regions
			if start, ok := lastNames(out.Bytes[off:end], len(d.m.DVLEs)); ok && start > 0 {
				starts, ends = append(starts, off+uint32(start)), append(ends, end)
			}
		}
	}
	i := d.c.Below(len(starts))
	d.replace(starts[i]-base, fileNameTable.offset())
	d.replace(ends[i]-starts[i], fileNameTable.count())
	return exactly("dvlp.file_names", starts[i], int(ends[i]-starts[i]))
}

// lastNames returns where the last n names start that end with b.
func lastNames(b []byte, n int) (start int, ok bool) {
	if b[len(b)-1] != 0 || bytes.Count(b, []byte{0}) < n {
		return 0, false
	}
	start = len(b)
	for range n {
		start = bytes.LastIndexByte(b[:start-1], 0) + 1
	}
	return start, true
}

// maxTableFactor bounds the tables of all DVLEs together, as a multiple of the
// file size.
const maxTableFactor = 8

// shareSymbols lets many DVLEs have the same symbols, as long as they may be or
// some bytes longer, and returns the first DVLE with which the tables are too
// much.
func (d *draft) shareSymbols(longer uint32) (first int) {
	p := &d.m.DVLP
	p.Lines, p.FileNames, d.m.DVLEs = nil, nil, nil
	n := 1 + maxTableFactor + d.c.Below(maxTableFactor)
	var parts []part
	for i := range n {
		d.addDVLE(shbin.VertexShader)
		d.m.DVLEs[i].Tables = shbin.Tables{Labels: []shbin.Label{Label(d.c, 0, uint32(len(p.Code)))}}
		setMasks(&d.m.DVLEs[i])
		if i < n-1 {
			parts = append(parts, part{owner: i, table: symbolTable, of: n - 1})
		}
	}
	others := uint32(d.layout(plan{}).Size)
	beyond := func(size uint32) int {
		return int(maxTableFactor * align4(others+size) / (tableSizes[labelTable] + size))
	}
	size := uint32(1)
	for beyond(size+1) >= n {
		size++
	}
	size += longer
	for i := range d.m.DVLEs {
		d.m.DVLEs[i].Symbols = append(bytes.Repeat([]byte{'s'}, int(size-1)), 0)
	}
	d.m.Layout = d.layout(plan{parts: parts})
	return beyond(size)
}
