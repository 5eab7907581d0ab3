package diff

import (
	"bytes"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/latte"
)

// microcode compares two programs of GX2 shaders line by line of their texts. It reports whether both can be taken
// apart.
func (w *walker) microcode(path string, a, b []byte) bool {
	p, errA := latte.Decode(a)
	q, errB := latte.Decode(b)
	if errA != nil || errB != nil {
		return false
	}
	if bytes.Equal(a, b) {
		return true
	}
	before, after := codeLines(p), codeLines(q)
	match := align(before, after)
	differ := func(a, b []codeLine) { // line by line
		for k := range max(len(a), len(b)) {
			switch {
			case k >= len(a):
				w.leaf(b[k].path(path), "", b[k].text)
			case k >= len(b):
				w.leaf(a[k].path(path), a[k].text, "")
			case a[k].text != b[k].text:
				w.leaf(a[k].path(path), a[k].text, b[k].text)
			}
		}
	}
	i, j := 0, 0
	for k, to := range match {
		if to >= 0 {
			differ(before[i:k], after[j:to])
			differ(before[k:k+1], after[to:to+1])
			i, j = k+1, to+1
		}
	}
	differ(before[i:], after[j:])
	return true
}

// codeLine is a line of the text of a program. The numbers that follow from its place are left out.
type codeLine struct {
	word int // -1 for a line about no words
	text string
	key  string // without addresses
}

func (l *codeLine) path(code string) string {
	if l.word < 0 {
		return code
	}
	return index(code, l.word)
}

// The functions below do what the expressions in their comments say; a test compares. Package regexp would be a thirtieth
// of the page's engine.

// cutLineNumber cuts "^ *\d+ +" off a line; ok is false if the line does not begin so.
func cutLineNumber(line string) (rest string, ok bool) {
	number := strings.TrimLeft(line, " ")
	behind := strings.TrimLeft(number, digits)
	rest = strings.TrimLeft(behind, " ")
	if len(behind) == len(number) || len(rest) == len(behind) {
		return line, false
	}
	return rest, true
}

const digits = "0123456789"

// cutGroupNumbers cuts the number of each "\b(PV|PS)\d+".
func cutGroupNumbers(line string) string {
	var out strings.Builder
	inWord := false
	for line != "" {
		if !inWord && (strings.HasPrefix(line, "PV") || strings.HasPrefix(line, "PS")) {
			out.WriteString(line[:2])
			line, inWord = strings.TrimLeft(line[2:], digits), true
			continue
		}
		c := line[0]
		inWord = c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
		out.WriteByte(c)
		line = line[1:]
	}
	return out.String()
}

// cutAddresses cuts each "ADDR\(\d+\)".
func cutAddresses(line string) string {
	var out strings.Builder
	for {
		before, behind, found := strings.Cut(line, "ADDR(")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		line = behind
		rest := strings.TrimLeft(behind, digits)
		if len(rest) < len(behind) && strings.HasPrefix(rest, ")") {
			line = rest[1:]
		} else {
			out.WriteString("ADDR(")
		}
	}
}

// codeLines returns the lines of a program. The last instruction of a group says so, as nothing else tells the groups
// apart.
func codeLines(p *latte.Program) (list []codeLine) {
	lines := latte.Lines(p)
	for i, l := range lines {
		text, _ := cutLineNumber(l.Text)
		text = cutGroupNumbers(strings.TrimSpace(text))
		if inGroup(text) && (i+1 == len(lines) || !goesOn(lines[i+1].Text)) {
			text += " LAST"
		}
		line := codeLine{-1, text, cutAddresses(text)}
		if l.Len > 0 {
			line.word = l.Off / latte.WordBytes
		}
		list = append(list, line)
	}
	return list
}

// inGroup reports whether a line without its number is an instruction of a group.
func inGroup(text string) bool { return len(text) > 1 && text[1] == ':' }

// goesOn reports whether a line is a further instruction of a group.
func goesOn(line string) bool {
	_, numbered := cutLineNumber(line)
	return !numbered && inGroup(strings.TrimSpace(line))
}

// maxAligned bounds the product of the lengths of two lists that are aligned.
const maxAligned = 1 << 22

// align returns for each line of a the line of b with the same key, or -1, as a longest common subsequence.
func align(a, b []codeLine) []int {
	same := func(i, j int) bool { return a[i].key == b[j].key }
	first, lastA, lastB := trim(len(a), len(b), same)
	match := slices.Repeat([]int{-1}, len(a))
	for i := range first {
		match[i] = i
	}
	for i := lastA; i < len(a); i++ {
		match[i] = i - lastA + lastB
	}
	n, m := lastA-first, lastB-first
	if n*m > maxAligned {
		return match
	}
	longest := make([]int32, (n+1)*(m+1)) // of the lines from i and j on
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			at := i*(m+1) + j
			if same(first+i, first+j) {
				longest[at] = longest[at+m+2] + 1
			} else {
				longest[at] = max(longest[at+1], longest[at+m+1])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		at := i*(m+1) + j
		switch {
		case same(first+i, first+j):
			match[first+i] = first + j
			i, j = i+1, j+1
		case longest[at+1] > longest[at+m+1]:
			j++
		default:
			i++
		}
	}
	return match
}
