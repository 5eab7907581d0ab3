package latte

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// lineReader reads one line of the text form. It keeps the first error.
type lineReader struct {
	s                string // the rest
	unusedSel, word3 uint32
	err              error
}

func (r *lineReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
		r.s = ""
	}
}

func (r *lineReader) space() { r.s = strings.TrimLeft(r.s, " \t") }

// accept takes a text, if the rest begins with it.
func (r *lineReader) accept(text string) bool {
	rest, ok := strings.CutPrefix(r.s, text)
	if ok {
		r.s = rest
	}
	return ok
}

func (r *lineReader) expect(text string) {
	r.space()
	if !r.accept(text) {
		r.fail("want %q at %.40q", text, r.s)
	}
	r.space()
}

// while takes the bytes in front of the first that ok refuses.
func (r *lineReader) while(ok func(byte) bool) string {
	n := 0
	for n < len(r.s) && ok(r.s[n]) {
		n++
	}
	text := r.s[:n]
	r.s = r.s[n:]
	return text
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isName(c byte) bool { return isDigit(c) || c >= 'A' && c <= 'Z' || c == '_' }

// number takes a number, decimal or, behind 0x, hexadecimal, that fits into some bits.
func (r *lineReader) number(width int) uint32 {
	text, base := "", 10
	if r.accept("0x") {
		base = 16
		text = r.while(func(c byte) bool { return isDigit(c) || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f' })
	} else {
		text = r.while(isDigit)
	}
	n, err := strconv.ParseUint(text, base, width)
	if err != nil {
		r.fail("want a number of at most %d bits at %.40q", width, text+r.s)
	}
	return uint32(n)
}

// field takes a number for a field.
func (r *lineReader) field(f *Field) uint32 { return r.number(int(f.Width)) }

// letter takes one of some letters and returns its index.
func (r *lineReader) letter(letters string) uint32 {
	if r.s != "" {
		if k := strings.IndexByte(letters, r.s[0]); k >= 0 {
			r.s = r.s[1:]
			return uint32(k)
		}
	}
	r.fail("want one of %q at %.40q", letters, r.s)
	return 0
}

// choice takes the longest of some words that the rest begins with.
func (r *lineReader) choice(list []string) uint32 {
	best := -1
	for k, text := range list {
		if strings.HasPrefix(r.s, text) && (best < 0 || len(text) > len(list[best])) {
			best = k
		}
	}
	if best < 0 {
		r.fail("want one of %q at %.40q", list, r.s)
		return 0
	}
	r.s = r.s[len(list[best]):]
	return uint32(best)
}

// end refuses what is left of a line.
func (r *lineReader) end() {
	if r.space(); r.s != "" {
		r.fail("unknown word at %.40q", r.s)
	}
}

// flags reads the rest of a line: names, and arguments in parentheses. SET may name any field of the layout.
func (r *lineReader) flags(words []pair, layout *Layout, one func(name string) bool) {
	for r.space(); r.s != ""; r.space() {
		switch name := r.while(isName); {
		case name == "SET":
			r.set(words, layout)
		case name == "" || !one(name):
			r.fail("unknown word at %.40q", name+r.s)
		}
	}
}

func (r *lineReader) set(words []pair, layout *Layout) {
	r.expect("(")
	for r.err == nil {
		name := r.while(isName)
		r.expect("=")
		known := false
		for i := range layout.Fields {
			if f := &layout.Fields[i]; f.Name == name {
				f.put(&words[f.Word/2], r.field(f))
				known = true
			}
		}
		if !known {
			r.fail("%s has no field %q", layout.Name, name)
		}
		r.space()
		if r.accept(")") {
			return
		}
		r.expect(",")
	}
}

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

// cf reads a control-flow word.
func (r *lineReader) cf() (at int, w pair) {
	at = int(r.number(32))
	r.space()
	name := r.while(isName)
	op := cfNames[name]
	if op == nil {
		r.fail("unknown instruction at %.40q", name+r.s)
		return 0, 0
	}
	r.accept(":")
	r.space()
	if op.form == aluForm {
		cfALUInst.put(&w, uint32(op.Code))
	} else {
		cfInst.put(&w, uint32(op.Code))
	}
	cfBarrier.put(&w, 1)
	switch op.form {
	case exportForm:
		r.export(&w)
	case memoryForm:
		r.memory(&w, op)
	}
	words := []pair{w}
	r.flags(words, formLayouts[op.form], func(name string) bool { return r.cfFlag(words, op, name) })
	return at, words[0]
}

// cfFlag reads a word at the end of a control-flow word.
func (r *lineReader) cfFlag(words []pair, op *CFOp, name string) bool {
	w := &words[0]
	switch {
	case r.flag(words, cfFlags[op.form], name):
	case op.form == normalForm && name == addressNames[op.address]:
		return r.flag(words, []flag{{name, cfAddr, argument, nil}}, name)
	case op.form == normalForm && name == "CNT":
		n := r.count(16)
		if op.Clause == NoClause {
			r.fail("%s runs no clause", op.Name)
		}
		cfCount.put(w, n)
		cfCount3.put(w, n>>cfCount.Width)
	case op.form == aluForm && name == "CNT":
		cfALUCount.put(w, r.count(128))
	case op.form == aluForm && (name == "KCACHE0" || name == "KCACHE1"):
		r.lock(w, &kcaches[name[len(name)-1]-'0'])
	default:
		return false
	}
	return true
}

// count reads a number from 1 to most in parentheses, and returns it less 1.
func (r *lineReader) count(most uint32) uint32 {
	r.expect("(")
	n := r.number(8) - 1
	if n >= most {
		r.fail("a count is 1 to %d", most)
	}
	r.expect(")")
	return n
}

// lock reads the lines of a lock set.
func (r *lineReader) lock(w *pair, f *kcacheFields) {
	r.expect("(CB")
	f.bank.put(w, r.field(f.bank))
	r.expect(":")
	atLoop := r.accept("AL+")
	first := r.number(12)
	r.expect("-")
	if r.accept("AL+") != atLoop {
		r.fail("AL+ is missing")
	}
	last := r.number(13)
	r.expect(")")
	mode := (last + 1 - first) / lineRows
	if atLoop {
		mode = lockAtLoop
	}
	if first%lineRows != 0 || mode == 0 || mode > lockAtLoop || last != first+lockedRows(mode)-1 {
		r.fail("rows %d to %d are no one or two lines", first, last)
	}
	f.mode.put(w, mode)
	f.addr.put(w, first/lineRows)
}

func (r *lineReader) export(w *pair) {
	kind := r.choice(exportNames[:])
	exportType.put(w, kind)
	sign := 1
	if r.accept("-") {
		sign = -1
	}
	n := sign*int(r.number(int(exportBase.Width))) + exportFirst[kind]
	if n < 0 || n > int(exportBase.mask) {
		r.fail("export %d does not exist", n)
	}
	exportBase.put(w, uint32(n))
	r.expect(",")
	r.register(w, exportGPR, exportRel)
	r.expect(".")
	r.selects(w, exportSelects[:])
}

func (r *lineReader) memory(w *pair, op *CFOp) {
	reads := r.choice([]string{"WRITE", "READ"}) * 2
	r.expect("(")
	n := r.number(32)
	if n%memoryUnit(op) != 0 || n/memoryUnit(op) > exportBase.mask {
		r.fail("address %d is none of a memory export", n)
	}
	exportBase.put(w, n/memoryUnit(op))
	if r.accept("+R") {
		exportIndex.put(w, r.field(exportIndex))
		reads++
	}
	exportType.put(w, reads)
	r.expect(")")
	r.expect(",")
	r.register(w, exportGPR, exportRel)
	r.expect(".")
	for k := range 4 {
		if r.letter(units[k:k+1]+"_") == 0 {
			bufferMask.put(w, bufferMask.of(*w)|1<<k)
		}
	}
}

// register reads R1 or R1[AL].
func (r *lineReader) register(w *pair, number, rel *Field) {
	r.expect("R")
	number.put(w, r.field(number))
	if r.accept("[AL]") {
		rel.put(w, 1)
	}
}

func (r *lineReader) selects(w *pair, fields []*Field) {
	for _, f := range fields {
		f.put(w, r.letter(selectNames))
	}
}

// groupNumber reads the number of a group or fetch, if there is one.
func (r *lineReader) groupNumber() bool {
	r.space()
	ok := r.while(isDigit) != ""
	r.space()
	return ok
}

// aluLine is a line of an ALU instruction.
type aluLine struct {
	words    pair // without LAST
	op       *Operation
	unit     uint8
	literals [4]uint32
	referred uint8
}

// alu reads an ALU instruction behind the number of its group.
func (r *lineReader) alu() (a aluLine) {
	a.unit = uint8(r.letter(units))
	r.expect(":")
	name := r.while(isName)
	a.op = aluNames[name]
	if a.op == nil {
		r.fail("unknown instruction at %.40q", name+r.s)
		return a
	}
	w := &a.words
	three := a.op.Sources == 3
	layout := &op2Layout
	if three {
		layout = &op3Layout
		op3Inst.put(w, uint32(a.op.Code))
	} else {
		op2Inst.put(w, uint32(a.op.Code))
		for k, modifier := range outputModifiers {
			if k > 0 && r.accept(modifier) {
				aluOMod.put(w, uint32(k))
			}
		}
		for k := int(a.op.Sources); k < 2; k++ {
			sources[k].sel.put(w, r.unusedSel)
		}
	}
	r.space()
	index := -1
	if r.accept("____") {
		channel := uint32(a.unit) % transcendental
		if r.accept(".") {
			channel = r.letter("xyzw")
		}
		dstChan.put(w, channel)
		if three {
			r.fail("%s always writes", name)
		}
	} else {
		r.expect("R")
		dstGPR.put(w, r.field(dstGPR))
		dstRel.put(w, r.index(&index))
		r.expect(".")
		dstChan.put(w, r.letter("xyzw"))
		if !three {
			aluWrite.put(w, 1)
		}
	}
	for k := range int(a.op.Sources) {
		r.expect(",")
		r.source(&a, &sources[k], &index)
	}
	if index >= 0 {
		aluIndex.put(w, uint32(index))
	}
	words := []pair{*w}
	r.flags(words, layout, func(name string) bool {
		return r.flag(words, aluFlags, name) || r.instructionFlag(&words[0], a.unit, three, name)
	})
	*w = words[0]
	return a
}

// instructionFlag reads the words at the end of an ALU instruction that are no flags.
func (r *lineReader) instructionFlag(w *pair, unit uint8, three bool, name string) bool {
	if !three && name == updatePredName {
		aluUpdatePred.put(w, 1)
		return true
	}
	if !three && name == execMaskName {
		aluExecMask.put(w, 1)
		r.space()
		if aluOMod.of(*w) != 0 {
			r.fail("%s leaves no room for a modifier", name)
		}
		for k, text := range maskOperations {
			if k > 0 && r.accept(text) {
				aluOMod.put(w, uint32(k))
			}
		}
		return true
	}
	k := slices.Index(swizzleNames[unit/transcendental][:], name)
	if k < 0 {
		return false
	}
	if aluSwizzle.of(*w) != 0 {
		r.fail("%s is said twice", name)
	}
	aluSwizzle.put(w, uint32(k))
	return true
}

// index reads [AR.x] or the like, if it is there.
func (r *lineReader) index(mode *int) uint32 {
	if !r.accept("[") {
		return 0
	}
	k := int(r.choice(indexNames[:]))
	r.expect("]")
	if *mode >= 0 && *mode != k {
		r.fail("an instruction has one index, not %s and %s", indexNames[*mode], indexNames[k])
	}
	*mode = k
	return 1
}

// source reads a source of an ALU instruction.
func (r *lineReader) source(a *aluLine, f *sourceFields, index *int) {
	w := &a.words
	if !strings.HasPrefix(r.s, "-1i") && r.accept("-") {
		f.neg.put(w, 1)
	}
	abs := r.accept("|")
	if abs {
		if f.abs == nil || a.op.Sources == 3 {
			r.fail("an instruction of three sources has no ||")
			return
		}
		f.abs.put(w, 1)
	}
	sel, needed, literal := r.operand()
	f.sel.put(w, sel)
	if sel < selKC0 || sel >= selConst || sel >= selKC0 && sel < selReserved {
		f.rel.put(w, r.index(index))
	}
	channel := uint32(0)
	if r.accept(".") {
		channel = r.letter("xyzw")
	} else if needed {
		r.fail("a channel is missing at %.40q", r.s)
	}
	f.channel.put(w, channel)
	if sel == selLiteral && r.err == nil {
		if a.referred>>channel&1 != 0 && a.literals[channel] != literal {
			r.fail("two literals at %c", units[channel])
		}
		a.literals[channel], a.referred = literal, a.referred|1<<channel
	}
	if abs {
		r.expect("|")
	}
}

// operands are the sources with a number: how it begins and ends, and the select of the first.
var operands = [...]struct {
	begin, end   string
	first, count uint32
}{
	{"R", "", 0, selKC0}, {"C", "", selConst, selConst}, {"SEL", "", 0, selConst},
	{"KC0[", "]", selKC0, setRows}, {"KC1[", "]", selKC1, setRows},
}

// operand reads a source without signs, index and channel; needed tells whether a channel must follow.
func (r *lineReader) operand() (sel uint32, needed bool, literal uint32) {
	for _, o := range operands {
		if r.accept(o.begin) {
			n := r.number(9)
			if n >= o.count {
				r.fail("there are %d of these operands, not number %d", o.count, n)
			}
			if o.end != "" {
				r.expect(o.end)
			}
			return o.first + n, true, 0
		}
	}
	switch {
	case r.accept("PV"):
		r.while(isDigit)
		return selPV, true, 0
	case r.accept("PS"):
		r.while(isDigit)
		return selPS, false, 0
	case r.accept("("):
		literal = r.number(32)
		if r.accept(",") {
			r.while(func(c byte) bool { return c != ')' })
		}
		r.expect(")")
		return selLiteral, true, literal
	}
	if !slices.ContainsFunc(inlines[:], func(text string) bool { return strings.HasPrefix(r.s, text) }) {
		r.fail("no operand at %.40q", r.s)
	}
	return selInline + r.choice(inlines[:]), false, 0
}

// fetch reads a fetch behind its number.
func (r *lineReader) fetch(kind Kind) (words [2]pair) {
	name := r.while(isName)
	op := fetchNames[kind][name]
	if op == nil {
		r.fail("unknown instruction at %.40q", name+r.s)
		return words
	}
	r.space()
	rawWord := [...]*Field{rawWord0, rawWord1, rawWord2}
	fetchWord3.to(&words, r.word3)
	if op.layout == &rawLayout {
		for k, f := range rawWord {
			if k > 0 {
				r.expect(",")
			}
			f.to(&words, r.number(32))
		}
		if code := texInst.in(&words); code != uint32(op.Code) {
			r.fail("%s of %s has the opcode %d, not %d", rawWord0.Name, op.Name, code, op.Code)
		}
		r.flags(words[:], op.layout, func(string) bool { return false })
		return words
	}
	texInst.to(&words, uint32(op.Code))
	if op.layout == &semanticLayout {
		r.expect("SEM[")
		vtxSemantic.to(&words, r.field(vtxSemantic))
		r.expect("]")
	} else {
		r.register(&words[0], fetchDst, fetchDstRel)
	}
	r.expect(".")
	r.selects(&words[0], dstSelects[:])
	r.expect(",")
	r.register(&words[0], fetchSrc, fetchSrcRel)
	r.expect(".")
	if op.layout == &textureLayout {
		r.selects(&words[1], texSelects[:])
		r.expect(",")
		r.expect("t")
		texResource.to(&words, r.field(texResource))
		r.expect(",")
		r.expect("s")
		texSampler.to(&words, r.field(texSampler))
		for _, f := range texCoords {
			f.to(&words, 1)
		}
		r.flags(words[:], op.layout, func(name string) bool { return r.textureFlag(&words, name) })
		return words
	}
	vtxSelX.to(&words, r.letter("xyzw"))
	r.expect(",")
	r.expect("b")
	vtxBuffer.to(&words, r.field(vtxBuffer))
	vtxConst.to(&words, 1)
	r.flags(words[:], op.layout, func(name string) bool { return r.vertexFlag(&words, name) })
	return words
}

func (r *lineReader) textureFlag(words *[2]pair, name string) bool {
	switch name {
	case "LOD":
		return r.fraction(words, texLOD, lodUnit)
	case "DENORM":
		r.expect("(")
		for r.err == nil && !r.accept(")") {
			texCoords[r.letter("XYZW")].to(words, 0)
		}
		return true
	case "XOFFSET", "YOFFSET", "ZOFFSET":
		return r.fraction(words, texOffsets[name[0]-'X'], offsetUnit)
	}
	return r.flag(words[:], textureFlags, name)
}

// fraction reads a number with a sign that counts parts of 1.
func (r *lineReader) fraction(words *[2]pair, f *Field, unit float64) bool {
	r.expect("(")
	text := r.while(func(c byte) bool { return c != ')' })
	v, err := strconv.ParseFloat(text, 64)
	limit := float64(int(1) << (f.Width - 1))
	if v *= unit; err != nil || v != math.Trunc(v) || v < -limit || v >= limit {
		r.fail("%s(%s) has no such field", f.Name, text)
		return true
	}
	f.to(words, uint32(int32(v)))
	r.expect(")")
	return true
}

func (r *lineReader) vertexFlag(words *[2]pair, name string) bool {
	switch name {
	case "FORMAT":
		vtxConst.to(words, 0)
		r.expect("(")
		vtxFormat.to(words, r.field(vtxFormat))
		r.space()
		vtxNumFormat.to(words, r.choice(numberFormats[:]))
		r.space()
		vtxSigned.to(words, r.choice(signs[:]))
		r.space()
		vtxSRFMode.to(words, r.choice(clampModes[:]))
		r.expect(")")
	case "MINI", "MEGA":
		vtxMega.to(words, r.count(vtxMega.mask+1))
		if name == "MEGA" {
			vtxMegaFetch.to(words, 1)
		}
	default:
		return r.flag(words[:], vertexFlags, name)
	}
	return true
}
