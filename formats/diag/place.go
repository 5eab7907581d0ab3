package diag

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Place is the place of a finding; its text is only made for a finding that is kept.
type Place struct {
	Off, Len uint64
	Path     Path
}

// Path names a structure or field: "dvle[1]." + "outputs[3]" + ".mask". Table and Field may be
// empty. Prefix ends with a dot or is empty.
type Path struct {
	Prefix string
	Table  string
	Index  int
	Field  string
}

// In returns the path of a field of the structure that p names.
func (p Path) In(field string) Path {
	p.Field = field
	return p
}

// Entry returns the path of entry i of the table that p names as a field.
func (p Path) Entry(i int) Path {
	p.Table, p.Field, p.Index = p.Field, "", i
	return p
}

// String spells the path out.
func (p Path) String() string {
	if p.Table == "" && p.Field == "" {
		return strings.TrimSuffix(p.Prefix, ".")
	}
	if p.Table == "" {
		return p.Prefix + p.Field
	}
	entry := p.Prefix + p.Table + "[" + strconv.Itoa(p.Index) + "]"
	if p.Field == "" {
		return entry
	}
	return entry + "." + p.Field
}

// Value is an expected or a found value of a finding. The zero Value is empty.
type Value struct {
	Format string              // a text without %, or a format with one verb, for N
	N      uint64              // a number
	Show   func(uint64) string // prints N instead of Format
	Quote  []byte              // printed instead of the other fields, quoted and cut
}

// Constructors of the usual values. A Text has no %.
func Dec(n uint64) Value     { return Value{Format: "%d", N: n} }
func Hex(n uint64) Value     { return Value{Format: "0x%x", N: n} }
func AtMost(n uint64) Value  { return Value{Format: "<= %d", N: n} }
func AtLeast(n uint64) Value { return Value{Format: ">= %d", N: n} }
func Text(s string) Value    { return Value{Format: s} }
func Quoted(b []byte) Value  { return Value{Quote: b} }

// Below is an index of a table of n entries.
func Below(n uint64) Value {
	if n == 0 {
		return Text("no index, for the table is empty")
	}
	return Value{Format: "< %d", N: n}
}

// Bytes is a number of bytes.
func Bytes(n uint64) Value { return Count(n, "byte") }

// Count is a number of things: "1 more byte", "2 more bytes". The noun has no %.
func Count(n uint64, noun string) Value {
	if n == 1 {
		return Text("1 " + noun)
	}
	return Value{Format: "%d " + noun + "s", N: n}
}

// String formats the value.
func (v Value) String() string {
	switch {
	case v.Quote != nil:
		return Quote(v.Quote)
	case v.Show != nil:
		return v.Show(v.N)
	case strings.Contains(v.Format, "%"):
		return fmt.Sprintf(v.Format, v.N)
	}
	return v.Format
}

// maxQuoted is the largest number of bytes that Quote prints.
const maxQuoted = 64

// leastText is the number of characters before other bytes that count as text: a magic has four.
const leastText = 4

// Quote returns bytes of a file for reading: text quoted, in ASCII, and from the first byte that is none in
// hexadecimal. It cuts them if there are many. Fewer than four characters before other bytes
// are no text.
func Quote(b []byte) string {
	more := ""
	if len(b) > maxQuoted {
		b, more = b[:maxQuoted], "..."
	}
	text := len(b)
	if i := bytes.IndexFunc(b, isGarbage); i >= 0 {
		text = i
	}
	switch {
	case text == len(b):
		return strconv.QuoteToASCII(string(b)) + more
	case text < leastText:
		return fmt.Sprintf("% x", b) + more
	}
	return fmt.Sprintf("%s % x%s", strconv.QuoteToASCII(string(b[:text])), b[text:], more)
}

// isGarbage reports whether a character has no place in text.
func isGarbage(c rune) bool {
	return c == utf8.RuneError || !unicode.IsPrint(c) && !strings.ContainsRune("\t\r\n", c)
}
