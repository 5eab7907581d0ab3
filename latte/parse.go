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
	words map[int]uint64
	size  int // bytes
	defaults
	cfs     []int  // words
	units   []byte // of the ALU instructions
	fetches int
	last    int // the control-flow word before, whose bit END_OF_PROGRAM sets
	// The open clause and its open group.
	kind    Kind
	at, end int
	filled  bool
	group   []pair
	open    Group // its literals
	text    lineText
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

// putAll puts words at the place where the open clause goes on.
func (p *parser) putAll(words []uint64) error {
	for _, w := range words {
		if err := p.put(p.at, w); err != nil {
			return err
		}
		p.at++
	}
	return nil
}

func (p *parser) line(line string) error {
	t := &p.text
	*t = lineText{s: line, defaults: p.defaults, kind: p.kind, group: &p.open}
	if p.kind == ALUClause && strings.HasPrefix(line, "LIT(") {
		return p.literal(t)
	}
	if p.kind != NoClause {
		numbered := t.while(isDigit) != ""
		t.space()
		if p.kind == ALUClause && len(t.s) > 1 && t.s[1] == ':' {
			return p.instruction(t, numbered)
		}
		rest := t.s
		if name := t.while(isName); p.kind != ALUClause && numbered && fetchNames[p.kind][name] != nil {
			t.s = rest
			return p.fetch(t)
		}
		t.s = line
		if err := p.endClause(); err != nil {
			return err
		}
	}
	if strings.HasPrefix(line, ".") {
		return p.directive(t)
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
	if t.cf(); t.err != nil {
		return t.err
	}
	p.cfs, p.last = append(p.cfs, t.at), t.at
	var count int
	p.kind, p.at, count = clauseRange(t.words[0])
	p.end, p.filled = p.at+count, false
	return p.put(t.at, t.words[0])
}

func (p *parser) directive(t *lineText) error {
	name := t.while(func(c byte) bool { return c != ' ' })
	t.space()
	switch name {
	case ".default":
		field := t.while(isName)
		t.text("=")
		switch field {
		case unusedSelName:
			p.unusedSel = t.integer(0, src0Sel.Width)
		case fetchWord3.Name:
			p.word3 = t.integer(0, 32)
		default:
			t.fail("no default of %q", field)
		}
	case ".sub":
		t.integer(0, 32)
	case ".size":
		n := int(t.integer(0, 32))
		if n < p.size || n > maxParsed*WordBytes || n%WordBytes != 0 {
			t.fail("size %d is smaller than the program, larger than %d, or no multiple of 8", n, maxParsed*WordBytes)
		}
		p.size = n
	case ".data":
		at := int(t.integer(0, 32))
		for t.space(); t.s != "" && t.err == nil; t.space() {
			low := t.integer(0, 32)
			t.space()
			if err := p.put(at, uint64(low)|uint64(t.integer(0, 32))<<32); err != nil && t.err == nil {
				t.err = err
			}
			at++
		}
	default:
		t.fail("unknown directive %q", name)
	}
	t.end()
	return t.err
}

// instruction takes a line of an ALU clause.
func (p *parser) instruction(t *lineText, first bool) error {
	if first {
		if err := p.endGroup(); err != nil {
			return err
		}
	}
	t.alu()
	p.filled = true
	p.units = append(p.units, t.unit)
	p.group = append(p.group, t.words[0])
	return t.err
}

// fetch takes a line of a fetch clause.
func (p *parser) fetch(t *lineText) error {
	if t.fetch(); t.err != nil {
		return t.err
	}
	p.filled = true
	p.fetches++
	return p.putAll(t.words[:])
}

// literal takes a line of literals that nothing refers to.
func (p *parser) literal(t *lineText) error {
	t.text("LIT(")
	for t.err == nil {
		k := t.letter(0, channels)
		t.text("=")
		v := t.integer(0, 32)
		if p.open.referred>>k&1 != 0 || int(k) >= 2*literalWords(p.open.referred) {
			t.fail("an instruction refers to literal %c, or the group has none", units[k])
		}
		p.open.Literals[k] = v
		t.space()
		if t.accept(")") {
			break
		}
		t.text(",")
	}
	t.end()
	return t.err
}

func (p *parser) endGroup() error {
	if n := len(p.group); n > 0 {
		aluLast.put(&p.group[n-1], 1)
	}
	l := &p.open.Literals
	all := [2]uint64{uint64(l[0]) | uint64(l[1])<<32, uint64(l[2]) | uint64(l[3])<<32}
	err := p.putAll(append(p.group, all[:literalWords(p.open.referred)]...))
	p.group, p.open = p.group[:0], Group{}
	return err
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
