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

// put sets bits low and up of a word.
func (d *spoiled) put(at, low, width int, v uint64) bool {
	mask := uint64(1<<width-1) << low
	binary.LittleEndian.PutUint64(d.code[8*at:], d.word(at)&^mask|v<<low&mask)
	return true
}

// flow picks a control-flow word with one of some names.
func (d *spoiled) flow(names ...string) (at int, ok bool) {
	var list []int
	for i := range d.p.CF {
		if slices.Contains(names, d.p.CF[i].Op().Name) {
			list = append(list, d.p.CF[i].At)
		}
	}
	return d.pick(list)
}

// first returns the first instruction of an ALU clause that has no literals.
func (d *spoiled) first() (at int, ok bool) {
	for i := range d.p.Clauses {
		if c := &d.p.Clauses[i]; c.Kind == latte.ALUClause && d.p.Groups[c.First].LiteralWords == 0 {
			return int(d.p.ALU[d.p.Groups[c.First].First].At), true
		}
	}
	return 0, false
}

func (d *spoiled) pick(list []int) (int, bool) {
	if len(list) == 0 {
		return 0, false
	}
	return gen.Pick(d.c, list), true
}

// inFlow is a fault that sets bits of a control-flow word with one of some names.
func inFlow(low, width int, v uint64, names ...string) func(*spoiled) bool {
	return func(d *spoiled) bool {
		at, ok := d.flow(names...)
		return ok && d.put(at, low, width, v)
	}
}

// inALU is a fault that sets bits of an instruction that holds.
func inALU(low, width int, v uint64, holds func(d *spoiled, a *latte.ALU) bool) func(*spoiled) bool {
	return func(d *spoiled) bool {
		var list []int
		for i := range d.p.ALU {
			if holds(d, &d.p.ALU[i]) {
				list = append(list, int(d.p.ALU[i].At))
			}
		}
		at, ok := d.pick(list)
		return ok && d.put(at, low, width, v)
	}
}

// inFetch is a fault that sets bits of a word of a fetch in a vertex clause, or of a sample.
func inFetch(kind latte.Kind, word, low, width int, v uint64) func(*spoiled) bool {
	return func(d *spoiled) bool {
		var list []int
		for i := range d.p.Fetches {
			f := &d.p.Fetches[i]
			if f.Kind == kind && (kind == latte.VertexClause || strings.HasPrefix(f.Op().Name, "SAMPLE")) {
				list = append(list, f.At)
			}
		}
		at, ok := d.pick(list)
		return ok && d.put(at+word, low, width, v)
	}
}

// inGroup is a fault of a group that holds.
func inGroup(holds func(d *spoiled, g *latte.Group) bool,
	spoil func(d *spoiled, first int, g *latte.Group)) func(*spoiled) bool {
	return func(d *spoiled) bool {
		var list []int
		for i := range d.p.Groups {
			if holds(d, &d.p.Groups[i]) {
				list = append(list, i)
			}
		}
		i, ok := d.pick(list)
		if ok {
			g := &d.p.Groups[i]
			spoil(d, int(d.p.ALU[g.First].At), g)
		}
		return ok
	}
}

// inStructure is a fault of the structure.
func inStructure(spoil func(s *latte.Structure) bool) func(*spoiled) bool {
	return func(d *spoiled) bool { return spoil(d.s) }
}

// clauses are the control-flow words with clauses; plain are clauses without a push, a pop or a break.
var (
	plain   = []string{"ALU"}
	fetchCF = []string{"TEX", "VTX"}
	loopCF  = []string{"LOOP_START", "LOOP_START_DX10", "LOOP_START_NO_AL"}
	exits   = []string{"JUMP", "ELSE", "LOOP_BREAK", "LOOP_CONTINUE"}
)

func any2(_ *spoiled, a *latte.ALU) bool { return isOP2(a.Words) }

func isOP2(w uint64) bool { return w>>47&7 == 0 }

func opOf(w uint64) uint64 { return w >> 39 & 0x7FF }

func reduction(d *spoiled, g *latte.Group) bool {
	w := d.p.ALU[g.First].Words
	return isOP2(w) && slices.Contains(reducers, opOf(w))
}

// several is a group of at least n instructions without literals that is no reduction.
func several(n int) func(d *spoiled, g *latte.Group) bool {
	return func(d *spoiled, g *latte.Group) bool {
		if g.Count < n || g.LiteralWords > 0 || reduction(d, g) {
			return false
		}
		for _, a := range d.p.ALU[g.First : g.First+n] {
			if a.Unit == unitT {
				return false
			}
		}
		return true
	}
}

// threeInT is a group without literals that ends with an instruction of three sources in t.
func threeInT(d *spoiled, g *latte.Group) bool {
	last := &d.p.ALU[g.First+g.Count-1]
	return last.Unit == unitT && !isOP2(last.Words) && g.LiteralWords == 0
}

// Faults breaks rules of package latte, in the order of their ids.
var Faults = []Fault{
	{"LATTE001", func(d *spoiled) bool { d.code = d.code[:len(d.code)-1-d.c.Below(7)]; return true }},
	{"LATTE002", func(d *spoiled) bool {
		for i := range d.p.CF {
			if at := d.p.CF[i].At; d.word(at)&end != 0 && d.p.CF[i].Clause < 0 {
				d.code = d.code[:8*at]
				return at > 0
			}
		}
		return false
	}},
	{"LATTE003", inFlow(55, 7, 0x1E, "TEX", "CALL_FS", "EXP", "EXP_DONE")},
	{"LATTE004", inFlow(0, 22, 1<<22-2, append(slices.Clone(fetchCF), plain...)...)},
	{"LATTE005", func(d *spoiled) bool {
		at, ok := d.flow(fetchCF...)
		return ok && d.put(at, 0, 32, d.word(at)-1)
	}},
	{"LATTE006", inFlow(0, 22, 0, plain...)},
	{"LATTE007", func(d *spoiled) bool {
		from, ok := d.flow(plain...)
		to, _ := d.flow(plain...)
		return ok && from != to && d.put(to, 0, 32, d.word(from)) && d.put(to, 32, 32, d.word(from)>>32)
	}},
	{"LATTE008", func(d *spoiled) bool { d.code = append(d.code, make([]byte, 8*(1+d.c.Below(4)))...); return true }},
	{"LATTE009", func(d *spoiled) bool {
		if len(d.p.Gaps) == 0 {
			return false
		}
		return d.put(gen.Pick(d.c, d.p.Gaps).At, 8*d.c.Below(8), 8, 1+d.c.Bits(7))
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
			return ok && d.put(at, 13, 2, 1)
		}
		return ok && d.put(at, 13, 2, 0)
	}},
	{"LATTE021", inFlow(0, 13, 100, "EXP", "EXP_DONE")},
	{"LATTE022", inFlow(32, 3, 6, "EXP", "EXP_DONE")},
	{"LATTE023", func(d *spoiled) bool {
		at, ok := d.flow("EXP_DONE")
		return ok && d.put(at, 15, 7, 127) && d.put(at, 49, 4, 1)
	}},
	{"LATTE024", inFlow(55, 7, cfExpDone, "EXP")},
	{"LATTE025", inFlow(55, 7, cfExp, "EXP_DONE")},
	{"LATTE026", inFlow(32, 3, 7, "POP")},
	{"LATTE027", inFlow(32, 3, 0, "POP")},
	{"LATTE030", inALU(39, 8, 0xFF, any2)},
	{"LATTE031", func(d *spoiled) bool {
		var lasts []int
		for i := range d.p.Clauses {
			if c := &d.p.Clauses[i]; c.Kind == latte.ALUClause {
				if g := &d.p.Groups[c.First+c.Count-1]; g.LiteralWords == 0 {
					lasts = append(lasts, int(d.p.ALU[g.First+g.Count-1].At))
				}
			}
		}
		at, ok := d.pick(lasts)
		return ok && d.put(at, 31, 1, 0)
	}},
	{"LATTE032", inGroup(several(2), func(d *spoiled, first int, _ *latte.Group) {
		const mova = 0x15 // vector units alone
		for k := range 2 {
			d.put(first+k, 39, 11, mova)
			d.put(first+k, 61, 2, 0)
		}
	})},
	{"LATTE033", inGroup(several(2), func(d *spoiled, first int, g *latte.Group) {
		a, b := d.word(first), d.word(first+1)
		last := b & (1 << 31)
		binary.LittleEndian.PutUint64(d.code[8*first:], b&^(1<<31))
		binary.LittleEndian.PutUint64(d.code[8*first+8:], a|last)
	})},
	{"LATTE034", inGroup(func(d *spoiled, g *latte.Group) bool {
		if g.LiteralWords != 1 {
			return false
		}
		for _, a := range d.p.ALU[g.First : g.First+g.Count] {
			for _, low := range []int{0, 13, 32} {
				if a.Words>>low&0x1FF == selLiteral && a.Words>>(low+10)&3 == 1 {
					return false
				}
			}
		}
		return true
	}, func(d *spoiled, _ int, g *latte.Group) { d.put(g.LiteralAt, 32, 32, 1) })},
	{"LATTE035", inGroup(reduction, func(d *spoiled, first int, _ *latte.Group) { d.put(first+3, 39, 11, 0) })},
	{"LATTE036", inGroup(reduction, func(d *spoiled, first int, _ *latte.Group) {
		d.put(first+2, 63, 1, ^d.word(first+2)>>63)
	})},
	{"LATTE037", inALU(0, 9, 200, func(_ *spoiled, a *latte.ALU) bool { return a.Words&0x1FF != selLiteral })},
	{"LATTE038", inALU(50, 3, 6, any2)},
	{"LATTE039", inGroup(several(2), func(d *spoiled, first int, _ *latte.Group) {
		for k := range 2 { // both read channel x in cycle 0
			d.put(first+k, 0, 13, uint64(k))
			d.put(first+k, 50, 3, 0)
		}
	})},
	{"LATTE040", inGroup(several(3), func(d *spoiled, first int, _ *latte.Group) {
		for k := range 3 {
			d.put(first+k, 0, 13, selConst+uint64(2*k))
			d.put(first+k, 13, 13, selConst+uint64(2*k+1))
			d.put(first+k, 39, 11, 1) // MUL
			d.put(first+k, 50, 3, 0)
		}
	})},
	{"LATTE041", inGroup(threeInT, func(d *spoiled, first int, g *latte.Group) {
		t := first + g.Count - 1
		d.put(t, 0, 9, selInline)
		d.put(t, 13, 9, selInline)
		d.put(t, 32, 9, selInline)
	})},
	{"LATTE042", inGroup(threeInT, func(d *spoiled, first int, g *latte.Group) {
		t := first + g.Count - 1
		d.put(t, 0, 9, selInline)
		d.put(t, 32, 13, 1)
		d.put(t, 50, 3, 0) // the third source in cycle 0
	})},
	{"LATTE043", func(d *spoiled) bool {
		var locked []int
		for i := range d.p.Clauses {
			c := &d.p.Clauses[i]
			for g := c.First; c.Kind == latte.ALUClause && g < c.First+c.Count; g++ {
				sel := d.p.ALU[d.p.Groups[g].First].Words & 0x1FF
				if sel >= selKC0 && sel < selKC1+32 {
					locked = append(locked, d.p.CF[c.CF].At)
				}
			}
		}
		at, ok := d.pick(locked)
		return ok && d.put(at, 30, 4, 0)
	}},
	{"LATTE044", inALU(13, 9, selLiteral, func(_ *spoiled, a *latte.ALU) bool {
		return isOP2(a.Words) && slices.Contains(anyOne, opOf(a.Words))
	})},
	{"LATTE045", func(d *spoiled) bool {
		var readers []int
		for i := range d.p.Clauses {
			c := &d.p.Clauses[i]
			for k := c.First + 1; c.Kind == latte.ALUClause && k < c.First+c.Count; k++ {
				g, before := &d.p.Groups[k], &d.p.Groups[k-1]
				if d.p.ALU[before.First+before.Count-1].Unit != unitT && g.LiteralWords == 0 {
					readers = append(readers, int(d.p.ALU[g.First].At))
				}
			}
		}
		at, ok := d.pick(readers)
		return ok && d.put(at, 0, 13, selPS)
	}},
	{"LATTE046", inALU(29, 2, 1, any2)},
	{"LATTE047", inALU(26, 3, 7, any2)},
	{"LATTE048", func(d *spoiled) bool {
		at, ok := d.first()
		return ok && d.put(at, 0, 13, selPS)
	}},
	{"LATTE049", func(d *spoiled) bool {
		at, ok := d.first()
		return ok && d.put(at, 0, 13, 1|1<<9)
	}},
	{"LATTE050", inGroup(several(2), func(d *spoiled, first int, _ *latte.Group) {
		d.put(first, 39, 11, 0x18) // MOVA_INT
		d.put(first+1, 0, 13, 1|1<<9)
	})},
	{"LATTE051", inGroup(several(2), func(d *spoiled, first int, _ *latte.Group) {
		for k := range 2 {
			d.put(first+k, 39, 11, 0x20) // PRED_SETE
		}
	})},
	{"LATTE052", inALU(34, 1, 1, func(_ *spoiled, a *latte.ALU) bool {
		return isOP2(a.Words) && slices.Contains(anyTwo, opOf(a.Words))
	})},
	{"LATTE053", inALU(34, 1, 0, func(_ *spoiled, a *latte.ALU) bool {
		return isOP2(a.Words) && slices.Contains(setters, opOf(a.Words))
	})},
	{"LATTE054", inGroup(func(d *spoiled, g *latte.Group) bool {
		return several(2)(d, g) && d.p.ALU[g.First+g.Count-1].Unit != unitT
	}, func(d *spoiled, first int, g *latte.Group) {
		for k := range 2 { // the second goes to t
			d.put(first+k, 32, 31, 1<<4|0x19<<7) // MOV R0.x
		}
	})},
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
		d.put(at, 0, 32, uint64(len(d.code)/8))
		d.code = append(d.code, bytes.Repeat(fetch, 9)...)
		return d.put(at, 42, 3, 0) && d.put(at, 51, 1, 1)
	}},
	{"LATTE062", inGroup(func(d *spoiled, g *latte.Group) bool {
		return g.Count == 2 && several(2)(d, g)
	}, func(d *spoiled, first int, _ *latte.Group) {
		for k := range 2 {
			d.put(first+k, 0, 13, selConst+uint64(2*k))
			d.put(first+k, 13, 13, selConst+1)
			d.put(first+k, 39, 11, 1) // MUL
		}
	})},
	{"LATTE070", inStructure(func(s *latte.Structure) bool { s.GPRs--; return s.GPRs > 0 })},
	{"LATTE071", inStructure(func(s *latte.Structure) bool { s.GPRs += 20; return true })},
	{"LATTE072", inStructure(func(s *latte.Structure) bool { s.Stack--; return s.Stack >= 0 })},
	{"LATTE073", inStructure(func(s *latte.Structure) bool { s.Stack++; return true })},
	{"LATTE074", func(d *spoiled) bool {
		for i := range d.p.CF {
			if at := d.p.CF[i].At; d.p.CF[i].Op().Name == "EXP_DONE" && d.word(at)>>13&3 == 2 {
				return d.put(at, 0, 13, 20)
			}
		}
		return false
	}},
	{"LATTE075", ofVertex(func(s *latte.Structure) { s.Parameters++ })},
	{"LATTE076", ofVertex(func(s *latte.Structure) { s.OutIDs = nil })},
	{"LATTE077", ofVertex(func(s *latte.Structure) { s.OutIDs[0] = 0xFF })},
	{"LATTE078", func(d *spoiled) bool {
		for i := range d.p.CF {
			if at := d.p.CF[i].At; d.p.CF[i].Op().Name[:3] == "EXP" && d.word(at)&0x7FFF == 60|1<<13 {
				return d.put(at, 0, 13, 63)
			}
		}
		return false
	}},
	{"LATTE079", ofVertex(func(s *latte.Structure) { s.Positions++ })},
	{"LATTE080", ofPixel(func(s *latte.Structure) { s.Colours++ })},
	{"LATTE081", ofPixel(func(s *latte.Structure) { s.Depth = !s.Depth })},
	{"LATTE082", ofPixel(func(s *latte.Structure) { s.ColourMask ^= 1 << 28 })},
	{"LATTE083", ofPixel(func(s *latte.Structure) { s.Kill = !s.Kill })},
	{"LATTE084", inStructure(func(s *latte.Structure) bool {
		used := len(s.Samplers) > 0
		s.Samplers = []uint32{100}
		return used
	})},
	{"LATTE085", inFetch(latte.TextureClause, 1, 15, 5, 18)},
	{"LATTE086", inStructure(func(s *latte.Structure) bool { s.Samplers = append(s.Samplers, 100); return true })},
	{"LATTE087", inStructure(func(s *latte.Structure) bool {
		s.Mode ^= latte.BlockMode
		return s.Mode == latte.BlockMode && s.UniformRows > 0
	})},
	{"LATTE088", inStructure(func(s *latte.Structure) bool {
		used := slices.ContainsFunc(s.Blocks, func(b latte.Block) bool { return b.Bytes > 16 }) // by an operand
		s.Blocks = []latte.Block{{Number: 100, Bytes: 16}}
		return used
	})},
	{"LATTE089", inStructure(func(s *latte.Structure) bool {
		used := false
		for i := range s.Blocks {
			used = used || s.Blocks[i].Bytes > 16
			s.Blocks[i].Bytes = 0
		}
		return used && s.Mode == latte.BlockMode
	})},
	{"LATTE090", inStructure(func(s *latte.Structure) bool {
		used := len(s.Blocks) > 0 && s.Mode == latte.RegisterMode
		s.Blocks = []latte.Block{{Number: 100, Bytes: 16}}
		return used
	})},
	{"LATTE091", inStructure(func(s *latte.Structure) bool { s.UniformRows--; return s.UniformRows > 0 })},
	{"LATTE092", inStructure(func(s *latte.Structure) bool {
		used := len(s.Loops) > 0
		s.Loops = nil
		return used
	})},
	{"LATTE093", inStructure(func(s *latte.Structure) bool {
		used := len(s.Loops) > 0
		s.Loops = []uint32{0}
		return !used
	})},
	{"LATTE094", func(d *spoiled) bool {
		at, ok := d.flow("CALL_FS")
		d.s.Attributes = max(d.s.Attributes, 1)
		return ok && d.put(at, 55, 7, cfNop)
	}},
	{"LATTE095", func(d *spoiled) bool {
		d.s.Inputs, d.s.Attributes = nil, 0
		at, ok := d.first()
		runs := d.p.CF[d.p.Clauses[0].CF].At // first of all
		return ok && (runs == 0 || runs == 1 && d.s.Stage == latte.Vertex) && at == d.p.Clauses[0].At &&
			d.word(at)&0x3FF < selKC0 &&
			!slices.ContainsFunc(d.p.ALU, func(a latte.ALU) bool { return a.Words>>60&1 != 0 })
	}},
	{"LATTE096", inStructure(func(s *latte.Structure) bool {
		used := len(s.Samplers)+len(s.Blocks)+s.UniformRows > 0
		s.Samplers, s.Blocks, s.UniformRows = nil, nil, 0
		return used
	})},
}

// ofVertex and ofPixel are faults of the structures of a stage.
func ofVertex(spoil func(s *latte.Structure)) func(*spoiled) bool {
	return ofStage(latte.Vertex, spoil)
}

func ofPixel(spoil func(s *latte.Structure)) func(*spoiled) bool { return ofStage(latte.Pixel, spoil) }

func ofStage(stage latte.Stage, spoil func(s *latte.Structure)) func(*spoiled) bool {
	return inStructure(func(s *latte.Structure) bool {
		if s.Stage == stage {
			spoil(s)
		}
		return s.Stage == stage
	})
}
