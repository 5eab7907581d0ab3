package shbin

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/picaproof/picaproof/formats/wire"
)

// File is a DVLB: a DVLP and the DVLEs that refer to it.
//
// In a File that Parse returns, tables that two DVLEs share in the file are one
// slice, and FileNames and Symbols are parts of one private copy of the input.
// So replace a slice to edit it; a change of its elements may change another
// DVLE too.
type File struct {
	DVLP  DVLP   `json:"dvlp"`
	DVLEs []DVLE `json:"dvle"`
	// Leniencies names the options without which Parse would have refused the
	// file.
	Leniencies []Option `json:"leniencies,omitempty"`
	// Layout has the offsets and gaps of the parsed file. Nil means the canonical
	// layout.
	Layout *Layout `json:"layout,omitempty"`
}

// DVLP is the code with the tables that all DVLEs share.
type DVLP struct {
	Version     uint32       `json:"version"` // low half as in a DVLE, upper half unknown
	Code        []uint32     `json:"code"`
	Descriptors []Descriptor `json:"descriptors"`
	Lines       []Line       `json:"lines,omitempty"`
	FileNames   wire.Hex     `json:"file_names,omitempty"` // NUL-terminated strings
}

// FileName returns the name at an offset of the file names, like Tables.Name.
func (p *DVLP) FileName(off uint32) (name string, ok bool) {
	b, ok := wire.NameAt(p.FileNames, uint64(off))
	return string(b), ok
}

// Descriptor is an operand descriptor. The GPU gets Word (a pica.Descriptor); the
// meaning of Flags is unknown.
type Descriptor struct {
	Word  uint32 `json:"word"`
	Flags uint32 `json:"flags"`
}

// Line is the source line of the code word with the same index. Name is an
// offset in the file names.
type Line struct {
	Name uint32 `json:"name"`
	Line uint32 `json:"line"`
}

// DVLE is an entry point into the code, with its tables.
type DVLE struct {
	Version    uint16   `json:"version"` // low byte major, high byte minor
	Type       Type     `json:"type"`
	Merge      uint8    `json:"merge"` // 1: merge the output maps of vertex and geometry shader
	Entry      uint32   `json:"entry"` // index of the first code word
	End        uint32   `json:"end"`   // index of the word after the last; 0 from some writers
	InputMask  uint16   `json:"input_mask"`
	OutputMask uint16   `json:"output_mask"`
	Geometry   Geometry `json:"geometry"`
	Tables
}

// Geometry holds the parameters of a geometry shader.
type Geometry struct {
	Mode     Mode  `json:"mode"`
	First    uint8 `json:"first"`          // fixed: first float register that receives the vertices
	Variable uint8 `json:"variable_count"` // variable: number of fully defined vertices
	Fixed    uint8 `json:"fixed_count"`    // fixed: number of vertices
}

// Tables are the five tables of a DVLE. Label.Name and Uniform.Name are
// offsets in Symbols. Symbols is kept as bytes, because names may share bytes and
// some bytes may belong to no name.
type Tables struct {
	Constants []Constant `json:"constants,omitempty"`
	Labels    []Label    `json:"labels,omitempty"`
	Outputs   []Output   `json:"outputs,omitempty"`
	Uniforms  []Uniform  `json:"uniforms,omitempty"`
	Symbols   wire.Hex   `json:"symbols,omitempty"`
}

// Name returns the name at an offset of the symbols. ok is false when the offset
// is outside them or no NUL follows. The time is proportional to the length of the
// name.
func (t *Tables) Name(off uint32) (name string, ok bool) {
	b, ok := wire.NameAt(t.Symbols, uint64(off))
	return string(b), ok
}

// Constant is the initial value of a uniform register. Register is the index in
// the class of the register. Of several constants for one register the last wins
// (libctru).
type Constant struct {
	Type      ConstantType `json:"type"`
	Reserved1 uint8        `json:"reserved1,omitempty"`
	Register  uint8        `json:"register"`
	Reserved3 uint8        `json:"reserved3,omitempty"`
	Payload   Payload      `json:"payload"`
}

// Payload is the value of a Constant. A bool is one word. An int is four bytes x,
// y, z, w. A float is four words x, y, z, w, each with a float24 in its low 24
// bits. All known writers fill the rest of the payload with zeros.
type Payload [16]byte

// MarshalText returns the bytes in hex.
func (p Payload) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, p[:]), nil }

// UnmarshalText reads 32 hex digits.
func (p *Payload) UnmarshalText(b []byte) error { return wire.DecodeHex(p[:], b) }

// Words returns the payload as four words: x, y, z, w of a float.
func (p Payload) Words() (w [4]uint32) {
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(p[4*i:])
	}
	return w
}

// BoolConstant returns a constant for one of b0-b15; register is its index.
func BoolConstant(register uint8, value bool) Constant {
	c := Constant{Type: Bool, Register: register}
	if value {
		c.Payload[0] = 1
	}
	return c
}

// IntConstant returns a constant for one of i0-i3; register is its index.
func IntConstant(register uint8, x, y, z, w uint8) Constant {
	return Constant{Type: Int, Register: register, Payload: Payload{x, y, z, w}}
}

// FloatConstant returns a constant for one of c0-c95; register is its index, and
// x, y, z, w are float24 bit patterns.
func FloatConstant(register uint8, x, y, z, w uint32) Constant {
	c := Constant{Type: Float, Register: register}
	for i, v := range [4]uint32{x, y, z, w} {
		binary.LittleEndian.PutUint32(c.Payload[4*i:], v)
	}
	return c
}

// NoLength is the Length of a label without a length.
const NoLength = 0xFFFFFFFF

// Label names a code word. Flags is 1 in official files and 0 in others; its
// meaning is unknown.
type Label struct {
	ID     uint16 `json:"id"`
	Flags  uint16 `json:"flags"`
	Word   uint32 `json:"word"`   // may equal the code length
	Length uint32 `json:"length"` // in words, or NoLength
	Name   uint32 `json:"name"`
}

// Output is one entry of the output map. Mask has bit 0 = x, the opposite order
// of an operand descriptor's mask.
type Output struct {
	Semantic Semantic `json:"semantic"`
	Register uint16   `json:"register"`
	Mask     uint16   `json:"mask"`
	Unknown  uint16   `json:"unknown"`
}

// Uniform names a range of registers, inputs included; Last is inclusive.
type Uniform struct {
	Name  uint32   `json:"name"`
	First Register `json:"first"`
	Last  Register `json:"last"`
}

// Layout holds the facts about a file that have no meaning for a shader, but that
// AppendBinary needs to write the same bytes again: the extents of all tables and
// the gaps. Each count is the length of the table when the file was parsed. When
// a table has another length, AppendBinary ignores the layout.
type Layout struct {
	Size        uint64       `json:"size"`
	ShortHeader bool         `json:"short_header,omitempty"` // DVLP header of 28 bytes instead of 40
	Code        Extent       `json:"code"`                   // this and the next three: offsets from the DVLP
	Descriptors Extent       `json:"descriptors"`
	Lines       Extent       `json:"lines"`
	FileNames   Extent       `json:"file_names"`
	DVLEs       []DVLELayout `json:"dvle"`
	Gaps        []Gap        `json:"gaps,omitempty"`
}

// DVLELayout has the offset of a DVLE and the extents of its tables in header
// order.
type DVLELayout struct {
	Offset uint32                `json:"offset"` // from the start of the file
	Tables [numDVLETables]Extent `json:"tables"` // offsets from the DVLE
}

// Extent is the offset of a table and the number of its entries; the entries of
// symbols and file names are bytes.
type Extent = wire.Extent

// Gap is a range of bytes outside all headers and tables.
type Gap = wire.Gap

// Canonical returns the same content without its layout. The two files share
// their tables.
func (f *File) Canonical() *File {
	c := *f
	c.Layout = nil
	return &c
}

// Equal reports whether two files have the same content; layout and leniencies do
// not count. A nil slice equals an empty one.
func (f *File) Equal(g *File) bool {
	if !f.DVLP.equal(&g.DVLP) || len(f.DVLEs) != len(g.DVLEs) {
		return false
	}
	for i := range f.DVLEs {
		if !f.DVLEs[i].equal(&g.DVLEs[i]) {
			return false
		}
	}
	return true
}

func (p *DVLP) equal(q *DVLP) bool {
	return p.Version == q.Version && wire.EqualTables(dvlpTables, p, q)
}

// equal compares the fields of the header and the tables; empty layouts leave out the
// extents.
func (e *DVLE) equal(o *DVLE) bool {
	return dvleRecord.Equal(&dvleHeader{e, &DVLELayout{}}, &dvleHeader{o, &DVLELayout{}}) &&
		wire.EqualTables(dvleTables, &e.Tables, &o.Tables)
}
