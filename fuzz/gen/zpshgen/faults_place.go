package zpshgen

import (
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// Sizes of the entry headers.
const (
	entrySize3 = 28
	entrySize4 = 32
)

// placeFaults break the rules about where entries are: ZPSH010 to ZPSH012,
// ZPSH020 and ZPSH028.
var placeFaults = []gen.Fault{
	raw("ZPSH010", func(k kit) ([]byte, gen.Place) {
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		d := k.draft()
		at := d.Get(entryOffset(i))
		if k.Chance(4) {
			at = k.Within(0, math.MaxUint32/4) * 4
		}
		d.Set(entryOffset(i), at+k.Within(1, 3))
		return d.Bytes, d.Place(entryOffset(i))
	}),
	raw("ZPSH011", overlap),
	milder(model("ZPSH011", func(k kit) string {
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		k.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: i, Bytes: k.Data(4 * (1 + k.below(9)))}}}
		return entryOffset(i)
	})),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R3: cut in the last header
		k.use(zpsh.R3)
		d := k.draft()
		start := lastStart(k, d)
		return cutInLast(k, d, start+k.below(entrySize3))
	}),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R3: more entries than there are
		k.use(zpsh.R3)
		d := k.draft()
		d.Set("header.counts", d.Get("header.counts")+k.Within(1, uint64(0xFFF-len(k.Entries))))
		return d.Bytes, gen.Place{Off: len(d.Bytes), Path: entryPath(len(k.Entries))}
	}),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R4: cut in the last header
		k.use(zpsh.R4)
		i, _ := k.last()
		d := k.draft()
		return d.Bytes[:lastStart(k, d)+k.below(entrySize4)], d.Place(entryOffset(i))
	}),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R4: an offset near the end or behind it
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		d := k.draft()
		size := len(d.Bytes) - d.Off("entries[0].name")
		d.Set(entryOffset(i), 4*k.Within(uint64(size-entrySize4)/4+1, math.MaxUint32/4))
		return d.Bytes, d.Place(entryOffset(i))
	}, "ZPSH011"), // no entry before it reaches as far
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R4: an offset to the end
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		d := k.draft()
		d.Set(entryOffset(i), uint64(len(d.Bytes)-d.Off("entries[0].name")))
		return d.Bytes, d.Place(entryOffset(i))
	}, "ZPSH011"),
	raw("ZPSH020", func(k kit) ([]byte, gen.Place) { // cut in the last payload
		_, e := k.last()
		withPayload(k, e)
		d := k.draft()
		start := lastStart(k, d)
		payload := start + headerSize(k)
		i, _ := k.last()
		return d.Bytes[:payload+k.below(len(d.Bytes)-payload)], d.Place(entryPath(i))
	}),
	raw("ZPSH020", func(k kit) ([]byte, gen.Place) { // more registers than there is room for
		i, _ := k.last()
		d := k.draft()
		first := k.below(len(maskFields))
		for n := range maskFields {
			m := maskFields[(first+n)%len(maskFields)]
			path := entryField(i, m.field)
			if free := m.registers &^ d.Get(path); free != 0 {
				d.Set(path, d.Get(path)|k.Some(free))
				return d.Bytes, d.Place(entryPath(i))
			}
		}
		return d.Bytes[:len(d.Bytes)-1], d.Place(entryPath(i)) // every register has a payload
	}),
	model("ZPSH028", func(k kit) string {
		k.Layout = &zpsh.Layout{Tail: k.Data(1 + k.below(40))}
		return "tail"
	}),
}

// cutInLast ends an R3 file in the header of its last entry.
func cutInLast(k kit, d *gen.Draft, end int) ([]byte, gen.Place) {
	i, _ := k.last()
	start := lastStart(k, d)
	return d.Bytes[:end], gen.Place{Off: start, Len: end - start, Path: entryPath(i)}
}

// maskFields are the masks of an entry header, and the registers in them.
var maskFields = []struct {
	field     string
	registers uint64
}{
	{"int_mask", 1<<pica.NumInts - 1},
	{"float_mask0", math.MaxUint32},
	{"float_mask1", math.MaxUint32},
	{"float_mask2", math.MaxUint32},
	{"output_mask", 1<<pica.NumOutputs - 1},
}

// lastStart returns where the last entry starts.
func lastStart(k kit, d *gen.Draft) int {
	i, _ := k.last()
	return d.Off(entryField(i, "name"))
}

// headerSize returns the size of an entry header.
func headerSize(k kit) int {
	if k.Revision == zpsh.R4 {
		return entrySize4
	}
	return entrySize3
}

// withPayload gives an entry that has no payload a float.
func withPayload(k kit, e *zpsh.Entry) {
	if len(e.Ints)+len(e.Floats)+len(e.Outputs) == 0 {
		e.Floats = []zpsh.Float{{Register: uint8(k.below(pica.NumFloats))}}
	}
}

// overlap lets an entry start inside the constants of the one before it. What
// it takes of them is cut out, so that the two have the same bytes; constants
// can have any.
func overlap(k kit) ([]byte, gen.Place) {
	k.use(zpsh.R4)
	k.atLeast(2)
	i := 1 + k.below(len(k.Entries)-1)
	before := &k.Entries[i-1]
	before.Outputs = nil
	withPayload(k, before)
	d := k.draft()
	start := d.Off(entryField(i, "name"))
	constants := start - d.Off(entryField(i-1, "name")) - entrySize4
	shared := 4 * (1 + k.below(min(constants, len(d.Bytes)-start)/4))
	for j := i; j < len(k.Entries); j++ {
		d.Set(entryOffset(j), d.Get(entryOffset(j))-uint64(shared))
	}
	return slices.Delete(d.Bytes, start-shared, start), d.Place(entryOffset(i))
}
