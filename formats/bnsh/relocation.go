package bnsh

import (
	"fmt"
	"math/bits"
)

// RelocationEntry names pointers that the runtime turns into addresses. From
// Position on, Structs times: Pointers consecutive pointers, then Padding words
// of eight bytes that are not pointers.
type RelocationEntry struct {
	Position uint32 `json:"position"`
	Structs  uint16 `json:"structs"`
	Pointers uint8  `json:"pointers"`
	Padding  uint8  `json:"padding"`
}

// String returns "3 times 2 pointers and 1 words from 0x80 on".
func (e RelocationEntry) String() string {
	return fmt.Sprintf("%d times %d pointers and %d words from 0x%x on", e.Structs, e.Pointers, e.Padding, e.Position)
}

// Most an entry can say.
const (
	maxStructs  = 0xFFFF
	maxPointers = 0xFF
	maxPadding  = 0xFF
)

// compress returns the entries for pointers at ascending positions, all
// multiples of 8, as the official converter does: a run of neighbours, then as
// many runs of the same length and distance as follow.
func compress(positions []uint32) []RelocationEntry {
	var entries []RelocationEntry
	for i := 0; i < len(positions); {
		e := RelocationEntry{Position: positions[i], Structs: 1}
		run := runLength(positions[i:], positions[i], maxPointers)
		e.Pointers = uint8(run)
		next := i + run
		if next < len(positions) {
			end := positions[i] + uint32(8*run)
			if gap := positions[next] - end; gap/8 <= maxPadding {
				structs := repeats(positions[i:], run, uint64(8*run)+uint64(gap))
				if structs > 1 {
					e.Structs, e.Padding = uint16(structs), uint8(gap/8)
				}
				next = i + structs*run
			}
		}
		entries = append(entries, e)
		i = next
	}
	return entries
}

// runLength returns how many positions, at most limit, are at p, p+8, ...
func runLength(positions []uint32, p uint32, limit int) int {
	n := 0
	for n < limit && n < len(positions) && positions[n] == p+uint32(8*n) {
		n++
	}
	return n
}

// repeats returns how many times a run of pointers is at the start of positions
// at the given distance. A longer run is none of them.
func repeats(positions []uint32, run int, stride uint64) int {
	n := 1
	for n < maxStructs {
		p := uint64(positions[0]) + uint64(n)*stride
		rest := positions[n*run:]
		if p > uint64(^uint32(0)) || runLength(rest, uint32(p), run) < run {
			break
		}
		if len(rest) > run && uint64(rest[run]) == p+uint64(8*run) {
			break
		}
		n++
	}
	return n
}

// generated are the sections that pointers are put in.
var generated = [...]int{0, 1, 4, 5}

// relocations returns the entries of each section for the pointers that are not
// null. A pointer belongs to the section its target is in.
func relocations(b []byte, pointers bitmap, sections *[6]Section) (entries [6][]RelocationEntry) {
	var positions [6][]uint32
	for p := range pointers.all() {
		target := le.Uint64(b[p:])
		if target == 0 {
			continue
		}
		for _, s := range generated {
			if sections[s].contains(target) {
				positions[s] = append(positions[s], uint32(p))
				break
			}
		}
	}
	for s := range positions {
		entries[s] = compress(positions[s])
	}
	return entries
}

// contains reports whether an offset is inside the section.
func (s *Section) contains(off uint64) bool {
	return off >= uint64(s.Position) && off-uint64(s.Position) < uint64(s.Size)
}

// bitmap has a bit for every eight bytes of a file: the positions of pointers.
type bitmap []uint64

func newBitmap(size uint64) bitmap { return make(bitmap, size/(8*64)+1) }

// set marks a position, which must be a multiple of 8 and inside the file.
func (b bitmap) set(p uint64) { b[p/512] |= 1 << (p / 8 % 64) }

// setRow marks from, from+step and so on below to.
func (b bitmap) setRow(from, to, step uint64) {
	for p := from; p < to; p += step {
		b.set(p)
	}
}

// has reports whether a position is marked; any number may be asked.
func (b bitmap) has(p uint64) bool {
	return p%8 == 0 && p/512 < uint64(len(b)) && b[p/512]>>(p/8%64)&1 != 0
}

// take removes the mark of a position, and reports whether it was marked; any number
// may be asked.
func (b bitmap) take(p uint64) bool {
	i, bit := p/512, uint64(1)<<(p/8%64)
	if p%8 != 0 || i >= uint64(len(b)) || b[i]&bit == 0 {
		return false
	}
	b[i] &^= bit
	return true
}

// all yields the marked positions, ascending.
func (b bitmap) all() func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for i, word := range b {
			for ; word != 0; word &= word - 1 {
				if !yield(uint64(i)*512 + uint64(bits.TrailingZeros64(word))*8) {
					return
				}
			}
		}
	}
}
