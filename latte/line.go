package latte

import (
	"fmt"
	"strconv"
	"strings"
)

// lineText is the text of one instruction, on the way from its words or to them: printing appends to out, reading takes
// from s. The methods below do either, so that the form of a line is said once. Those with a value print it and return
// it, or return what they read.
type lineText struct {
	at     int     // word; of a control-flow word, which has it in its line
	words  [2]pair // all but a fetch have the first alone
	layout *Layout
	defaults
	printing bool

	out       []byte
	from      int          // where an operand starts in out
	explained *Explanation // gets the operands, if it is there

	s   string // the rest
	err error  // the first one

	// Of ALU instructions and fetches.
	kind    Kind
	unit    uint8
	group   *Group // has the literals, or gets them
	number  int    // of the group
	indexed bool   // an operand had an index
}

// defaults are the values of fields that nothing reads.
type defaults struct{ unusedSel, word3 uint32 }

func (t *lineText) get(f *Field) uint32 { return f.in(&t.words) }

func (t *lineText) put(f *Field, v uint32) { f.put(&t.words[f.Word/2], v) }

// preset sets a field of words that are being read.
func (t *lineText) preset(f *Field, v uint32) {
	if !t.printing {
		t.put(f, v)
	}
}

func (t *lineText) fail(format string, args ...any) {
	if t.err == nil {
		t.err = fmt.Errorf(format, args...)
		t.s = ""
	}
}

func (t *lineText) space() { t.s = strings.TrimLeft(t.s, " \t") }

// accept takes a text, if the rest begins with it.
func (t *lineText) accept(text string) bool {
	rest, ok := strings.CutPrefix(t.s, text)
	if ok {
		t.s = rest
	}
	return ok
}

// while takes the bytes in front of the first that ok refuses.
func (t *lineText) while(ok func(byte) bool) string {
	n := 0
	for n < len(t.s) && ok(t.s[n]) {
		n++
	}
	text := t.s[:n]
	t.s = t.s[n:]
	return text
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isName(c byte) bool { return isDigit(c) || c >= 'A' && c <= 'Z' || c == '_' }

// isInside reports whether a byte is in front of the end of parentheses.
func isInside(c byte) bool { return c != ')' }

// text has to be there. A reader takes any space around it.
func (t *lineText) text(text string) {
	if t.printing {
		t.out = append(t.out, text...)
		return
	}
	t.space()
	if text = strings.TrimSpace(text); !t.accept(text) {
		t.fail("want %q at %.40q", text, t.s)
	}
	t.space()
}

// optional is a text that is there or not.
func (t *lineText) optional(there bool, text string) bool {
	if !t.printing {
		return t.accept(text)
	}
	if there {
		t.out = append(t.out, text...)
	}
	return there
}

// bit is a text that is there if a field is 1.
func (t *lineText) bit(f *Field, text string) {
	if t.optional(t.get(f) != 0, text) {
		t.put(f, 1)
	}
}

// remark is a text that says nothing to a reader.
func (t *lineText) remark(text func() string, ok func(byte) bool) {
	if t.printing {
		t.out = append(t.out, text()...)
	}
	t.while(ok)
}

// name is a name. An empty one stands for any other text.
func (t *lineText) name(name string) string {
	if !t.printing {
		return t.while(isName)
	}
	t.out = append(t.out, name...)
	return name
}

// pad fills a column that starts somewhere in out.
func (t *lineText) pad(from int) {
	const column = 12
	for t.printing && len(t.out) < from+column {
		t.out = append(t.out, ' ')
	}
	t.text(" ")
}

// integer is a decimal number of some bits. A reader takes hexadecimal ones behind 0x, too.
func (t *lineText) integer(v uint32, width uint8) uint32 {
	if t.printing {
		t.out = strconv.AppendUint(t.out, uint64(v), 10)
		return v
	}
	text, base := "", 10
	if t.accept("0x") {
		base = 16
		text = t.while(func(c byte) bool { return isDigit(c) || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f' })
	} else {
		text = t.while(isDigit)
	}
	n, err := strconv.ParseUint(text, base, int(width))
	if err != nil {
		t.fail("want a number of at most %d bits at %.40q", width, text+t.s)
	}
	return uint32(n)
}

// hex is a number of 32 bits, printed in hexadecimal.
func (t *lineText) hex(v uint32) uint32 {
	if t.printing {
		t.out = fmt.Appendf(t.out, "0x%08X", v)
		return v
	}
	return t.integer(v, 32)
}

// count is a number from 1 to most, less 1.
func (t *lineText) count(v, most uint32) uint32 {
	v = t.integer(v+1, 8) - 1
	if v >= most {
		t.fail("a count is 1 to %d", most)
	}
	return v
}

// letter is the index of one of some letters.
func (t *lineText) letter(v uint32, letters string) uint32 {
	if t.printing {
		t.out = append(t.out, letters[v])
		return v
	}
	if t.s != "" {
		if k := strings.IndexByte(letters, t.s[0]); k >= 0 {
			t.s = t.s[1:]
			return uint32(k)
		}
	}
	t.fail("want one of %q at %.40q", letters, t.s)
	return 0
}

// oneOf is the index of one of some words, the longest that a reader finds.
func (t *lineText) oneOf(v uint32, list []string) (k uint32, ok bool) {
	if t.printing {
		if ok = v < uint32(len(list)); ok {
			t.out = append(t.out, list[v]...)
		}
		return v, ok
	}
	for i, text := range list {
		if strings.HasPrefix(t.s, text) && (!ok || len(text) > len(list[k])) {
			k, ok = uint32(i), true
		}
	}
	if ok {
		t.s = t.s[len(list[k]):]
	}
	return k, ok
}

// word is the index of one of some words, one of which is there.
func (t *lineText) word(v uint32, list []string) uint32 {
	k, ok := t.oneOf(v, list)
	if !ok {
		t.fail("want one of %q at %.40q", list, t.s)
	}
	return k
}

// field, fieldLetter and fieldWord are values of fields.
func (t *lineText) field(f *Field) { t.put(f, t.integer(t.get(f), f.Width)) }

func (t *lineText) fieldLetter(f *Field, letters string) { t.put(f, t.letter(t.get(f), letters)) }

func (t *lineText) fieldWord(f *Field, list []string) { t.put(f, t.word(t.get(f), list)) }

// begin starts an operand, and operand ends it.
func (t *lineText) begin() { t.from = len(t.out) }

func (t *lineText) operand(role string) {
	if t.explained != nil {
		t.explained.Operands = append(t.explained.Operands, Operand{role, string(t.out[t.from:])})
	}
}

// end refuses what is left of a line.
func (t *lineText) end() {
	if t.space(); t.s != "" {
		t.fail("unknown word at %.40q", t.s)
	}
}

// flags are the words at the end of a line, in any order. Behind them SET may name any field of the layout.
func (t *lineText) flags(list []flag, layout *Layout) {
	t.layout = layout
	if t.printing {
		for i := range list {
			list[i].print(t)
		}
		return
	}
	unsaid := t.words
	for t.space(); t.s != ""; t.space() {
		name := t.while(isName)
		if name == "SET" {
			t.set()
			continue
		}
		known := false
		for i := range list {
			if f := &list[i]; f.name == name {
				f.read(t, &unsaid)
				known = true
				break
			}
		}
		if !known {
			t.fail("unknown word at %.40q", name+t.s)
		}
	}
}

// set reads the arguments of SET.
func (t *lineText) set() {
	t.text("(")
	for t.err == nil {
		name := t.while(isName)
		t.text("=")
		known := false
		for i := range t.layout.Fields {
			if f := &t.layout.Fields[i]; f.Name == name {
				t.field(f)
				known = true
			}
		}
		if !known {
			t.fail("%s has no field %q", t.layout.Name, name)
		}
		t.space()
		if t.accept(")") {
			return
		}
		t.text(",")
	}
}
