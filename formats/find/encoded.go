package find

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// The encodings of a text that stands for bytes.
const (
	hexText    = "hexadecimal"
	base64Text = "base64"
)

// encodedText reads a text as a hexdump with addresses, as pairs of hexadecimal digits, and as Base64 where that begins
// with the magic of a format.
type encodedText struct {
	*search
	b []byte

	counted, line int // line is the number of the line at the offset counted
	dumps         []span
}

// span is a hexdump in which a file was found.
type span struct{ begin, end int }

// lineAt returns the number of the line of an offset. Offsets rise.
func (t *encodedText) lineAt(at int) int {
	t.line += bytes.Count(t.b[t.counted:at], []byte("\n"))
	t.counted = at
	return t.line
}

// searchBytes searches the bytes that the text from an offset on stands for.
func (t *encodedText) searchBytes(decoded []byte, begin, width int, encoding string) {
	if len(decoded) < shortest {
		return
	}
	line := t.lineAt(begin)
	t.search.bytes(decoded, func(f *File) {
		f.Array = &Array{Line: line, Width: width, Offset: f.Offset, Encoding: encoding}
		f.Offset, f.Data = begin, bytes.Clone(f.Data)
	})
	if t.Stopped != 0 {
		t.Stopped = max(1, begin)
	}
}

// between reports whether a character may stand between the parts of one text: white space, quotes and the sign of
// a line that goes on.
func between(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '"', '\'', '\\':
		return true
	}
	return false
}

// longWord is the least number of digits of a word beside which any mark may stand, as in "vs=4456...". A shorter word
// beside a mark is part of a number or a name.
const longWord = 2 * shortest

// hexWord returns the number of hexadecimal digits at the start of b.
func hexWord(b []byte) (n int) {
	for n < len(b) && hexDigit(b[n]) < 16 {
		n++
	}
	return n
}

func alphanumeric(c byte) bool { return letter(c) || digit(c) }

// hexadecimal searches each run of words that are pairs of hexadecimal digits, but not the hexdumps that have files.
func (t *encodedText) hexadecimal() {
	t.counted, t.line = 0, 1
	var run []byte
	begin, marked := 0, false // behind a mark
	end := func() {
		t.searchBytes(run, begin, 1, hexText)
		run = run[:0]
	}
	dumps := t.dumps
	for at := 0; at < len(t.b) && t.Stopped == 0; {
		if between(t.b[at]) {
			at++
			marked = false
			continue
		}
		if len(dumps) > 0 && at >= dumps[0].begin {
			end()
			at, dumps = dumps[0].end, dumps[1:]
			continue
		}
		if n := hexWord(t.b[at:]); t.b[at] == '0' && n == 1 && hexWord(t.b[min(len(t.b), at+2):]) >= longWord &&
			t.b[at+1]|0x20 == 'x' {
			end()
			at += 2
		}
		word := at + hexWord(t.b[at:])
		part := word < len(t.b) && alphanumeric(t.b[word])
		marked = marked || word < len(t.b) && !between(t.b[word])
		if n := word - at; n == 0 || n%2 != 0 || part || marked && n < longWord {
			end()
			for at = word; at < len(t.b) && alphanumeric(t.b[at]); at++ {
			}
			if marked = at < len(t.b) && !between(t.b[at]); marked {
				at++
			}
			continue
		}
		marked = false
		if len(run) == 0 {
			begin = at
		}
		for ; at < word; at += 2 {
			run = append(run, byte(hexDigit(t.b[at])<<4|hexDigit(t.b[at+1])))
		}
	}
	if t.Stopped == 0 {
		end()
	}
}

// base64Magics are the characters with which the Base64 of each magic begins.
var base64Magics = func() (list []string) {
	for c := range first {
		for _, format := range first[c] {
			text := base64.RawStdEncoding.EncodeToString([]byte(format.magic))
			list = append(list, text[:len(format.magic)*8/6])
		}
	}
	return list
}()

func inBase64(c byte) bool { return letter(c) && c != '_' || digit(c) || c == '+' || c == '/' }

// inBase64 searches the texts that begin with a magic.
func (t *encodedText) inBase64() {
	t.counted, t.line = 0, 1
	for at := 0; at < len(t.b) && t.Stopped == 0; {
		if !inBase64(t.b[at]) {
			at++
			continue
		}
		end := at
		for end < len(t.b) && inBase64(t.b[end]) {
			end++
		}
		begin := at
		at = end
		for _, magic := range base64Magics {
			if strings.HasPrefix(string(t.b[begin:min(end, begin+len(magic))]), magic) {
				decoded, n := decodeBase64(t.b[begin:])
				at = begin + n
				t.searchBytes(decoded, begin, 1, base64Text)
				break
			}
		}
	}
}

// decodeBase64 decodes the text at the start of b, and returns its length.
func decodeBase64(b []byte) (decoded []byte, n int) {
	var text []byte
	for ; n < len(b) && (inBase64(b[n]) || between(b[n])); n++ {
		if !between(b[n]) {
			text = append(text, b[n])
		}
	}
	if len(text)%4 == 1 {
		text = text[:len(text)-1]
	}
	decoded, err := base64.RawStdEncoding.DecodeString(string(text))
	if err != nil {
		return nil, n
	}
	return decoded, n
}
