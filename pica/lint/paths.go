package lint

import (
	"strings"

	"github.com/picaproof/picaproof/pica/decode"
)

// accesses returns the access of each word of the program.
func (g *Graph) accesses() []access {
	list := make([]access, len(g.code))
	for pc, word := range g.code {
		i := decode.Decode(word)
		list[pc] = accessOf(&i, g.shader.Descriptor(int(i.Desc)))
	}
	return list
}

// written returns the cells that every path to a node has written.
func (g *Graph) written(words []access) []cells {
	before := make([]cells, len(g.nodes))
	known := make([]bool, len(g.nodes))
	known[0] = true
	for work := []int{0}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		pc := int(g.nodes[k].pc)
		if pc >= len(words) {
			continue
		}
		after := before[k].union(words[pc].writes)
		for _, n := range g.nodes[k].next {
			common := after
			if known[n] {
				common = before[n].common(after)
			}
			if !known[n] || common != before[n] {
				before[n], known[n] = common, true
				work = append(work, n)
			}
		}
	}
	return before
}

// unwritten reports cells that are read on some path before anything writes them.
func (g *Graph) unwritten(words []access, before []cells) {
	missing := make([]cells, len(words))
	for k, n := range g.nodes {
		if pc := int(n.pc); pc < len(words) {
			missing[pc] = missing[pc].union(words[pc].reads.minus(before[k]))
		}
	}
	for pc, m := range missing {
		m.outputs = 0 // EMIT stores outputs that nothing wrote, too
		if names := m.names(); len(names) > 0 {
			g.report("PICA006", pc, "%s may be read before anything writes it", strings.Join(names, ", "))
		}
	}
}

// overwritten reports cells that are written and then, on every path, written again
// before anything reads them.
func (g *Graph) overwritten(words []access) {
	after := make([]cells, len(g.nodes)) // written next, on every path from the node
	from := make([][]int, len(g.nodes))
	for k, n := range g.nodes {
		if n.end {
			after[k] = cells{}
		} else {
			after[k] = everything
		}
		for _, to := range n.next {
			from[to] = append(from[to], k)
		}
	}
	before := func(k int) cells {
		pc := int(g.nodes[k].pc)
		if pc >= len(words) {
			return cells{}
		}
		return after[k].union(words[pc].writes).minus(words[pc].reads)
	}
	work := make([]int, len(g.nodes))
	for k := range work {
		work[k] = k
	}
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		b := before(k)
		for _, p := range from[k] {
			if common := after[p].common(b); common != after[p] {
				after[p] = common
				work = append(work, p)
			}
		}
	}
	dead := make([]cells, len(words))
	reached := make([]bool, len(words))
	for k, n := range g.nodes {
		pc := int(n.pc)
		if pc >= len(words) {
			continue
		}
		lost := words[pc].writes.common(after[k])
		if !reached[pc] {
			dead[pc], reached[pc] = lost, true
		}
		dead[pc] = dead[pc].common(lost)
	}
	for pc, d := range dead {
		d.outputs = 0                   // see writtenTwice
		d.others &= addressX | addressY // flags and aL come in pairs and with loops
		if names := d.names(); len(names) > 0 {
			g.report("PICA010", pc, "%s is written again before anything reads it", strings.Join(names, ", "))
		}
	}
}

// writtenTwice reports outputs that, on some path, are written twice without an EMIT
// in between.
func (g *Graph) writtenTwice(words []access) {
	before := make([]uint64, len(g.nodes)) // written on some path to the node
	twice := make([]uint64, len(words))
	work := []int{0}
	for reached := map[int]bool{0: true}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		pc := int(g.nodes[k].pc)
		if pc >= len(words) {
			continue
		}
		written := words[pc].writes.outputs
		twice[pc] |= before[k] & written
		after := before[k] | written
		if words[pc].reads.outputs != 0 { // EMIT
			after = 0
		}
		for _, n := range g.nodes[k].next {
			if before[n]|after != before[n] || !reached[n] {
				before[n] |= after
				reached[n] = true
				work = append(work, n)
			}
		}
	}
	for pc, outputs := range twice {
		if names := (cells{outputs: outputs}).names(); len(names) > 0 {
			g.report("PICA020", pc, "%s may be written for the second time", strings.Join(names, ", "))
			g.milder()
		}
	}
}
