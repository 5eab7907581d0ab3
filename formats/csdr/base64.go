package csdr

import (
	"encoding/base64"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

// encoded is the content of a BinaryData, without its white space, comments and
// tags.
type encoded struct {
	content span
	decoded []byte // if the content is Base64 and nothing else
	chars   []byte
	last    int // where the last character but = is
	padding int // number of = at the end
	white   int // where the first white space is, or -1
	bad     int // where the first character is that makes it wrong, or -1
}

// binary reads a BinaryData.
func (r *reader) binary(t token) encoded {
	x := encoded{content: span{t.end, t.end}, white: -1, bad: -1}
	r.attributesOf(t, binaryData)
	if t.kind != emptyTag && r.onlyBase64(&x) {
		return x
	}
	for t.kind != emptyTag {
		c, _ := r.next()
		switch c.kind {
		case endTag:
			x.content.end = c.start
			return x
		case charData:
			x.text(r.text[c.start:c.end], c.start)
		case cdata:
			r.unknown(c, tokenNames[c.kind])
			const open, close = "<![CDATA[", "]]>"
			x.add(r.text[c.start+len(open):c.end-len(close)], c.start+len(open))
		case instruction:
			r.unknown(c, tokenNames[c.kind])
		case comment:
			r.comment(c)
		case startTag, emptyTag:
			r.unknownElement(c)
			x.wrong(c.start)
		}
	}
	return x
}

// onlyBase64 reads a BinaryData that is valid Base64 without white space, as
// all known ones are, and reports whether it is.
func (r *reader) onlyBase64(x *encoded) bool {
	text, _, _ := strings.Cut(r.text[r.pos:], "<")
	padding := len(text) - len(strings.TrimRight(text, "="))
	decoded, err := base64.StdEncoding.Strict().DecodeString(text) // skips line ends
	if err != nil || text == "" || len(text)%4 != 0 || len(decoded) != len(text)/4*3-padding ||
		!strings.HasPrefix(r.text[r.pos+len(text):], "</") {
		return false
	}
	r.next()
	end, _ := r.next()
	x.content.end, x.decoded = end.start, decoded
	return true
}

// text adds text in which there may be references.
func (x *encoded) text(text string, off int) {
	for {
		n := strings.IndexByte(text, '&')
		if n < 0 {
			x.add(text, off)
			return
		}
		x.add(text[:n], off)
		c, size := reference(text[n:])
		x.char(c, off+n)
		text, off = text[n+size:], off+n+size
	}
}

func (x *encoded) add(text string, off int) {
	if x.chars == nil {
		x.chars = make([]byte, 0, len(text))
	}
	for len(text) > 0 {
		if n := x.plain(text); n > 0 {
			x.chars = append(x.chars, text[:n]...)
			x.last = off + n - 1
			text, off = text[n:], off+n
			continue
		}
		x.char(rune(text[0]), off)
		text, off = text[1:], off+1
	}
}

// plain counts the characters at the start of a text that can only be data.
func (x *encoded) plain(text string) (n int) {
	for x.padding == 0 && n < len(text) && text[n] < 0x80 && sextets[text[n]] >= 0 {
		n++
	}
	return n
}

// char adds one character, which stands at off.
func (x *encoded) char(c rune, off int) {
	switch {
	case !notWhite(c):
		if x.white < 0 {
			x.white = off
		}
		return
	case c == '=':
		if x.padding++; x.padding > 2 {
			x.wrong(off)
		}
	case c >= 0x80 || sextets[c] < 0 || x.padding > 0:
		x.wrong(off)
	default:
		x.last = off
	}
	x.chars = append(x.chars, byte(c))
}

// wrong notes the first character that makes the Base64 wrong.
func (x *encoded) wrong(off int) {
	if x.bad < 0 {
		x.bad = off
	}
}

// sextets gives each character of the standard alphabet its six bits, others
// -1.
var sextets = func() (table [0x80]int8) {
	for i := range table {
		table[i] = -1
	}
	for v, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" {
		table[c] = int8(v)
	}
	return table
}()

// decodedPath starts the paths in the decoded DVLB of a shader.
const decodedPath = "decoded."

// decode decodes the Base64 and checks the DVLB: CSDR013 to CSDR016.
func (r *reader) decode(x *encoded, prefix string) []byte {
	path := prefix + "binary_data"
	content := place(x.content.start, x.content.end, path)
	decoded := x.decoded
	if decoded == nil {
		if decoded = r.decodeChars(x, content); decoded == nil {
			return nil
		}
	}
	if _, ok := shbin.Embedded(decoded, r.Reporter, 0, prefix+decodedPath); !ok {
		r.Report("CSDR016", content, diag.Text("a DVLB without errors"), diag.Text("one with errors"))
	}
	return decoded
}

// decodeChars decodes the characters of Base64 and reports their faults: CSDR013 to CSDR015. It returns nil for no
// characters.
func (r *reader) decodeChars(x *encoded, content diag.Place) []byte {
	path := content.Path.Field
	if x.white >= 0 {
		r.Report("CSDR013", place(x.white, x.white+1, path), diag.Text("none"), diag.Text("white space"))
	}
	switch n := len(x.chars); {
	case x.bad >= 0:
		r.Report("CSDR014", place(x.bad, x.bad+1, path), diag.Text("Base64"), r.excerpt(x.bad))
		return nil
	case n == 0 || n%4 != 0:
		r.Report("CSDR014", content, diag.Text("4 characters or a multiple"), diag.Dec(uint64(n)))
		return nil
	}
	if unused := sextets[x.chars[len(x.chars)-1-x.padding]] & (1<<(2*x.padding) - 1); unused != 0 {
		r.Report("CSDR015", place(x.last, x.last+1, path), diag.Text("unused bits clear"), diag.Hex(uint64(unused)))
	}
	decoded := make([]byte, base64.StdEncoding.DecodedLen(len(x.chars)))
	n, err := base64.StdEncoding.Decode(decoded, x.chars)
	if err != nil {
		r.Report("CSDR014", content, diag.Text("Base64"), diag.Text(err.Error()))
		return nil
	}
	return decoded[:n:n]
}
