package csdr

import (
	"strings"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Option is a leniency of Parse and Check. There is none yet; an option that
// this package does not know has no effect.
type Option string

var ruleSet = diag.NewRuleSet(Rules)

var shell = wire.Shell[File, Option]{
	Name:  "csdr",
	Rules: ruleSet,
	Walk: func(b []byte, to *diag.Reporter, _ []Option) *File {
		r := newReader(string(b), to)
		r.walk()
		return r.file
	},
	Append: (*File).AppendUnchecked,
	Equal:  (*File).Equal,
	Map:    func(b []byte, _ []Option) []diag.Region { return mapOf(b).regions },
	Moved:  moved,
}

// Parse reads a text. It refuses one that breaks a rule of severity Error, here
// or in a DVLB inside: the error is then a *diag.ParseError with the first such
// finding, and the file is nil. The file keeps no reference to b.
func Parse(b []byte, opts ...Option) (*File, error) { return shell.Parse(b, opts...) }

// UnmarshalBinary is Parse without options.
func (f *File) UnmarshalBinary(b []byte) error { return shell.Unmarshal(f, b) }

// Check returns every finding, in the order in which the rules are evaluated: encoding, well-formedness, then the
// elements in the order of the text. Findings of a DVLB have the rule ids of a DVLB and, as their paths say, their
// place in the decoded bytes.
func Check(b []byte, opts ...Option) []diag.Finding { return shell.Check(b, opts...) }

// Outline returns the regions and findings of any bytes, also of a text that
// Parse refuses. A finding of a DVLB has the place of the Base64 that encodes
// the bytes; its place in the decoded bytes is the last of Related.
func Outline(b []byte, opts ...Option) diag.Outline {
	m, findings := mapOf(b), Check(b, opts...)
	for i := range findings {
		m.place(&findings[i])
	}
	return diag.Outline{Regions: m.regions, Findings: findings}
}

// reader is one walk over a text for either of the two.
type reader struct {
	*diag.Reporter
	scanner
	file     *File
	contents []span // of BinaryData, for each shader
	names    map[string]span
	count    int // of shaders
	noting   bool
	rest     []part // pieces that the model does not have, when noting
}

func newReader(text string, to *diag.Reporter) *reader {
	return &reader{Reporter: to, scanner: scanner{text: text}, file: &File{Layout: &Layout{Text: text}},
		names: make(map[string]span)}
}

const byteOrderMark = "\uFEFF"

// walk reads the text as bytes, as XML, and as an outline.
func (r *reader) walk() {
	if strings.HasPrefix(r.text, byteOrderMark) {
		r.first = len(byteOrderMark)
		r.Report("CSDR001", place(0, r.first, "text"), diag.Text("none"), diag.Text("one"))
	}
	if bad := notText(r.text); bad >= 0 {
		r.Report("CSDR002", place(bad, bad+1, "text"), diag.Text("UTF-8 without NULs"), diag.Hex(uint64(r.text[bad])))
		return
	}
	if rest, ok := strings.CutPrefix(r.text[r.first:], "<?xml"); !ok || rest == "" || !isWhite(rest[0]) {
		r.Report("CSDR003", place(r.first, min(r.first+len("<?xml"), len(r.text)), "declaration"), diag.Text("<?xml"),
			r.excerpt(r.first))
	}
	if !r.wellFormed() {
		return
	}
	r.outline()
	if i := oddLineEnd(r.text); i >= 0 {
		r.Report("CSDR017", place(i, i+1, "text"), diag.Text("CR LF"), diag.Quoted([]byte(r.text[i:i+1])))
	}
}

// place is a part of the text.
func place(start, end int, path string) diag.Place {
	return diag.Place{Off: uint64(start), Len: uint64(end - start), Path: diag.Path{Field: path}}
}

// excerpt returns the start of the text at an offset, for reading.
func (r *reader) excerpt(off int) diag.Value {
	if off == len(r.text) {
		return diag.Text("the end")
	}
	return diag.Quoted([]byte(r.text[off:min(off+16, len(r.text))]))
}

// notText returns the offset of the first byte that is not UTF-8, or is a NUL, or -1.
func notText(text string) int {
	nul := strings.IndexByte(text, 0)
	if utf8.ValidString(text) {
		return nul
	}
	for i := 0; ; {
		c, n := utf8.DecodeRuneInString(text[i:])
		if i == nul || c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
}

// oddLineEnd returns the offset of the first LF or CR that is not part of CR LF, or -1.
func oddLineEnd(text string) int {
	for start := 0; ; {
		line, _, ended := strings.Cut(text[start:], "\n")
		cr := strings.IndexByte(line, '\r')
		switch {
		case !ended && cr < 0:
			return -1
		case !ended || cr >= 0 && cr < len(line)-1:
			return start + cr
		case cr < 0:
			return start + len(line)
		}
		start += len(line) + len("\n")
	}
}

// wellFormed reads all tokens: CSDR004.
func (r *reader) wellFormed() bool {
	if i := illegal(r.text); i >= 0 {
		r.Report("CSDR004", place(i, i+1, "text"), diag.Text("characters of XML"), r.excerpt(i))
		return false
	}
	s := scanner{text: r.text, first: r.first, pos: r.first}
	for {
		if _, ok := s.next(); !ok {
			break
		}
	}
	if s.err != nil {
		r.Report("CSDR004", place(s.err.off, min(s.err.off+1, len(r.text)), "text"), diag.Text(s.err.want),
			r.excerpt(s.err.off))
	}
	return s.err == nil
}

// illegal returns the offset of the first character that XML forbids, or -1. The text is UTF-8.
func illegal(text string) int {
	first := -1
	for _, c := range [...]string{"\uFFFE", "\uFFFF"} {
		if i := strings.Index(text, c); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	for i := range len(text) {
		if c := text[i]; c < 0x20 && !isWhite(c) {
			if first < 0 || i < first {
				return i
			}
			break
		}
	}
	return first
}
