package bnshgen

import (
	"bytes"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// layoutFaults break the rules about the places of records.
var layoutFaults = []fault{
	{"BNSH013", twins, sharedRecord, nil},
	{"BNSH013", object, back(1, 0x140, "variations[last].binary.object.pointer", objectSize), nil},
	{"BNSH013", nil, back(8, 5, "pool.object.pointer", poolObjectSize), nil},
	{"BNSH013", keyed, back(4, 8, lastSlots, slotsSize), nil},
	{"BNSH013", needs(empty, keyed), slotsToEnd, []string{"BNSH048"}},
	{"BNSH013", object, objectInPool, nil},
	{"BNSH013", nil, controlInPool, nil},
	{"BNSH017", onlyValid, containerElsewhere, notCanonical},
	{"BNSH049", needs(onlyValid, keyed), emptyDictionary, notCanonical},
	{"BNSH080", onlyValid, residue, notCanonical},
	{"BNSH081", keyed, unsortedKeys, nil},
	{"BNSH081", needs(onlyValid, twins), swappedCode, nil},
	{"BNSH081", needs(onlyValid, keyed), room, nil},
}

// sharedRecord makes the code of two stages one record.
func sharedRecord(f *file) gen.Place {
	var records []gen.Place
	for _, r := range f.fields(ofStages(program+".", "pointer")...) {
		if f.Number(r) != 0 {
			records = append(records, r)
		}
	}
	i := f.Below(len(records))
	j := (i + 1 + f.Below(len(records)-1)) % len(records)
	f.set(records[j], gen.OneOf(f.Number(records[i])))
	if records[i].Off > records[j].Off {
		j = i // the reader comes to record i later
	}
	return f.target(records[j], codeSize)
}

// back moves the target of a pointer back by 1 to most steps, into the record in front. size returns the size of the
// target.
func back(step, most int, pattern string, size func(f *file, pointer gen.Place) int) func(f *file) gen.Place {
	return func(f *file) gen.Place {
		r := f.pick(pattern)
		f.set(r, gen.OneOf(f.Number(r)-uint64(step*(1+f.Below(most)))))
		return f.target(r, size(f, r))
	}
}

// objectSize, poolObjectSize and slotsSize return the sizes of the targets of pointers.
func objectSize(f *file, pointer gen.Place) int {
	return int(f.Number(f.Sibling(pointer, "object_size")))
}
func poolObjectSize(*file, gen.Place) int { return 0x140 }
func slotsSize(f *file, _ gen.Place) int {
	d := f.lastFilled()
	return 4 * len(d.reflection.Slots)
}

// slotsToEnd makes the slots of the only variation reach to the end of the file, over the memory pool.
func slotsToEnd(f *file) gen.Place {
	d := f.lastFilled()
	first := d.room(f.Draft)
	f.set(f.field(d.holder+".first"), gen.OneOf(first))
	return f.target(f.pick(lastSlots), 4*(int(first)+len(d.table.Keys)))
}

// objectInPool puts object memory behind the code.
func objectInPool(f *file) gen.Place {
	r, pool := f.pick("variations[last].binary.object.pointer"), &f.Layout.Pool
	size := objectSize(f, r)
	f.set(r, gen.OneOf(uint64(pool.Memory)+uint64(pool.Size)-uint64(size)-f.Bits(8)))
	return f.target(r, size)
}

// controlInPool puts a control into the memory pool.
func controlInPool(f *file) gen.Place {
	r, pool := f.pick(stageCode+".control.pointer"), &f.Layout.Pool
	f.set(r, gen.OneOf(uint64(pool.Memory)+uint64(f.Below(int(pool.Size)-controlSize+1))))
	return f.target(r, controlSize)
}

// containerElsewhere moves all records behind the file header. If there is room in front of the memory pool, it may
// move only the records up to the pool.
func containerElsewhere(f *file) gen.Place {
	l := f.Layout
	objects := l.Sections[objectSection]
	if free := (l.Pool.Memory - objects.Position - objects.Size) / 8; free > 0 && f.Bits(1) != 0 {
		Move(f.File, l.Container, l.Pool.Memory, 8*uint32(1+f.Below(int(free))))
	} else {
		Move(f.File, l.Container, math.MaxUint32, pageSize*uint32(1+f.Below(2)))
	}
	f.rewrite()
	return f.Place("header.container")
}

// emptyDictionary gives a kind without names a dictionary, for which it makes
// room behind the other records.
func emptyDictionary(f *file) gen.Place {
	var empty []dictionary
	for _, d := range f.dictionaries() {
		if len(d.table.Keys) == 0 {
			empty = append(empty, d)
		}
	}
	d := gen.Pick(f.Choices, empty)
	pointer := uint32(f.field(d.holder + ".pointer").Off)
	main, strings := &f.Layout.Sections[mainSection], &f.Layout.Sections[stringSection]
	free := main.Size
	Move(f.File, free, math.MaxUint32, pageSize)
	d.Offset, d.Nodes = free, []bnsh.Node{{Bit: -1}}
	main.Entries = covering(main.Entries, pointer)
	strings.Entries = covering(strings.Entries, uint32(d.entry(0)+8))
	f.rewrite()
	return gen.Place{Off: int(free) + 4, Len: 4, Path: d.path + ".count"}
}

// covering returns the entries for one pointer more.
func covering(entries []bnsh.RelocationEntry, position uint32) []bnsh.RelocationEntry {
	positions := append(expand(entries), position)
	slices.Sort(positions)
	return compress(positions)
}

// residue puts something where nothing is.
func residue(f *file) gen.Place {
	var free []diag.Region
	for _, r := range f.Draft.Regions {
		if r.Kind == diag.PaddingRegion && r.Off < int(f.Layout.Strings) {
			free = append(free, r)
		}
	}
	r := gen.Pick(f.Choices, free)
	first := gen.Pick(f.Choices, []int{0, r.Len - 1, f.Below(r.Len)})
	for range 1 + f.Below(3) {
		f.Bytes[r.Off+first+f.Below(r.Len-first)] = byte(1 + f.Below(255))
	}
	f.Bytes[r.Off+first] = byte(1 + f.Below(255))
	written := bytes.TrimRight(f.Bytes[r.Off+first:r.Off+r.Len], "\x00")
	return gen.Place{Off: r.Off + first, Len: len(written), Path: "gap"}
}

// unsortedKeys swaps two keys in the string pool.
func unsortedKeys(f *file) gen.Place {
	first, end := f.Layout.Name+1, uint32(len(f.Layout.StringPool))
	i := first + uint32(f.Below(int(end-first)-1))
	f.swapStrings(i, i+gen.Only(f.Choices, 1+uint32(f.Below(int(end-i)-1)), 0))
	return gen.Place{Len: len(f.Bytes), Path: "file"}
}

// swappedCode swaps code or controls of the twins.
func swappedCode(f *file) gen.Place {
	twins := f.Layout.Programs[len(f.Layout.Programs)-2:]
	a, b := only(&twins[0].Stages), only(&twins[1].Stages)
	if f.Bits(1) != 0 {
		a.Code, b.Code = b.Code, a.Code
	} else {
		a.Control, b.Control = b.Control, a.Control
	}
	f.rewrite()
	return gen.Place{Len: len(f.Bytes), Path: "file"}
}

// room leaves a page free somewhere.
func room(f *file) gen.Place {
	l := f.Layout
	from := []uint32{l.Variations, l.Pool.Record, l.Pool.Object, l.Sections[objectSection].Position, l.Pool.Memory,
		l.Strings}
	for _, p := range l.Programs {
		from = append(from, p.Record)
	}
	Move(f.File, gen.Pick(f.Choices, from), math.MaxUint32, pageSize)
	f.rewrite()
	return gen.Place{Len: len(f.Bytes), Path: "file"}
}
