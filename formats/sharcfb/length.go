package sharcfb

import "github.com/picaproof/picaproof/formats/wire"

// Length returns the size of the archive at the start of b, from its header. Other bytes may follow it in b. The size
// is 0 if b does not begin like an archive of the known version or is shorter. work is about the number of bytes that
// were read.
func Length(b []byte) (size, work uint64) {
	v := wire.BE(b)
	if !v.Has(0, headerSize) {
		return 0, headerSize
	}
	switch v.U32(0) {
	case swap32(magic):
		v = wire.LE(b)
	case magic:
	default:
		return 0, headerSize
	}
	size = uint64(v.U32(headerRecord.Offset("file_size")))
	if v.U32(headerRecord.Offset("version")) != version || size < headerSize || size > v.Size() {
		return 0, headerSize
	}
	return size, headerSize
}
