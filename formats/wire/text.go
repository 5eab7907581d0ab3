package wire

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Text is a name in a file without its NUL: any bytes, usually UTF-8. Its text
// form, which JSON uses, has \x and two hex digits for a byte that is not UTF-8,
// and two backslashes for a backslash.
type Text string

// MarshalText implements encoding.TextMarshaler.
func (t Text) MarshalText() ([]byte, error) {
	b := make([]byte, 0, len(t))
	for i := 0; i < len(t); {
		r, n := utf8.DecodeRuneInString(string(t[i:]))
		switch {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%02x`, t[i])
		case r == '\\':
			b = append(b, `\\`...)
		default:
			b = append(b, t[i:i+n]...)
		}
		i += n
	}
	return b, nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *Text) UnmarshalText(b []byte) error {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		switch {
		case b[i] != '\\':
			out = append(out, b[i])
			i++
		case i+1 < len(b) && b[i+1] == '\\':
			out = append(out, '\\')
			i += 2
		default:
			if i+4 > len(b) || b[i+1] != 'x' {
				return fmt.Errorf("wire: text %q: a backslash is neither doubled nor followed by x and two digits", b)
			}
			n, err := strconv.ParseUint(string(b[i+2:i+4]), 16, 8)
			if err != nil {
				return fmt.Errorf("wire: text %q: %w", b, err)
			}
			out = append(out, byte(n))
			i += 4
		}
	}
	*t = Text(out)
	return nil
}

// Plain reports whether the text is valid UTF-8 without control characters.
func (t Text) Plain() bool {
	for i := 0; i < len(t); {
		c := t[i]
		if c < utf8.RuneSelf {
			if c < 0x20 || c == 0x7F {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(t[i:]))
		if r == utf8.RuneError && n == 1 {
			return false
		}
		i += n
	}
	return true
}
