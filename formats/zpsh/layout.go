package zpsh

// shortHeaderSize is the size of the header of R3, the shortest, in bytes.
var shortHeaderSize = uint64(headerRecord.Bytes)

// The size in words that an R4 entry header may name.
const (
	storedEntryWords = 4 // the value of zitrus
	rightEntryWords  = 8 // the size of entryRecord4
)

// What the fields of the header can hold.
const (
	maxEntries = 1<<12 - 1
	maxStrings = 4 * (1<<16 - 1) // bytes
)

// entrySize returns the size of an entry header.
func (r Revision) entrySize() uint64 { return uint64(r.entryRecord().Bytes) }

// places holds the offsets of the sections in the file.
type places struct {
	offsets, code, descriptors, strings, area uint64
}

// place computes the offsets of the sections from the numbers of entries,
// instructions, descriptors and bytes of strings.
func (r Revision) place(entries, instructions, descriptors, strings uint64) (p places) {
	p.offsets = 4 * uint64(r)
	p.code = p.offsets
	if r.hasTable() {
		p.code += 4 * entries
	}
	p.descriptors = p.code + 4*instructions
	p.strings = p.descriptors + 4*descriptors
	p.area = p.strings + strings
	return p
}

// place computes the offsets of a model's sections.
func (f *File) place() places {
	return f.Revision.place(uint64(len(f.Entries)), uint64(len(f.Code)), uint64(len(f.Descriptors)),
		uint64(len(f.Strings)))
}
