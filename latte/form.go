package latte

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// The lines of instructions.

// cfNames and the like find opcodes by name.
var (
	cfNames    = byName(CFOps, func(o *CFOp) string { return o.Name })
	aluNames   = byName(append(append([]Operation(nil), OP2...), OP3...), func(o *Operation) string { return o.Name })
	fetchNames = [numKinds]map[string]*FetchOp{
		TextureClause: byName(TextureOps, func(o *FetchOp) string { return o.Name }),
		VertexClause:  byName(VertexOps, func(o *FetchOp) string { return o.Name }),
	}
)

func byName[T any](rows []T, name func(*T) string) map[string]*T {
	m := map[string]*T{}
	for i := range rows {
		m[name(&rows[i])] = &rows[i]
	}
	return m
}

// opcode is the name of an instruction, nil if a reader does not know it.
func opcode[T any](t *lineText, name string, names map[string]*T) *T {
	name = t.name(name)
	op := names[name]
	if op == nil {
		t.fail("unknown instruction at %.40q", name+t.s)
	}
	return op
}

// cf is the line of a control-flow word.
func (t *lineText) cf() {
	if t.printing && t.at < 10 {
		t.out = append(t.out, '0')
	}
	t.at = int(t.integer(uint32(t.at), 32))
	t.text(" ")
	op := opcode(t, cfOpOf(t.words[0]).Name, cfNames)
	if op == nil {
		return
	}
	if op.form == aluForm {
		t.put(cfALUInst, uint32(op.Code))
	} else {
		t.put(cfInst, uint32(op.Code))
	}
	t.preset(cfBarrier, 1)
	t.optional(op.address == clauseAddress || op.form != normalForm, ":")
	switch op.form {
	case exportForm:
		t.export()
	case memoryForm:
		t.memory(op)
	}
	t.flags(cfFlags[op.number()], formLayouts[op.form])
}

// export is what an export writes where.
func (t *lineText) export() {
	t.text(" ")
	kind := t.word(t.get(exportType), exportNames[:])
	t.put(exportType, kind)
	n := int(t.get(exportBase)) - exportFirst[kind]
	sign := 1
	if t.optional(n < 0, "-") {
		sign = -1
	}
	n = sign*int(t.integer(uint32(sign*n), exportBase.Width)) + exportFirst[kind]
	if n < 0 || n > int(exportBase.mask) {
		t.fail("export %d does not exist", n)
	}
	t.put(exportBase, uint32(n))
	t.text(", ")
	t.begin()
	t.register(exportGPR, exportRel)
	t.text(".")
	t.selects(exportSelects[:])
	t.operand("source")
}

// memory is what a memory export writes or reads where.
func (t *lineText) memory(op *CFOp) {
	t.text(" ")
	access := t.get(exportType)
	reads := t.word(access/memoryRead, memoryAccess[:])
	t.text("(")
	n := t.integer(t.get(exportBase)*memoryUnit(op), 32)
	if n%memoryUnit(op) != 0 || n/memoryUnit(op) > exportBase.mask {
		t.fail("address %d is none of a memory export", n)
	}
	t.put(exportBase, n/memoryUnit(op))
	t.put(exportType, reads*memoryRead)
	if t.optional(access&memoryIndexed != 0, "+R") {
		t.field(exportIndex)
		t.put(exportType, reads*memoryRead|memoryIndexed)
	}
	t.text(")")
	t.text(", ")
	t.begin()
	t.register(exportGPR, exportRel)
	t.text(".")
	mask := t.get(bufferMask)
	for k := range 4 {
		without := t.letter(^mask>>k&1, units[k:k+1]+"_")
		mask = mask&^(1<<k) | (1-without)<<k
	}
	t.put(bufferMask, mask)
	t.operand("register")
}

// register is R1 or, relative to the loop, R1[AL].
func (t *lineText) register(number, rel *Field) {
	t.text("R")
	t.field(number)
	t.bit(rel, "[AL]")
}

func (t *lineText) selects(fields []*Field) {
	for _, f := range fields {
		t.fieldLetter(f, selectNames)
	}
}

// alu is the line of an ALU instruction behind the number of its group. It says all but LAST.
func (t *lineText) alu() {
	t.unit = uint8(t.letter(uint32(t.unit), units))
	t.text(": ")
	name := len(t.out)
	op := opcode(t, operations[operationOf(t.words[0])].Name, aluNames)
	if op == nil {
		return
	}
	three, layout, flags := op.Sources == 3, &op2Layout, &aluFlags[0]
	if three {
		layout, flags = &op3Layout, &aluFlags[1]
		t.put(op3Inst, uint32(op.Code))
	} else {
		t.put(op2Inst, uint32(op.Code))
		if t.get(aluExecMask) == 0 {
			t.fieldWord(aluOMod, outputModifiers[:])
		}
		for k := int(op.Sources); k < 2; k++ {
			t.preset(sources[k].sel, t.unusedSel)
		}
	}
	t.pad(name)
	if t.optional(!three && t.get(aluWrite) == 0, "____") {
		if t.optional(t.unit == transcendental && t.get(dstChan) != 0, ".") {
			t.fieldLetter(dstChan, channels)
		} else {
			t.put(dstChan, uint32(t.unit)%transcendental)
		}
		if three {
			t.fail("%s always writes", op.Name)
		}
	} else {
		t.begin()
		t.text("R")
		t.field(dstGPR)
		t.index(dstRel)
		t.text(".")
		t.fieldLetter(dstChan, channels)
		t.operand("destination")
		if !three {
			t.put(aluWrite, 1)
		}
	}
	for k := range int(op.Sources) {
		t.text(", ")
		t.source(k, three)
	}
	t.flags(flags[t.unit/transcendental], layout)
}

// index is [AR.x] or the like, if it is there.
func (t *lineText) index(rel *Field) {
	if !t.optional(t.get(rel) != 0, "[") {
		return
	}
	mode := t.get(aluIndex)
	t.fieldWord(aluIndex, indexNames[:])
	t.text("]")
	if now := t.get(aluIndex); t.indexed && now != mode {
		t.fail("an instruction has one index, not %s and %s", indexNames[mode], indexNames[now])
	}
	t.indexed = true
	t.put(rel, 1)
}

// source is a source of an ALU instruction.
func (t *lineText) source(k int, three bool) {
	f := &sources[k]
	t.begin()
	if !strings.HasPrefix(t.s, "-1i") {
		t.bit(f.neg, "-")
	}
	abs := t.optional(!three && t.get(f.abs) != 0, "|")
	if abs && three {
		t.fail("an instruction of three sources has no ||")
	} else if abs {
		t.put(f.abs, 1)
	}
	var literal uint32
	if t.printing {
		literal = t.group.Literals[t.get(f.channel)]
	}
	s, needed := source{}, false
	s.sel, needed = t.sel(t.get(f.sel), &literal)
	t.put(f.sel, s.sel)
	if s.isRegister() || s.isConstant() {
		t.index(f.rel)
	}
	if t.optional(needed || t.get(f.channel) != 0, ".") {
		t.fieldLetter(f.channel, channels)
	} else if needed {
		t.fail("a channel is missing at %.40q", t.s)
	}
	if s.sel == selLiteral && !t.printing && t.err == nil {
		t.refer(t.get(f.channel), literal)
	}
	if abs {
		t.text("|")
	}
	t.operand(sourceRoles[k])
}

var sourceRoles = [...]string{"source 1", "source 2", "source 3"}

// refer reads a literal of the group.
func (t *lineText) refer(k, literal uint32) {
	g := t.group
	if g.referred>>k&1 != 0 && g.Literals[k] != literal {
		t.fail("two literals at %c", units[k])
	}
	g.Literals[k] = literal
	g.referred |= 1 << k
}

// sel is a source without signs, index and channel; needed tells whether a channel must follow.
func (t *lineText) sel(sel uint32, literal *uint32) (_ uint32, needed bool) {
	if k, ok := t.oneOf(sel-selInline, inlines[:]); ok {
		return selInline + k, false
	}
	switch {
	case t.optional(sel == selPV, "PV"):
		t.remark(t.before, isDigit)
		return selPV, true
	case t.optional(sel == selPS, "PS"):
		t.remark(t.before, isDigit)
		return selPS, false
	case t.optional(sel == selLiteral, "("):
		*literal = t.hex(*literal)
		if t.optional(true, ",") {
			t.remark(func() string { return " " + floatText(*literal) }, isInside)
		}
		t.text(")")
		return selLiteral, true
	}
	return t.numbered(sel), true
}

// numbered is a source with a number.
func (t *lineText) numbered(sel uint32) uint32 {
	for i := range operands {
		if o := &operands[i]; t.optional(sel-o.first < o.count, o.begin) {
			n := t.integer(sel-o.first, 9)
			if n >= o.count {
				t.fail("there are %d of these operands, not number %d", o.count, n)
			}
			if o.end != "" {
				t.text(o.end)
			}
			return o.first + n
		}
	}
	t.fail("no operand at %.40q", t.s)
	return 0
}

// before is the number of the group before, if there is one.
func (t *lineText) before() string {
	if t.number == 0 {
		return ""
	}
	return strconv.Itoa(t.number - 1)
}

// floatText is the number that the bits of a float make.
func floatText(v uint32) string {
	f := float64(math.Float32frombits(v))
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strconv.FormatFloat(f, 'g', -1, 64)[:1] + "inf"
	}
	return fmt.Sprintf("%.9g", f)
}

// fetch is the line of a fetch behind its number.
func (t *lineText) fetch() {
	name := len(t.out)
	op := opcode(t, fetchOps[t.kind][t.get(texInst)].Name, fetchNames[t.kind])
	if op == nil {
		return
	}
	t.pad(name)
	t.preset(fetchWord3, t.word3)
	if op.layout == &rawLayout {
		for k, f := range rawWords {
			if k > 0 {
				t.text(", ")
			}
			t.put(f, t.hex(t.get(f)))
		}
		if code := t.get(texInst); code != uint32(op.Code) {
			t.fail("%s of %s has the opcode %d, not %d", rawWords[0].Name, op.Name, code, op.Code)
		}
		t.flags(nil, op.layout)
		return
	}
	t.put(texInst, uint32(op.Code))
	t.begin()
	if op.layout == &semanticLayout {
		t.text("SEM[")
		t.field(vtxSemantic)
		t.text("]")
	} else {
		t.register(fetchDst, fetchDstRel)
	}
	t.text(".")
	t.selects(dstSelects[:])
	t.operand("destination")
	t.text(", ")
	t.begin()
	t.register(fetchSrc, fetchSrcRel)
	t.text(".")
	if op.layout == &textureLayout {
		t.selects(texSelects[:])
		t.operand("coordinates")
		t.numberedOperand("texture", "t", texResource)
		t.numberedOperand("sampler", "s", texSampler)
		t.preset(texCoords, allCoords)
		t.flags(textureFlags, op.layout)
		return
	}
	t.fieldLetter(vtxSelX, channels)
	t.operand("index")
	t.numberedOperand("buffer", "b", vtxBuffer)
	t.preset(vtxConst, 1)
	t.flags(vertexFlags, op.layout)
}

// numberedOperand is an operand that is a letter and a number.
func (t *lineText) numberedOperand(role, letter string, number *Field) {
	t.text(", ")
	t.begin()
	t.text(letter)
	t.field(number)
	t.operand(role)
}
