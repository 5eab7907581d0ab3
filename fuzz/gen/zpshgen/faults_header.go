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
		return gen.Unchecked(k.File)[:n], gen.Place{Off: n, Path: "header"}
	}),
	field("ZPSH002", "header.magic", func(k kit, right uint64) uint64 {
		return right ^ k.Within(1, 0xFF)<<(8*k.below(4))
	}),
	field("ZPSH003", "header.header_words", func(k kit, _ uint64) uint64 { return k.Within(0, uint64(zpsh.R3)-1) }),
	field("ZPSH004", "header.header_words", func(k kit, _ uint64) uint64 { return k.Within(uint64(zpsh.R4)+1, 0xFF) }),
	raw("ZPSH004", func(k kit) ([]byte, gen.Place) { // words behind the known ones
		k.use(zpsh.R4)
		d := k.draft()
		words := k.Data(4 * (1 + k.below(9)))
		d.Set("header.header_words", uint64(zpsh.R4)+uint64(len(words)/4))
		return slices.Insert(d.Bytes, headerSize4, words...), d.Place("header.header_words")
	}),
	model("ZPSH006", func(k kit) string {
		k.Entries = nil
		return "header.counts"
	}),
	field("ZPSH006", "header.counts", func(k kit, right uint64) uint64 { return right &^ 0xFFF }),
	model("ZPSH007", func(k kit) string {
		k.Descriptors = make([]uint32, k.Wrong(pica.MaxDescriptors+1, 0xFF, pica.MaxDescriptors))
		return "header.counts"
	}),
	raw("ZPSH008", func(k kit) ([]byte, gen.Place) { // cut before the entries
		d := k.draft()
		return d.Bytes[:k.Within(shortHeaderSize, uint64(d.Off("entries[0].name"))-1)], d.Place("header.counts")
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
		d.Set(path, d.Get(path)^k.Some(math.MaxUint32))
		return d.Bytes, d.Place("header.hash")
	}),
	raw("ZPSH009", func(k kit) ([]byte, gen.Place) { // the hash of other code
		k.use(zpsh.R4)
		other := *k.File
		other.Descriptors = append(other.Descriptors[:len(other.Descriptors):len(other.Descriptors)],
			uint32(k.Bits(32)))
		stale := kit{k.drawer, &other}.draft().Get("header.hash")
		d := k.draft()
		d.Set("header.hash", stale)
		return d.Bytes, d.Place("header.hash")
	}),
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
		d.Set(n.path, fields&^(n.mask<<n.shift)|k.Within(least, n.most)<<n.shift)
		break
	}
	return d.Bytes, d.Place("header.counts")
}
