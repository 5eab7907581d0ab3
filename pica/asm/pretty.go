package asm

import (
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// forms returns the forms that text may have, the shortest first.
func (o Options) forms(s *pica.Shader) []form {
	switch {
	case o.Pretty:
		return []form{{names: true}, {names: true, padOff: true}}
	case o.Structured && !o.NoHeader && len(s.Inputs)+len(s.Uniforms) > 0:
		return []form{{descriptors: true, padOff: true, names: true}}
	}
	return nil
}

// prettiest returns the first form whose text means the same as the program.
func prettiest(s *pica.Shader, o Options) form {
	for _, f := range o.forms(s) {
		var text strings.Builder
		// a strings.Builder does not fail
		_ = newListing(s, Options{Pretty: o.Pretty, Structured: true}, f).write(&text)
		a, err := Assemble([]Source{{Text: text.String()}}, AssembleOptions{})
		if err != nil || len(a.Entries) != 1 || a.Entries[0].First != s.Entry {
			continue
		}
		same := sameMeaning
		if f.descriptors {
			same = samePrograms
		}
		if same(&s.Program, &a.Program) {
			return f
		}
	}
	return exact
}

// samePrograms reports whether two programs have the same words and descriptors.
func samePrograms(p, q *pica.Program) bool {
	return slices.Equal(p.Code, q.Code) && slices.Equal(p.Descriptors, q.Descriptors)
}

// sameMeaning reports whether two programs have the same words, descriptor numbers
// aside: each instruction must find an equal descriptor.
func sameMeaning(p, q *pica.Program) bool {
	if len(p.Code) != len(q.Code) {
		return false
	}
	for pc, word := range p.Code {
		op := pica.OpcodeOf(word)
		desc := op.Layout().Desc
		other := q.Code[pc]
		if (word^other)&^desc.Mask() != 0 {
			return false
		}
		d, e := descriptor(p, desc.Get(word)), descriptor(q, desc.Get(other))
		if (d^e)&shown[decode.Decode(word).Op] != 0 {
			return false
		}
	}
	return stays(p.Code) || (descriptor(p, 0)^descriptor(q, 0))&shown[pica.ADD] == 0
}

// stays reports whether no path leads past the last word. The program memory behind
// it holds zeros: additions with descriptor 0.
func stays(code []uint32) bool {
	if len(code) == 0 || pica.OpcodeOf(code[len(code)-1]) != pica.END {
		return false
	}
	for _, word := range code {
		i := decode.Decode(word)
		if !pica.Opcodes[i.Op].Flow.HasTarget() {
			continue
		}
		if end := int(i.Dst) + int(i.Num); end >= len(code) {
			return false
		}
	}
	return true
}

// descriptor returns an entry of a descriptor table; missing entries are zero.
func descriptor(p *pica.Program, id uint32) uint32 {
	if int(id) < len(p.Descriptors) {
		return p.Descriptors[id]
	}
	return 0
}

// declare returns the names that text with these symbols gives to registers, as
// printer.name.
func (l *listing) declare(symbols []pica.Symbol) func(class byte, number uint8) (string, int) {
	type place struct {
		name  string
		index int
	}
	names := map[byte]map[int]place{'v': {}, 'c': {}, 'i': {}, 'b': {}}
	taken := map[string]bool{}
	for _, name := range l.labels {
		taken[name] = true
	}
	for _, s := range symbols {
		_, name, ok := declarable(s, taken)
		if !ok {
			continue
		}
		taken[name] = true
		for r := s.First; r <= s.Last; r++ {
			if _, again := names[s.Class][r]; again {
				continue
			}
			p := place{name, -1}
			if s.Last > s.First {
				p.index = r - s.First
			}
			names[s.Class][r] = p
		}
	}
	return func(class byte, number uint8) (string, int) {
		p, ok := names[class][int(number)]
		if !ok {
			return "", -1
		}
		return p.name, p.index
	}
}
