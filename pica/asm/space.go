package asm

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// class is a class of uniform registers.
type class uint8

const (
	floatClass class = iota
	intClass
	boolClass
	numClasses
)

// classBanks are the banks of the classes.
var classBanks = [numClasses]*bank{floatClass: bankOf('c'), intClass: bankOf('i'), boolClass: bankOf('b')}

// space is a set of uniform registers. Uniforms take them from the low end up,
// constants from the high end down. Vertex and legacy geometry programs share
// one space; a geometry program with a mode has its own.
type space struct {
	own   bool
	top   [numClasses]int // the register of the next uniform
	bound [numClasses]int // the lowest register that a constant of any file has
	size  [numClasses]int
	names map[string]declaration // shared space only
}

// declaration is a uniform that a file of the shared space declared.
type declaration struct {
	class       class
	first, size int
}

// sharedSpace is the size of the shared space; b15 of a geometry program
// belongs to the system.
var (
	sharedSpace = [numClasses]int{pica.NumFloats, pica.NumInts, pica.NumBools}
	ownSpace    = [numClasses]int{pica.NumFloats, pica.NumInts, pica.NumBools - 1}
)

// maxTable is the largest number of constants and of exported names of an entry
// point.
const maxTable = 96

// readUniforms returns the reader of a directive that declares uniforms.
func readUniforms(c class) func(f *file, args text) *Error {
	return func(f *file, args text) *Error {
		if err := f.strict(args.s == "", f.word, "ASM002", "%s takes 1 operand or more", f.word.s); err != nil {
			return err
		}
		for _, part := range args.list() {
			if err := f.declare(c, part); err != nil {
				return err
			}
		}
		return nil
	}
}

// declare reads "name", "name[size]" and, in the default dialect, a register behind
// them.
func (f *file) declare(c class, t text) *Error {
	name, rest, array := t.cut('[')
	size, place := 1, text{}
	if array {
		inside, behind, closed := rest.cut(']')
		if !closed {
			return wrong(rest, "ASM006", "the bracket is not closed")
		}
		var err *Error
		if size, err = f.decimal(inside.trim()); err != nil {
			return err
		}
		if size < 1 {
			return wrong(inside, "ASM011", "an array has at least one register")
		}
		if !f.lax() {
			place = behind.trim()
		}
	} else if !f.lax() {
		name, place = t.word()
	}
	if err := f.identifier(name); err != nil {
		return err
	}
	first, err := f.reserve(c, name, size, place)
	if err != nil {
		return err
	}
	b := classBanks[c]
	if err := f.nameRegister(name, b, first, size); err != nil {
		return err
	}
	if hidden := len(name.s) > 0 && name.s[0] == '_'; hidden {
		return nil
	}
	f.declares = true
	symbol := pica.Symbol{Name: name.s, Class: b.letter, First: first, Last: first + size - 1}
	if !f.space.own {
		f.exports = append(f.exports, symbol)
	}
	return f.export(name, symbol)
}

// export adds a uniform or an input to the table of the entry point.
func (f *file) export(name text, s pica.Symbol) *Error {
	if f.lax() && len(f.point.Symbols) >= maxTable {
		return wrong(name, "ASM022", "the entry point has more than %d uniforms and inputs", maxTable)
	}
	f.point.Symbols = append(f.point.Symbols, s)
	return nil
}

// reserve finds the registers of a uniform. A uniform that another file of the
// shared space declared keeps its registers.
func (f *file) reserve(c class, name text, size int, place text) (first int, err *Error) {
	s := f.space
	if place.s != "" {
		return f.placed(c, size, place)
	}
	if !s.own {
		if d, again := s.names[name.s]; again {
			if d.class != c || d.size != size {
				return 0, wrong(name, "ASM021", "%q was declared as %c with %s before",
					name.s, classBanks[d.class].letter, plural(d.size, "register"))
			}
			f.declared++
			if f.lax() && f.declared > maxTable {
				return 0, wrong(name, "ASM022", "more than %d uniforms are declared", maxTable)
			}
			return d.first, nil
		}
	}
	if f.lax() && f.declared >= maxTable {
		return 0, wrong(name, "ASM022", "more than %d uniforms are declared", maxTable)
	}
	first = s.top[c]
	if size > s.bound[c]-first {
		return 0, wrong(name, "ASM020", "no room for %s: %d of %d %c registers are free",
			plural(size, "register"), max(s.bound[c]-first, 0), s.size[c], classBanks[c].letter)
	}
	s.top[c] += size
	if !s.own {
		f.declared++
		s.names[name.s] = declaration{c, first, size}
	}
	return first, nil
}

// placed reads the register in a declaration. Later uniforms without a register
// come behind it.
func (f *file) placed(c class, size int, place text) (first int, err *Error) {
	b := classBanks[c]
	o, err := f.bare(place, b.letter)
	if err != nil {
		return 0, err
	}
	first = o.number - b.first
	if first < 0 || first+size > b.count {
		return 0, wrong(place, "ASM008", "%s from %s on leave %c0 to %c%d", plural(size, "register"), place.s,
			b.letter, b.letter, b.count-1)
	}
	f.space.top[c] = max(f.space.top[c], first+size)
	return first, nil
}

// move makes later declarations take registers of another space.
func (f *file) move(s *space) {
	f.space = s
	if f.low[s] == nil {
		low := s.size
		f.low[s] = &low
	}
}

// allocate finds the registers of a constant.
func (f *file) allocate(c class, name text, size int) (first int, err *Error) {
	s, low := f.space, f.low[f.space]
	first = low[c] - size
	if first < s.top[c] {
		return 0, wrong(name, "ASM020", "no room for %s: %d of %d %c registers are free",
			plural(size, "register"), max(low[c]-s.top[c], 0), s.size[c], classBanks[c].letter)
	}
	low[c] = first
	s.bound[c] = min(s.bound[c], first)
	return first, nil
}

// sortSymbols orders the uniforms and inputs by register.
func (f *file) sortSymbols() {
	order := func(s pica.Symbol) int { return bankOf(s.Class).first + s.First }
	slices.SortStableFunc(f.point.Symbols, func(a, b pica.Symbol) int { return order(a) - order(b) })
}
