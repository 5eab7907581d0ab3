package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// Finding is one breach of a rule.
type Finding struct {
	Rule    string
	Entry   int // index of the shader; -1 if no shader reaches the word
	PC      int // word; -1 for the tables of the shader
	Hazard  bool
	Message string
	// More counts the further shaders of the same program with this finding.
	More int
}

// String returns "word 12: PICA001: ...".
func (f Finding) String() string {
	text := fmt.Sprintf("%s: %s", f.Rule, f.Message)
	if f.PC >= 0 {
		text = fmt.Sprintf("word %d: %s", f.PC, text)
	}
	if f.More > 0 {
		text += fmt.Sprintf(" (and %d more)", f.More)
	}
	return text
}

// Check returns the findings of shaders, in the order of the shaders, then of the
// words, then of the rules. Each rule is reported once a word and shader. Shaders
// that follow each other and have the same words are entry points of one program: what
// several of them have in common is reported for the first of them.
func Check(shaders []pica.Shader) []Finding {
	c := checker{states: maxTotal}
	for first := 0; first < len(shaders); {
		end := first + 1
		for end < len(shaders) && slices.Equal(shaders[first].Code, shaders[end].Code) {
			end++
		}
		c.program(shaders[first:end], first)
		first = end
	}
	slices.SortStableFunc(c.all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.PC, b.PC), cmp.Compare(a.Rule, b.Rule))
	})
	return slices.CompactFunc(c.all, func(a, b Finding) bool {
		return a.Entry == b.Entry && a.PC == b.PC && a.Rule == b.Rule && (a.PC >= 0 || a.Message == b.Message)
	})
}

// checker collects findings.
type checker struct {
	all    []Finding
	states int // left of maxTotal
}

// program checks the entry points of one program; first is the index of the first.
func (c *checker) program(shaders []pica.Shader, first int) {
	reached := make([]bool, len(shaders[0].Code))
	whole := true
	type place struct{ at, last int } // in all, and the last shader with the finding
	known := map[Finding]place{}
	add := func(f Finding, shader int) {
		p, ok := known[f]
		switch {
		case !ok:
			p.at = len(c.all)
			c.all = append(c.all, f)
			c.all[p.at].Entry = shader
		case p.last < shader:
			c.all[p.at].More++
		}
		known[f] = place{p.at, shader}
	}
	read := map[pica.Symbol]bool{} // some entry point that names the uniform reads it
	type unread struct {
		entry  int
		symbol pica.Symbol
	}
	var candidates []unread
	for k := range shaders {
		g := newGraph(&shaders[k], max(min(maxStates, c.states), 0))
		c.states -= len(g.nodes)
		g.check()
		g.mark(reached)
		whole = whole && g.whole
		for _, f := range g.events {
			add(f, first+k)
		}
		for _, u := range g.shader.Uniforms {
			read[u] = read[u] || g.whole && !g.unread[u]
		}
		for _, u := range slices.Concat(g.shader.Inputs, g.shader.Uniforms) {
			if g.unread[u] {
				candidates = append(candidates, unread{first + k, u})
			}
		}
	}
	for _, u := range candidates {
		if s := u.symbol; !read[s] {
			message := fmt.Sprintf("nothing reads %s, %c%d", named(s.Name), s.Class, s.First)
			if s.Last != s.First {
				message += fmt.Sprintf(" to %c%d", s.Class, s.Last)
			}
			add(Finding{Rule: "PICA009", PC: -1, Message: message}, u.entry)
		}
	}
	if !whole {
		return
	}
	for _, f := range unreachable(shaders[0].Code, reached) {
		if f.Entry = -1; first > 0 {
			f.Entry = first // tells the programs apart
		}
		c.all = append(c.all, f)
	}
}

// report adds a finding.
func (g *Graph) report(rule string, pc int, format string, args ...any) {
	g.events = append(g.events,
		Finding{Rule: rule, PC: pc, Hazard: RuleOf(rule).Hazard, Message: fmt.Sprintf(format, args...)})
}

// check evaluates the rules of one shader.
func (g *Graph) check() {
	words := g.accesses()
	reached := make([]bool, len(g.code))
	g.mark(reached)
	for pc, word := range g.code {
		if reached[pc] {
			i := decode.Decode(word)
			g.word(pc, &i)
		}
	}
	if g.whole {
		g.movesInARow()
		before := g.written(words)
		g.unwritten(words, before)
		g.notWritten(words, before)
		g.overwritten(words)
		g.writtenTwice(words)
		g.declarations(words, reached)
	}
}

// mark sets the words that the shader reaches.
func (g *Graph) mark(reached []bool) {
	for _, n := range g.nodes {
		if int(n.pc) < len(reached) {
			reached[n.pc] = true
		}
	}
}

// unreachable reports the words that no shader reaches, a run of them once. NOP
// pads scopes.
func unreachable(code []uint32, reached []bool) (list []Finding) {
	for pc := 0; pc < len(code); pc++ {
		start, useful := pc, false
		for ; pc < len(code) && !reached[pc]; pc++ {
			useful = useful || pica.OpcodeOf(code[pc]) != pica.NOP
		}
		if useful {
			message := fmt.Sprintf("words %d to %d are unreachable", start, pc-1)
			if start == pc-1 {
				message = fmt.Sprintf("word %d is unreachable", start)
			}
			list = append(list, Finding{Rule: "PICA005", PC: start, Message: message})
		}
	}
	return list
}

// word evaluates the rules of one instruction.
func (g *Graph) word(pc int, i *decode.Inst) {
	info := &pica.Opcodes[i.Op]
	if i.Op.Reserved() {
		g.report("PICA018", pc, "opcode 0x%02x is reserved", uint8(i.Op))
	}
	input := -1
	for k := range info.Sources {
		n := int(i.Src[k])
		if n < pica.SourceTemporary {
			if input >= 0 && input != n {
				g.report("PICA001", pc, "%v reads v%d and v%d", i.Op, input, n)
			}
			input = n
		}
		if k == int(i.IndexedSource) && i.Index != pica.IndexNone && n < pica.SourceUniform {
			g.report("PICA012", pc, "operand %d of %v is no float uniform", k+1, i.Op)
		}
	}
	const zw = 3
	switch mask := g.shader.Descriptor(int(i.Desc)).Mask(); {
	case info.Writes&pica.WritesAddress != 0 && (mask == 0 || mask&zw != 0):
		g.report("PICA011", pc, "the mask is %04b; x and y are the upper two bits", mask)
	case info.Flow == pica.FlowLoop:
		g.loop(pc, i)
	case info.Format == pica.Format4 && i.Vertex > 2:
		g.report("PICA016", pc, "vertex %d", i.Vertex)
	}
}

// loop evaluates the rules of a LOOP.
func (g *Graph) loop(pc int, i *decode.Inst) {
	if int(i.Dst) <= pc {
		g.report("PICA013", pc, "the last word of the body is word %d", i.Dst)
	}
	value, set := g.constants.ints[int(i.Int)]
	switch {
	case !set && !g.constants.declared[i.Int]:
		g.report("PICA017", pc, "nothing sets or declares i%d", i.Int)
	case g.spelled(i.Int):
		g.report("PICA017", pc, "i%d.x is spelled %d and becomes %d: %d passes", i.Int, g.shader.Counts[int(i.Int)],
			value[0], int(value[0])+1)
	case set && value[0] == 255 && g.shader.Counts == nil:
		g.report("PICA017", pc, "i%d.x is 255, which is 256 passes", i.Int)
	}
}

// spelled reports whether the source spells a count that does not fit a byte.
func (g *Graph) spelled(register uint8) bool {
	count, found := g.shader.Counts[int(register)]
	return found && (count < 0 || count > 255)
}

// movesInARow reports a MOVA that directly follows another one.
func (g *Graph) movesInARow() {
	for _, n := range g.nodes {
		if int(n.pc) < len(g.code) && n.moved && pica.OpcodeOf(g.code[n.pc]) == pica.MOVA {
			g.report("PICA002", int(n.pc), "the instruction before is a MOVA, too")
		}
	}
}

// declarations compares the tables of the file with what the program does.
func (g *Graph) declarations(words []access, reached []bool) {
	var written cells
	read := map[byte]map[int]bool{'v': {}, 'c': {}, 'i': {}, 'b': {}}
	anywhere := false // an index may reach any float uniform
	for pc, word := range g.code {
		if !reached[pc] {
			continue
		}
		written = written.union(words[pc].writes)
		i := decode.Decode(word)
		info := &pica.Opcodes[i.Op]
		for k := range info.Sources {
			n := int(i.Src[k])
			switch {
			case n >= pica.SourceUniform:
				read['c'][n-pica.SourceUniform] = true
				anywhere = anywhere || k == int(i.IndexedSource) && i.Index != pica.IndexNone
			case n < pica.SourceTemporary:
				read['v'][n] = true
			}
		}
		switch {
		case info.Flow == pica.FlowLoop:
			read['i'][int(i.Int)] = true
		case info.Condition == pica.OnUniform || info.Condition == pica.OnUniformInverse:
			read['b'][int(i.Bool)] = true
		}
	}
	declared := uint64(0)
	for _, o := range g.shader.Outputs {
		declared |= 15 << (4 * min(o.Register, 15)) // MOV writes all components, whatever the mask
	}
	if undeclared := (cells{outputs: written.outputs &^ declared}).names(); len(undeclared) > 0 &&
		len(g.shader.Outputs) > 0 {
		g.report("PICA008", -1, "written and not declared: %s", strings.Join(undeclared, ", "))
	}
	for _, u := range slices.Concat(g.shader.Inputs, g.shader.Uniforms) {
		used := u.Class == 'c' && anywhere
		for r := max(u.First, 0); r <= min(u.Last, pica.NumFloats-1); r++ {
			used = used || read[u.Class][r]
		}
		if !used {
			g.unread[u] = true
		}
	}
}

// named returns a name of a file for a message: quoted if it is empty or holds anything but
// letters, digits and marks, and cut if it is long.
func named(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }) {
		return strconv.Quote(s)
	}
	return s
}
