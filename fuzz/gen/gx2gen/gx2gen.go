// Package gx2gen serves this module: it draws GX2 shaders, which several containers hold.
package gx2gen

import (
	"math"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// fields are the rules about single fields.
var fields = gen.NewFieldRules(gx2.Rules, gx2.Records...)

// Drawer draws shaders and the parts of their containers.
type Drawer struct{ C *gen.Choices }

// Count draws the length of a list, seldom more than usual.
func (d Drawer) Count(usual, most int) int {
	if k := int(d.C.Bits(4)); k < 15 {
		return k % (usual + 1)
	}
	return d.C.Below(most + 1)
}

// Number draws a word: a small one, one at a border, or any.
func (d Drawer) Number() uint32 {
	switch d.C.Bits(2) {
	case 0:
		return uint32(d.C.Bits(4))
	case 1:
		return gen.Pick(d.C, []uint32{0xFF, 0x100, 0xFFFF, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32 - 1,
			math.MaxUint32})
	}
	return uint32(d.C.Bits(32))
}

// Data draws n bytes.
func (d Drawer) Data(n int) wire.Hex { return d.C.Data(n) }

// Above draws a number above a limit.
func (d Drawer) Above(limit uint64) uint32 { return uint32(d.C.Within(limit+1, math.MaxUint32)) }

// Past is Above a limit up to which a field may have any value: in a near miss, the limit.
func (d Drawer) Past(limit uint64) uint32 { return uint32(d.C.Wrong(limit+1, math.MaxUint32, limit)) }

// Pair draws two numbers, i < j < n, for n of 2 or more.
func (d Drawer) Pair(n int) (i, j int) {
	j = 1 + d.C.Below(n-1)
	return d.C.Below(j), j
}
