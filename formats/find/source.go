package find

import (
	"bytes"
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strings"
)

// source reads a text, of C or a similar language, as a sequence of arrays. An array is numbers with
// nothing but commas, brackets, casts, comments and line breaks between them, or strings with nothing
// but white space and comments between them.
type source struct {
	*search
	b    []byte
	at   int
	line int

	// The array that is being read. It has numbers or bytes, not both.
	numbers []uint64
	largest uint64 // magnitude
	bytes   []byte
	decimal []byte // the bytes of the strings if their escapes are decimal, as in Lua
	begin   int    // where it begins, and in which line
	inLine  int
	minus   bool // in front of the next number

	unquoted int // no string in apostrophes begins in front of this offset

	open   int    // parentheses
	word   string // the last identifier
	name   string // of the next array
	named  bool   // an array had the name
	buffer []byte // the bytes of an array's numbers
}

// shortest is the number of bytes of the shortest array that is searched.
const shortest = 12

// longestCast is the largest number of characters between the parentheses of a cast.
const longestCast = 48

func (s *source) scan() {
	for s.at < len(s.b) && s.Stopped == 0 {
		s.token()
	}
	if s.Stopped == 0 {
		s.end()
	}
}

// token reads one token.
func (s *source) token() {
	switch c := s.b[s.at]; {
	case c == '\n':
		s.line++
		s.at++
	case c == ' ', c == '\t', c == '\r', c == '\\':
		s.at++
	case c == '#', c == '/' && s.follows("//"):
		s.skipTo("\n", 0)
	case c == '/' && s.follows("/*"):
		s.skipTo("*/", 2)
	case c == '"':
		s.text(c)
	case c == '\'':
		s.apostrophe()
	case digit(c), prefixed(s.b[s.at:]) > 0:
		s.number()
	case c == ':' && s.follows("::"):
		s.end()
		s.at += 2
	case c == '.':
		s.directive()
	case letter(c):
		s.identifier()
	case c == '(':
		s.cast()
	case c == '{', c == '}', c == ']', c == ')', c == ',', c == '[':
		s.endText()
		if c == ')' {
			s.open = max(0, s.open-1)
		}
		if c == '[' && len(s.numbers) == 0 && s.name == "" && s.open == 0 {
			s.name = s.word
		}
		s.at++
	case c == '+' && len(s.bytes) > 0: // strings that are joined
		s.at++
	case c == '-' && !s.minus:
		s.minus = true
		s.at++
	default:
		s.end()
		switch {
		case c == ';' && !s.length():
			s.name, s.open = "", 0
		case c == '=' || c == ':':
			if s.name == "" && (c == '=' || s.open == 0) { // a colon in parentheses is behind a parameter
				s.name = s.word
			}
		}
		s.at++
	}
}

// length reports whether a semicolon stands in front of the length in the type of a Rust array: [u8; 16].
func (s *source) length() bool {
	rest := bytes.TrimLeft(s.b[s.at+1:min(len(s.b), s.at+longestCast)], " ")
	word := bytes.TrimLeftFunc(rest, func(c rune) bool { return c < 0x80 && (letter(byte(c)) || digit(byte(c))) })
	return len(word) < len(rest) && bytes.HasPrefix(word, []byte("]"))
}

func (s *source) follows(text string) bool { return bytes.HasPrefix(s.b[s.at:], []byte(text)) }

// skipTo goes on at the next place of a text, or with more behind it.
func (s *source) skipTo(text string, more int) {
	s.at += more
	n := bytes.Index(s.b[s.at:], []byte(text))
	if n < 0 {
		n = len(s.b) - s.at
	}
	end := min(len(s.b), s.at+n+more)
	s.line += bytes.Count(s.b[s.at:end], []byte("\n"))
	s.at = end
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

// letters returns the letters and digits at the start of b.
func letters(b []byte) []byte {
	end := 0
	for end < len(b) && (letter(b[end]) || digit(b[end])) {
		end++
	}
	return b[:end]
}

// identifier reads a word, which ends an array if it is not the prefix of a string.
func (s *source) identifier() {
	word := letters(s.b[s.at:])
	s.at += len(word)
	if s.at < len(s.b) && (s.b[s.at] == '"' || s.b[s.at] == '\'') && len(word) <= 2 {
		return
	}
	if directives[string(word)] && len(s.bytes) == 0 {
		return
	}
	if n := conversion(s.b[s.at:]); n >= 0 {
		s.at += n
		return
	}
	s.end()
	s.word = string(word)
}

// conversion returns how much of the text behind a word belongs to the name of a function or type of one number, as in
// "std::byte{0x44}" or "static_cast<u8>(68)", and -1 if no such number follows.
func conversion(b []byte) int {
	b = b[:min(len(b), longestConversion)]
	m := converted.FindSubmatchIndex(b)
	if m == nil {
		return -1
	}
	return m[3]
}

const longestConversion = 96

var converted = regexp.MustCompile(`^((?:::\w+)*(?:<[\w:]+>)?)[ \t]*[({][ \t]*-?[0-9$]\w*[ \t]*[)}]`)

// directives are words in front of the numbers of an array, in assembler sources.
var directives = map[string]bool{"byte": true, "short": true, "hword": true, "half": true, "word": true, "int": true,
	"long": true, "quad": true, "2byte": true, "4byte": true, "8byte": true, "db": true, "dw": true, "dd": true,
	"dq": true}

// directive reads a word with a dot in front of it.
func (s *source) directive() {
	s.at++
	word := letters(s.b[s.at:])
	s.at += len(word)
	if !directives[string(word)] {
		s.end()
	}
}

// cast skips a pair of parentheses, if its contents may be a type.
func (s *source) cast() {
	s.endText()
	s.at++
	rest := s.b[s.at:min(len(s.b), s.at+longestCast)]
	end := bytes.IndexByte(rest, ')')
	s.open++
	if end < 1 || !letter(rest[0]) {
		return
	}
	for _, c := range rest[:end] {
		if !letter(c) && !digit(c) && c != ' ' && c != ':' && c != '*' {
			return
		}
	}
	s.open--
	s.at += end + 1
}

// start begins an array unless one has begun.
func (s *source) start() {
	if len(s.numbers) == 0 && len(s.bytes) == 0 {
		s.begin, s.inLine = s.at, s.line
	}
}

// add adds a number to the array.
func (s *source) add(magnitude uint64) {
	s.largest = max(s.largest, magnitude)
	if s.minus {
		s.minus, magnitude = false, -magnitude
	}
	s.numbers = append(s.numbers, magnitude)
}

// prefixes stand in front of hexadecimal digits in Pascal, BASIC and assembly languages.
var prefixes = []string{"$", "&H", "&h"}

// prefixed returns the length of the prefix of a hexadecimal number, or 0.
func prefixed(b []byte) int {
	for _, prefix := range prefixes {
		if n := len(prefix); len(b) > n && string(b[:n]) == prefix && hexDigit(b[n]) < 16 {
			return n
		}
	}
	return 0
}

// methods stand in Kotlin behind a number that is too large for a byte with a sign.
var methods = []string{".toByte()", ".toUByte()", ".toShort()", ".toUShort()", ".toInt()", ".toUInt()"}

// number reads a number, which ends the array if its language is unknown.
func (s *source) number() {
	if n := prefixed(s.b[s.at:]); n > 0 {
		word := letters(s.b[s.at+n:])
		value, ok := parseDigits(word, 16)
		s.element(value, ok)
		s.at += n + len(word)
		return
	}
	word := letters(s.b[s.at:])
	for n := len(word) + 1; s.at+n < len(s.b) && s.b[s.at+n-1] == '\'' && hexDigit(s.b[s.at+n]) < 16; n = len(word) + 1 {
		word = s.b[s.at : s.at+n+len(letters(s.b[s.at+n:]))]
	}
	n, ok := parse(word)
	end := s.at + len(word)
	if end < len(s.b) && s.b[end] == '.' {
		behind := string(s.b[end:min(len(s.b), end+longestCast)])
		k := slices.IndexFunc(methods, func(method string) bool { return strings.HasPrefix(behind, method) })
		if ok = ok && k >= 0; ok {
			end += len(methods[k])
		}
	}
	s.element(n, ok)
	s.at = end
}

// element adds a number to the array, which ends if there is none.
func (s *source) element(n uint64, ok bool) {
	s.endText()
	if !ok {
		s.end()
	} else {
		s.start()
		s.add(n)
	}
}

// parse reads a decimal, octal or hexadecimal number with or without a suffix.
func parse(word []byte) (n uint64, ok bool) {
	switch last := len(word) - 1; {
	case last > 1 && word[0] == '0' && word[1]|0x20 == 'x':
		return parseDigits(word[2:], 16)
	case last > 0 && word[last]|0x20 == 'h':
		return parseDigits(word[:last], 16)
	case last > 0 && word[0] == '0':
		return parseDigits(word, 8)
	}
	return parseDigits(word, 10)
}

// parseDigits reads a number of a base.
func parseDigits(digits []byte, base uint64) (n uint64, ok bool) {
	for i := range len(digits) {
		d := hexDigit(digits[i])
		if base != 16 && d > 9 || d > 15 {
			if strings.IndexByte("_'", digits[i]) >= 0 && i+1 < len(digits) && hexDigit(digits[i+1]) < base {
				continue
			}
			return n, i > 0 && (digits[i] == '_' || strings.IndexByte("uliz", digits[i]|0x20) >= 0)
		}
		if d >= base { // 089 is not octal
			return parseDigits(digits, 10)
		}
		if n > (math.MaxUint64-d)/base {
			return 0, false
		}
		n = n*base + d
	}
	return n, true
}

// hexDigit returns the value of a digit, or more than 15.
func hexDigit(c byte) uint64 {
	switch {
	case digit(c):
		return uint64(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return uint64(c|0x20-'a') + 10
	}
	return 16
}

// apostrophe reads a character as a number, or a string in apostrophes. It skips other apostrophes.
func (s *source) apostrophe() {
	if len(s.bytes) == 0 && !s.follows("''") {
		if c, n := escape(s.b[s.at+1:]); n > 0 && s.at+1+n < len(s.b) && s.b[s.at+1+n] == '\'' {
			s.start()
			s.add(uint64(c))
			s.at += n + 2
			return
		}
	}
	at, line := s.at, s.line
	lifetime := at > 0 && (s.b[at-1] == '&' || s.b[at-1] == '<') // &'static of Rust
	if lifetime || at < s.unquoted || !s.text('\'') {
		s.end()
		s.unquoted = max(s.unquoted, s.at)
		s.at, s.line = at+1, line
	}
}

// text reads a string. It reports whether the string ends in its line; another is none.
func (s *source) text(quote byte) bool {
	if len(s.numbers) > 0 {
		s.end()
	}
	s.start()
	at, line := s.at, s.line
	read, ok := s.literal(quote, escape, s.bytes)
	if !ok {
		return false
	}
	s.bytes = read
	s.at, s.line = at, line
	s.decimal, _ = s.literal(quote, decimalEscape, s.decimal)
	return true
}

// literal reads a string and appends its bytes to b. It reports whether the string ends in its line.
func (s *source) literal(quote byte, escape func([]byte) (byte, int), b []byte) (all []byte, ok bool) {
	s.at++
	for s.at < len(s.b) {
		switch c := s.b[s.at]; {
		case c == quote:
			s.at++
			return b, true
		case c == '\n':
			return b, false
		case s.follows("\\\n"), s.follows("\\\r\n"):
			s.skipTo("\n", 0)
			s.line++
			s.at++
			s.at += len(s.b[s.at:]) - len(bytes.TrimLeft(s.b[s.at:], " \t"))
		default:
			c, n := escape(s.b[s.at:])
			b = append(b, c)
			s.at += n
		}
	}
	return b, false
}

// escapes are the values of letters behind a backslash.
var escapes = map[byte]byte{'a': 7, 'b': 8, 't': 9, 'n': 10, 'v': 11, 'f': 12, 'r': 13, 'e': 27}

// escape returns the first byte of a string's text, and the length of its spelling; 0 for none.
func escape(b []byte) (c byte, n int) {
	switch {
	case len(b) == 0 || b[0] == '\n':
		return 0, 0
	case b[0] != '\\' || len(b) == 1:
		return b[0], 1
	case b[1] == 'x':
		n = 2
		for ; n < min(4, len(b)) && hexDigit(b[n]) < 16; n++ {
			c = c<<4 | byte(hexDigit(b[n]))
		}
		return c, n
	case b[1] >= '0' && b[1] <= '7':
		n = 1
		for ; n < min(4, len(b)) && b[n] >= '0' && b[n] <= '7'; n++ {
			c = c<<3 | (b[n] - '0')
		}
		return c, n
	}
	if value, ok := escapes[b[1]]; ok {
		return value, 2
	}
	return b[1], 2
}

// decimalEscape is escape for a language in which the digits behind a backslash are decimal.
func decimalEscape(b []byte) (c byte, n int) {
	if len(b) < 2 || b[0] != '\\' || !digit(b[1]) {
		return escape(b)
	}
	n = 1
	for ; n < min(4, len(b)) && digit(b[n]); n++ {
		c = c*10 + (b[n] - '0')
	}
	return c, n
}

// endText ends the array if it is strings.
func (s *source) endText() {
	if len(s.bytes) > 0 {
		s.end()
	}
}

// end searches the array that ends here. Numbers of several bytes are little endian, or big endian if no file is found
// so.
func (s *source) end() {
	if len(s.numbers) == 0 {
		s.lookStrings()
	} else if width := s.width(); !s.searchBytes(s.encoded(width, false), width, false) && width > 1 && s.Stopped == 0 {
		s.searchBytes(s.encoded(width, true), width, true)
	}
	if s.named {
		s.name, s.named = "", false
	}
	s.numbers, s.largest, s.bytes, s.decimal, s.minus = s.numbers[:0], 0, s.bytes[:0], s.decimal[:0], false
}

// lookStrings searches the strings of an array. Their escapes are octal, or decimal if no file is accepted so.
func (s *source) lookStrings() {
	files, magics := len(s.Files), s.Magics
	s.searchBytes(s.bytes, 1, false)
	accepted := slices.ContainsFunc(s.Files[files:], func(f File) bool { return f.Accepted })
	if accepted || s.Stopped != 0 || bytes.Equal(s.bytes, s.decimal) {
		return
	}
	refused, without := slices.Clone(s.Files[files:]), s.Magics
	s.Files, s.Magics = s.Files[:files], magics
	if !s.searchBytes(s.decimal, 1, false) {
		s.Files, s.Magics = append(s.Files, refused...), max(without, s.Magics)
	}
}

// searchBytes searches the bytes that the array stands for. It reports whether it found a file.
func (s *source) searchBytes(b []byte, width int, bigEndian bool) bool {
	if len(b) < shortest {
		return false
	}
	before := len(s.Files)
	s.named = true
	s.search.bytes(b, func(f *File) {
		f.Array = &Array{Name: s.name, Line: s.inLine, Width: width, BigEndian: bigEndian, Offset: f.Offset}
		f.Offset, f.Data = s.begin, bytes.Clone(f.Data)
	})
	if s.Stopped != 0 {
		s.Stopped = max(1, s.begin)
	}
	return len(s.Files) > before
}

// width returns how many bytes a number has. The largest of them says so: the magic of a file is no smaller in a
// wider array.
func (s *source) width() int {
	switch {
	case s.largest <= math.MaxUint8:
		return 1
	case s.largest <= math.MaxUint16:
		return 2
	case s.largest <= math.MaxUint32:
		return 4
	}
	return 8
}

// encoded returns the bytes of the numbers.
func (s *source) encoded(width int, bigEndian bool) []byte {
	b := s.buffer[:0]
	for _, n := range s.numbers {
		var word [8]byte
		if bigEndian {
			binary.BigEndian.PutUint64(word[:], n<<(64-8*width))
		} else {
			binary.LittleEndian.PutUint64(word[:], n)
		}
		b = append(b, word[:width]...)
	}
	s.buffer = b
	return b
}
