package bnshgen

import (
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

const pageSize = 0x1000

// poolFaults break the rules of the memory pool.
var poolFaults = []fault{
	{"BNSH035", roomy, smallerPool, notCanonical},
	{"BNSH040", nil, set(gen.OneOf(0), "container.pool.pointer", "pool.size", "pool.memory.pointer"), nil},
	{"BNSH040", nil, lost(0x50, 8, "container.pool.pointer"), nil},
	{"BNSH040", nil, set(gen.Between(1, pageSize-1).Added, "pool.size", "pool.memory.pointer"), nil},
	{"BNSH040", nil, set(pageOutside, "pool.memory.pointer"), nil},
	{"BNSH040", nil, set(tooManyPages, "pool.size"), nil},
	{"BNSH040", nil, nonzeroField("pool.reserved*", "pool.current_pool"), nil},
	// Without plain code all is packed.
	{"BNSH040", needs(empty, inZlib), set(gen.Other, "container.pool.pointer"), packed},
	{"BNSH041", nil, set(gen.OneOf(0), "pool.object.pointer"), nil},
	{"BNSH041", nil, lost(0x140, 8, "pool.object.pointer"), nil},
	{"BNSH041", nil, nonzeroByte("pool.object"), nil},
	{"BNSH042", nil, set(gen.Other, "pool.property"), nil},
}

// roomy appends a variation whose code ends so near to the end of a page that
// the memory pool has a page more.
func roomy(d *drawer, m *bnsh.File) {
	seen, end := map[string]bool{}, 0
	for c := range m.Codes() {
		if code := string(c.Code.Code); !seen[code] {
			seen[code] = true
			end += len(code)
		}
	}
	rest := 0x100 * gen.Breach(d.Choices, d.Below(5), 5)
	sized(pageSize-(end+rest)%pageSize)(d, m)
}

// smallerPool takes the last page from the memory pool.
func smallerPool(f *file) gen.Place {
	lost := gen.Only[uint32](f.Choices, pageSize, 0)
	f.Layout.Pool.Size -= lost
	f.Layout.Sections[codeSection].Size -= lost
	f.rewrite()
	return f.Place("pool.size")
}

// pageOutside draws a page outside the body.
func pageOutside(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	_, high := body(d)
	return gen.Pick(c,
		[]uint64{(high + pageSize - 1) / pageSize * pageSize, 1<<32 | d.Number(r), 1<<63 | d.Number(r)})
}

// tooManyPages draws a size of the memory pool that does not fit into the body.
func tooManyPages(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
	pages := tooMany("memory.pointer", pageSize)(c, d, r)
	return min(pages, gen.Largest(r.Len)/pageSize) * pageSize
}
