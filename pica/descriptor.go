package pica

// Descriptor is an operand descriptor: destination mask, and for each of three
// sources a negate flag and four component selectors. Bit 31 is set in some
// official files; no implementation reads it.
//
//	 3:0   destination mask, bit 3 = x ... bit 0 = w
//	 4     negate source 1      12:5   selectors of source 1, x-slot at 12:11
//	13     negate source 2      21:14  selectors of source 2
//	22     negate source 3      30:23  selectors of source 3
type Descriptor uint32

// IdentityDescriptor writes all components and reads three sources unswizzled.
const IdentityDescriptor Descriptor = 0x0D86C36F

// IdentitySwizzle is the selector byte of .xyzw.
const IdentitySwizzle = 0x1B

// The fields of a descriptor; Negate and Selectors are indexed by source.
var (
	DescriptorMask      = Field{0, 4}
	DescriptorNegate    = [3]Field{{4, 1}, {13, 1}, {22, 1}}
	DescriptorSelectors = [3]Field{{5, 8}, {14, 8}, {23, 8}}
)

// Mask returns the destination mask, bit 3 = x.
func (d Descriptor) Mask() uint8 { return uint8(DescriptorMask.Get(uint32(d))) }

// Negate reports whether source k (0 to 2) is negated.
func (d Descriptor) Negate(k int) bool { return DescriptorNegate[k].Get(uint32(d)) != 0 }

// Selectors returns the selector byte of source k (0 to 2): two bits a slot,
// the x-slot in the high bits, 0 = x ... 3 = w.
func (d Descriptor) Selectors(k int) uint8 { return uint8(DescriptorSelectors[k].Get(uint32(d))) }

// Selector returns the component (0 = x) that source k reads for a slot (0 = x).
func (d Descriptor) Selector(k, slot int) int { return int(d.Selectors(k)>>(6-2*slot)) & 3 }

// MakeDescriptor builds a descriptor from a mask and, for each source, a negate
// flag and a selector byte.
func MakeDescriptor(mask uint8, negate [3]bool, selectors [3]uint8) Descriptor {
	d := DescriptorMask.Put(0, uint32(mask))
	for k := range selectors {
		if negate[k] {
			d |= DescriptorNegate[k].Mask()
		}
		d = DescriptorSelectors[k].Put(d, uint32(selectors[k]))
	}
	return Descriptor(d)
}
