package vm

import "math"

func exp2(x float32) float32 { return float32(math.Exp2(float64(x))) }
func log2(x float32) float32 { return float32(math.Log2(float64(x))) }
