package latte

// The selects of ALU sources.
const (
	selKC0      = 128 // to 159
	selKC1      = 160 // to 191
	selReserved = 192 // to 247
	selInline   = 248 // to 252
	selLiteral  = 253
	selPV       = 254
	selPS       = 255
	selConst    = 256 // to 511
)

// inlines are the inline constants, from selInline on.
var inlines = [...]string{"0.0f", "1.0f", "1", "-1i", "0.5f"}

// source is a source of an ALU instruction.
type source struct {
	sel, channel  uint32
	rel, neg, abs bool
}

// source returns source k.
func (a *ALU) source(k int) source {
	f := &sources[k]
	s := source{f.sel.of(a.Words), f.channel.of(a.Words), f.rel.flag(a.Words), f.neg.flag(a.Words), false}
	if f.abs != nil && !a.isOP3() {
		s.abs = f.abs.flag(a.Words)
	}
	return s
}

func (s source) isRegister() bool { return s.sel < selKC0 }

// isKC reports whether the source is in a lock set.
func (s source) isKC() bool { return s.sel >= selKC0 && s.sel < selReserved }

// isConstant reports whether the source is a constant register or in a lock set.
func (s source) isConstant() bool { return s.isKC() || s.sel >= selConst }

// operands are the sources with a number: how it begins and ends, the select of the first, and how many there are. The
// reserved selects are the last.
var operands = [...]struct {
	begin, end   string
	first, count uint32
}{
	{"R", "", 0, selKC0}, {"KC0[", "]", selKC0, setRows}, {"KC1[", "]", selKC1, setRows},
	{"C", "", selConst, selConst}, {"SEL", "", 0, selConst},
}

// constantName returns the name of the constant of a select: "C5", "KC0[3]".
func constantName(sel uint32) string {
	t := lineText{printing: true}
	t.numbered(sel)
	return string(t.out)
}

// writes reports whether an instruction writes its destination.
func (a *ALU) writes() bool { return a.isOP3() || aluWrite.flag(a.Words) }
