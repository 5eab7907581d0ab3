package asm

import (
	"strconv"

	"github.com/picaproof/picaproof/pica"
)

const components = "xyzw"

// indexNames are the spellings of the address registers, by index field.
var indexNames = [...]string{pica.IndexA0X: "a0.x", pica.IndexA0Y: "a0.y", pica.IndexAL: "aL"}

// comparisonNames are the names of the operators of CMP; two have none.
var comparisonNames = [...]string{pica.CmpEQ: "eq", pica.CmpNE: "ne", pica.CmpLT: "lt",
	pica.CmpLE: "le", pica.CmpGT: "gt", pica.CmpGE: "ge"}

func appendComparison(b []byte, op uint8) []byte {
	if int(op) < len(comparisonNames) {
		return append(b, comparisonNames[op]...)
	}
	return strconv.AppendUint(b, uint64(op), 10)
}

// appendRegister appends a class letter and a number.
func appendRegister(b []byte, class byte, number uint8) []byte {
	return strconv.AppendUint(append(b, class), uint64(number), 10)
}

// appendNamed appends a register by its name, if it has one, and its index.
func (p *printer) appendNamed(b []byte, class byte, number, index uint8) []byte {
	name, offset := "", -1
	if p.name != nil {
		name, offset = p.name(class, number)
	}
	if name == "" {
		b = appendRegister(b, class, number)
	} else {
		b = append(b, name...)
	}
	if index == pica.IndexNone && offset < 0 {
		return b
	}
	b = append(b, '[')
	if index != pica.IndexNone {
		b = append(b, indexNames[index]...)
		if offset > 0 {
			b = append(b, '+')
		}
	}
	if offset > 0 || index == pica.IndexNone {
		b = strconv.AppendInt(b, int64(offset), 10)
	}
	return append(b, ']')
}

// sourceRegister splits a source field into class and number.
func sourceRegister(field uint8) (class byte, number uint8) {
	switch {
	case field >= pica.SourceUniform:
		return 'c', field - pica.SourceUniform
	case field >= pica.SourceTemporary:
		return 'r', field - pica.SourceTemporary
	}
	return 'v', field
}

// destRegister splits a destination field into class and number.
func destRegister(field uint8) (class byte, number uint8) {
	if field >= pica.DestTemporary {
		return 'r', field - pica.DestTemporary
	}
	return 'o', field
}

// appendMask appends the letters of a destination mask (bit 3 = x), "_" for none.
func appendMask(b []byte, mask uint8) []byte {
	b = append(b, '.')
	if mask == 0 {
		return append(b, '_')
	}
	for k := range components {
		if mask&(8>>k) != 0 {
			b = append(b, components[k])
		}
	}
	return b
}

// appendDest appends a destination; the full mask is left out.
func appendDest(b []byte, field, mask uint8) []byte {
	class, number := destRegister(field)
	b = appendRegister(b, class, number)
	if mask != 15 {
		b = appendMask(b, mask)
	}
	return b
}

// appendSource appends operand k of an instruction.
func (p *printer) appendSource(b []byte, field, index uint8, d pica.Descriptor, k int) []byte {
	if d.Negate(k) {
		b = append(b, '-')
	}
	class, number := sourceRegister(field)
	b = p.appendNamed(b, class, number, index)
	if d.Selectors(k) == pica.IdentitySwizzle {
		return b
	}
	last := 3
	for last > 0 && d.Selector(k, last) == d.Selector(k, last-1) {
		last--
	}
	b = append(b, '.')
	for slot := range last + 1 {
		b = append(b, components[d.Selector(k, slot)])
	}
	return b
}
