package writer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/fuzz/report"
	"github.com/picaproof/picaproof/pica"
)

// cause is a finding with the smallest program that shows it.
type cause struct {
	*finding
	program *source.Program
	count   int
	ops     []string
	shown   string // what the reduced program consists of, where that tells causes apart
}

// name names the cause.
func (c *cause) name() string {
	text := c.title()
	switch {
	case len(c.ops) > 2:
		return fmt.Sprintf("%s of %d instructions", text, len(c.ops))
	case len(c.ops) > 0:
		text += " of " + strings.Join(c.ops, " and ")
	}
	if c.shown != "" {
		text += " (" + c.shown + ")"
	}
	return text
}

// merged makes one cause of those that one fault explains: the same part of many
// instructions is wrong, or of several that control the flow; one message refuses several
// things.
func merged(list []cause) (causes []cause) {
	for i := range list {
		c := &list[i]
		if c.op != "" {
			c.ops = []string{c.op}
		}
		if c.several() {
			c.shown = c.program.Parts()
		}
	}
	for _, group := range report.Grouped(list, func(c *cause) string { return c.kind() }) {
		var ops, parts []string
		for i := range group {
			ops, parts = append(ops, group[i].ops...), append(parts, group[i].shown)
		}
		ops, parts = unique(ops), unique(parts)
		switch {
		case len(ops) > 2 || len(ops) == 2 && flows(ops):
			causes = append(causes, joined(group, ops))
		case group[0].several() && (len(parts) > 2 || group[0].level == report.InvalidFile || common(parts)):
			for i := range group {
				group[i].shown = ""
			}
			causes = append(causes, joined(group, ops))
		default:
			for _, same := range report.Grouped(group, (*cause).name) {
				causes = append(causes, joined(same, same[0].ops))
			}
		}
	}
	return causes
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// flows reports whether instructions all control the flow.
func flows(ops []string) bool {
	return !slices.ContainsFunc(ops, func(name string) bool {
		return !slices.ContainsFunc(pica.Opcodes[:], func(o pica.OpcodeInfo) bool { return o.Name == name && o.Flow != pica.FlowNone })
	})
}

// common reports whether what one reduced program consists of is part of every other one.
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

// joined returns several causes as one, shown by the smallest program.
func joined(group []cause, ops []string) cause {
	small := slices.MinFunc(group, func(a, b cause) int { return cmp.Compare(a.program.Size(), b.program.Size()) })
	small.ops, small.count = ops, 0
	for i := range group {
		small.count += group[i].count
	}
	return small
}
