package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/pica"
)

// constants converts the constants. The last constant of a register wins.
func (e *entryToZPSH) constants() {
	table := e.dvle.Constants
	loaded := make(map[[2]uint8]int)
	for k, c := range table {
		id := [2]uint8{uint8(c.Type), c.Register}
		if first, again := loaded[id]; again {
			e.dropped(e.at("constants", first, ""), showConstant(table[first]),
				fmt.Sprintf("constants[%d] is loaded over it", k))
		}
		loaded[id] = k
	}
	ordered, previous := true, shbin.Constant{}
	for k, c := range table {
		if loaded[[2]uint8{uint8(c.Type), c.Register}] != k {
			continue
		}
		e.constant(k, c)
		ordered = ordered && compareConstants(previous, c) <= 0
		previous = c
	}
	slices.SortFunc(e.entry.Ints, func(a, b zpsh.Int) int { return cmp.Compare(a.Register, b.Register) })
	slices.SortFunc(e.entry.Floats, func(a, b zpsh.Float) int { return cmp.Compare(a.Register, b.Register) })
	if !ordered {
		e.changed(e.path("constants"), "", "", "ZPSH orders constants by register")
	}
}

// constant converts one constant and reports payload bytes that have no meaning.
func (e *entryToZPSH) constant(k int, c shbin.Constant) {
	read := shbin.Constant{Type: c.Type, Register: c.Register}
	switch w := c.Payload.Words(); c.Type {
	case shbin.Bool:
		set := w[0]&1 != 0
		if set {
			e.entry.Bools |= 1 << c.Register
		} else {
			e.dropped(e.at("constants", k, ""), showConstant(c), "ZPSH does not tell false from no constant")
		}
		read = shbin.BoolConstant(c.Register, set)
	case shbin.Int:
		v := [4]uint8(c.Payload[:4])
		e.entry.Ints = append(e.entry.Ints, zpsh.Int{Register: c.Register, Value: v})
		read = shbin.IntConstant(c.Register, v[0], v[1], v[2], v[3])
	case shbin.Float:
		for i := range w {
			w[i] &= 1<<24 - 1
		}
		e.entry.Floats = append(e.entry.Floats, zpsh.Float{Register: c.Register, Value: w})
		read = shbin.FloatConstant(c.Register, w[0], w[1], w[2], w[3])
	}
	if c.Payload != read.Payload {
		e.changed(e.at("constants", k, "payload"), fmt.Sprintf("%x", c.Payload), fmt.Sprintf("%x", read.Payload),
			"ZPSH holds the bits that are loaded and no others")
	}
	if read.Payload = c.Payload; c != read {
		e.droppedFields(e.at("constants", k, ""), c, read, notInZPSH)
	}
}

// compareConstants orders constants by type and register, the order of a ZPSH.
func compareConstants(a, b shbin.Constant) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Register, b.Register))
}

func showConstant(c shbin.Constant) string {
	register := strconv.Itoa(int(c.Register))
	switch w := c.Payload.Words(); c.Type {
	case shbin.Bool:
		return fmt.Sprintf("b%s = %t", register, w[0]&1 != 0)
	case shbin.Int:
		return fmt.Sprintf("i%s = %v", register, c.Payload[:4])
	default:
		values := make([]string, len(w))
		for i := range w {
			values[i] = pica.Float24.Show(w[i])
		}
		return "c" + register + " = " + strings.Join(values, ", ")
	}
}
