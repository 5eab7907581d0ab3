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

// Explain explains the instruction that starts at a word; ok is false if none does.
func (p *Program) Explain(at int) (x Explanation, ok bool) {
	x.Source = readers.Source + "; " + mesa.Source
	for i := range p.CF {
		if cf := &p.CF[i]; cf.At == at {
			p.explainCF(&x, cf)
			return x, true
		}
	}
	for i := range p.Clauses {
		c := &p.Clauses[i]
		if at < c.At || at >= c.At+c.Words {
			continue
		}
		w := &printer{Program: p}
		if c.Kind != ALUClause {
			for k := range p.Fetches[c.First : c.First+c.Count] {
				if f := &p.Fetches[c.First+k]; f.At == at {
					w.explainFetch(&x, f)
					return x, true
				}
			}
			continue
		}
		for k := range p.Groups[c.First : c.First+c.Count] {
			g := &p.Groups[c.First+k]
			for n := range g.Count {
				if a := &p.ALU[g.First+n]; int(a.At) == at {
					w.number = w.groupNumber(g)
					w.explainALU(&x, g, a)
					return x, true
				}
			}
		}
	}
	return x, false
}

// groupNumber returns the number that [Format] gives a group: groups and fetches count in the order in which
// control-flow words first run them.
func (p *Program) groupNumber(of *Group) (n int) {
	for i := range p.CF {
		c := p.CF[i].Clause
		if c < 0 || p.Clauses[c].CF != i {
			continue
		}
		clause := &p.Clauses[c]
		if clause.Kind == ALUClause {
			for k := range clause.Count {
				if &p.Groups[clause.First+k] == of {
					return n + k
				}
			}
		}
		n += clause.Count
	}
	return n
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

func (p *Program) explainCF(x *Explanation, cf *CF) {
	op, words := cf.Op(), cf.Words
	x.Mnemonic = op.Name
	switch op.form {
	case exportForm:
		kind := exportType.of(words)
		x.say("Exports a register to %s%d.", exportNames[kind], int(exportBase.of(words))-exportFirst[kind])
		w := printer{}
		w.register(exportGPR.of(words), exportRel.flag(words), "AL")
		w.add(".%s", selectText(words, exportSelects[:]))
		x.Operands = append(x.Operands, Operand{"source", string(w.text)})
	case memoryForm:
		x.say("Accesses memory: %s.", memoryAccess[exportType.of(words)].name)
		w := printer{}
		w.register(exportGPR.of(words), exportRel.flag(words), "AL")
		w.add(".%s", maskText(bufferMask.of(words)))
		x.Operands = append(x.Operands, Operand{"register", string(w.text)})
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

func (w *printer) explainALU(x *Explanation, g *Group, a *ALU) {
	op := a.Op()
	x.Mnemonic = op.Name
	x.say("An operation of %s, here of %c, from %s.", unitTexts[op.unit], units[a.Unit], counted(int(op.Sources), "source"))
	if text := effectTexts[op.effect]; text != "" {
		x.say("%s", text)
	}
	if g.Count > 1 {
		x.say("It runs together with %s of its group.", counted(g.Count-1, "other operation"))
	}
	index := indexNames[aluIndex.of(a.Words)]
	operand := func(role string, print func()) {
		w.text = w.text[:0]
		print()
		x.Operands = append(x.Operands, Operand{role, string(w.text)})
	}
	if a.writes() {
		operand("destination", func() {
			w.register(dstGPR.of(a.Words), dstRel.flag(a.Words), index)
			w.add(".%c", units[dstChan.of(a.Words)])
		})
	} else {
		x.say("Its result is not written to a register.")
	}
	for k := range int(op.Sources) {
		operand(fmt.Sprintf("source %d", k+1), func() { w.source(g, a.source(k), index) })
	}
	layout := &op2Layout
	if a.isOP3() {
		layout = &op3Layout
	}
	x.fields(layout, a.Words)
}

func (w *printer) explainFetch(x *Explanation, f *Fetch) {
	op, words := f.Op(), &f.Words
	x.Mnemonic = op.Name
	x.fields(op.layout, words[:]...)
	x.say("An instruction of %s.", clauseNames[f.Kind])
	if op.layout == &rawLayout {
		return
	}
	operand := func(role string) {
		x.Operands = append(x.Operands, Operand{role, string(w.text)})
		w.text = w.text[:0]
	}
	if op.layout == &semanticLayout {
		w.add("SEM[%d]", vtxSemantic.in(words))
	} else {
		w.register(fetchDst.in(words), fetchDstRel.flag(words[0]), "AL")
	}
	w.add(".%s", selectText(words[0], dstSelects[:]))
	operand("destination")
	w.register(fetchSrc.in(words), fetchSrcRel.flag(words[0]), "AL")
	if op.layout == &textureLayout {
		w.add(".%s", selectText(words[1], texSelects[:]))
		operand("coordinates")
		w.add("t%d", texResource.in(words))
		operand("texture")
		w.add("s%d", texSampler.in(words))
		operand("sampler")
		return
	}
	w.add(".%c", selectNames[vtxSelX.in(words)])
	operand("index")
	w.add("b%d", vtxBuffer.in(words))
	operand("buffer")
}
