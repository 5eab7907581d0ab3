package oracle

import "github.com/picaproof/picaproof/pica"

// fromRaw24 turns a raw 1/7/16 pattern into a register's bits. A register of
// the console holds the pattern itself; the emulators hold binary32, which has
// room for every value.
func fromRaw24(u *Unit, x uint32) uint32 {
	x &= 1<<24 - 1
	if u.Knobs[pica.KnobStorage] == pica.StorageF24 {
		return x
	}
	e, m, neg := Float24.Exponent(x), uint64(Float24.fraction(x)), x&Float24.Sign != 0
	special := u.Knobs[pica.KnobSpecial]
	n := Float24.Unpack(x)
	hidden := Number{Class: Finite, Neg: neg, Sig: m | 1<<16, Exp: e - 63 - 16} // (1 + m/65536) * 2^(e-63)
	switch {
	case n.Class == Zero && special == pica.SpecialFinite:
		return 0 // Mikage
	case n.Class == Zero:
		return u.Signed(0, neg)
	case e == 0 && u.Knobs[pica.KnobSubnormal] == pica.SubnormalZero:
		return 0 // Mikage
	case e == 0 && u.Knobs[pica.KnobSubnormal] == pica.SubnormalHiddenOne:
		n = hidden // Citra, Panda3DS
	case e == 127 && special == pica.SpecialFinite:
		n = hidden // Mikage
	case n.Class == Infinite:
		return u.Signed(u.Infinity, neg)
	case n.Class == NaN:
		return u.Signed(u.Infinity|uint32(m)<<7, neg) // the payload survives (Azahar)
	}
	return u.Round(n, Nearest, false) // exact
}

// fromFloat32 turns an uploaded binary32 into a register's bits. The console's
// rounding is unknown; the emulators keep all bits but Borked3DS, which cuts.
func fromFloat32(u *Unit, x uint32) uint32 {
	switch u.Knobs[pica.KnobUpload] {
	case pica.UploadExact:
		return x
	case pica.UploadCut:
		return cut(x)
	}
	mode := Nearest
	if u.Knobs[pica.KnobUpload] == pica.UploadRZ {
		mode = TowardZero
	}
	var y uint32
	switch n := Binary32.Unpack(x); n.Class {
	case NaN:
		y = Float24.Quiet
	case Infinite:
		y = Float24.Infinity
	case Finite:
		y = Float24.Round(Number{Class: Finite, Sig: n.Sig, Exp: n.Exp}, mode, false)
	}
	if x&Binary32.Sign != 0 {
		y |= Float24.Sign // of NaN and zero too
	}
	return u.Ops.FromRaw24(u, y)
}
