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
				return flaw{defect: shared, class: c.Class}.finding().at(register{c.Class, c.Register},
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
			return flaw{defect: missing, class: c.Class}.finding().at(k, showConstant(c.Class, c.Value), "none")
		}
		if !equalConstant(c, v) {
			return wrongValue(model, c, v).at(k, showConstant(c.Class, c.Value), showConstant(c.Class, v))
		}
	}
	for _, k := range inOrder(got) {
		return flaw{defect: undeclared, class: k.class}.finding().at(k, "none", showConstant(k.class, got[k]))
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

// wrongValue returns the finding about a wrong value of a constant.
func wrongValue(model *source.Meaning, c source.Value, v pica.Vec4) *finding {
	f := flaw{defect: wrongNumber, class: c.Class}
	for _, o := range model.Values {
		if o.Class == c.Class && o.Class != 'b' && o.Register != c.Register && equalConstant(o, v) &&
			v != (pica.Vec4{}) {
			f.defect = anothers
			return f.finding()
		}
	}
	for k, x := range c.Value {
		if c.Class != 'c' || mayBe(x, v[k]) {
			continue
		}
		t := source.Truncated(x)
		if f.number = pica.Float32.Class(x); x&0x7F != 0 && v[k] != 0 && (v[k] == t+1 || v[k] == t-1) {
			f.defect = rounded
		}
		break
	}
	return f.finding()
}

// flaw is a fault of a constant.
type flaw struct {
	defect
	class  byte             // the class of the register
	number pica.NumberClass // for a float, the class of the first wrong component
}

// defect is the kind of a flaw.
type defect uint8

const (
	noDefect defect = iota
	missing
	undeclared
	anothers    // it has the value of another constant
	rounded     // it is a neighbour of a right value
	wrongNumber // numbers of one class
	zeros       // zeros of both signs
	numbers     // numbers of all classes
	shared      // the register has another constant, too
)

// String names the flaw.
func (f flaw) String() string {
	if f.defect == wrongNumber {
		switch f.class {
		case 'i':
			return "integer"
		case 'b':
			return "boolean"
		}
		return f.number.String()
	}
	return [...]string{missing: "missing", undeclared: "not declared", anothers: "value of another constant",
		rounded: "rounding",
		zeros:   "zeros", numbers: "numbers", shared: "several in one register (DVLE036)"}[f.defect]
}

// finding returns the finding about a constant.
func (f flaw) finding() *finding {
	x := &finding{level: report.WrongConstants, what: f.String(), constant: f}
	if f.defect == missing || f.defect == undeclared {
		x.op = string(f.class)
	}
	return x
}

// at returns the finding with the expected and observed value of a register.
func (f *finding) at(k register, expected, observed string) *finding {
	f.where, f.expected, f.observed = fmt.Sprintf("%c%d", k.class, k.n), expected, observed
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
