package asm

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Options chooses what Disassemble prints besides the program.
type Options struct {
	Words    bool // the address and the word behind every instruction
	NoHeader bool // instructions only; such text needs its operand descriptors from elsewhere
}

// Line is one instruction of a disassembled program.
type Line struct {
	PC      int
	Word    uint32
	Label   string // "" for a word that nothing refers to
	Text    string
	Comment string // names of the registers used; may be empty
}

// Disassemble writes a shader as text that assembles to the same words. Errors
// are those of w.
func Disassemble(w io.Writer, s *pica.Shader, o Options) error {
	out := bufio.NewWriter(w)
	labels := chooseLabels(s)
	if !o.NoHeader {
		writeHeader(out, s, labels)
	}
	for line := range lines(s, labels) {
		if line.Label != "" {
			fmt.Fprintf(out, "%s:\n", line.Label)
		}
		comment := line.Comment
		if o.Words {
			comment = strings.TrimRight(fmt.Sprintf("%4d: %08x  %s", line.PC, line.Word, comment), " ")
		}
		if comment == "" {
			fmt.Fprintf(out, "\t%s\n", line.Text)
		} else {
			fmt.Fprintf(out, "\t%-39s ; %s\n", line.Text, comment)
		}
	}
	if name := labels[len(s.Code)]; name != "" {
		fmt.Fprintf(out, "%s:\n", name)
	}
	return out.Flush()
}

// Lines yields the instructions of a shader in order.
func Lines(s *pica.Shader) iter.Seq[Line] { return lines(s, chooseLabels(s)) }

func lines(s *pica.Shader, labels map[int]string) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		p := printer{descriptors: s.Descriptors, label: func(word int) string { return labels[word] }}
		names := newRegisterNames(s.Inputs, s.Uniforms)
		var text []byte
		for pc, word := range s.Code {
			var remark string
			text, remark = p.instruction(text[:0], word)
			line := Line{PC: pc, Word: word, Label: labels[pc], Text: string(text), Comment: remark}
			if used := usedNames(word, names); line.Comment == "" {
				line.Comment = used
			}
			if !yield(line) {
				return
			}
		}
	}
}

// chooseLabels names the words of a program that something refers to. A label
// of the shader keeps its name where that can be written and is the first of
// its spelling; other targets inside the program are called L and their number.
// Targets beyond the end stay numbers.
func chooseLabels(s *pica.Shader) map[int]string {
	labels := make(map[int]string)
	taken := make(map[string]bool)
	add := func(name string, word int) {
		if word < 0 || word > len(s.Code) || labels[word] != "" || taken[name] || !isName(name) {
			return
		}
		labels[word], taken[name] = name, true
	}
	for _, l := range s.Labels {
		add(l.Name, l.Word)
	}
	add(s.Name, s.Entry)
	refer := func(word int) {
		if word >= 0 && word <= len(s.Code) && labels[word] == "" {
			labels[word] = "L" + strconv.Itoa(word)
		}
	}
	refer(s.Entry)
	for _, word := range s.Code {
		switch i := decode.Decode(word); i.Op {
		case pica.BREAKC:
		case pica.LOOP:
			refer(int(i.Dst) + 1)
		default:
			if i.Format == pica.Format2 || i.Format == pica.Format3 {
				refer(int(i.Dst))
			}
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
	switch {
	case i.Op == pica.LOOP:
		add('i', i.Int)
	case i.Format == pica.Format3:
		add('b', i.Bool)
	}
	return strings.Join(used, ", ")
}
