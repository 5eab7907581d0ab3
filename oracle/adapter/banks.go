package adapter

import (
	"strconv"

	"github.com/picaproof/picaproof/pica"
)

// appendVertex appends a VertexReply.
func appendVertex(b []byte, storage pica.Value, stage pica.Stage, v *pica.VertexOutcome, regs bool) []byte {
	b = appendBank(append(b, `{"o":"`...), storage, &v.O)
	if regs {
		b = appendBank(append(b, `","r":"`...), storage, &v.R)
	}
	b = strconv.AppendInt(append(b, `","a":[`...), int64(v.Address[0]), 10)
	b = strconv.AppendInt(append(b, ','), int64(v.Address[1]), 10)
	b = strconv.AppendInt(append(b, ','), int64(v.AL), 10)
	b = strconv.AppendUint(append(b, `],"cc":`...), uint64(bit(v.CC[0])|bit(v.CC[1])<<1), 10)
	if stage == pica.Geometry {
		b = append(b, `,"prims":[`...)
		for k := range v.Primitives {
			if k > 0 {
				b = append(b, ',')
			}
			b = appendPrimitive(b, storage, &v.Primitives[k])
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendPrimitive(b []byte, storage pica.Value, p *pica.Primitive) []byte {
	b = append(b, `{"w":`...)
	b = append(b, '0'+bit(p.Inverted))
	for slot := range p.Vertices {
		b = append(b, [3]string{`,"v":["`, `","`, `","`}[slot]...)
		b = appendBank(b, storage, &p.Vertices[slot])
	}
	return append(b, `"]}`...)
}

func bit(set bool) uint8 {
	if set {
		return 1
	}
	return 0
}

// appendBank appends sixteen registers as float32 patterns, eight hex digits a
// component.
func appendBank(b []byte, storage pica.Value, bank *[16]pica.Vec4) []byte {
	const digits = "0123456789abcdef"
	for k := range bank {
		for _, c := range bank[k] {
			if storage == pica.StorageF24 {
				c = float32Of(c)
			}
			b = append(b, digits[c>>28], digits[c>>24&15], digits[c>>20&15], digits[c>>16&15],
				digits[c>>12&15], digits[c>>8&15], digits[c>>4&15], digits[c&15])
		}
	}
	return b
}

// float32Of returns the float32 of the same value as a raw float24: always
// exact; a NaN keeps its mantissa, shifted left by 7.
func float32Of(raw uint32) uint32 {
	sign, exponent, mantissa := raw>>23&1<<31, raw>>16&0x7F, raw&0xFFFF
	switch {
	case exponent == 0x7F:
		return sign | 0xFF<<23 | mantissa<<7
	case exponent == 0 && mantissa == 0:
		return sign
	case exponent == 0: // mantissa * 2^-78; its highest bit becomes the hidden one
		exponent = 1
		for mantissa < 1<<16 {
			mantissa <<= 1
			exponent--
		}
		mantissa &= 0xFFFF
	}
	return sign | (exponent+64)<<23 | mantissa<<7
}
