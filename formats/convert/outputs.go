package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// semantics pairs each DVLE semantic with the numbers of its components in an output
// map. The first component of a DVLE's mask is the first component of the semantic,
// and so on (libctru).
var semantics = [...]struct {
	semantic shbin.Semantic
	first    zpsh.Semantic
	width    int
}{
	{shbin.Position, 0x00, 4},
	{shbin.NormalQuat, 0x04, 4},
	{shbin.Color, 0x08, 4},
	{shbin.TexCoord0, 0x0C, 2},
	{shbin.TexCoord1, 0x0E, 2},
	{shbin.TexCoord0W, 0x10, 1},
	{shbin.ViewVector, 0x12, 3},
	{shbin.TexCoord2, 0x16, 2},
}

const (
	unusedMap = zpsh.Map(0x1F1F1F1F)
	allMask   = 0xF // all components of a DVLE's output
)

// mapped adds an output to a map. It returns the map and the mask of the
// components that got a semantic.
func mapped(m zpsh.Map, o shbin.Output) (zpsh.Map, uint16) {
	var taken uint16
	for _, s := range semantics {
		if s.semantic != o.Semantic {
			continue
		}
		next := s.first
		for k := range 4 {
			if o.Mask>>k&1 == 0 || next == s.first+zpsh.Semantic(s.width) {
				continue
			}
			m = m&^(0xFF<<(8*k)) | zpsh.Map(next)<<(8*k)
			taken |= 1 << k
			next++
		}
	}
	return m, taken
}

// unmapped is the inverse of mapped: it returns the outputs of a map in the order of
// their first components, and the components that no output can describe. A map that
// uses no component becomes a dummy output, which only the next stage reads.
func unmapped(register uint16, m zpsh.Map) (list []shbin.Output, left []int) {
	var spoken, used uint16
	for k := range 4 {
		if m.Semantic(k) != zpsh.Unused {
			used |= 1 << k
		}
	}
	for _, s := range semantics {
		o := shbin.Output{Semantic: s.semantic, Register: register}
		next := s.first
		for k := range 4 {
			if m.Semantic(k) == next && next < s.first+zpsh.Semantic(s.width) {
				o.Mask |= 1 << k
				next++
			}
		}
		if o.Mask != 0 {
			list = append(list, o)
			spoken |= o.Mask
		}
	}
	for k := range 4 {
		if used&^spoken>>k&1 != 0 {
			left = append(left, k)
		}
	}
	if len(list) == 0 {
		list = append(list, shbin.Output{Semantic: shbin.Dummy, Register: register, Mask: allMask})
	}
	slices.SortFunc(list, compareOutputs)
	return list, left
}

// compareOutputs orders outputs by register and first component, the order of a
// ZPSH.
func compareOutputs(a, b shbin.Output) int {
	return cmp.Or(cmp.Compare(a.Register, b.Register), cmp.Compare(a.Mask&-a.Mask, b.Mask&-b.Mask))
}

func showOutput(o shbin.Output) string {
	return fmt.Sprintf("%v o%d%s", o.Semantic, o.Register, showMask(o.Mask))
}

func showMask(mask uint16) string {
	if mask == 0 {
		return "._"
	}
	var s strings.Builder
	for k, c := range "xyzw" {
		if mask>>k&1 != 0 {
			s.WriteRune(c)
		}
	}
	return "." + s.String()
}
