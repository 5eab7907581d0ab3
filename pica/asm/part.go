package asm

import "github.com/picaproof/picaproof/pica"

// Part is a program without the words that an entry point does not reach. It does what the whole program does
// from there.
type Part struct {
	pica.Shader
	Places []int    // the word of the whole program that each word was
	Whole  []uint32 // the code of the whole program
}

// NewPart returns the part of a program that a shader reaches. reached says for each word whether a run may come to it.
// The part also has the words of every scope that a word in it opens, so that all lengths stay.
func NewPart(s *pica.Shader, reached []bool) Part {
	kept := closure(s.Code, reached)
	p := Part{Shader: *s, Whole: s.Code}
	moved := make([]int, len(s.Code)+1) // the new number of each word
	for pc, keep := range kept {
		moved[pc] = len(p.Places)
		if keep {
			p.Places = append(p.Places, pc)
		}
	}
	moved[len(s.Code)] = len(p.Places)
	place := func(word int) int {
		if word > len(s.Code) {
			return word - len(s.Code) + len(p.Places)
		}
		return moved[word]
	}
	p.Code = make([]uint32, len(p.Places))
	for k, pc := range p.Places {
		word := s.Code[pc]
		info := &pica.Opcodes[pica.OpcodeOf(word)]
		if info.Flow.HasTarget() {
			word = info.Layout.Dst.Put(word, uint32(place(int(info.Layout.Dst.Get(word)))))
		}
		p.Code[k] = word
	}
	p.Entry = place(s.Entry)
	p.Labels = nil
	for _, l := range s.Labels {
		if l.Word < 0 || l.Word > len(kept) || !(l.Word < len(kept) && kept[l.Word]) && !(l.Word > 0 && kept[l.Word-1]) {
			continue
		}
		l.Word = moved[l.Word]
		p.Labels = append(p.Labels, l)
	}
	return p
}

// place returns the number of a word in the whole program. The end of the part has the number behind its last word.
// A nil part is a whole program.
func (p *Part) place(word int) int {
	switch {
	case p == nil:
		return word
	case word < len(p.Places):
		return p.Places[word]
	case word == 0:
		return 0
	}
	return p.Places[word-1] + 1
}

// closure adds to a set of words the words of the scopes and the targets that its words name.
func closure(code []uint32, reached []bool) []bool {
	kept := make([]bool, len(code))
	var work []int
	add := func(from, end int) {
		for pc := max(from, 0); pc < min(end, len(code)); pc++ {
			if !kept[pc] {
				kept[pc], work = true, append(work, pc)
			}
		}
	}
	for pc, yes := range reached {
		if yes {
			add(pc, pc+1)
		}
	}
	for len(work) > 0 {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		if flow := pica.Opcodes[pica.OpcodeOf(code[pc])].Flow; flow == pica.FlowJump {
			to := int(pica.Opcodes[pica.OpcodeOf(code[pc])].Layout.Dst.Get(code[pc]))
			add(to, to+1)
		}
		if b, ok := blockOf(pc, code[pc]); ok {
			add(b.start, b.end)
		}
	}
	return kept
}
