package command

import (
	"regexp"
	"strings"
)

var (
	// in front of a message: "in.pica:3:14: ", "3: "
	place  = regexp.MustCompile(`^(?:[^\s:]+:)?\d+(?::\d+)?:\s+|^[^\s:]+\.\w+:\s+`)
	pieces = regexp.MustCompile(`"[^"]*"|` + "[`'][^`']*'(?:$|[^\\w'])" +
		`|[^\s:(]*/[^\s:)]+(?::\d+)*|\b0x[0-9a-fA-F]+|[.$\w]*\w|-?\b\d`)
	digits = regexp.MustCompile(`-?\d+`)
)

// Generic returns a message without the details of one input: numbers are N; names in
// quotes, paths and words for which named is true are *. A position in front of the
// message is left out. The result is short enough for the name of a cause.
func Generic(message string, named func(word string) bool) string {
	const long = 80
	m := place.ReplaceAllString(strings.Join(strings.Fields(message), " "), "")
	m = pieces.ReplaceAllStringFunc(m, func(s string) string {
		switch {
		case s[0] == '"', s[0] == '\'', s[0] == '`':
			return "*" + strings.TrimLeft(s[strings.LastIndexAny(s, "\"'"):], "\"'")
		case strings.Contains(s, "/"):
			return "*"
		case strings.HasPrefix(s, "0x"):
			return "N"
		case named != nil && named(s):
			return "*"
		}
		return digits.ReplaceAllString(s, "N")
	})
	m = digits.ReplaceAllString(m, "N")
	if len(m) <= long {
		return m
	}
	m = strings.ToValidUTF8(m[:long], "")
	if at := strings.LastIndexByte(m, ' '); at > 0 {
		m = m[:at]
	}
	return m
}
