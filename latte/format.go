package latte

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
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
	w := &printer{Program: p, unusedSel: p.usualUnused(), word3: p.usualWord3()}
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
	text      []byte
	ends      []lineEnd
	unusedSel uint32
	word3     uint32
	number    int // of the next group or fetch
	read      lineReader
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
		want, ends := cf.Words, cf.Op().form != aluForm && cfEnd.flag(cf.Words)
		if ends {
			cfEnd.put(&want, 0) // a line of its own
		}
		w.line(cf.At, 1, func() { w.cf(cf) }, func(r *lineReader) []pair {
			_, words := r.cf()
			return []pair{words}
		}, []pair{want}, formLayouts[cf.Op().form])
		if cf.Clause >= 0 && w.Clauses[cf.Clause].CF == i {
			w.clause(&w.Clauses[cf.Clause])
		}
		if ends {
			w.directive("END_OF_PROGRAM")
		}
	}
	w.gaps()
}

// line prints a line about some words, reads it again, and adds the fields that it does not give back.
func (w *printer) line(at, words int, print func(), read func(*lineReader) []pair, want []pair, layout *Layout) {
	start := len(w.text)
	print()
	w.read = lineReader{s: string(w.text[start:]), unusedSel: w.unusedSel, word3: w.word3}
	got := read(&w.read)
	if !slices.Equal(got, want) {
		w.set(got, want, layout)
	}
	w.end(at, words, true)
}

// set prints the fields in which two instructions differ.
func (w *printer) set(got, want []pair, layout *Layout) {
	separator := " SET("
	for i := range layout.Fields {
		f := &layout.Fields[i]
		if v := f.of(want[f.Word/2]); v != f.of(got[f.Word/2]) {
			w.add("%s%s=%d", separator, f.Name, v)
			separator = ", "
		}
	}
	w.add(")")
}

func (w *printer) clause(c *Clause) {
	if c.Kind == ALUClause {
		for k := range w.Groups[c.First : c.First+c.Count] {
			w.group(&w.Groups[c.First+k])
		}
		return
	}
	for k := range w.Fetches[c.First : c.First+c.Count] {
		f := &w.Fetches[c.First+k]
		w.line(f.At, fetchWords, func() { w.fetch(f) }, func(r *lineReader) []pair {
			r.groupNumber()
			got := r.fetch(f.Kind)
			return got[:]
		}, f.Words[:], f.Op().layout)
		w.number++
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

// cf prints a control-flow word.
func (w *printer) cf(cf *CF) {
	op, words := cf.Op(), cf.Words
	w.add("%02d %s", cf.At, op.Name)
	if op.address == clauseAddress || op.form != normalForm {
		w.add(":")
	}
	switch op.form {
	case aluForm:
		w.add(" ADDR(%d) CNT(%d)", cfALUAddr.of(words), cfALUCount.of(words)+1)
		w.kcache(words)
	case normalForm:
		if name := addressNames[op.address]; op.address == clauseAddress {
			w.add(" ADDR(%d) CNT(%d)", cfAddr.of(words), fetchCount(words))
		} else {
			w.flags([]pair{words}, []flag{{name, cfAddr, argument, nil}})
		}
	case exportForm:
		kind := exportType.of(words)
		w.add(" %s%d, ", exportNames[kind], int(exportBase.of(words))-exportFirst[kind])
		w.register(exportGPR.of(words), exportRel.flag(words), "AL")
		w.add(".%s", selectText(words, exportSelects[:]))
	case memoryForm:
		access := memoryAccess[exportType.of(words)]
		w.add(" %s(%d", access.name, exportBase.of(words)*memoryUnit(op))
		if access.indexed {
			w.add("+R%d", exportIndex.of(words))
		}
		w.add("), ")
		w.register(exportGPR.of(words), exportRel.flag(words), "AL")
		w.add(".%s ARRAY_SIZE(%d)", maskText(bufferMask.of(words)), bufferSize.of(words))
	}
	w.flags([]pair{words}, cfFlags[op.form][cfPrinted[op.form]:])
}

func (w *printer) flag(set bool, text string) {
	if set {
		w.text = append(w.text, text...)
	}
}

func (w *printer) register(n uint32, rel bool, index string) {
	w.add("R%d", n)
	if rel {
		w.add("[%s]", index)
	}
}

func (w *printer) kcache(words pair) {
	for k := range kcaches {
		f := &kcaches[k]
		mode, first := f.mode.of(words), f.addr.of(words)*lineRows
		if mode == 0 {
			continue
		}
		index := ""
		if mode == lockAtLoop {
			index = "AL+"
		}
		w.add(" KCACHE%d(CB%d:%s%d-%s%d)", k, f.bank.of(words), index, first, index, first+lockedRows(mode)-1)
	}
}

// group prints an ALU group.
func (w *printer) group(g *Group) {
	for k := range g.Count {
		a := &w.ALU[g.First+k]
		want := a.Words &^ (1 << aluLast.shift) // follows from the grouping
		layout := &op2Layout
		if a.isOP3() {
			layout = &op3Layout
		}
		w.line(int(a.At), 1, func() { w.alu(g, k) }, func(r *lineReader) []pair {
			r.groupNumber()
			return []pair{r.alu().words}
		}, []pair{want}, layout)
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
	w.number++
}

// alu prints instruction k of a group.
func (w *printer) alu(g *Group, k int) {
	a := &w.ALU[g.First+k]
	op := a.Op()
	if k == 0 {
		w.add("%8d  ", w.number)
	} else {
		w.add("          ")
	}
	name := op.Name
	execMask := !a.isOP3() && aluExecMask.flag(a.Words)
	if !a.isOP3() && !execMask {
		name += outputModifiers[aluOMod.of(a.Words)]
	}
	w.add("%c: %-12s ", units[a.Unit], name)
	index := indexNames[aluIndex.of(a.Words)]
	switch channel := dstChan.of(a.Words); {
	case a.writes():
		w.register(dstGPR.of(a.Words), dstRel.flag(a.Words), index)
		w.add(".%c", units[channel])
	case a.Unit == transcendental && channel != 0:
		w.add("____.%c", units[channel])
	default:
		w.add("____")
	}
	for s := range int(op.Sources) {
		w.add(", ")
		w.source(g, a.source(s), index)
	}
	w.flags([]pair{a.Words}, aluFlags[:1])
	if s := aluSwizzle.of(a.Words); s != 0 && swizzleNames[a.Unit/transcendental][s] != "" {
		w.add(" %s", swizzleNames[a.Unit/transcendental][s])
	}
	w.flags([]pair{a.Words}, aluFlags[1:])
	if execMask {
		w.add(" %s%s", execMaskName, maskOperations[aluOMod.of(a.Words)])
	}
	w.flag(!a.isOP3() && aluUpdatePred.flag(a.Words), " "+updatePredName)
}

// source prints a source.
func (w *printer) source(g *Group, s source, index string) {
	w.flag(s.neg, "-")
	w.flag(s.abs, "|")
	channel := true
	switch {
	case s.isRegister():
		w.add("R%d", s.sel)
	case s.isConstant():
		w.text = append(w.text, constantName(s.sel)...)
	case s.sel < selInline:
		w.add("SEL%d", s.sel)
	case s.sel < selLiteral:
		w.add("%s", inlines[s.sel-selInline])
		channel = s.channel != 0
	case s.sel == selLiteral:
		v := g.Literals[s.channel]
		w.add("(0x%08X, %s)", v, floatText(v))
	case s.sel == selPV:
		w.add("PV%s", w.before())
	case s.sel == selPS:
		w.add("PS%s", w.before())
		channel = s.channel != 0
	}
	if s.rel && (s.isRegister() || s.isConstant()) {
		w.add("[%s]", index)
	}
	if channel {
		w.add(".%c", units[s.channel])
	}
	w.flag(s.abs, "|")
}

// before is the number of the group before, if there is one.
func (w *printer) before() string {
	if w.number == 0 {
		return ""
	}
	return strconv.Itoa(w.number - 1)
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

// fetch prints a fetch.
func (w *printer) fetch(f *Fetch) {
	op, words := f.Op(), &f.Words
	w.add("%8d  %-12s ", w.number, op.Name)
	switch op.layout {
	case &rawLayout:
		w.add("0x%08X, 0x%08X, 0x%08X", rawWord0.in(words), rawWord1.in(words), rawWord2.in(words))
		return
	case &semanticLayout:
		w.add("SEM[%d]", vtxSemantic.in(words))
	default:
		w.register(fetchDst.in(words), fetchDstRel.flag(words[0]), "AL")
	}
	w.add(".%s, ", selectText(words[0], dstSelects[:]))
	w.register(fetchSrc.in(words), fetchSrcRel.flag(words[0]), "AL")
	if op.layout == &textureLayout {
		w.texture(words)
	} else {
		w.vertex(words)
	}
}

func (w *printer) texture(words *[2]pair) {
	w.add(".%s, t%d, s%d", selectText(words[1], texSelects[:]), texResource.in(words), texSampler.in(words))
	if v := signed(texLOD, words); v != 0 {
		w.add(" LOD(%g)", float64(v)/lodUnit)
	}
	w.flags(words[:], textureFlags)
	separator := " DENORM("
	for k, f := range texCoords {
		if f.in(words) == 0 {
			w.add("%s%c", separator, "XYZW"[k])
			separator = ""
		}
	}
	w.flag(separator == "", ")")
	for k, f := range texOffsets {
		if v := signed(f, words); v != 0 {
			w.add(" %cOFFSET(%g)", "XYZ"[k], float64(v)/offsetUnit)
		}
	}
}

// signed is a field as a number with a sign.
func signed(f *Field, words *[2]pair) int {
	v := int(f.in(words))
	return v - v>>(f.Width-1)<<f.Width
}

func (w *printer) vertex(words *[2]pair) {
	w.add(".%c, b%d FETCH_TYPE(%s)", selectNames[vtxSelX.in(words)], vtxBuffer.in(words), fetchTypes[vtxType.in(words)])
	if vtxConst.in(words) == 0 {
		w.add(" FORMAT(%d %s %s %s)", vtxFormat.in(words), numberFormats[vtxNumFormat.in(words)],
			signs[vtxSigned.in(words)], clampModes[vtxSRFMode.in(words)])
	}
	w.add(" %s(%d) OFFSET(%d)", megaNames[vtxMegaFetch.in(words)], vtxMega.in(words)+1, vtxOffset.in(words))
	w.flags(words[:], vertexFlags[vertexPrinted:])
}

func selectText(p pair, fields []*Field) []byte {
	text := make([]byte, 0, 4)
	for _, f := range fields {
		text = append(text, selectNames[f.of(p)])
	}
	return text
}

func maskText(mask uint32) []byte {
	text := []byte("____")
	for ; mask != 0; mask &= mask - 1 {
		k := bits.TrailingZeros32(mask)
		text[k] = units[k]
	}
	return text
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
