package oracle_test

import "github.com/picaproof/picaproof/pica"

// Words for tests, put together field by field from the public notes and
// independently of every decoder in this module.

const (
	regV = 0x00
	regR = 0x10
	regC = 0x20
	outO = 0x00
	tmpR = 0x10
)

// identity is the descriptor of a full mask and three plain sources.
const identity = 0x0D86C36F

// desc builds a descriptor: a mask of "xyzw" letters and three sources, each
// a selector string with an optional leading minus.
func desc(mask string, sources ...string) uint32 {
	const letters = "xyzw"
	var d uint32
	for _, c := range mask {
		d |= 8 >> index(letters, c)
	}
	for k := range 3 {
		s := "xyzw"
		if k < len(sources) && sources[k] != "" {
			s = sources[k]
		}
		if s[0] == '-' {
			d |= 1 << [3]int{4, 13, 22}[k]
			if s = s[1:]; s == "" {
				s = "xyzw"
			}
		}
		for slot := range 4 {
			c := index(letters, rune(s[min(slot, len(s)-1)]))
			d |= uint32(c) << ([3]int{5, 14, 23}[k] + 6 - 2*slot)
		}
	}
	return d
}

func index(s string, c rune) uint32 {
	for i, d := range s {
		if c == d {
			return uint32(i)
		}
	}
	panic("no such component")
}

// op1 is format 1 (and 1u): wide first source.
func op1(op pica.Opcode, dest, src1, src2, desc uint32) uint32 {
	return uint32(op)<<26 | dest<<21 | src1<<12 | src2<<7 | desc
}

// op1i is format 1i: wide second source.
func op1i(op pica.Opcode, dest, src1, src2, desc uint32) uint32 {
	return uint32(op)<<26 | dest<<21 | src1<<14 | src2<<7 | desc
}

// opMAD is format 5, opMADI format 5i.
func opMAD(dest, src1, src2, src3, desc uint32) uint32 {
	return 7<<29 | dest<<24 | src1<<17 | src2<<10 | src3<<5 | desc
}

func opMADI(dest, src1, src2, src3, desc uint32) uint32 {
	return 6<<29 | dest<<24 | src1<<17 | src2<<12 | src3<<5 | desc
}

// opCMP is format 1c.
func opCMP(src1, src2, x, y uint32) uint32 {
	return 0x17<<27 | x<<24 | y<<21 | src1<<12 | src2<<7
}

// indexed sets the address register of a format 1 word.
func indexed(word, register uint32) uint32 { return word | register<<19 }

// flow is formats 2 and 3: which is the condition, boolean or integer number.
func flow(op pica.Opcode, which, target, num int) uint32 {
	return uint32(op)<<26 | uint32(which)<<22 | uint32(target)<<10 | uint32(num)
}

// Conditions for flow: cc.x, not cc.x, cc.y.
const (
	ifX    = 2 | 8
	ifNotX = 2
	ifY    = 3 | 4
)

func setemit(vertex, primitive, inverted uint32) uint32 {
	return uint32(pica.SETEMIT)<<26 | vertex<<24 | primitive<<23 | inverted<<22
}

const (
	end  = uint32(pica.END) << 26
	nop  = uint32(pica.NOP) << 26
	emit = uint32(pica.EMIT) << 26
)
