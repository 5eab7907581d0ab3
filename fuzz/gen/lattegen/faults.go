package lattegen

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/latte"
)

// A Fault breaks a rule of package latte. Others may be broken with it.
type Fault struct {
	Rule  string
	spoil func(d *spoiled) bool // false if the program has no place for the fault
}

// Draw returns a program with the fault, and its structure. ok is false if none of some programs had a place for it.
func (f *Fault) Draw(c *gen.Choices) (code []byte, s *latte.Structure, ok bool) {
	const tries = 64
	for range tries {
		code, s = Shader(c)
		p, err := latte.Decode(code)
		if err != nil {
			return code, s, false // the test of right programs shows it
		}
		d := &spoiled{c: c, p: p, code: code, s: s}
		if f.spoil(d) {
			return d.code, s, true
		}
	}
	return nil, nil, false
}

// spoiled is a program that gets a fault.
type spoiled struct {
	c    *gen.Choices
	p    *latte.Program
	code []byte
	s    *latte.Structure
}

func (d *spoiled) word(at int) uint64 { return binary.LittleEndian.Uint64(d.code[8*at:]) }

// replaceBits gives width bits of a word, from low on, a value. It returns true, so that it can end a condition.
func (d *spoiled) replaceBits(at, low, width int, v uint64) bool {
	mask := uint64(1<<width-1) << low
	binary.LittleEndian.PutUint64(d.code[8*at:], d.word(at)&^mask|v<<low&mask)
	return true
}

// pick draws an element that holds, or returns nil.
func pick[T any](d *spoiled, list []T, holds func(*T) bool) *T {
	var found []*T
	for i := range list {
		if holds(&list[i]) {
			found = append(found, &list[i])
		}
	}
	if len(found) == 0 {
		return nil
	}
	return gen.Pick(d.c, found)
}

// flow picks a control-flow word with one of some names.
func (d *spoiled) flow(names ...string) (at int, ok bool) {
	cf := pick(d, d.p.CF, func(cf *latte.CF) bool { return slices.Contains(names, cf.Op().Name) })
	if cf == nil {
		return 0, false
	}
	return cf.At, true
}

// inFlow is a fault that sets bits of a control-flow word with one of some names.
func inFlow(low, width int, v uint64, names ...string) func(*spoiled) bool {
	return func(d *spoiled) bool {
		at, ok := d.flow(names...)
		return ok && d.replaceBits(at, low, width, v)
	}
}

// inALU is a fault that sets bits of an instruction that holds.
func inALU(low, width int, v uint64, holds func(a *latte.ALU) bool) func(*spoiled) bool {
	return func(d *spoiled) bool {
		a := pick(d, d.p.ALU, holds)
		return a != nil && d.replaceBits(int(a.At), low, width, v)
	}
}

// inFetch is a fault that sets bits of a word of a fetch in a vertex clause, or of a sample.
func inFetch(kind latte.Kind, word, low, width int, v uint64) func(*spoiled) bool {
	return func(d *spoiled) bool {
		f := pick(d, d.p.Fetches, func(f *latte.Fetch) bool {
			return f.Kind == kind && (kind == latte.VertexClause || strings.HasPrefix(f.Op().Name, "SAMPLE"))
		})
		return f != nil && d.replaceBits(f.At+word, low, width, v)
	}
}

// group is a group in its clause.
type group struct {
	*latte.Group
	list   []latte.ALU
	before []latte.ALU // of the group before, nil for the first
	last   bool
	lock   int // the word that runs the clause
}

// inGroup is a fault of a group that holds. first is the word of its first instruction.
func inGroup(holds func(g *group) bool, spoil func(d *spoiled, first int, g *group)) func(*spoiled) bool {
	return func(d *spoiled) bool {
		var all []group
		for i := range d.p.Clauses {
			c := &d.p.Clauses[i]
			var before []latte.ALU
			for k := c.First; c.Kind == latte.ALUClause && k < c.First+c.Count; k++ {
				g := &d.p.Groups[k]
				list := d.p.ALU[g.First : g.First+g.Count]
				all = append(all, group{g, list, before, k == c.First+c.Count-1, d.p.CF[c.CF].At})
				before = list
			}
		}
		g := pick(d, all, holds)
		if g != nil {
			spoil(d, int(g.list[0].At), g)
		}
		return g != nil
	}
}

// bits are bits of a word in a group: those from low on become v.
type bits struct {
	at, low, width int // at is the number of an instruction in the group, or last
	v              uint64
}

const last = -1

// setBits is a fault that sets bits in a group that holds.
func setBits(holds func(g *group) bool, list ...bits) func(*spoiled) bool {
	return inGroup(holds, func(d *spoiled, first int, g *group) {
		for _, b := range list {
			if b.at == last {
				b.at = g.Count - 1
			}
			d.replaceBits(first+b.at, b.low, b.width, b.v)
		}
	})
}

// multiply makes instruction k of a group the product of two constants.
func multiply(k int, a, b uint64) []bits {
	return []bits{{k, 0, 13, selConst + a}, {k, 13, 13, selConst + b}, {k, 39, 11, 1}}
}

// change is a fault of the structures that hold.
func change(holds func(s *latte.Structure) bool, spoil func(s *latte.Structure)) func(*spoiled) bool {
	return func(d *spoiled) bool {
		if !holds(d.s) {
			return false
		}
		spoil(d.s)
		return true
	}
}

// of holds for the structures of a stage.
func of(stage latte.Stage) func(s *latte.Structure) bool {
	return func(s *latte.Structure) bool { return s.Stage == stage }
}

func always(*latte.Structure) bool { return true }

func hasLoops(s *latte.Structure) bool { return len(s.Loops) > 0 }

// readsBlock holds if an operand is in a block: a fetch needs no more than a row.
func readsBlock(s *latte.Structure) bool {
	return slices.ContainsFunc(s.Blocks, func(b latte.Block) bool { return b.Bytes > 16 })
}

func otherBlocks(s *latte.Structure) { s.Blocks = []latte.Block{{Number: 100, Bytes: 16}} }

// clauses are the control-flow words with clauses; plain are clauses without a push, a pop or a break.
var (
	plain   = []string{"ALU"}
	fetchCF = []string{"TEX", "VTX"}
	loopCF  = []string{"LOOP_START", "LOOP_START_DX10", "LOOP_START_NO_AL"}
	exits   = []string{"JUMP", "ELSE", "LOOP_BREAK", "LOOP_CONTINUE"}
)

func isOP2(a *latte.ALU) bool { return a.Words>>47&7 == 0 }

// oneOf is an instruction with one of some opcodes.
func oneOf(opcodes []uint64) func(a *latte.ALU) bool {
	return func(a *latte.ALU) bool { return isOP2(a) && slices.Contains(opcodes, a.Words>>39&0x7FF) }
}

// readsSecond reports whether an instruction reads the second literal.
func readsSecond(a latte.ALU) bool {
	return slices.ContainsFunc([]int{0, 13, 32}, func(low int) bool {
		return a.Words>>low&0x1FF == selLiteral && a.Words>>(low+10)&3 == 1
	})
}

func reduction(g *group) bool { return oneOf(reducers)(&g.list[0]) }

// several is a group of at least n instructions without literals that is no reduction.
func several(n int) func(g *group) bool {
	return func(g *group) bool {
		return g.Count >= n && g.LiteralWords == 0 && !reduction(g) &&
			!slices.ContainsFunc(g.list[:n], func(a latte.ALU) bool { return a.Unit == unitT })
	}
}

// hasT reports whether the last instruction of a group is in t.
func hasT(list []latte.ALU) bool { return list[len(list)-1].Unit == unitT }

// threeInT is a group without literals that ends with an instruction of three sources in t.
func threeInT(g *group) bool {
	return hasT(g.list) && !isOP2(&g.list[g.Count-1]) && g.LiteralWords == 0
}

// opens is a group without literals that a clause starts with.
func opens(g *group) bool { return g.before == nil && g.LiteralWords == 0 }

// Faults breaks rules of package latte, in the order of their ids.
var Faults = []Fault{
	{"LATTE001", func(d *spoiled) bool { d.code = d.code[:len(d.code)-1-d.c.Below(7)]; return true }},
	{"LATTE002", func(d *spoiled) bool {
		cf := pick(d, d.p.CF, func(cf *latte.CF) bool { return cf.Words&end != 0 && cf.Clause < 0 })
		d.code = d.code[:8*cf.At]
		return cf.At > 0
	}},
	{"LATTE003", inFlow(55, 7, 0x1E, "TEX", "CALL_FS", "EXP", "EXP_DONE")},
	{"LATTE004", inFlow(0, 22, 1<<22-2, append(slices.Clone(fetchCF), plain...)...)},
	{"LATTE005", func(d *spoiled) bool {
		at, ok := d.flow(fetchCF...)
		return ok && d.replaceBits(at, 0, 32, d.word(at)-1)
	}},
	{"LATTE006", inFlow(0, 22, 0, plain...)},
	{"LATTE007", func(d *spoiled) bool {
		from, ok := d.flow(plain...)
		to, _ := d.flow(plain...)
		return ok && from != to && d.replaceBits(to, 0, 32, d.word(from)) && d.replaceBits(to, 32, 32, d.word(from)>>32)
	}},
	{"LATTE008", func(d *spoiled) bool { d.code = append(d.code, make([]byte, 8*(1+d.c.Below(4)))...); return true }},
	{"LATTE009", func(d *spoiled) bool {
		if len(d.p.Gaps) == 0 {
			return false
		}
		return d.replaceBits(gen.Pick(d.c, d.p.Gaps).At, 8*d.c.Below(8), 8, 1+d.c.Bits(7))
	}},
	{"LATTE010", func(d *spoiled) bool { d.code = append(d.code, append(make([]byte, 15), 1)...); return true }},
	{"LATTE011", inFlow(0, 22, 1<<21, exits...)},
	{"LATTE012", inFlow(52, 1, 1, "TEX", "CALL_FS", "POP")},
	{"LATTE013", inFlow(55, 7, cfNop, append(slices.Clone(loopCF), "LOOP_END")...)},
	{"LATTE014", inFlow(0, 22, 0, "LOOP_END")},
	{"LATTE015", inFlow(0, 22, 0, "JUMP", "ELSE")},
	{"LATTE016", inFlow(0, 22, 1, "CALL_FS", "RETURN")},
	{"LATTE017", inFlow(55, 7, 0x1B, "TEX")},
	{"LATTE018", inFlow(58, 4, 12, plain...)},
	{"LATTE019", inFlow(13, 2, 3, "EXP", "EXP_DONE")},
	{"LATTE020", func(d *spoiled) bool {
		at, ok := d.flow("EXP", "EXP_DONE")
		if d.s.Stage == latte.Pixel {
			return ok && d.replaceBits(at, 13, 2, 1)
		}
		return ok && d.replaceBits(at, 13, 2, 0)
	}},
	{"LATTE021", inFlow(0, 13, 100, "EXP", "EXP_DONE")},
	{"LATTE022", inFlow(32, 3, 6, "EXP", "EXP_DONE")},
	{"LATTE023", func(d *spoiled) bool {
		at, ok := d.flow("EXP_DONE")
		return ok && d.replaceBits(at, 15, 7, 127) && d.replaceBits(at, 49, 4, 1)
	}},
	{"LATTE024", inFlow(55, 7, cfExpDone, "EXP")},
	{"LATTE025", inFlow(55, 7, cfExp, "EXP_DONE")},
	{"LATTE026", inFlow(32, 3, 7, "POP")},
	{"LATTE027", inFlow(32, 3, 0, "POP")},
	{"LATTE030", inALU(39, 8, 0xFF, isOP2)},
	{"LATTE031", setBits(func(g *group) bool { return g.last && g.LiteralWords == 0 }, bits{last, 31, 1, 0})},
	{"LATTE032", setBits(several(2), // MOVA, which vector units alone run, twice in x
		bits{0, 39, 11, 0x15}, bits{0, 61, 2, 0}, bits{1, 39, 11, 0x15}, bits{1, 61, 2, 0})},
	{"LATTE033", inGroup(several(2), func(d *spoiled, first int, g *group) {
		a, b := d.word(first), d.word(first+1)
		last := b & (1 << 31)
		binary.LittleEndian.PutUint64(d.code[8*first:], b&^(1<<31))
		binary.LittleEndian.PutUint64(d.code[8*first+8:], a|last)
	})},
	{"LATTE034", inGroup(func(g *group) bool {
		return g.LiteralWords == 1 && !slices.ContainsFunc(g.list, readsSecond)
	}, func(d *spoiled, _ int, g *group) { d.replaceBits(g.LiteralAt, 32, 32, 1) })},
	{"LATTE035", setBits(reduction, bits{3, 39, 11, 0})},
	{"LATTE036", inGroup(reduction, func(d *spoiled, first int, _ *group) {
		d.replaceBits(first+2, 63, 1, ^d.word(first+2)>>63)
	})},
	{"LATTE037", inALU(0, 9, 200, func(a *latte.ALU) bool { return a.Words&0x1FF != selLiteral })},
	{"LATTE038", inALU(50, 3, 6, isOP2)},
	{"LATTE039", setBits(several(2), // both read channel x in cycle 0
		bits{0, 0, 13, 0}, bits{0, 50, 3, 0}, bits{1, 0, 13, 1}, bits{1, 50, 3, 0})},
	{"LATTE040", setBits(several(3), slices.Concat(multiply(0, 0, 1), multiply(1, 2, 3), multiply(2, 4, 5),
		[]bits{{0, 50, 3, 0}, {1, 50, 3, 0}, {2, 50, 3, 0}})...)},
	{"LATTE041", setBits(threeInT, bits{last, 0, 9, selInline}, bits{last, 13, 9, selInline},
		bits{last, 32, 9, selInline})},
	{"LATTE042", setBits(threeInT, // the third source in cycle 0
		bits{last, 0, 9, selInline}, bits{last, 32, 13, 1}, bits{last, 50, 3, 0})},
	{"LATTE043", inGroup(func(g *group) bool {
		sel := g.list[0].Words & 0x1FF
		return sel >= selKC0 && sel < selKC1+32
	}, func(d *spoiled, _ int, g *group) { d.replaceBits(g.lock, 30, 4, 0) })},
	{"LATTE044", inALU(13, 9, selLiteral, oneOf(anyOne))},
	{"LATTE045", setBits(func(g *group) bool {
		return g.before != nil && !hasT(g.before) && g.LiteralWords == 0
	}, bits{0, 0, 13, selPS})},
	{"LATTE046", inALU(29, 2, 1, isOP2)},
	{"LATTE047", inALU(26, 3, 7, isOP2)},
	{"LATTE048", setBits(opens, bits{0, 0, 13, selPS})},
	{"LATTE049", setBits(opens, bits{0, 0, 13, 1 | 1<<9})},
	{"LATTE050", setBits(several(2), bits{0, 39, 11, 0x18}, bits{1, 0, 13, 1 | 1<<9})}, // MOVA_INT
	{"LATTE051", setBits(several(2), bits{0, 39, 11, 0x20}, bits{1, 39, 11, 0x20})},    // PRED_SETE
	{"LATTE052", inALU(34, 1, 1, oneOf(anyTwo))},
	{"LATTE053", inALU(34, 1, 0, oneOf(setters))},
	{"LATTE054", setBits(func(g *group) bool {
		return several(2)(g) && !hasT(g.list)
	}, bits{0, 32, 31, 1<<4 | 0x19<<7}, bits{1, 32, 31, 1<<4 | 0x19<<7})}, // MOV R0.x, of which the second goes to t
	{"LATTE055", inFetch(latte.TextureClause, 1, 32, 32, 0x0DEADFEC)},
	{"LATTE056", inFetch(latte.TextureClause, 0, 6, 1, 1)},
	{"LATTE057", inFetch(latte.VertexClause, 0, 0, 5, 9)},
	{"LATTE058", inFetch(latte.VertexClause, 0, 41, 3, 6)},
	{"LATTE059", inFetch(latte.TextureClause, 0, 8, 8, 100)},
	{"LATTE060", inFetch(latte.TextureClause, 1, 20, 3, 7)},
	{"LATTE061", func(d *spoiled) bool { // a clause of nine copies of a fetch, behind all others
		at, ok := d.flow(fetchCF...)
		if !ok {
			return false
		}
		fetch := d.code[8*(d.word(at)&(1<<32-1)):][:16]
		if len(d.code)%16 != 0 {
			d.code = append(d.code, make([]byte, 8)...)
		}
		d.replaceBits(at, 0, 32, uint64(len(d.code)/8))
		d.code = append(d.code, bytes.Repeat(fetch, 9)...)
		return d.replaceBits(at, 42, 3, 0) && d.replaceBits(at, 51, 1, 1)
	}},
	{"LATTE062", setBits(func(g *group) bool {
		return g.Count == 2 && several(2)(g)
	}, append(multiply(0, 0, 1), multiply(1, 2, 1)...)...)},
	{"LATTE070", change(func(s *latte.Structure) bool { return s.GPRs > 1 }, func(s *latte.Structure) { s.GPRs-- })},
	{"LATTE071", change(always, func(s *latte.Structure) { s.GPRs += 20 })},
	{"LATTE072", change(func(s *latte.Structure) bool { return s.Stack > 0 }, func(s *latte.Structure) { s.Stack-- })},
	{"LATTE073", change(always, func(s *latte.Structure) { s.Stack++ })},
	{"LATTE074", inExport(func(op, w uint64) bool { return op == cfExpDone && w>>13&3 == 2 }, 20)},
	{"LATTE075", change(of(latte.Vertex), func(s *latte.Structure) { s.Parameters++ })},
	{"LATTE076", change(of(latte.Vertex), func(s *latte.Structure) { s.OutIDs = nil })},
	{"LATTE077", change(of(latte.Vertex), func(s *latte.Structure) { s.OutIDs[0] = 0xFF })},
	{"LATTE078", inExport(func(_, w uint64) bool { return w&0x7FFF == 60|1<<13 }, 63)},
	{"LATTE079", change(of(latte.Vertex), func(s *latte.Structure) { s.Positions++ })},
	{"LATTE080", change(of(latte.Pixel), func(s *latte.Structure) { s.Colours++ })},
	{"LATTE081", change(of(latte.Pixel), func(s *latte.Structure) { s.Depth = !s.Depth })},
	{"LATTE082", change(of(latte.Pixel), func(s *latte.Structure) { s.ColourMask ^= 1 << 28 })},
	{"LATTE083", change(of(latte.Pixel), func(s *latte.Structure) { s.Kill = !s.Kill })},
	{"LATTE084", change(func(s *latte.Structure) bool { return len(s.Samplers) > 0 },
		func(s *latte.Structure) { s.Samplers = []uint32{100} })},
	{"LATTE085", inFetch(latte.TextureClause, 1, 15, 5, 18)},
	{"LATTE086", change(always, func(s *latte.Structure) { s.Samplers = append(s.Samplers, 100) })},
	{"LATTE087", change(func(s *latte.Structure) bool { return s.Mode == latte.RegisterMode && s.UniformRows > 0 },
		func(s *latte.Structure) { s.Mode = latte.BlockMode })},
	{"LATTE088", change(readsBlock, otherBlocks)},
	{"LATTE089", change(readsBlock, func(s *latte.Structure) {
		for i := range s.Blocks {
			s.Blocks[i].Bytes = 0
		}
	})},
	{"LATTE090", change(func(s *latte.Structure) bool {
		return len(s.Blocks) > 0 && s.Mode == latte.RegisterMode
	}, otherBlocks)},
	{"LATTE091", change(func(s *latte.Structure) bool { return s.UniformRows > 1 },
		func(s *latte.Structure) { s.UniformRows-- })},
	{"LATTE092", change(hasLoops, func(s *latte.Structure) { s.Loops = nil })},
	{"LATTE093", change(func(s *latte.Structure) bool { return !hasLoops(s) },
		func(s *latte.Structure) { s.Loops = []uint32{0} })},
	{"LATTE094", func(d *spoiled) bool {
		at, ok := d.flow("CALL_FS")
		d.s.Attributes = max(d.s.Attributes, 1)
		return ok && d.replaceBits(at, 55, 7, cfNop)
	}},
	{"LATTE095", func(d *spoiled) bool {
		d.s.Inputs, d.s.Attributes = nil, 0
		c := &d.p.Clauses[0]
		runs := d.p.CF[c.CF].At // first of all
		return c.Kind == latte.ALUClause && (runs == 0 || runs == 1 && d.s.Stage == latte.Vertex) &&
			d.word(c.At)&0x3FF < selKC0 &&
			!slices.ContainsFunc(d.p.ALU, func(a latte.ALU) bool { return a.Words>>60&1 != 0 })
	}},
	{"LATTE096", change(func(s *latte.Structure) bool { return len(s.Samplers)+len(s.Blocks)+s.UniformRows > 0 },
		func(s *latte.Structure) { s.Samplers, s.Blocks, s.UniformRows = nil, nil, 0 })},
}

// inExport is a fault that gives an export another number.
func inExport(holds func(op, w uint64) bool, number uint64) func(*spoiled) bool {
	return func(d *spoiled) bool {
		cf := pick(d, d.p.CF, func(cf *latte.CF) bool {
			op := cf.Words >> 55 & 0x7F
			return (op == cfExp || op == cfExpDone) && holds(op, cf.Words)
		})
		return cf != nil && d.replaceBits(cf.At, 0, 13, number)
	}
}
