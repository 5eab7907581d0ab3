package shbingen

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// names has the names of a DVLE's labels, then the names of its uniforms.
type names []string

func (n *names) add(name string) { *n = append(*n, name) }

// fresh draws the name of uniform i, which no other has. Labels may have it.
func (n names) fresh(c *gen.Choices, i int) string {
	name := labelName(c)
	if uniforms := n[len(n)-i:]; name == "" || slices.Contains(uniforms, name) {
		name = "u" + strconv.Itoa(i) + "_" + name
	}
	return name
}

// pack returns the symbols, in which the names stand in any order, and lets the
// tables refer to them.
func (n names) pack(c *gen.Choices, t *shbin.Tables) (symbols []byte) {
	for _, i := range gen.Order(c, len(n)) {
		at := uint32(len(symbols))
		if i < len(t.Labels) {
			t.Labels[i].Name = at
		} else {
			t.Uniforms[i-len(t.Labels)].Name = at
		}
		symbols = append(append(symbols, n[i]...), 0)
	}
	return symbols
}

var usualNames = []string{"main", "endmain", "projection", "modelView", "inpos", "a", "light.dir[0]"}

// labelName draws a name of ASCII characters, which may be empty.
func labelName(c *gen.Choices) string {
	switch c.Bits(3) {
	case 5:
		return ""
	case 6:
		return string(bytes.Repeat([]byte{'n'}, 1+c.Below(80)))
	case 7:
		return string(text(c, 1+c.Below(8), 0x7F))
	}
	name := gen.Pick(c, usualNames)
	if c.Chance(8) {
		name += strconv.Itoa(c.Below(100))
	}
	return name
}

// fileName draws a name of any bytes, whose encoding is unknown.
func fileName(c *gen.Choices) []byte {
	if c.Chance(3) {
		return text(c, c.Below(12), 0xFF)
	}
	return []byte(labelName(c) + ".vsh")
}

// text draws n characters from 1 to last.
func text(c *gen.Choices, n int, last byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = within(c, 1, last)
	}
	return b
}
