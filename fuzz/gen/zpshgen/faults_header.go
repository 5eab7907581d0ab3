package zpshgen

import (
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/pica"
)

// Sizes of the headers.
const (
	shortHeaderSize = 12 // of R3
	headerSize4     = 16
)

// headerFaults break ZPSH001 to ZPSH004 and ZPSH006 to ZPSH009.
var headerFaults = []gen.Fault{
	raw("ZPSH001", func(k kit) ([]byte, gen.Place) {
		n := k.below(shortHeaderSize)
		return k.Cut(gen.Unchecked(k.File), n), gen.Place{Off: n, Path: "header"}
	}),
	headerWords("ZPSH003", 0, uint64(zpsh.R3)-1, zpsh.R3),
	headerWords("ZPSH004", uint64(zpsh.R4)+1, 0xFF, zpsh.R4),
	raw("ZPSH004", func(k kit) ([]byte, gen.Place) { // words behind the known ones
		k.use(zpsh.R4)
		d := k.draft()
		words := k.Data(4 * gen.Only(k.Choices, 1+k.below(9), 0))
		d.Set("header.header_words", uint64(zpsh.R4)+uint64(len(words)/4))
		return slices.Insert(d.Bytes, headerSize4, words...), d.Place("header.header_words")
	}),
	model("ZPSH006", func(k kit) string {
		if k.Entries = k.Entries[:gen.Breach(k.Choices, 0, 1)]; len(k.Entries) > 0 {
			k.rename(func([]string) {})
		}
		return "header.counts"
	}),
	field("ZPSH006", "header.counts", withoutEntries),
	model("ZPSH007", func(k kit) string {
		k.Descriptors = make([]uint32, k.Wrong(pica.MaxDescriptors+1, 0xFF, pica.MaxDescriptors))
		return "header.counts"
	}),
	raw("ZPSH008", func(k kit) ([]byte, gen.Place) { // cut before the entries
		d := k.draft()
		end := k.Within(shortHeaderSize, uint64(d.Off("entries[0].name"))-1)
		return k.Cut(d.Bytes, int(end)), d.Place("header.counts")
	}),
	raw("ZPSH008", countsBehindTheEnd),
	raw("ZPSH009", func(k kit) ([]byte, gen.Place) {
		k.use(zpsh.R4)
		d := k.draft()
		paths := []string{"header.hash"}
		for i := range k.Descriptors {
			paths = append(paths, fmt.Sprintf("descriptors[%d]", i))
		}
		path := gen.Pick(k.Choices, paths)
		d.Set(path, d.Get(path)^k.Flip(math.MaxUint32))
		return d.Bytes, d.Place("header.hash")
	}),
	raw("ZPSH009", func(k kit) ([]byte, gen.Place) { // the hash of other code
		k.use(zpsh.R4)
		other := *k.File
		other.Descriptors = append(other.Descriptors[:len(other.Descriptors):len(other.Descriptors)],
			uint32(k.Bits(32)))
		stale := kit{k.drawer, &other}.draft().Get("header.hash")
		d := k.draft()
		d.Set("header.hash", gen.Only(k.Choices, stale, d.Get("header.hash")))
		return d.Bytes, d.Place("header.hash")
	}),
}

// withoutEntries returns the counts of the header with no entries.
func withoutEntries(_ *gen.Choices, d *gen.Draft, counts gen.Place) uint64 {
	return d.Number(counts) &^ 0xFFF
}

// headerWords is the fault of a size of the header, from low to high. The file of a near
// miss is of the revision that is right.
func headerWords(rule string, low, high uint64, right zpsh.Revision) gen.Fault {
	return raw(rule, func(k kit) ([]byte, gen.Place) {
		words := k.Wrong(low, high, uint64(right))
		if words == uint64(right) {
			k.use(right)
		}
		d := k.draft()
		d.Set("header.header_words", words)
		return d.Bytes, d.Place("header.header_words")
	})
}

// counts are the numbers in the header by which the sections grow: a bit field
// of so many bits, and the greatest value that breaks no other rule.
var counts = []struct {
	path    string
	shift   int
	mask    uint64
	most    uint64
	tableOf zpsh.Revision // the only revision whose sections it counts for; 0 all
}{
	{"header.string_words", 0, math.MaxUint16, math.MaxUint16, 0},
	{"header.counts", 0, 0xFFF, 0xFFF, zpsh.R4},
	{"header.counts", 12, 0xFFF, 0xFFF, 0},
	{"header.counts", 24, 0xFF, pica.MaxDescriptors, 0},
}

// countsBehindTheEnd makes a section so long that the entries would start
// behind the end of the file.
func countsBehindTheEnd(k kit) ([]byte, gen.Place) {
	d := k.draft()
	room := uint64(len(d.Bytes)-d.Off("entries[0].name")) / 4
	first := k.below(len(counts))
	for i := range counts {
		n := counts[(first+i)%len(counts)]
		fields := d.Get(n.path)
		least := fields>>n.shift&n.mask + room + 1
		if least > n.most || n.tableOf != 0 && n.tableOf != k.Revision {
			continue
		}
		d.Set(n.path, gen.Only(k.Choices, fields&^(n.mask<<n.shift)|k.Within(least, n.most)<<n.shift, fields))
		break
	}
	return d.Bytes, d.Place("header.counts")
}
