package gsh

import "github.com/picaproof/picaproof/formats/wire"

// Length returns the size of the file at the start of b, up to the end of its first end block. Other bytes may follow
// it in b. The size is 0 if b has no end block, or if no block belongs to a shader. work is about the number of bytes
// that were read.
func Length(b []byte) (size, work uint64) {
	v := wire.BE(b)
	if !v.Has(0, headerSize) || string(b[:4]) != magic {
		return 0, headerSize
	}
	shaders := false
	for off := uint64(headerSize); v.Has(off, blockSize) && string(v.Bytes(off, 4)) == blockMagic; {
		work += blockSize
		n := uint64(v.U32(off + uint64(sizeOffset)))
		if !v.Has(off+blockSize, n) {
			break
		}
		off += blockSize + n
		switch k := BlockType(v.U32(off - n - blockSize + typeOffset)).known(); {
		case k.role == endRole && shaders:
			return off, headerSize + work
		case k.role == endRole:
			return 0, headerSize + work
		case k.role >= headerRole:
			shaders = true
		}
	}
	return 0, headerSize + work
}

// typeOffset is the offset of the type in a block header.
var typeOffset = blockRecord.Offset("type")
