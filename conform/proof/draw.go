package proof

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// A draw is a further job that a trial may ask for.
type draw struct {
	job *pica.Job
	origin
}

// An origin says where a further job comes from.
type origin uint8

const (
	ofChange       origin = iota // the seed with one systematic change
	ofRepetition                 // the seed with a word that is executed a second time
	ofVariation                  // the seed with a few changes at random
	ofVariedChange               // the seed with a systematic change and a few at random
	ofCaller                     // [Search.Job]
	ofFarChange                  // the seed, perhaps with a systematic change, and many changes at random
)

// Numbers of jobs that are drawn beside the systematic changes, and of those that are far from the seed: they serve
// hypotheses that no other tells apart, and borders behind which no other lies.
const (
	drawn    = 600
	drawnFar = 1000
)

// draws returns further jobs that may tell hypotheses about a seed apart.
func (s *Search) draws(seed *pica.Job, round uint64) iter.Seq[draw] {
	round += maxRounds * uint64(len(s.causes))
	r := rand.New(rand.NewPCG(round, 0))
	var changes []draw
	for _, job := range variants(seed) {
		changes = append(changes, draw{job, ofChange})
	}
	for _, job := range repeated(seed) {
		changes = append(changes, draw{job, ofRepetition})
	}
	bases := slices.Concat(otherwise(seed), neighbours(seed), flagged(seed))
	return func(yield func(draw) bool) {
		for n := range drawn + len(changes) {
			var d draw
			switch k := n / 2; {
			case n%2 == 0 && k < len(changes):
				d = changes[k]
			case n%3 == 0 && s.Job != nil:
				d = draw{s.Job(uint64(n/3) + drawn*round), ofCaller}
			case len(bases) > 0 && r.IntN(3) == 0:
				d = draw{Vary(r, bases[r.IntN(len(bases))]), ofVariedChange}
			default:
				d = draw{Vary(r, seed), ofVariation}
			}
			if !yield(d) {
				return
			}
		}
		for range drawnFar {
			base := seed
			if len(bases) > 0 && r.IntN(2) == 0 {
				base = bases[r.IntN(len(bases))]
			}
			if !yield(draw{Vary(r, Vary(r, base)), ofFarChange}) {
				return
			}
		}
	}
}

// variants returns jobs like another one that tell hypotheses about it apart.
func variants(job *pica.Job) (list []*pica.Job) {
	for _, of := range []func(job *pica.Job) []*pica.Job{alone, primed, flagged, unread, elsewhere, nearer, sized, neighbours,
		otherwise} {
		list = append(list, of(job)...)
	}
	return list
}

// sized returns jobs with numbers of another size in all inputs and float uniforms, from subnormal to large.
func sized(job *pica.Job) (list []*pica.Job) {
	const fraction = 0x2AAAAA
	numbers := []uint32{fraction, fraction >> 2, fraction >> 5, fraction >> 10, fraction >> 18}
	for _, exponent := range []uint32{1, 50, 64, 100, 126, 127, 128, 140, 190, 254} {
		numbers = append(numbers, exponent<<23|fraction)
	}
	for _, x := range numbers {
		for _, sign := range []uint32{0, 1 << 31} {
			j := reduce.Clone(job)
			for i := range j.Vertices {
				j.Vertices[i] = nil
			}
			j.Floats = nil
			fill(j, func() pica.Vec4 { return pica.Vec4{sign | x, x + 1, sign | x + 2, x + 3} })
			list = append(list, j)
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

// recoded returns an instruction with the operands of another one and an opcode. A further source is the first one again.
// ok is false if the opcode cannot have these operands.
func recoded(w uint32, op pica.Opcode) (v uint32, ok bool) {
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
		index != pica.IndexNone && from.Indexed != to.Indexed {
		return 0, false
	}
	for k, f := range to.Src[:count] {
		of := k
		if k >= sources {
			of = 0
		}
		if !fits(f, from.Src[of].Get(w)) {
			return 0, false
		}
	}
	return v, true
}

// Vary returns a job that differs from another in a few fields, operands and values.
func Vary(r *rand.Rand, job *pica.Job) *pica.Job {
	j := reduce.Clone(job)
	if r.IntN(3) == 0 {
		fill(j, func() pica.Vec4 { return pica.Vec4{number(r), number(r), number(r), number(r)} })
	}
	for range 1 + r.IntN(4) {
		switch r.IntN(9) {
		case 0:
			varyWord(r, j)
		case 8:
			if i := r.IntN(max(1, len(j.Code))); len(j.Code) > 0 {
				j.Code[i] ^= operands(j.Code[i]) & (1 << r.IntN(32))
			}
		case 1:
			if len(j.Descriptors) > 0 {
				j.Descriptors[r.IntN(len(j.Descriptors))] ^= 1 << r.IntN(31)
			}
		case 2, 3, 4:
			varyInput(r, j)
		case 5, 6:
			varyUniform(r, j)
		case 7:
			j.Bools ^= 1 << r.IntN(15)
			if n := r.IntN(pica.NumInts); r.IntN(2) == 0 {
				j.Ints[n][r.IntN(3)] = [...]uint8{0, 1, 2, 3, 127, 128, 254, 255}[r.IntN(8)]
			}
		}
	}
	if adapter.AsksB15(j) {
		j.Bools |= 1 << 15
	}
	return j
}

// fill gives numbers to the inputs and to the float uniforms that the job does not upload: another register of an operand
// then shows.
func fill(j *pica.Job, vector func() pica.Vec4) {
	for i := range j.Vertices {
		for len(j.Vertices[i]) < pica.NumInputs {
			j.Vertices[i] = append(j.Vertices[i], vector())
		}
	}
	all := pica.Upload{Format: pica.Float32}
	for range pica.NumFloats {
		all.Values = append(all.Values, vector())
	}
	j.Floats = append([]pica.Upload{all}, j.Floats...) // the job's own replace these
}

// varyWord changes an operand field of an instruction.
func varyWord(r *rand.Rand, j *pica.Job) {
	if len(j.Code) == 0 {
		return
	}
	i := r.IntN(len(j.Code))
	op := pica.OpcodeOf(j.Code[i])
	if r.IntN(3) == 0 {
		var others []uint32
		for other := range pica.Opcode(pica.NumOpcodes) {
			if v, ok := recoded(j.Code[i], other); ok {
				others = append(others, v)
			}
		}
		if len(others) > 0 {
			j.Code[i] = others[r.IntN(len(others))]
		}
		return
	}
	l, info := op.Layout(), &pica.Opcodes[op.Base()]
	if info.Sources == 0 {
		return
	}
	if k := r.IntN(info.Sources + 1); k < info.Sources {
		f, n := l.Src[k], uint32(r.IntN(1<<l.Src[k].Width))
		if other := r.IntN(info.Sources); r.IntN(2) == 0 { // the register of another source
			n = l.Src[other].Get(j.Code[i])
		}
		j.Code[i] = f.Put(j.Code[i], n)
	} else if l.Dest.Width > 0 {
		j.Code[i] = l.Dest.Put(j.Code[i], uint32(r.IntN(1<<l.Dest.Width)))
	}
}

func number(r *rand.Rand) uint32 {
	switch r.IntN(8) {
	case 0, 1:
		return uint32(0x3F000000 + r.IntN(0x04000000) | r.IntN(2)<<31)
	case 2: // of any size, or subnormal in one of the formats
		sign, x := r.Uint32()&(1<<31), r.Uint32()>>9
		switch r.IntN(4) {
		case 0:
			return sign | x>>r.IntN(23)
		case 1:
			return sign | x | uint32(49+r.IntN(16))<<23
		}
		return sign | x | uint32(r.IntN(255))<<23
	default:
		return special[r.IntN(len(special))]
	}
}

// alike returns a float32 of the same kind as another one, or any number.
func alike(r *rand.Rand, x uint32) uint32 {
	sign, fraction := r.Uint32()&(1<<31), r.Uint32()>>9
	switch f := pica.Float32; {
	case r.IntN(2) == 0:
		return number(r)
	case x&^f.Sign() > f.Infinity():
		return x
	case x&f.Infinity() == 0 && x&^f.Sign() != 0:
		return sign | max(1, fraction>>r.IntN(23))
	case x&^f.Sign() == 0 || x&f.Infinity() == f.Infinity():
		return x ^ sign
	}
	return sign | x&pica.Float32.Infinity() | fraction
}

func varyInput(r *rand.Rand, j *pica.Job) {
	if len(j.Vertices) == 0 {
		return
	}
	v := &j.Vertices[r.IntN(len(j.Vertices))]
	n := r.IntN(len(*v) + 1)
	if n == len(*v) {
		if n == pica.NumInputs {
			return
		}
		*v = append(*v, pica.Vec4{})
	}
	for lane, x := range (*v)[n] {
		if r.IntN(2) == 0 {
			(*v)[n][lane] = alike(r, x)
		}
	}
}

func varyUniform(r *rand.Rand, j *pica.Job) {
	if len(j.Floats) == 0 {
		j.Floats = append(j.Floats, pica.Upload{Register: r.IntN(pica.NumFloats), Format: pica.Float32,
			Values: []pica.Vec4{{}}})
	}
	up := &j.Floats[r.IntN(len(j.Floats))]
	if len(up.Values) == 0 {
		return
	}
	v := &up.Values[r.IntN(len(up.Values))]
	for lane, x := range v {
		if r.IntN(2) == 0 {
			x = alike(r, x)
			if up.Format == pica.Float24 {
				x = [...]uint32{0, 0x800000, 0x3F0000, 0xBF0000, 0x7F0000, 0xFF0000, 0x7F8000, 1, 0x8000, 0x3E5555}[r.IntN(10)]
			}
			v[lane] = x
		}
	}
}
