package ancestry

import (
	"errors"
	"slices"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// ErrTooManyPaths says that a program can come to more places than this package follows.
var ErrTooManyPaths = errors.New("the program has too many paths: its scopes cross in too many ways")

// maxPlaces limits the work that odd control flow makes.
const maxPlaces = 1 << 11

// A place is what decides how control flow goes on, besides conditions and the passes that are left: the next
// instruction and the open scopes. Counts and values of aL in the scopes are 0.
type place struct {
	pc     int
	stacks pica.Stacks
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
}

// A graph holds the nodes of a job; the numbers are those of the list.
type graph struct {
	job    *pica.Job
	rules  *oracle.Rules
	code   [pica.MaxCode]uint32
	noSlot bool // EMIT may find vertex id 3
	nodes  []node
	number map[place]int
}

// explore returns the graph of a job under the rules of the console.
func explore(job *pica.Job) (*graph, error) {
	g := &graph{job: job, rules: oracle.Console(&job.Profile), nodes: make([]node, 1), number: map[place]int{}}
	copy(g.code[:], job.Code)
	for _, word := range job.Code {
		op := pica.OpcodeOf(word)
		g.noSlot = g.noSlot || op == pica.SETEMIT && op.Layout().Vertex.Get(word) == 3
	}
	g.at(place{pc: job.Entry})
	for k := 1; k < len(g.nodes); k++ {
		if k > maxPlaces {
			return nil, ErrTooManyPaths
		}
		g.follow(k)
	}
	g.dominate()
	for k := 1; k < len(g.nodes); k++ {
		if len(g.nodes[k].next) > 1 {
			g.gather(k)
		}
	}
	return g, nil
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
			if !slices.Contains(g.nodes[k].next, e) {
				g.nodes[k].next = append(g.nodes[k].next, e)
			}
		}
	}
	if g.noSlot && g.code[min(g.nodes[k].pc, pica.MaxCode-1)]>>26 == uint32(pica.EMIT) {
		g.nodes[k].next = append(g.nodes[k].next, edge{to: end})
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
	e.to = g.at(place{c.Next, file.Stacks})
	g.nodes[k].writes = g.nodes[k].writes.with(writes)
	return e
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
