package diff

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// constant is a constant whose payload is compared as a whole and shown according to its
// type.
type constant shbin.Constant

// String returns "c3 = 1 (0x3f0000), 0 (0x000000), 0 (0x000000), 0 (0x000000)".
func (c constant) String() string {
	class, ok := map[shbin.ConstantType]string{shbin.Bool: "b", shbin.Int: "i", shbin.Float: "c"}[c.Type]
	if !ok {
		class = fmt.Sprintf("type %d, register ", c.Type)
	}
	return fmt.Sprintf("%s%d = %s", class, c.Register, c.value())
}

// value returns the payload: numbers, and other bytes in hex.
func (c constant) value() string {
	p := c.Payload
	var parts []string
	used := 0
	switch c.Type {
	case shbin.Bool:
		if p[0] <= 1 && p[1] == 0 && p[2] == 0 && p[3] == 0 {
			parts, used = []string{fmt.Sprint(p[0] == 1)}, 4
		}
	case shbin.Int:
		for used = 0; used < 4; used++ {
			parts = append(parts, fmt.Sprint(p[used]))
		}
	case shbin.Float:
		for _, w := range p.Words() {
			parts = append(parts, float24(w).String())
		}
		used = len(p)
	}
	if rest := p[used:]; strings.Trim(string(rest), "\x00") != "" || used == 0 {
		parts = append(parts, "bytes "+hex.EncodeToString(rest))
	}
	return strings.Join(parts, ", ")
}

// compare reports the fields that differ.
func (c constant) compare(w *walker, path string, o constant) {
	payload := c.Payload
	c.Payload = o.Payload
	w.structs(path, reflect.ValueOf(c), reflect.ValueOf(o))
	if c.Payload = payload; payload != o.Payload {
		w.leaf(join(path, "payload"), c.value(), o.value())
	}
}

// float24 is the pattern of a float24.
type float24 uint32

// String returns "1 (0x3f0000)".
func (x float24) String() string { return pica.Float24.Show(uint32(x)) }
