package oracle

// This file states how uniforms and inputs reach a register: the decoding of a raw float24
// (raw24 for short), and the rounding of a float32 to float24.

// fromRaw24 converts a raw float24 to the pattern of a register. A float24 register holds it
// unchanged; a binary32 register holds every float24 exactly, the payload of a NaN included
// (Azahar).
func fromRaw24(u *Unit, x uint32) uint32 {
	x &= 1<<24 - 1
	if u.NumberFormat == Float24 {
		return x
	}
	neg := x&Float24.Sign != 0
	switch n := Float24.Unpack(x); n.Class {
	case Zero:
		return u.Signed(0, n.Neg)
	case Infinite:
		return u.Signed(u.Infinity, neg)
	case NaN:
		return u.Signed(u.Infinity|Float24.fraction(x)<<(u.Mantissa-Float24.Mantissa), neg)
	default:
		return u.Round(n, Nearest, false) // exact
	}
}

// fromFloat32 rounds a float32 to float24 in the direction u.Upload, then converts it like a
// raw float24. The registers of the console are described as float24 (3dbrew, picasso), so it
// rounds somewhere; how is unknown. A binary32 register receives the rounded number too:
// exactUploads in package oracle/impl replaces this rule. A NaN keeps its sign and loses its
// payload (guess).
func fromFloat32(u *Unit, x uint32) uint32 {
	var y uint32
	switch n := Binary32.Unpack(x); n.Class {
	case NaN:
		y = Float24.Quiet
	case Infinite:
		y = Float24.Infinity
	case Finite:
		y = Float24.Round(Number{Class: Finite, Sig: n.Sig, Exp: n.Exp}, u.Upload, false)
	}
	if x&Binary32.Sign != 0 {
		y |= Float24.Sign
	}
	return u.Ops.FromRaw24(u, y)
}
