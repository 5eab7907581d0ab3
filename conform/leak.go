package conform

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/pool"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// A leak is state that one request leaves and a later one finds.
type leak struct {
	probe        *leakProbe
	ignored      []*leakProbe // the core runs the code of the earlier request: these show what its cache ignores
	earlier, job *pica.Job
	alone, after *view.View // the view of job in a fresh process, and after earlier
	smallest     *leak      // the same leak with a smaller program, nil for none
}

// leakProbe is a pair of programs: the first leaves state, the second shows it. Both are
// assembly, of vertex programs unless they begin with ".gsh". cacheProbes are probes in which
// both may have the same code.
type leakProbe struct {
	name        string
	behind      string // the part of it that the programs show: "word 16"; "" for all
	leave, show string
	registers   int  // show is a format that shows one of this many registers; 0 if it shows all
	numbers     bool // the second has c8 = 8, c9 = 9 and so on
	inputs      bool // the second has an input
	ofVertices  bool // a cache that ignores it ignores what a vertex has, too
	open        openScope
	reset       pica.Opcode // sets the state to its initial value if all operands are r15; 0 for none
	// control is a program that leaves what leave does except for the state, "" for leave itself.
	control string
	// finds are the opcodes that read the state; without one of them, a program does not find it. nil if any may.
	finds []pica.Opcode
	clear func(control *pica.Job) // takes the state from the control. It may be nil.
	// change makes further changes to the jobs. It may be nil.
	change func(leave, show *pica.Job)
}

// openScope is a kind of scopes that END leaves open.
type openScope uint8

const (
	noScope openScope = iota
	openLoop
	openBlock
	openCall
)

// String returns the name of the state, and of the part of it: "words behind word 16".
func (p *leakProbe) String() string {
	if p.behind == "" {
		return p.name
	}
	return p.name + " behind " + p.behind
}

// unstable is the probe of a leak that an unstable answer shows.
var unstable leakProbe

// leakProbes cover all state of a core. A program that shows state sets all other state that its outputs depend on,
// unless the control leaves it, too.
var leakProbes = []leakProbe{
	{name: "temporaries", leave: each(16, "mov r%d, v0"), control: "nop", show: "mov o%[1]d, r%[1]d", registers: 16},
	{name: "outputs", leave: each(16, "mov o%d, v0"), control: "nop", show: "nop"},
	{name: "outputs", leave: ".gsh\nemit\n" + each(16, "mov o%d, v0"), control: ".gsh\nemit", show: ".gsh\nemit"},
	{name: "condition flags", reset: pica.CMP, finds: []pica.Opcode{pica.IFC, pica.CALLC, pica.JMPC, pica.BREAKC},
		leave: "cmp v0, eq, eq, v0", control: "nop",
		show: "ifc cmp.x && cmp.y\nmov o0, c9\nnop\n.end", numbers: true},
	{name: "address registers", reset: pica.MOVA, leave: "mova a0.xy, v0", control: "nop",
		show: "mov o0, c10[a0.x]\nmov o1, c10[a0.y]", numbers: true},
	{name: "loop counter", leave: "for i0\nnop\nnop\n.end", control: "nop", show: "mov o0, c10[lcnt]", numbers: true},
	{name: "inputs", leave: each(16, "mov r15, v%d"), clear: func(c *pica.Job) { c.Vertices = [][]pica.Vec4{{}} },
		show: "mov o%[1]d, v%[1]d", registers: 16},
	{name: "float uniforms", leave: "mov o0, c0", clear: func(c *pica.Job) { c.Floats = nil },
		show: "mov o0, c0\nmov o1, c5\nmov o2, c50\nmov o3, c95"},
	{name: "integer uniforms", finds: []pica.Opcode{pica.LOOP},
		leave: "nop", clear: func(c *pica.Job) { c.Ints = [pica.NumInts][4]uint8{} },
		show: "for i%[1]d\nadd r%[1]d, c10[lcnt], r%[1]d\nnop\n.end\nmov o%[1]d, r%[1]d", registers: 4, numbers: true},
	{name: "boolean uniforms", finds: []pica.Opcode{pica.IFU, pica.CALLU, pica.JMPU},
		leave: "nop", clear: func(c *pica.Job) { c.Bools = 0 },
		show: "ifu b%[1]d\nmov o%[1]d, c9\nnop\n.end", registers: 16, numbers: true},
	{name: "operand descriptors", leave: "nop", control: "nop", show: "mov o0, v0", inputs: true,
		change: func(leave, show *pica.Job) { leave.Descriptors, show.Descriptors = show.Descriptors, nil }},
	{name: "words behind a program", leave: "nop\nend\nmov o1, v0", control: "nop", show: "mov o0, v0", inputs: true,
		change: func(_, show *pica.Job) { // it executes word 2, which it does not have
			call := pica.CALL.Layout()
			show.Code[0] = call.Num.Put(call.Dst.Put(uint32(pica.CALL)<<26, 2), 1)
		}},
	{name: "open loops", open: openLoop, leave: "for i0\nend\nnop\n.end", control: "for i0\nnop\nnop\n.end",
		show: straight, numbers: true},
	{name: "open ifs", open: openBlock, leave: "ifu b0\nend\nnop\n.else\nnop\nnop\n.end",
		control: "ifu b0\nnop\nnop\n.else\nnop\nnop\n.end", show: straight, numbers: true},
	{name: "open calls", open: openCall, leave: "call p\nend\n.end\n.proc p\nend\nnop",
		control: "call p\nend\n.end\n.proc p\nnop\nnop", show: straight, numbers: true},
	{name: "geometry emitter", leave: ".gsh\nsetemit 2, prim inv\nmov o0, v0\nemit", control: ".gsh\nmov o0, v0",
		show: ".gsh\nemit\nsetemit 1, prim\nemit"},
}

// straight is a program whose outputs change if scopes are open.
var straight = "mov r0, c8\n" + each(3, "add r0, c9, r0\nmov o%d, r0")

// each repeats a line of assembly for the registers 0 to n-1.
func each(n int, line string) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, line+"\n", k)
	}
	return b.String()
}

// assembled returns a program as a portable job without values.
func assembled(text string) *pica.Job {
	stage := pica.Vertex
	if rest, ok := strings.CutPrefix(text, ".gsh\n"); ok {
		text, stage = rest, pica.Geometry
	}
	main, procedures, _ := strings.Cut(text, "end\n.end\n.proc")
	source := ".limit 4096\n.proc main\n" + main + "\nend\n.end\n"
	if stage == pica.Geometry {
		source = ".gsh\n" + source
	}
	if procedures != "" {
		source += ".proc" + procedures + "\n.end\n"
	}
	a, err := asm.Assemble([]asm.Source{{Name: "probe", Text: source}}, asm.AssembleOptions{})
	if err != nil {
		panic(err) // the table has a fault, which the package's test finds
	}
	job := newJob(a.Program)
	job.Stage = stage
	return job
}

// controlled returns the control of a probe as a job.
func (p *leakProbe) controlled() *pica.Job {
	control := full(cmp.Or(p.control, p.leave))
	if p.clear != nil {
		p.clear(control)
	}
	return control
}

// full returns a program as a job with values in all inputs and uniforms.
func full(text string) *pica.Job {
	f, job := pica.Float32, assembled(text)
	v := pica.Vec4{f.Integer(3), f.Integer(5), f.Integer(6), f.Integer(7)}
	job.Vertices[0] = slices.Repeat([]pica.Vec4{v}, pica.NumInputs)
	job.Floats = []pica.Upload{{Format: f, Values: slices.Repeat([]pica.Vec4{v}, pica.NumFloats)}}
	job.Bools, job.Ints = 0x7FFF, [pica.NumInts][4]uint8{{2, 1, 3}, {2, 1, 3}, {2, 1, 3}, {2, 1, 3}}
	return job
}

// jobs returns the two programs of a probe as jobs; text is the second program.
func (p *leakProbe) jobs(text string) (leave, show *pica.Job) {
	f := pica.Float32
	leave, show = full(p.leave), assembled(text)
	if p.numbers {
		u := pica.Upload{Register: 8, Format: f}
		for n := range int64(16) {
			x := f.Integer(8 + n)
			u.Values = append(u.Values, pica.Vec4{x, x, x, x})
		}
		show.Floats = []pica.Upload{u}
	}
	if p.inputs {
		show.Vertices[0] = []pica.Vec4{{f.Integer(1), f.Integer(2), f.Integer(4), f.Integer(8)}}
	}
	if p.change != nil {
		p.change(leave, show)
	}
	return leave, show
}

// findLeaks asks for each probe's second program alone and after the first.
func (s *session) findLeaks(ctx context.Context) {
	found := make([]*leak, len(leakProbes)+len(cacheProbes))
	// all of them wait for processes
	_ = pool.Each(ctx, len(found), len(found), func(ctx context.Context, k int) error {
		if k < len(leakProbes) {
			found[k] = s.leak(ctx, &leakProbes[k])
		} else {
			found[k] = s.reused(ctx, &cacheProbes[k-len(leakProbes)])
		}
		return nil
	})
	s.leaks = slices.DeleteFunc(found, func(l *leak) bool { return l == nil })
}

// stop protects later requests from leaks: programs before each request overwrite the state. Where that does not
// help, or code is cached, requests that may find what was left get a process of their own; in the suites those with a
// wrong answer do (of jobs behind the core set one in confirmed). All do if the state kills or hangs the core.
func (s *session) stop(ctx context.Context) error {
	clean := cleaners(s.leaks)
	precede := false
	for _, l := range s.leaks {
		if l.cached() {
			s.remains.add(l) // one other program does not empty a cache
			continue
		}
		if precede = true; s.cleans(ctx, clean, l) {
			continue
		}
		if fatalEnds[l.after.End] != "" || l.probe.open != noScope {
			s.isolate()
			return nil
		}
		s.remains.add(l)
	}
	if precede {
		if err := s.core.Precede(clean...); err != nil {
			return err
		}
	}
	s.beWary()
	return nil
}

// cleans reports whether programs remove the state of a leak; of scopes, as many as can be open.
func (s *session) cleans(ctx context.Context, clean []*pica.Job, l *leak) bool {
	earlier := []*pica.Job{l.earlier}
	if l.probe.open != noScope {
		earlier = append(earlier, full(strings.ReplaceAll(nested, "{inside}", "end")))
	}
	for _, before := range earlier {
		a, _ := s.core.AskAfter(ctx, slices.Concat([]*pica.Job{before}, clean, []*pica.Job{l.job})...)
		got := view.OfAnswer(a)
		if l.probe != &unstable {
			onlyOutputs(got)
		}
		if view.Compare(l.alone, got, nil) == view.Differs {
			return false
		}
	}
	return true
}

func (s *session) isolate() {
	s.core.Isolate()
	s.isolated = true
}

// maxChains limits the number of processes in which findDamage asks for jobs.
const maxChains = 8

// findDamage asks one process for all jobs if each request so far had a process of its own: one
// of the jobs may damage the process.
func (s *session) findDamage(ctx context.Context) {
	var jobs []*pica.Job
	for i := range s.answers {
		if s.answers[i].Got.End == view.Ended {
			job := *s.answers[i].Job
			job.Initial = nil
			jobs = append(jobs, &job)
		}
	}
	for range maxChains {
		last, answered := s.core.AskAfter(ctx, jobs...)
		if answered >= len(jobs) || ctx.Err() != nil {
			return
		}
		if last.Damaged != nil {
			s.note(last.Damaged)
			return
		}
		jobs = jobs[answered+1:]
	}
}

// damaging returns the first job of a sequence, which does the damage, made smaller while the process still ends on the
// last job. Behind it are as many others as the process needs to end, if equal ones do: those of the sequence depend on
// the order in which jobs were asked for.
func (s *session) damaging(ctx context.Context, sequence adapter.Sequence) ([]*pica.Job, error) {
	jobs := make([]*pica.Job, len(sequence))
	for n := range jobs {
		job, err := sequence.Job(n)
		if err != nil {
			return nil, err
		}
		jobs[n] = job
	}
	last := len(jobs) - 1
	ends := func(jobs []*pica.Job) bool {
		a, answered := s.core.AskAfter(ctx, jobs...)
		return a.Fate == adapter.Crashed && answered == last
	}
	r, err := reduce.Job(ctx, jobs[0], reduce.Jobs{NewKey: func() reduce.Key {
		return func(first *pica.Job) string {
			if ends(append([]*pica.Job{first}, jobs[1:]...)) {
				return Crash
			}
			return ""
		}
	}}, reduce.Options{Workers: 2, MaxTries: maxTries})
	if err == nil { // else it did not end this time
		jobs[0] = r.Job
	}
	for _, other := range []*pica.Job{empty(), jobs[0]} {
		if list := append(jobs[:1:1], slices.Repeat([]*pica.Job{other}, last)...); ends(list) {
			return list, nil
		}
	}
	return jobs[:1], nil
}

// repeats is the number of times that both answers of a leak must be the same, because a core
// may answer at random.
const repeats = 6

// leak returns the leak that a probe finds between two jobs, nil for none.
func (s *session) leak(ctx context.Context, p *leakProbe) *leak {
	if p.registers == 0 {
		earlier, job := p.jobs(p.show)
		return s.passes(ctx, p, earlier, job, p.controlled())
	}
	earlier, job := p.jobs(each(p.registers, p.show))
	all := s.passes(ctx, p, earlier, job, p.controlled())
	for n := 0; n < p.registers && all != nil; n++ {
		earlier, job := p.jobs(fmt.Sprintf(p.show, n))
		if all.smallest = s.passes(ctx, p, earlier, job, p.controlled()); all.smallest != nil {
			break
		}
	}
	return all
}

// passes reports state that passes from one job to another, nil for none. Both answers must be
// repeatable. With a control only outputs count, and the answer must be another one than after the control: then
// what the control leaves, too, is not the reason.
func (s *session) passes(ctx context.Context, p *leakProbe, earlier, job, control *pica.Job) *leak {
	l := &leak{probe: p, earlier: earlier, job: job}
	for range repeats {
		first, _ := s.core.AskAfter(ctx, job)
		alone := view.OfAnswer(first)
		s.witness(ofLeaks, 0, job, fatalEnds[endOf(first)])
		if control != nil {
			onlyOutputs(alone)
		}
		if alone.End != view.Ended {
			return nil
		}
		second, answered := s.core.AskAfter(ctx, earlier, job)
		after := view.OfAnswer(second)
		if after.End = endOf(second); answered == 0 {
			s.witness(ofLeaks, 0, earlier, fatalEnds[after.End])
			return nil
		}
		if control != nil {
			onlyOutputs(after)
		}
		died := fatalEnds[after.End] != ""
		if after.End != view.Ended && !died || view.Compare(alone, after, nil) != view.Differs ||
			l.alone != nil && (view.Compare(alone, l.alone, nil) != view.Same ||
				view.Compare(after, l.after, nil) != view.Same) {
			return nil
		}
		if control != nil && !s.apart(ctx, control, job, after) {
			return nil
		}
		if l.after != nil && after.End == view.Hung { // one more time limit would show nothing new
			break
		}
		l.alone, l.after = alone, after
	}
	return l
}

// apart reports whether the outputs of a job after a control are others than those of a view.
func (s *session) apart(ctx context.Context, control, job *pica.Job, after *view.View) bool {
	a, answered := s.core.AskAfter(ctx, control, job)
	v := view.OfAnswer(a)
	v.End = endOf(a)
	onlyOutputs(v)
	return answered > 0 && v.End != view.Missing && view.Compare(v, after, nil) == view.Differs
}

// onlyOutputs takes all registers but the outputs from a view.
func onlyOutputs(v *view.View) {
	for i, x := range v.Vertices {
		v.Vertices[i] = view.Vertex{O: x.O, Primitives: x.Primitives}
	}
}

// ofLeaks is the part of the run that looks for leaks.
const ofLeaks = "leaks"

// maxEarlier limits the search for the request that an unstable answer depends on.
const maxEarlier = 200

// earlier finds a request on which the answer to a job depends, among the requests before it.
func (s *session) earlier(ctx context.Context, job *pica.Job, jobs []*pica.Job) *leak {
	for _, before := range jobs[:min(len(jobs), maxEarlier)] {
		// Among so many requests, random answers can look like a dependence.
		if l := s.passes(ctx, &unstable, before, job, nil); l != nil && s.passes(ctx, &unstable, before, job, nil) != nil {
			return l
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil
}

// nested is a program with as many open scopes as there can be at the word {inside}.
var nested = "call p\nend\n.end\n.proc p\ncall q\nnop\n.end\n.proc q\ncall s\nnop\n.end\n.proc s\ncall t\nnop\n.end\n" +
	".proc t\n" + strings.Repeat("ifu b0\nnop\n", pica.IfDepth) + strings.Repeat("for i0\nnop\n", pica.LoopDepth) +
	"{inside}\n" + strings.Repeat("nop\n.end\n", pica.IfDepth+pica.LoopDepth) + "nop"

// cleaners are programs that overwrite all registers with their initial values, and push all open scopes out of the
// stacks.
func cleaners(leaks []*leak) (jobs []*pica.Job) {
	zero := each(16, "mov r%[1]d, v0\nmov o%[1]d, v0")
	job := assembled(zero + "mova a0.xy, v0\ncmp v0, lt, lt, v0\nfor i0\nnop\nnop\n.end")
	job.Vertices[0] = []pica.Vec4{{}}
	if slices.ContainsFunc(leaks, func(l *leak) bool { return l.probe.open != noScope }) {
		scopes := assembled(strings.ReplaceAll(nested, "{inside}", "nop"))
		scopes.Bools = 1
		jobs = append(jobs, scopes, scopes) // open scopes may lead the first one astray
	}
	jobs = append(jobs, job)
	if slices.ContainsFunc(leaks, func(l *leak) bool { return l.earlier.Stage == pica.Geometry }) {
		emits := ""
		for _, bank := range []int{0, 1} {
			emits += each(3, fmt.Sprintf("%s\nsetemit %%d\nemit ; %d", each(16, "mov o%[1]d, v0"), bank))
		}
		geometry := assembled(".gsh\n" + emits + "setemit 0")
		geometry.Vertices[0] = []pica.Vec4{{}}
		jobs = append([]*pica.Job{geometry}, jobs...)
	}
	return jobs
}

// manyPrograms is the number of programs that a process must bear.
const manyPrograms = 4000

// wear asks one process for many different programs and shows the program at which it ends: a
// full cache or buffer for generated code. life is the number of programs that a process bears,
// 0 for any number.
func (s *session) wear(ctx context.Context) (list []report.Deviation, life int) {
	var jobs []*pica.Job
	for n := range uint32(manyPrograms) {
		jobs = append(jobs, newJob(pica.Program{Code: []uint32{manyWord(n), uint32(pica.END) << 26},
			Descriptors: []uint32{uint32(pica.IdentityDescriptor)}}))
	}
	last, answered := s.core.AskAfter(ctx, jobs...)
	outcome := fatalEnds[endOf(last)]
	if outcome == "" || answered == 0 || answered >= len(jobs) || ctx.Err() != nil { // a failed start is no wear
		return nil, 0
	}
	if alone := s.core.AskFresh(ctx, jobs[answered]); alone.Fate >= adapter.Crashed {
		return nil, 0
	}
	// the number of programs does not matter
	if _, again := s.core.AskAfter(ctx, jobs[:answered+1]...); again != answered || ctx.Err() != nil {
		return nil, 0
	}
	d := report.Deviation{Bucket: outcome + " after many programs", Verdict: report.Level(outcome), Where: "end",
		Expected: "an answer",
		Observed: seen(outcome, last.Kind, last.Message), Stderr: last.Stderr,
		Note: fmt.Sprintf("the process ends at program number %d, which alone does no harm", answered+1)}
	s.show(&d, jobs[answered], &s.model, reduce.Report{})
	first := fmt.Sprintf("%08x", manyWord(0))
	d.Reproduce = fmt.Sprintf(`for n in $(seq 0 %d); do printf '%s\n' $((0x%s + n %% 128 * %d + n / 128 * %d)); done | %s`,
		answered, strings.Replace(lines(jobs[:1])[0], first, "%08x", 1), first,
		manyWord(1)-manyWord(0), manyWord(128)-manyWord(0), s.core.Name())
	return append(list, d), answered
}

// manyWord is the instruction of program number n of manyPrograms.
func manyWord(n uint32) uint32 {
	l := pica.ADD.Layout()
	return l.Dest.Put(l.Src[1].Put(l.Src[0].Put(uint32(pica.ADD)<<26, n&127), n>>7), 16)
}

// lastBoolean reports a core that says that it sets b15 after a geometry program, and does not. All
// other geometry programs of several vertices begin with b15 set (view.Portable).
func (s *session) lastBoolean(ctx context.Context) (d report.Deviation, job *pica.Job) {
	job = assembled(".gsh\nifu b15\nmov o0, v0\nnop\n.end")
	one := pica.Float32.One()
	input := []pica.Vec4{{one, one, one, one}}
	job.Vertices = [][]pica.Vec4{input, input}
	j := s.newJudge(ctx)
	for range repeats {
		if j.ask(view.Portable(job), true) != Equal || j.ask(job, true) != Differ || j.diff.Vertex != 1 {
			return d, nil
		}
	}
	return report.Deviation{Bucket: "b15 after a geometry program", Verdict: report.Console, Provenance: "console",
		Source: "b15 is set after each run of a geometry program (Azahar, PabloMK7)", Where: j.diff.Where,
		Expected: j.diff.Expected,
		Observed: j.diff.Observed, Note: "the second vertex of a geometry program finds b15 as it was"}, job
}

// cached reports whether the core runs the code of an earlier request.
func (l *leak) cached() bool { return len(l.ignored) > 0 }

// bucket is the name of the cause.
func (l *leak) bucket() string {
	switch {
	case l.cached():
		var names []string
		for _, p := range l.ignored {
			names = append(names, p.String())
		}
		return ignores + strings.Join(names, ", ")
	case l.probe == &unstable:
		return "state passes from one request to another"
	}
	return l.probe.String() + " pass to the next request"
}

// deviation shows a leak.
func (l *leak) deviation(s *session) report.Deviation {
	if l.smallest != nil {
		return l.smallest.deviation(s)
	}
	var diff view.Difference
	view.Compare(l.alone, l.after, &diff)
	d := report.Deviation{Bucket: l.bucket(), Verdict: report.Own, Where: diff.Where,
		Expected: diff.Expected, Observed: diff.Observed,
		Note: "the answer depends on an earlier request: " + brief(l.earlier)}
	if end := fatalEnds[l.after.End]; end != "" {
		d.Verdict = report.Level(end)
	}
	if l.cached() {
		d.Note = "the code of an earlier request is run again: " + brief(l.earlier)
	}
	s.show(&d, l.job, &s.model, reduce.Report{})
	d.Reproduce = command.Lines(s.core.Name(), lines([]*pica.Job{l.earlier, l.job})...)
	return d
}

// lines returns jobs as requests.
func lines(jobs []*pica.Job) (list []string) {
	for _, job := range jobs {
		list = append(list, string(encode(job)))
	}
	return list
}

// brief returns the instructions of a program in one line, with single blanks.
func brief(job *pica.Job) string {
	return strings.Join(strings.Fields(strings.Join(report.Instructions(listing(job)), "; ")), " ")
}
