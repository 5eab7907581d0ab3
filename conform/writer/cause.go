package writer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/internal/grouped"
	"github.com/picaproof/picaproof/pica"
)

// cause is a finding with the smallest program that shows it.
type cause struct {
	*finding
	program *source.Program
	text    *source.Text // if it is not that of the program
	count   int
	ops     []string
	shown   string          // if it separates causes: the refused forms, or the contents of the reduced program
	members []report.Member // the findings of the cause, by their keys
}

// name names the cause.
func (c *cause) name() string {
	text := c.title()
	switch {
	case len(c.ops) > 2 && c.wholeStep():
		return fmt.Sprintf("%s: one of %d", text, len(c.ops))
	case len(c.ops) > 2:
		return fmt.Sprintf("%s of %d instructions", text, len(c.ops))
	case len(c.ops) > 0 && c.wholeStep():
		text += ": " + strings.Join(c.ops, " and ")
	case len(c.ops) > 0:
		text += " of " + strings.Join(c.ops, " and ")
	}
	if c.shown != "" {
		text += " (" + c.shown + ")"
	}
	return text
}

// wholeStep reports whether an instruction is missing or extra.
func (f *finding) wholeStep() bool { return f.what == missingStep || f.what == moreSteps }

// address reports whether a finding is about an address in the code.
func (f *finding) address() bool {
	switch f.level {
	case report.WrongMeaning:
		return f.what == target || f.what == length
	case report.WrongTables:
		return f.what == entryWord || f.what == endWord || f.what == labelWords
	}
	return false
}

// merged merges causes that one fault explains: many instructions, or several of flow control,
// wrong in the same part; several things refused with one message.
func merged(list []cause) (causes []cause) {
	mergeNumbers(list)
	mergeForms(list)
	for i := range list {
		c := &list[i]
		if c.op != "" {
			c.ops = []string{c.op}
		}
		if c.several() && c.shown == "" {
			c.shown = c.program.Parts()
		}
	}
	for _, group := range grouped.By(list, func(c *cause) string { return c.kind() }) {
		var ops, parts []string
		for i := range group {
			ops, parts = append(ops, group[i].ops...), append(parts, group[i].shown)
		}
		ops, parts = unique(ops), unique(parts)
		switch {
		case group[0].nameless():
			causes = append(causes, nameless(group)...)
		case len(ops) > 2 || len(ops) == 2 && flows(ops):
			causes = append(causes, joined(group, ops))
		case group[0].several() && (len(parts) > 2 || group[0].alwaysOne() || common(parts)):
			for i := range group {
				group[i].shown = ""
			}
			causes = append(causes, joined(group, ops))
		default:
			for _, same := range grouped.By(group, (*cause).name) {
				causes = append(causes, joined(same, same[0].ops))
			}
		}
	}
	return withoutEffects(causes)
}

// rare: a cause that shows this many times as often as another may explain the other one.
const rare = 4

// effectOf reports whether a cause may be an effect of a frequent one: a missing constant may be in another one's
// place; a missing or extra instruction moves addresses and hides its neighbours.
func (c *cause) effectOf(of *cause) bool {
	switch {
	case c.count*rare >= of.count:
		return false
	case of.wholeStep():
		return c.wholeStep() || c.address()
	}
	return of.what == missing && c.level == report.WrongConstants && c.where[:1] == of.op
}

// withoutEffects adds rare findings to a frequent cause that may explain them.
func withoutEffects(list []cause) (causes []cause) {
	for i := range list {
		if !slices.ContainsFunc(list, func(of cause) bool { return list[i].effectOf(&of) }) {
			causes = append(causes, list[i])
		}
	}
	for i := range list {
		c := &list[i]
		if k := slices.IndexFunc(causes, func(of cause) bool { return c.effectOf(&of) }); k >= 0 {
			causes[k].count += c.count
			causes[k].members = append(causes[k].members, c.members...)
		}
	}
	return causes
}

// mergeNumbers names all findings about finite numbers alike, if normal numbers are wrong.
func mergeNumbers(list []cause) {
	is := func(c *cause, names ...string) bool {
		return c.level == report.WrongConstants && slices.Contains(names, c.what)
	}
	if !slices.ContainsFunc(list, func(c cause) bool { return is(&c, numbers) }) {
		return
	}
	for i := range list {
		c := &list[i]
		if is(c, rounding, zeros, pica.ClassPosSubnormal.String(), pica.ClassNegSubnormal.String()) {
			f := *c.finding
			f.what, c.finding = numbers, &f
		}
	}
}

// mergeForms names findings about both forms of an instruction after the plain form.
func mergeForms(list []cause) {
	key := map[string]bool{}
	for i := range list {
		key[list[i].key()] = true
	}
	for i := range list {
		c := &list[i]
		info, f := pica.OpcodeNamed(c.op), *c.finding
		if f.op = info.Plain.String(); info.Name != "" && key[f.key()] {
			c.finding = &f
		}
	}
}

// alwaysOne reports whether findings of this kind are one fault, whatever their sources contain.
func (f *finding) alwaysOne() bool {
	stack := f.level == report.Crash && f.answer != nil && f.answer.Fault != "" && !f.nameless()
	return f.level == report.InvalidFile || f.level == report.NotDeterministic || stack
}

// flows reports whether all instructions are flow control.
func flows(ops []string) bool {
	return !slices.ContainsFunc(ops, func(name string) bool { return pica.OpcodeNamed(name).Flow == pica.FlowNone })
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// common reports whether every reduced program has all parts of the shortest one.
func common(parts []string) bool {
	shortest := slices.MinFunc(parts, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	for _, p := range parts {
		for _, word := range strings.Fields(shortest) {
			if !slices.Contains(strings.Fields(p), word) {
				return false
			}
		}
	}
	return true
}

// joined merges causes into one, shown by the smallest program.
func joined(group []cause, ops []string) cause {
	small := slices.MinFunc(group, func(a, b cause) int { return cmp.Compare(a.program.Size(), b.program.Size()) })
	small.ops, small.count, small.members = ops, 0, nil
	for i := range group {
		small.count += group[i].count
		small.members = append(small.members, group[i].members...)
	}
	return small
}
