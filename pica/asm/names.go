package asm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// reservedNames have another meaning than a name.
var reservedNames = func() map[string]bool {
	m := map[string]bool{"aL": true, "lcnt": true, "desc": true, "bits": true, "prim": true, "inv": true, "cmp": true}
	for op := range pica.Opcodes {
		m[pica.Opcodes[op].Name] = true
	}
	for _, name := range comparisonNames {
		m[name] = true
	}
	return m
}()

// isLetter reports whether c can start an identifier; "$" can, as in picasso.
func isLetter(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isIdentifier reports whether s can stand for a label or a register.
func isIdentifier(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for k := range len(s) {
		if !isLetter(s[k]) && !isDigit(s[k]) {
			return false
		}
	}
	return true
}

// maxName bounds the length of a printed name. In a file every name can be the tail
// of one long string; printed whole they would make quadratic text.
const maxName = 128

// quoted returns a name for a comment, cut if it is long.
func quoted(s string) string {
	if len(s) > maxName {
		return strconv.Quote(s[:maxName]) + "..."
	}
	return strconv.Quote(s)
}

// isName reports whether s can be printed as a name: an identifier that is not too
// long, no register, no keyword, and no generated label.
func isName(s string) bool {
	if len(s) > maxName || !isIdentifier(s) || reservedNames[s] {
		return false
	}
	return len(s) == 1 || !strings.ContainsRune("vrciboaL", rune(s[0])) || !allDigits(s[1:])
}

func allDigits(s string) bool {
	for k := range len(s) {
		if !isDigit(s[k]) {
			return false
		}
	}
	return true
}

// symbolName turns a name of a symbol table into its spelling in the source: picasso
// writes "." for "$".
func symbolName(s string) string { return strings.ReplaceAll(s, ".", "$") }

// registerNames finds the symbol that a register belongs to.
type registerNames struct {
	symbols []pica.Symbol
	owner   map[byte][]int32 // class -> register -> index of a symbol, plus 1
}

// registerCounts is the size of each class of registers that symbols name.
var registerCounts = map[byte]int{'v': pica.NumInputs, 'c': pica.NumFloats, 'i': pica.NumInts, 'b': pica.NumBools}

func newRegisterNames(symbols ...[]pica.Symbol) *registerNames {
	n := &registerNames{owner: make(map[byte][]int32, len(registerCounts))}
	for class, count := range registerCounts {
		n.owner[class] = make([]int32, count)
	}
	for _, list := range symbols {
		for _, s := range list {
			n.symbols = append(n.symbols, s)
			owner := n.owner[s.Class]
			for k := max(s.First, 0); k <= min(s.Last, len(owner)-1); k++ {
				if owner[k] == 0 {
					owner[k] = int32(len(n.symbols))
				}
			}
		}
	}
	return n
}

// name returns "projection[2]" or "" for a register without a name.
func (n *registerNames) name(class byte, register uint8) string {
	owner := n.owner[class]
	if int(register) >= len(owner) || owner[register] == 0 {
		return ""
	}
	s := &n.symbols[owner[register]-1]
	name := printable(s.Name)
	if s.Last > s.First {
		name += fmt.Sprintf("[%d]", int(register)-s.First)
	}
	return name
}

// printable replaces the characters of a name that a comment cannot contain.
func printable(s string) string {
	if len(s) <= maxName && isIdentifier(symbolName(s)) {
		return s
	}
	return quoted(s)
}
