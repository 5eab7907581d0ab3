package bnsh_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// slowEntries makes relocation entries from a set of positions, word by word:
// a run is as many pointers as follow each other, and it repeats at the distance
// of the next pointer as long as what is there is the same run and nothing else.
func slowEntries(positions []uint32) []bnsh.RelocationEntry {
	has := make(map[uint32]bool)
	last := uint32(0)
	for _, p := range positions {
		has[p] = true
		last = max(last, p)
	}
	var entries []bnsh.RelocationEntry
	for p := uint32(0); p <= last && len(has) > 0; p += 8 {
		if !has[p] {
			continue
		}
		run := uint32(0)
		for run < 255 && has[p+8*run] {
			run++
		}
		gap := uint32(0)
		for p+8*(run+gap) <= last && !has[p+8*(run+gap)] {
			gap++
		}
		structs := uint32(1)
		if p+8*(run+gap) <= last && gap <= 255 {
			for structs < 65535 && repeated(has, p+8*structs*(run+gap), run, gap) {
				structs++
			}
		}
		e := bnsh.RelocationEntry{Position: p, Structs: uint16(structs), Pointers: uint8(run)}
		if structs > 1 {
			e.Padding = uint8(gap)
		}
		for s := range structs {
			for i := range run {
				delete(has, p+8*(s*(run+gap)+i))
			}
		}
		entries = append(entries, e)
	}
	return entries
}

// repeated reports whether a gap ends at p and a run of exactly that many
// pointers starts.
func repeated(has map[uint32]bool, p, run, gap uint32) bool {
	for i := range gap {
		if has[p-8*(i+1)] {
			return false
		}
	}
	for i := range run {
		if !has[p+8*i] {
			return false
		}
	}
	return !has[p+8*run]
}

// expand returns the positions that entries cover.
func expand(entries []bnsh.RelocationEntry) []uint32 {
	var positions []uint32
	for _, e := range entries {
		for s := range uint32(e.Structs) {
			for i := range uint32(e.Pointers) {
				positions = append(positions, e.Position+8*(s*(uint32(e.Pointers)+uint32(e.Padding))+i))
			}
		}
	}
	return positions
}

// randomPositions returns positions as structures have them: runs that repeat,
// with faults, between gaps.
func randomPositions(r *rand.Rand) []uint32 {
	var positions []uint32
	p := uint32(0)
	for range r.IntN(6) {
		p += 8 * r.Uint32N(300)
		run, gap := 1+r.Uint32N(4), r.Uint32N(4)
		switch r.IntN(40) {
		case 0:
			run += 250 + r.Uint32N(10)
		case 1:
			gap += 250 + r.Uint32N(10)
		}
		for range 1 + r.IntN(6) {
			for i := range run {
				if r.IntN(20) > 0 {
					positions = append(positions, p+8*i)
				}
			}
			p += 8 * (run + gap)
			if r.IntN(12) == 0 {
				p += 8
			}
		}
	}
	return positions
}

// TestEntriesAgree: the entries are those of the slow rule and cover exactly the
// positions.
func TestEntriesAgree(t *testing.T) {
	const seed = 6
	for run := range formattest.Runs(t, 100_000) {
		r := rand.New(rand.NewPCG(seed, uint64(run)))
		positions := randomPositions(r)
		got := bnsh.Compress(positions)
		if back := expand(got); !slices.Equal(back, positions) {
			t.Fatalf("seed %d, run %d: %x come back as %x", seed, run, positions, back)
		}
		if want := slowEntries(positions); !slices.Equal(got, want) {
			t.Fatalf("seed %d, run %d: %x:\ngot  %v\nwant %v", seed, run, positions, got, want)
		}
	}
}

// TestEntryLimits: runs, gaps and repetitions that are longer than an entry can
// say.
func TestEntryLimits(t *testing.T) {
	at := func(n int, stride uint32) []uint32 {
		p := make([]uint32, n)
		for i := range p {
			p[i] = uint32(i) * stride
		}
		return p
	}
	for _, x := range []struct {
		name      string
		positions []uint32
		want      []bnsh.RelocationEntry
	}{
		{"none", nil, nil},
		{"one", []uint32{8}, []bnsh.RelocationEntry{{8, 1, 1, 0}}},
		{"run of 255", at(255, 8), []bnsh.RelocationEntry{{0, 1, 255, 0}}},
		{"run of 256", at(256, 8), []bnsh.RelocationEntry{{0, 1, 255, 0}, {2040, 1, 1, 0}}},
		{"run of 510", at(510, 8), []bnsh.RelocationEntry{{0, 2, 255, 0}}},
		{"gap of 255", at(2, 8*256), []bnsh.RelocationEntry{{0, 2, 1, 255}}},
		{"gap of 256", at(2, 8*257), []bnsh.RelocationEntry{{0, 1, 1, 0}, {8 * 257, 1, 1, 0}}},
		{"65535 structures", at(65535, 16), []bnsh.RelocationEntry{{0, 65535, 1, 1}}},
		{"65536 structures", at(65536, 16), []bnsh.RelocationEntry{{0, 65535, 1, 1}, {65535 * 16, 1, 1, 0}}},
		{"a longer run follows", []uint32{0, 16, 24}, []bnsh.RelocationEntry{{0, 1, 1, 0}, {16, 1, 2, 0}}},
		{"a shorter run follows", []uint32{0, 8, 24}, []bnsh.RelocationEntry{{0, 1, 2, 0}, {24, 1, 1, 0}}},
	} {
		t.Run(x.name, func(t *testing.T) {
			if got := bnsh.Compress(x.positions); !slices.Equal(got, x.want) {
				t.Errorf("got %v, want %v", got, x.want)
			}
			if slow := slowEntries(x.positions); !slices.Equal(slow, x.want) {
				t.Errorf("the slow rule gives %v, want %v", slow, x.want)
			}
		})
	}
}
