package latte

import (
	"fmt"
	"strings"
)

// Explanation says what an instruction does, as far as the tables of the instruction set tell.
type Explanation struct {
	Mnemonic  string
	Sentences []string
	Operands  []Operand
	Fields    []FieldValue // the first word first
	Source    string       // who says so
}

// Operand is the destination or a source of an instruction, as [Format] writes it.
type Operand struct{ Role, Text string }

// FieldValue is a field of an instruction with its value.
type FieldValue struct {
	Field
	Value uint32
}

// explainer explains the instruction at a word while a program is printed.
type explainer struct {
	Explanation
	at int
}

// Explain explains the instruction that starts at a word; ok is false if none does.
func (p *Program) Explain(at int) (x Explanation, ok bool) {
	e := &explainer{at: at}
	e.Source = readers.Source + "; " + mesa.Source
	w := printer{Program: p, explainer: e}
	w.program()
	return e.Explanation, e.Mnemonic != ""
}

// stackTexts say what a control-flow word does to the stack of masks.
var stackTexts = map[stackUse]string{
	push:       "It pushes a mask onto the stack.",
	popCounted: "It pops as many masks as POP_COUNT says.",
	popOne:     "It pops one mask from the stack afterwards.",
	popTwo:     "It pops two masks from the stack afterwards.",
	popAndPush: "It pops as many masks as POP_COUNT says, and pushes one.",
}

// addressTexts say what the address of a control-flow word means.
var addressTexts = map[addressUse]string{
	forwardAddress: "Where it jumps, it goes forward to word %d.",
	jumpAddress:    "Where it jumps, it goes to word %d.",
	startAddress:   "The word behind the end of its loop is %d.",
	endAddress:     "The word behind the start of its loop is %d.",
	exitAddress:    "The end of its loop is word %d.",
	callAddress:    "The subroutine starts at word %d.",
}

var clauseNames = [numKinds]string{ALUClause: "an ALU clause", TextureClause: "a texture clause",
	VertexClause: "a vertex clause"}

func (x *Explanation) say(format string, args ...any) {
	x.Sentences = append(x.Sentences, fmt.Sprintf(format, args...))
}

// fields adds the fields of an instruction.
func (x *Explanation) fields(l *Layout, words ...pair) {
	for _, f := range l.Fields {
		x.Fields = append(x.Fields, FieldValue{f, f.of(words[f.Word/2])})
	}
}

func (x *explainer) cf(p *Program, cf *CF) {
	op, words := cf.Op(), cf.Words
	x.Mnemonic = op.Name
	switch op.form {
	case exportForm:
		kind := exportType.of(words)
		x.say("Exports a register to %s%d.", exportNames[kind], int(exportBase.of(words))-exportFirst[kind])
	case memoryForm:
		x.say("Accesses memory: %s.", memoryAccess[exportType.of(words)/memoryRead])
	default:
		x.say("A word of the control flow.")
	}
	if cf.Clause >= 0 {
		c := &p.Clauses[cf.Clause]
		unit := "fetch"
		if c.Kind == ALUClause {
			unit = "group"
		}
		x.say("It runs %s of %d words at word %d, with %s.", clauseNames[c.Kind], c.Words, c.At, counted(c.Count, unit))
	}
	if text := addressTexts[op.address]; text != "" {
		x.say(text, cfAddr.of(words))
	}
	if text := stackTexts[op.stack]; text != "" {
		x.say("%s", text)
	}
	if op.form != aluForm && cfEnd.flag(words) {
		x.say("The program ends with it.")
	}
	x.fields(formLayouts[op.form], words)
}

// counted returns a number of things as text.
func counted(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// unitTexts say which units of a group can run an operation.
var unitTexts = [...]string{anyUnit: "each unit", vectorUnit: "the units x, y, z and w", transUnit: "the unit t",
	reduceUnit: "the units x, y, z and w together"}

// effectTexts say what an operation does beside its result.
var effectTexts = [...]string{setsPredicate: "It sets the predicate.", kills: "It can kill the pixel.",
	loadsAddress: "It loads the register of relative addressing."}

func (x *explainer) alu(g *Group, a *ALU) {
	op := a.Op()
	x.Mnemonic = op.Name
	sources := counted(int(op.Sources), "source")
	x.say("An operation of %s, here of %c, from %s.", unitTexts[op.unit], units[a.Unit], sources)
	if text := effectTexts[op.effect]; text != "" {
		x.say("%s", text)
	}
	if g.Count > 1 {
		x.say("It runs together with %s of its group.", counted(g.Count-1, "other operation"))
	}
	if !a.writes() {
		x.say("Its result is not written to a register.")
	}
	layout := &op2Layout
	if a.isOP3() {
		layout = &op3Layout
	}
	x.fields(layout, a.Words)
}

func (x *explainer) fetch(f *Fetch) {
	x.Mnemonic = f.Op().Name
	x.say("An instruction of %s.", clauseNames[f.Kind])
	x.fields(f.Op().layout, f.Words[:]...)
}
