package conform

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/picaproof/picaproof/fuzz/conform/view"
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
	random string // says how often the program fails, if it does not always
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
	for n := 1; n < repeats && !fails(outcome); n++ {
		outcome = first.ask(job, true)
	}
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
	how := reduce.Jobs{NewKey: newKey}
	if outcome == Hang {
		job, how.Witness = s.shortened(ctx, job)
	}
	r, err := reduce.Job(ctx, job, how, reduce.Options{Workers: 2, MaxTries: maxTries})
	if err != nil {
		return nil, false
	}
	if once, ok := unrolled(r.Job); ok && newKey()(once) == outcome { // it is no matter of vertices
		if again, err := reduce.Job(ctx, once, how, reduce.Options{Workers: 2, MaxTries: maxTries}); err == nil {
			r = again
		}
	}
	f = &finding{outcome: outcome, job: r.Job, report: r.Report}
	s.name(ctx, f)
	return f, true
}

// unrolled returns, of a program that runs twice with what its first vertex leaves, one
// that runs once and does all of it twice. ok is false for any other program.
func unrolled(job *pica.Job) (once *pica.Job, ok bool) {
	last := len(job.Code) - 1
	isEnd := func(word uint32) bool { return pica.OpcodeOf(word) == pica.END }
	if !job.Keep || len(job.Vertices) != 2 || job.Entry != 0 || slices.IndexFunc(job.Code, isEnd) != last || 2*last >= pica.MaxCode {
		return nil, false
	}
	once = reduce.Clone(job)
	once.Code = once.Code[:last]
	for _, word := range job.Code {
		if op := pica.OpcodeOf(word); pica.Opcodes[op].Flow.HasTarget() {
			dst := op.Layout().Dst
			word = dst.Put(word, dst.Get(word)+uint32(last))
		}
		once.Code = append(once.Code, word)
	}
	once.Keep, once.Vertices = false, once.Vertices[1:]
	return once, true
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
	f.repeat(j)
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
	case len(kinds) == 0 && s.dependence(ctx, f, computing): // an instruction that counts passes is at fault for nothing
	case s.clobbers(ctx, f, computing):
	case len(f.job.Vertices) > 1 && f.outcome == Differ && f.random == "":
		f.subject, f.opcode = "state of the vertex before", "state and vertices"
		if l := s.leaked(ctx, f); l != nil {
			f.subject = l.bucket()
		} else if n, ok := s.position(ctx, f); ok {
			f.subject = fmt.Sprintf("vertex %d of a request, the first being 0", n)
		}
		f.trigger = Trigger{Vertices: true}
	case geometry && (len(kinds) == 0 || strings.HasPrefix(f.where, "primitive ")): // their number is a matter of flow
		f.subject, f.opcode = "emit", "emit"
		f.trigger = Trigger{Opcodes: []string{"emit", "setemit"}}
	case indexed >= 0 && (computing[indexed].op == pica.MOVA || !slices.Contains([]string{"a0.x", "a0.y", "aL"}, f.where)):
		s.indexing(ctx, f, computing[indexed])
	case len(kinds) > 0:
		f.flow(kinds, uses)
		s.besides(ctx, f, kinds, computing)
		s.loopField(ctx, f, kinds, uses)
		if op, name := s.decider(ctx, f, uses); name != "" {
			if len(kinds) > 1 { // the others show it
				f.subject = op
			}
			f.subject += " on " + name
			f.trigger = Trigger{Registers: []string{name}}
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

// repeat asks for the program until it fails, and again to find out whether it always does.
func (f *finding) repeat(j *judge) {
	if f.outcome == Hang {
		j.ask(f.job, false)
		return
	}
	failed := 0
	for range repeats {
		if j.ask(f.job, false) == f.outcome {
			failed++
		}
	}
	for n := 0; n < repeats && j.ask(f.job, true) != f.outcome; n++ { // the last answer is to be shown
	}
	if failed < repeats {
		f.random = fmt.Sprintf("the program fails %d times of %d: answers change from one request to the next", failed, repeats)
	}
}

// position reports that one vertex of several fails because of its number: of equal ones
// it is the only one that does.
func (s *session) position(ctx context.Context, f *finding) (n int, ok bool) {
	j := s.newJudge(ctx)
	if j.ask(f.job, false) != Differ || j.got.End != view.Ended {
		return 0, false
	}
	n = j.diff.Vertex
	c := reduce.Clone(f.job)
	c.Vertices = slices.Repeat(c.Vertices[n:n+1], n+2)
	if j.ask(c, false) != Differ || j.got.End != view.Ended {
		return 0, false
	}
	want, got := j.want, j.got
	for v := range c.Vertices {
		want.Vertices, got.Vertices = j.want.Vertices[v:v+1], j.got.Vertices[v:v+1]
		if (view.Compare(&want, &got, nil) == view.Differs) != (v == n) {
			return 0, false
		}
	}
	return n, true
}

// cleaning gives, for what may pass from vertex to vertex, the instruction that sets it to
// what it is at the start. All its operands are r15, which is zero then.
var cleaning = map[string]pica.Opcode{"address registers": pica.MOVA, "condition flags": pica.CMP}

// leaked returns what passes to the next request and to the next vertex: the program runs
// well when its first instruction resets that. It is nil for nothing.
func (s *session) leaked(ctx context.Context, f *finding) *leak {
	left := s.leftOpen(f.job)
	for _, l := range s.leaks {
		if l.name == left {
			return l
		}
		op, ok := cleaning[l.name]
		if !ok || len(f.job.Code)+2 > pica.MaxCode || len(f.job.Descriptors) >= pica.MaxDescriptors {
			continue
		}
		c := reduce.Clone(f.job)
		fields, jump := op.Layout(), pica.JMPU.Layout()
		word := fields.Desc.Put(uint32(op)<<26, uint32(len(c.Descriptors)))
		word = fields.CmpX.Put(fields.CmpY.Put(word, pica.CmpLT), pica.CmpLT)
		for k := range pica.Opcodes[op].Sources {
			word = fields.Src[k].Put(word, pica.SourceTemporary+pica.NumTemporaries-1)
		}
		always := uint32(pica.JMPU)<<26 | ^uint32(c.Bools)&1 // taken if b0 is as it is
		c.Descriptors = append(c.Descriptors, uint32(pica.IdentityDescriptor))
		c.Code = append(c.Code, word, jump.Dst.Put(always, uint32(c.Entry)))
		c.Entry = len(f.job.Code)
		if s.newJudge(ctx).heals(f, c) {
			return l
		}
	}
	return nil
}

// leftOpen says as a leak does what the END of the first vertex of a job leaves open, ""
// for nothing.
func (s *session) leftOpen(job *pica.Job) string {
	var tap endTap
	var out pica.Outcome
	c := under(job, s.model)
	c.Vertices = c.Vertices[:1]
	if err := impl.Watched(&tap).Run(c, &out); err != nil {
		return ""
	}
	switch {
	case tap.open.LoopDepth > 0:
		return "open loops"
	case tap.open.IfDepth > 0:
		return "open blocks"
	case tap.open.CallDepth > 0:
		return "open calls"
	}
	return ""
}

// endTap keeps the scopes that are open at END, those that it closes among them.
type endTap struct{ before, open pica.Stacks }

func (t *endTap) Start(*pica.Job, int, *pica.State) {}

func (t *endTap) Step(s *pica.Step) {
	if pica.OpcodeOf(s.Word) == pica.END {
		t.open = t.before
	}
	t.before = s.State.Stacks
}

// clobbers names an instruction that destroys a register that it does not write: without
// it the program should come to the same there, and does.
func (s *session) clobbers(ctx context.Context, f *finding, computing []use) bool {
	wrong, _, isRegister := strings.Cut(f.where, ".")
	if f.outcome != Differ || !isRegister || len(f.job.Vertices) > 1 || f.random != "" {
		return false
	}
	j := s.newJudge(ctx)
	for _, u := range computing {
		if u.pc >= len(f.job.Code) {
			continue
		}
		if dest := destinationOf(f.job.Code[u.pc]); dest == "" || dest == wrong {
			continue
		}
		if j.ask(f.job, false) != Differ || j.want.End != view.Ended {
			return false
		}
		expected := j.want.Clone()
		c := reduce.Clone(f.job)
		c.Code[u.pc] = uint32(pica.NOP) << 26
		if !j.heals(f, c) {
			continue
		}
		if j.predict.View(c, &s.model, &j.want); !sameRegister(expected, &j.want, wrong) {
			continue
		}
		l, word := u.op.Layout(), f.job.Code[u.pc]
		dest := l.Dest.Get(word)
		c.Code[u.pc] = l.Dest.Put(word, dest&pica.DestTemporary|(dest+pica.NumOutputs/2-1)%pica.NumOutputs)
		if j.heals(f, c) {
			name := destinationOf(word)
			f.opcode, f.subject, f.trigger = name, name+", and "+wrong+" with it", Trigger{Registers: []string{name}}
		} else {
			f.opcode, f.subject = u.op.String(), u.op.String()
			f.trigger = Trigger{Opcodes: []string{f.opcode}}
		}
		return true
	}
	return false
}

// sameRegister reports whether an output or a temporary, "r7", is the same after each vertex.
func sameRegister(a, b *view.View, name string) bool {
	n, err := strconv.Atoi(name[1:])
	if err != nil || n >= pica.NumOutputs || b.End != view.Ended {
		return false
	}
	return slices.EqualFunc(a.Vertices, b.Vertices, func(x, y view.Vertex) bool {
		if name[0] == 'r' {
			return x.R[n] == y.R[n]
		}
		return x.O[n] == y.O[n]
	})
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
// of what has no index, or of all; and of an operand that is negated or swizzled besides,
// because a reduction leaves neither without need.
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
	f.subject, f.trigger = strings.Join(features.names(), ", "), Trigger{Any: true, Features: features.names()}
}

// failsOnUniform reports whether a program fails alike when the operand with the index is
// a float uniform instead of an input or a temporary.
func (s *session) failsOnUniform(ctx context.Context, f *finding, u use) bool {
	if u.pc >= len(f.job.Code) {
		return false
	}
	l, word := u.op.Layout(), f.job.Code[u.pc]
	n, d := int(l.Indexed), pica.Descriptor(descriptorOf(f.job, word))
	tap := operandTap{pc: u.pc}
	var out pica.Outcome
	if err := impl.Watched(&tap).Run(under(f.job, s.model), &out); err != nil || !tap.seen || d.Selectors(n) != pica.IdentitySwizzle {
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
	for _, u := range uses {
		if far := u.features & hasTarget; far != 0 { // a reduction leaves no such target without need
			kind := kindNames[pica.Opcodes[u.op].Flow]
			f.opcode, f.subject = kind, kind+", "+far.names()[0]
			f.trigger = Trigger{Opcodes: opcodesOf(kind), Features: far.names()}
			return
		}
	}
	switch how := nesting.names(); {
	case len(names) > 1 && nesting&hasFullStack != 0: // a reduction leaves no such depth without need
		f.subject += ", " + how[0]
		for _, u := range uses {
			if pica.Opcodes[u.op].Flow == pica.FlowBreak && u.features&hasFullStack != 0 {
				f.trigger = Trigger{Opcodes: []string{u.op.String()}, Features: how}
			}
		}
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

// besides adds the instructions without which flow control does not crash or hang.
func (s *session) besides(ctx context.Context, f *finding, kinds []string, computing []use) {
	if f.outcome == Differ {
		return
	}
	needed := slices.Clone(kinds)
	for _, u := range computing {
		name := u.op.String()
		if u.pc >= len(f.job.Code) || pica.Opcodes[u.op].Writes&pica.WritesDest == 0 || slices.Contains(needed, name) {
			continue
		}
		c := reduce.Clone(f.job)
		c.Code[u.pc] = uint32(pica.NOP) << 26
		if s.newJudge(ctx).heals(f, c) {
			f.subject += " and " + name
			f.opcode += " and " + name
			needed = append(needed, name)
			f.trigger = Trigger{Flow: needed}
		}
	}
}

// dependence names what goes wrong with two operands of which one is written: by the
// instruction that reads it, or behind a copy of it.
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
			f.trigger = Trigger{Opcodes: []string{f.opcode}, Features: hasAlias.names()}
			return true
		}
		wrong, component, _ := strings.Cut(f.where, ".")
		if k > 0 && u.features&hasRewrite != 0 && destinationOf(word) == wrong && s.overwritten(ctx, f, u, component) {
			f.opcode = computing[k-1].op.String()
			f.subject = f.opcode + ", destination written next"
			f.trigger = Trigger{Any: true, Features: (hasRewrite | hasMask).names()}
			return true
		}
		for _, before := range computing[:k] {
			if before.pc >= len(f.job.Code) || destinationOf(word) == wrong || !pica.Opcodes[before.op].Copies {
				continue
			}
			copied := f.job.Code[before.pc]
			if destinationOf(copied) == wrong && slices.Contains(registersOf(copied)[1:], destinationOf(word)) {
				f.opcode, f.subject = before.op.String(), before.op.String()+", operand written later"
				f.trigger = Trigger{Opcodes: []string{f.opcode}}
				return true
			}
		}
	}
	return false
}

// overwritten reports whether an instruction destroys a component that it does not write:
// the program runs well with NOP in its place.
func (s *session) overwritten(ctx context.Context, f *finding, u use, component string) bool {
	mask := pica.Descriptor(descriptorOf(f.job, f.job.Code[u.pc])).Mask()
	if len(component) != 1 || mask&(8>>strings.Index("xyzw", component)) != 0 {
		return false
	}
	c := reduce.Clone(f.job)
	c.Code[u.pc] = uint32(pica.NOP) << 26
	return s.newJudge(ctx).heals(f, c)
}

// aliased reports whether a program runs well when an instruction writes another register
// than it reads, and fails alike with another register in the place of this one.
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

// decider names the boolean or integer uniform that flow control depends on, and the
// instruction that reads it, if the program runs well with another one in its place.
func (s *session) decider(ctx context.Context, f *finding, uses []use) (op, name string) {
	for _, u := range uses {
		l := u.op.Layout()
		file, all, field := "b", uint32(pica.NumBools-1), l.Bool // without b15, which geometry programs find set
		if l.Int.Width > 0 {
			file, all, field = "i", pica.NumInts, l.Int
		}
		if field.Width == 0 || u.pc >= len(f.job.Code) {
			continue
		}
		n := field.Get(f.job.Code[u.pc])
		for _, other := range []uint32{(n + 3) % all, (n + 8) % all} {
			c := reduce.Clone(f.job)
			for _, v := range uses {
				if its := v.op.Layout(); v.pc < len(c.Code) && (its.Bool == field || its.Int == field) && field.Get(f.job.Code[v.pc]) == n {
					c.Code[v.pc] = field.Put(c.Code[v.pc], other)
				}
			}
			if file == "i" {
				c.Ints[other] = c.Ints[n]
			} else {
				c.Bools = c.Bools&^(1<<other) | c.Bools>>n&1<<other
			}
			if other != n && s.newJudge(ctx).heals(f, c) {
				return u.op.String(), fmt.Sprint(file, n)
			}
		}
	}
	return "", ""
}

// loopField adds to the name from which value of its count, start or step on a LOOP goes
// wrong, where that is no small one, and to the trigger that it has several passes.
func (s *session) loopField(ctx context.Context, f *finding, kinds []string, uses []use) {
	if f.outcome != Differ || len(kinds) > 1 {
		return
	}
	const small = 3
	j := s.newJudge(ctx)
	for _, u := range uses {
		if pica.Opcodes[u.op].Flow != pica.FlowLoop || u.pc >= len(f.job.Code) {
			continue
		}
		n := u.op.Layout().Int.Get(f.job.Code[u.pc]) % pica.NumInts
		for k, name := range []string{"count", "start", "step"} {
			value := int(f.job.Ints[n][k])
			least := sort.Search(value, func(x int) bool {
				c := reduce.Clone(f.job)
				c.Ints[n][k] = uint8(x)
				return j.ask(c, false) == f.outcome
			})
			if k == 0 && least > 0 && len(f.trigger.Opcodes) > 0 {
				f.trigger.Features = append(f.trigger.Features, hasPasses.names()...)
			}
			if least > small {
				f.subject += fmt.Sprintf(", %s above %d", name, least-1)
				return
			}
		}
	}
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
	if far := features & (hasDesc16 | hasHighDesc); far != 0 && len(computing) == 1 {
		features = far // a reduction leaves no such descriptor without need
	}
	name := s.uniform(ctx, f, computing)
	if name == "" {
		name = s.register(ctx, f, computing)
	}
	switch {
	case name != "" && (f.outcome == Differ || s.common(ctx, f, guilty)):
		f.opcode, f.subject, f.trigger = name, name, Trigger{Registers: []string{name}}
		return
	case name != "":
		f.subject = strings.Join(append([]string{f.opcode, name}, features.names()...), ", ")
		f.trigger = Trigger{Opcodes: own, Features: features.names(), Registers: []string{name}}
		return
	}
	blamed := featureSet(0)
	if classes != 0 && !s.general(ctx, f) {
		blamed = s.blamed(ctx, f, classes)
	}
	switch {
	case features != 0 && len(computing) == 1 && s.common(ctx, f, guilty):
		f.subject = strings.Join(features.names(), " and ")
		f.trigger = Trigger{Opcodes: own, Features: features.names(), Any: features&hasDesc16 != 0}
	case len(computing) == 1 && pica.Opcodes[guilty.op].Copies && f.outcome == Differ && !s.general(ctx, f):
		s.upload(f)
	case blamed != 0:
		f.subject = f.opcode + ", " + strings.Join(blamed.names(), " and ")
		f.trigger = Trigger{Opcodes: own, Features: blamed.names(), Loose: f.outcome != Differ}
	case features != 0 && len(computing) == 1:
		f.subject = f.opcode + ", " + strings.Join(features.names(), " and ")
		f.trigger = Trigger{Opcodes: own, Features: features.names()}
	case guilty.features&hasNegative != 0 && guilty.features&hasNegation == 0 && s.positive(ctx, f):
		f.subject, f.trigger = f.opcode+", negative operand", Trigger{Opcodes: own, Features: hasNegative.names()}
	default:
		f.subject, f.trigger = f.opcode, Trigger{Opcodes: own}
	}
	if far := features & (hasDesc16 | hasHighDesc); far != 0 && len(computing) == 1 {
		above := fmt.Sprintf("descriptor above %d", s.lowestDescriptor(ctx, f, guilty)-1)
		f.subject = strings.Replace(f.subject, far.names()[0], above, 1)
	}
}

// lowestDescriptor returns the lowest number of the descriptor with which the program fails.
func (s *session) lowestDescriptor(ctx context.Context, f *finding, u use) int {
	word, field := f.job.Code[u.pc], u.op.Layout().Desc
	j := s.newJudge(ctx)
	const backwards = 0xE4 // .wzyx
	others := []pica.Descriptor{pica.IdentityDescriptor, pica.MakeDescriptor(15, [3]bool{true, false, true}, [3]uint8{backwards, backwards, backwards})}
	return sort.Search(int(field.Get(word)), func(n int) bool {
		return slices.ContainsFunc(others, func(other pica.Descriptor) bool {
			c := reduce.Clone(f.job)
			c.Descriptors = slices.Repeat([]uint32{uint32(other)}, n+1)
			c.Descriptors[n] = descriptorOf(f.job, word)
			c.Code[u.pc] = field.Put(word, uint32(n))
			return j.ask(c, false) == f.outcome
		})
	})
}

// positive reports whether the program runs well with positive numbers.
func (s *session) positive(ctx context.Context, f *finding) bool {
	c := reduce.Clone(f.job)
	clear := func(format pica.NumberFormat, list []pica.Vec4) {
		for r := range list {
			for l := range list[r] {
				list[r][l] &^= format.Sign()
			}
		}
	}
	for i := range c.Floats {
		clear(c.Floats[i].Format, c.Floats[i].Values)
	}
	for i := range c.Vertices {
		clear(c.InputFormat, c.Vertices[i])
	}
	return s.newJudge(ctx).heals(f, c)
}

// plainly reports whether an instruction fails alike when its operands hold from the start
// what swizzles, negation and an index make of them: these are not at fault then.
func (s *session) plainly(ctx context.Context, f *finding, u use) bool {
	if u.pc >= len(f.job.Code) {
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

// uniform names the float uniform that a program of one computing instruction reads, if
// the program runs well with another in its place.
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

// register names the destination or the input register of a program of one computing
// instruction that runs well with another in its place.
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

// heals reports whether a job runs well where that of a finding fails, each time: a core
// may answer at random.
func (j *judge) heals(f *finding, c *pica.Job) bool {
	if f.outcome == Hang { // one time limit for the finding is enough
		return j.ask(c, false) == Equal
	}
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

// special lists the classes of numbers, the most special first.
var special = []featureSet{hasNaN, hasInfinity, hasSubnormal, hasZero}

// lowest returns the most special class.
func lowest(classes featureSet) featureSet {
	for _, c := range special {
		if classes&c != 0 {
			return c
		}
	}
	return 0
}

// blamed returns the most special class without whose values the program runs well, 0 for
// none. Values that are in no uniform and no input are not tried.
func (s *session) blamed(ctx context.Context, f *finding, classes featureSet) featureSet {
	for _, class := range special {
		if classes&class == 0 {
			continue
		}
		c, found := withoutClass(f.job, class)
		if !found || f.outcome == Hang || s.newJudge(ctx).heals(f, c) {
			return class
		}
	}
	return 0
}

// withoutClass returns a job with ones in the place of the values of a class, and whether
// there are any.
func withoutClass(job *pica.Job, class featureSet) (c *pica.Job, found bool) {
	c = reduce.Clone(job)
	replace := func(format pica.NumberFormat, list []pica.Vec4) {
		for r := range list {
			for l, x := range list[r] {
				if classFeatures[format.Class(x)]&class != 0 {
					list[r][l], found = x&format.Sign()|format.One(), true
				}
			}
		}
	}
	for i := range c.Floats {
		replace(c.Floats[i].Format, c.Floats[i].Values)
	}
	for i := range c.Vertices {
		replace(c.InputFormat, c.Vertices[i])
	}
	return c, found
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
