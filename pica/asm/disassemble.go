package asm

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Options chooses how Disassemble prints a program.
type Options struct {
	Words    bool // the address and the word behind every instruction
	Fold     bool // runs of eight or more NOPs become ".nop N"; not in structured text
	NoHeader bool // instructions only, without the operand descriptors that they need
	NoCode   bool // the interface only: for a further entry point of a printed program
	// Of is the part whose shader is printed, or nil: addresses and words are then those of the whole program.
	Of *Part
	// Structured writes scopes and procedures where the words nest, targets and
	// lengths elsewhere, and registers by the names of the shader.
	Structured bool
	// Pretty is Structured text without operand descriptors and ".pad off", if that
	// text assembles to words that mean the same.
	Pretty bool
}

// Line is one instruction of a disassembled program.
type Line struct {
	PC      int
	Word    uint32
	Label   string // "" if nothing refers to the word
	Text    string
	Comment string // names of the registers used; may be empty
}

// Disassemble writes a shader as text that assembles to the same words. Errors
// are those of w.
func Disassemble(w io.Writer, s *pica.Shader, o Options) error {
	o.Structured = o.Structured || o.Pretty
	if o.NoCode {
		l := &listing{Options: o, shader: s} // without labels: words have their numbers
		return l.write(w)
	}
	return newListing(s, o, prettiest(s, o)).write(w)
}

// form says which parts the text of a program has.
type form struct{ descriptors, padOff, names bool }

// exact text assembles to the same words and descriptors.
var exact = form{descriptors: true, padOff: true}

// write writes the text of a program.
func (l *listing) write(w io.Writer) error {
	s, out := l.shader, bufio.NewWriter(w)
	if !l.NoHeader {
		l.writeHeader(out)
	}
	if l.NoCode {
		return out.Flush()
	}
	if l.Structured && l.form.padOff {
		fmt.Fprintln(out, ".pad off")
	}
	for pc := 0; pc <= len(s.Code); pc++ {
		l.closeBlocks(out, pc)
		l.openProcedures(out, pc)
		if name := l.labels[pc]; name != "" {
			fmt.Fprintf(out, "%s:\n", name)
		}
		if n := l.folded(pc); n > 0 {
			l.writeLine(out, Line{PC: pc, Word: s.Code[pc], Text: fmt.Sprintf(".nop %d", n)})
			pc += n - 1
			continue
		}
		if pc < len(s.Code) {
			l.writeLine(out, l.line(pc))
		}
		l.openScope(pc)
	}
	return out.Flush()
}

// minFolded is the length of the shortest run of NOPs that becomes one line.
const minFolded = 8

// folded returns the length of the run of NOPs at a word that becomes one line, or 0.
func (l *listing) folded(pc int) (n int) {
	if !l.Fold || l.Structured {
		return 0
	}
	code := l.shader.Code
	for end := pc; end < len(code) && code[end] == uint32(pica.NOP)<<26 && (end == pc || l.labels[end] == ""); end++ {
		n++
	}
	if n < minFolded {
		return 0
	}
	return n
}

// Lines yields the instructions of a shader in order.
func Lines(s *pica.Shader) iter.Seq[Line] { return lines(s, nil) }

// Lines yields the instructions of a part in order, with their addresses and words in the whole program.
func (p *Part) Lines() iter.Seq[Line] { return lines(&p.Shader, p) }

func lines(s *pica.Shader, of *Part) iter.Seq[Line] {
	l := newListing(s, Options{Of: of}, exact)
	return func(yield func(Line) bool) {
		for pc := range s.Code {
			if !yield(l.placed(l.line(pc))) {
				return
			}
		}
	}
}

// listing is a program while it is printed.
type listing struct {
	printer
	Options
	form   form
	shader *pica.Shader
	labels map[int]string
	names  *registerNames
	text   []byte

	blocks  []block          // in the order in which they open
	next    int              // in blocks
	open    []block          // innermost last
	byStart map[int]block    // scopes by the word that opens them
	named   map[block]string // procedures
	taken   map[string]bool  // names of procedures
}

func newListing(s *pica.Shader, o Options, f form) *listing {
	l := &listing{Options: o, form: f, shader: s, names: newRegisterNames(s.Inputs, s.Uniforms)}
	if o.Structured {
		l.structure()
	}
	l.labels = l.chooseLabels()
	l.printer = printer{
		descriptors: s.Descriptors,
		label:       func(word int) string { return l.labels[word] },
		scope:       func(pc int) bool { _, ok := l.byStart[pc]; return ok },
		procedure:   l.procedure,

		noDescriptors: !f.descriptors,
	}
	if f.names {
		l.name = l.declare(slices.Concat(s.Inputs, s.Uniforms))
	}
	return l
}

// line returns the instruction at a word.
func (l *listing) line(pc int) Line {
	word := l.shader.Code[pc]
	var remark string
	l.text, remark = l.instruction(l.text[:0], pc, word)
	line := Line{PC: pc, Word: word, Label: l.labels[pc], Text: string(l.text), Comment: remark}
	if line.Comment == "" && !l.form.names {
		line.Comment = usedNames(word, l.names)
	}
	return line
}

// placed returns a line with its address and word in the whole program.
func (l *listing) placed(line Line) Line {
	if l.Of != nil {
		line.PC = l.Of.Places[line.PC]
		line.Word = l.Of.Whole[line.PC]
	}
	return line
}

// writeLine writes an instruction, indented by the scopes around it.
func (l *listing) writeLine(out *bufio.Writer, line Line) {
	comment := line.Comment
	line = l.placed(line)
	if l.Words {
		comment = strings.TrimRight(fmt.Sprintf("%4d: %08x  %s", line.PC, line.Word, comment), " ")
	}
	indent := strings.Repeat("\t", max(1, len(l.open)))
	if comment == "" {
		fmt.Fprintf(out, "%s%s\n", indent, line.Text)
	} else {
		fmt.Fprintf(out, "%s%-39s ; %s\n", indent, line.Text, comment)
	}
}

// chooseLabels names the words that the program's text refers to. A label of the
// shader keeps its name if text can spell it and it is the first of that spelling;
// other targets inside the program are named L and their number in the whole program. Targets beyond the
// end stay numbers.
func (l *listing) chooseLabels() map[int]string {
	s := l.shader
	labels := make(map[int]string)
	taken := make(map[string]bool)
	add := func(name string, word int) {
		if word < 0 || word > len(s.Code) || labels[word] != "" || taken[name] || l.taken[name] || !isName(name) {
			return
		}
		labels[word], taken[name] = name, true
	}
	for _, label := range s.Labels {
		add(label.Name, label.Word)
	}
	add(s.Name, s.Entry)
	refer := func(word int) {
		if word >= 0 && word <= len(s.Code) && labels[word] == "" {
			labels[word] = "L" + strconv.Itoa(l.Of.place(word))
		}
	}
	if l.entryProcedure() == "" {
		refer(s.Entry)
	}
	for pc, word := range s.Code {
		if l.structured(pc, word) {
			continue
		}
		if i := decode.Decode(word); pica.Opcodes[i.Op].Flow.HasTarget() {
			refer(target(&i))
		}
	}
	return labels
}

// usedNames lists the symbols that the operands of an instruction belong to.
func usedNames(word uint32, names *registerNames) string {
	i := decode.Decode(word)
	var used []string
	add := func(class byte, register uint8) {
		if name := names.name(class, register); name != "" {
			used = append(used, name)
		}
	}
	for k := range pica.Opcodes[i.Op].Sources {
		add(sourceRegister(i.Src[k]))
	}
	if i.Op.Layout().Int.Width != 0 {
		add('i', i.Int)
	}
	if i.Op.Layout().Bool.Width != 0 {
		add('b', i.Bool)
	}
	return strings.Join(used, ", ")
}
