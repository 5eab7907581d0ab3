package asm

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// scopeKind is the kind of the line that opens a scope.
type scopeKind uint8

const (
	procScope scopeKind = iota
	loopScope
	ifScope
	arrayScope
)

// scope is a block that waits for its .end.
type scope struct {
	kind    scopeKind
	pc      int // first word of a procedure, else the word of the instruction
	name    text
	word    text // that opened it
	at      *place
	hasElse bool
	orElse  int // first word of the else part
	array   *array
	broken  bool // the line that opens it was wrong
}

// maxScopes is the depth of picasso's stack.
const maxScopes = 32

func (f *file) open(s scope) *Error {
	if len(f.scopes) >= maxScopes {
		return wrong(f.word, "ASM017", "more than %d scopes are open", maxScopes)
	}
	s.word, s.at = f.word, f.at
	f.scopes = append(f.scopes, s)
	return nil
}

// top returns the innermost scope, or nil.
func (f *file) top() *scope {
	if len(f.scopes) == 0 {
		return nil
	}
	return &f.scopes[len(f.scopes)-1]
}

func readProc(f *file, args text) *Error {
	parts, err := f.operands(args, 1)
	if err != nil {
		return err
	}
	name := parts[0]
	if err := f.strict(!isIdentifier(name.s), name, "ASM003", "%q is no name", name.s); err != nil {
		return err
	}
	_, found := f.procedures[name.s]
	if !f.lax() { // picasso compares with closed procedures only
		found = found ||
			slices.ContainsFunc(f.scopes, func(s scope) bool { return s.kind == procScope && s.name.s == name.s })
	}
	if found {
		return wrong(name, "ASM004", "the procedure %q is defined twice", name.s)
	}
	f.structured = true
	return f.open(scope{kind: procScope, pc: len(f.code), name: name})
}

func readElse(f *file, args text) *Error {
	if _, err := f.operands(args, 0); err != nil {
		return err
	}
	s := f.top()
	switch {
	case s == nil || s.kind != ifScope:
		return wrong(f.word, "ASM015", ".else without an ifc or ifu")
	case s.hasElse:
		return wrong(f.word, "ASM015", "the second .else of one if")
	}
	f.pad(s)
	s.hasElse, s.orElse = true, len(f.code)
	return nil
}

func readEnd(f *file, args text) *Error {
	if _, err := f.operands(args, 0); err != nil {
		return err
	}
	s := f.top()
	if s == nil {
		return wrong(f.word, "ASM015", ".end without an open scope")
	}
	closed := *s
	if closed.kind != arrayScope {
		f.pad(s)
	}
	f.scopes = f.scopes[:len(f.scopes)-1]
	if closed.broken {
		return nil
	}
	end := len(f.code)
	here := reference{closed.pc, closed.word, closed.at}
	switch closed.kind {
	case arrayScope:
		if err := f.closeArray(closed.array); err != nil {
			f.spoiled[closed.name.s] = true
			f.report(err, closed.at)
		}
		return nil
	case procScope:
		if _, found := f.procedures[closed.name.s]; !found { // of two nested ones the inner wins
			f.procedures[closed.name.s] = span{closed.pc, end}
		}
		return nil
	case loopScope:
		f.aim(here, end-1, 0)
	case ifScope:
		if !closed.hasElse {
			closed.orElse = end
		}
		f.aim(here, closed.orElse, end-closed.orElse)
	}
	f.closed = true
	return nil
}

// pad appends the NOP that picasso puts before the end of a scope whose last word is
// flow control.
func (f *file) pad(s *scope) {
	needed := f.closed
	f.closed = false
	if n := len(f.code); !needed && n > 0 {
		least := 2
		if s.kind == procScope {
			least = 1
		}
		needed = n-s.pc < least || endsBadly(f.code[n-1], s.kind)
	}
	if !needed || f.NoPadding {
		return
	}
	if err := f.append(uint32(pica.NOP) << 26); err != nil && !f.lax() {
		f.report(err, f.at)
	}
}

// endsBadly reports whether the console executes a word wrongly as the last of a scope.
func endsBadly(word uint32, kind scopeKind) bool {
	switch pica.Opcodes[pica.OpcodeOf(word)].Flow {
	case pica.FlowJump, pica.FlowCall:
		return true
	case pica.FlowBreak:
		return kind == loopScope
	}
	return false
}

// aim sets the target and the length of a flow instruction. In the picasso dialect
// large values spill into the fields above.
func (a *assembler) aim(r reference, target, length int) {
	if !a.lax() && !a.tooLong {
		switch {
		case target >= pica.MaxCode:
			a.report(wrong(r.name, "ASM026", "the target is word %d; the largest possible target is %d", target,
				pica.MaxCode-1), r.at)
			return
		case length > maxLength:
			a.report(wrong(r.name, "ASM026",
				"the else part or procedure has %d words; the largest possible length is %d",
				length, maxLength), r.at)
			return
		}
	}
	a.code[r.pc] |= uint32(target)<<10 | uint32(length)
}

// maxLength is the largest length of a procedure or an else part.
const maxLength = 255

// resolveCalls aims the calls at their procedures.
func (a *assembler) resolveCalls() {
	for _, c := range a.calls {
		words, ok := a.procedures[c.name.s]
		switch {
		case ok:
			a.aim(c, words.start, words.end-words.start)
			continue
		case a.spoiled[c.name.s]:
			continue
		case len(a.errors) >= maxErrors:
			return
		}
		err := wrong(c.name, "ASM005", "there is no procedure %q", c.name.s)
		a.report(err.suggest(similar(c.name.s, a.procedures)), c.at)
	}
}
