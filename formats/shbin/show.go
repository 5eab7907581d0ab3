package shbin

import (
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/pica"
)

// showWord prints a code word and its mnemonic.
func showWord(n uint64) string { return fmt.Sprintf("0x%08x %v", n, pica.OpcodeOf(uint32(n))) }

// showMask prints the components of an output mask, bit 0 = x.
func showMask(n uint64) string {
	s := ""
	for i, c := range "xyzw" {
		if n>>i&1 != 0 {
			s += string(c)
		}
	}
	if s == "" || n > 0xF {
		return fmt.Sprintf("0x%04x", n)
	}
	return s
}

// showLength prints the length of a label.
func showLength(n uint64) string {
	if n == NoLength {
		return "none"
	}
	return strconv.FormatUint(n, 10)
}

// showRegister returns the printer of a register number of one class.
func showRegister(class string) func(uint64) string {
	return func(n uint64) string { return class + strconv.FormatUint(n, 10) }
}

func showFloat24(n uint64) string { return pica.Float24.Show(uint32(n)) }

// show returns the register range of a uniform for findings: "c0 to c3".
func (u *Uniform) show() diag.Value {
	return diag.Value{N: uint64(u.First)<<16 | uint64(u.Last), Show: func(n uint64) string {
		first, last := Register(n>>16).String(), Register(n).String()
		if first == last {
			return first
		}
		return first + " to " + last
	}}
}

// show returns the register of the second of two constants for one register.
func (c *Constant) show() diag.Value {
	return diag.Value{N: uint64(c.Type)<<8 | uint64(c.Register), Show: func(n uint64) string {
		return fmt.Sprintf("%s register %d used before", ConstantType(n>>8), uint8(n))
	}}
}
