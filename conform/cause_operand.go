package conform

import (
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// indexing names a fault of relative addressing: of an index outside the float uniforms, of aL,
// of registers without an index, or of every index. It adds a negated or swizzled operand, which
// the reduction keeps only if it is needed.
func (s *session) indexing(ctx context.Context, f *finding, u use) {
	f.opcode = u.op.String()
	features := hasIndex | u.features&(hasNegation|hasSwizzle)
	if u.features&hasIdleIndex != 0 && s.failsOnUniform(ctx, f, u) {
		u.features &^= hasIdleIndex
	}
	for _, special := range []featureSet{hasIdleIndex, hasFarIndex, hasLoopIndex} {
		if u.features&special != 0 {
			features |= special
			break
		}
	}
	f.subject, f.trigger = strings.Join(features.names(), ", "), trigger{Any: true, Features: features.names()}
}

// failsOnUniform reports whether a program fails in the same way when the indexed operand is a
// float uniform instead of an input or a temporary.
func (s *session) failsOnUniform(ctx context.Context, f *finding, u use) bool {
	if u.pc >= len(f.job.Code) {
		return false
	}
	l, word := u.op.Layout(), f.job.Code[u.pc]
	n, d := int(l.Indexed), f.job.DescriptorOf(word)
	tap := operandTap{pc: u.pc}
	if !s.watched(f.job, &tap) || !tap.seen || d.Selectors(n) != pica.IdentitySwizzle {
		return false
	}
	const to = pica.NumFloats / 2 // the register that the index leads to
	offset := tap.offsets[l.Index.Get(word)-pica.IndexA0X]
	if offset <= to-pica.NumFloats || offset > to {
		return false
	}
	value := tap.sources[n]
	for k := range value {
		if d.Negate(n) {
			value[k] ^= s.model.Storage.Sign()
		}
	}
	c := reduce.Clone(f.job)
	c.Floats = append(c.Floats, pica.Upload{Register: to, Format: s.model.Storage, Values: []pica.Vec4{value}})
	c.Code[u.pc] = l.Src[n].Put(word, uint32(pica.SourceUniform+to-offset))
	return s.newJudge(ctx).ask(c, false) == f.outcome
}

// dependence names a fault of instructions that share a register: a destination among the
// operands, a destination that the next instruction writes again, or a copy whose operand is
// written later.
func (s *session) dependence(ctx context.Context, f *finding, computing []use) bool {
	if f.outcome != Differ {
		return false
	}
	for k, u := range slices.Backward(computing) {
		if u.pc >= len(f.job.Code) {
			continue
		}
		word := f.job.Code[u.pc]
		if u.features&hasAlias != 0 && s.aliased(ctx, f, u) {
			f.opcode, f.subject = u.op.String(), u.op.String()+", destination among the operands"
			f.trigger = trigger{Opcodes: []string{f.opcode}, Features: hasAlias.names()}
			return true
		}
		wrong, component, _ := strings.Cut(f.where, ".")
		if k > 0 && u.features&hasRewrite != 0 && destinationOf(word) == wrong && s.overwritten(ctx, f, u, component) {
			f.opcode = computing[k-1].op.String()
			f.subject = f.opcode + ", destination written next"
			f.trigger = trigger{Any: true, Features: (hasRewrite | hasMask).names()}
			return true
		}
		for _, before := range computing[:k] {
			if before.pc >= len(f.job.Code) || destinationOf(word) == wrong || !pica.Opcodes[before.op].Copies {
				continue
			}
			copied := f.job.Code[before.pc]
			if destinationOf(copied) == wrong && slices.Contains(registersOf(copied)[1:], destinationOf(word)) {
				f.opcode, f.subject = before.op.String(), before.op.String()+", operand written later"
				f.trigger = trigger{Opcodes: []string{f.opcode}}
				return true
			}
		}
	}
	return false
}

// overwritten reports whether a core omits the store before an instruction that writes another
// component of the same register. The program then runs well without the instruction, and with a
// NOP before it; a core that ignores the mask still goes wrong with the NOP.
func (s *session) overwritten(ctx context.Context, f *finding, u use, component string) bool {
	mask := f.job.DescriptorOf(f.job.Code[u.pc]).Mask()
	if len(component) != 1 || mask&(8>>strings.Index("xyzw", component)) != 0 || len(f.job.Code) >= pica.MaxCode {
		return false
	}
	without, apart := reduce.Clone(f.job), reduce.Clone(f.job)
	without.Code[u.pc] = nop
	apart.Code = slices.Insert(apart.Code, u.pc, nop)
	j := s.newJudge(ctx)
	return j.heals(f, without) && j.heals(f, apart)
}

// aliased reports whether a program runs well when an instruction writes another register than
// it reads, and fails in the same way with another register for both.
func (s *session) aliased(ctx context.Context, f *finding, u use) bool {
	l, j := u.op.Layout(), s.newJudge(ctx)
	n := l.Dest.Get(f.job.Code[u.pc])
	other := pica.DestTemporary + (n+pica.NumTemporaries/2)%pica.NumTemporaries
	c := reduce.Clone(f.job)
	c.Code[u.pc] = l.Dest.Put(c.Code[u.pc], other)
	if !j.heals(f, c) {
		return false
	}
	c = reduce.Clone(f.job)
	for at, word := range c.Code {
		op := pica.OpcodeOf(word)
		its, info := op.Layout(), &pica.Opcodes[op]
		if info.Writes&pica.WritesDest != 0 && its.Dest.Get(word) == n {
			c.Code[at] = its.Dest.Put(c.Code[at], other)
		}
		for k := range info.Sources {
			if its.Src[k].Get(word) == n {
				c.Code[at] = its.Src[k].Put(c.Code[at], other)
			}
		}
	}
	return j.ask(c, false) == Differ
}

// lowestDescriptor returns the lowest descriptor number with which the program fails.
func (s *session) lowestDescriptor(ctx context.Context, f *finding, u use) int {
	word, field := f.job.Code[u.pc], u.op.Layout().Desc
	j := s.newJudge(ctx)
	const backwards = 0xE4 // .wzyx
	others := []pica.Descriptor{pica.IdentityDescriptor,
		pica.MakeDescriptor(15, [3]bool{true, false, true}, [3]uint8{backwards, backwards, backwards})}
	return sort.Search(int(field.Get(word)), func(n int) bool {
		return slices.ContainsFunc(others, func(other pica.Descriptor) bool {
			c := reduce.Clone(f.job)
			c.Descriptors = slices.Repeat([]uint32{uint32(other)}, n+1)
			c.Descriptors[n] = uint32(f.job.DescriptorOf(word))
			c.Code[u.pc] = field.Put(word, uint32(n))
			return j.ask(c, false) == f.outcome
		})
	})
}

// plainly reports whether an instruction fails in the same way when registers contain its
// operands from the start, after swizzle, negation and index. These are then not at fault.
func (s *session) plainly(ctx context.Context, f *finding, u use) bool {
	if u.pc >= len(f.job.Code) {
		return false
	}
	tap := operandTap{pc: u.pc}
	if !s.watched(f.job, &tap) || !tap.seen {
		return false
	}
	const (
		same    = pica.IdentitySwizzle
		uniform = 10 // the first register of an operand
	)
	l, word, c := u.op.Layout(), f.job.Code[u.pc], reduce.Clone(f.job)
	mask := f.job.DescriptorOf(word).Mask()
	mov := pica.MOV.Layout()
	c.Code, c.Entry, c.Vertices = nil, 0, [][]pica.Vec4{{}}
	c.Descriptors = []uint32{uint32(pica.IdentityDescriptor),
		uint32(pica.MakeDescriptor(mask, [3]bool{}, [3]uint8{same, same, same}))}
	c.Floats = []pica.Upload{{Register: uniform, Format: s.model.Storage}}
	word = l.Index.Put(l.Desc.Put(word, 1), pica.IndexNone)
	for k := range pica.Opcodes[u.op].Sources {
		from := pica.SourceUniform + uniform + uint32(k)
		c.Floats[0].Values = append(c.Floats[0].Values, tap.sources[k])
		if l.Src[k].Width < 7 {
			c.Code = append(c.Code, mov.Dest.Put(mov.Src[0].Put(uint32(pica.MOV)<<26, from),
				pica.DestTemporary+uint32(k)))
			from = pica.SourceTemporary + uint32(k)
		}
		word = l.Src[k].Put(word, from)
	}
	c.Code = append(c.Code, word, uint32(pica.END)<<26)
	return s.newJudge(ctx).ask(c, false) == f.outcome
}

// operandTap records the last operands of the instruction at pc.
type operandTap struct {
	pc      int
	seen    bool
	sources [3]pica.Vec4
	offsets [pica.IndexAL]int32 // a0.x, a0.y, aL
}

func (t *operandTap) Start(*pica.Job, int, *pica.State) {}

func (t *operandTap) Step(s *pica.Step) {
	if s.PC == t.pc && s.Trap.Cause == pica.TrapNone {
		t.seen = true
		copy(t.sources[:], s.Sources[:])
		t.offsets = [...]int32{s.State.Address[0], s.State.Address[1], s.State.AL}
	}
}

// uniform names the float uniform that a program with one computing instruction reads, if the
// program runs well with another uniform.
func (s *session) uniform(ctx context.Context, f *finding, computing []use) string {
	u := computing[0]
	if len(computing) > 1 || f.outcome == Hang || len(f.job.Floats) != 1 || len(f.job.Floats[0].Values) != 1 {
		return ""
	}
	c := reduce.Clone(f.job)
	n, read := c.Floats[0].Register, false
	other := (n + pica.NumFloats/2) % pica.NumFloats
	c.Floats[0].Register = other
	for _, field := range u.op.Layout().Src {
		if field.Width == 7 && field.Get(c.Code[u.pc]) == pica.SourceUniform+uint32(n) {
			c.Code[u.pc], read = field.Put(c.Code[u.pc], pica.SourceUniform+uint32(other)), true
		}
	}
	if !read || !s.newJudge(ctx).heals(f, c) {
		return ""
	}
	return registerName("", pica.SourceUniform+uint32(n), 0)
}

// register names the destination or the input register of a program with one computing
// instruction that runs well with another register.
func (s *session) register(ctx context.Context, f *finding, computing []use) string {
	u := computing[0]
	info, l := &pica.Opcodes[u.op], u.op.Layout()
	if len(computing) > 1 || f.outcome == Hang || u.pc >= len(f.job.Code) {
		return ""
	}
	j, word := s.newJudge(ctx), f.job.Code[u.pc]
	if info.Writes&pica.WritesDest != 0 {
		n, c := l.Dest.Get(word), reduce.Clone(f.job)
		c.Code[u.pc] = l.Dest.Put(word, n&pica.DestTemporary|(n+pica.NumOutputs/2)%pica.NumOutputs)
		if j.heals(f, c) {
			return registerName("o", n, pica.DestTemporary)
		}
	}
	for k := range info.Sources {
		n := l.Src[k].Get(word)
		if n >= pica.NumInputs {
			continue
		}
		other, c := (n+pica.NumInputs/2)%pica.NumInputs, reduce.Clone(f.job)
		for i, row := range c.Vertices {
			full := make([]pica.Vec4, pica.NumInputs)
			copy(full, row)
			full[n], full[other] = full[other], full[n]
			c.Vertices[i] = full
		}
		for k := range info.Sources {
			if l.Src[k].Get(word) == n {
				c.Code[u.pc] = l.Src[k].Put(c.Code[u.pc], other)
			}
		}
		if j.heals(f, c) {
			return registerName("v", n, pica.SourceTemporary)
		}
	}
	return ""
}

// temporary returns the number of a temporary that an instruction reads, if the program runs
// well with a temporary that it does not name in its place.
func (s *session) temporary(ctx context.Context, f *finding, computing []use) (n, free uint32, ok bool) {
	var named [pica.NumTemporaries]bool
	eachTemporary(f.job.Code, func(n uint32) uint32 { named[n] = true; return n })
	unnamed := slices.Index(named[:], false)
	if f.outcome == Hang || unnamed < 0 {
		return 0, 0, false
	}
	free = uint32(unnamed)
	j := s.newJudge(ctx)
	for _, u := range slices.Backward(computing) {
		if u.pc >= len(f.job.Code) {
			continue
		}
		for k := range pica.Opcodes[u.op].Sources {
			n = u.op.Layout().Src[k].Get(f.job.Code[u.pc]) - pica.SourceTemporary
			if n >= pica.NumTemporaries {
				continue
			}
			c := reduce.Clone(f.job)
			eachTemporary(c.Code, func(of uint32) uint32 {
				if of == n {
					return free
				}
				return of
			})
			if j.heals(f, c) {
				return n, free, true
			}
		}
	}
	return 0, 0, false
}

// eachTemporary replaces each temporary that a program names.
func eachTemporary(code []uint32, other func(n uint32) uint32) {
	for at, word := range code {
		op := pica.OpcodeOf(word)
		info, l := &pica.Opcodes[op], op.Layout()
		if n := l.Dest.Get(word) - pica.DestTemporary; info.Writes&pica.WritesDest != 0 && n < pica.NumTemporaries {
			code[at] = l.Dest.Put(code[at], pica.DestTemporary+other(n))
		}
		for k := range info.Sources {
			if n := l.Src[k].Get(word) - pica.SourceTemporary; n < pica.NumTemporaries {
				code[at] = l.Src[k].Put(code[at], pica.SourceTemporary+other(n))
			}
		}
	}
}

// misread names the temporary that the last instruction reads from a wrong register: nothing
// writes the temporary, and the program fails in the same way when it is set to zero right
// before. The second test excludes an instruction that destroys the register. misread returns ""
// for no such temporary.
func (s *session) misread(ctx context.Context, f *finding, computing []use) string {
	n, free, ok := s.temporary(ctx, f, computing)
	name, last := registerName("v", pica.SourceTemporary+n, pica.SourceTemporary), computing[len(computing)-1].pc
	written := func(word uint32) bool { return destinationOf(word) == name }
	if !ok || last >= len(f.job.Code) || len(f.job.Code) >= pica.MaxCode ||
		len(f.job.Descriptors) >= pica.MaxDescriptors ||
		slices.ContainsFunc(f.job.Code, written) || !slices.Contains(registersOf(f.job.Code[last]), name) {
		return ""
	}
	c, mov := reduce.Clone(f.job), pica.MOV.Layout()
	word := mov.Dest.Put(uint32(pica.MOV)<<26, pica.DestTemporary+n)
	word = mov.Desc.Put(mov.Src[0].Put(word, pica.SourceTemporary+free), uint32(len(c.Descriptors)))
	c.Descriptors = append(c.Descriptors, uint32(pica.IdentityDescriptor))
	c.Code = slices.Insert(c.Code, last, word)
	if s.newJudge(ctx).ask(c, false) != f.outcome {
		return ""
	}
	return name
}
