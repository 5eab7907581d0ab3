package view

import "math"

// ErrorBits returns the number of wrong bits, of 24, in a float32 result: 0 for none, 24 for
// another sign or class.
func ErrorBits(want, got uint32) float64 {
	w, g := float64(math.Float32frombits(want)), float64(math.Float32frombits(got))
	relative := math.Abs((w - g) / w)
	if want == got || relative == 0 {
		return 0
	}
	if math.IsNaN(relative) || math.IsInf(relative, 0) {
		return 24
	}
	return min(max(24+math.Log2(relative), 0), 24)
}
