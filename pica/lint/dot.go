package lint

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/emicklei/dot"
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
	out := dot.NewGraph(dot.Directed)
	out.NodeInitializer(func(n dot.Node) { n.Attr("shape", "box").Attr("fontname", "monospace") })
	first := map[int]int{} // first word of the block of a word
	last := map[int]int{}
	for _, pc := range slices.Sorted(maps.Keys(next)) {
		if _, ok := first[pc]; ok {
			continue
		}
		lines := []string{}
		end := pc
		for ; ; end++ {
			first[end] = pc
			lines = append(lines, fmt.Sprintf("%4d  %s", end, cmp.Or(text(end), "behind the program")))
			if !joined(end) {
				break
			}
		}
		last[pc] = end
		out.Node(fmt.Sprint(pc)).Attr("label", dot.Literal(fmt.Sprintf("%q", strings.Join(lines, "\n")+"\n")))
	}
	for _, pc := range slices.Sorted(maps.Keys(last)) {
		for _, to := range slices.Sorted(maps.Keys(next[last[pc]])) {
			out.Edge(out.Node(fmt.Sprint(pc)), out.Node(fmt.Sprint(first[to])))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}
