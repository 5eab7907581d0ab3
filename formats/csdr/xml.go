package csdr

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// maxDepth is the depth to which elements may nest.
const maxDepth = 64

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	declaration tokenKind = iota // <?xml ... ?>
	startTag
	emptyTag // <a/>
	endTag
	charData
	cdata
	comment
	instruction
)

var tokenNames = [...]string{"declaration", "start", "empty", "end", "text", "cdata", "comment", "instruction"}

// token is a piece of the text; tokens follow each other without gaps.
type token struct {
	kind       tokenKind
	start, end int
	name       string // of a tag
	depth      int    // number of elements around it, itself not counted
}

// syntaxError says where a text is not well-formed, and what the standard asks for there.
type syntaxError struct {
	off  int
	want string
}

// scanner reads a text token by token and checks that it is well-formed. The
// text is UTF-8 without NULs.
type scanner struct {
	text  string
	first int // where the text starts, behind a byte order mark
	pos   int
	open  []string // names of the open elements
	root  bool     // the root was seen
	err   *syntaxError
}

// attr is the place of an attribute: of its name, and of its value between the
// quotes.
type attr struct{ name, nameEnd, value, valueEnd int }

// fail notes a syntax error at off. It returns false.
func (s *scanner) fail(off int, want string) bool {
	if s.err == nil {
		s.err = &syntaxError{off, want}
	}
	return false
}

// next reads the next token. It returns false at the end and at an error.
func (s *scanner) next() (token, bool) {
	t := token{start: s.pos, depth: len(s.open)}
	rest := s.text[s.pos:]
	ok := false
	switch {
	case rest == "":
		return t, s.finished()
	case rest[0] != '<':
		t.kind, ok = charData, s.charData()
	case strings.HasPrefix(rest, "<!--"):
		t.kind, ok = comment, s.comment()
	case strings.HasPrefix(rest, "<![CDATA["):
		t.kind, ok = cdata, s.cdata()
	case strings.HasPrefix(rest, "<?"):
		t.kind, ok = s.instruction()
	case strings.HasPrefix(rest, "</"):
		t.kind, t.depth = endTag, t.depth-1
		t.name, ok = s.endTag()
	case strings.HasPrefix(rest, "<!"):
		ok = s.fail(s.pos, "no document type")
	default:
		t.name, t.kind, ok = s.startTag()
	}
	t.end = s.pos
	return t, ok
}

// skip reads an element to its end, or to an error of the syntax, and returns
// all of it.
func (s *scanner) skip(t token) string {
	for depth := t.depth; t.kind != emptyTag; {
		if c, ok := s.next(); !ok || c.kind == endTag && c.depth == depth {
			break
		}
	}
	return s.text[t.start:s.pos]
}

// finished checks that the text is complete. It returns false, because no token is left.
func (s *scanner) finished() bool {
	switch {
	case len(s.open) > 0:
		return s.fail(s.pos, "</"+s.open[len(s.open)-1]+">")
	case !s.root:
		return s.fail(s.pos, "an element")
	}
	return false
}

// charData reads text up to the next tag.
func (s *scanner) charData() bool {
	end := len(s.text)
	if n := strings.IndexByte(s.text[s.pos:], '<'); n >= 0 {
		end = s.pos + n
	}
	text := s.text[s.pos:end]
	if len(s.open) == 0 {
		if n := strings.IndexFunc(text, notWhite); n >= 0 {
			return s.fail(s.pos+n, "no text outside the root")
		}
	}
	if n := strings.Index(text, "]]>"); n >= 0 {
		return s.fail(s.pos+n, "no ]]> in text")
	}
	if !s.references(s.pos, end) {
		return false
	}
	s.pos = end
	return true
}

// references checks the references in a part of the text.
func (s *scanner) references(start, end int) bool {
	for start < end {
		n := strings.IndexByte(s.text[start:end], '&')
		if n < 0 {
			return true
		}
		start += n
		_, size := reference(s.text[start:end])
		if size == 0 {
			return s.fail(start, "a reference to a character or to lt, gt, amp, apos, quot")
		}
		start += size
	}
	return true
}

// entities are the five entities of XML.
var entities = []struct {
	text  string
	value rune
}{{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&apos;", '\''}, {"&quot;", '"'}}

// reference reads the reference that a text starts with. size is 0 when it is
// not one, or not to a character of XML.
func reference(text string) (value rune, size int) {
	for _, e := range entities {
		if strings.HasPrefix(text, e.text) {
			return e.value, len(e.text)
		}
	}
	digits, ok := strings.CutPrefix(text, "&#")
	if !ok {
		return 0, 0
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n := strings.IndexFunc(digits, func(c rune) bool { return !isDigit(c, base) })
	if n <= 0 || digits[n] != ';' {
		return 0, 0
	}
	v, err := strconv.ParseUint(digits[:n], base, 32)
	if err != nil || v > 0x10FFFF || !isChar(rune(v)) {
		return 0, 0
	}
	return rune(v), len(text) - len(digits) + n + 1
}

func isDigit(c rune, base int) bool {
	return c >= '0' && c <= '9' || base == 16 && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F')
}

// comment reads <!-- ... -->, which must not contain another --.
func (s *scanner) comment() bool {
	body := s.pos + len("<!--")
	n := strings.Index(s.text[body:], "--")
	switch {
	case n < 0:
		return s.fail(len(s.text), "-->")
	case !strings.HasPrefix(s.text[body+n:], "-->"):
		return s.fail(body+n, "-->")
	}
	s.pos = body + n + len("-->")
	return true
}

func (s *scanner) cdata() bool {
	if len(s.open) == 0 {
		return s.fail(s.pos, "no text outside the root")
	}
	n := strings.Index(s.text[s.pos:], "]]>")
	if n < 0 {
		return s.fail(len(s.text), "]]>")
	}
	s.pos += n + len("]]>")
	return true
}

// instruction reads <?target ... ?>; with the target xml, at the start and
// there only, it is the declaration.
func (s *scanner) instruction() (tokenKind, bool) {
	start := s.pos
	s.pos += len("<?")
	target := s.name()
	if target == "" {
		return instruction, s.fail(s.pos, "a name")
	}
	if strings.EqualFold(target, "xml") {
		if start > s.first || target != "xml" {
			return instruction, s.fail(start, "the declaration at the start only")
		}
		return declaration, s.declaration()
	}
	if !s.white() && !strings.HasPrefix(s.text[s.pos:], "?>") {
		return instruction, s.fail(s.pos, "white space or ?>")
	}
	n := strings.Index(s.text[s.pos:], "?>")
	if n < 0 {
		return instruction, s.fail(len(s.text), "?>")
	}
	s.pos += n + len("?>")
	return instruction, true
}

// declaration reads the rest of <?xml: version, encoding, standalone.
func (s *scanner) declaration() bool {
	start := s.pos
	if !s.attributes("?>") {
		return false
	}
	order := []struct {
		name  string
		valid func(value string) bool
	}{
		{"version", func(v string) bool {
			minor, ok := strings.CutPrefix(v, "1.")
			return ok && minor != "" && strings.IndexFunc(minor, func(c rune) bool { return !isDigit(c, 10) }) < 0
		}},
		{"encoding", func(v string) bool { return strings.EqualFold(v, "utf-8") }},
		{"standalone", func(v string) bool { return v == "yes" || v == "no" }},
	}
	version := false
	for a := range s.attrsAt(start) {
		version = version || s.text[a.name:a.nameEnd] == "version"
		for len(order) > 0 && order[0].name != s.text[a.name:a.nameEnd] {
			order = order[1:]
		}
		switch {
		case len(order) == 0:
			return s.fail(a.name, "version, encoding and standalone in this order")
		case !order[0].valid(s.text[a.value:a.valueEnd]):
			return s.fail(a.value, "version 1.x, encoding utf-8, standalone yes or no")
		}
	}
	return version || s.fail(start, "the version")
}

// startTag reads <name attributes> or <name attributes/>.
func (s *scanner) startTag() (name string, kind tokenKind, ok bool) {
	start := s.pos
	s.pos++
	name = s.name()
	switch {
	case name == "":
		return name, startTag, s.fail(s.pos, "a name")
	case len(s.open) == 0 && s.root:
		return name, startTag, s.fail(start, "one root")
	case len(s.open) == maxDepth:
		return name, startTag, s.fail(start, "at most "+strconv.Itoa(maxDepth)+" elements deep")
	case !s.attributes(">", "/>"):
		return name, startTag, false
	}
	s.root = true
	if s.text[s.pos-2] == '/' {
		return name, emptyTag, true
	}
	s.open = append(s.open, name)
	return name, startTag, true
}

func (s *scanner) endTag() (name string, ok bool) {
	start := s.pos
	s.pos += len("</")
	name = s.name()
	if len(s.open) == 0 || s.open[len(s.open)-1] != name {
		want := "no end tag"
		if len(s.open) > 0 {
			want = "</" + s.open[len(s.open)-1] + ">"
		}
		return name, s.fail(start, want)
	}
	s.white()
	if !strings.HasPrefix(s.text[s.pos:], ">") {
		return name, s.fail(s.pos, ">")
	}
	s.pos++
	s.open = s.open[:len(s.open)-1]
	return name, true
}

// attributes reads attributes, up to and with one of the ends.
func (s *scanner) attributes(ends ...string) bool {
	start := s.pos
	for n := 0; ; n++ {
		spaced := s.white()
		for _, end := range ends {
			if strings.HasPrefix(s.text[s.pos:], end) {
				s.pos += len(end)
				return s.unique(start, n)
			}
		}
		if !spaced {
			return s.fail(s.pos, "white space or "+ends[0])
		}
		if _, ok := s.attribute(); !ok {
			return false
		}
	}
}

// attrsAt yields the attributes from start on, which were read before.
func (s *scanner) attrsAt(start int) iter.Seq[attr] {
	return func(yield func(attr) bool) {
		p := scanner{text: s.text, pos: start}
		for p.white() && strings.IndexByte("/>?", p.text[p.pos]) < 0 {
			if a, _ := p.attribute(); !yield(a) {
				return
			}
		}
	}
}

// attribute reads name="value" or name='value'.
func (s *scanner) attribute() (a attr, ok bool) {
	a.name = s.pos
	if s.name() == "" {
		return a, s.fail(s.pos, "a name")
	}
	a.nameEnd = s.pos
	s.white()
	if !strings.HasPrefix(s.text[s.pos:], "=") {
		return a, s.fail(s.pos, "=")
	}
	s.pos++
	s.white()
	if s.pos == len(s.text) || s.text[s.pos] != '"' && s.text[s.pos] != '\'' {
		return a, s.fail(s.pos, "a quote")
	}
	quote := s.text[s.pos]
	a.value = s.pos + 1
	n := strings.IndexByte(s.text[a.value:], quote)
	if n < 0 {
		return a, s.fail(len(s.text), string(quote))
	}
	a.valueEnd = a.value + n
	if n := strings.IndexByte(s.text[a.value:a.valueEnd], '<'); n >= 0 {
		return a, s.fail(a.value+n, "no < in a value")
	}
	s.pos = a.valueEnd + 1
	return a, s.references(a.value, a.valueEnd)
}

// unique checks that none of the n attributes from start on is there twice.
func (s *scanner) unique(start, n int) bool {
	if n < 2 {
		return true
	}
	names := make([]span, 0, n)
	for a := range s.attrsAt(start) {
		names = append(names, span{a.name, a.nameEnd})
	}
	name := func(x span) string { return s.text[x.start:x.end] }
	slices.SortFunc(names,
		func(a, b span) int { return cmp.Or(cmp.Compare(name(a), name(b)), cmp.Compare(a.start, b.start)) })
	for i := 1; i < n; i++ {
		if name(names[i]) == name(names[i-1]) {
			return s.fail(names[i].start, "an attribute once")
		}
	}
	return true
}

// span is a part of the text.
type span struct{ start, end int }

// white skips white space. It reports whether there was some.
func (s *scanner) white() bool {
	start := s.pos
	for s.pos < len(s.text) && isWhite(s.text[s.pos]) {
		s.pos++
	}
	return s.pos > start
}

// name skips and returns a name; "" if none follows.
func (s *scanner) name() string {
	start := s.pos
	for i, c := range s.text[start:] {
		if !isNameChar(c, i == 0) {
			s.pos = start + i
			return s.text[start:s.pos]
		}
	}
	s.pos = len(s.text)
	return s.text[start:]
}
