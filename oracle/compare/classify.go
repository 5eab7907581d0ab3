package compare

import "github.com/picaproof/picaproof/pica"

// Classify says how two patterns of one number format differ; ClassNone if they are
// equal.
func Classify(format pica.NumberFormat, want, got uint32) DifferenceClass {
	if want == got {
		return ClassNone
	}
	if !format.Fits(want) || !format.Fits(got) {
		return ClassCategory // bits above the format: not a value at all
	}
	w, g := categoryOf(format, want), categoryOf(format, got)
	steps := format.Ordinal(want) - format.Ordinal(got)
	switch {
	case w == nan && g == nan:
		return ClassNaNBits
	case w == zero && g == zero:
		return ClassZeroSign
	case w != nan && g != nan && (steps == 1 || steps == -1):
		return ClassOneStep
	case w != g || w == infinite:
		return ClassCategory
	}
	return ClassValue
}

// category is the coarse class of a number.
type category uint8

const (
	finite category = iota
	zero
	infinite
	nan
)

// String names the category.
func (c category) String() string { return [...]string{"finite", "zero", "infinite", "NaN"}[c] }

// categories maps the classes of numbers to categories.
var categories = [pica.NumNumberClasses]category{
	pica.ClassNegZero: zero, pica.ClassPosZero: zero,
	pica.ClassNegInf: infinite, pica.ClassPosInf: infinite,
	pica.ClassNaN: nan,
}

func categoryOf(format pica.NumberFormat, x uint32) category { return categories[format.Class(x)] }
