package asm

import (
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// directive says how to read the arguments of a directive.
type directive struct {
	read   func(f *file, args text) *Error
	silent bool // the directive alone makes no entry point
	// extension: the picasso dialect lacks the directive.
	extension bool
}

// directives are the directives, in lower case.
var directives map[string]directive

func init() {
	directives = map[string]directive{
		".alias":   {read: readAlias, silent: true},
		".fvec":    {read: readUniforms(floatClass)},
		".ivec":    {read: readUniforms(intClass)},
		".bool":    {read: readUniforms(boolClass)},
		".constf":  {read: readConstant(floatClass)},
		".consti":  {read: readConstant(intClass)},
		".constfa": {read: readArray, silent: true},
		".setf":    {read: readSet(floatClass)},
		".seti":    {read: readSet(intClass)},
		".setb":    {read: readSetBool},
		".in":      {read: readIn},
		".out":     {read: readOut},
		".entry":   {read: readEntry},
		".gsh":     {read: readGeometry},
		".nodvle":  {read: readNoEntry},
		".proc":    {read: readProc, silent: true},
		".else":    {read: readElse, silent: true},
		".end":     {read: readEnd, silent: true},
		".opdesc":  {read: readDescriptor, silent: true, extension: true},
		".setf24":  {read: readPatterns(pica.Float24), extension: true},
		".setf32":  {read: readPatterns(pica.Float32), extension: true},
		".pad":     {read: readPad, silent: true, extension: true},
		".limit":   {read: readLimit, silent: true, extension: true},
		".nop":     {read: readNops, extension: true},
	}
}

func readAlias(f *file, args text) *Error {
	parts, err := f.items(args, 2, 2)
	if err != nil {
		return err
	}
	name := parts[0]
	if err := f.identifier(name); err != nil {
		return err
	}
	if len(name.s) >= 2 && bankOf(name.s[0]|0x20) != nil && isDigit(name.s[1]) {
		return wrong(name, "ASM003", "%q looks like a register", name.s)
	}
	o, err := f.operand(parts[1], false)
	if err != nil {
		return err
	}
	// Picasso packs sign and selectors above the eight bits of a number.
	packed := uint32(o.number) | uint32(o.selectors)<<9
	if o.negate {
		packed |= 1 << 8
	}
	return f.define(name, operand{
		number: int(packed & 0xFF), bank: o.bank,
		negate: packed>>8&1 != 0, selectors: uint8(packed >> 9),
	})
}

func readEntry(f *file, args text) *Error {
	parts, err := f.items(args, 1, 1)
	if err != nil {
		return err
	}
	if _, number := f.wordNumber(parts[0]); !number {
		if err := f.identifier(parts[0]); err != nil {
			return err
		}
	}
	f.entry, f.entryAt = parts[0], f.at
	return nil
}

func readNoEntry(f *file, args text) *Error {
	_, err := f.items(args, 0, 0)
	f.library = true
	return err
}

// geometryModes are the words of .gsh, in lower case, with the numbers of registers
// and of other numbers that follow the first register.
var geometryModes = map[string]struct {
	mode  pica.GeometryMode
	extra int
}{
	"point":    {pica.GeometryPoint, 0},
	"variable": {pica.GeometryVariable, 1}, "subdivision": {pica.GeometryVariable, 1},
	"fixed": {pica.GeometryFixed, 2}, "particle": {pica.GeometryFixed, 2},
}

func readGeometry(f *file, args text) *Error {
	parts := args.fields()
	if len(parts) == 0 {
		f.stage = pica.Geometry
		f.move(f.shared)
		return nil
	}
	m, ok := geometryModes[strings.ToLower(parts[0].s)]
	switch {
	case !ok:
		return wrong(parts[0], "ASM024", "%q is no mode: want point, variable or fixed", parts[0].s)
	case f.stage == pica.Geometry:
		return wrong(f.word, "ASM024", "the file is a geometry program already")
	case f.declares:
		return wrong(f.word, "ASM024", ".gsh with a mode must stand before constants, inputs, outputs and uniforms")
	}
	if err := f.count(parts, args, 2+m.extra, 2+m.extra); err != nil {
		return err
	}
	registers := [2]int{}
	for k := range registers[:max(m.extra, 1)] {
		o, err := f.bare(parts[1+k], 'c')
		if err != nil {
			return err
		}
		if o.number < firstFloat || o.number >= firstInt {
			return wrong(parts[1+k], "ASM007", "%s: want c0 to c95", parts[1+k].s)
		}
		registers[k] = o.number - firstFloat
	}
	g := pica.GeometryParameters{Mode: m.mode}
	if m.extra > 0 {
		last := parts[len(parts)-1]
		n, err := f.integer(last, 0, 255)
		if err != nil {
			return err
		}
		if m.mode == pica.GeometryVariable {
			g.Variable = uint8(n)
		} else {
			g.First, g.Fixed = uint8(registers[1]), uint8(n)
			if registers[1] >= registers[0] {
				return wrong(parts[2], "ASM024", "the vertices must come before the uniforms, c%d", registers[0])
			}
		}
	}
	f.stage, f.point.Geometry = pica.Geometry, g
	f.move(&space{own: true, top: [numClasses]int{floatClass: registers[0]}, bound: ownSpace, size: ownSpace})
	return nil
}

// readDescriptor reads an entry of the table of operand descriptors.
func readDescriptor(f *file, args text) *Error {
	word, err := f.bits(args)
	if err != nil {
		return err
	}
	return f.descriptors.give(f, word)
}

// readPad switches the padding NOPs on or off for the lines that follow.
func readPad(f *file, args text) *Error {
	parts, err := f.operands(args, 1)
	if err != nil {
		return err
	}
	value, ok := booleans[strings.ToLower(parts[0].s)]
	if !ok {
		return wrong(parts[0], "ASM011", "%q: want on or off", parts[0].s)
	}
	f.NoPadding = value == 0
	return nil
}

// readNops appends a number of NOPs.
func readNops(f *file, args text) *Error {
	n, err := f.number(args, 1, pica.MaxCode)
	if err != nil {
		return err
	}
	f.needProcedure()
	for range n {
		if err := f.emit(uint32(pica.NOP) << 26); err != nil {
			return err
		}
	}
	return nil
}

// readLimit sets the largest number of words of a program with a vertex entry point.
// Dumps of emulators have more words than the console runs.
func readLimit(f *file, args text) *Error {
	n, err := f.number(args, 1, pica.MaxCode)
	if err == nil {
		f.vertexLimit = int(n)
	}
	return err
}
