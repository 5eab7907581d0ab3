package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// A fault of what many instructions share shows in each of them. The families say
// which instructions share what, and how many of them must fail alike.
var families = []struct {
	name    string
	members []string
	least   int
	alike   bool // the differences must be of one class
}{
	{"conditions on flags", []string{"ifc", "jmpc", "callc", "breakc"}, 3, false},
	{"conditions on uniforms", []string{"ifu", "jmpu", "callu"}, 2, false},
	{"calls", []string{"call", "callc", "callu"}, 2, false},
	{"sums", []string{"add", "mad", "dp3", "dp4", "dph"}, 3, true},
	{"products", []string{"mul", "mad", "dp3", "dp4", "dph", "dst"}, 3, true},
	{"comparisons", []string{"sge", "slt", "max", "min", "cmp"}, 3, true},
}

// relative is the name of a fault of every index; those of some indexes are parts of it.
const relative = "relative addressing"

// manyOpcodes is the number of instructions that must fail for what all of them share to
// be blamed.
const manyOpcodes = 8

// Group makes causes of findings: those with one name are one, and so are those that
// one fault explains: several of one instruction with one
// class of difference, those of a family, and those of many instructions.
func Group(list []Deviation) []Deviation {
	var causes []Deviation
	for _, d := range list {
		causes = merged(causes, d)
	}
	slices.SortFunc(causes, func(a, b Deviation) int { return cmp.Compare(a.Bucket, b.Bucket) })
	take := func(name string, wanted func(d Deviation) bool) {
		var group, others []Deviation
		for _, d := range causes {
			if len(d.Parts) == 0 && wanted(d) {
				group = append(group, d)
			} else {
				others = append(others, d)
			}
		}
		if len(group) > 1 {
			causes = append(others, joined(name, group))
		}
	}
	for _, kind := range []string{"uniform float24", "uniform float32", "input float24", "input float32"} {
		name := "upload of " + kind
		take(name, func(d Deviation) bool { return d.Opcode == "upload" && strings.HasPrefix(d.Bucket, name) })
	}
	if slices.ContainsFunc(causes, func(d Deviation) bool { return d.Bucket == relative }) {
		take(relative, func(d Deviation) bool { return strings.HasPrefix(d.Bucket, relative) })
	}
	simple := func(d Deviation) bool {
		return len(d.Opcodes) <= 1 && !strings.Contains(d.Opcode, " and ") && d.Opcode != "upload"
	}
	for _, component := range []string{".y", ".z", ".w"} {
		wanted := func(d Deviation) bool { return simple(d) && strings.HasSuffix(d.Where, component) }
		if distinct(causes, wanted) >= 4 {
			take("component "+component[1:], wanted)
		}
	}
	if n := distinct(causes, simple); n >= manyOpcodes {
		take(fmt.Sprintf("what %d instructions share", n), simple)
	}
	for _, f := range families {
		classes := []string{""}
		if f.alike {
			classes = classesOf(causes)
		}
		for _, class := range classes {
			wanted := func(d Deviation) bool {
				return simple(d) && slices.Contains(f.members, d.Opcode) && (class == "" || d.Class == class)
			}
			if distinct(causes, wanted) >= f.least {
				take(f.name, wanted)
			}
		}
	}
	for _, d := range slices.Clone(causes) {
		if !simple(d) || len(d.Parts) > 0 {
			continue
		}
		plain := plainOf(d.Opcode)
		general := slices.ContainsFunc(causes, func(e Deviation) bool { return e.Bucket == d.Opcode })
		take(plain, func(e Deviation) bool {
			return simple(e) && plainOf(e.Opcode) == plain && (general && e.Opcode == d.Opcode || e.Class == d.Class)
		})
	}
	return unique(causes)
}

// plainOf returns the instruction of which another is the inverted form.
func plainOf(name string) string {
	for op := range pica.Opcodes {
		if info := &pica.Opcodes[op]; info.Name == name {
			return info.Plain.String()
		}
	}
	return name
}

// unique joins causes that came to one name.
func unique(causes []Deviation) (list []Deviation) {
	for _, d := range causes {
		i := slices.IndexFunc(list, func(e Deviation) bool { return e.Bucket == d.Bucket })
		if i < 0 {
			list = append(list, d)
			continue
		}
		parts := slices.Concat(list[i].Parts, d.Parts)
		if parts == nil {
			parts = []Deviation{list[i], d}
		}
		list[i] = joined(d.Bucket, parts)
	}
	return list
}

// merged adds a cause to the one with its name, if there is one.
func merged(list []Deviation, d Deviation) []Deviation {
	i := slices.IndexFunc(list, func(e Deviation) bool { return e.Bucket == d.Bucket })
	if i < 0 {
		return append(list, d)
	}
	list[i] = list[i].Merge(d)
	return list
}

func distinct(list []Deviation, wanted func(d Deviation) bool) int {
	opcodes := map[string]bool{}
	for _, d := range list {
		if len(d.Parts) == 0 && wanted(d) {
			opcodes[d.Opcode] = true
		}
	}
	return len(opcodes)
}

func classesOf(list []Deviation) (classes []string) {
	for _, d := range list {
		if !slices.Contains(classes, d.Class) {
			classes = append(classes, d.Class)
		}
	}
	slices.Sort(classes)
	return classes
}

// joined returns several causes as one, shown by the smallest program.
func joined(name string, parts []Deviation) Deviation {
	all := parts[0]
	for _, d := range parts[1:] {
		all = all.Merge(d)
	}
	all.Bucket, all.Parts = name, parts
	return all
}
