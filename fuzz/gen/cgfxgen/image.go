package cgfxgen

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

var le = binary.LittleEndian

// Sizes.
const (
	headerSize  = 0x14
	numKinds    = 16
	shaderKind  = 4
	dataSize    = 8
	dictSize    = 0x0C
	nodeSize    = 0x10
	objectSize  = 0x48
	programSize = 0x88
)

// Fields of the header, a DICT, a node, an object and a program.
const (
	headerLength, revision, fileSize, blockCount = 0x06, 0x08, 0x0C, 0x10

	dictLength, dictCount = 0x04, 0x08

	nodeChild, nodeName, nodeObject = 0x04, 0x08, 0x0C

	objectMagic, objectRevision, objectName, metadata, dvlbSize, dvlbPointer = 0x04, 0x08, 0x0C, 0x10, 0x18, 0x1C
	programCount, programArray, padding                                      = 0x28, 0x2C, 0x38

	vertexIndex, geometryIndex, programOpaque = 0x04, 0x08, 0x0C
)

// commands are the counts of the two lists of an object; the pointers follow.
var commands = [2]int{0x20, 0x30}

// image is a file with the offsets of its parts. This package lays the file out, because the writer of package cgfx
// knows one order only; two layouts also show mistakes of either.
type image struct {
	*gen.Draft     // its fields are known once the file is laid out
	data       int // where DATA is
	pairs      int // in it
	dict       int
	trie       trie
	shaders    []shader
	usual      *image // the same file, if the shape of this one is a fault
}

// shader is a shader of the file with the offsets of its parts. key is the name of its node, name the name of its
// object.
type shader struct {
	cgfx.Object
	types                          []shbin.Type // of its DVLEs
	object, array, dvlb, key, name int
	programs                       []int
}

// block is a part that is in one piece.
type block struct {
	size, align int
	at          *int // receives the offset
}

// newImage returns an image without a layout.
func newImage(f *cgfx.File, shape shape) *image {
	m := &image{Draft: gen.NewDraft(nil, le, nil), data: headerSize, pairs: numKinds,
		shaders: make([]shader, len(f.Objects))}
	names := make([]string, len(f.Objects))
	for i, o := range f.Objects {
		names[i] = string(o.Name)
		s := shader{Object: o, programs: make([]int, len(o.Programs))}
		if dvlb, err := o.Binary(); err == nil {
			for _, e := range dvlb.DVLEs {
				s.types = append(s.types, e.Type)
			}
		}
		m.shaders[i] = s
	}
	m.trie = newTrie(names)
	return m
}

// plain lays the file out as package cgfx would.
func plain(f *cgfx.File) *image { return withNames(f, len(f.Objects)) }

// withNames lays the file out as package cgfx would, but with the bytes of n names only: the other names are ends of the
// first, each a byte shorter than the one before.
func withNames(f *cgfx.File, n int) *image {
	m := newImage(f, shape{})
	var names []block
	blocks := []block{m.dictBlock()}
	for i := range m.shaders {
		s := &m.shaders[i]
		if blocks = append(blocks, s.blocks()...); i < n {
			names = append(names, s.nameBlock(&s.key))
		}
	}
	names[0].align = 4
	end := m.place(append(blocks, names...), func() int { return 0 })
	m.Bytes = make([]byte, (end+3)&^3)
	for i := range m.shaders {
		if i >= n {
			m.shaders[i].key = m.shaders[0].key + i
		}
		m.shaders[i].name = m.shaders[i].key
	}
	m.write()
	return m
}

// arranged lays the file out in any order, with gaps, and with all that may be
// in a file without a finding.
func arranged(c *gen.Choices, f *cgfx.File, shape shape) *image {
	m := newImage(f, shape)
	if shape.wide {
		m.data += 4 * int(c.Within(1, (0xFFFC-headerSize)/4))
	}
	var blocks []block
	for i := range m.shaders {
		s := &m.shaders[i]
		blocks = append(append(blocks, s.blocks()...), s.nameBlock(&s.key))
		if c.Chance(8) {
			blocks = append(blocks, s.nameBlock(&s.name))
		}
	}
	gaps := func() int { return max(c.Below(24)-12, 0) }
	blocks = gen.Shuffled(c, blocks)
	if shape.few {
		m.pairs = int(c.Within(shaderKind+1, numKinds-1))
		blocks = append([]block{m.dictBlock()}, blocks...)
		first := gaps
		gaps = func() int { gaps = first; return 0 }
	} else {
		blocks = append(blocks, m.dictBlock())
		i := c.Below(len(blocks))
		blocks[i], blocks[len(blocks)-1] = blocks[len(blocks)-1], blocks[i]
	}
	end := m.place(blocks, func() int { return gaps() })
	m.Bytes = make([]byte, end+gaps())
	if c.Chance(12) {
		copy(m.Bytes, c.Data(len(m.Bytes)))
	}
	for i := range m.shaders {
		if s := &m.shaders[i]; s.name == 0 {
			s.name = s.key
		}
	}
	m.write()
	m.drawUnread(c)
	return m
}

func (m *image) dictBlock() block { return block{dictSize + nodeSize*len(m.trie), 4, &m.dict} }

func (s *shader) nameBlock(at *int) block { return block{len(s.Name) + 1, 1, at} }

// blocks returns the parts of a shader without its names, in their usual order.
func (s *shader) blocks() []block {
	list := []block{{objectSize, 4, &s.object}, {4 * len(s.programs), 4, &s.array}}
	for i := range s.programs {
		list = append(list, block{programSize, 4, &s.programs[i]})
	}
	return append(list, block{len(s.DVLB), 4, &s.dvlb})
}

// place puts blocks behind DATA, one after the other, and returns their end.
func (m *image) place(blocks []block, gap func() int) (end int) {
	end = m.pairAt(m.pairs)
	for _, b := range blocks {
		*b.at = (end + gap() + b.align - 1) &^ (b.align - 1)
		end = *b.at + b.size
	}
	return end
}

func (m *image) pairAt(k int) int { return m.data + 8 + 8*k }
func (m *image) nodeAt(k int) int { return m.dict + dictSize + nodeSize*k }

// write writes everything that is at a known place.
func (m *image) write() {
	copy(m.Bytes, "CGFX\xFF\xFE")
	le.PutUint16(m.Bytes[headerLength:], uint16(m.data))
	m.store(revision, 0x05000000, uint32(len(m.Bytes)), 1)
	copy(m.Bytes[m.data:], "DATA")
	m.store(m.data+4, uint32(len(m.Bytes)-m.data))
	clear(m.Bytes[m.pairAt(0):m.pairAt(m.pairs)])
	m.store(m.pairAt(shaderKind), uint32(len(m.shaders)))
	m.point(m.pairAt(shaderKind)+4, m.dict)

	copy(m.Bytes[m.dict:], "DICT")
	m.store(m.dict+dictLength, uint32(dictSize+nodeSize*len(m.trie)), uint32(len(m.shaders)))
	for k, n := range m.trie {
		m.store(m.nodeAt(k), uint32(n.bit), uint32(n.child[0])|uint32(n.child[1])<<16, 0, 0)
	}
	for i := range m.shaders {
		s := &m.shaders[i]
		m.point(m.nodeAt(i+1)+nodeName, s.key)
		m.point(m.nodeAt(i+1)+nodeObject, s.object)
		m.shader(s)
		for _, at := range []int{s.key, s.name} {
			copy(m.Bytes[at:], s.Name)
			m.Bytes[at+len(s.Name)] = 0
		}
	}
}

func (m *image) shader(s *shader) {
	clear(m.Bytes[s.object:][:objectSize])
	m.store(s.object, 0x80000002)
	copy(m.Bytes[s.object+objectMagic:], "SHDR")
	m.store(s.object+objectRevision, 0x06000000)
	m.point(s.object+objectName, s.name)
	m.store(s.object+dvlbSize, uint32(len(s.DVLB)))
	m.point(s.object+dvlbPointer, s.dvlb)
	copy(m.Bytes[s.dvlb:], s.DVLB)
	if n := len(s.programs); n > 0 {
		m.store(s.object+programCount, uint32(n))
		m.point(s.object+programArray, s.array)
	}
	for i, at := range s.programs {
		p := s.Programs[i]
		m.point(s.array+4*i, at)
		if _, err := binary.Encode(m.Bytes[at:], le, p); err != nil {
			panic(err)
		}
	}
}

// drawUnread draws values for bytes that no reader interprets, metadata and the pointers of empty tables, and varies
// fields that have several right values.
func (m *image) drawUnread(c *gen.Choices) {
	any := func(at int) { m.store(at, uint32(c.Bits(32))) }
	for k := range m.pairs {
		if k != shaderKind && c.Chance(2) {
			m.point(m.pairAt(k)+4, 0) // null, too
		}
	}
	for i := range m.shaders {
		s := &m.shaders[i]
		if c.Chance(8) {
			any(s.object + metadata)
			any(s.object + metadata + 4)
		}
		for _, at := range commands {
			if c.Chance(4) {
				any(s.object + at + 4)
			}
		}
		if len(s.programs) == 0 && c.Chance(8) {
			any(s.object + programArray)
		}
		for j := range m.shaders {
			// A name may be the tail of another.
			long := &m.shaders[j]
			if tail := len(long.Name) - len(s.Name); strings.HasSuffix(string(long.Name), string(s.Name)) &&
				c.Chance(4) {
				m.point(m.nodeAt(i+1)+nodeName, long.key+tail)
			}
		}
	}
	if c.Chance(4) {
		m.grow(slices.Concat([]byte("IMAG\x08\x00\x00\x00"), make([]byte, c.Below(16))))
		m.store(blockCount, 2)
	}
	if m.pairs == numKinds && c.Chance(8) {
		m.store(m.data+4, uint32(c.Within(8+8*numKinds, uint64(len(m.Bytes)-m.data))))
	}
}

func (m *image) store(at int, values ...uint32) {
	for i, v := range values {
		le.PutUint32(m.Bytes[at+4*i:], v)
	}
}

func (m *image) word(at int) uint32 { return le.Uint32(m.Bytes[at:]) }

// point makes the pointer at a place lead to another.
func (m *image) point(at, target int) { m.store(at, uint32(target-at)) }

func (m *image) grow(b []byte) (at int) { return grow(m.Draft, b) }

// grow appends bytes at the next multiple of 4 and returns their offset.
func grow(d *gen.Draft, b []byte) (at int) {
	at = (len(d.Bytes) + 3) &^ 3
	d.Bytes = append(append(d.Bytes, make([]byte, at-len(d.Bytes))...), b...)
	le.PutUint32(d.Bytes[fileSize:], uint32(len(d.Bytes)))
	return at
}
