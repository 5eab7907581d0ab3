package decode

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// Inst is a decoded instruction. Fields that the format lacks are zero; fields
// that it has are filled in even where the instruction makes no use of them.
type Inst struct {
	Op            pica.Opcode            // base opcode, [pica.Opcode.Base]
	Format        pica.InstructionFormat // follows from Op
	IndexedSource int8                   // source that Index applies to, or -1; follows from Op
	Desc          uint8                  // operand descriptor number
	Dest          uint8                  // o0-o15 from 0x00, r0-r15 from 0x10
	Src           [3]uint8               // v0-v15 from 0x00, r0-r15 from 0x10, c0-c95 from 0x20
	Index         uint8                  // pica.IndexNone to pica.IndexAL
	CmpX, CmpY    uint8                  // pica.CmpEQ to pica.CmpGE; 6 and 7 exist
	Num           uint8                  // length of a CALL body or an else part
	Dst           uint16                 // target word
	CondOp        uint8                  // pica.CondOr to pica.CondY
	RefX, RefY    bool                   // values that the condition compares cc.x and cc.y with
	Bool, Int     uint8                  // uniform that decides
	Vertex        uint8                  // SETEMIT: vertex slot, 0 to 3
	Primitive     bool                   // SETEMIT: the EMIT completes a primitive
	Winding       bool                   // SETEMIT: inverted winding
	Unused        uint32                 // the bits of the word that no field covers, in place
}

// Decode reads an instruction word. It never fails: a reserved opcode gives an
// Inst whose bits below the opcode are all Unused.
func Decode(word uint32) Inst {
	op := pica.OpcodeOf(word)
	info := &pica.Opcodes[op]
	l := &info.Layout
	return Inst{
		Op:            info.Base,
		Format:        info.Format,
		IndexedSource: l.Indexed,
		Desc:          uint8(l.Desc.Get(word)),
		Dest:          uint8(l.Dest.Get(word)),
		Src:           [3]uint8{uint8(l.Src[0].Get(word)), uint8(l.Src[1].Get(word)), uint8(l.Src[2].Get(word))},
		Index:         uint8(l.Index.Get(word)),
		CmpX:          uint8(l.CmpX.Get(word)),
		CmpY:          uint8(l.CmpY.Get(word)),
		Num:           uint8(l.Num.Get(word)),
		Dst:           uint16(l.Dst.Get(word)),
		CondOp:        uint8(l.CondOp.Get(word)),
		RefX:          l.RefX.Get(word) != 0,
		RefY:          l.RefY.Get(word) != 0,
		Bool:          uint8(l.Bool.Get(word)),
		Int:           uint8(l.Int.Get(word)),
		Vertex:        uint8(l.Vertex.Get(word)),
		Primitive:     l.Primitive.Get(word) != 0,
		Winding:       l.Winding.Get(word) != 0,
		Unused:        word &^ covered[op],
	}
}

// Encode is the inverse of Decode. It ignores Format and IndexedSource, which
// follow from Op. It fails when Op is not a base opcode, when a value does not fit
// its field (a field that the format lacks holds only zero), and when Unused has a
// bit that belongs to a field.
func Encode(i Inst) (uint32, error) {
	if i.Op >= pica.NumOpcodes || i.Op != i.Op.Base() {
		return 0, fmt.Errorf("encode: 0x%02x is not a base opcode", uint8(i.Op))
	}
	l := i.Op.Layout()
	word := uint32(i.Op) << opcodeField.Lo
	for _, part := range [...]struct {
		name  string
		field pica.Field
		value uint32
	}{
		{"descriptor", l.Desc, uint32(i.Desc)},
		{"destination", l.Dest, uint32(i.Dest)},
		{"source 1", l.Src[0], uint32(i.Src[0])},
		{"source 2", l.Src[1], uint32(i.Src[1])},
		{"source 3", l.Src[2], uint32(i.Src[2])},
		{"index", l.Index, uint32(i.Index)},
		{"x comparison", l.CmpX, uint32(i.CmpX)},
		{"y comparison", l.CmpY, uint32(i.CmpY)},
		{"length", l.Num, uint32(i.Num)},
		{"target", l.Dst, uint32(i.Dst)},
		{"condition operator", l.CondOp, uint32(i.CondOp)},
		{"x reference", l.RefX, bit(i.RefX)},
		{"y reference", l.RefY, bit(i.RefY)},
		{"boolean uniform", l.Bool, uint32(i.Bool)},
		{"integer uniform", l.Int, uint32(i.Int)},
		{"vertex", l.Vertex, uint32(i.Vertex)},
		{"primitive flag", l.Primitive, bit(i.Primitive)},
		{"winding flag", l.Winding, bit(i.Winding)},
	} {
		if part.value>>part.field.Width != 0 {
			return 0, fmt.Errorf("encode: %v: %s %d does not fit in %d bits", i.Op, part.name,
				part.value, part.field.Width)
		}
		word |= part.value << part.field.Lo
	}
	if taken := i.Unused & covered[i.Op]; taken != 0 {
		return 0, fmt.Errorf("encode: %v: unused bits 0x%08x belong to fields", i.Op, taken)
	}
	return word | i.Unused, nil
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
