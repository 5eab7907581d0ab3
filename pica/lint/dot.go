package lint

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// WriteDot writes the graph as Graphviz text: a box for each basic block, and an
// arrow where one block may follow another, whatever the stacks hold. text returns
// the instruction at a word. Errors are those of w.
func (g *Graph) WriteDot(w io.Writer, text func(pc int) string) error {
	next := make(map[int]map[int]bool) // successors of a word
	enters := map[int]int{}            // number of predecessors of a word
	ends := map[int]bool{}
	for _, n := range g.nodes {
		pc := int(n.pc)
		if next[pc] == nil {
			next[pc] = map[int]bool{}
		}
		ends[pc] = ends[pc] || n.end
		for _, k := range n.next {
			to := int(g.nodes[k].pc)
			if !next[pc][to] {
				next[pc][to] = true
				enters[to]++
			}
		}
	}
	joined := func(pc int) bool { // the next word belongs to the same block
		return len(next[pc]) == 1 && next[pc][pc+1] && enters[pc+1] == 1 && pc+1 != g.shader.Entry && !ends[pc]
	}
	type block struct {
		number, last int // in the order of first words, from 1; the last word
		text         string
	}
	blocks := map[int]*block{} // by first word
	first := map[int]int{}     // first word of the block of a word
	for _, pc := range slices.Sorted(maps.Keys(next)) {
		if _, ok := first[pc]; ok {
			continue
		}
		b := &block{number: len(blocks) + 1, last: pc}
		for ; ; b.last++ {
			first[b.last] = pc
			b.text += fmt.Sprintf("%4d  %s\n", b.last, cmp.Or(text(b.last), "behind the program"))
			if !joined(b.last) {
				break
			}
		}
		blocks[pc] = b
	}
	// Nodes and the arrows of a node stand in the order of their first words as text.
	order := slices.SortedFunc(maps.Keys(blocks), func(a, b int) int {
		return strings.Compare(strconv.Itoa(a), strconv.Itoa(b))
	})
	var out strings.Builder
	out.WriteString("digraph  {\n\t\n")
	for _, pc := range order {
		b := blocks[pc]
		fmt.Fprintf(&out, "\tn%d[fontname=\"monospace\",label=%q,shape=\"box\"];\n", b.number, b.text)
	}
	for _, pc := range order {
		for _, to := range slices.Sorted(maps.Keys(next[blocks[pc].last])) {
			fmt.Fprintf(&out, "\tn%d->n%d;\n", blocks[pc].number, blocks[first[to]].number)
		}
	}
	out.WriteString("\t\n}\n")
	_, err := io.WriteString(w, out.String())
	return err
}
