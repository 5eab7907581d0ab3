package cgfx

import (
	"bytes"
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
)

// text is a name at its place in the file; b is nil when there is none.
type text struct {
	at uint64
	b  []byte
}

func (t text) end() uint64 { return t.at + uint64(len(t.b)) }

// textHash stands for a name.
type textHash struct {
	length int
	hash   uint64
}

// repeats yields the texts, in turn, that an earlier one equals, with the first
// of these. Thousands of texts may be parts of one long string; they are told
// apart by hashes that one pass over the file makes for all. Equal hashes are
// verified until a rule has as many findings as it keeps.
func repeats(file []byte, texts []text) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		hashes := hashTexts(file, texts)
		first := make(map[textHash]int32, len(texts))
		found := 0
		for i, t := range texts {
			if t.b == nil {
				continue
			}
			h := textHash{len(t.b), hashes[i]}
			j, seen := first[h]
			switch {
			case !seen:
				first[h] = int32(i)
			case found > diag.MaxPerRule || bytes.Equal(t.b, texts[j].b):
				found++
				if !yield(i, int(j)) {
					return
				}
			}
		}
	}
}

// hashTexts hashes each text from its end to its start, so that a text and its
// tails cost one pass.
func hashTexts(file []byte, texts []text) []uint64 {
	order := make([]int32, len(texts))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Compare(texts[j].at, texts[i].at) })
	hashes := make([]uint64, len(texts))
	var hash, end, at uint64
	for _, i := range order {
		t := texts[i]
		if t.end() != end {
			hash, end, at = 0, t.end(), t.end()
		}
		for at > t.at {
			at--
			high, low := bits.Mul64(hash^0x9E3779B97F4A7C15, uint64(file[at])^0xD6E8FEB86659FD93)
			hash = high ^ low
		}
		hashes[i] = hash
	}
	return hashes
}

// nameAt reads the name that the pointer at off leads to.
func (r *reader) nameAt(off uint64) text {
	target, ok := r.pointer(off)
	if !ok {
		return text{}
	}
	name, _ := r.strings.Lookup(target)
	return text{target, name}
}

// readableName is what every rule about a name expects.
const readableName = "pointer to a NUL-terminated name"
