package sharcfb

import "github.com/picaproof/picaproof/formats/diag"

// readBinaries reads the shader binary list at off: SHARC020 to SHARC023. It
// returns the end of the list.
func (r *reader) readBinaries(off uint64) (end uint64, ok bool) {
	l, ok := r.openList(&binaryList, nil, off, r.Size())
	if !ok {
		return 0, false
	}
	r.binaryAt = off
	r.binaries = make([]binaryPlace, 0, max(l.count, 0))
	for l.next() {
		b := binaryPlace{off: uint32(l.from), binaryHeader: *read(r.View, binaryRecord, l.from, &r.headers.binary)}
		b.sound = l.binary(&b)
		r.binaries = append(r.binaries, b)
	}
	r.allBinaries = l.complete()
	return l.end, true
}

// binary checks the header of a record.
func (l *list) binary(b *binaryPlace) bool {
	known := b.kind.Known()
	if !known {
		l.Report("SHARC020", l.at("type"), diag.Text("0, 1 or 2"), diag.Dec(uint64(b.kind)))
	}
	room := uint64(b.size) - binaryHeaderSize
	switch {
	case uint64(b.dataOffset) > room:
		l.Report("SHARC021", l.at("data_offset"), diag.AtMost(room), diag.Hex(uint64(b.dataOffset)))
		return false
	case uint64(b.dataOffset)+uint64(b.dataSize) > room:
		l.Report("SHARC021", l.at("data_size"), diag.AtMost(room-uint64(b.dataOffset)), diag.Dec(uint64(b.dataSize)))
		return false
	}
	if b.dataOffset != 0 {
		l.Report("SHARC022", l.at("data_offset"), diag.Dec(0), diag.Hex(uint64(b.dataOffset)))
	}
	if used := binaryHeaderSize + uint64(b.dataOffset) + uint64(b.dataSize); used != uint64(b.size) {
		l.Report("SHARC023", l.at("size"), diag.Dec(used), diag.Dec(uint64(b.size)))
	}
	return known
}

// binaryPlace is the place of shader binary i, or of a field of its header.
func (r *reader) binaryPlace(i int, field string) diag.Place {
	b := &r.binaries[i]
	at := binaryRecord.At(uint64(b.off), diag.Path{Table: "binaries", Index: i, Field: field})
	if field == "" {
		at.Len = uint64(b.size)
	}
	return at
}
