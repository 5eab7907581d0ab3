package compare

import "github.com/picaproof/picaproof/pica"

// category is the coarse class of a float pattern.
type category uint8

const (
	finite category = iota
	zero
	infinite
	nan
)

// String names the category.
func (c category) String() string { return [...]string{"finite", "zero", "infinite", "NaN"}[c] }

// Classify says how two patterns of one storage format differ; ClassNone when
// they are the same.
func Classify(storage pica.Value, want, got uint32) Class {
	w, g := categoryOf(storage, want), categoryOf(storage, got)
	switch {
	case want == got:
		return ClassNone
	case storage == pica.StorageF24 && (want|got)>>24 != 0:
		return ClassCategory // bits above a float24: not a value at all
	case w == nan && g == nan:
		return ClassNaNBits
	case w == zero && g == zero:
		return ClassZeroSign
	case distance(storage, want, got) == 1:
		return ClassOneStep
	case w != g || w == infinite:
		return ClassCategory
	}
	return ClassValue
}

func categoryOf(storage pica.Value, v uint32) category {
	exponent, mantissa := v>>16&0x7F, v&0xFFFF
	top := uint32(0x7F)
	if storage == pica.StorageF32 {
		exponent, mantissa, top = v>>23&0xFF, v&0x7FFFFF, 0xFF
	}
	switch {
	case exponent == top && mantissa != 0:
		return nan
	case exponent == top:
		return infinite
	case exponent == 0 && mantissa == 0:
		return zero
	}
	return finite
}

// distance counts representable values between two patterns that are not NaN,
// both zeros being one.
func distance(storage pica.Value, a, b uint32) int64 {
	if categoryOf(storage, a) == nan || categoryOf(storage, b) == nan {
		return -1
	}
	d := ordinal(storage, a) - ordinal(storage, b)
	return max(d, -d)
}

func ordinal(storage pica.Value, v uint32) int64 {
	sign := uint32(1) << 23
	if storage == pica.StorageF32 {
		sign = 1 << 31
	}
	if v&sign != 0 {
		return -int64(v &^ sign)
	}
	return int64(v)
}
