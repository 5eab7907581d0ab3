package shbin

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/pica"
)

// How integers read in findings and regions.

func hex16(n uint64) string { return fmt.Sprintf("0x%04x", n) }
func hex32(n uint64) string { return fmt.Sprintf("0x%08x", n) }

func show[T interface {
	~uint8 | ~uint16
	String() string
}](n uint64) string {
	return T(n).String()
}

// showFourCC prints a magic number as text.
func showFourCC(n uint64) string {
	return strconv.QuoteToASCII(string(le.AppendUint32(nil, uint32(n))))
}

// showWord prints a code word and its mnemonic.
func showWord(n uint64) string { return hex32(n) + " " + pica.OpcodeOf(uint32(n)).String() }

// showMask prints the components of an output mask, bit 0 = x.
func showMask(n uint64) string {
	s := ""
	for i, c := range "xyzw" {
		if n>>i&1 != 0 {
			s += string(c)
		}
	}
	if s == "" || n > 0xF {
		return hex16(n)
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

// showOutput prints an output register.
func showOutput(n uint64) string { return "o" + strconv.FormatUint(n, 10) }

// showRegister returns the printer of a register number of one class.
func showRegister(class string) func(uint64) string {
	return func(n uint64) string { return class + strconv.FormatUint(n, 10) }
}

func showFloat24(n uint64) string { return wire.Float24(uint32(n)) }

// show prints the registers of a uniform.
func (u *Uniform) show() diag.Value {
	return diag.Value{N: uint64(u.First)<<16 | uint64(u.Last), Show: func(n uint64) string {
		return Register(n>>16).String() + " to " + Register(n).String()
	}}
}

// show prints the register of a constant.
func (c *Constant) show() diag.Value {
	return diag.Value{N: uint64(c.Type)<<8 | uint64(c.Register), Show: func(n uint64) string {
		return fmt.Sprintf("%s register %d used before", ConstantType(n>>8), uint8(n))
	}}
}

// nameAt returns the name at an offset inside a table. It looks no farther than
// a name can be printed: there may be thousands of references to a long one.
func nameAt(table []byte, off uint32) []byte {
	const enough = 256
	name, _, _ := bytes.Cut(table[off:min(uint64(off)+enough, uint64(len(table)))], []byte{0})
	return name
}
