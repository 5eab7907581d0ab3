package hypothesis

import (
	"fmt"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// A Sight is what a job executes: its opcodes, the conditions of its instructions, and the hypotheses with
// parameters that may change one of them.
type Sight struct {
	Opcodes    []pica.Opcode
	Conditions []Condition
	// Families are hypotheses about the words, registers and uploads of the job.
	Families []*Hypothesis
}

// See runs a job under hypotheses and returns what it executes.
func See(job *pica.Job, under ...*Hypothesis) *Sight {
	s := &Sight{}
	resolve := resolver(under)
	seen := &collector{sight: s, texts: map[string]bool{}, words: map[[2]uint32]bool{}}
	engine := composed{oracle.NewEngine(func(p *pica.Profile) (*oracle.Rules, error) {
		r, err := resolve(p)
		if err == nil {
			inner := r.Choose
			r.Choose = func(c *oracle.Control) *oracle.Rules {
				seen.instruction(c)
				if inner != nil {
					return inner(c)
				}
				return r
			}
		}
		return r, err
	}, nil)}
	if engine.Run(job, new(pica.Outcome)) != nil {
		return s
	}
	for _, h := range append(uploads(job), states()...) {
		seen.add(h)
	}
	return s
}

// collector collects a Sight.
type collector struct {
	sight *Sight
	texts map[string]bool
	words map[[2]uint32]bool
	steps int
}

// mostSeen limits the instructions that are looked at.
const mostSeen = 2000

func (s *collector) instruction(c *oracle.Control) {
	if s.steps++; s.steps > mostSeen {
		return
	}
	op := c.Op
	if !s.texts[op.String()] {
		s.texts[op.String()] = true
		s.sight.Opcodes = append(s.sight.Opcodes, op)
	}
	for _, condition := range Conditions(c) {
		if !s.texts[condition.Text] {
			s.texts[condition.Text] = true
			s.sight.Conditions = append(s.sight.Conditions, condition)
		}
	}
	if key := [2]uint32{c.Word, uint32(c.Vertex)}; s.words[key] {
		return
	} else {
		s.words[key] = true
	}
	for _, family := range families {
		for _, h := range family(c) {
			s.add(h)
		}
	}
}

func (s *collector) add(h *Hypothesis) {
	if name := h.String(); !s.texts[name] {
		s.texts[name] = true
		s.sight.Families = append(s.sight.Families, h)
	}
}

// families make the hypotheses about one instruction that [Table] does not have.
var families = []func(c *oracle.Control) []*Hypothesis{
	operands, aliases, results, arithmetic, masks, effects, flags, control, geometry,
}

// changed returns a hypothesis with a parameter.
func changed(name, rule string, apply func(r *oracle.Rules)) *Hypothesis {
	return &Hypothesis{Name: name, Rule: rule, Detail: 1, apply: apply}
}

// operands: what becomes of a source between its register and the operation.
func operands(c *oracle.Control) (list []*Hypothesis) {
	count := shape(c).Count
	for k := range count {
		for i := range 4 {
			for j := range 4 {
				if i != j {
					list = append(list, changed(
						fmt.Sprintf("lane %c of source %d is selected as its lane %c", "xyzw"[i], k+1, "xyzw"[j]),
						"each slot has a selector (1.4)", selecting(k, func(s int) int {
							return s&^(3<<(6-2*i)) | s>>(6-2*j)&3<<(6-2*i)
						})))
				}
				list = append(list, changed(
					fmt.Sprintf("lane %c of source %d is %c", "xyzw"[i], k+1, "xyzw"[j]),
					"each slot has a selector (1.4)", selecting(k, func(s int) int {
						return s&^(3<<(6-2*i)) | j<<(6-2*i)
					})))
			}
		}
		list = append(list,
			changed(fmt.Sprintf("source %d is not swizzled", k+1), "selectors choose components (1.4)",
				selecting(k, func(int) int { return pica.IdentitySwizzle })),
			reading(fmt.Sprintf("the magnitude of source %d", k+1), func(c *oracle.Control, s *[3]pica.Vec4) {
				for lane := range s[k] {
					s[k][lane] &^= c.Rules.Unit.Sign
				}
			}),
			reading(fmt.Sprintf("subnormals of source %d as 0", k+1), func(c *oracle.Control, s *[3]pica.Vec4) {
				for lane, x := range s[k] {
					if c.Rules.Unit.Exponent(x) == 0 && !c.Rules.Unit.IsZero(x) {
						s[k][lane] = 0
					}
				}
			}),
			reading(fmt.Sprintf("subnormals of source %d as zeros of their sign", k+1),
				func(c *oracle.Control, s *[3]pica.Vec4) {
					for lane, x := range s[k] {
						if c.Rules.Unit.Exponent(x) == 0 {
							s[k][lane] &= c.Rules.Unit.Sign
						}
					}
				}),
			reading(fmt.Sprintf("subnormals and zeros of source %d as 0", k+1),
				func(c *oracle.Control, s *[3]pica.Vec4) { flush(&c.Rules.Unit, &s[k]) }),
			reading(fmt.Sprintf("source %d while its destination is written", k+1), inPlace(k)),
			reading(fmt.Sprintf("-0 of source %d as 0", k+1), func(c *oracle.Control, s *[3]pica.Vec4) {
				for lane, x := range s[k] {
					if x == c.Rules.Unit.Sign {
						s[k][lane] = 0
					}
				}
			}),
			reading(fmt.Sprintf("x of source %d for all lanes", k+1), func(_ *oracle.Control, s *[3]pica.Vec4) {
				s[k] = oracle.Broadcast(s[k][0])
			}),
		)
	}
	if index(c) != pica.IndexNone {
		list = append(list, indexed()...)
	}
	if count > 1 {
		list = append(list, reading("subnormals of all sources as 0", func(c *oracle.Control, s *[3]pica.Vec4) {
			for k := range s {
				for lane, x := range s[k] {
					if c.Rules.Unit.Exponent(x) == 0 && !c.Rules.Unit.IsZero(x) {
						s[k][lane] = 0
					}
				}
			}
		}))
	}
	list = append(list, reading("no source negated", func(c *oracle.Control, s *[3]pica.Vec4) {
		_, bits := descriptor(c)
		for k := range shape(c).Count {
			if c.Rules.Encoding.Negate[k].Of(bits) != 0 {
				for lane := range s[k] {
					s[k][lane] = c.Rules.Unit.Ops.Negate(&c.Rules.Unit, s[k][lane])
				}
			}
		}
	}), reading("subnormals and zeros of all sources as 0", func(c *oracle.Control, s *[3]pica.Vec4) {
		for k := range s {
			flush(&c.Rules.Unit, &s[k])
		}
	}))
	for _, pair := range [][2]int{{0, 1}, {1, 2}, {0, 2}} {
		if pair[1] < count {
			list = append(list, reading(fmt.Sprintf("sources %d and %d exchanged", pair[0]+1, pair[1]+1),
				func(c *oracle.Control, s *[3]pica.Vec4) {
					if pair[1] < shape(c).Count {
						s[pair[0]], s[pair[1]] = s[pair[1]], s[pair[0]]
					}
				}))
		}
	}
	if s := shape(c); s.Layout != nil && count > 0 {
		list = append(list, fields(c)...)
	}
	return list
}

// flush sets the subnormals and zeros of a vector to +0.
func flush(u *oracle.Unit, v *pica.Vec4) {
	for lane, x := range v {
		if u.Exponent(x) == 0 {
			v[lane] = 0
		}
	}
}

// inPlace reads source k lane by lane, as if each lane were written before the next is read.
func inPlace(k int) func(c *oracle.Control, s *[3]pica.Vec4) {
	return func(c *oracle.Control, s *[3]pica.Vec4) {
		_, bits := descriptor(c)
		mask, selectors := c.Rules.Encoding.Mask.Of(bits), c.Rules.Encoding.Selectors[k].Of(bits)
		if d := dest(c); d < pica.DestTemporary || source(c, k) != d-pica.DestTemporary+pica.SourceTemporary {
			return
		}
		for i := range 4 {
			if j := selectors >> (6 - 2*i) & 3; j < i && mask&(8>>j) != 0 {
				s[k][i] = s[k][j]
			}
		}
	}
}

// fields: a field of the word or of the descriptor has fewer bits.
func fields(c *oracle.Control) (list []*Hypothesis) {
	op, l := c.Op, *shape(c).Layout
	narrow := func(name string, field func(l *oracle.Layout) *oracle.Field) {
		for width := uint8(1); width < field(&l).Width; width++ {
			list = append(list, changed(fmt.Sprintf("%s has %d bits", name, width),
				fmt.Sprintf("%s has %d bits (1.2)", name, field(&l).Width), func(r *oracle.Rules) {
					n := *r.Encoding.Shapes[op].Layout
					field(&n).Width = width
					for o := range r.Encoding.Shapes { // the scope decides which opcodes it holds for
						if s := &r.Encoding.Shapes[o]; s.Layout != nil && *s.Layout == l {
							s.Layout = &n
						}
					}
				}))
		}
	}
	narrow("a descriptor number", func(l *oracle.Layout) *oracle.Field { return &l.Desc })
	for k := range shape(c).Count {
		narrow(fmt.Sprintf("the number of source %d", k+1), func(l *oracle.Layout) *oracle.Field { return &l.Sources[k] })
	}
	if l.Dest.Width > 0 {
		narrow("the number of the destination", func(l *oracle.Layout) *oracle.Field { return &l.Dest })
	}
	narrow("the number of the index", func(l *oracle.Layout) *oracle.Field { return &l.Index })
	for k := range shape(c).Count {
		if k != l.Wide {
			list = append(list, changed(fmt.Sprintf("the index belongs to source %d", k+1),
				"an index belongs to the wide source (1.2)", func(r *oracle.Rules) {
					n := *r.Encoding.Shapes[op].Layout
					n.Wide = k
					r.Encoding.Shapes[op].Layout = &n
				}))
		}
	}
	return list
}

// wide stands for the wide source.
const wide = -1

// selecting misreads the selectors of source k.
func selecting(k int, misread func(selectors int) int) func(r *oracle.Rules) {
	return func(r *oracle.Rules) {
		before := r.Operands.Swizzle
		r.Operands.Swizzle = func(c *oracle.Control, source int, v *pica.Vec4, selectors int) pica.Vec4 {
			if source == k || k == wide && source == shape(c).Layout.Wide {
				selectors = misread(selectors)
			}
			return before(c, source, v, selectors)
		}
	}
}

// reading changes the sources after they are read.
func reading(what string, change func(c *oracle.Control, sources *[3]pica.Vec4)) *Hypothesis {
	return changed("reads "+what, "an instruction reads its sources as they are (1.4, 3)", func(r *oracle.Rules) {
		before := r.Operands.Read
		r.Operands.Read = func(c *oracle.Control, sources *[3]pica.Vec4) {
			if before != nil {
				before(c, sources)
			}
			change(c, sources)
		}
	})
}

// aliases: one register acts as another.
func aliases(c *oracle.Control) (list []*Hypothesis) {
	const rule = "each number names a register of its own (1.5)"
	for k := range shape(c).Count {
		n := source(c, k)
		for _, m := range others(n) {
			for _, of := range []int{-1, k} { // the general one is named if both explain the same
				text := fmt.Sprintf("%s as source %d reads %s", register(n), k+1, register(m))
				if of < 0 {
					text = fmt.Sprintf("%s reads %s", register(n), register(m))
				}
				list = append(list, changed(text, rule, func(r *oracle.Rules) {
					before := r.Operands.Source
					r.Operands.Source = func(c *oracle.Control, k, s int) int {
						if before != nil {
							s = before(c, k, s)
						}
						if s == n && (of < 0 || of == k) {
							return m
						}
						return s
					}
				}))
			}
		}
	}
	for k := range shape(c).Count { // a bank in another order
		first, end := firstOf(source(c, k))
		if end-first != pica.NumInputs {
			continue
		}
		kind := register(first)[:1]
		for _, order := range orders {
			list = append(list, changed(fmt.Sprintf("%s[n] reads %[1]s[%s]", kind, order.name), rule, func(r *oracle.Rules) {
				before := r.Operands.Source
				r.Operands.Source = func(c *oracle.Control, k, s int) int {
					if before != nil {
						s = before(c, k, s)
					}
					if s >= first && s < end {
						return first + order.of(s-first)&(pica.NumInputs-1)
					}
					return s
				}
			}))
		}
	}
	for k := range shape(c).Count { // a bank ends early
		first, bank := firstOf(source(c, k))
		for n := source(c, k); n > first && source(c, k)-n < pica.NumInputs; n-- {
			for _, m := range []int{first, oracle.Zeros} {
				list = append(list, changed(fmt.Sprintf("%s and above read %s", register(n), register(m)), rule,
					func(r *oracle.Rules) {
						before := r.Operands.Source
						r.Operands.Source = func(c *oracle.Control, k, s int) int {
							if before != nil {
								s = before(c, k, s)
							}
							if s >= n && s < bank {
								return m
							}
							return s
						}
					}))
			}
		}
	}
	n := dest(c)
	if n < 0 {
		return list
	}
	list = append(list, changed(written(n)+" is never written", rule, func(r *oracle.Rules) {
		before := r.Operands.Dest
		r.Operands.Dest = func(s *pica.State, d int) *pica.Vec4 {
			if d == n {
				lost := *before(s, d)
				return &lost
			}
			return before(s, d)
		}
	}))
	for m := range pica.DestTemporary + pica.NumTemporaries {
		if m == n {
			continue
		}
		list = append(list, changed(fmt.Sprintf("%s is written to %s", written(n), written(m)), rule,
			func(r *oracle.Rules) {
				before := r.Operands.Dest
				r.Operands.Dest = func(s *pica.State, d int) *pica.Vec4 {
					if d == n {
						d = m
					}
					return before(s, d)
				}
			}), after(fmt.Sprintf("%s is written to %s, too", written(n), written(m)), rule, func(c *oracle.Control) {
			if dest(c) == n {
				r := c.Rules
				_, bits := descriptor(c)
				r.Operands.Write(c.Op, r.Operands.Dest(&c.State, m), r.Operands.Dest(&c.State, n),
					uint8(r.Encoding.Mask.Of(bits)))
			}
		}), shared(n, m))
	}
	for _, bit := range []int{8, 4, 2, 1} {
		list = append(list, changed(fmt.Sprintf("bit %d of the number of a destination is lost", bit), rule,
			func(r *oracle.Rules) {
				before := r.Operands.Dest
				r.Operands.Dest = func(s *pica.State, d int) *pica.Vec4 { return before(s, d&^bit) }
			}))
	}
	return list
}

// orders are orders in which a bank of 16 registers may be read.
var orders = []struct {
	name string
	of   func(n int) int
}{
	{"n^1", func(n int) int { return n ^ 1 }},
	{"n^8", func(n int) int { return n ^ 8 }},
	{"15-n", func(n int) int { return 15 - n }},
	{"n+1 modulo 16", func(n int) int { return n + 1 }},
	{"n-1 modulo 16", func(n int) int { return n - 1 }},
}

// firstOf returns the first register of the bank of a source number, and the number behind its last.
func firstOf(n int) (first, end int) {
	switch {
	case n >= pica.SourceUniform:
		return pica.SourceUniform, pica.SourceUniform + pica.NumFloats
	case n >= pica.SourceTemporary:
		return pica.SourceTemporary, pica.SourceUniform
	}
	return 0, pica.SourceTemporary
}

// shared returns the hypothesis that a register is written with another one that was written before: both have one place.
func shared(n, m int) *Hypothesis {
	h := changed(fmt.Sprintf("%s is written to %s, too, where that was written before", written(n), written(m)),
		"each number names a register of its own (1.5)", func(r *oracle.Rules) {
			used := false
			begin, finish := r.Carry.Begin, r.Flow.Finish
			r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
				used = false
				begin(f, initial, vertex, kept)
			}
			r.Flow.Finish = func(c *oracle.Control) {
				switch d := dest(c); {
				case d == m:
					used = true
				case d == n && used:
					_, bits := descriptor(c)
					c.Rules.Operands.Write(c.Op, c.Rules.Operands.Dest(&c.State, m), c.Rules.Operands.Dest(&c.State, n),
						uint8(c.Rules.Encoding.Mask.Of(bits)))
				}
				finish(c)
			}
		})
	h.whole = true
	return h
}

// others returns the source numbers that a register may be taken for: those of its kind, and of the float
// uniforms those whose number differs in one bit or by one.
func others(n int) (list []int) {
	first, last := 0, pica.SourceTemporary
	switch {
	case n >= pica.SourceUniform:
		c := n - pica.SourceUniform
		seen := map[int]bool{c: true}
		for _, m := range []int{c - 1, c + 1, c ^ 1, c ^ 2, c ^ 4, c ^ 8, c ^ 16, c ^ 32, c ^ 64, 0, pica.NumFloats - 1} {
			if m >= 0 && m < pica.NumFloats && !seen[m] {
				seen[m] = true
				list = append(list, pica.SourceUniform+m)
			}
		}
		return append(list, oracle.Zeros)
	case n >= pica.SourceTemporary:
		first, last = pica.SourceTemporary, pica.SourceUniform
	}
	for m := first; m < last; m++ {
		if m != n {
			list = append(list, m)
		}
	}
	return append(list, oracle.Zeros)
}

// masks: which lanes are written.
func masks(c *oracle.Control) (list []*Hypothesis) {
	if dest(c) < 0 {
		return nil
	}
	const rule = "a mask has a bit for each component (1.4)"
	for i := range 4 {
		a := uint8(8 >> i)
		for j := i + 1; j < 4; j++ {
			b := uint8(8 >> j)
			list = append(list, masking(fmt.Sprintf("mask bits %c and %c are exchanged", "xyzw"[i], "xyzw"[j]), rule,
				func(m uint8) uint8 {
					if (m&a != 0) != (m&b != 0) {
						m ^= a | b
					}
					return m
				}))
		}
	}
	return append(list, masking("nothing is written", rule, func(uint8) uint8 { return 0 }))
}

func masking(name, rule string, misread func(mask uint8) uint8) *Hypothesis {
	return changed(name, rule, func(r *oracle.Rules) {
		before := r.Operands.Write
		r.Operands.Write = func(op pica.Opcode, to, v *pica.Vec4, mask uint8) { before(op, to, v, misread(mask)) }
	})
}

// after changes registers behind the execution of an instruction.
func after(name, rule string, change func(c *oracle.Control)) *Hypothesis {
	return changed(name, rule, func(r *oracle.Rules) {
		before := r.Flow.Finish
		r.Flow.Finish = func(c *oracle.Control) {
			change(c)
			before(c)
		}
	})
}

// effects: an instruction changes what it should leave.
func effects(c *oracle.Control) (list []*Hypothesis) {
	const rule = "an instruction changes its destination alone (1.1)"
	op := c.Op
	add := func(name string, change func(c *oracle.Control)) {
		if pica.Opcodes[op].Flow.HasTarget() && op >= pica.CALL && op <= pica.CALLU { // if it is taken
			list = append(list, changed(name, rule, func(r *oracle.Rules) {
				before := r.Flow.CALL
				r.Flow.CALL = func(c *oracle.Control, target, num int) {
					before(c, target, num)
					change(c)
				}
			}).Within(OfOpcode(op)))
			return
		}
		h := after(name, rule, change).Within(OfOpcode(op))
		list = append(list, h)
		if op == pica.END && c.Vertex > 0 { // what the host does between vertices
			for _, v := range vertices(c) {
				list = append(list, h.Within(v))
			}
		}
	}
	if op == pica.MOVA {
		for _, limit := range []struct {
			name        string
			least, most int32
		}{{"-128 and 127", -128, 127}, {"0 and 127", 0, 127}, {"0 and 255", 0, 255}, {"-127 and 127", -127, 127}} {
			add("a0 stays between "+limit.name, func(c *oracle.Control) {
				for i := range c.Address {
					c.Address[i] = min(max(c.Address[i], limit.least), limit.most)
				}
			})
			add("a0 outside "+limit.name+" is 0", func(c *oracle.Control) {
				for i, a := range c.Address {
					if a < limit.least || a > limit.most {
						c.Address[i] = 0
					}
				}
			})
		}
	}
	for n := range pica.NumTemporaries {
		add(fmt.Sprintf("r%d becomes 0", n), func(c *oracle.Control) {
			if dest(c) != n+pica.DestTemporary { // its own result comes later
				c.R[n] = pica.Vec4{}
			}
		})
	}
	for i, name := range "xyzw" {
		for _, bank := range []struct {
			name string
			of   func(c *oracle.Control) *[pica.NumOutputs]pica.Vec4
		}{
			{"o", func(c *oracle.Control) *[pica.NumOutputs]pica.Vec4 { return &c.O }},
			{"r", func(c *oracle.Control) *[pica.NumOutputs]pica.Vec4 { return &c.R }},
		} {
			for n := range pica.NumOutputs {
				add(fmt.Sprintf("%s%d.%c becomes 0", bank.name, n, name), func(c *oracle.Control) { bank.of(c)[n][i] = 0 })
				if op == pica.END {
					add(fmt.Sprintf("%s%d.%c loses its sign", bank.name, n, name),
						func(c *oracle.Control) { bank.of(c)[n][i] &^= c.Rules.Unit.Sign })
				}
			}
		}
	}
	for i, name := range "xy" {
		add(fmt.Sprintf("cc.%c becomes false", name), func(c *oracle.Control) { c.CC[i] = false })
		add(fmt.Sprintf("cc.%c becomes true", name), func(c *oracle.Control) { c.CC[i] = true })
		add(fmt.Sprintf("a0.%c becomes 0", name), func(c *oracle.Control) { c.Address[i] = 0 })
	}
	add("both flags become false", func(c *oracle.Control) { c.CC = [2]bool{} })
	add("both flags become true", func(c *oracle.Control) { c.CC = [2]bool{true, true} })
	add("a0 becomes 0", func(c *oracle.Control) { c.Address = [2]int32{} })
	add("aL becomes 0", func(c *oracle.Control) { c.AL = 0 })
	add("aL becomes a0.x", func(c *oracle.Control) { c.AL = c.Address[0] })
	list = append(list, changed("is not executed", "every opcode is executed (1.1)", func(r *oracle.Rules) {
		of := r.Encoding.Opcode
		r.Encoding.Opcode = func(w uint32) pica.Opcode {
			if o := of(w); o != op {
				return o
			}
			return pica.NOP
		}
	}).Within(OfOpcode(op)))
	return list
}

// flags: CMP takes one operator for another, or leaves a flag.
func flags(c *oracle.Control) (list []*Hypothesis) {
	if c.Op == pica.CMP || c.Op == pica.LITP {
		list = append(list, changed("the flags are exchanged", "the first flag is of x (3.2, 3.10)", func(r *oracle.Rules) {
			before := r.Operands.Flags
			r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
				before(op, cc, [2]bool{v[1], v[0]}, mask)
			}
		}))
	}
	if c.Op != pica.CMP {
		return list
	}
	for i, name := range "xy" {
		for j, lane := range "xyzw" {
			if i != j {
				list = append(list, changed(fmt.Sprintf("cc.%c compares %c", name, lane), "CMP compares x and y (3.2)",
					func(r *oracle.Rules) { r.Operands.Compared[i] = j }))
			}
		}
	}
	operators := func(name string, from func(operators [2]uint32) [2]uint32) {
		list = append(list, changed(name, "each flag has an operator of its own (1.2)", func(r *oracle.Rules) {
			before := r.Operands.CMP
			r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
				return before(c, from(operators), a, b)
			}
		}))
	}
	for i, name := range "xy" {
		list = append(list, changed(fmt.Sprintf("cc.%c compares source 2 with source 1", name), "CMP compares source 1 with source 2 (3.2)",
			func(r *oracle.Rules) {
				before := r.Operands.CMP
				r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
					flags, exchanged := before(c, operators, a, b), before(c, operators, b, a)
					flags[i] = exchanged[i]
					return flags
				}
			}))
	}
	operators("cc.x has the operator of y", func(o [2]uint32) [2]uint32 { return [2]uint32{o[1], o[1]} })
	operators("cc.y has the operator of x", func(o [2]uint32) [2]uint32 { return [2]uint32{o[0], o[0]} })
	operators("the operators are exchanged", func(o [2]uint32) [2]uint32 { return [2]uint32{o[1], o[0]} })
	for i, name := range "xy" {
		list = append(list, changed(fmt.Sprintf("cc.%c is the other flag", name), "CMP sets both flags (3.2)",
			func(r *oracle.Rules) {
				before := r.Operands.Flags
				r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
					v[i] = v[1-i]
					before(op, cc, v, mask)
				}
			}))
	}
	const rule = "CMP has the operators eq, ne, lt, le, gt, ge (3.2)"
	for _, field := range []oracle.Field{c.Rules.Encoding.CompareX, c.Rules.Encoding.CompareY} {
		was := uint32(field.Of(c.Word))
		for is := range uint32(8) {
			if is == was {
				continue
			}
			list = append(list, changed(fmt.Sprintf("operator %d acts as %d", was, is), rule, func(r *oracle.Rules) {
				before := r.Unit.Ops.Compare
				r.Unit.Ops.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
					if op == was {
						op = is
					}
					return before(u, op, a, b)
				}
			}))
		}
		for _, holds := range []bool{false, true} {
			list = append(list, changed(fmt.Sprintf("operator %d is %t", was, holds), rule, func(r *oracle.Rules) {
				before := r.Operands.CMP
				r.Operands.CMP = func(c *oracle.Control, operators [2]uint32, a, b *pica.Vec4) [2]bool {
					flags := before(c, operators, a, b)
					for i, op := range operators {
						if op == was {
							flags[i] = holds
						}
					}
					return flags
				}
			}))
		}
		for _, inverse := range []struct{ op, of uint32 }{{2, 5}, {3, 4}, {4, 3}, {5, 2}, {0, 1}, {1, 0}} {
			if was == inverse.op {
				list = append(list, changed(fmt.Sprintf("operator %d is not %d", was, inverse.of), rule,
					func(r *oracle.Rules) {
						before := r.Unit.Ops.Compare
						r.Unit.Ops.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
							if op == was {
								return !before(u, inverse.of, a, b)
							}
							return before(u, op, a, b)
						}
					}))
			}
		}
	}
	list = append(list, changed("comparisons are negated opposites", rule, func(r *oracle.Rules) {
		before := r.Unit.Ops.Compare
		r.Unit.Ops.Compare = func(u *oracle.Unit, op uint32, a, b uint32) bool {
			switch op {
			case pica.CmpGE:
				return !before(u, pica.CmpLT, a, b)
			case pica.CmpLE:
				return !before(u, pica.CmpGT, a, b)
			}
			return before(u, op, a, b)
		}
	}))
	for i, name := range "xy" {
		list = append(list, changed(fmt.Sprintf("cc.%c stays as it is", name), "CMP sets both flags (3.2)",
			func(r *oracle.Rules) {
				before := r.Operands.Flags
				r.Operands.Flags = func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8) {
					v[i] = cc[i]
					before(op, cc, v, mask)
				}
			}))
	}
	return list
}

// states: registers that pass from vertex to vertex.
func states() (list []*Hypothesis) {
	const rule = "each vertex starts from the initial state where registers are not kept (5.2)"
	carry := func(state, name string, keep func(before, r *oracle.RegisterFile)) {
		list = append(list, &Hypothesis{Name: name, Rule: rule, Detail: 1, Passes: state, whole: true, apply: func(r *oracle.Rules) {
			begin := r.Carry.Begin
			r.Carry.Begin = func(f *oracle.RegisterFile, initial *pica.State, vertex int, kept bool) {
				before := *f
				if begin(f, initial, vertex, kept); vertex > 0 {
					keep(&before, f)
				}
			}
		}})
	}
	for n := range pica.NumTemporaries {
		carry("temporaries", fmt.Sprintf("r%d carries over", n), func(before, r *oracle.RegisterFile) { r.R[n] = before.R[n] })
		carry("outputs", fmt.Sprintf("o%d carries over", n), func(before, r *oracle.RegisterFile) { r.O[n] = before.O[n] })
	}
	for i, name := range "xy" {
		carry("address registers", fmt.Sprintf("a0.%c carries over", name),
			func(before, r *oracle.RegisterFile) { r.Address[i] = before.Address[i] })
		carry("condition flags", fmt.Sprintf("cc.%c carries over", name), func(before, r *oracle.RegisterFile) { r.CC[i] = before.CC[i] })
	}
	return list
}

// indexed: relative addressing goes wrong.
func indexed() (list []*Hypothesis) {
	list = append(list,
		changed("the indexed source is not swizzled", "selectors choose components (1.4)",
			selecting(wide, func(int) int { return pica.IdentitySwizzle })),
		changed("the indexed source is not negated", "each source has a negate bit (1.4)", func(r *oracle.Rules) {
			read := r.Operands.Read
			r.Operands.Read = func(c *oracle.Control, sources *[3]pica.Vec4) {
				if read != nil {
					read(c, sources)
				}
				k := shape(c).Layout.Wide
				if _, bits := descriptor(c); index(c) != pica.IndexNone && c.Rules.Encoding.Negate[k].Of(bits) != 0 {
					for lane := range sources[k] {
						sources[k][lane] = c.Rules.Unit.Ops.Negate(&c.Rules.Unit, sources[k][lane])
					}
				}
			}
		}))
	offset := func(name, rule string, of func(int32) int32) {
		list = append(list, changed(name, rule, func(r *oracle.Rules) {
			before := r.Operands.Offset
			r.Operands.Offset = func(s *pica.State, index int) int32 { return of(before(s, index)) }
		}))
	}
	const window = "an index is a signed byte, else 0 (1.5 rule 2)"
	offset("a negative index counts as positive", window, func(x int32) int32 {
		if x < 0 {
			return -x
		}
		return x
	})
	offset("a negative index counts as 0", window, func(x int32) int32 { return max(x, 0) })
	offset("an index is taken as a signed byte", window, func(x int32) int32 { return int32(int8(x)) })
	offset("an index is taken as an unsigned byte", window, func(x int32) int32 { return int32(uint8(x)) })
	offset("an index saturates at -128 and 127", window, func(x int32) int32 { return min(max(x, -128), 127) })
	offset("an index is one more", window, func(x int32) int32 { return x + 1 })
	offset("an index is one less", window, func(x int32) int32 { return x - 1 })
	offset("an index is 0", window, func(int32) int32 { return 0 })
	displace := func(name, rule string, of func(c *oracle.Control, n, index, was int) int) {
		list = append(list, changed(name, rule, func(r *oracle.Rules) {
			before := r.Operands.Displace
			r.Operands.Displace = func(c *oracle.Control, n, index int) int {
				return of(c, n, index, before(c, n, index))
			}
		}))
	}
	list = append(list, changed("the instruction behind mova has the index of before",
		"MOVA sets a0 for the next instruction (4.1)", func(r *oracle.Rules) {
			var old [2]int32
			mova, before := r.Operands.MOVA, r.Operands.Displace
			r.Operands.MOVA = func(address *[2]int32, v [2]int32, mask uint8) {
				old = *address
				mova(address, v, mask)
			}
			r.Operands.Displace = func(c *oracle.Control, n, index int) int {
				if c.Last == 0 || pica.OpcodeOf(c.Last) != pica.MOVA {
					return before(c, n, index)
				}
				now := c.Address
				c.Address = old
				n = before(c, n, index)
				c.Address = now
				return n
			}
		}))
	const beyond = "c96 to c127 read (1, 1, 1, 1) (1.5 rule 3)"
	for _, instead := range []struct {
		name string
		n    int
	}{{"zeros", oracle.Zeros}, {"c0", pica.SourceUniform}, {"c95", pica.SourceUniform + pica.NumFloats - 1}} {
		displace("an index beyond c95 reads "+instead.name, beyond, func(_ *oracle.Control, _, _, was int) int {
			if was == oracle.Ones {
				return instead.n
			}
			return was
		})
	}
	displace("an index beyond c95 reads the register without index", beyond,
		func(_ *oracle.Control, n, _, was int) int {
			if was == oracle.Ones {
				return n
			}
			return was
		})
	displace("inputs and temporaries are indexed within their bank", "only float uniforms are indexed (1.5 rule 1)",
		func(c *oracle.Control, n, index, was int) int {
			if n >= pica.SourceUniform {
				return was
			}
			return n&16 | (n+int(c.Offset(index)))&15
		})
	return list
}
