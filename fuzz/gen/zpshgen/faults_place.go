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
	gen.MissBreaking(raw("ZPSH010", func(k kit) ([]byte, gen.Place) {
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		if k.Near() {
			k.Layout = &zpsh.Layout{Gaps: []zpsh.Gap{{Entry: i, Bytes: make([]byte, 4)}}}
		}
		d := k.draft()
		at := d.Get(entryOffset(i))
		if k.Chance(4) {
			at = k.Within(0, math.MaxUint32/4) * 4
		}
		d.Set(entryOffset(i), gen.Breach(k.Choices, at+k.Within(1, 3), d.Get(entryOffset(i))))
		return d.Bytes, d.Place(entryOffset(i))
	}), "ZPSH011"), // at another multiple of 4
	raw("ZPSH011", overlap),
	milder(model("ZPSH011", func(k kit) string {
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		gap := zpsh.Gap{Entry: i, Bytes: k.Data(4 * (1 + k.below(9)))}
		k.Layout = gen.Only(k.Choices, &zpsh.Layout{Gaps: []zpsh.Gap{gap}}, nil)
		return entryOffset(i)
	})),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R3: cut in the last header
		k.use(zpsh.R3)
		k.bare()
		d := k.draft()
		start := lastStart(k, d)
		return cutInLast(k, d, start+k.below(entrySize3))
	}),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R3: the count exceeds the number of entries
		k.use(zpsh.R3)
		d := k.draft()
		d.Set("header.counts", d.Get("header.counts")+k.Nonzero(uint64(0xFFF-len(k.Entries))))
		return d.Bytes, gen.Place{Off: len(d.Bytes), Path: entryPath(len(k.Entries))}
	}),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R4: cut in the last header
		k.use(zpsh.R4)
		i := k.bare()
		d := k.draft()
		return k.Cut(d.Bytes, lastStart(k, d)+k.below(entrySize4)), d.Place(entryOffset(i))
	}),
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R4: an offset near the end or behind it
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		k.bare()
		d := k.draft()
		size := len(d.Bytes) - d.Off("entries[0].name")
		wrong := 4 * k.Within(uint64(size-entrySize4)/4+1, math.MaxUint32/4)
		d.Set(entryOffset(i), gen.Breach(k.Choices, wrong, d.Get(entryOffset(i))))
		return d.Bytes, d.Place(entryOffset(i))
	}, "ZPSH011"), // no entry before it reaches as far
	raw("ZPSH012", func(k kit) ([]byte, gen.Place) { // R4: an offset to the end
		k.use(zpsh.R4)
		i, _ := k.anEntry()
		d := k.draft()
		end := uint64(len(d.Bytes) - d.Off("entries[0].name"))
		d.Set(entryOffset(i), gen.Only(k.Choices, end, d.Get(entryOffset(i))))
		return d.Bytes, d.Place(entryOffset(i))
	}, "ZPSH011"),
	raw("ZPSH020", func(k kit) ([]byte, gen.Place) { // cut in the last payload
		_, e := k.last()
		withPayload(k, e)
		d := k.draft()
		start := lastStart(k, d)
		payload := start + headerSize(k)
		i, _ := k.last()
		return k.Cut(d.Bytes, payload+k.below(len(d.Bytes)-payload)), d.Place(entryPath(i))
	}),
	raw("ZPSH020", func(k kit) ([]byte, gen.Place) { // the masks name more registers than the file has bytes for
		i, _ := k.last()
		d := k.draft()
		first := k.below(len(maskFields))
		for n := range maskFields {
			m := maskFields[(first+n)%len(maskFields)]
			path := entryField(i, m.field)
			if free := m.registers &^ d.Get(path); free != 0 {
				d.Set(path, d.Get(path)|k.Flip(free))
				return d.Bytes, d.Place(entryPath(i))
			}
		}
		return k.Cut(d.Bytes, len(d.Bytes)-1), d.Place(entryPath(i)) // every register has a payload
	}),
	model("ZPSH028", func(k kit) string {
		k.Layout = &zpsh.Layout{Tail: k.Data(gen.Only(k.Choices, 1+k.below(40), 0))}
		return "tail"
	}),
}

// bare returns the last entry. In a near miss it has nothing but its header, with which the
// file then ends.
func (k kit) bare() int {
	i, e := k.last()
	if k.Near() {
		e.Ints, e.Floats, e.Outputs = nil, nil, nil
	}
	return i
}

// cutInLast ends an R3 file in the header of its last entry.
func cutInLast(k kit, d *gen.Draft, end int) ([]byte, gen.Place) {
	i, _ := k.last()
	start := lastStart(k, d)
	return k.Cut(d.Bytes, end), gen.Place{Off: start, Len: end - start, Path: entryPath(i)}
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

// overlap lets an entry start inside the constants of the entry in front. It cuts these bytes out of the entry, so that
// both entries have the same bytes; constants can have any.
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
	shared := 4 * gen.Breach(k.Choices, 1+k.below(min(constants, len(d.Bytes)-start)/4), 0)
	for j := i; j < len(k.Entries); j++ {
		d.Set(entryOffset(j), d.Get(entryOffset(j))-uint64(shared))
	}
	return slices.Delete(d.Bytes, start-shared, start), d.Place(entryOffset(i))
}
