package oracle

import "github.com/picaproof/picaproof/pica"

// A field is a range of bits of an instruction word or operand descriptor.
type field struct{ low, width uint8 }

func (f field) of(word uint32) int { return int(word >> f.low & (1<<f.width - 1)) }

// A layout says where an arithmetic instruction keeps its operands. One source
// is wide: seven bits reach the float uniforms, and the address register named
// by index applies to it (nihstro, picasso, Panda3DS).
type layout struct {
	desc    field
	sources [3]field
	wide    int
	index   field
	dest    field
}

// The layouts; the names are those of the public notes.
var (
	format1  = layout{desc: field{0, 7}, sources: [3]field{{12, 7}, {7, 5}}, wide: 0, index: field{19, 2}, dest: field{21, 5}}
	format1u = layout{desc: field{0, 7}, sources: [3]field{{12, 7}}, wide: 0, index: field{19, 2}, dest: field{21, 5}}
	format1i = layout{desc: field{0, 7}, sources: [3]field{{14, 5}, {7, 7}}, wide: 1, index: field{19, 2}, dest: field{21, 5}}
	format1c = layout{desc: field{0, 7}, sources: [3]field{{12, 7}, {7, 5}}, wide: 0, index: field{19, 2}}
	format5  = layout{desc: field{0, 5}, sources: [3]field{{17, 5}, {10, 7}, {5, 5}}, wide: 1, index: field{22, 2}, dest: field{24, 5}}
	format5i = layout{desc: field{0, 5}, sources: [3]field{{17, 5}, {12, 5}, {5, 7}}, wide: 2, index: field{22, 2}, dest: field{24, 5}}
)

// The fields of flow control, SETEMIT and CMP.
var (
	fieldNum       = field{0, 8}   // length of a procedure or an else part; bit 0 inverts JMPU
	fieldTarget    = field{10, 12} // DST
	fieldCondition = field{22, 2}
	fieldRefY      = field{24, 1}
	fieldRefX      = field{25, 1}
	fieldBool      = field{22, 4}
	fieldInt       = field{22, 2}
	fieldWinding   = field{22, 1}
	fieldPrimitive = field{23, 1}
	fieldVertex    = field{24, 2}
	fieldCompareY  = field{21, 3}
	fieldCompareX  = field{24, 3}
)

// The fields of an operand descriptor. In a mask bit 3 is x; in a selector byte
// the x slot has the high bits.
var (
	descMask      = field{0, 4}
	descNegate    = [3]field{{4, 1}, {13, 1}, {22, 1}}
	descSelectors = [3]field{{5, 8}, {14, 8}, {23, 8}}
)

// Lane sets, in the order of a destination mask.
const (
	laneX   = 8
	laneY   = 4
	laneZ   = 2
	laneW   = 1
	laneXYZ = laneX | laneY | laneZ
	all     = laneXYZ | laneW
)

// A shape says what an instruction looks like and which lanes of its sources
// matter: always, and only where the mask has a bit too.
type shape struct {
	known  bool
	layout *layout // nil without operands
	number int     // of sources
	always [3]uint8
	masked [3]uint8
}

// shapes is indexed by the opcode with its aliases folded.
var shapes = func() (t [pica.NumOpcodes]shape) {
	for _, op := range []pica.Opcode{pica.ADD, pica.MUL, pica.SGE, pica.SLT, pica.MAX, pica.MIN} {
		t[op] = shape{layout: &format1, number: 2, masked: [3]uint8{all, all}}
	}
	for _, op := range []pica.Opcode{pica.SGEI, pica.SLTI} {
		t[op] = shape{layout: &format1i, number: 2, masked: [3]uint8{all, all}}
	}
	for _, op := range []pica.Opcode{pica.MOV, pica.FLR} {
		t[op] = shape{layout: &format1u, number: 1, masked: [3]uint8{all}}
	}
	for _, op := range []pica.Opcode{pica.EX2, pica.LG2, pica.RCP, pica.RSQ} {
		t[op] = shape{layout: &format1u, number: 1, always: [3]uint8{laneX}}
	}
	t[pica.DP3] = shape{layout: &format1, number: 2, always: [3]uint8{laneXYZ, laneXYZ}}
	t[pica.DP4] = shape{layout: &format1, number: 2, always: [3]uint8{all, all}}
	t[pica.DPH] = shape{layout: &format1, number: 2, always: [3]uint8{laneXYZ, all}}
	t[pica.DPHI] = shape{layout: &format1i, number: 2, always: [3]uint8{laneXYZ, all}}
	t[pica.DST] = shape{layout: &format1, number: 2, masked: [3]uint8{laneY | laneZ, laneY | laneW}}
	t[pica.DSTI] = shape{layout: &format1i, number: 2, masked: [3]uint8{laneY | laneZ, laneY | laneW}}
	t[pica.LITP] = shape{layout: &format1u, number: 1, always: [3]uint8{laneX | laneW}, masked: [3]uint8{laneY}}
	t[pica.MOVA] = shape{layout: &format1u, number: 1, masked: [3]uint8{laneX | laneY}}
	t[pica.CMP] = shape{layout: &format1c, number: 2, always: [3]uint8{laneX | laneY, laneX | laneY}}
	t[pica.MAD] = shape{layout: &format5, number: 3, masked: [3]uint8{all, all, all}}
	t[pica.MADI] = shape{layout: &format5i, number: 3, masked: [3]uint8{all, all, all}}
	for op := range t { // the flow and geometry instructions have no operands
		t[op].known = t[op].layout != nil || op >= int(pica.BREAK) && op <= int(pica.JMPU)
	}
	return t
}()

// fold returns the opcode of a word. CMP's has five bits, MAD's and MADI's
// three: the others belong to a comparison and to the destination.
func fold(word uint32) pica.Opcode {
	switch op := pica.Opcode(word >> 26); {
	case op>>1 == pica.CMP>>1:
		return pica.CMP
	case op>>3 == pica.MADI>>3:
		return pica.MADI
	case op>>3 == pica.MAD>>3:
		return pica.MAD
	default:
		return op
	}
}
