package latte

import (
	"fmt"
	"slices"
)

// Format returns the text of a program. [Parse] reads it and gives the same bytes.
func Format(p *Program) string { return string(printed(p).text) }

// A Line is a line of the text of a program.
type Line struct {
	// Off and Len are the bytes of the program that the line is about. Len is 0 if there are none.
	Off, Len    int
	Instruction bool   // the bytes are an instruction, no literals or gap
	Text        string // without the end of the line
}

// Lines returns the lines of [Format], in its order.
func Lines(p *Program) []Line {
	w := printed(p)
	lines := make([]Line, 0, len(w.ends))
	start := 0
	for _, e := range w.ends {
		text := string(w.text[start : e.text-1])
		lines = append(lines, Line{e.at * WordBytes, e.words * WordBytes, e.instruction, text})
		start = e.text
	}
	return lines
}

func printed(p *Program) *printer {
	w := &printer{Program: p, defaults: defaults{p.usualUnused(), p.usualWord3()}}
	w.program()
	return w
}

// lineEnd is where a line ends in the text, and the words that it is about.
type lineEnd struct {
	text, at, words int
	instruction     bool
}

// printer prints a program.
type printer struct {
	*Program
	defaults
	text      []byte
	ends      []lineEnd
	number    int        // of the next group or fetch
	explainer *explainer // of one instruction, which alone is printed

	// The line being printed, the same one read again, and the literals that this one refers to.
	line, again lineText
	literals    Group
}

func (w *printer) add(format string, args ...any) { w.text = fmt.Appendf(w.text, format, args...) }

// end ends a line about some words.
func (w *printer) end(at, words int, instruction bool) {
	w.text = append(w.text, '\n')
	w.ends = append(w.ends, lineEnd{len(w.text), at, words, instruction})
}

// directive prints a line about no instruction.
func (w *printer) directive(format string, args ...any) {
	w.add(format, args...)
	w.end(0, 0, false)
}

func (w *printer) program() {
	if w.unusedSel != 0 {
		w.directive(".default %s=%d", unusedSelName, w.unusedSel)
	}
	if w.word3 != 0 {
		w.directive(".default %s=%d", fetchWord3.Name, w.word3)
	}
	subroutines := slices.Sorted(slices.Values(w.Subroutines))
	for i := range w.CF {
		cf := &w.CF[i]
		if len(subroutines) > 0 && subroutines[0] == cf.At {
			subroutines = subroutines[1:]
			w.directive(".sub %d", cf.At)
		}
		words, ends := cf.Words, cf.Op().form != aluForm && cfEnd.flag(cf.Words)
		if ends {
			cfEnd.put(&words, 0) // a line of its own
		}
		if w.instruction(lineText{at: cf.At, words: [2]pair{words}}, 1, (*lineText).cf) {
			w.explainer.cf(w.Program, cf)
		}
		if cf.Clause >= 0 && w.Clauses[cf.Clause].CF == i {
			w.clause(&w.Clauses[cf.Clause])
		}
		if ends {
			w.directive("END_OF_PROGRAM")
		}
	}
	w.gaps()
}

// instruction prints a line about some words, reads it again, and adds the fields that it does not give back. It
// reports whether the instruction is the one to explain.
func (w *printer) instruction(t lineText, size int, form func(*lineText)) (explain bool) {
	start := len(w.text)
	w.line = t
	w.line.printing, w.line.out, w.line.number = true, w.text, w.number
	if w.explainer != nil {
		if w.explainer.at != t.at {
			return false
		}
		w.line.explained = &w.explainer.Explanation
	}
	form(&w.line)
	w.text = w.line.out
	w.literals = Group{}
	w.again = lineText{s: string(w.text[start:]), defaults: w.defaults, kind: t.kind, group: &w.literals}
	form(&w.again)
	if w.again.words != t.words {
		w.set(&w.again.words, &t.words, w.line.layout)
	}
	w.end(t.at, size, true)
	return w.explainer != nil
}

// set prints the fields in which two instructions differ.
func (w *printer) set(got, want *[2]pair, layout *Layout) {
	separator := " SET("
	for i := range layout.Fields {
		f := &layout.Fields[i]
		if v := f.in(want); v != f.in(got) {
			w.add("%s%s=%d", separator, f.Name, v)
			separator = ", "
		}
	}
	w.add(")")
}

func (w *printer) clause(c *Clause) {
	for k := range c.Count {
		if c.Kind == ALUClause {
			w.group(&w.Groups[c.First+k])
		} else {
			w.fetch(&w.Fetches[c.First+k])
		}
		w.number++
	}
}

func (w *printer) fetch(f *Fetch) {
	w.add("%8d  ", w.number)
	if w.instruction(lineText{at: f.At, words: f.Words, kind: f.Kind}, fetchWords, (*lineText).fetch) {
		w.explainer.fetch(f)
	}
}

// group prints an ALU group.
func (w *printer) group(g *Group) {
	w.add("%8d  ", w.number)
	for k := range g.Count {
		if k > 0 {
			w.add("          ")
		}
		a := &w.ALU[g.First+k]
		words := a.Words &^ (1 << aluLast.shift) // follows from the grouping
		t := lineText{at: int(a.At), words: [2]pair{words}, unit: a.Unit, group: g}
		if w.instruction(t, 1, (*lineText).alu) {
			w.explainer.alu(g, a)
		}
	}
	separator := "          LIT("
	for k := range 2 * g.LiteralWords {
		if v := g.Literals[k]; v != 0 && g.referred>>k&1 == 0 {
			w.add("%s%c=0x%08X", separator, units[k], v)
			separator = ", "
		}
	}
	if separator == ", " {
		w.add(")")
		w.end(g.LiteralAt, g.LiteralWords, false)
	}
}

// gaps prints what is in the gaps, and where the program ends.
func (w *printer) gaps() {
	end := 0
	for i := range w.CF {
		end = max(end, w.CF[i].At+1)
	}
	for i := range w.Clauses {
		end = max(end, w.Clauses[i].At+w.Clauses[i].Words)
	}
	const onLine = 4 // words of 8 bytes
	for _, g := range w.Gaps {
		for at := 0; at < len(g.Data); at += onLine * WordBytes {
			data := g.Data[at:min(at+onLine*WordBytes, len(g.Data))]
			if zero(data) {
				continue
			}
			w.add(".data %d", g.At+at/WordBytes)
			for k := 0; k < len(data); k += 4 {
				w.add(" 0x%08X", uint32(data[k])|uint32(data[k+1])<<8|uint32(data[k+2])<<16|uint32(data[k+3])<<24)
			}
			w.end(g.At+at/WordBytes, len(data)/WordBytes, false)
			end = max(end, g.At+(at+len(data))/WordBytes)
		}
	}
	if end*WordBytes < w.Size {
		w.directive(".size %d", w.Size)
	}
}

// usualUnused is the most frequent select of sources that OP2 instructions do not use.
func (p *Program) usualUnused() uint32 {
	all := make([]uint32, 0, len(p.ALU))
	for i := range p.ALU {
		if a := &p.ALU[i]; !a.isOP3() {
			for k := int(a.Op().Sources); k < 2; k++ {
				all = append(all, sources[k].sel.of(a.Words))
			}
		}
	}
	return usual(all)
}

// usualWord3 is the most frequent fourth word of fetches.
func (p *Program) usualWord3() uint32 {
	all := make([]uint32, 0, len(p.Fetches))
	for i := range p.Fetches {
		all = append(all, fetchWord3.in(&p.Fetches[i].Words))
	}
	return usual(all)
}

// usual returns the most frequent of some numbers, the smallest of equals, and 0 of none.
func usual(list []uint32) (usual uint32) {
	slices.Sort(list)
	most, run := 0, 0
	for i, v := range list {
		if i > 0 && v != list[i-1] {
			run = 0
		}
		if run++; run > most {
			most, usual = run, v
		}
	}
	return usual
}
