package oracle

import "github.com/picaproof/picaproof/pica"

// fromRaw24 turns a raw 1/7/16 pattern into a register's bits. A register of
// the console holds the pattern itself; the emulators hold binary32, which has
// room for every value.
func fromRaw24(u *arithmetic, x uint32) uint32 {
	x &= 1<<24 - 1
	if u.knobs[pica.KnobStorage] == pica.StorageF24 {
		return x
	}
	e, m, neg := float24.exponent(x), uint64(float24.fraction(x)), x&float24.sign != 0
	special := u.knobs[pica.KnobSpecial]
	n := float24.unpack(x)
	hidden := number{class: finite, neg: neg, sig: m | 1<<16, exp: e - 63 - 16} // (1 + m/65536) * 2^(e-63)
	switch {
	case n.class == zero && special == pica.SpecialFinite:
		return 0 // Mikage
	case n.class == zero:
		return u.signed(0, neg)
	case e == 0 && u.knobs[pica.KnobSubnormal] == pica.SubnormalZero:
		return 0 // Mikage
	case e == 0 && u.knobs[pica.KnobSubnormal] == pica.SubnormalHiddenOne:
		n = hidden // Citra, Panda3DS
	case e == 127 && special == pica.SpecialFinite:
		n = hidden // Mikage
	case n.class == infinite:
		return u.signed(u.infinity, neg)
	case n.class == nan:
		return u.signed(u.infinity|uint32(m)<<7, neg) // the payload survives (Azahar)
	}
	return u.round(n, nearest, false) // exact
}

// fromFloat32 turns an uploaded binary32 into a register's bits. The console's
// rounding is unknown; the emulators keep all bits but Borked3DS, which cuts.
func fromFloat32(u *arithmetic, x uint32) uint32 {
	switch u.knobs[pica.KnobUpload] {
	case pica.UploadExact:
		return x
	case pica.UploadCut:
		return cut(x)
	}
	mode := nearest
	if u.knobs[pica.KnobUpload] == pica.UploadRZ {
		mode = towardZero
	}
	var y uint32
	switch n := binary32.unpack(x); n.class {
	case nan:
		y = float24.quiet
	case infinite:
		y = float24.infinity
	case finite:
		y = float24.round(number{class: finite, sig: n.sig, exp: n.exp}, mode, false)
	}
	if x&binary32.sign != 0 {
		y |= float24.sign // of NaN and zero too
	}
	return u.ops.FromRaw24(u, y)
}
