package conform

import (
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/conform/hypothesis"
	"github.com/picaproof/picaproof/conform/report"
)

// bucket is a group of findings that look alike, with its first job reduced.
type bucket struct {
	report.Member
	also []report.Member // of the core set: buckets that a known trigger explains
	*finding
	known []*hypothesis.Hypothesis // proved changes of the model that the finding takes for granted
}

// cause is the common fault of several buckets.
type cause struct {
	Key     string
	Count   int
	Opcodes []string
	trigger trigger
	Buckets []*bucket // the bucket with the smallest program first
	// hangs says that no suite runs into the cause, because each time costs a time limit.
	hangs bool
}

// record adds a bucket to its cause, or makes a new cause.
func (s *session) record(b *bucket) {
	s.buckets = append(s.buckets, b)
	s.causes = merge(s.causes, b)
}

// merge adds a bucket to a list of causes.
func merge(causes []*cause, b *bucket) []*cause {
	i := slices.IndexFunc(causes, func(c *cause) bool { return c.Key == b.subject })
	if i < 0 {
		return append(causes, &cause{Key: b.subject, Count: b.Count, Opcodes: []string{b.opcode}, trigger: b.trigger,
			Buckets: []*bucket{b}})
	}
	c := causes[i]
	c.Count += b.Count
	if !slices.Contains(c.Opcodes, b.opcode) {
		c.Opcodes = append(c.Opcodes, b.opcode)
	}
	c.trigger = c.trigger.with(b.trigger)
	c.Buckets = append(c.Buckets, b)
	slices.SortStableFunc(c.Buckets, func(a, b *bucket) int { return len(a.job.Code) - len(b.job.Code) })
	return causes
}

// manyInstructions is the number of instructions that must go wrong in one component before
// programs avoid the component in all instructions.
const manyInstructions = 4

// manyRegisters is the number of registers of a file that must go wrong before programs also
// avoid the registers between them.
const manyRegisters = 3

// triggersOf lists the triggers of causes, in their order.
func triggersOf(causes []*cause) []trigger {
	list := []trigger{}
	blamed := map[string]int{} // instructions, by the component in which they go wrong
	wrong := map[byte][]int{}  // registers, by file
	for _, c := range causes {
		list = append(list, c.trigger)
		if file, n, ok := c.trigger.register(); ok {
			wrong[file] = append(wrong[file], n)
		}
		if component := c.trigger.component(); component != "" {
			blamed[component] += len(c.trigger.Opcodes)
		}
	}
	for i := range list {
		list[i].Any = list[i].Any || blamed[list[i].component()] >= manyInstructions
		if file, _, ok := list[i].register(); ok && len(wrong[file]) >= manyRegisters {
			list[i].Registers = nil
			for n := slices.Min(wrong[file]); n <= slices.Max(wrong[file]); n++ {
				list[i].Registers = append(list[i].Registers, string(file)+strconv.Itoa(n))
			}
		}
	}
	return list
}
