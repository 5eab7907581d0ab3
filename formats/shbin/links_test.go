package shbin

import (
	"encoding/binary"
	"testing"
)

// TestLinksOfSharedTables: if thousands of DVLEs share a table, the number of links is proportional to the
// size of the file.
func TestLinksOfSharedTables(t *testing.T) {
	const entries, labels = 1000, 100
	at := uint32(dvlbHeaderSize + 4*entries + dvlpHeaderSize)
	b := []byte("DVLB")
	put := func(words ...uint32) {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
	}
	put(entries)
	for range entries {
		put(at)
	}
	b = append(b, make([]byte, dvlpHeaderSize+dvleHeaderSize+labels*uint64(LabelRecord.Bytes))...)
	extent := b[uint64(at)+dvleRecord.Offset("labels.offset"):]
	binary.LittleEndian.PutUint32(extent, uint32(dvleHeaderSize))
	binary.LittleEndian.PutUint32(extent[4:], labels)
	if n := len(Links(b)); n > 8*len(b) || n < 7*len(b) {
		t.Errorf("%d links in %d bytes, want nearly 8 for each", n, len(b))
	}
}
