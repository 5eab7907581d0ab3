package source

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Fault is a mistake that an assembler must refuse.
type Fault struct {
	Name string // the mistake in a few words
	// Check names the check that an accepting assembler lacks. Several mistakes may have the
	// same check.
	Check string
	// Before is inserted before the program, Body before the first instruction of its entry,
	// After after the last line.
	Before, Body, After string
	// Right is the nearest right thing in place of the wrong part, which is Body, else Before,
	// else After. A source that has neither is wrong because it lacks Right in its body.
	Right string
}

// nothing is the Right of a mistake that need not be there.
const nothing = "-"

// The mistakes and the defects of the dialects.
var (
	//go:embed faults/picasso.txt
	picassoTable string
	//go:embed faults/nihstro.txt
	nihstroTable string
	//go:embed faults/aemstro.txt
	aemstroTable string

	picassoFaults, picassoDefects = atFirstUse(picassoTable, picassoMeanings)
	nihstroFaults, nihstroDefects = atFirstUse(nihstroTable, nihstroMeanings)
	aemstroFaults, aemstroDefects = atFirstUse(aemstroTable, aemstroMeanings)
)

// atFirstUse reads a table when its mistakes or its defects are asked for: a program that judges no writer needs neither.
func atFirstUse(table string, meanings map[string]Defect) (func() []Fault, func() []Defect) {
	read := sync.OnceValues(func() ([]Fault, []Defect) { return faults(table, meanings) })
	return func() []Fault { list, _ := read(); return list }, func() []Defect { _, list := read(); return list }
}

// faults returns the mistakes and, behind an empty line, the defects of a table. A line has a name, the check or what
// is known about the defect, the right lines, and the wrong lines of each part, with tabs between them. For \n and \t
// in lines see [unfolded]. Defects with more than lines are in meanings, by their names.
func faults(table string, meanings map[string]Defect) (list []Fault, defects []Defect) {
	read := func(rows string, add func(f Fault, second string)) {
		for row := range strings.Lines(rows) {
			columns := strings.Split(strings.TrimSuffix(row, "\n")+"\t\t", "\t")
			f := Fault{Name: columns[0], Right: unfolded(columns[2])}
			parts := map[string]*string{"before": &f.Before, "body": &f.Body, "after": &f.After}
			for _, column := range columns[3:] {
				if part, lines, ok := strings.Cut(column, ": "); ok {
					*parts[part] = unfolded(lines)
				}
			}
			add(f, columns[1])
		}
	}
	first, second, _ := strings.Cut(table, "\n\n")
	read(first, func(f Fault, check string) {
		f.Check = check
		list = append(list, f)
	})
	read(second, func(f Fault, about string) {
		d := meanings[f.Name]
		d.Fault, d.About, d.Valid = f, about, d.Program != nil
		defects = append(defects, d)
	})
	return list, defects
}

// unfolded returns the lines of a column: \n and \t are the end of a line and a tab, {9 line} is a line nine times. In
// such a line # is its number, from 0 on, @ the selector that has the number as its byte, and % the four letters of it.
func unfolded(column string) string {
	text := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(column)
	return many.ReplaceAllStringFunc(text, func(text string) string {
		m := many.FindStringSubmatch(text)
		n, _ := strconv.Atoi(m[1])
		lines := slices.Repeat([]string{m[2]}, n)
		for sign, text := range map[string]func(k int) string{"#": strconv.Itoa,
			"@": func(k int) string { return selectorText(uint8(k), 0) },
			"%": func(k int) string { return letters(uint8(k), 0xF, 0) }} {
			for k := 0; k < n && strings.Contains(m[2], sign); k++ {
				lines[k] = strings.ReplaceAll(lines[k], sign, text(k))
			}
		}
		return strings.Join(lines, "\n")
	})
}

var many = regexp.MustCompile(`\{(\d+) (.*?)\}`)

// Spoil returns the text of a program with the mistake.
func (d *Dialect) Spoil(t *Text, f *Fault) *Text { return d.insert(t, f.Before, f.Body, f.After) }

// Control returns the text with the nearest right thing in place of the mistake. A refusal of the
// mistake counts as right only if an assembler accepts the control.
func (d *Dialect) Control(t *Text, f *Fault) *Text {
	before, body, after, right := f.Before, f.Body, f.After, f.Right
	if right == nothing {
		right = ""
	}
	switch {
	case body != "" || before == "" && after == "":
		body = right
	case before != "":
		before = right
	default:
		after = right
	}
	return d.insert(t, before, body, after)
}

// insert returns a text with lines before the program, in its entry and after it.
func (d *Dialect) insert(t *Text, before, body, after string) *Text {
	s := *t
	lines := strings.SplitAfter(strings.TrimRight(t.Files[0], "\r\n")+"\n", "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return d.isEntry(line, t.Entry) }) + 1
	if at == 0 {
		at = len(lines)
	}
	var b strings.Builder
	for _, part := range []string{before, strings.Join(lines[:at], ""), body, strings.Join(lines[at:], ""), after} {
		if b.WriteString(part); part != "" && !strings.HasSuffix(part, "\n") {
			b.WriteString("\n")
		}
	}
	s.Files = append([]string{b.String()}, t.Files[1:]...)
	return &s
}
