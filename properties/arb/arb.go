// Package arb serves this module: it makes the generators of fuzz/gen available to gopter. They
// draw their choices from gopter's random source, and shrink by the steps of fuzz/reduce. Generated
// types have a short text form, because gopter formats every value.
package arb

import (
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
)

// Float24 draws raw float24 patterns, weighted towards the values at which rules change; the
// built-in float generators give neither zeros nor infinities nor NaN.
func Float24() gopter.Gen {
	return gen.Weighted([]gen.WeightedGen{
		{Weight: 4, Gen: gen.UInt32Range(0, 1<<24-1)},
		{Weight: 2,
			Gen: gen.OneConstOf(uint32(0), uint32(0x800000), uint32(0x3F0000), uint32(0xBF0000),
				uint32(1), uint32(0x800001),
				uint32(0x00FFFF), uint32(0x010000), uint32(0x7EFFFF), uint32(0x7F0000), uint32(0xFF0000),
				uint32(0x7F8000), uint32(0x7F0001))},
		{Weight: 3, Gen: gen.UInt32Range(0x380000, 0x47FFFF)},
	})
}
