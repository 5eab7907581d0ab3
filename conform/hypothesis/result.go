package hypothesis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// lane is one lane of a result with its operands.
type lane struct {
	u       *oracle.Unit
	vectors *[3]pica.Vec4 // the sources
	at      int           // 0 for x
	sources [3]uint32
	result  uint32
	before  uint32 // in the destination
	first   uint32 // lane x of the result
}

const resultIs1 = "where the result is 1"

// A class is a class of operands, or of results.
type class struct {
	name  string
	count int // of sources that it needs
	is    func(l *lane) bool
}

// ofOperands are the classes of operands in which an operation may go wrong, and ofResults those of results.
var (
	ofOperands = []class{
		{"where source 1 is NaN", 1, func(l *lane) bool { return l.u.IsNaN(l.sources[0]) }},
		{"where source 2 is NaN", 2, func(l *lane) bool { return l.u.IsNaN(l.sources[1]) }},
		{"where a source is NaN", 2, func(l *lane) bool { return l.u.IsNaN(l.sources[0]) || l.u.IsNaN(l.sources[1]) }},
		{"where both sources are NaN", 2, func(l *lane) bool { return l.u.IsNaN(l.sources[0]) && l.u.IsNaN(l.sources[1]) }},
		{"where source 1 is infinite", 1, func(l *lane) bool { return l.u.IsInf(l.sources[0]) }},
		{"where source 1 is inf", 1, func(l *lane) bool { return l.sources[0] == l.u.Infinity }},
		{"where source 1 is -inf", 1, func(l *lane) bool { return l.sources[0] == l.u.Infinity|l.u.Sign }},
		{"where source 2 is infinite", 2, func(l *lane) bool { return l.u.IsInf(l.sources[1]) }},
		{"where source 1 is a zero", 1, func(l *lane) bool { return l.u.IsZero(l.sources[0]) }},
		{"where source 1 is a zero or infinite", 1, func(l *lane) bool {
			return l.u.IsZero(l.sources[0]) || l.u.IsInf(l.sources[0])
		}},
		{"where source 1 is -0", 1, func(l *lane) bool { return l.sources[0] == l.u.Sign }},
		{"where source 1 is +0", 1, func(l *lane) bool { return l.sources[0] == 0 }},
		{"where source 1 is a zero in all lanes", 1, func(l *lane) bool {
			return !slices.ContainsFunc(l.vectors[0][:], func(x uint32) bool { return !l.u.IsZero(x) })
		}},
		{"where source 1 is -1", 1, func(l *lane) bool { return l.sources[0] == l.u.One|l.u.Sign }},
		{"where source 2 is a zero", 2, func(l *lane) bool { return l.u.IsZero(l.sources[1]) }},
		{"where source 1 or 2 is a zero", 2, func(l *lane) bool {
			return l.u.IsZero(l.sources[0]) || l.u.IsZero(l.sources[1])
		}},
		{"where source 3 is a zero", 3, func(l *lane) bool { return l.u.IsZero(l.sources[2]) }},
		{"where both sources are zeros", 2, func(l *lane) bool { return l.u.IsZero(l.sources[0]) && l.u.IsZero(l.sources[1]) }},
		{"where source 1 is -0 and source 2 +0", 2, func(l *lane) bool { return l.sources[0] == l.u.Sign && l.sources[1] == 0 }},
		{"where source 1 is +0 and source 2 -0", 2, func(l *lane) bool { return l.sources[0] == 0 && l.sources[1] == l.u.Sign }},
		{"where source 1 is subnormal", 1, func(l *lane) bool { return subnormal(l.u, l.sources[0]) }},
		{"where source 1 is subnormal and positive", 1, func(l *lane) bool {
			return subnormal(l.u, l.sources[0]) && l.sources[0]&l.u.Sign == 0
		}},
		{"where source 2 is subnormal", 2, func(l *lane) bool { return subnormal(l.u, l.sources[1]) }},
		{"where source 1 is negative", 1, func(l *lane) bool {
			return l.sources[0]&l.u.Sign != 0 && !l.u.IsNaN(l.sources[0]) && !l.u.IsZero(l.sources[0])
		}},
		{"where source 1 is a negative integer", 1, func(l *lane) bool {
			n := l.u.Operand(l.sources[0])
			return n.Class == oracle.Finite && n.Neg && l.u.Ops.Floor(l.u, l.sources[0]) == l.sources[0]
		}},
		{"where source 1 is between 0 and 1", 1, func(l *lane) bool {
			return l.sources[0] != 0 && l.sources[0] < l.u.One
		}},
		{"where source 1 has a sign", 1, func(l *lane) bool { return l.sources[0]&l.u.Sign != 0 && !l.u.IsNaN(l.sources[0]) }},
		{"where the sources are equal", 2, func(l *lane) bool {
			return l.u.Relate(l.sources[0], l.sources[1]) == oracle.Equal
		}},
		{"where the sources are the same infinity", 2, func(l *lane) bool {
			return l.sources[0] == l.sources[1] && l.u.IsInf(l.sources[0])
		}},
		{"where the sources have the same bits", 2, func(l *lane) bool { return l.sources[0] == l.sources[1] }},
		{"where source 2 is the negation of source 1", 2, func(l *lane) bool { return l.sources[0]^l.sources[1] == l.u.Sign }},
		{"where source 2 is the negation of source 1 and no zero", 2, func(l *lane) bool {
			return l.sources[0]^l.sources[1] == l.u.Sign && !l.u.IsZero(l.sources[0])
		}},
		{"where a zero meets an infinity", 2, func(l *lane) bool {
			return l.u.IsZero(l.sources[0]) && l.u.IsInf(l.sources[1]) || l.u.IsInf(l.sources[0]) && l.u.IsZero(l.sources[1])
		}},
	}
	ofResults = []class{
		{"where the result is NaN", 0, func(l *lane) bool { return l.u.IsNaN(l.result) }},
		{"where the result is NaN and no source is", 2, func(l *lane) bool {
			return l.u.IsNaN(l.result) && !l.u.IsNaN(l.sources[0]) && !l.u.IsNaN(l.sources[1]) && !l.u.IsNaN(l.sources[2])
		}},
		{"where the result is infinite", 0, func(l *lane) bool { return l.u.IsInf(l.result) }},
		{"where the result is infinite and no source is", 1, func(l *lane) bool {
			return l.u.IsInf(l.result) && !l.u.IsInf(l.sources[0]) && !l.u.IsInf(l.sources[1]) && !l.u.IsInf(l.sources[2])
		}},
		{"where the result is subnormal", 0, func(l *lane) bool { return subnormal(l.u, l.result) }},
		{"where the result is subnormal or a zero", 0, func(l *lane) bool { return l.u.Exponent(l.result) == 0 }},
		{"where the result is a zero", 0, func(l *lane) bool { return l.u.IsZero(l.result) }},
		{resultIs1, 0, func(l *lane) bool { return l.result == l.u.One }},
		{"where the result is -0", 0, func(l *lane) bool { return l.result == l.u.Sign }},
	}
	// cases are all of them, and every case.
	cases = slices.Concat([]class{{"always", 0, func(*lane) bool { return true }}}, ofOperands, ofResults)
)

func subnormal(u *oracle.Unit, x uint32) bool { return u.Exponent(x) == 0 && !u.IsZero(x) }

// values are what the result may be instead. Of two that are the same wherever they hold, the first is named.
var values = []struct {
	name  string
	count int // of sources that it needs
	of    func(l *lane) uint32
}{
	{"0", 0, func(*lane) uint32 { return 0 }},
	{"-0", 0, func(l *lane) uint32 { return l.u.Sign }},
	{"source 1", 1, func(l *lane) uint32 { return l.sources[0] }},
	{"the same lane of source 1", 1, func(l *lane) uint32 { return l.vectors[0][l.at] }},
	{"source 2", 2, func(l *lane) uint32 { return l.sources[1] }},
	{"0 less source 2", 2, func(l *lane) uint32 { return l.u.Ops.Add(l.u, 0, l.sources[1]^l.u.Sign) }},
	{"source 3", 3, func(l *lane) uint32 { return l.sources[2] }},
	{"the product of sources 1 and 2", 3, func(l *lane) uint32 { return l.u.Ops.Mul(l.u, l.sources[0], l.sources[1]) }},
	{"1", 0, func(l *lane) uint32 { return l.u.One }},
	{"NaN", 0, func(l *lane) uint32 { return l.u.Quiet }},
	{"inf", 0, func(l *lane) uint32 { return l.u.Infinity }},
	{"-inf", 0, func(l *lane) uint32 { return l.u.Infinity | l.u.Sign }},
	{"an infinity with the sign of source 1", 1, func(l *lane) uint32 { return l.u.Infinity | l.sources[0]&l.u.Sign }},
	{"the largest number of its sign", 0, func(l *lane) uint32 { return l.u.Infinity - 1 | l.result&l.u.Sign }},
	{"a zero of its sign", 0, func(l *lane) uint32 { return l.result & l.u.Sign }},
	{"one more", 0, func(l *lane) uint32 { return l.u.Ops.Add(l.u, l.result, l.u.One) }},
	{"one less", 0, func(l *lane) uint32 { return l.u.Ops.Add(l.u, l.result, l.u.One|l.u.Sign) }},
	{"its negation", 0, func(l *lane) uint32 { return l.result ^ l.u.Sign }},
	{"its magnitude", 0, func(l *lane) uint32 { return l.result &^ l.u.Sign }},
	{"what the destination holds", 0, func(l *lane) uint32 { return l.before }},
	{"lane x of the result", 0, func(l *lane) uint32 { return l.first }},
}

// scalar reports whether all lanes of an operation's result come from lane x of its source.
func scalar(op pica.Opcode) bool {
	return op == pica.RCP || op == pica.RSQ || op == pica.EX2 || op == pica.LG2
}

// results: an operation has another result in a class of cases, in all lanes or in one. What depends on the result
// alone may be wrong wherever a register is written.
func results(c *oracle.Control) (list []*Hypothesis) {
	if dest(c) < 0 {
		return nil
	}
	op, count := c.Op, shape(c).Count
	for _, in := range cases {
		for _, value := range values {
			if in.count > count || value.count > count || in.name == "always" && value.name == "lane x of the result" {
				continue
			}
			h := resulting(in.name, value.name, in.is, value.of, allLanes)
			if in.count > 0 || value.count > 0 || in.name == "always" {
				h = h.Within(OfOpcode(op))
			}
			list = append(list, h)
		}
	}
	list = append(list, significands(op)...)
	if count == 3 {
		list = append(list, forms(op)...)
	}
	if scalar(op) {
		list = append(list, functions(op)...)
	}
	switch op {
	case pica.FLR:
		list = append(list, roundings()...)
	case pica.LITP:
		list = append(list, resulting("in lane w unless lane x of source 1 is above 0", "0",
			func(l *lane) bool { return l.u.Relate(l.vectors[0][0], 0) != oracle.Above },
			func(*lane) uint32 { return 0 }, 1).Within(OfOpcode(op)))
		for i, name := range "xyzw" {
			list = append(list, resulting(fmt.Sprintf("in lane %c unless that is below 0", name), "source 1",
				func(l *lane) bool { return l.u.Relate(l.sources[0], 0) != oracle.Below },
				func(l *lane) uint32 { return l.sources[0] }, 8>>i).Within(OfOpcode(op)))
			for j, other := range "xyzw" {
				if j != i {
					list = append(list, resulting(fmt.Sprintf("in lane %c", name), fmt.Sprintf("lane %c of source 1 or 0", other),
						func(*lane) bool { return true },
						func(l *lane) uint32 { return l.u.Ops.Max(l.u, l.vectors[0][j], 0) }, 8>>i).Within(OfOpcode(op)))
				}
			}
		}
	}
	for _, in := range []struct {
		name string
		mask uint8
	}{{"lane x", 8}, {"lane y", 4}, {"lane z", 2}, {"lane w", 1}, {"all lanes but x", 7}, {"lanes z and w", 3}} {
		for _, value := range values {
			if value.count > count {
				continue
			}
			h := resulting("in "+in.name, value.name, func(*lane) bool { return true }, value.of, in.mask)
			if value.count > 0 {
				h = h.Within(OfOpcode(op))
			}
			list = append(list, h)
		}
	}
	return list
}

// extrema: MAX, MIN and LITP prefer a number to NaN, as the functions fmax and fmin of C libraries and the instructions
// of processors do. These differ in zeros, and in whether a signalling NaN gives NaN.
func extrema(c *oracle.Control) (list []*Hypothesis) {
	if c.Op != pica.MAX && c.Op != pica.MIN && c.Op != pica.LITP {
		return nil
	}
	for _, zeros := range []struct {
		name string
		of   func(u *oracle.Unit, a, b uint32, wanted oracle.Relation) uint32
	}{
		{"equal zeros give source 1", func(_ *oracle.Unit, a, _ uint32, _ oracle.Relation) uint32 { return a }},
		{"equal zeros give source 2", func(_ *oracle.Unit, _, b uint32, _ oracle.Relation) uint32 { return b }},
		{"+0 is above -0", func(u *oracle.Unit, a, b uint32, wanted oracle.Relation) uint32 {
			if (a&u.Sign == 0) == (wanted == oracle.Above) {
				return a
			}
			return b
		}},
	} {
		for _, signals := range []bool{false, true} {
			name := "a number comes before NaN, " + zeros.name
			if signals {
				name += ", a signalling NaN gives NaN"
			}
			of := func(wanted oracle.Relation) func(u *oracle.Unit, a, b uint32) uint32 {
				return func(u *oracle.Unit, a, b uint32) uint32 {
					relation := u.Relate(a, b)
					switch {
					case relation == wanted:
						return a
					case relation == oracle.Equal && u.IsZero(a):
						return zeros.of(u, a, b, wanted)
					case relation != oracle.Unordered:
						return b
					case signals && (signalling(u, a) || signalling(u, b)):
						return u.Quiet
					case u.IsNaN(a):
						return b
					}
					return a
				}
			}
			list = append(list, changed(name, "MAX and MIN return src2 on NaN and equal zeros (3.1 A8)",
				func(r *oracle.Rules) { r.Unit.Ops.Max, r.Unit.Ops.Min = of(oracle.Above), of(oracle.Below) }))
		}
	}
	return append(list, comparedAsZeros(), magnitudes())
}

// magnitudes: MAX and MIN compare magnitudes, and return an operand as it was.
func magnitudes() *Hypothesis {
	of := func(wanted oracle.Relation) func(u *oracle.Unit, a, b uint32) uint32 {
		return func(u *oracle.Unit, a, b uint32) uint32 {
			if u.Relate(a&^u.Sign, b&^u.Sign) == wanted {
				return a
			}
			return b
		}
	}
	return changed("compares magnitudes", "MAX and MIN compare their operands as they are (3.1 A8)",
		func(r *oracle.Rules) { r.Unit.Ops.Max, r.Unit.Ops.Min = of(oracle.Above), of(oracle.Below) })
}

// comparedAsZeros: MAX and MIN compare subnormals as zeros, as processors do under denormals-are-zero, and return an
// operand as it was.
func comparedAsZeros() *Hypothesis {
	return changed("compares subnormals as zeros", "MAX and MIN compare their operands as they are (3.1 A8)",
		func(r *oracle.Rules) {
			for _, op := range []*func(u *oracle.Unit, a, b uint32) uint32{&r.Unit.Ops.Max, &r.Unit.Ops.Min} {
				before := *op
				*op = func(u *oracle.Unit, a, b uint32) uint32 {
					x, y := a, b
					if u.Exponent(x) == 0 {
						x &= u.Sign
					}
					if u.Exponent(y) == 0 {
						y &= u.Sign
					}
					switch result := before(u, x, y); result {
					case y:
						return b
					case x:
						return a
					default:
						return result
					}
				}
			}
		})
}

// signalling reports whether a pattern is a NaN without the bit of quiet ones.
func signalling(u *oracle.Unit, x uint32) bool { return u.IsNaN(x) && x&u.Quiet&^u.Infinity == 0 }

// Constants returns the hypotheses that an opcode has a result, in each class of cases, and that its results end
// there. The value is a pattern of the registers, which text shows.
func Constants(op pica.Opcode, text string, value uint32) (list []*Hypothesis) {
	constant := func(*lane) uint32 { return value }
	for _, in := range slices.Concat(ofOperands, ofResults) {
		if in.count <= pica.Opcodes[op].Sources && in.name != resultIs1 { // the two numbers would be one case
			list = append(list, resulting(in.name, text, in.is, constant, allLanes).Within(OfOpcode(op)))
		}
	}
	list = append(list,
		resulting("where it is above", text, func(l *lane) bool { return l.u.Relate(l.result, value) == oracle.Above },
			constant, allLanes).Within(OfOpcode(op)),
		resulting("where it is below", text, func(l *lane) bool { return l.u.Relate(l.result, value) == oracle.Below },
			constant, allLanes).Within(OfOpcode(op)))
	for _, h := range list {
		h.Fitted = true
	}
	return list
}

// functions: an operation on one lane computes another function of it, which no opcode has. As a library computes the
// result, the tolerance of the opcode is that of the function.
func functions(op pica.Opcode) (list []*Hypothesis) {
	for _, f := range []struct {
		name string
		of   func(x float64) float64
	}{
		{"the square root of source 1", math.Sqrt},
		{"the square of source 1", func(x float64) float64 { return x * x }},
		{"1 over the square of source 1", func(x float64) float64 { return 1 / (x * x) }},
		{"e to the power of source 1", math.Exp},
		{"10 to the power of source 1", func(x float64) float64 { return math.Pow(10, x) }},
		{"the logarithm of source 1 to base e", math.Log},
		{"the logarithm of source 1 to base 10", math.Log10},
		{"1 over source 1 by Newton's method", func(x float64) float64 {
			y := estimated(x, 1/x)
			return y * (2 - x*y)
		}},
		{"1 over the root of source 1 by Newton's method", func(x float64) float64 {
			y := estimated(x, 1/math.Sqrt(x))
			return y * (1.5 - 0.5*x*y*y)
		}},
	} {
		list = append(list, resulting("always", f.name, func(*lane) bool { return true },
			func(l *lane) uint32 { return fromFloat(l.u, f.of(toFloat(l.u.Operand(l.sources[0])))) },
			allLanes).Within(OfOpcode(op)))
	}
	return list
}

// estimated returns a value of x as estimates of processors have it, which know no subnormal float32.
func estimated(x, value float64) float64 {
	const least = 0x1p-126
	switch {
	case math.Abs(x) < least:
		return math.Copysign(math.Inf(1), x)
	case math.Abs(value) < least:
		return math.Copysign(0, value)
	}
	return value
}

// forms: MAD combines its sources otherwise, as other instructions of processors do.
func forms(op pica.Opcode) (list []*Hypothesis) {
	for _, f := range []struct {
		name string
		of   func(u *oracle.Unit, a, b, c uint32) uint32
	}{
		{"the product of sources 1 and 2 less source 3", func(u *oracle.Unit, a, b, c uint32) uint32 {
			return u.Ops.MAD(u, a, b, c^u.Sign)
		}},
		{"source 3 less the product of sources 1 and 2", func(u *oracle.Unit, a, b, c uint32) uint32 {
			return u.Ops.MAD(u, a^u.Sign, b, c)
		}},
		{"the product of source 1 and the sum of the others", func(u *oracle.Unit, a, b, c uint32) uint32 {
			return u.Ops.Mul(u, a, u.Ops.Add(u, b, c))
		}},
		{"the product of source 3 and the sum of the others", func(u *oracle.Unit, a, b, c uint32) uint32 {
			return u.Ops.Mul(u, u.Ops.Add(u, a, b), c)
		}},
	} {
		list = append(list, resulting("always", f.name, func(*lane) bool { return true },
			func(l *lane) uint32 { return f.of(l.u, l.sources[0], l.sources[1], l.sources[2]) },
			allLanes).Within(OfOpcode(op)))
	}
	return list
}

// toFloat returns the value of a register.
func toFloat(n oracle.Number) float64 {
	x := 0.0
	switch n.Class {
	case oracle.NaN:
		return math.NaN()
	case oracle.Infinite:
		x = math.Inf(1)
	case oracle.Finite:
		x = math.Ldexp(float64(n.Sig), n.Exp)
	}
	if n.Neg {
		return -x // -0 for a zero
	}
	return x
}

// fromFloat rounds a value to the nearest number of registers.
func fromFloat(u *oracle.Unit, x float64) uint32 {
	n := oracle.Number{Class: oracle.Finite, Neg: math.Signbit(x)}
	switch fraction, exponent := math.Frexp(math.Abs(x)); {
	case math.IsNaN(x):
		n.Class = oracle.NaN
	case math.IsInf(x, 0):
		n.Class = oracle.Infinite
	case x == 0:
		n.Class = oracle.Zero
	default:
		const bits = 53
		n.Sig, n.Exp = uint64(math.Ldexp(fraction, bits)), exponent-bits
	}
	return u.Pack(n, oracle.Nearest)
}

// significands: results have fewer bits.
func significands(op pica.Opcode) (list []*Hypothesis) {
	shorter := func(how string, bits int, of func(u *oracle.Unit, x uint32, bits int) uint32) {
		h := resulting(fmt.Sprintf("in %d bits of significand", bits+1), how,
			func(l *lane) bool { return of(l.u, l.result, bits) != l.result },
			func(l *lane) uint32 { return of(l.u, l.result, bits) }, allLanes).Within(OfOpcode(op))
		h.Exact = true
		list = append(list, h)
	}
	for bits := 4; bits < 23; bits++ {
		shorter("cut off", bits, cut)
	}
	for _, bits := range shortFormats {
		shorter("rounded", bits, rounded)
	}
	return list
}

// shortFormats are the bits of mantissa of bfloat16, half precision and float24.
var shortFormats = []int{7, 10, 16}

// flushed returns a number, or the zero of its sign for a subnormal one.
func flushed(u *oracle.Unit, x uint32) uint32 {
	if subnormal(u, x) {
		return x & u.Sign
	}
	return x
}

// arithmetic: the products and sums inside of operations are otherwise.
func arithmetic(c *oracle.Control) (list []*Hypothesis) {
	info := &pica.Opcodes[c.Op]
	if info.Sources < 2 || info.Writes != pica.WritesDest {
		return nil
	}
	const rule = "each step is rounded to the format of registers (3.1)"
	type binary = func(u *oracle.Unit, a, b uint32) uint32
	step := func(mul, add bool, name string, of func(u *oracle.Unit, x, a, b uint32) uint32) {
		after := func(before binary) binary {
			return func(u *oracle.Unit, a, b uint32) uint32 { return of(u, before(u, a, b), a, b) }
		}
		list = append(list, changed(name, rule, func(r *oracle.Rules) {
			if mul {
				r.Unit.Ops.Mul = after(r.Unit.Ops.Mul)
			}
			if add {
				r.Unit.Ops.Add = after(r.Unit.Ops.Add)
			}
		}))
	}
	for _, of := range []struct {
		name     string
		mul, add bool
	}{{"products", true, false}, {"sums", false, true}, {"products and sums", true, true}} {
		for bits := 4; bits < 23; bits++ {
			step(of.mul, of.add, fmt.Sprintf("%s are cut off in %d bits of significand", of.name, bits+1),
				func(u *oracle.Unit, x, _, _ uint32) uint32 { return cut(u, x, bits) })
		}
		for _, bits := range shortFormats {
			step(of.mul, of.add, fmt.Sprintf("%s are rounded in %d bits of significand", of.name, bits+1),
				func(u *oracle.Unit, x, _, _ uint32) uint32 { return rounded(u, x, bits) })
		}
		step(of.mul, of.add, of.name+" that are NaN become 0", func(u *oracle.Unit, x, _, _ uint32) uint32 {
			if u.IsNaN(x) {
				return 0
			}
			return x
		})
		step(of.mul, of.add, of.name+" of numbers that are NaN become 0", func(u *oracle.Unit, x, a, b uint32) uint32 {
			if u.IsNaN(x) && !u.IsNaN(a) && !u.IsNaN(b) {
				return 0
			}
			return x
		})
		step(of.mul, of.add, of.name+" that are subnormal become zeros of their sign",
			func(u *oracle.Unit, x, _, _ uint32) uint32 { return flushed(u, x) })
	}
	for _, of := range []struct {
		name string
		op   func(a *oracle.Arithmetic) *binary
	}{
		{"additions", func(a *oracle.Arithmetic) *binary { return &a.Add }},
		{"multiplications", func(a *oracle.Arithmetic) *binary { return &a.Mul }},
	} {
		list = append(list, changed(of.name+" have zeros of their sign for subnormals", rule, func(r *oracle.Rules) {
			op := of.op(&r.Unit.Ops)
			before := *op
			*op = func(u *oracle.Unit, a, b uint32) uint32 { return flushed(u, before(u, flushed(u, a), flushed(u, b))) }
		}))
	}
	list = append(list, changed("subnormal results of arithmetic become zeros of their sign", rule, func(r *oracle.Rules) {
		before := r.Unit.Ops.Round
		r.Unit.Ops.Round = func(f *oracle.NumberFormat, n oracle.Number, direction oracle.Direction, flush bool) uint32 {
			x := before(f, n, direction, flush)
			if f.Exponent(x) == 0 {
				x &= f.Sign
			}
			return x
		}
	}))
	for i, name := range []string{"first", "second"} {
		list = append(list, changed("a product whose "+name+" factor is NaN is 0", "a NaN stays NaN (3.1 A6)",
			func(r *oracle.Rules) {
				before := r.Unit.Ops.Mul
				r.Unit.Ops.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
					if x := [...]uint32{a, b}; u.IsNaN(x[i]) && !u.IsNaN(x[1-i]) {
						return 0
					}
					return before(u, a, b)
				}
			}))
	}
	for i, name := range []string{"a product of 0 and an infinity is NaN", "a product of an infinity and 0 is NaN"} {
		list = append(list, changed(name, "0 * inf is +0 (3.1 A5)", func(r *oracle.Rules) {
			before := r.Unit.Ops.Mul
			r.Unit.Ops.Mul = func(u *oracle.Unit, a, b uint32) uint32 {
				if x := [...]uint32{a, b}; u.IsZero(x[i]) && u.IsInf(x[1-i]) {
					return u.Quiet
				}
				return before(u, a, b)
			}
		}))
	}
	list = append(list, lanesOfDots(c.Op)...)
	return append(list, sumsOfDots()...)
}

// lanesOfDots: a dot product sums the products of other lanes, in their order.
func lanesOfDots(op pica.Opcode) (list []*Hypothesis) {
	own := map[pica.Opcode]int{pica.DP3: 3, pica.DP4: 4, pica.DPH: 4, pica.DPHI: 4}[op]
	if own == 0 {
		return nil
	}
	for set := 1; set < 1<<4; set++ {
		if set == 1<<own-1 {
			continue
		}
		var lanes []int
		var names []string
		for i, name := range []string{"x", "y", "z", "w"} {
			if set>>i&1 != 0 {
				lanes, names = append(lanes, i), append(names, name)
			}
		}
		list = append(list, changed("sums the products of "+strings.Join(names, ", ")+" alone",
			"DP3 multiplies x, y and z, DP4 and DPH all lanes (3.2)", func(r *oracle.Rules) {
				sum := func(u *oracle.Unit, a, b pica.Vec4) uint32 {
					sum := u.Ops.Mul(u, a[lanes[0]], b[lanes[0]])
					for _, i := range lanes[1:] {
						sum = u.Ops.Add(u, sum, u.Ops.Mul(u, a[i], b[i]))
					}
					return sum
				}
				if op == pica.DPH || op == pica.DPHI {
					r.Unit.Ops.DPH = func(u *oracle.Unit, a, b pica.Vec4) uint32 {
						a[3] = u.One
						return sum(u, a, b)
					}
					return
				}
				before := r.Unit.Ops.Dot
				r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
					if terms != own { // that of an operation inside of another
						return before(u, a, b, terms)
					}
					return sum(u, a, b)
				}
			}).Within(OfOpcode(op)))
	}
	return list
}

// sumsOfDots: the products of a dot product are summed in another order, or rounded otherwise.
func sumsOfDots() (list []*Hypothesis) {
	dots := func(name string, of func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32) {
		list = append(list, changed("dot products are summed "+name, "dot products are summed from the first lane (3.2)",
			func(r *oracle.Rules) { r.Unit.Ops.Dot = of }))
	}
	product := func(u *oracle.Unit, a, b pica.Vec4, i int) uint32 { return u.Ops.Mul(u, a[i], b[i]) }
	dots("x and z first, y and w behind them", func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
		x, y := u.Ops.Add(u, product(u, a, b, 0), product(u, a, b, 2)), product(u, a, b, 1)
		if terms == 4 {
			y = u.Ops.Add(u, y, product(u, a, b, 3))
		}
		return u.Ops.Add(u, x, y)
	})
	dots("with one rounding for a product and its sum", func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
		sum := product(u, a, b, 0)
		for i := 1; i < terms; i++ {
			if x, y := u.Operand(a[i]), u.Operand(b[i]); x.Class != oracle.Finite || y.Class != oracle.Finite {
				sum = u.Ops.Add(u, sum, product(u, a, b, i))
			} else {
				sum = u.Result(u.Ops.Sum(u, oracle.Product(x, y), u.Operand(sum)))
			}
		}
		return sum
	})
	for _, way := range []struct {
		name        string
		zero, exact bool // whether the sum begins with +0, and whether products keep all bits
	}{
		{"in double precision", false, false}, {"in double precision, from +0 on", true, false},
		{"in double precision, as are the products", false, true},
		{"in double precision, from +0 on, as are the products", true, true},
	} {
		dots(way.name, func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
			term := func(i int) oracle.Number {
				x, y := u.Operand(a[i]), u.Operand(b[i])
				if way.exact && x.Class == oracle.Finite && y.Class == oracle.Finite {
					return oracle.Product(x, y)
				}
				return u.Operand(product(u, a, b, i))
			}
			sum := term(0)
			if way.zero {
				sum = u.Ops.Sum(u, u.Operand(0), sum)
			}
			for i := 1; i < terms; i++ {
				sum = double(u.Ops.Sum(u, sum, term(i)))
			}
			return u.Result(sum)
		})
	}
	dots("from +0 on", func(u *oracle.Unit, a, b pica.Vec4, terms int) (sum uint32) {
		for i := range terms {
			sum = u.Ops.Add(u, sum, product(u, a, b, i))
		}
		return sum
	})
	dots("with products that are NaN, which gives 0 where no source is", sumOfNumbers)
	for _, order := range []struct {
		name  string
		lanes [4]int // of DP3 those behind the first
	}{
		{"from the last lane", [4]int{3, 2, 1, 0}}, {"from w, then x", [4]int{3, 0, 1, 2}},
	} {
		for _, zero := range []string{"", ", from +0 on"} {
			dots(order.name+zero, func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
				lanes := order.lanes[4-terms:]
				sum := product(u, a, b, lanes[0])
				if zero != "" {
					sum = u.Ops.Add(u, 0, sum)
				}
				for _, lane := range lanes[1:] {
					sum = u.Ops.Add(u, sum, product(u, a, b, lane))
				}
				return sum
			})
		}
	}
	return append(list, fourthLanes()...)
}

// sumOfNumbers is a dot product in which 0 times an infinity is NaN. It is 0 where it is NaN and no source is.
func sumOfNumbers(u *oracle.Unit, a, b pica.Vec4, terms int) (sum uint32) {
	for i := range terms {
		x := u.Ops.Mul(u, a[i], b[i])
		switch {
		case u.IsNaN(a[i]) || u.IsNaN(b[i]):
			return u.Quiet
		case u.IsZero(a[i]) && u.IsInf(b[i]) || u.IsInf(a[i]) && u.IsZero(b[i]):
			x = u.Quiet
		}
		if i > 0 {
			x = u.Ops.Add(u, sum, x)
		}
		sum = x
	}
	if u.IsNaN(sum) {
		return 0
	}
	return sum
}

// fourthLanes: DP3 multiplies lane w by 0.
func fourthLanes() (list []*Hypothesis) {
	for k, name := range []string{"source 1", "source 2"} {
		for _, infinite := range []string{"", ", which is NaN for an infinity"} {
			adds := "dp3 adds 0 times w of " + name + infinite
			list = append(list, changed(adds, "DP3 reads three lanes (3.2)", func(r *oracle.Rules) {
				before := r.Unit.Ops.Dot
				r.Unit.Ops.Dot = func(u *oracle.Unit, a, b pica.Vec4, terms int) uint32 {
					sum := before(u, a, b, terms)
					if w := [...]uint32{a[3], b[3]}[k]; terms > 3 {
						return sum
					} else if u.IsNaN(w) || u.IsInf(w) && infinite != "" {
						return u.Quiet
					} else {
						return u.Ops.Add(u, sum, u.Ops.Mul(u, 0, w))
					}
				}
			}))
		}
	}
	return list
}

// double rounds a number to the 53 bits of a double, ties to even.
func double(n oracle.Number) oracle.Number {
	if n.Class != oracle.Finite {
		return n
	}
	const extra = 10 // of 63 bits
	n = n.Normalised(62)
	last, half := n.Sig>>extra&1, n.Sig&(1<<extra-1)
	if n.Sig -= half; half+last > 1<<(extra-1) {
		n.Sig += 1 << extra
	}
	return n
}

// cut returns a number with so many bits of mantissa.
func cut(u *oracle.Unit, x uint32, bits int) uint32 {
	if u.IsNaN(x) || u.IsInf(x) || u.Mantissa <= bits {
		return x
	}
	return x &^ (1<<(u.Mantissa-bits) - 1)
}

// rounded is cut for a number that is rounded to the nearest, ties to even.
func rounded(u *oracle.Unit, x uint32, bits int) uint32 {
	if u.Mantissa <= bits || u.IsNaN(x) {
		return x
	}
	last := uint32(1) << (u.Mantissa - bits)
	up := last/2 - 1
	if x&last != 0 {
		up++
	}
	return (x + up) &^ (last - 1) // a carry belongs to the exponent
}

// roundings: FLR rounds in another direction. The sign of a zero is that of the number, or it is lost.
func roundings() (list []*Hypothesis) {
	for _, rounding := range []struct {
		name string
		away func(whole uint64, neg bool, half int) bool // whether it rounds away from zero; half as in fraction
	}{
		{"toward zero", func(uint64, bool, int) bool { return false }},
		{"up", func(_ uint64, neg bool, _ int) bool { return !neg }},
		{"to the nearest integer, halves to even", func(whole uint64, _ bool, half int) bool {
			return half > 0 || half == 0 && whole&1 != 0
		}},
		{"to the nearest integer, halves away from zero", func(_ uint64, _ bool, half int) bool { return half >= 0 }},
		{"to the nearest integer, halves up", func(_ uint64, neg bool, half int) bool { return half > 0 || half == 0 && !neg }},
	} {
		for _, zero := range []string{"", "; a zero has no sign"} {
			list = append(list, resulting("rounded "+rounding.name+zero, "source 1", func(l *lane) bool {
				n := l.u.Operand(l.sources[0])
				return n.Class == oracle.Finite && n.Exp < 0
			}, func(l *lane) uint32 {
				n := l.u.Operand(l.sources[0])
				whole, half := fraction(n)
				if rounding.away(whole, n.Neg, half) {
					whole++
				}
				if whole == 0 {
					return l.u.Signed(0, n.Neg && zero == "")
				}
				return l.u.Pack(oracle.Number{Class: oracle.Finite, Neg: n.Neg, Sig: whole}, oracle.Nearest)
			}, allLanes).Within(OfOpcode(pica.FLR)))
		}
	}
	return append(list, integers()...)
}

// integers: FLR goes through an integer of 32 bits. What that cannot hold becomes its least value, or saturates.
func integers() (list []*Hypothesis) {
	const magnitude = 31 // bits of it
	for _, saturates := range []bool{false, true} {
		name := "rounded through a 32-bit integer, else -2147483648"
		if saturates {
			name = "rounded through a 32-bit integer that saturates"
		}
		for _, zero := range []string{"", "; a zero has no sign"} {
			list = append(list, resulting(name+zero, "source 1", func(*lane) bool { return true }, func(l *lane) uint32 {
				n := l.u.Operand(l.result)
				least := l.u.Pack(oracle.Number{Class: oracle.Finite, Neg: true, Sig: 1, Exp: magnitude}, oracle.Nearest)
				most := least &^ l.u.Sign
				switch {
				case n.Class == oracle.Zero && zero != "", saturates && n.Class == oracle.NaN:
					return 0
				case n.Class == oracle.Zero, n.Class == oracle.Finite && l.u.Relate(l.result&^l.u.Sign, most) == oracle.Below:
					return l.result
				case !saturates || n.Neg:
					return least
				}
				return most
			}, allLanes).Within(OfOpcode(pica.FLR)))
		}
	}
	return list
}

// fraction returns the integer of a number toward zero, and -1, 0 or 1 if what is left is below, equal to or above a
// half.
func fraction(n oracle.Number) (whole uint64, half int) {
	bits := min(-n.Exp, 40) // a significand is shorter
	return n.Sig >> bits, cmp.Compare(n.Sig<<1&^(^uint64(0)<<(bits+1)), 1<<bits)
}

// allLanes is the mask of all lanes; bit 3 is x, as in a descriptor.
const allLanes = 0xF

// resulting returns a hypothesis about the results of all opcodes in the lanes of a mask.
func resulting(in, value string, is func(l *lane) bool, of func(l *lane) uint32, mask uint8) *Hypothesis {
	return changed(fmt.Sprintf("the result is %s %s", value, in), "the result of an operation (3.1, 3.2)",
		func(r *oracle.Rules) {
			before := r.Operands.Result
			r.Operands.Result = func(c *oracle.Control, sources *[3]pica.Vec4, v *pica.Vec4) {
				if before != nil {
					before(c, sources, v)
				}
				old := c.Rules.Operands.Dest(&c.State, dest(c))
				l := lane{u: &c.Rules.Unit, vectors: sources, first: v[0]}
				for i := range v {
					if mask&(8>>i) == 0 {
						continue
					}
					from := i
					if scalar(c.Op) {
						from = 0
					}
					l.at, l.result, l.before = i, v[i], old[i]
					l.sources = [3]uint32{sources[0][from], sources[1][from], sources[2][from]}
					if is(&l) {
						v[i] = of(&l)
					}
				}
			}
		})
}
