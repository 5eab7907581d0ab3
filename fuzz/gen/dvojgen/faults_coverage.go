package dvojgen

import (
	"slices"

	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// coverageFaults break DVOJ200 to DVOJ204.
var coverageFaults = []gen.Fault{
	raw("DVOJ200", overlap),
	gen.MissBreaking(raw("DVOJ200", oneByte), "DVOJ201"), // padding behind the symbols
	gap("DVOJ201", func(k kit, n int) []byte { return make([]byte, n) }),
	gap("DVOJ202", func(k kit, n int) []byte {
		b := make([]byte, n)
		b[k.below(n)] = byte(k.Within(1, 0xFF))
		return b
	}),
	raw("DVOJ203", func(k kit) ([]byte, gen.Place) { // more than padding
		l := k.arranged()
		_, end := last(l)
		tail := make([]byte, aligned(end)-end+4*uint32(1+k.below(3)))
		if k.Bits(1) == 1 {
			copy(tail, k.Data(len(tail)))
		}
		extend(l, gen.Breach(k.Choices, tail, make([]byte, aligned(end)-end)))
		return gen.Unchecked(k.File), gen.Place{Off: int(end), Len: len(tail), Path: "gap"}
	}),
	raw("DVOJ203", func(k kit) ([]byte, gen.Place) { // padding that is not zero
		k.oddNames()
		l := k.arranged()
		_, end := last(l)
		tail := make([]byte, aligned(end)-end)
		tail[k.below(len(tail))] = byte(k.Nonzero(0xFF))
		extend(l, tail)
		return gen.Unchecked(k.File), gen.Place{Off: int(end), Len: len(tail), Path: "gap"}
	}),
	raw("DVOJ204", func(k kit) ([]byte, gen.Place) {
		k.oddNames()
		l := k.arranged()
		_, end := last(l)
		extend(l, make([]byte, gen.Breach(k.Choices, 0, aligned(end)-end)))
		return gen.Unchecked(k.File), gen.Place{Off: int(end), Path: "file"}
	}),
}

// gap is the fault of bytes between two tables.
func gap(rule string, fill func(k kit, n int) []byte) gen.Fault {
	return raw(rule, func(k kit) ([]byte, gen.Place) {
		l := k.arranged()
		t := k.aTable(l)
		at := l.Tables[t].Offset
		n := 4 * (1 + k.below(9))
		if of, _ := last(l); of == t && t == symbols {
			n -= k.below(4)
		}
		widen(l, t, gen.Only(k.Choices, fill(k, n), nil))
		return gen.Unchecked(k.File), gen.Place{Off: int(at), Len: n, Path: "gap"}
	})
}

// oddNames gives the symbols a size that is not a multiple of 4.
func (k kit) oddNames() {
	_, l := k.aLabel()
	for range 1 + k.below(3) {
		insert(k.File, l.Name, l.Name+1, "x")
	}
	if len(k.Symbols)%4 == 0 {
		insert(k.File, l.Name, l.Name+1, "x")
	}
}

// overlap puts descriptors, which can be any bytes, on a part of another table;
// at the end of the last table, the rest of them behind it.
func overlap(k kit) ([]byte, gen.Place) {
	k.OnlyValid()
	own := k.descriptors(1 + k.below(2))
	k.Descriptors = own
	k.recode(4 + k.below(9))
	k.Descriptors = nil
	l := k.arranged()
	b := gen.Unchecked(k.File)
	of, end := last(l)
	t, least := k.aTable(l), uint32(8*len(own))
	if t == of {
		least = 4
	}
	if sizeOf(t, l.Tables[t]) < least {
		t, least = code, uint32(8*len(own))
	}
	x := l.Tables[t]
	at := x.Offset + 4*uint32(k.Within(0, uint64(sizeOf(t, x)-least)/4))
	b = append(b[:end], k.Data(8*len(own))...)
	k.putDescriptors(l, b, at, own)
	second := descriptors
	if at == x.Offset {
		second = max(t, descriptors) // of two tables at one offset
	}
	return gen.Unchecked(k.File),
		gen.Place{Off: int(at), Len: int(sizeOf(second, l.Tables[second])), Path: shapes[second].name}
}

// putDescriptors makes the bytes at an offset of a file the descriptors of the model.
func (k kit) putDescriptors(l *dvoj.Layout, b []byte, at uint32, own []shbin.Descriptor) {
	shbin.DescriptorRecord.Get(b[at:], own)
	k.Descriptors = own
	l.Tables[descriptors] = shbin.Extent{Offset: at, Count: uint32(len(own))}
	_, end := last(l)
	l.Size = uint64(aligned(end))
	settle(l)
}

// oneByte lets descriptors begin with the NUL of the last name.
func oneByte(k kit) ([]byte, gen.Place) {
	_, name := k.aLabel()
	own := k.descriptors(1 + k.below(2))
	k.Descriptors = own
	k.recode(4 + k.below(9))
	k.Descriptors = nil
	for len(k.Symbols)%4 != 1 || len(k.Symbols) == 1 { // of two tables at one offset symbols are the second
		insert(k.File, name.Name, name.Name+1, "x")
	}
	l := k.arranged()
	_, end := last(l) // of the symbols, which do not end at a multiple of 4
	padding := gen.Breach[uint32](k.Choices, 0, 4)
	at := end - 1 + padding
	b := slices.Concat(gen.Unchecked(k.File)[:end], make([]byte, padding), k.Data(8*len(own)-1))
	k.putDescriptors(l, b, at, own)
	return gen.Unchecked(k.File), gen.Place{Off: int(at), Len: 8 * len(own), Path: shapes[descriptors].name}
}
