package reduce

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
)

// gfdMagic is the magic of a GFD file; its words are big endian.
const gfdMagic = "Gfx2"

// Sizes in a GFD file, and offsets of fields in the header of a block and in the trailer of
// the data of a header block.
const (
	gfdHeaderSize  = 0x20
	gfdBlockHeader = 0x20
	gfdTrailerSize = 0x28

	gfdTypeAt, gfdSizeAt, gfdIDAt         = 0x10, 0x14, 0x18
	dataSizeAt, textSizeAt, textAt        = 0x0C, 0x14, 0x18
	patchCountAt, patchesAt               = 0x20, 0x24
	gfdTag                         uint32 = 0xFFF << 20 // of a pointer
)

// gfdBlock is a block of a GFD file, header and data.
type gfdBlock struct {
	at, end int
	kind    gsh.BlockType
}

// readGFD lists the blocks until a size leads out of the file. It does not judge as a parser
// does.
func readGFD(b []byte) (list []gfdBlock) {
	if !bytes.HasPrefix(b, []byte(gfdMagic)) {
		return nil
	}
	for at := gfdHeaderSize; at+gfdBlockHeader <= len(b); {
		size := big32(b, at+gfdSizeAt)
		end := at + gfdBlockHeader + int(size)
		if end > len(b) {
			break
		}
		list = append(list, gfdBlock{at, end, gsh.BlockType(big32(b, at+gfdTypeAt))})
		at = end
	}
	return list
}

func big32(b []byte, at int) uint32       { return binary.BigEndian.Uint32(b[at:]) }
func putBig32(b []byte, at int, v uint32) { binary.BigEndian.PutUint32(b[at:], v) }

// shaderOf returns the type of the shader if a block is the header of a shader.
func (x gfdBlock) shaderOf() (gx2.Type, bool) {
	switch x.kind {
	case gsh.VertexHeader:
		return gx2.Vertex, true
	case gsh.PixelHeader:
		return gx2.Pixel, true
	case gsh.GeometryHeader:
		return gx2.Geometry, true
	}
	return 0, false
}

// dropBlocks drops runs of blocks, and headers with the blocks behind them up to the next
// header: with the blocks behind them renumbered if their number was their position, and
// without.
func dropBlocks(b []byte) (list []fileEdit) {
	blocks := readGFD(b)
	drop := func(from, to int) {
		without := func() []byte { return slices.Delete(bytes.Clone(b), blocks[from].at, blocks[to-1].end) }
		list = append(list, func() ([]byte, bool) {
			c, gone := without(), blocks[to-1].end-blocks[from].at
			for k := to; k < len(blocks); k++ {
				if at := blocks[k].at + gfdIDAt; big32(b, at) == uint32(k) {
					putBig32(c, at-gone, uint32(k-(to-from)))
				}
			}
			return c, true
		}, func() ([]byte, bool) { return without(), true })
	}
	chunks(len(blocks), drop)
	for from, x := range blocks {
		if _, header := x.shaderOf(); !header {
			continue
		}
		to := from + 1
		for ; to < len(blocks) && blocks[to].kind != gsh.End; to++ {
			if _, header := blocks[to].shaderOf(); header {
				break
			}
		}
		drop(from, to)
	}
	return list
}

// withData returns the file with other data in a block.
func withData(b []byte, x gfdBlock, data []byte) []byte {
	c := slices.Replace(bytes.Clone(b), x.at+gfdBlockHeader, x.end, data...)
	putBig32(c, x.at+gfdSizeAt, uint32(len(data)))
	return c
}

// dropBlockData drops runs of words of the data of every block; for a program, the size in its
// header is corrected.
func dropBlockData(b []byte) (list []fileEdit) {
	sizes := map[gsh.BlockType]int{} // offset of the program size in the last header
	for _, x := range readGFD(b) {
		data := b[x.at+gfdBlockHeader : x.end]
		if t, header := x.shaderOf(); header {
			at := x.at + gfdBlockHeader + 4*len(t.RegisterNames()) // behind the registers
			switch t {
			case gx2.Vertex:
				sizes[gsh.VertexProgram] = at
			case gx2.Pixel:
				sizes[gsh.PixelProgram] = at
			case gx2.Geometry:
				sizes[gsh.GeometryProgram], sizes[gsh.CopyProgram] = at, at+8
			}
		}
		sizeAt, program := sizes[x.kind]
		chunks((len(data)+3)/4, func(from, to int) {
			list = append(list, func() ([]byte, bool) {
				short := slices.Delete(bytes.Clone(data), 4*from, min(4*to, len(data)))
				c := withData(b, x, short)
				if program && sizeAt+4 <= x.at {
					putBig32(c, sizeAt, uint32(len(short)))
				}
				return c, true
			})
		})
	}
	return list
}

// gfdTables are the tables of a structure: the size of a record, and whether it begins with the
// pointer to a name.
var gfdTables = [...]struct {
	size  int
	named bool
}{{0x0C, true}, {0x14, true}, {0x14, false}, {0x08, false}, {0x0C, true}, {0x10, true}}

// dropRecords drops runs of records of the tables in header blocks, with their names
// and patches, and corrects counts, sizes and pointers.
func dropRecords(b []byte) (list []fileEdit) {
	for _, x := range readGFD(b) {
		t, header := x.shaderOf()
		if !header || x.end-x.at < gfdBlockHeader+int(t.Size())+gfdTrailerSize {
			continue
		}
		data := b[x.at+gfdBlockHeader : x.end]
		for table := range gfdTables {
			if table == len(gfdTables)-1 && t != gx2.Vertex {
				break
			}
			at := int(t.TablePointerPlace(table, 0, "").Off)
			count, start := int(big32(data, at-4)), int(big32(data, at)&^gfdTag)
			if start+count*gfdTables[table].size > len(data) || count > len(data) {
				continue
			}
			chunks(count, func(from, to int) {
				list = append(list, func() ([]byte, bool) {
					short, ok := withoutRecords(data, table, at, start, count, from, to)
					if !ok {
						return nil, false
					}
					return withData(b, x, short), true
				})
			})
		}
	}
	return list
}

// withoutRecords returns the data of a header block without some records of a table. The
// pointer to the table is at pointerAt. ok is false if an offset in the trailer is wrong.
func withoutRecords(data []byte, table, pointerAt, start, count, from, to int) (short []byte, ok bool) {
	trailer := len(data) - gfdTrailerSize
	patches, n := int(big32(data, trailer+patchesAt)&^gfdTag), int(big32(data, trailer+patchCountAt))
	if n > trailer/4 || patches+4*n > trailer {
		return nil, false
	}
	c := bytes.Clone(data)
	size, nullPatches := gfdTables[table].size, n > 0 && big32(data, patches) == 0
	gone := []span{{start + from*size, start + to*size}}
	textGone := 0
	for k := from; k < to && gfdTables[table].named; k++ {
		name := int(big32(data, start+k*size) &^ gfdTag)
		if name >= patches {
			return nil, false
		}
		end := bytes.IndexByte(data[name:patches], 0)
		if end < 0 {
			return nil, false
		}
		end = min((name+end+4)&^3, patches)
		gone, textGone = append(gone, span{name, end}), textGone+end-name
	}
	putBig32(c, pointerAt-4, uint32(count-(to-from)))
	kept := n
	for k := range n {
		at := patches + 4*k
		place := int(big32(data, at) &^ gfdTag)
		empty := place == pointerAt && from == 0 && to == count
		switch inside := place >= gone[0].from && place < gone[0].to; {
		case empty && nullPatches:
			putBig32(c, at, 0)
		case empty || inside && place != 0:
			gone, kept = append(gone, span{at, at + 4}), kept-1
		}
	}
	if from == 0 && to == count {
		putBig32(c, pointerAt, 0)
	}
	gone = united(gone)
	moved := func(p uint32) uint32 {
		off := int(p &^ gfdTag)
		to := off
		for _, s := range gone {
			to -= max(min(off, s.to)-s.from, 0)
		}
		return p&gfdTag | uint32(to)
	}
	for k := range n {
		at := patches + 4*k
		patch := big32(c, at)
		if place := int(patch &^ gfdTag); patch != 0 && place+4 <= patches {
			putBig32(c, place, moved(big32(c, place)))
			putBig32(c, at, moved(patch))
		}
	}
	dataSize := big32(c, trailer+dataSizeAt)
	putBig32(c, trailer+dataSizeAt, moved(dataSize))
	putBig32(c, trailer+textSizeAt, big32(c, trailer+textSizeAt)-uint32(textGone))
	putBig32(c, trailer+textAt, moved(big32(c, trailer+textAt)))
	putBig32(c, trailer+patchesAt, moved(big32(c, trailer+patchesAt)))
	putBig32(c, trailer+patchCountAt, uint32(kept))
	for _, s := range slices.Backward(gone) {
		c = slices.Delete(c, s.from, s.to)
	}
	return c, true
}
