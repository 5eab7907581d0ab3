package ancestry

import (
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// maxPlaces limits the work that odd control flow makes: scopes that cross lead to ever more places.
var maxPlaces = 1 << 12 // a variable for tests

// A place is what decides how control flow goes on, besides conditions and the passes that are left: the next
// instruction and the open scopes. Counts and values of aL in the scopes are 0.
type place struct {
	pc     int
	stacks pica.Stacks
	moved  bool // hazards=trap, and the instruction before was MOVA
}

// The end of the run is the node with this number.
const end = 0

// A node is a place that some values of conditions and counts lead to.
type node struct {
	place
	next   []edge
	writes live

	join    int  // the first node that every way from here to the end passes
	between live // what the ways to join may change
}

// An edge leads to a node that may be next.
type edge struct {
	to    int
	depth uint8 // that of the loop of which a pass ends, from 1; or 0
	again bool  // another pass of it follows
	outcome
}

// An outcome is what leads to an edge. The trap of an EMIT without a slot is none that can be chosen.
type outcome struct {
	trap        bool
	holds, pass bool // the condition holds; another pass of the loop that may end here follows
}

// same reports whether two edges differ at most in their outcomes.
func (e edge) same(f edge) bool { return e.to == f.to && e.depth == f.depth && e.again == f.again }

// A graph holds the nodes of a job; the numbers are those of the list. A coarse one holds only those that were needed.
// All it knows of the ways from a node is that they come to the end and may change anything.
type graph struct {
	job    *pica.Job
	rules  *oracle.Rules
	code   [pica.MaxCode]uint32
	noSlot bool // EMIT may find vertex id 3
	nodes  []node
	number map[place]int
	coarse bool
}

// explore returns the graph of a job under the rules of the console. It is coarse if there are too many places.
func explore(job *pica.Job) *graph {
	g := &graph{job: job, rules: oracle.Console(&job.Profile), nodes: make([]node, 1), number: map[place]int{}}
	copy(g.code[:], job.Code)
	for _, word := range job.Code {
		op := pica.OpcodeOf(word)
		g.noSlot = g.noSlot || op == pica.SETEMIT && op.Layout().Vertex.Get(word) == 3
	}
	g.at(place{pc: job.Entry})
	for k := 1; k < len(g.nodes); k++ {
		if k > maxPlaces {
			return &graph{job: job, rules: g.rules, code: g.code, noSlot: g.noSlot, nodes: make([]node, 1),
				number: map[place]int{}, coarse: true}
		}
		g.follow(k)
	}
	g.dominate()
	for k := 1; k < len(g.nodes); k++ {
		if len(g.nodes[k].next) > 1 {
			g.gather(k)
		}
	}
	return g
}

// arrive returns the number of a place that a run comes to.
func (g *graph) arrive(p place) int {
	k := g.at(p)
	if g.coarse && g.nodes[k].next == nil {
		g.follow(k)
		n := &g.nodes[k]
		n.join = end
		n.between = live{^uint64(0), ^uint64(0), ^uint64(0), ^uint32(0)}
	}
	return k
}

// at returns the number of a place; it adds a node if the place is new.
func (g *graph) at(p place) int {
	for k := range p.stacks.Loop {
		e := &p.stacks.Loop[k]
		e.Count, e.Step, e.OuterAL = 0, 0, 0
	}
	n, known := g.number[p]
	if !known {
		n = len(g.nodes)
		g.number[p] = n
		g.nodes = append(g.nodes, node{place: p})
	}
	return n
}

// follow adds the edges of a node: for each outcome of a condition and of the count of passes.
func (g *graph) follow(k int) {
	for _, holds := range [2]bool{true, false} {
		for _, again := range [2]bool{true, false} {
			e := g.step(k, holds, again)
			if e.outcome = (outcome{holds: holds, pass: again}); !slices.ContainsFunc(g.nodes[k].next, e.same) {
				g.nodes[k].next = append(g.nodes[k].next, e)
			}
		}
	}
	if g.noSlot && g.code[min(g.nodes[k].pc, pica.MaxCode-1)]>>26 == uint32(pica.EMIT) {
		g.nodes[k].next = append(g.nodes[k].next, edge{to: end, outcome: outcome{trap: true}})
	}
}

// step executes the control flow of an instruction and notes what it may write.
func (g *graph) step(k int, holds, again bool) edge {
	from := g.nodes[k].place
	file := oracle.RegisterFile{}
	file.Stacks = from.stacks
	c := oracle.Control{RegisterFile: &file, Rules: g.rules, Job: g.job, PC: from.pc, Next: from.pc + 1}
	c.Word = g.rules.Flow.Fetch(&c, &g.code)
	if c.Trapped() {
		return edge{to: end}
	}
	if admit := g.rules.Admit[c.Word>>26]; admit != nil && !admit(&c) {
		return edge{to: end}
	}
	c.Op = pica.OpcodeOf(c.Word)
	if g.trapsHazards() && (c.Op == pica.MOVA && from.moved || inputsDiffer(c.Word)) {
		return edge{to: end}
	}
	writes := written(c.Word, g.job.DescriptorOf(c.Word), from.stacks.LoopDepth)
	g.control(&c, holds || pica.Opcodes[c.Op].Condition == pica.Always)
	if c.Trapped() || c.Ended {
		return edge{to: end}
	}
	e := edge{}
	if depth := file.Stacks.LoopDepth; depth > 0 {
		top := &file.Stacks.Loop[depth-1]
		if int(top.End) == c.PC+1 || c.Break {
			e.depth, e.again = depth, again && !c.Break
			top.Count = 0
			if again {
				top.Count = 1
			}
			writes.rest |= liveAL | liveCount<<(depth-1)
		}
	}
	g.rules.Flow.Finish(&c)
	e.to = g.at(place{c.Next, file.Stacks, g.trapsHazards() && c.Op == pica.MOVA})
	g.nodes[k].writes = g.nodes[k].writes.with(writes)
	return e
}

func (g *graph) trapsHazards() bool { return g.job.Profile.Hazards == pica.HazardsTrap }

// inputsDiffer reports whether the sources name two different input registers.
func inputsDiffer(word uint32) bool {
	op := pica.OpcodeOf(word)
	first := -1
	for k := range pica.Opcodes[op].Sources {
		n := int(op.Layout().Src[k].Get(word))
		if n >= pica.SourceTemporary {
			continue
		}
		if first >= 0 && n != first {
			return true
		}
		first = n
	}
	return false
}

// control executes a flow instruction.
func (g *graph) control(c *oracle.Control, holds bool) {
	flow, encoding := &g.rules.Flow, &g.rules.Encoding
	target, num := encoding.Target.Of(c.Word), encoding.Num.Of(c.Word)
	switch pica.Opcodes[c.Op].Flow {
	case pica.FlowIf:
		flow.IF(c, holds, target, num)
	case pica.FlowLoop:
		flow.LOOP(c, target, oracle.Passes{})
	case pica.FlowEnd:
		c.Ended = flow.END(c)
	case pica.FlowCall:
		if holds {
			flow.CALL(c, target, num)
		}
	case pica.FlowJump:
		if holds {
			flow.JMP(c, target)
		}
	case pica.FlowBreak:
		if holds {
			flow.BREAK(c)
		}
	}
}

// dominate sets the joins: the immediate postdominators. Nodes from which no way leads to the end have none, and
// ways through them do not count: a run that takes one does not end.
func (g *graph) dominate() {
	before := make([][]int, len(g.nodes))
	for k := range g.nodes {
		for _, e := range g.nodes[k].next {
			before[e.to] = append(before[e.to], k)
		}
	}
	order, rank := backwards(before)
	for k := range g.nodes {
		g.nodes[k].join = -1
	}
	g.nodes[end].join = end
	for changed := true; changed; {
		changed = false
		for _, k := range order[1:] {
			join := -1
			for _, e := range g.nodes[k].next {
				switch {
				case rank[e.to] < 0 || g.nodes[e.to].join < 0:
				case join < 0:
					join = e.to
				default:
					join = g.meet(rank, join, e.to)
				}
			}
			if g.nodes[k].join != join {
				g.nodes[k].join, changed = join, true
			}
		}
	}
}

// meet returns the first node that both ways pass.
func (g *graph) meet(rank []int, a, b int) int {
	for a != b {
		for rank[a] > rank[b] {
			a = g.nodes[a].join
		}
		for rank[b] > rank[a] {
			b = g.nodes[b].join
		}
	}
	return a
}

// backwards returns the nodes from which a way leads to the end, each before those that come to the end only
// through it, and the rank of each node in the list; others have the rank -1.
func backwards(before [][]int) (order, rank []int) {
	rank = make([]int, len(before))
	for k := range rank {
		rank[k] = -1
	}
	type frame struct{ node, next int }
	seen := make([]bool, len(before))
	seen[end] = true
	for stack := []frame{{end, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if top.next == len(before[top.node]) {
			order = append(order, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		to := before[top.node][top.next]
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, frame{to, 0})
		}
	}
	slices.Reverse(order)
	for k, n := range order {
		rank[n] = k
	}
	return order, rank
}

// gather sets what the ways from node k to its join may change.
func (g *graph) gather(k int) {
	n := &g.nodes[k]
	n.between = n.writes
	seen := make([]bool, len(g.nodes))
	for list := []int{k}; len(list) > 0; {
		from := list[len(list)-1]
		list = list[:len(list)-1]
		for _, e := range g.nodes[from].next {
			if e.to != n.join && !seen[e.to] {
				seen[e.to] = true
				n.between = n.between.with(g.nodes[e.to].writes)
				list = append(list, e.to)
			}
		}
	}
}
