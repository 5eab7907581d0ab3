package adapter

import (
	"strconv"

	"github.com/picaproof/picaproof/pica"
)

// appendVertex appends a VertexReply.
func appendVertex(b []byte, storage pica.NumberFormat, stage pica.Stage, v *pica.VertexOutcome,
	unreported pica.Registers) []byte {
	b = appendBank(append(b, `{"o":"`...), storage, &v.O)
	if unreported&temporaries == 0 {
		b = appendBank(append(b, `","r":"`...), storage, &v.R)
	}
	b = append(b, '"')
	if unreported&addresses == 0 {
		b = strconv.AppendInt(append(b, `,"a":[`...), int64(v.Address[0]), 10)
		b = strconv.AppendInt(append(b, ','), int64(v.Address[1]), 10)
		b = strconv.AppendInt(append(b, ','), int64(v.AL), 10)
		b = append(b, ']')
	}
	if unreported&flags == 0 {
		b = strconv.AppendUint(append(b, `,"cc":`...), uint64(bit(v.CC[0])|bit(v.CC[1])<<1), 10)
	}
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

func appendPrimitive(b []byte, storage pica.NumberFormat, p *pica.Primitive) []byte {
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
func appendBank(b []byte, storage pica.NumberFormat, bank *[16]pica.Vec4) []byte {
	for k := range bank {
		b = appendVector(b, storage, &bank[k])
	}
	return b
}

// appendVector appends a register as float32 patterns.
func appendVector(b []byte, storage pica.NumberFormat, v *pica.Vec4) []byte {
	for _, c := range v {
		b = appendHex(b, storage.Widen(c))
	}
	return b
}

// appendHex appends eight hex digits.
func appendHex(b []byte, c uint32) []byte {
	const digits = "0123456789abcdef"
	return append(b, digits[c>>28], digits[c>>24&15], digits[c>>20&15], digits[c>>16&15],
		digits[c>>12&15], digits[c>>8&15], digits[c>>4&15], digits[c&15])
}
