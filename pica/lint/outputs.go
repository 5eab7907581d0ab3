package lint

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// configured is the number of components of a semantic that a loader configures: the first set bits
// of the mask of an output entry (libctru's loader). A dummy and unknown semantics have none.
var configured = map[string]int{"position": 4, "normalquat": 4, "color": 4, "texcoord0": 2, "texcoord0w": 1,
	"texcoord1": 2, "texcoord2": 2, "view": 3}

// notWritten reports the configured components of outputs that nothing writes, and those that a path
// from the entry to END does not write. before has the cells that every path to a node has written.
func (g *Graph) notWritten(words []access, before []cells) {
	var some cells       // written on some path
	always := ^uint64(0) // written on every path to END
	for k, n := range g.nodes {
		if pc := int(n.pc); pc < len(words) {
			some = some.union(words[pc].writes)
		}
		if g.ends(k) {
			always &= before[k].outputs
		}
	}
	for _, o := range g.shader.Outputs {
		if o.Register < 0 || o.Register >= pica.NumOutputs {
			continue
		}
		never, sometimes := component{output: o}, component{output: o}
		for slot := range 4 {
			bit := uint64(1) << (4*o.Register + slot)
			switch {
			case o.Mask>>slot&1 == 0 || never.seen >= configured[o.Semantic]:
				continue
			case some.outputs&bit == 0:
				never.add(slot)
			case always&bit == 0:
				sometimes.add(slot)
			}
			never.seen++
			sometimes.seen++
		}
		if never.cells != 0 {
			g.report("PICA007", -1, "nothing writes %v", never)
			g.milder()
		}
		if sometimes.cells != 0 {
			pc, when := g.avoids(words, sometimes.cells&-sometimes.cells)
			g.report("PICA007", pc, "%v may stay unwritten%s", sometimes, when)
			g.milder()
		}
	}
}

// milder makes the last finding a remark in a geometry program: released ones leave components
// unwritten.
func (g *Graph) milder() {
	g.events[len(g.events)-1].Hazard = g.shader.Stage == pica.Vertex
}

// ends reports whether the run ends at an END in a node.
func (g *Graph) ends(k int) bool {
	pc := int(g.nodes[k].pc)
	return pc < len(g.code) && pica.Opcodes[pica.OpcodeOf(g.code[pc])].Flow == pica.FlowEnd
}

// component names components of an output: "position.w (o0.w)".
type component struct {
	output  pica.Output
	seen    int    // components of the semantic so far
	letters string // of the semantic
	cells   uint64 // of the registers
}

// add adds the component of the output's register as the next of the semantic.
func (c *component) add(slot int) {
	c.letters += string("xyzw"[c.seen])
	c.cells |= 1 << (4*c.output.Register + slot)
}

func (c component) String() string {
	return fmt.Sprintf("%s.%s (o%d.%s)", named(c.output.Semantic), c.letters, c.output.Register,
		letters(uint8(c.cells>>(4*c.output.Register))))
}

// avoids returns the branch by which a path from the entry to an END leaves all writes of a cell of
// the outputs behind, and what it depends on: " when lit is false". The word is -1 if no branch
// decides.
func (g *Graph) avoids(words []access, cell uint64) (pc int, when string) {
	writes := func(k int) bool {
		at := int(g.nodes[k].pc)
		return at < len(words) && words[at].writes.outputs&cell != 0
	}
	from, queue := map[int]int{0: -1}, []int{0}
	last := -1
	for last < 0 && len(queue) > 0 {
		k := queue[0]
		if queue = queue[1:]; writes(k) {
			continue
		}
		if g.ends(k) {
			last = k
		}
		for _, n := range g.nodes[k].next {
			if _, ok := from[n]; !ok {
				from[n] = k
				queue = append(queue, n)
			}
		}
	}
	// The path is followed back from its END to the first node from which a write can be reached. Where a loop ends, that
	// is no condition. Then the condition is looked for that led there and not to a write.
	lost := g.withoutReach(writes, -1)
	pc = -1
	for k := last; k >= 0 && from[k] >= 0; k = from[k] {
		if lost[from[k]] {
			continue
		}
		at := int(g.nodes[from[k]].pc)
		if when = g.decision(from[k], k); when != "" {
			return at, when
		}
		if pc < 0 {
			pc = at
			lost = g.withoutReach(writes, from[k])
		}
	}
	return pc, ""
}

// withoutReach reports for each node whether no path from it comes to a node with a property. No path goes on behind
// the node end.
func (g *Graph) withoutReach(wanted func(k int) bool, end int) []bool {
	into := make([][]int, len(g.nodes))
	lost := make([]bool, len(g.nodes))
	var work []int
	for k, n := range g.nodes {
		if k != end {
			for _, to := range n.next {
				into[to] = append(into[to], k)
			}
		}
		if lost[k] = !wanted(k); !lost[k] {
			work = append(work, k)
		}
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range into[k] {
			if lost[p] {
				lost[p] = false
				work = append(work, p)
			}
		}
	}
	return lost
}

// decision says which result of the condition of a node leads to another node: " when lit is false".
// It is "" if the node has no condition.
func (g *Graph) decision(k, to int) string {
	s := g.nodes[k].state
	i := decode.Decode(g.code[s.pc])
	condition := fmt.Sprintf("the condition of word %d", s.pc)
	inverse := false
	switch pica.Opcodes[i.Op].Condition {
	case pica.OnUniform, pica.OnUniformInverse:
		condition = fmt.Sprintf("b%d", i.Bool)
		for _, u := range g.shader.Uniforms {
			if u.Class == 'b' && u.First <= int(i.Bool) && int(i.Bool) <= u.Last {
				condition = named(u.Name)
				if u.First != u.Last {
					condition = fmt.Sprintf("%s[%d]", condition, int(i.Bool)-u.First)
				}
			}
		}
		inverse = pica.Opcodes[i.Op].Condition == pica.OnUniformInverse && pica.InverseBit.Get(uint32(i.Num)) != 0
	case pica.OnFlags:
	default:
		return ""
	}
	for _, holds := range g.choices(&s, &i) {
		if list, _ := g.after(s, &i, holds); slices.Contains(list, g.nodes[to].state) {
			return fmt.Sprintf(" when %s is %v", condition, holds != inverse)
		}
	}
	return ""
}
