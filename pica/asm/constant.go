package asm

import (
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// array is a .constfa that waits for its rows.
type array struct {
	name text
	size int // 0 when the rows decide
	rows []pica.Vec4
}

// constant adds a register and its value to the table of the entry point.
func (f *file) constant(at text, c class, register int, value pica.Vec4) *Error {
	f.declares = true
	if f.lax() && len(f.point.Constants) >= maxTable {
		return wrong(at, "ASM022", "the entry point has more than %d constants", maxTable)
	}
	f.point.Constants = append(f.point.Constants,
		pica.Constant{Class: classBanks[c].letter, Register: register, Value: value})
	return nil
}

// vector reads "(x, y, z, w)". Text behind the parenthesis is ignored in the
// picasso dialect.
func (f *file) vector(t text, c class) (v pica.Vec4, err *Error) {
	if !strings.HasPrefix(t.s, "(") {
		return v, wrong(t, "ASM012", "want four values in parentheses")
	}
	rest := t.from(1)
	for k := range v {
		separator := byte(',')
		if k == 3 {
			separator = ')'
		}
		part, behind, found := rest.cut(separator)
		if !found {
			return v, wrong(t, "ASM012", "want four values in parentheses")
		}
		rest, part = behind, part.trim()
		if c == floatClass {
			v[k], err = f.float(part)
		} else {
			v[k], err = f.component(part)
		}
		if err != nil {
			return v, err
		}
	}
	return v, f.strict(rest.trim().s != "", rest, "ASM012", "%q behind the values", rest.s)
}

// component reads a component of an integer constant.
func (f *file) component(t text) (uint32, *Error) {
	n, err := f.decimal(t)
	if err == nil && !f.lax() && (n < -128 || n > 255) {
		err = wrong(t, "ASM011", "%d is out of range: want -128 to 255", n)
	}
	return uint32(n), err
}

// head splits the arguments of a constant into name and values.
func (f *file) head(args text) (name, values text, err *Error) {
	k := strings.IndexByte(args.s, '(')
	if k < 0 {
		return args, args, wrong(args, "ASM012", "want four values in parentheses")
	}
	return args.to(k).trim(), args.from(k), nil
}

// readConstant returns the reader of a directive that defines a constant.
func readConstant(c class) func(f *file, args text) *Error {
	return func(f *file, args text) *Error {
		name, values, err := f.head(args)
		if err != nil {
			return err
		}
		if err := f.strict(!isIdentifier(name.s), name, "ASM003", "%q is no name", name.s); err != nil {
			return err
		}
		v, err := f.vector(values, c)
		if err != nil {
			return err
		}
		first, err := f.allocate(c, name, 1)
		if err != nil {
			return err
		}
		if err := f.nameRegister(name, classBanks[c], first, 1); err != nil {
			return err
		}
		return f.constant(name, c, first, v)
	}
}

// readArray reads ".constfa name[size]", which opens an array, or a row of it.
func readArray(f *file, args text) *Error {
	if s := f.top(); s != nil && s.kind == arrayScope {
		v, err := f.vector(args, floatClass)
		if err != nil {
			return err
		}
		if n := s.array.size; n > 0 && len(s.array.rows) == n {
			return wrong(args, "ASM012", "the array has more than %s", plural(n, "row"))
		}
		s.array.rows = append(s.array.rows, v)
		return nil
	}
	parts, err := f.operands(args, 1)
	if err != nil {
		return err
	}
	name, rest, found := parts[0].cut('[')
	inside, behind, closed := rest.cut(']')
	if !found || !closed {
		return wrong(args, "ASM012", "want a name and brackets: name[] or name[2]")
	}
	if behind.trim().s != "" {
		return wrong(behind, "ASM012", "%q behind the bracket", behind.s)
	}
	if err := f.identifier(name); err != nil {
		return err
	}
	a := &array{name: name}
	if inside = inside.trim(); inside.s != "" {
		n, err := f.decimal(inside)
		if err != nil {
			return err
		}
		if n < 1 {
			return wrong(inside, "ASM011", "an array has at least one row")
		}
		a.size = n
	}
	return f.open(scope{kind: arrayScope, name: name, array: a})
}

// closeArray places an array whose rows are complete. Missing rows are zero.
func (f *file) closeArray(a *array) *Error {
	f.entryPoint = true
	if a.size == 0 {
		if a.size = len(a.rows); a.size == 0 {
			return wrong(a.name, "ASM012", "the array %q has no rows", a.name.s)
		}
	}
	first, err := f.allocate(floatClass, a.name, a.size)
	if err != nil {
		return err
	}
	if err := f.nameRegister(a.name, classBanks[floatClass], first, a.size); err != nil {
		return err
	}
	for k := range a.size {
		var v pica.Vec4
		if k < len(a.rows) {
			v = a.rows[k]
		}
		if err := f.constant(a.name, floatClass, first+k, v); err != nil {
			return err
		}
	}
	return nil
}

// readSet returns the reader of a directive that sets a register.
func readSet(c class) func(f *file, args text) *Error {
	return func(f *file, args text) *Error {
		name, values, err := f.head(args)
		if err != nil {
			return err
		}
		register, err := f.uniformRegister(name, c, pica.NumInts)
		if err != nil {
			return err
		}
		v, err := f.vector(values, c)
		if err != nil {
			return err
		}
		return f.constant(name, c, register, v)
	}
}

// uniformRegister reads the register of a constant; ints is the number of integer registers.
func (f *file) uniformRegister(t text, c class, ints int) (int, *Error) {
	b, count := classBanks[c], classBanks[c].count
	o, err := f.bare(t, b.letter)
	if err != nil {
		return 0, err
	}
	if c == intClass {
		count = ints
	}
	if o.number < b.first || o.number >= b.first+count {
		return 0, wrong(t, "ASM007", "%s: want %c0 to %c%d", t.s, b.letter, b.letter, count-1)
	}
	return o.number - b.first, nil
}

// booleans are the spellings of the values of a boolean, in lower case.
var booleans = map[string]uint32{"true": 1, "on": 1, "1": 1, "false": 0, "off": 0, "0": 0}

func readSetBool(f *file, args text) *Error {
	parts, err := f.items(args, 2, 2)
	if err != nil {
		return err
	}
	register, err := f.uniformRegister(parts[0], boolClass, 0)
	if err != nil {
		return err
	}
	value, ok := booleans[strings.ToLower(parts[1].s)]
	if !ok {
		return wrong(parts[1], "ASM012", "%q is no boolean: want true or false", parts[1].s)
	}
	return f.constant(parts[0], boolClass, register, pica.Vec4{value})
}

// readPatterns returns the reader of a directive that sets a float register to
// bit patterns.
func readPatterns(format pica.NumberFormat) func(f *file, args text) *Error {
	return func(f *file, args text) *Error {
		name, values, err := f.head(args)
		if err != nil {
			return err
		}
		register, err := f.uniformRegister(name, floatClass, 0)
		if err != nil {
			return err
		}
		most := int64(1<<24 - 1)
		if format == pica.Float32 {
			most = 1<<32 - 1
		}
		var v pica.Vec4
		parts := values.from(1)
		list, behind, closed := parts.cut(')')
		components := list.list()
		if !closed || behind.trim().s != "" || len(components) != len(v) {
			return wrong(values, "ASM012", "want four values in parentheses")
		}
		for k, c := range components {
			n, err := f.integer(c, 0, most)
			if err != nil {
				return err
			}
			v[k] = uint32(n)
			if format == pica.Float32 {
				v[k] = narrow(v[k])
			}
		}
		return f.constant(name, floatClass, register, v)
	}
}
