package command

import (
	"strings"
	"testing"
)

// TestGeneric: the words of a message stay; details of one input do not.
func TestGeneric(t *testing.T) {
	named := func(word string) bool { return word == "colour" || word == "breakc" || word == "r5" || word == ".fvec" }
	for message, want := range map[string]string{
		"in.pica:3: error: unknown instruction breakc":        "error: unknown instruction *",
		"in:3:14: error: too many operands (4, want 3)":       "error: too many operands (N, want N)",
		"line 17: \"no such label\": expected ) or ]":         "line N: *: expected ) or ]",
		"can't find 'colour map' in the table":                "can't find * in the table",
		"undefined name `x1', see /usr/share/doc/a.txt:3 now": "undefined name *, see * now",
		"register r5 of .fvec colour is not r17":              "register * of * * is not rN",
		"offset 0x1F0: value -3 is too large":                 "offset N: value N is too large",
		"panic: index out of range [3] with length 2":         "panic: index out of range [N] with length N",
		"read/write error":                                    "* error",
		"":                                                    "",
		"end of\tfile":                                        "end of file",
		strings.Repeat("word ", 30):                           strings.TrimSpace(strings.Repeat("word ", 16)),
	} {
		if got := Generic(message, named); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}
