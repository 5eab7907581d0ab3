package latte

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// maxParsed is the most words of a program that Parse makes.
const maxParsed = 1 << 22

// A SyntaxError is an error in a line of the text of a program.
type SyntaxError struct {
	Line int // from 1 on
	Err  error
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// Parse reads the text of a program. It lays nothing out: addresses and counts are those of the text. The error is a
// [*SyntaxError], or about the whole program: a [*DecodeError] if that does not decode.
func Parse(text string) (*Program, error) {
	p := parser{words: map[int]uint64{}}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, ";")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := p.line(line); err != nil {
			return nil, &SyntaxError{number, err}
		}
	}
	if err := p.endClause(); err != nil {
		return nil, &SyntaxError{number, err}
	}
	return p.assemble()
}

// parser holds what the lines said so far.
type parser struct {
	words            map[int]uint64
	size             int // bytes
	unusedSel, word3 uint32
	cfs              []int  // words
	units            []byte // of the ALU instructions
	fetches          int
	last             int // the control-flow word before, whose bit END_OF_PROGRAM sets
	// The open clause and its open group.
	kind     Kind
	at, end  int
	filled   bool
	group    []pair
	literals [4]uint32
	referred uint8
}

func (p *parser) put(at int, w uint64) error {
	if at < 0 || at >= maxParsed {
		return fmt.Errorf("word %d is too far away", at)
	}
	if _, ok := p.words[at]; ok {
		return fmt.Errorf("word %d is there twice, and a text is one program", at)
	}
	p.words[at] = w
	p.size = max(p.size, (at+1)*WordBytes)
	return nil
}

func (p *parser) line(line string) error {
	r := &lineReader{s: line, unusedSel: p.unusedSel, word3: p.word3}
	if p.kind == ALUClause && strings.HasPrefix(line, "LIT(") {
		return p.literal(r)
	}
	if p.kind != NoClause {
		c := *r
		numbered := c.groupNumber()
		if p.kind == ALUClause && len(c.s) > 1 && c.s[1] == ':' {
			return p.instruction(&c, numbered)
		}
		name := c
		if p.kind != ALUClause && numbered && fetchNames[p.kind][name.while(isName)] != nil {
			words := c.fetch(p.kind)
			p.filled = true
			p.fetches++
			p.at += fetchWords
			if c.err != nil {
				return c.err
			}
			if err := p.put(p.at-fetchWords, words[0]); err != nil {
				return err
			}
			return p.put(p.at-1, words[1])
		}
		if err := p.endClause(); err != nil {
			return err
		}
	}
	if strings.HasPrefix(line, ".") {
		return p.directive(r)
	}
	if line == "END_OF_PROGRAM" {
		if len(p.cfs) == 0 || p.words[p.last]>>61&1 != 0 {
			return fmt.Errorf("END_OF_PROGRAM needs a control-flow word before it that is no ALU clause")
		}
		w := p.words[p.last]
		cfEnd.put(&w, 1)
		p.words[p.last] = w
		return nil
	}
	at, words := r.cf()
	if r.err != nil {
		return r.err
	}
	p.cfs, p.last = append(p.cfs, at), at
	var count int
	p.kind, p.at, count = clauseRange(words)
	p.end, p.filled = p.at+count, false
	return p.put(at, words)
}

func (p *parser) directive(r *lineReader) error {
	name := r.while(func(c byte) bool { return c != ' ' })
	r.space()
	switch name {
	case ".default":
		field := r.while(isName)
		r.expect("=")
		switch field {
		case unusedSelName:
			p.unusedSel = r.field(src0Sel)
		case fetchWord3.Name:
			p.word3 = r.number(32)
		default:
			r.fail("no default of %q", field)
		}
	case ".sub":
		r.number(32)
	case ".size":
		n := int(r.number(32))
		if n < p.size || n > maxParsed*WordBytes || n%WordBytes != 0 {
			r.fail("size %d is smaller than the program, larger than %d, or no multiple of 8", n, maxParsed*WordBytes)
		}
		p.size = n
	case ".data":
		at := int(r.number(32))
		for r.space(); r.s != "" && r.err == nil; r.space() {
			low := r.number(32)
			r.space()
			if err := p.put(at, uint64(low)|uint64(r.number(32))<<32); err != nil && r.err == nil {
				r.err = err
			}
			at++
		}
	default:
		r.fail("unknown directive %q", name)
	}
	r.end()
	return r.err
}

// instruction takes a line of an ALU clause.
func (p *parser) instruction(r *lineReader, first bool) error {
	if first {
		if err := p.endGroup(); err != nil {
			return err
		}
	}
	a := r.alu()
	for k, v := range a.literals {
		if both := a.referred & p.referred >> k & 1; both != 0 && p.literals[k] != v {
			r.fail("two literals at %c", units[k])
		}
		if a.referred>>k&1 != 0 {
			p.literals[k] = v
		}
	}
	p.referred |= a.referred
	p.filled = true
	p.units = append(p.units, a.unit)
	p.group = append(p.group, a.words)
	return r.err
}

// literal takes a line of literals that nothing refers to.
func (p *parser) literal(r *lineReader) error {
	r.expect("LIT(")
	for r.err == nil {
		k := r.letter("xyzw")
		r.expect("=")
		v := r.number(32)
		if p.referred>>k&1 != 0 || int(k) >= 2*literalWords(p.referred) {
			r.fail("an instruction refers to literal %c, or the group has none", units[k])
		}
		p.literals[k] = v
		r.space()
		if r.accept(")") {
			break
		}
		r.expect(",")
	}
	r.end()
	return r.err
}

func (p *parser) endGroup() error {
	for k, w := range p.group {
		if k == len(p.group)-1 {
			aluLast.put(&w, 1)
		}
		if err := p.put(p.at, w); err != nil {
			return err
		}
		p.at++
	}
	for k := range literalWords(p.referred) {
		if err := p.put(p.at, uint64(p.literals[2*k])|uint64(p.literals[2*k+1])<<32); err != nil {
			return err
		}
		p.at++
	}
	p.group, p.literals, p.referred = p.group[:0], [4]uint32{}, 0
	return nil
}

// endClause closes the open clause. One without lines is that of another control-flow word.
func (p *parser) endClause() error {
	if err := p.endGroup(); err != nil {
		return err
	}
	if p.kind != NoClause && p.filled && p.at != p.end {
		return fmt.Errorf("the clause ends at word %d, its instructions at word %d", p.end, p.at)
	}
	p.kind = NoClause
	return nil
}

// assemble makes the program of the lines, and compares what it decodes to with what they said.
func (p *parser) assemble() (*Program, error) {
	code := make([]byte, p.size)
	for at, w := range p.words {
		binary.LittleEndian.PutUint64(code[at*WordBytes:], w)
	}
	program, err := Decode(code)
	if err != nil {
		return nil, err
	}
	said := [...]any{len(p.cfs), len(p.units), p.fetches}
	reached := [...]any{len(program.CF), len(program.ALU), len(program.Fetches)}
	if said != reached {
		return nil, fmt.Errorf("the text has %d control-flow words, %d ALU instructions and %d fetches, but the "+
			"program reaches %d, %d and %d", append(said[:], reached[:]...)...)
	}
	for i := range p.units {
		if a := &program.ALU[i]; a.Unit != p.units[i] {
			return nil, fmt.Errorf("word %d: %s is in unit %c, not %c", a.At, a.Op().Name, units[a.Unit], units[p.units[i]])
		}
	}
	return program, nil
}
