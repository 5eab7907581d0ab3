package bnshgen

import (
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
)

const pageSize = 0x1000

// poolFaults break the rules of the memory pool.
var poolFaults = []fault{
	{"BNSH035", roomy, smallerPool, notCanonical},
	{"BNSH040", nil, set(oneOf(0), "container.pool.pointer", "pool.size", "pool.memory.pointer"), nil},
	{"BNSH040", nil, lost(0x50, 8, "container.pool.pointer"), nil},
	{"BNSH040", nil, set(between(1, pageSize-1).added, "pool.size", "pool.memory.pointer"), nil},
	{"BNSH040", nil, set(pageOutside, "pool.memory.pointer"), nil},
	{"BNSH040", nil, set(tooManyPages, "pool.size"), nil},
	{"BNSH040", nil, nonzeroField("pool.reserved*", "pool.current_pool"), nil},
	// Without plain code all is packed.
	{"BNSH040", needs(empty, inZlib), set(other, "container.pool.pointer"), packed},
	{"BNSH041", nil, set(oneOf(0), "pool.object.pointer"), nil},
	{"BNSH041", nil, lost(0x140, 8, "pool.object.pointer"), nil},
	{"BNSH041", nil, nonzeroByte("pool.object"), nil},
	{"BNSH042", nil, set(other, "pool.property"), nil},
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
	return placeOf(f.pick("pool.size"))
}

// pageOutside draws a page outside the body.
func pageOutside(f *file, r diag.Region) uint64 {
	_, high := f.body()
	return gen.Pick(f.Choices,
		[]uint64{(high + pageSize - 1) / pageSize * pageSize, 1<<32 | f.value(r), 1<<63 | f.value(r)})
}

// tooManyPages draws a size of the memory pool that does not fit into the body.
func tooManyPages(f *file, r diag.Region) uint64 {
	pages := tooMany("memory.pointer", pageSize)(f, r)
	return min(pages, most(r)/pageSize) * pageSize
}
