package bnsh

import "github.com/picaproof/picaproof/formats/wire"

// Length returns the size of the BNSH at the start of b, from its header. Other bytes may follow it in b. The size is 0
// if b does not begin like a BNSH or is shorter. work is about the number of bytes that were read.
func Length(b []byte) (size, work uint64) {
	v := wire.LE(b)
	if !v.Has(0, minFileSize) || string(b[:8]) != "BNSH\x00\x00\x00\x00" {
		return 0, headerSize
	}
	if size = uint64(v.U32(headerFileSizeAt)); size < minFileSize || size > v.Size() {
		return 0, headerSize
	}
	return size, headerSize
}
