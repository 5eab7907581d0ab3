package proof

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// Numbers of the jobs that test a hypothesis: how many are drawn and how many of each kind are asked for.
const (
	drawn = 600
	asks  = 16
	// fewHangs is the number of jobs that may take a time limit because a hypothesis predicts it.
	fewHangs = 2
	// enough is the least number of answers that a hypothesis must predict, for itself and for each condition.
	enough = 3
	// enoughHangs is this number for a hypothesis about hangs, which are dear.
	enoughHangs = 2
)

// A trial tests the best hypotheses with further jobs.
type trial struct {
	*Search
	best []score
	// predictors and views are of the model, and of each of the best.
	predictors []*fingerprint.Predictor
	views      []view.View
	// wider are the best without one of their conditions; of says whose, and wide has their predictions.
	wider []*fingerprint.Predictor
	of    []int
	wide  []view.View
	// outside and odd count, for each of the best, the jobs outside of its scope, and those whose answer is
	// not the model's either; needless those of them that the wider one predicts: the core knows no such
	// condition. right and wrong count the jobs that it changes.
	outside, odd, needless, right, wrong []int
	// near are jobs like the seed, whatever the hypotheses predict, and unlike those that none of them predicts.
	near, unlike int
	// dead and hung say how the seed ended.
	dead, hung bool
}

// newTrial returns a trial of the best hypotheses, whose seed is a differing case.
func (s *Search) newTrial(best []score, seed *Case) *trial {
	t := &trial{Search: s, best: best, dead: dead(seed.Got.End), hung: seed.Got.End == view.Hung,
		predictors: []*fingerprint.Predictor{s.predictor()}, views: make([]view.View, 1+len(best))}
	for _, counts := range []*[]int{&t.outside, &t.odd, &t.needless, &t.right, &t.wrong} {
		*counts = make([]int, len(best))
	}
	for i, x := range best {
		t.predictors = append(t.predictors, s.predictor(x.h))
		if i < 3 {
			for _, w := range x.h.Outside() {
				t.wider, t.of = append(t.wider, s.predictor(w)), append(t.of, i)
			}
		}
	}
	t.wide = make([]view.View, len(t.wider))
	return t
}

// test asks the core for further jobs: those whose predictions under the best hypotheses differ from each other
// or from the model's, and those just outside of a scope. It reports how many it asked for, and whether an answer
// speaks against one of the best.
func (s *Search) test(ctx context.Context, best []score, seed *Case, round uint64) (asked int, changed bool) {
	t := s.newTrial(best, seed)
	r := rand.New(rand.NewPCG(round, uint64(len(s.causes))))
	others := variants(seed.Job)
	usual := len(others)
	others = append(others, repeated(seed.Job)...) // which are asked for only if they tell something apart
	apart, plain, outside, foreseen := 0, 0, 0, 0
	for n := uint64(0); n < drawn && apart < asks && ctx.Err() == nil && *s.Hung < s.mayHang; n++ {
		small := n%3 != 0 || s.Job == nil
		job := Vary(r, seed.Job)
		telling := false
		if k := int(n / 2); n%2 == 0 && k < len(others) {
			job, small, telling = others[k], true, k >= usual
		} else if !small {
			job = s.Job(n/3 + drawn*(round+maxRounds*uint64(len(s.causes))))
		}
		p := t.predict(job)
		var beyond []int
		near := false
		switch {
		case !p.ok || p.hangs && foreseen == fewHangs:
			continue
		case p.separates:
			apart++
		case p.shows:
			if plain++; plain > asks {
				continue
			}
		case telling:
			continue
		case small && t.near < asks:
			t.near++
			near = true
		default:
			if beyond = t.beyond(job); !small || len(beyond) == 0 || outside == asks {
				continue
			}
			outside++
		}
		if p.hangs {
			foreseen++
		}
		got := s.ask(ctx, job)
		if got.End == view.Missing {
			continue
		}
		asked++
		s.add(reduce.Clone(job), got.Clone())
		switch {
		case got.End != view.Ended && !(dead(got.End) && t.dead):
		case near:
			if view.Compare(&t.views[0], got, nil) == view.Differs && dead(got.End) == t.dead {
				t.unlike++
			}
		case t.count(got, beyond, p.separates):
			changed = true
		}
	}
	return asked, t.refute() || changed
}

// prediction says what a job tells about hypotheses.
type prediction struct {
	ok               bool // the job has one predicted answer
	shows, separates bool // it differs from the model's, or between the best
	hangs            bool // under one of the best
}

// predict predicts a job under the model and each of the best.
func (t *trial) predict(job *pica.Job) (x prediction) {
	for i, p := range t.predictors {
		p.View(job, &t.Profile, &t.views[i])
		end := t.views[i].End
		if end != view.Ended && (i == 0 || !dead(end) || !t.dead) || !t.dead && fingerprint.Vague(job, &t.views[i]) {
			return x
		}
		x.hangs = x.hangs || end == view.Hung
		x.shows = x.shows || i > 0 && t.distinct(&t.views[0], &t.views[i])
		x.separates = x.separates || i > 1 && t.distinct(&t.views[1], &t.views[i])
	}
	x.ok = true
	return x
}

// refute refutes the best against which the answers speak, and reports whether there are any.
func (t *trial) refute() (any bool) {
	refute := func(x score) { t.refuted[x.h.String()], any = true, true }
	if t.unlike*8 > t.near { // something else is wrong
		for _, x := range t.best {
			if !t.lenient || t.dead || x.h.Fitted {
				refute(x)
			}
		}
	}
	least, limit := enough, 6
	if t.hung {
		least = enoughHangs
	}
	if t.lenient {
		limit = 2
	}
	for i, x := range t.best {
		if t.odd[i]*limit > t.outside[i] || t.needless[i] > 0 || t.wrong[i]*limit > t.right[i] ||
			t.right[i]+x.fits < least*(1+len(x.h.Scope)) {
			refute(x)
		}
	}
	return any
}

// distinct reports whether two predictions differ. A predicted hang counts only if the core hung.
func (t *trial) distinct(a, b *view.View) bool {
	if t.hung && (a.End == view.Hung) != (b.End == view.Hung) {
		return true
	}
	return fingerprint.Distinct(a, b)
}

// beyond returns the wider hypotheses that would change a job, while none of the best does.
func (t *trial) beyond(job *pica.Job) (list []int) {
	for k, p := range t.wider {
		v := &t.wide[k]
		if p.View(job, &t.Profile, v); (v.End == view.Ended || dead(v.End) && t.dead) && t.distinct(&t.views[0], v) {
			list = append(list, k)
		}
	}
	return list
}

// count counts an answer for and against the best hypotheses, and reports whether it contradicts one of them:
// it is the model's answer, or that of another.
func (t *trial) count(got *view.View, beyond []int, separates bool) (contradicted bool) {
	base := view.Compare(&t.views[0], got, nil) <= view.Near
	for _, k := range beyond {
		i := t.of[k]
		t.outside[i]++
		switch {
		case base:
		case view.Compare(&t.wide[k], got, nil) <= view.Near:
			t.needless[i]++
			fallthrough
		default:
			t.odd[i]++
		}
	}
	if len(beyond) > 0 {
		return false
	}
	agrees := make([]bool, len(t.best))
	for i := range t.best {
		agrees[i] = view.Compare(&t.views[i+1], got, nil) <= view.Near
	}
	for i := range t.best {
		switch {
		case !t.distinct(&t.views[0], &t.views[i+1]):
		case agrees[i]:
			t.right[i]++
		default:
			t.wrong[i]++
		}
		if !agrees[i] && (base || separates && slices.Contains(agrees, true)) {
			contradicted = true
		}
	}
	return contradicted
}

// variants returns jobs like another one that tell hypotheses about it apart.
func variants(job *pica.Job) (list []*pica.Job) {
	for _, of := range []func(job *pica.Job) []*pica.Job{alone, primed, unread, elsewhere, nearer, otherwise} {
		list = append(list, of(job)...)
	}
	return list
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

// otherwise returns a job with each opcode of another one in turn replaced by those with the same layout, and one with
// an opcode of the control flow replaced by a twin wherever it stands: if a fault shows with all of them, it is none of
// one opcode.
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
		if pica.Opcodes[pica.OpcodeOf(w).Base()].Sources == 0 {
			continue
		}
		for _, op := range akin(pica.OpcodeOf(w)) {
			if op != pica.OpcodeOf(w).Base() && len(list) < drawn/4 {
				replaced(op, i)
			}
		}
	}
	return list
}

// Vary returns a job that differs from another in a few fields, operands and values.
func Vary(r *rand.Rand, job *pica.Job) *pica.Job {
	j := reduce.Clone(job)
	if r.IntN(3) == 0 {
		fill(r, j)
	}
	for range 1 + r.IntN(4) {
		switch r.IntN(8) {
		case 0:
			varyWord(r, j)
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

// fill gives a number to every input, and to the float uniforms that the job does not upload: another register of an
// operand then shows.
func fill(r *rand.Rand, j *pica.Job) {
	vector := func() (v pica.Vec4) {
		for lane := range v {
			v[lane] = number(r)
		}
		return v
	}
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
		others := akin(op)
		j.Code[i] = j.Code[i]&(1<<26-1) | uint32(others[r.IntN(len(others))])<<26
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
	switch r.IntN(4) {
	case 0:
		return uint32(0x3F000000 + r.IntN(0x04000000) | r.IntN(2)<<31)
	default:
		return special[r.IntN(len(special))]
	}
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
	for lane := range (*v)[n] {
		if r.IntN(2) == 0 {
			(*v)[n][lane] = number(r)
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
	for lane := range v {
		if r.IntN(2) == 0 {
			x := number(r)
			if up.Format == pica.Float24 {
				x = [...]uint32{0, 0x800000, 0x3F0000, 0xBF0000, 0x7F0000, 0xFF0000, 0x7F8000, 1, 0x8000, 0x3E5555}[r.IntN(10)]
			}
			v[lane] = x
		}
	}
}

// akin returns the opcodes with the layout of another.
func akin(op pica.Opcode) (list []pica.Opcode) {
	for o := range pica.Opcode(pica.NumOpcodes) {
		if !o.Reserved() && o.Base() == o && *o.Layout() == *op.Layout() && pica.Opcodes[o].Sources == pica.Opcodes[op.Base()].Sources {
			list = append(list, o)
		}
	}
	if len(list) == 0 {
		list = append(list, op)
	}
	return list
}
