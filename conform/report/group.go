package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// A fault of a feature that many instructions share shows in each of them. The families list the
// instructions with a common feature, and how many of them must fail alike.
var families = []struct {
	name    string
	leader  string // an instruction that must fail, if there is one
	members []string
	least   int
	alike   bool // the differences must have one class
}{
	{"conditions on flags", "", []string{"ifc", "jmpc", "callc", "breakc"}, 3, false},
	{onUniforms, "", []string{"ifu", "jmpu", "callu"}, 3, false},
	{"calls", "", []string{"call", "callc", "callu"}, 2, false},
	{"sums", "add", []string{"add", "mad", "madi", "dp3", "dp4", "dph", "dphi"}, 3, true},
	{"products", "mul", []string{"mul", "mad", "madi", "dp3", "dp4", "dph", "dphi", "dst", "dsti"}, 3, true},
	{"dot products", "", []string{"dp3", "dp4", "dph", "dphi"}, 3, false},
	{"comparisons", "", []string{"sge", "slt", "max", "min", "cmp"}, 3, true},
}

// Names of faults of every instruction, which include faults of some instructions: of every
// index, and of every descriptor from a number on.
const (
	relative      = "relative addressing"
	farDescriptor = "descriptor above "
	unusedBits    = "unused bits"
)

// onUniforms names a fault of decisions by boolean uniforms, and manyBooleans is the number of
// uniforms that must decide wrongly before all of them are blamed.
const (
	onUniforms   = "conditions on uniforms"
	manyBooleans = 3
)

// WithIt is the end of the name of a register whose writes change another register, and
// manyShared the number of failing registers of a file that are one cause.
const (
	WithIt     = " with it"
	manyShared = 3
)

// manyOpcodes is the number of instructions that must fail alike before their common feature is
// blamed.
const manyOpcodes = 8

// fewUnused is this number for bits that no reader uses.
const fewUnused = 3

// Group merges findings into causes: findings with one name, and findings that one fault
// explains: of one instruction with one class of difference, of a family, or of many
// instructions. A proved cause stays as it is.
func Group(list []Deviation) []Deviation {
	var proved, others []Deviation
	for _, d := range list {
		if d.Proof != nil {
			proved = With(proved, d)
		} else {
			others = append(others, d)
		}
	}
	return append(proved, described(others)...)
}

// described merges findings that are not proved.
func described(list []Deviation) []Deviation {
	var causes []Deviation
	for _, d := range list {
		causes = With(causes, d)
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
	for _, file := range []string{"o", "r"} {
		shares := func(d Deviation) bool {
			return strings.HasPrefix(d.Bucket, file) && strings.HasSuffix(d.Bucket, WithIt)
		}
		if distinct(causes, shares) >= manyShared {
			take(map[string]string{"o": "outputs", "r": "temporaries"}[file]+", and others"+WithIt, shares)
		}
	}
	for _, file := range []string{"o", "r", "v", "c"} {
		low, high, n := pica.NumFloats, 0, 0
		for _, d := range causes {
			if k, ok := d.register(file); ok {
				low, high, n = min(low, k), max(high, k), n+1
			}
		}
		if n >= manyShared {
			take(fmt.Sprintf("%s%d to %s%d", file, low, file, high), func(d Deviation) bool {
				_, ok := d.register(file)
				return ok
			})
		}
	}
	for _, kind := range []string{"uniform float24", "uniform float32", "input float24", "input float32"} {
		name := "upload of " + kind
		take(name, func(d Deviation) bool { return d.Opcode == "upload" && strings.HasPrefix(d.Bucket, name) })
	}
	general := slices.Clone(causes) // findings with the fewest features first
	slices.SortStableFunc(general, func(a, b Deviation) int { return cmp.Compare(len(a.Features), len(b.Features)) })
	for _, d := range general {
		switch {
		case strings.HasPrefix(d.Bucket, relative):
			take(d.Bucket, func(e Deviation) bool {
				lacks := func(feature string) bool { return !slices.Contains(e.Features, feature) }
				return strings.HasPrefix(e.Bucket, relative) && !slices.ContainsFunc(d.Features, lacks) ||
					strings.HasSuffix(e.Bucket, ", "+d.Bucket)
			})
		case strings.HasPrefix(d.Bucket, farDescriptor) || d.Bucket == strings.Join(d.Features, " and "):
			take(d.Bucket, func(e Deviation) bool {
				return strings.HasPrefix(e.Bucket, d.Bucket) || strings.HasSuffix(e.Bucket, ", "+d.Bucket)
			})
		}
	}
	for _, end := range []Level{"", Crash, Hang} {
		wanted := func(d Deviation) bool { return strings.HasSuffix(d.Bucket, ", "+unusedBits+spelt(end)) }
		if distinct(causes, wanted) >= fewUnused {
			take(unusedBits+spelt(end), wanted)
		}
	}
	for _, d := range slices.Clone(causes) { // combinations, whichever instructions of their kinds
		if kinds := kindsOf(d.Opcode); kinds != "" {
			take(kinds+spelt(d.end()), func(e Deviation) bool {
				return e.Bucket == e.Opcode+spelt(e.end()) && kindsOf(e.Opcode) == kinds && e.end() == d.end()
			})
		}
	}
	// A LOOP that goes wrong above several values of one field has no such bound.
	fields, scattered := map[string]string{}, false
	for _, d := range causes {
		if field := d.bound(); field != "" {
			scattered = scattered || fields[field] != "" && fields[field] != d.Bucket
			fields[field] = d.Bucket
		}
	}
	if scattered {
		take("loop", func(d Deviation) bool { return d.bound() != "" || d.Bucket == "loop" })
	}
	// If the core takes too few bits of a target, larger targets show the same fault.
	for _, n := range []string{"255", "511", "1023", "2047"} {
		if above := "target above word " +
			n; slices.ContainsFunc(causes, func(d Deviation) bool { return strings.Contains(d.Bucket, above) }) {
			take(above, func(d Deviation) bool { return strings.Contains(d.Bucket, ", target above word ") })
			break
		}
	}
	// Wrong flow control may loop forever, or lead to code that crashes: these and another
	// difference then have one cause.
	wrong := 0
	for _, name := range deciders(pica.NumBools, "b") {
		if slices.ContainsFunc(causes, func(d Deviation) bool { return d.decidedBy(name) }) {
			wrong++
		}
	}
	if wrong >= manyBooleans {
		take(onUniforms,
			func(d Deviation) bool { return slices.ContainsFunc(deciders(pica.NumBools, "b"), d.decidedBy) })
	}
	for _, name := range slices.Concat(deciders(pica.NumBools, "b"), deciders(pica.NumInts, "i")) {
		take(name, func(d Deviation) bool { return d.decidedBy(name) })
	}
	for _, d := range slices.Clone(causes) {
		name := strings.TrimSuffix(d.Bucket, spelt(Hang))
		if d.end() == Hang && !computes(d.Opcode) &&
			slices.ContainsFunc(causes, func(e Deviation) bool { return e.Bucket == name }) {
			take(name, func(e Deviation) bool { return e.Bucket == name || e.Bucket == d.Bucket })
		}
	}
	simple := func(d Deviation) bool {
		return len(d.Opcodes) <= 1 && !strings.Contains(d.Opcode, " and ") && d.Opcode != "upload"
	}
	for _, component := range []string{".y", ".z", ".w"} {
		wanted := func(d Deviation) bool { return simple(d) && strings.HasSuffix(d.Where, component) }
		proven := func(d Deviation) bool { return wanted(d) && slices.Contains(d.Features, "component "+component[1:]) }
		if distinct(causes, wanted) >= 4 && distinct(causes, proven) >= 2 {
			take("component "+component[1:], func(d Deviation) bool {
				return wanted(d) || simple(d) && d.end() == "" && broadcasts(d.Opcode, component)
			})
		}
	}
	for _, f := range families {
		if f.leader != "" && !slices.ContainsFunc(causes,
			func(d Deviation) bool { return simple(d) && d.Opcode == f.leader }) {
			continue
		}
		classes := []string{""}
		if f.alike {
			classes = classesOf(causes)
		}
		for _, class := range classes {
			for _, end := range []Level{"", Crash, Hang} {
				wanted := func(d Deviation) bool {
					return simple(d) && slices.Contains(f.members, d.Opcode) && (class == "" || d.Class == class) &&
						d.end() == end
				}
				if distinct(causes, wanted) >= f.least {
					take(f.name+spelt(end), wanted)
				}
			}
		}
	}
	for _, like := range slices.Clone(causes) {
		alike := func(d Deviation) bool {
			return simple(d) && computes(d.Opcode) && d.end() == like.end() && d.Class == like.Class &&
				slices.Equal(d.Features, like.Features)
		}
		if n := distinct(causes, alike); n >= manyOpcodes {
			take(fmt.Sprintf("what %d instructions share", n)+spelt(like.end()), alike)
		}
	}
	for _, d := range slices.Clone(causes) {
		if !simple(d) || len(d.Parts) > 0 || !strings.HasPrefix(d.Bucket, d.Opcode) {
			continue
		}
		plain := plainOf(d.Opcode)
		general := slices.ContainsFunc(causes, func(e Deviation) bool { return e.Bucket == d.Opcode })
		if !general && d.bound() != "" {
			continue
		}
		take(plain+spelt(d.end()), func(e Deviation) bool {
			return simple(e) && (general || e.bound() == "") && strings.HasPrefix(e.Bucket, e.Opcode) &&
				plainOf(e.Opcode) == plain &&
				e.end() == d.end() && (general && e.Opcode == d.Opcode || e.Class == d.Class ||
				len(e.Features) > 0 && slices.Equal(e.Features, d.Features))
		})
	}
	return unique(causes)
}

// kindsOf names the kinds of flow control in a name of several instructions, "breakc and ifu and
// loop"; it is "" for one instruction.
func kindsOf(name string) string {
	parts := strings.Split(name, " and ")
	if len(parts) < 2 {
		return ""
	}
	for k, part := range parts {
		if flow := pica.OpcodeNamed(part).Flow; flow != pica.FlowNone {
			parts[k] = flow.String()
		}
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), " and ")
}

// deciders names the uniforms of a file that flow control depends on.
func deciders(registers int, file string) (names []string) {
	for n := range registers {
		names = append(names, fmt.Sprint(file, n))
	}
	return names
}

// decidedBy reports whether the fault is flow control that depends on a uniform, "b12".
func (d Deviation) decidedBy(uniform string) bool {
	return strings.HasSuffix(strings.TrimSuffix(d.Bucket, spelt(d.end())), " on "+uniform)
}

// bound returns the field of a LOOP, "step", that goes wrong above some value, or "". Bounds of
// different fields are different causes.
func (d Deviation) bound() string {
	_, rest, _ := strings.Cut(d.Bucket, "loop, ")
	field, _, _ := strings.Cut(rest, " above ")
	if field == rest {
		return ""
	}
	return field
}

// register returns the number of the register of a file if a cause names only that register.
func (d Deviation) register(file string) (n int, ok bool) {
	rest, ok := strings.CutPrefix(d.Bucket, file)
	n, err := strconv.Atoi(rest)
	return n, ok && err == nil
}

// end returns the way in which the program ends if that is the fault: a crash or a hang. One
// fault has one end.
func (d *Deviation) end() Level {
	if d.Verdict == Crash || d.Verdict == Hang {
		return d.Verdict
	}
	return ""
}

// spelt returns the suffix of a cause's name for an end.
func spelt(end Level) string {
	if end == "" {
		return ""
	}
	return ": " + string(end)
}

// computes reports whether a name is an instruction with operands.
func computes(name string) bool { return pica.OpcodeNamed(name).Sources > 0 }

// broadcasts reports whether an instruction has one result, in all components, that depends on a
// component of its operands, ".w".
func broadcasts(name, component string) bool {
	slot, i := uint8(8)>>strings.Index("xyzw", component[1:]), pica.OpcodeNamed(name)
	return i.Scalar && (i.Reads[0]|i.Reads[1])&slot != 0
}

// plainOf returns the plain form of an inverted instruction.
func plainOf(name string) string {
	if i := pica.OpcodeNamed(name); i.Name != "" {
		return i.Plain.String()
	}
	return name
}

// unique joins the causes of one name.
func unique(causes []Deviation) (list []Deviation) {
	for _, d := range causes {
		i := slices.IndexFunc(list, func(e Deviation) bool { return e.Bucket == d.Bucket })
		if i < 0 {
			list = append(list, d)
			continue
		}
		list[i] = joined(d.Bucket, slices.Concat(list[i].parts(), d.parts()))
	}
	return list
}

// parts returns the findings of a cause.
func (d Deviation) parts() []Deviation {
	if len(d.Parts) == 0 {
		return []Deviation{d}
	}
	return d.Parts
}

// With returns causes with one more, merged with the cause of its name if there is one.
func With(list []Deviation, d Deviation) []Deviation {
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

// joined merges several causes into one, shown by the smallest program.
func joined(name string, parts []Deviation) Deviation {
	all := parts[0]
	for _, d := range parts[1:] {
		all = all.Merge(d)
	}
	all.Bucket, all.Parts = name, parts
	return all
}
