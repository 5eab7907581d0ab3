package csdr

import (
	"strings"
	"unicode/utf8"
)

// isWhite reports whether a byte is white space of XML.
func isWhite(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func notWhite(c rune) bool { return c != ' ' && c != '\t' && c != '\n' && c != '\r' }

// isChar reports whether a character may be in an XML text.
func isChar(c rune) bool {
	return c >= 0x20 && c <= 0xD7FF || !notWhite(c) || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000 && c <= 0x10FFFF
}

// IsText reports whether a text can be a value in a .csdr: UTF-8 of characters
// that XML has.
func IsText(text string) bool {
	return utf8.ValidString(text) && strings.IndexFunc(text, func(c rune) bool { return !isChar(c) }) < 0
}

// nameRanges are the characters that a name may start with, beyond ASCII.
var nameRanges = [...][2]rune{
	{0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D}, {0x37F, 0x1FFF}, {0x200C, 0x200D}, {0x2070, 0x218F},
	{0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF},
}

// isNameChar reports whether a character may be in a name, or start one.
func isNameChar(c rune, first bool) bool {
	switch {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == ':':
		return true
	case c >= '0' && c <= '9', c == '-', c == '.', c == 0xB7, c >= 0x300 && c <= 0x36F, c >= 0x203F && c <= 0x2040:
		return !first
	case c < 0xC0:
		return false
	}
	for _, r := range nameRanges {
		if c >= r[0] && c <= r[1] {
			return true
		}
	}
	return false
}

// unescape returns text with its references replaced. Text without references is returned without a copy. In an
// attribute's value, XML makes each end of line and each TAB a space.
func unescape(text string, value bool) string {
	if strings.IndexByte(text, '&') < 0 && !(value && strings.ContainsAny(text, "\t\n\r")) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '&':
			v, size := reference(text[i:])
			b.WriteRune(v)
			i += size
			continue
		case value && isWhite(c):
			b.WriteByte(' ')
			if strings.HasPrefix(text[i:], "\r\n") {
				i++
			}
		default:
			b.WriteByte(c)
		}
		i++
	}
	return b.String()
}

// escapes replaces the characters that a value cannot hold.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;",
	"\r", "&#13;")
