package lint

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// truth is the static knowledge about a condition.
type truth uint8

const (
	unknown truth = iota
	no
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// state is a state of a run: the word it comes to and everything that decides where
// it continues.
type state struct {
	pc    uint16
	flags [2]truth // cmp.x and cmp.y
	moved bool     // the instruction before was MOVA
	stacks
}

// node is a state of the graph.
type node struct {
	state
	next []int // nodes that may follow
	end  bool  // the run ends here
}

// maxStates bounds the states of one shader, maxTotal the states of all shaders of
// a file.
const (
	maxStates = 1 << 15
	maxTotal  = 1 << 19
)

// Graph is the control-flow graph of one entry point with the console's stacks.
type Graph struct {
	code      []uint32
	shader    *pica.Shader
	constants constants
	nodes     []node
	index     map[state]int
	whole     bool // not cut at the limit, and no path goes on in code behind the program
	events    []Finding
	unread    map[pica.Symbol]bool // inputs and uniforms that nothing reads
}

// NewGraph follows every path of a shader.
func NewGraph(s *pica.Shader) *Graph { return newGraph(s, maxStates) }

// Reached returns for each word whether a path comes to it. It returns nil if the graph was cut, or if a path leaves
// the program.
func (g *Graph) Reached() []bool {
	if !g.whole {
		return nil
	}
	reached := make([]bool, len(g.code))
	for i := range g.nodes {
		pc := int(g.nodes[i].pc)
		if pc >= len(reached) {
			return nil
		}
		reached[pc] = true
	}
	return reached
}

// newGraph follows a shader until it has more states than a limit.
func newGraph(s *pica.Shader, limit int) *Graph {
	g := &Graph{code: s.Code, shader: s, constants: constantsOf(s), index: map[state]int{}, whole: true,
		unread: map[pica.Symbol]bool{}}
	g.reach(state{pc: uint16(s.Entry)})
	for k := 0; k < len(g.nodes); k++ {
		if len(g.nodes) > limit {
			g.whole = false
			g.report("PICA019", -1, "more than %d states", limit)
			break
		}
		g.expand(k)
	}
	return g
}

// reach returns the node of a state, a new one if it is not in the graph.
func (g *Graph) reach(s state) int {
	k, ok := g.index[s]
	if !ok {
		k = len(g.nodes)
		g.index[s] = k
		g.nodes = append(g.nodes, node{state: s})
	}
	return k
}

// expand finds the nodes that may follow a node.
func (g *Graph) expand(k int) {
	s := g.nodes[k].state
	if int(s.pc) >= len(g.code) {
		g.nodes[k].end = true
		if k == 0 {
			g.report("PICA004", -1, "the entry point is behind the last word")
		}
		return
	}
	i := decode.Decode(g.code[s.pc])
	ends := pica.Opcodes[i.Op].Flow == pica.FlowEnd
	g.nodes[k].end = ends
	for _, holds := range g.choices(&s, &i) {
		list, ok := g.after(s, &i, holds)
		g.nodes[k].end = g.nodes[k].end || !ok
		for _, t := range list {
			if ends {
				break
			}
			g.staysOpen(int(s.pc), &t)
			g.leaves(int(s.pc), int(t.pc))
			if to := g.reach(t); !slices.Contains(g.nodes[k].next, to) {
				g.nodes[k].next = append(g.nodes[k].next, to)
			}
		}
	}
}

// leaves reports a step from a word to behind the last word. A transfer of control there may lead to a
// program that a linker puts there: it may come back, and use any register.
func (g *Graph) leaves(from, to int) {
	switch {
	case to < len(g.code):
	case to == from+1:
		g.report("PICA004", from, "a path leaves the program behind its last word")
	default:
		g.report("PICA004", from, "a path leaves the program for word %d, behind its last word", to)
		g.whole = false
	}
}

// after returns the states that may follow a state whose instruction has a result of its decision;
// ok is false if the run ends.
func (g *Graph) after(s state, i *decode.Inst, holds bool) (list []state, ok bool) {
	step := stepper{Graph: g, state: s, pc: int(s.pc), next: int(s.pc) + 1}
	step.moved = pica.Opcodes[i.Op].Writes&pica.WritesAddress != 0
	if !step.execute(i, holds) {
		return nil, false
	}
	for _, again := range []bool{false, true} {
		if t, ok := step.close(again); ok {
			list = append(list, t)
		}
	}
	return list, true
}

// choices returns the possible results of an instruction's decision.
func (g *Graph) choices(s *state, i *decode.Inst) []bool {
	holds := yes
	switch pica.Opcodes[i.Op].Condition {
	case pica.OnFlags:
		holds = condition(i, s.flags)
	case pica.OnUniform:
		holds = g.constants.bools[i.Bool]
	case pica.OnUniformInverse:
		holds = g.constants.bools[i.Bool]
		if pica.InverseBit.Get(uint32(i.Num)) != 0 && holds != unknown {
			holds = yes + no - holds
		}
	}
	switch holds {
	case yes:
		return []bool{true}
	case no:
		return []bool{false}
	}
	return []bool{true, false}
}

// condition evaluates the condition of a format 2 instruction.
func condition(i *decode.Inst, flags [2]truth) truth {
	equal := func(flag truth, ref bool) truth {
		if flag == unknown {
			return unknown
		}
		return truthOf(flag == truthOf(ref))
	}
	x, y := equal(flags[0], i.RefX), equal(flags[1], i.RefY)
	switch i.CondOp {
	case pica.CondX:
		return x
	case pica.CondY:
		return y
	case pica.CondAnd:
		switch {
		case x == no || y == no:
			return no
		case x == yes && y == yes:
			return yes
		}
		return unknown
	}
	switch {
	case x == yes || y == yes:
		return yes
	case x == no && y == no:
		return no
	}
	return unknown
}

// stepper executes one instruction on a state (3dbrew, T. Karras).
type stepper struct {
	*Graph
	state
	pc, next int
	left     bool // a BREAK leaves the newest loop
}

// execute applies an instruction; holds is the result of its condition. It reports
// whether the run continues.
func (t *stepper) execute(i *decode.Inst, holds bool) bool {
	dst, num := uint16(i.Dst), uint16(i.Num)
	q := uint16(t.pc + 1)
	dropped := false
	switch info := &pica.Opcodes[i.Op]; {
	case info.Flow == pica.FlowIf && !holds, info.Flow == pica.FlowJump && holds:
		t.next = int(dst)
	case info.Flow == pica.FlowIf:
		dropped = t.ifs.push(ifEntry{dst, dst + num}, pica.IfDepth)
	case info.Flow == pica.FlowCall && holds:
		dropped = t.calls.push(callEntry{dst + num, q}, pica.CallDepth)
		t.next = int(dst)
	case info.Flow == pica.FlowLoop:
		dropped = t.loops.push(loopEntry{q, dst + 1, t.constants.once[i.Int]}, pica.LoopDepth)
	case info.Flow == pica.FlowBreak && holds:
		if t.loops.n == 0 {
			t.report("PICA014", t.pc, "no LOOP is open")
			return false
		}
		t.left = true
	case info.Writes&pica.WritesCC != 0:
		t.flags = t.constants.compare(i, t.shader.Descriptor(int(i.Desc)))
	}
	if dropped {
		t.report("PICA015", t.pc, "the stack of %v is full: the oldest entry is lost", i.Op)
	}
	t.scopeEnds(i)
	return true
}

// close ends the scopes that end with the word. again says whether a loop that ends
// there has another pass; ok is false if that is impossible.
func (t *stepper) close(again bool) (s state, ok bool) {
	s, next := t.state, t.next
	q := uint16(t.pc + 1)
	c := q
	for k := 0; s.calls.n > 0 && s.calls.top().end == c; k++ {
		if k < pica.CallDepth-1 { // the fourth return loses its address
			next = int(s.calls.top().back)
			c = uint16(next)
		}
		s.calls.pop()
	}
	if s.ifs.n > 0 && s.ifs.top().orElse == q {
		next = int(s.ifs.top().end)
		s.ifs.pop()
	}
	if s.loops.n > 0 && (s.loops.top().end == q || t.left) {
		if again {
			if t.left || s.loops.top().once {
				return s, false
			}
			next = int(s.loops.top().body)
		} else {
			next = int(s.loops.top().end)
			s.loops.pop()
		}
	} else if again {
		return s, false
	}
	s.pc = uint16(next)
	return s, true
}

// staysOpen reports a scope whose end control reaches without executing its last
// word: only that word closes it, so its entry stays on the stack.
func (g *Graph) staysOpen(pc int, s *state) {
	if int(s.pc) == pc+1 {
		return
	}
	for _, e := range s.ifs.all() {
		if e.orElse == s.pc {
			g.report("PICA003", pc, "control goes behind the last word of an IF, which stays open")
		}
	}
	for _, e := range s.loops.all() {
		if e.end == s.pc {
			g.report("PICA003", pc, "control goes behind the last word of a LOOP, which stays open")
		}
	}
}

// scopeEnds reports instructions that must not be the last word of a scope, and
// scopes that end together.
func (t *stepper) scopeEnds(i *decode.Inst) {
	q := uint16(t.pc + 1)
	ends := 0
	for _, e := range t.ifs.all() {
		if e.orElse == q {
			ends++
		}
	}
	returns := 0
	for _, e := range t.calls.all() {
		if e.end == q {
			returns++
		}
	}
	if returns > 0 { // up to three return at once
		ends++
	}
	inLoop := false
	for _, e := range t.loops.all() {
		if e.end == q {
			inLoop = true
			ends++
		}
	}
	flow := pica.Opcodes[i.Op].Flow
	switch {
	case ends > 0 && (flow == pica.FlowJump || flow == pica.FlowCall || flow == pica.FlowIf || flow == pica.FlowBreak && inLoop):
		t.report("PICA003", t.pc, "%v is the last word of a scope", i.Op)
	case ends > 1 || returns == pica.CallDepth:
		t.report("PICA003", t.pc, "several scopes end behind this word")
	}
}
