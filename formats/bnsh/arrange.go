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
	last   part
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

// item gives an item the next offset that suits it. Equal blobs have one offset.
func (a *arranger) item(x *item) {
	p, place := &parts[x.owner.part], (*uint32)(nil)
	if p.sort != notBlob {
		seen := false
		if place, seen = a.blobs[p.sort].slot(x.bytes); seen {
			a.require(x.at, uint64(*place))
			return
		}
	}
	a.at = align(a.at, p.align)
	a.require(x.at, a.at)
	if place != nil {
		*place = uint32(a.at)
	}
	a.at += x.size
}

// file walks over everything.
func (a *arranger) file(f *File, l *Layout) {
	for x := range f.items(l) {
		a.reach(x.owner.part, l)
		a.item(x)
	}
	a.reach(codePart, l)
	if pool := &l.Pool; pool.Record != 0 {
		a.at = align(a.at+poolSlack, poolAlignment)
		a.require(&pool.Size, a.at-uint64(pool.Memory))
	}
	a.at = align(a.at, 8)
	a.require(&l.Strings, a.at)
	a.require(&l.ContainerSize, a.at-headerSize)
	a.at = align(a.at+stringPoolSize(l.StringPool), 8)
	a.require(&l.Relocations, a.at)
	a.at += relocationHeadSize
}

// reach notes where object memory and the memory of the pool start, also if the file has none, before the first part of
// them.
func (a *arranger) reach(p part, l *Layout) {
	if a.last < objectPart && p >= objectPart {
		a.at = align(a.at, 8)
		a.require(&l.Sections[objectSection].Position, a.at)
	}
	if a.last < codePart && p == codePart && l.Pool.Record != 0 {
		a.at = align(a.at, poolAlignment)
		a.require(&l.Pool.Memory, a.at)
	}
	a.last = p
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
	for p := range f.programs(nil) {
		l.Programs = append(l.Programs, p.blankLayout())
	}
	if f.binary() {
		l.Pool = PoolLayout{Record: 1, Object: 1}
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

// blankLayout returns a layout of the right shape, in which the offsets of parts are not 0 if only they tell that the
// part is there.
func (p *Program) blankLayout() (l ProgramLayout) {
	l.Object = min(p.ObjectSize, 1)
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
	for x := range f.walk(l, dictionaries) {
		for _, key := range x.keys() {
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
	for x := range f.walk(l, dictionaries) {
		keys := x.keys()
		nodes := make([]Node, len(keys)+1)
		for i, key := range keys {
			nodes[i+1].Key = index[key]
		}
		if len(keys) <= maxDictionarySize {
			grow(nodes, keys)
		}
		x.dictionary().Nodes = nodes
	}
}
