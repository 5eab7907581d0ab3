package conform

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// finding is a reduced job that shows something wrong.
type finding struct {
	outcome string
	subject string // what the program shows: "mul, NaN operand"
	opcode  string // with operands, or the flow rule
	job     *pica.Job
	trigger Trigger
	report  reduce.Report
	expected,
	observed, where, class string
	stderr string
	flaky  bool
}

// Limits of the reduction of one finding through the core: tries, and those of them
// that cost a time limit.
const (
	maxTries = 3000
	maxHangs = 16
)

// reduced makes a job smaller through the core and says what it shows. The job must not
// bring any of the known triggers about, nor does a smaller one; ok is false where it
// shows nothing.
func (s *session) reduced(ctx context.Context, job *pica.Job, suite string, known Masks) (f *finding, ok bool) {
	first := s.newJudge(ctx)
	outcome := first.ask(job, true)
	if !fails(outcome) {
		return &finding{outcome: Flaky, subject: "flaky", opcode: "flaky", job: reduce.Clone(job), flaky: true,
			expected: "the answer before", observed: "another answer in a fresh process"}, true
	}
	if suite == "upload" && outcome == Differ { // small enough, and another value is another cause
		f = &finding{outcome: outcome, job: reduce.Clone(job), report: reduce.Report{End: reduce.Minimal}, opcode: "mov"}
		f.expected, f.observed, f.where, f.class = first.diff.Expected, first.diff.Observed, first.diff.Where, first.diff.Class.String()
		if s.general(ctx, f) {
			f.subject, f.trigger = "mov", Trigger{Opcodes: []string{"mov"}}
		} else {
			s.upload(f)
		}
		return f, true
	}
	var hung atomic.Int64
	newKey := func() reduce.Key {
		j, w := s.newJudge(ctx), newWatcher()
		return func(c *pica.Job) string {
			if c.Initial != nil || hung.Load() >= maxHangs || j.ask(c, false) != outcome {
				return ""
			}
			if j.answer.Fate == adapter.Hung {
				hung.Add(1)
			}
			if len(known) > 0 && known.hit(c, w.uses(under(c, s.model))) {
				return ""
			}
			return outcome
		}
	}
	r, err := reduce.Job(ctx, job, reduce.Jobs{NewKey: newKey}, reduce.Options{Workers: 2, MaxTries: maxTries})
	if err != nil {
		return nil, false
	}
	f = &finding{outcome: outcome, job: r.Job, report: r.Report}
	s.name(ctx, f)
	return f, true
}

// under returns the job under a profile.
func under(job *pica.Job, p pica.Profile) *pica.Job {
	c := *job
	c.Profile = p
	return &c
}

// name says what a reduced job shows and which programs show it.
func (s *session) name(ctx context.Context, f *finding) {
	j, w := s.newJudge(ctx), newWatcher()
	j.ask(f.job, false)
	f.expected, f.observed, f.where, f.class = j.diff.Expected, j.diff.Observed, j.diff.Where, j.diff.Class.String()
	f.stderr = j.answer.Stderr
	if j.answer.Fate == adapter.Crashed {
		f.observed = strings.TrimSpace("crash " + j.answer.Message)
	}
	uses := slices.Clone(w.uses(under(f.job, s.model)))
	var computing []use
	for _, u := range uses {
		if pica.Opcodes[u.op].Sources > 0 {
			computing = append(computing, u)
		}
	}
	kinds := flowKinds(uses)
	geometry := slices.ContainsFunc(uses, func(u use) bool {
		return pica.Opcodes[u.op].Writes&(pica.WritesEmit|pica.Emits) != 0
	})
	indexed := slices.IndexFunc(computing, func(u use) bool { return u.features&hasIndex != 0 })
	if indexed >= 0 && len(kinds) == 0 && !pica.Opcodes[computing[indexed].op].Copies && s.plainly(ctx, f, computing[indexed]) {
		computing, indexed = computing[indexed:indexed+1], -1 // the index only finds the operand
		computing[0].features &^= hasIndex | hasSwizzle | hasNegation
	}
	switch {
	case len(f.job.Vertices) > 1 && f.outcome == Differ:
		f.subject, f.opcode = "state of the vertex before", "state and vertices"
		f.trigger = Trigger{Vertices: true}
	case geometry && (len(kinds) == 0 || strings.HasPrefix(f.where, "primitive")):
		f.subject, f.opcode = "emit", "emit"
		f.trigger = Trigger{Opcodes: []string{"emit", "setemit"}}
	case indexed >= 0 && (computing[indexed].op == pica.MOVA || !slices.Contains([]string{"a0.x", "a0.y", "aL"}, f.where)):
		f.indexing(computing[indexed])
	case len(kinds) > 0:
		f.flow(kinds, uses)
		if n, ok := s.boolean(ctx, f, uses); ok {
			f.subject += fmt.Sprintf(" on b%d", n)
		}
	case len(computing) == 0:
		f.present(f.job)
	default:
		s.arithmetic(ctx, f, computing)
	}
	if f.outcome != Differ {
		f.subject += ": " + f.outcome
		if len(f.trigger.Flow) == 0 && !s.executes(ctx, f) {
			f.trigger.Present = true
		}
	}
}

// executes reports whether a crash or hang needs the program to be executed: behind an
// END it must be gone.
func (s *session) executes(ctx context.Context, f *finding) bool {
	c := reduce.Clone(f.job)
	if len(c.Code) >= pica.MaxCode {
		return true
	}
	c.Code = append(c.Code, uint32(pica.END)<<26)
	c.Entry = len(c.Code) - 1
	return s.newJudge(ctx).ask(c, true) != f.outcome
}

// indexing names a fault of relative addressing: of an index that leads nowhere, of aL,
// of what has no index, or of all.
func (f *finding) indexing(u use) {
	f.opcode = u.op.String()
	features := hasIndex
	for _, special := range []featureSet{hasIdleIndex, hasFarIndex, hasLoopIndex} {
		if u.features&special != 0 {
			features |= special
			break
		}
	}
	f.subject, f.trigger = strings.Join(features.names(), ", "), Trigger{Any: true, Features: features.names()}
}

// flow names the flow rule that a program shows: one instruction, a depth of nesting,
// or what must come together.
func (f *finding) flow(kinds []string, uses []use) {
	var names []string
	var nesting featureSet
	for _, kind := range kinds {
		var ops []string
		for _, u := range uses {
			if kindNames[pica.Opcodes[u.op].Flow] == kind {
				ops = append(ops, u.op.String())
				nesting |= u.features & (hasNesting | hasFullStack | hasOverflow)
			}
		}
		slices.Sort(ops)
		if ops = slices.Compact(ops); len(ops) == 1 {
			names = append(names, ops[0])
		} else {
			names = append(names, kind)
		}
	}
	f.opcode, f.trigger = strings.Join(names, " and "), Trigger{Flow: names}
	f.subject = f.opcode
	switch how := nesting.names(); {
	case len(names) > 1:
	case flowCount(uses) == 1:
		f.trigger = Trigger{Opcodes: names}
	case len(how) > 0:
		f.subject += ", " + how[0]
		f.trigger = Trigger{Opcodes: opcodesOf(names[0]), Features: how}
	default:
		f.subject = "several " + names[0]
	}
}

// boolean reports whether a program that decides on one boolean uniform runs well with
// another in its place.
func (s *session) boolean(ctx context.Context, f *finding, uses []use) (n uint32, ok bool) {
	c := reduce.Clone(f.job)
	for _, u := range uses {
		field := u.op.Layout().Bool
		if field.Width == 0 || u.op == pica.LOOP || u.pc >= len(c.Code) {
			continue
		}
		n, ok = field.Get(c.Code[u.pc]), true
		other := (n + 3) % (pica.NumBools - 1)
		c.Code[u.pc] = field.Put(c.Code[u.pc], other)
		c.Bools = c.Bools&^(1<<other) | c.Bools>>n&1<<other
	}
	return n, ok && s.newJudge(ctx).ask(c, true) != f.outcome
}

// opcodesOf lists the instructions of a kind of flow control, or the instruction
// itself.
func opcodesOf(name string) (list []string) {
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return kindNames[i.Flow] == name }) {
		list = append(list, op.String())
	}
	if len(list) == 0 {
		list = []string{name}
	}
	return list
}

// flowCount counts the flow instructions executed, by their places.
func flowCount(uses []use) (n int) {
	for _, u := range uses {
		if k := pica.Opcodes[u.op].Flow; k != pica.FlowNone && k != pica.FlowEnd {
			n++
		}
	}
	return n
}

// present names a program that computes nothing: what crashes on a word.
func (f *finding) present(job *pica.Job) {
	var ops []string
	for _, w := range job.Code {
		if op := pica.OpcodeOf(w).Base(); op != pica.END && op != pica.NOP {
			ops = append(ops, op.String())
		}
	}
	slices.Sort(ops)
	if ops = slices.Compact(ops); len(ops) == 0 {
		ops = []string{"end"}
	}
	f.subject = strings.Join(ops, " and ")
	f.opcode, f.trigger = f.subject, Trigger{Opcodes: ops, Present: true}
}

// encodedFeatures are the features of operands that may be a cause of their own, whatever
// instruction has them.
const encodedFeatures = hasNegation | hasSwizzle | hasMask | hasDesc16 | hasHighDesc

// arithmetic names what a program of computing instructions shows. The last one is at
// fault unless it only moves what another computed.
func (s *session) arithmetic(ctx context.Context, f *finding, computing []use) {
	guilty := computing[len(computing)-1]
	for _, u := range computing {
		if !pica.Opcodes[u.op].Copies {
			guilty = u
		}
	}
	f.opcode = guilty.op.String()
	own := []string{f.opcode}
	classes := guilty.features
	if f.outcome != Differ {
		classes |= guilty.loose
	}
	classes &= hasInfinity | hasNaN | hasSubnormal | hasZero
	features := guilty.features & encodedFeatures
	if features&(hasNegation|hasSwizzle) != 0 && len(computing) == 1 && s.plainly(ctx, f, guilty) {
		features &^= hasNegation | hasSwizzle
	}
	if far := features & (hasDesc16 | hasHighDesc); far != 0 {
		features = far // a reduction leaves no such descriptor without need
	}
	name := s.uniform(ctx, f, computing)
	if name == "" {
		name = s.register(ctx, f, computing)
	}
	if name != "" {
		f.opcode, f.subject, f.trigger = name, name, Trigger{Registers: []string{name}}
		return
	}
	switch {
	case features != 0 && len(computing) == 1 && s.common(ctx, f, guilty):
		f.subject = strings.Join(features.names(), " and ")
		f.trigger = Trigger{Opcodes: own, Features: features.names(), Any: features&hasDesc16 != 0}
	case len(computing) == 1 && pica.Opcodes[guilty.op].Copies && f.outcome == Differ && !s.general(ctx, f):
		s.upload(f)
	case classes != 0 && !s.general(ctx, f):
		least := lowest(classes)
		f.subject = f.opcode + ", " + strings.Join(least.names(), " and ")
		f.trigger = Trigger{Opcodes: own, Features: least.names(), Loose: f.outcome != Differ}
	case features != 0 && len(computing) == 1:
		f.subject = f.opcode + ", " + strings.Join(features.names(), " and ")
		f.trigger = Trigger{Opcodes: own, Features: features.names()}
	default:
		f.subject, f.trigger = f.opcode, Trigger{Opcodes: own}
	}
}

// plainly reports whether an instruction fails alike when its operands hold from the start
// what swizzles, negation and an index make of them: these are not at fault then.
func (s *session) plainly(ctx context.Context, f *finding, u use) bool {
	if f.outcome != Differ || u.pc >= len(f.job.Code) {
		return false
	}
	tap := operandTap{pc: u.pc}
	var out pica.Outcome
	if err := impl.Watched(&tap).Run(under(f.job, s.model), &out); err != nil || !tap.seen {
		return false
	}
	const (
		same    = pica.IdentitySwizzle
		uniform = 10 // the first that holds an operand
	)
	l, word, c := u.op.Layout(), f.job.Code[u.pc], reduce.Clone(f.job)
	mask := uint8(pica.Descriptor(descriptorOf(f.job, word)).Mask())
	mov := pica.MOV.Layout()
	c.Code, c.Entry, c.Vertices = nil, 0, [][]pica.Vec4{{}}
	c.Descriptors = []uint32{uint32(pica.IdentityDescriptor), uint32(pica.MakeDescriptor(mask, [3]bool{}, [3]uint8{same, same, same}))}
	c.Floats = []pica.Upload{{Register: uniform, Format: s.model.Storage}}
	word = l.Index.Put(l.Desc.Put(word, 1), pica.IndexNone)
	for k := range pica.Opcodes[u.op].Sources {
		from := pica.SourceUniform + uniform + uint32(k)
		c.Floats[0].Values = append(c.Floats[0].Values, tap.sources[k])
		if l.Src[k].Width < 7 {
			c.Code = append(c.Code, mov.Dest.Put(mov.Src[0].Put(uint32(pica.MOV)<<26, from), pica.DestTemporary+uint32(k)))
			from = pica.SourceTemporary + uint32(k)
		}
		word = l.Src[k].Put(word, from)
	}
	c.Code = append(c.Code, word, uint32(pica.END)<<26)
	return s.newJudge(ctx).ask(c, false) == f.outcome
}

// operandTap keeps the operands that the instruction at pc had last.
type operandTap struct {
	pc      int
	seen    bool
	sources [3]pica.Vec4
}

func (t *operandTap) Start(*pica.Job, int, *pica.State) {}

func (t *operandTap) Step(s *pica.Step) {
	if s.PC == t.pc && s.Trap.Cause == pica.TrapNone {
		t.seen = true
		copy(t.sources[:], s.Sources[:])
	}
}

// uniform names the float uniform that a program of one computing instruction reads, if
// the program runs well with another in its place.
func (s *session) uniform(ctx context.Context, f *finding, computing []use) string {
	u := computing[0]
	if len(computing) > 1 || f.outcome != Differ || len(f.job.Floats) != 1 || len(f.job.Floats[0].Values) != 1 {
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

// register names the destination or the input register of a program of one computing
// instruction that runs well with another in its place.
func (s *session) register(ctx context.Context, f *finding, computing []use) string {
	u := computing[0]
	info, l := &pica.Opcodes[u.op], u.op.Layout()
	if len(computing) > 1 || f.outcome != Differ || u.pc >= len(f.job.Code) {
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

// heals reports whether a job runs well where that of a finding fails, each time: a core
// may answer at random.
func (j *judge) heals(f *finding, c *pica.Job) bool {
	for range repeats {
		if j.ask(c, false) != Equal || j.ask(f.job, false) != f.outcome {
			return false
		}
	}
	return true
}

// others are the instructions with which it is tried whether a feature is at fault with
// any instruction.
var others = []pica.Opcode{pica.MOV, pica.ADD, pica.MUL, pica.MAX, pica.DP4, pica.SGEI, pica.DPHI}

// common reports whether the program fails with other instructions in the place of
// the guilty one, too.
func (s *session) common(ctx context.Context, f *finding, guilty use) bool {
	j := s.newJudge(ctx)
	for _, op := range others {
		mine, its := guilty.op.Layout(), op.Layout()
		if op == guilty.op || mine.Desc != its.Desc || mine.Src[0] != its.Src[0] || mine.Dest != its.Dest {
			continue
		}
		c := reduce.Clone(f.job)
		c.Code[guilty.pc] = c.Code[guilty.pc]&(1<<26-1) | uint32(op)<<26
		if j.ask(c, false) == f.outcome {
			return true
		}
	}
	return false
}

// lowest returns the most special class.
func lowest(classes featureSet) featureSet {
	for _, c := range []featureSet{hasNaN, hasInfinity, hasSubnormal, hasZero} {
		if classes&c != 0 {
			return c
		}
	}
	return 0
}

// general reports whether the program fails with ordinary numbers, too.
func (s *session) general(ctx context.Context, f *finding) bool {
	j := s.newJudge(ctx)
	for n := range 6 {
		c := reduce.Clone(f.job)
		k := 0
		ordinary := func(format pica.NumberFormat) uint32 {
			k++
			return format.Integer(int64(1+(3*n+2*k)%7)) | format.Sign()*uint32((n>>1+k)&1)
		}
		for i := range c.Floats {
			for r := range c.Floats[i].Values {
				for l := range 4 {
					c.Floats[i].Values[r][l] = ordinary(c.Floats[i].Format)
				}
			}
		}
		for i := range c.Vertices {
			for r := range c.Vertices[i] {
				for l := range 4 {
					c.Vertices[i][r][l] = ordinary(c.InputFormat)
				}
			}
		}
		if j.ask(c, false) == f.outcome {
			return true
		}
	}
	return false
}

// upload blames the way of a value to its register.
func (s *session) upload(f *finding) {
	seen := map[string]bool{}
	note := func(where string, format pica.NumberFormat, v pica.Vec4) {
		for _, x := range v {
			if x != 0 {
				seen[uploadName(where, format, x)] = true
			}
		}
	}
	for _, u := range f.job.Floats {
		for _, v := range u.Values {
			note("uniform", u.Format, v)
		}
	}
	for _, row := range f.job.Vertices {
		for _, v := range row {
			note("input", f.job.InputFormat, v)
		}
	}
	if len(seen) == 0 {
		f.subject, f.trigger = f.opcode, Trigger{Opcodes: []string{f.opcode}}
		return
	}
	for name := range seen {
		f.trigger.Uploads = append(f.trigger.Uploads, name)
	}
	slices.Sort(f.trigger.Uploads)
	f.opcode = "upload"
	f.subject = fmt.Sprintf("upload of %s", strings.Join(f.trigger.Uploads, ", "))
}
