package proof

import (
	"slices"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// sized returns jobs with numbers of another size in all inputs and float uniforms, from subnormal to large.
func sized(job *pica.Job) (list []*pica.Job) {
	const fraction = 0x2AAAAA
	numbers := []uint32{fraction, fraction >> 2, fraction >> 5, fraction >> 10, fraction >> 18}
	for _, exponent := range []uint32{1, 50, 64, 100, 126, 127, 128, 140, 190, 254} {
		numbers = append(numbers, exponent<<23|fraction)
	}
	for _, x := range numbers {
		for _, sign := range []uint32{0, 1 << 31} {
			list = append(list, filled(job, pica.Vec4{sign | x, x + 1, sign | x + 2, x + 3}))
		}
	}
	return list
}

// filled returns a job with a vector in all inputs and float uniforms.
func filled(job *pica.Job, v pica.Vec4) *pica.Job {
	j := reduce.Clone(job)
	for i := range j.Vertices {
		j.Vertices[i] = nil
	}
	j.Floats = nil
	fill(j, func() pica.Vec4 { return v })
	return j
}

// addressed returns jobs with indices of each size, of both signs, if a program has MOVA.
func addressed(job *pica.Job) (list []*pica.Job) {
	const least, most = 4, 16 // powers of two
	if !slices.ContainsFunc(job.Code, func(w uint32) bool { return pica.OpcodeOf(w) == pica.MOVA }) {
		return nil
	}
	for power := uint32(least); power <= most; power++ {
		for _, sign := range []uint32{0, 1 << 31} {
			x := sign | (127+power)<<23 | 1<<22 // 1.5 * 2^power
			list = append(list, filled(job, pica.Vec4{x, x, x, x}))
		}
	}
	return list
}

// neighbours returns jobs that differ from another one in a bit of an instruction, its opcode apart, or of an operand
// descriptor that an instruction names, or in the number of a descriptor.
func neighbours(job *pica.Job) (list []*pica.Job) {
	named := map[int]bool{}
	for i, w := range job.Code {
		for bits := operands(w); bits != 0; bits &= bits - 1 {
			j := reduce.Clone(job)
			j.Code[i] ^= bits & -bits
			list = append(list, j)
		}
		desc := pica.OpcodeOf(w).Layout().Desc
		n := int(desc.Get(w))
		if desc.Width == 0 || n >= len(job.Descriptors) {
			continue
		}
		if n > 0 {
			for _, lower := range []int{n - 1, max(n-4, 0), n / 2} {
				j := reduce.Clone(job)
				j.Code[i], j.Descriptors[lower] = desc.Put(w, uint32(lower)), job.Descriptors[n]
				list = append(list, j)
			}
		}
		for bit := 0; bit < 31 && !named[n]; bit++ {
			j := reduce.Clone(job)
			j.Descriptors[n] ^= 1 << bit
			list = append(list, j)
		}
		named[n] = true
	}
	return list
}

// operands returns the bits of an instruction that are no part of its opcode, and of a target those that lead to a word
// nearby; 0 for END.
func operands(w uint32) uint32 {
	const nearby = 16
	op := pica.OpcodeOf(w)
	l := op.Layout()
	if op == pica.END {
		return 0
	}
	return (1<<(26+l.DestInOpcode)-1)&^l.Dst.Mask() | l.Dst.Put(0, nearby-1)
}

// alone returns a job for each of the first computing instructions of another: that instruction and END. A fault of the
// instruction shows there, too; what depends on the rest of the program does not.
func alone(job *pica.Job) (list []*pica.Job) {
	const some = 8
	seen := map[uint32]bool{}
	for _, w := range job.Code {
		if pica.Opcodes[pica.OpcodeOf(w).Base()].Sources == 0 || seen[w] || len(list) == some {
			continue
		}
		seen[w] = true
		j := reduce.Clone(job)
		j.Code, j.Entry = []uint32{w, uint32(pica.END) << 26}, 0
		list = append(list, j)
	}
	return list
}

// primed returns a job with a number in each temporary that it writes, for a job without targets: an instruction that
// writes zeros then differs from one that writes nothing.
func primed(job *pica.Job) []*pica.Job {
	mov := pica.MOV.Layout()
	var first []uint32
	for _, w := range job.Code {
		op := pica.OpcodeOf(w)
		if d := op.Layout().Dest.Get(w); pica.Opcodes[op.Base()].Writes&pica.WritesDest != 0 && d >= pica.DestTemporary {
			first = append(first, mov.Dest.Put(uint32(pica.MOV)<<26, d))
		}
	}
	if len(first) == 0 || hasTarget(job) || len(first)+len(job.Code) > pica.MaxCode || len(job.Descriptors) == 0 {
		return nil
	}
	j := reduce.Clone(job)
	j.Code = slices.Concat(j.Code[:j.Entry], first, j.Code[j.Entry:])
	return []*pica.Job{j}
}

// flagged returns a job with other flags than another one begins with, for each state of the flags: a comparison and a
// jump to the entry stand behind the program.
func flagged(job *pica.Job) (list []*pica.Job) {
	const equal, unequal = 0, 1
	n := len(job.Code)
	if n+2 > pica.MaxCode {
		return nil
	}
	cmp, jmp := pica.CMP.Layout(), pica.JMPU.Layout()
	back := jmp.Dst.Put(uint32(pica.JMPU)<<26, uint32(job.Entry))
	if job.Bools&1 == 0 {
		back = pica.InverseBit.Put(back, 1)
	}
	for _, x := range []uint32{equal, unequal} {
		for _, y := range []uint32{equal, unequal} {
			if x == unequal && y == unequal {
				continue // as at the start
			}
			j := reduce.Clone(job)
			j.Code = append(j.Code, cmp.CmpX.Put(cmp.CmpY.Put(uint32(pica.CMP)<<26, y), x), back)
			j.Entry = n
			list = append(list, j)
		}
	}
	return list
}

// hasTarget reports whether an instruction of a job has a target.
func hasTarget(job *pica.Job) bool {
	return slices.ContainsFunc(job.Code, func(w uint32) bool { return pica.OpcodeOf(w).Layout().Dst.Width > 0 })
}

// unread returns jobs with FLR in the place of an operation with a temporary as its destination. The field where others
// have a second source names that temporary: a core that searches a program for its registers may heed it.
func unread(job *pica.Job) (list []*pica.Job) {
	l := pica.ADD.Layout()
	for i, w := range job.Code {
		op := pica.OpcodeOf(w).Base()
		info := &pica.Opcodes[op]
		d := l.Dest.Get(w)
		if (info.Format == pica.Format1 || info.Format == pica.Format1u) && info.Writes == pica.WritesDest &&
			!info.Copies && d >= pica.DestTemporary {
			j := reduce.Clone(job)
			j.Code[i] = l.Src[1].Put(w&(1<<26-1)|uint32(pica.FLR)<<26, d-pica.DestTemporary+pica.SourceTemporary)
			list = append(list, j)
		}
	}
	return list
}

// elsewhere returns jobs with an inverted form in the place of an operation with an index. Its indexed source is the
// second or the third one: a fault of indices shows there, too, one of the first source does not.
func elsewhere(job *pica.Job) (list []*pica.Job) {
	for i, w := range job.Code {
		op := pica.OpcodeOf(w)
		l := op.Layout()
		if l.Indexed != 0 || l.Index.Get(w) == pica.IndexNone || pica.Opcodes[op.Base()].Writes != pica.WritesDest {
			continue
		}
		for _, form := range []pica.Opcode{pica.DPHI, pica.MADI} {
			f := form.Layout()
			n, last := l.Desc.Get(w), uint32(len(job.Descriptors))
			if n >= last || last >= 1<<f.Desc.Width {
				continue
			}
			was, is := pica.Descriptor(job.Descriptors[n]), uint32(pica.IdentityDescriptor)
			is = pica.DescriptorMask.Put(is, uint32(was.Mask()))
			is = pica.DescriptorSelectors[f.Indexed].Put(is, uint32(was.Selectors(0)))
			if was.Negate(0) {
				is |= pica.DescriptorNegate[f.Indexed].Mask()
			}
			v := f.Desc.Put(uint32(form)<<26, last)
			v = f.Index.Put(f.Dest.Put(v, l.Dest.Get(w)), l.Index.Get(w))
			j := reduce.Clone(job)
			j.Code[i], j.Descriptors = f.Src[f.Indexed].Put(v, l.Src[0].Get(w)), append(j.Descriptors, is)
			list = append(list, j)
		}
	}
	return list
}

// renumbered returns jobs with other numbers for their registers, float uniforms with an index and the outputs of a
// geometry program apart: what is wrong in one register alone is not wrong there, and nearly everything else is.
func renumbered(job *pica.Job) (list []*pica.Job) {
	indexed := slices.ContainsFunc(job.Code, func(w uint32) bool {
		return pica.OpcodeOf(w).Layout().Index.Get(w) != pica.IndexNone
	})
	for _, by := range []int{5, 11} {
		j := reduce.Clone(job)
		moved := func(n uint32) uint32 {
			switch {
			case n < pica.SourceUniform:
				return n&^15 | (n+uint32(by))&15
			case indexed:
				return n
			}
			return pica.SourceUniform + (n-pica.SourceUniform+uint32(by))%pica.NumFloats
		}
		for i, w := range j.Code {
			op := pica.OpcodeOf(w)
			l, info := op.Layout(), &pica.Opcodes[op.Base()]
			d := l.Dest.Get(w)
			if info.Writes&pica.WritesDest != 0 && (d >= pica.DestTemporary || job.Stage != pica.Geometry) {
				w = l.Dest.Put(w, moved(d))
			}
			for k := range info.Sources {
				w = l.Src[k].Put(w, moved(l.Src[k].Get(w)))
			}
			j.Code[i] = w
		}
		for i, v := range job.Vertices {
			j.Vertices[i] = make([]pica.Vec4, pica.NumInputs)
			for n, x := range v {
				j.Vertices[i][moved(uint32(n))] = x
			}
		}
		for i := 0; i < len(job.Floats) && !indexed; i++ {
			up := &job.Floats[i]
			for n, x := range up.Values {
				if n += up.Register; n < pica.NumFloats {
					j.Floats = append(j.Floats, pica.Upload{Register: (n + by) % pica.NumFloats, Format: up.Format,
						Values: []pica.Vec4{x}})
				}
			}
		}
		list = append(list, j)
	}
	return list
}

// marked returns a vertex program with a further MOV before its END, and the output that the MOV alone writes: a core that
// has ended the run does not execute it. It returns nil if a scope or a target may be there.
func marked(job *pica.Job) (with *pica.Job, output int) {
	const one = 0x3F800000
	mov, end := pica.MOV.Layout(), slices.Index(job.Code, uint32(pica.END)<<26)
	used := map[uint32]bool{}
	for i, w := range job.Code {
		l := pica.OpcodeOf(w).Layout()
		used[l.Dest.Get(w)] = true
		if l.Dst.Width > 0 && (i > end || int(l.Dst.Get(w)+l.Num.Get(w)) > end) {
			return nil, 0
		}
	}
	to := uint32(0)
	for ; used[to]; to++ {
	}
	if end < 0 || to >= pica.DestTemporary || job.Stage == pica.Geometry || len(job.Code) == pica.MaxCode ||
		len(job.Descriptors) > 1<<mov.Desc.Width-1 {
		return nil, 0
	}
	j := reduce.Clone(job)
	w := mov.Dest.Put(mov.Desc.Put(uint32(pica.MOV)<<26, uint32(len(j.Descriptors))), to)
	j.Code = slices.Insert(j.Code, end, mov.Src[0].Put(w, pica.NumInputs-1))
	j.Descriptors = append(j.Descriptors, uint32(pica.IdentityDescriptor))
	for i, v := range j.Vertices {
		j.Vertices[i] = make([]pica.Vec4, pica.NumInputs)
		copy(j.Vertices[i], v)
		j.Vertices[i][pica.NumInputs-1] = pica.Vec4{one, one, one, one}
	}
	return j, int(to)
}

// nearer returns jobs with ever fewer words in the longest run of equal words, three quarters of them each time, so that
// a target behind the run has each number of bits in turn.
func nearer(job *pica.Job) (list []*pica.Job) {
	const long = 32
	first, last := 0, 0
	for from, to := 0, 0; from < len(job.Code); from = to {
		for to = from; to < len(job.Code) && job.Code[to] == job.Code[from]; to++ {
		}
		if to-from > last-first {
			first, last = from, to
		}
	}
	for n := last - first; n > long; {
		drop := n / 4
		shorter, ok := reduce.Without(job, first, first+drop)
		if !ok {
			break
		}
		list, job, n = append(list, shorter), shorter, n-drop
	}
	return list
}

// repeated returns jobs that execute one computing word of another a second time, in a call before its END: a fault of the
// instruction that is executed before does not show there, one of the word that stands before does.
func repeated(job *pica.Job) (list []*pica.Job) {
	const some = 8
	l, end := pica.CALL.Layout(), slices.Index(job.Code, uint32(pica.END)<<26)
	if end < job.Entry || len(job.Code) == pica.MaxCode || slices.ContainsFunc(job.Code, func(w uint32) bool {
		flow := pica.OpcodeOf(w).Layout()
		return flow.Dst.Width > 0 && int(flow.Dst.Get(w)+flow.Num.Get(w)) > end // it would move
	}) {
		return nil
	}
	for i, w := range job.Code[:end] {
		if pica.Opcodes[pica.OpcodeOf(w).Base()].Sources == 0 || len(list) == some {
			continue
		}
		j := reduce.Clone(job)
		j.Code = slices.Insert(j.Code, end, l.Num.Put(l.Dst.Put(uint32(pica.CALL)<<26, uint32(i)), 1))
		list = append(list, j)
	}
	return list
}

// twins are opcodes of the control flow with the same operands, but for the condition.
var twins = [][]pica.Opcode{{pica.IFU, pica.IFC}, {pica.CALL, pica.CALLC, pica.CALLU}, {pica.JMPC, pica.JMPU},
	{pica.BREAK, pica.BREAKC}}

// otherwise returns a job with each opcode of another one in turn replaced by those that can have its operands, and one
// with an opcode of the control flow replaced by a twin wherever it stands: if a fault shows with all of them, it is none
// of one opcode.
func otherwise(job *pica.Job) (list []*pica.Job) {
	replaced := func(op pica.Opcode, words ...int) {
		j := reduce.Clone(job)
		for _, i := range words {
			j.Code[i] = j.Code[i]&(1<<26-1) | uint32(op)<<26
		}
		list = append(list, j)
	}
	words := map[pica.Opcode][]int{}
	for i, w := range job.Code {
		words[pica.OpcodeOf(w)] = append(words[pica.OpcodeOf(w)], i)
	}
	for _, ops := range twins {
		for _, op := range ops {
			for _, other := range ops {
				if at := words[op]; other != op && len(at) > 0 {
					replaced(other, at...)
				}
			}
		}
	}
	for i, w := range job.Code {
		for op := range pica.Opcode(pica.NumOpcodes) {
			if v, ok := recoded(w, op); ok && op != pica.OpcodeOf(w).Base() && len(list) < drawn/4 {
				j := reduce.Clone(job)
				j.Code[i] = v
				list = append(list, j)
			}
		}
	}
	return list
}

// recoded returns an instruction with the operands of another one and an opcode, the first two sources exchanged if they
// fit no other way. A further source is the first one again. ok is false if the opcode cannot have these operands.
func recoded(w uint32, op pica.Opcode) (v uint32, ok bool) {
	if v, ok = recodedAs(w, op, [...]int8{0, 1, 2}); ok {
		return v, true
	}
	return recodedAs(w, op, [...]int8{1, 0, 2})
}

// recodedAs is recoded for an order of the sources.
func recodedAs(w uint32, op pica.Opcode, order [3]int8) (v uint32, ok bool) {
	was := pica.OpcodeOf(w)
	from, to := was.Layout(), op.Layout()
	sources, count := pica.Opcodes[was.Base()].Sources, pica.Opcodes[op].Sources
	if op.Reserved() || op.Base() != op || sources == 0 || count == 0 || from.Dest.Width != to.Dest.Width {
		return 0, false
	}
	fits := func(f pica.Field, n uint32) bool {
		v = f.Put(v, n)
		return f.Get(v) == n
	}
	v = uint32(op) << 26
	index := from.Index.Get(w)
	if !fits(to.Dest, from.Dest.Get(w)) || !fits(to.Desc, from.Desc.Get(w)) || !fits(to.Index, index) ||
		index != pica.IndexNone && from.Indexed != order[to.Indexed] {
		return 0, false
	}
	for k, f := range to.Src[:count] {
		of := order[k]
		if int(of) >= sources {
			of = 0
		}
		if !fits(f, from.Src[of].Get(w)) {
			return 0, false
		}
	}
	return v, true
}
