package asm

import (
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// file is one source while it is read.
type file struct {
	*assembler
	source *Source
	at     *place
	word   text // of the current statement

	names  map[string]operand // aliases, uniforms, constants, inputs and outputs
	labels map[string]int
	jumps  []reference
	loops  []reference // to the word behind the body

	space *space
	low   map[*space]*[numClasses]int // the lowest register that a constant of this file has

	stage      pica.Stage
	declares   bool // it has a constant, an input, an output or an exported uniform
	structured bool // it has a .proc
	entryPoint bool // something in it makes an entry point
	library    bool // .nodvle
	entry      text
	entryAt    *place
	point      pica.EntryPoint
	outputs    outputTable
}

func newFile(a *assembler, source *Source) *file {
	f := &file{
		assembler: a,
		source:    source,
		names:     map[string]operand{},
		outputs:   newOutputTable(a.Dialect),
		labels:    map[string]int{},
		low:       map[*space]*[numClasses]int{},
		entry:     text{s: "main"},
		entryAt:   &place{source: source},
	}
	f.move(a.shared)
	return f
}

// strict returns an error if the condition is true and the dialect is not picasso's,
// which accepts the text.
func (f *file) strict(condition bool, at text, rule, format string, args ...any) *Error {
	if f.lax() || !condition {
		return nil
	}
	return wrong(at, rule, format, args...)
}

// statement reads one line.
func (f *file) statement(s *statement) *Error {
	for _, label := range s.labels {
		if err := f.label(label); err != nil {
			return err
		}
	}
	f.word = s.word
	if s.word.s == "" {
		return nil
	}
	name := strings.ToLower(s.word.s)
	if d, ok := directives[name]; ok && !(f.lax() && d.extension) {
		f.entryPoint = f.entryPoint || !d.silent
		depth := len(f.scopes)
		return f.mend(d.read(f, s.args), name, s.args, depth)
	}
	i, ok := instructions[name]
	if !ok || f.lax() && i.extension {
		kind := "instruction"
		if strings.HasPrefix(name, ".") {
			kind = "directive"
		}
		if _, extension := directives[name]; extension {
			return wrong(s.word, "ASM001", "picasso has no %s: it is a directive of the default dialect", name)
		}
		near := f.similarWord(name)
		err := wrong(s.word, "ASM001", "%q is no %s", s.word.s, kind).suggest(near)
		return f.mend(err, near, s.args, len(f.scopes))
	}
	f.needProcedure()
	f.entryPoint = true
	depth := len(f.scopes)
	return f.mend(f.instruction(i, s.args), name, s.args, depth)
}

// needProcedure reports an instruction outside of every procedure, and opens one, so
// that only the first of several is reported.
func (f *file) needProcedure() {
	if len(f.scopes) == 0 && (f.lax() || f.structured) {
		f.report(wrong(f.word, "ASM015", "the instruction is outside of a .proc"), f.at)
		f.scopes = append(f.scopes, scope{kind: procScope, pc: len(f.code), broken: true})
	}
}

// instruction reads the operands of an instruction. In the default dialect the
// last one may be "bits N": bits of the word that nothing reads.
func (f *file) instruction(i instruction, args text) *Error {
	k := strings.LastIndexByte(args.s, ',')
	last, number := args.from(k + 1).trim().word()
	if f.lax() || last.s != "bits" {
		return i.read(f, i.op, args)
	}
	n, err := f.integer(number, 0, 1<<26-1)
	if err != nil {
		return err
	}
	pc := len(f.code)
	if err := i.read(f, i.op, args.to(max(k, 0))); err != nil {
		return err
	}
	if read := uint32(n) &^ decode.Ignored(f.code[pc]); read != 0 {
		return wrong(number, "ASM011", "%v reads the bits 0x%x", i.op, read)
	}
	f.code[pc] |= uint32(n)
	return nil
}

// openers are the words that open a scope.
var openers = map[string]scopeKind{
	".proc": procScope, "for": loopScope, "ifc": ifScope, "ifu": ifScope, ".constfa": arrayScope,
}

// mend keeps an error from causing others: after a wrong line the scopes are as the
// author means them, and the names that the line defines count as defined. depth is
// the number of scopes before the line.
func (f *file) mend(err *Error, word string, args text, depth int) *Error {
	if err == nil {
		return nil
	}
	_, instruction := instructions[word]
	if !instruction {
		for _, name := range strings.FieldsFunc(args.s, func(r rune) bool { return !isIdentifier("_" + string(r)) }) {
			f.spoiled[name] = true
		}
	}
	kind, opens := openers[word]
	row := kind == arrayScope && strings.HasPrefix(args.s, "(")
	flat := instruction && strings.Count(args.s, ",") > 1
	switch {
	case len(f.scopes) != depth:
	case opens && !row && !flat && depth < maxScopes:
		f.structured = f.structured || kind == procScope
		f.scopes = append(f.scopes, scope{kind: kind, pc: len(f.code), array: &array{}, broken: true})
	case word == ".end" && depth > 0:
		f.spoiled[f.scopes[depth-1].name.s] = true
		f.scopes = f.scopes[:depth-1]
	}
	return err
}

// label defines a label for the next word.
func (f *file) label(t text) *Error {
	if err := f.identifier(t); err != nil {
		return err
	}
	if _, found := f.labels[t.s]; found {
		return wrong(t, "ASM004", "the label %q is defined twice", t.s)
	}
	f.labels[t.s] = len(f.code)
	return nil
}

// identifier checks a name. The picasso dialect takes an empty one.
func (f *file) identifier(t text) *Error {
	if isIdentifier(t.s) || t.s == "" && f.lax() {
		return nil
	}
	return wrong(t, "ASM003", "%q is no name: want letters, digits, _ and $", t.s)
}

// define gives a register a name.
func (f *file) define(t text, o operand) *Error {
	if _, found := f.names[t.s]; found {
		return wrong(t, "ASM004", "%q is defined twice", t.s)
	}
	f.names[t.s] = o
	return nil
}

// nameRegister gives register n of a bank a name.
func (f *file) nameRegister(t text, b *bank, n, size int) *Error {
	return f.define(t, operand{number: b.first + n, bank: b, size: size, selectors: pica.IdentitySwizzle})
}

// operands splits arguments at commas and checks their number.
func (f *file) operands(args text, want int) ([]text, *Error) {
	parts := args.list()
	return parts, f.count(parts, args, want, want)
}

// bits reads the only argument: a number of 32 bits.
func (f *file) bits(args text) (uint32, *Error) {
	n, err := f.number(args, 0, 1<<32-1)
	return uint32(n), err
}

// number reads a number that is the only argument.
func (f *file) number(args text, low, high int64) (int64, *Error) {
	parts, err := f.operands(args, 1)
	if err != nil {
		return 0, err
	}
	return f.integer(parts[0], low, high)
}

// items splits arguments at blanks and checks their number.
func (f *file) items(args text, low, high int) ([]text, *Error) {
	parts := args.fields()
	return parts, f.count(parts, args, low, high)
}

func (f *file) count(parts []text, args text, low, high int) *Error {
	at := args
	switch {
	case len(parts) >= low && len(parts) <= high:
		return nil
	case len(parts) > high:
		at = parts[high]
	case args.s == "":
		at = f.word
	}
	if low == high {
		return wrong(at, "ASM002", "%s takes %s, not %d", f.word.s, plural(low, "operand"), len(parts))
	}
	return wrong(at, "ASM002", "%s takes %d to %s, not %d", f.word.s, low, plural(high, "operand"), len(parts))
}

// finish closes scopes and resolves references at the end of the file.
func (f *file) finish() {
	for _, s := range f.scopes {
		if s.broken {
			continue
		}
		f.spoiled[s.name.s] = true
		f.report(wrong(s.word, "ASM016", "%s has no .end", s.word.s), s.at)
	}
	f.scopes = nil
	f.resolve(f.jumps, 0)
	f.resolve(f.loops, 1)
}

// resolve aims instructions at labels. before is the distance from the target word
// to the label: 1 for LOOP, whose target is the last word of its body.
func (f *file) resolve(list []reference, before int) {
	for _, j := range list {
		pc, ok := f.labels[j.name.s]
		switch {
		case len(f.errors) >= maxErrors:
			return
		case !ok:
			err := wrong(j.name, "ASM005", "there is no label %q", j.name.s)
			f.report(err.suggest(similar(j.name.s, f.labels)), j.at)
		case pc < before:
			f.report(wrong(j.name, "ASM026", "no loop body ends before word 0"), j.at)
		default:
			f.aim(j, pc-before, 0)
		}
	}
}

// link returns the entry point of the file.
func (f *file) link() (*pica.EntryPoint, *Error) {
	e := &f.point
	e.Name, e.Stage = f.entry.s, f.stage
	words, found := f.procedures[f.entry.s]
	if !found && !f.lax() {
		words, found = f.flatEntry()
	}
	if !found {
		err := wrong(f.entry, "ASM027", "the entry procedure %q does not exist", f.entry.s)
		return nil, err.suggest(similar(f.entry.s, f.procedures))
	}
	e.First, e.End = words.start, words.end
	f.sortSymbols()
	return e, nil
}

// flatEntry finds an entry point given as a label or as a word number.
func (f *file) flatEntry() (words span, found bool) {
	words.end = len(f.code)
	if words.start, found = f.labels[f.entry.s]; found {
		return words, true
	}
	if n, err := f.integer(f.entry, 0, pica.MaxCode-1); err == nil {
		return span{int(n), max(words.end, int(n))}, true
	}
	return words, f.entry.s == "main" && f.entryAt.number == 0 && !f.structured
}
