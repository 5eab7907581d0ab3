package writer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/pica"
)

// sharedRegister returns the finding about the first register with several constants, nil if there is none.
func sharedRegister(constants []pica.Constant) *finding {
	for i, c := range constants {
		for _, before := range constants[:i] {
			if before.Class == c.Class && before.Register == c.Register {
				return wrongConstant(shared, register{c.Class, c.Register},
					"one constant, "+showConstant(c.Class, before.Value), "another one, too: "+showConstant(c.Class, c.Value))
			}
		}
	}
	return nil
}

// compareConstants compares the values of an entry point's constants bit by bit. A number
// between two numbers of float24 may become the one toward zero or the nearest one.
func compareConstants(model *source.Meaning, entry int, table map[register]pica.Vec4, m *registers) *finding {
	got := maps.Clone(table)
	for _, c := range model.Values {
		if c.Entry != entry {
			continue
		}
		k := register{c.Class, c.Register}
		if to, ok := m.bound[k]; ok {
			k = to
		}
		v, ok := got[k]
		if _, free := m.free[register{c.Class, c.Register}]; !ok && free {
			for _, at := range inOrder(got) { // nothing uses the constant: it may be anywhere
				if at.class == c.Class && equalConstant(c, got[at]) {
					k, v, ok = at, got[at], true
					break
				}
			}
		}
		delete(got, k)
		if !ok {
			return wrongConstant(missing, k, showConstant(c.Class, c.Value), "none")
		}
		if !equalConstant(c, v) {
			return wrongConstant(wrongValue(model, c, v), k, showConstant(c.Class, c.Value), showConstant(c.Class, v))
		}
	}
	for _, k := range inOrder(got) {
		return wrongConstant(undeclared, k, "none", showConstant(k.class, got[k]))
	}
	return nil
}

// equalConstant reports whether a constant may have a value.
func equalConstant(c source.Value, v pica.Vec4) bool {
	if c.Class != 'c' {
		return c.Value == v
	}
	for k, x := range c.Value {
		if !mayBe(x, v[k]) {
			return slices.ContainsFunc(c.Also, func(raw pica.Vec4) bool { return raw[k] == v[k] })
		}
	}
	return true
}

// mayBe reports whether a raw float24 is a right conversion of a number: the next one toward
// zero, the nearest one, zero for a subnormal number, or infinity for a number beyond the range,
// always with the same sign.
func mayBe(x, raw uint32) bool {
	if pica.Float32.Class(x) == pica.ClassNaN {
		return pica.Float24.Class(raw) == pica.ClassNaN
	}
	if x>>23&0xFF >= 127+64 {
		return raw == x>>8&0x800000|0x7F0000
	}
	t := source.Truncated(x)
	return raw == t || raw == source.Nearest(x) || t>>16&0x7F == 0 && raw == t&0x800000
}

// What may be wrong with a constant. A number that is not finite, or subnormal, has the name of its class.
const (
	missing    = "missing"
	undeclared = "not declared"
	anothers   = "value of another constant"
	shared     = "several in one register (DVLE036)"
	rounding   = "rounding" // it is a neighbour of a right value
	zeros      = "zeros"
	numbers    = "numbers"
)

// wrongValue names what is wrong with the value of a constant.
func wrongValue(model *source.Meaning, c source.Value, v pica.Vec4) string {
	switch {
	case c.Class == 'b':
		return "boolean"
	case v != (pica.Vec4{}) && slices.ContainsFunc(model.Values, func(o source.Value) bool {
		return o.Class == c.Class && o.Register != c.Register && equalConstant(o, v)
	}):
		return anothers
	case c.Class == 'i':
		return "integer"
	}
	k := slices.IndexFunc([]int{0, 1, 2, 3}, func(k int) bool { return !mayBe(c.Value[k], v[k]) })
	x, t := c.Value[k], source.Truncated(c.Value[k])
	switch class := pica.Float32.Class(x); {
	case x&0x7F != 0 && v[k] != 0 && (v[k] == t+1 || v[k] == t-1):
		return rounding
	case class == pica.ClassPosZero || class == pica.ClassNegZero:
		return zeros
	case class == pica.ClassPosNormal || class == pica.ClassNegNormal:
		return numbers
	default:
		return class.String()
	}
}

// wrongConstant returns the finding about the constant of a register.
func wrongConstant(what string, k register, expected, observed string) *finding {
	f := &finding{level: report.WrongConstants, what: what, where: fmt.Sprintf("%c%d", k.class, k.n), expected: expected,
		observed: observed}
	if what == missing || what == undeclared {
		f.op = string(k.class)
	}
	return f
}

func showConstant(class byte, v pica.Vec4) string {
	if class != 'c' {
		return fmt.Sprint(v)
	}
	var parts []string
	for _, x := range v {
		format := pica.Float24
		if !format.Fits(x) {
			format = pica.Float32
		}
		parts = append(parts, format.Show(x))
	}
	return strings.Join(parts, " ")
}
