package asm

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

func readIn(f *file, args text) *Error {
	parts, err := f.items(args, 1, 2)
	if err != nil {
		return err
	}
	name, size, err := f.inputName(parts[0])
	if err != nil {
		return err
	}
	register := bits.TrailingZeros16(^f.point.InputMask)
	if len(parts) == 2 {
		o, err := f.bare(parts[1], 'v')
		if err != nil {
			return err
		}
		register = o.number
	}
	if register+size > pica.NumInputs {
		if len(parts) == 2 {
			return wrong(parts[1], "ASM007", "%s: want v0 to v15", parts[1].s)
		}
		return wrong(name, "ASM022", "the %d input registers are used up", pica.NumInputs)
	}
	f.declares = true
	f.point.InputMask |= (1<<size - 1) << register
	if err := f.nameRegister(name, bankOf('v'), register, size); err != nil {
		return err
	}
	return f.export(name, pica.Symbol{Name: name.s, Class: 'v', First: register, Last: register + size - 1})
}

// inputName reads the name of an input. In the default dialect it may have a
// size, "name[2]", for registers that follow each other.
func (f *file) inputName(t text) (name text, size int, err *Error) {
	name, rest, array := t.cut('[')
	if !array || f.lax() {
		return t, 1, f.identifier(t)
	}
	inside, behind, closed := rest.cut(']')
	if !closed || behind.s != "" {
		return name, 0, wrong(rest, "ASM006", "want a size in brackets behind the name")
	}
	n, err := f.integer(inside.trim(), 1, pica.NumInputs)
	if err != nil {
		return name, 0, err
	}
	return name, int(n), f.identifier(name)
}

// properties are the spellings of the semantics of outputs, in lower case.
var properties = map[string]string{
	"position": "position", "pos": "position",
	"normalquat": "normalquat", "nquat": "normalquat",
	"color": "color", "clr": "color",
	"texcoord0": "texcoord0", "tcoord0": "texcoord0",
	"texcoord0w": "texcoord0w", "tcoord0w": "texcoord0w",
	"texcoord1": "texcoord1", "tcoord1": "texcoord1",
	"texcoord2": "texcoord2", "tcoord2": "texcoord2",
	"view": "view", "dummy": dummy,
}

// dummy is the property of outputs that only the next stage reads.
const dummy = "dummy"

// mapped is the number of output registers that can have a property; higher ones
// can only be dummies.
const mapped = 7

func readOut(f *file, args text) *Error {
	parts, err := f.items(args, 2, 3)
	if err != nil {
		return err
	}
	name := parts[0]
	if name.s != "-" {
		if err := f.identifier(name); err != nil {
			return err
		}
	}
	word, letters, masked := parts[1].cut('.')
	property, ok := properties[strings.ToLower(word.s)]
	if !ok {
		return wrong(word, "ASM023", "%q is no property",
			word.s).hint("want position, normalquat, color, texcoord0, texcoord0w, texcoord1, texcoord2, view or " +
			"dummy")
	}
	o := operand{selectors: pica.IdentitySwizzle, number: bits.TrailingZeros16(^f.point.OutputMask)}
	var empty bool
	switch {
	case len(parts) == 3 && masked:
		return wrong(letters, "ASM023", "the mask belongs to the register")
	case len(parts) == 3:
		var register text
		if register, empty = f.emptyMask(parts[2]); empty {
			parts[2] = register
		}
		if o, err = f.operand(parts[2], false); err != nil {
			return err
		}
		if !f.lax() && o.bank.letter != 'o' {
			return wrong(parts[2], "ASM007", "%s: want an o register", parts[2].s)
		}
	case masked:
		if o.selectors, err = selectors(letters); err != nil {
			return err
		}
		o.letters = letters
	}
	if err := f.masked(&o, parts[len(parts)-1]); err != nil {
		return err
	}
	output := pica.Output{Semantic: property, Register: o.number, Mask: reverse4(o.mask())}
	if empty {
		output.Mask = 0
	}
	if problem := f.outputs.add(output, f.stage, len(parts) == 3); problem != "" {
		return wrong(parts[len(parts)-1], "ASM023", "%s", problem)
	}
	f.declares = true
	f.point.OutputMask |= 1 << o.number
	f.point.Merge = f.point.Merge || property == dummy && f.space.own
	f.point.Outputs = append(f.point.Outputs, output)
	if name.s == "-" {
		return nil
	}
	return f.nameRegister(name, bankOf('o'), o.number, 1)
}

// masked checks the sign and the mask of a destination.
func (f *file) masked(o *operand, at text) *Error {
	switch {
	case f.lax():
		return nil
	case o.negate:
		return wrong(at, "ASM006", "a destination has no sign")
	case !ascending(o.letters.s):
		return wrong(o.letters, "ASM010", "a destination names each component once, in the order xyzw")
	}
	return nil
}

// emptyMask splits the mask of no components off a destination; only the
// default dialect has it.
func (f *file) emptyMask(t text) (register text, found bool) {
	base, letters, _ := t.cut('.')
	return base, !f.lax() && letters.s == "_"
}

// outputTable holds the registers and components that the outputs of an entry point take.
type outputTable struct {
	modulo     int // components holds register n at n modulo this
	components [pica.NumOutputs]uint8
	count      int
}

// add adds an output and returns the problem if it does not fit. chosen says that the
// text names the register.
func (t *outputTable) add(o pica.Output, stage pica.Stage, chosen bool) (problem string) {
	limit := pica.NumOutputs
	if stage == pica.Geometry {
		limit = mapped
	}
	switch {
	case o.Register >= limit:
		return fmt.Sprintf("no output register is left: want o0 to o%d", limit-1)
	case t.count == pica.NumOutputs:
		return fmt.Sprintf("the entry point has more than %d outputs", pica.NumOutputs)
	case o.Register >= mapped && o.Semantic != dummy:
		return fmt.Sprintf("o%d can only be a dummy", o.Register)
	}
	taken := &t.components[o.Register%t.modulo]
	if chosen && *taken&o.Mask != 0 {
		return fmt.Sprintf("another output has a component of o%d", o.Register)
	}
	*taken |= o.Mask
	t.count++
	return ""
}

// newOutputTable returns an empty table. Picasso takes o8 to o15 for o0 to o7.
func newOutputTable(d Dialect) outputTable {
	if d == Picasso {
		return outputTable{modulo: 8}
	}
	return outputTable{modulo: pica.NumOutputs}
}
