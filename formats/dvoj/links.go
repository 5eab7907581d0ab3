package dvoj

import (
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// Links returns the offsets, counts and masks of any bytes, valid or not.
func Links(b []byte) []wire.Link {
	m := wire.Links{View: wire.LE(b)}
	spans := wire.AddTables(&m, headerRecord.Offset("constants.offset"), 0, tables)
	words := spans[code]
	m.Add(wire.Link{Kind: wire.Code, Base: words.Off, Len: words.Len})
	shbin.AddEntries(&m, spans[labels], spans[outputs], spans[uniforms], words,
		headerRecord.Offset("input_mask"), headerRecord.Offset("output_mask"))
	for at := spans[relocations].Off; at < spans[relocations].End(); at += uint64(relocationRecord.Bytes) {
		shbin.AddWord(&m, at+relocationRecord.Offset("word"), words)
	}
	return m.List
}
