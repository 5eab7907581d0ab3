package bnsh

import (
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// arranger walks over a file in the order of the canonical layout. It either
// fills in the places of everything or compares them.
type arranger struct {
	at     uint64
	assign bool
	differ bool
	blobs  [dataBlob + 1]blobSet
}

// require sets an offset to n, or notes that it is another.
func (a *arranger) require(off *uint32, n uint64) {
	if a.assign {
		*off = uint32(n)
	} else if uint64(*off) != n {
		a.differ = true
	}
}

// reserve gives n bytes the next offset that is a multiple of to. No bytes have the offset 0.
func (a *arranger) reserve(off *uint32, n, to uint64) {
	if n == 0 {
		a.require(off, 0)
		return
	}
	a.at = align(a.at, to)
	a.require(off, a.at)
	a.at += n
}

// share is reserve for a blob. Equal blobs have one offset.
func (a *arranger) share(off *uint32, b []byte, sort blobSort, to uint64) {
	if len(b) == 0 {
		a.require(off, 0)
		return
	}
	place, seen := a.blobs[sort].slot(b)
	if seen {
		a.require(off, uint64(*place))
		return
	}
	a.reserve(off, uint64(len(b)), to)
	*place = uint32(a.at - uint64(len(b)))
}

// file walks over everything.
func (a *arranger) file(f *File, l *Layout) {
	a.at = headerSize
	a.reserve(&l.Container, containerSize, 8)
	a.reserve(&l.Variations, variationSize*uint64(len(f.Variations)), 8)
	binary := false
	for x := range f.records(l) {
		binary = binary || x.owner.part == binaryCodePart
		if sort := parts[x.owner.part].sort; sort != notBlob {
			a.share(x.at, x.bytes, sort, 8)
		} else {
			a.reserve(x.at, x.size, 8)
		}
	}
	if binary {
		a.reserve(&l.Pool.Record, poolSize, 8)
		a.reserve(&l.Pool.Object, poolObjectSize, 8)
	}
	a.at = align(a.at, 8)
	a.require(&l.Sections[objectSection].Position, a.at)
	for p := range f.programs(l) {
		a.reserve(&p.layout.Object, uint64(p.ObjectSize), 1)
	}
	if binary {
		a.memory(f, l)
	}
	a.at = align(a.at, 8)
	a.require(&l.Strings, a.at)
	a.require(&l.ContainerSize, a.at-headerSize)
	a.at += stringPoolSize(l.StringPool)
	a.reserve(&l.Relocations, relocationHeadSize, 8)
}

// memory places the memory pool and the binary code.
func (a *arranger) memory(f *File, l *Layout) {
	a.at = align(a.at, poolAlignment)
	start := a.at
	a.require(&l.Pool.Memory, start)
	for x := range f.binaryCodes(l) {
		a.share(&x.place.Code, x.code.Code, codeBlob, codeAlignment)
	}
	a.at = align(a.at+poolSlack, poolAlignment)
	a.require(&l.Pool.Size, a.at-start)
}

// isCanonical reports whether everything is at its canonical place.
func (f *File) isCanonical(l *Layout) bool {
	var a arranger
	a.file(f, l)
	return !a.differ
}

// canonicalLayout makes the layout we write: container, variations, programs in
// order with all that belongs to them, memory pool, object memory, binary code,
// strings. It lacks the relocation entries, for which the bytes are needed.
func (f *File) canonicalLayout() (*Layout, error) {
	l := &Layout{Name: usualName(f.Name)}
	for i := range f.Variations {
		for slot := range Slot(NumSlots) {
			if p := f.Variations[i].Program(slot); p != nil {
				l.Programs = append(l.Programs, p.blankLayout())
			}
		}
	}
	l.StringPool = f.stringPool(l)
	a := arranger{assign: true}
	a.file(f, l)
	if a.at > math.MaxUint32 {
		return nil, fmt.Errorf("bnsh: %w: offsets beyond 4 GiB", diag.ErrInvalid)
	}
	f.growTrees(l)
	low, high := f.objects(l)
	end := l.Sections[objectSection].Position + uint32(high-low)
	l.Sections[mainSection].Size = l.Sections[objectSection].Position
	l.Sections[objectSection].Size = uint32(high - low)
	l.Sections[spareSection].Position = end
	l.Sections[spareSection2].Position = end
	l.Sections[codeSection] = Section{Position: end}
	if l.Pool.Record != 0 {
		l.Sections[codeSection] = Section{Position: l.Pool.Memory, Size: l.Pool.Size}
	}
	l.Sections[stringSection] = Section{Position: l.Strings, Size: uint32(stringPoolSize(l.StringPool))}
	return l, nil
}

// blankLayout returns a layout of the right shape.
func (p *Program) blankLayout() (l ProgramLayout) {
	for s, code := range p.Stages {
		if code != nil {
			l.Stages[s] = &CodeLayout{}
			if p.form() == textForm {
				l.Stages[s].Texts = make([]uint32, len(code.Texts))
			}
		}
	}
	if p.Reflection != nil {
		for s, r := range p.Reflection {
			if r != nil {
				l.Reflections[s] = &StageReflectionLayout{}
			}
		}
	}
	return l
}

// stringPool returns the strings of a file: the empty one, the file name, then
// the keys, each once, ascending.
func (f *File) stringPool(l *Layout) []Text {
	pool := []Text{""}
	if f.Name != "" {
		pool = append(pool, f.Name)
	}
	seen := map[Text]bool{"": true, f.Name: true}
	n := len(pool)
	for x := range f.records(l) {
		if x.owner.part != dictionaryPart {
			continue
		}
		for _, key := range x.stage.Tables[x.owner.kind].Keys {
			if !seen[key] {
				seen[key] = true
				pool = append(pool, key)
			}
		}
	}
	slices.Sort(pool[n:])
	return pool
}

// growTrees makes the tree of every dictionary.
func (f *File) growTrees(l *Layout) {
	index := make(map[Text]uint32, len(l.StringPool))
	for i, s := range l.StringPool {
		index[s] = uint32(i)
	}
	for x := range f.records(l) {
		if x.owner.part != dictionaryPart {
			continue
		}
		keys := x.stage.Tables[x.owner.kind].Keys
		nodes := make([]Node, len(keys)+1)
		for i, key := range keys {
			nodes[i+1].Key = index[key]
		}
		if len(keys) <= maxDictionarySize {
			grow(nodes, keys)
		}
		x.names.Dictionaries[x.owner.kind].Nodes = nodes
	}
}
