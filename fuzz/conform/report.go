package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/fuzz/conform/fingerprint"
	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/fuzz/report"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Types of the report, which package report defines.
type (
	Report = report.Report
	Suite  struct {
		Name       string
		Core, Rest report.Counts
	}
)

// add adds the outcomes of the jobs of a round, of the core set or behind it.
func (s *Suite) add(p *hunt.Progress, core bool) {
	c := &s.Core
	if !core {
		c = &s.Rest
	}
	c.Run += int(p.Next)
	for outcome, n := range p.Outcomes {
		c.Add(outcome, int(n))
	}
}

// addMessages adds the messages of the jobs of a suite in a round.
func (s *session) addMessages(p *hunt.Progress, core bool) {
	for _, text := range slices.Sorted(maps.Keys(p.Messages)) {
		m := report.Message{Text: text, Excuse: s.messages.Excuse([]string{text})}
		c := &m.CoreSet
		if !core {
			c = &m.Rest
		}
		for outcome, n := range p.Messages[text] {
			c.Run += int(n)
			c.Add(outcome, int(n))
		}
		s.logged = report.WithMessage(s.logged, m)
	}
}

// bucket is a group of findings that look alike, with its first job reduced.
type bucket struct {
	report.Member
	also []report.Member // of the core set: buckets that a known trigger explains
	*finding
}

// cause is the common fault of several buckets.
type cause struct {
	Key     string
	Count   int
	Opcodes []string
	trigger trigger
	Buckets []*bucket // the bucket with the smallest program first
	// hangs says that no suite runs into the cause, because each time costs a time limit.
	hangs bool
}

// record adds a bucket to its cause, or makes a new cause.
func (s *session) record(b *bucket) {
	s.buckets = append(s.buckets, b)
	s.causes = merge(s.causes, b)
}

// merge adds a bucket to a list of causes.
func merge(causes []*cause, b *bucket) []*cause {
	i := slices.IndexFunc(causes, func(c *cause) bool { return c.Key == b.subject })
	if i < 0 {
		return append(causes, &cause{Key: b.subject, Count: b.Count, Opcodes: []string{b.opcode}, trigger: b.trigger,
			Buckets: []*bucket{b}})
	}
	c := causes[i]
	c.Count += b.Count
	if !slices.Contains(c.Opcodes, b.opcode) {
		c.Opcodes = append(c.Opcodes, b.opcode)
	}
	c.trigger = c.trigger.with(b.trigger)
	c.Buckets = append(c.Buckets, b)
	slices.SortStableFunc(c.Buckets, func(a, b *bucket) int { return len(a.job.Code) - len(b.job.Code) })
	return causes
}

// with returns the union of two triggers of one cause.
func (t trigger) with(u trigger) trigger {
	join := func(a, b []string) []string {
		list := slices.Concat(a, b)
		slices.Sort(list)
		return slices.Compact(list)
	}
	t.Opcodes, t.Uploads, t.Registers = join(t.Opcodes, u.Opcodes), join(t.Uploads, u.Uploads),
		join(t.Registers, u.Registers)
	t.Any = t.Any || u.Any || len(t.Opcodes) > 2 && len(t.Features) > 0
	t.Present, t.Loose = t.Present || u.Present, t.Loose || u.Loose
	return t
}

// manyInstructions is the number of instructions that must go wrong in one component before
// programs avoid the component in all instructions.
const manyInstructions = 4

// manyRegisters is the number of registers of a file that must go wrong before programs also
// avoid the registers between them.
const manyRegisters = 3

// triggersOf lists the triggers of causes, in their order.
func triggersOf(causes []*cause) (list []trigger) {
	blamed := map[string]int{} // instructions, by the component in which they go wrong
	wrong := map[byte][]int{}  // registers, by file
	for _, c := range causes {
		list = append(list, c.trigger)
		if file, n, ok := c.trigger.register(); ok {
			wrong[file] = append(wrong[file], n)
		}
		if component := c.trigger.component(); component != "" {
			blamed[component] += len(c.trigger.Opcodes)
		}
	}
	for i := range list {
		list[i].Any = list[i].Any || blamed[list[i].component()] >= manyInstructions
		if file, _, ok := list[i].register(); ok && len(wrong[file]) >= manyRegisters {
			list[i].Registers = nil
			for n := slices.Min(wrong[file]); n <= slices.Max(wrong[file]); n++ {
				list[i].Registers = append(list[i].Registers, string(file)+strconv.Itoa(n))
			}
		}
	}
	return list
}

// register returns the file and the number of a register if the trigger names only a register.
func (t trigger) register() (file byte, n int, ok bool) {
	if len(t.Registers) != 1 || len(t.Opcodes) > 0 || len(t.Registers[0]) < 2 {
		return 0, 0, false
	}
	n, err := strconv.Atoi(t.Registers[0][1:])
	return t.Registers[0][0], n, err == nil
}

// component returns the feature of a component if the trigger names only that.
func (t trigger) component() string {
	if len(t.Features) == 1 && strings.HasPrefix(t.Features[0], "component ") {
		return t.Features[0]
	}
	return ""
}

// report makes the report of a run.
func (s *session) report(ctx context.Context, info *adapter.Reply) *Report {
	r := report.New("conform core", "", info.Core, s.Seed)
	r.Claimed, r.Profile.Asked, r.Profile.Model = info.Profile, "auto", nameOf(s.model)
	if !s.unknown {
		r.Profile.Nearest, r.Profile.Names = s.print.Profile.Name, append(r.Profile.Names, s.print.Names...)
	}
	if s.Model != nil {
		r.Profile.Asked = nameOf(*s.Model)
	}
	if s.Against != nil {
		r.Against = s.Against.Name()
	}
	hw := profile.HW()
	for i := range s.print.Decisions {
		r.Profile.Knobs = append(r.Profile.Knobs, s.knob(&s.print.Decisions[i], &hw))
	}
	for _, i := range s.print.Unexplained {
		r.Profile.Unexplained = append(r.Profile.Unexplained, encode(under(s.answers[i].Job, s.model)))
	}
	r.Messages = s.logged
	for _, suite := range s.suites {
		r.Suites = append(r.Suites,
			report.Suite{Name: suite.Name, CoreSet: suite.Core, Rest: suite.Rest, Counts: suite.Core.Plus(suite.Rest)})
	}
	r.Requests = len(s.answers) + r.Jobs()
	r.Late = s.core.Stats().Late
	r.NotReduced = s.notReduced
	for _, b := range s.buckets {
		r.Findings = append(r.Findings, s.deviation(ctx, b, &hw))
	}
	slices.SortFunc(r.Findings,
		func(a, b report.Deviation) int { return strings.Compare(a.Members[0].Key, b.Members[0].Key) })
	r.Deviations = append(r.Deviations, s.state(ctx)...)
	if s.Against == nil && !s.unknown {
		r.Deviations = append(r.Deviations, s.console(ctx, &hw)...)
		r.Deviations = append(r.Deviations, s.precision(ctx)...)
	}
	for _, p := range cover.Points() {
		switch {
		case s.judged.Has(p.Point):
			r.Coverpoints.Judged = append(r.Coverpoints.Judged, p.Name)
		case s.touched.Has(p.Point):
			r.Coverpoints.Masked = append(r.Coverpoints.Masked, p.Name)
		default:
			r.Coverpoints.NotJudged = append(r.Coverpoints.NotJudged, p.Name)
		}
	}
	slices.Sort(r.Coverpoints.Judged)
	r.Regroup()
	if slices.Contains(s.Suites, Bench) {
		r.Tables = append(r.Tables, s.bench(ctx))
	}
	if s.Shards > 1 {
		r.Shard = fmt.Sprintf("%d/%d", s.Shard+1, s.Shards)
	}
	r.Interrupted = ctx.Err() != nil && s.MaxTime == 0
	return r
}

// knob returns a decision in the form of the report.
func (s *session) knob(d *fingerprint.Decision, hw *pica.Profile) report.Knob {
	values := d.Dimension.Values
	console := values[d.Dimension.Get(hw)]
	k := report.Knob{Knob: d.Dimension.Name, Question: d.Dimension.Question, Value: d.Name(),
		About: values[d.Value].About,
		State: string(d.State), Console: console.Name, Class: string(console.Class)}
	for _, v := range d.Others {
		k.Others = append(k.Others, values[v].Name)
	}
	if d.DecidedBy >= 0 {
		k.DecidedBy = encode(s.answers[d.DecidedBy].Job)
		k.Assembly = listing(s.answers[d.DecidedBy].Job)
	}
	return k
}

// encode returns a job as a request, which names the profile of the job if it has one.
func encode(job *pica.Job) json.RawMessage {
	c := *job
	c.Initial = nil
	data, err := json.Marshal(&c)
	if err != nil {
		return nil
	}
	return data
}

// deviation shows a bucket as a cause.
func (s *session) deviation(ctx context.Context, b *bucket, hw *pica.Profile) report.Deviation {
	level, provenance, source := s.level(ctx, b, hw)
	d := report.Deviation{
		Bucket: b.subject, Verdict: level, Provenance: provenance, Source: source, Opcode: b.opcode, Count: b.Count,
		Expected: b.expected, Observed: b.observed, Where: b.where, Class: b.class, Stderr: b.stderr,
		Members: append([]report.Member{b.Member}, b.also...),
		Opcodes: []string{b.opcode}, Features: b.trigger.Features, Note: b.random,
	}
	if s.Against != nil && d.Note == "" {
		d.Note = s.right(ctx, b.job, hw)
	}
	for _, m := range b.also {
		d.Count += m.Count
	}
	s.show(&d, b.job, &s.model, b.report)
	return d
}

// show sets the program of a deviation from a profile, and the command that repeats it.
func (s *session) show(d *report.Deviation, job *pica.Job, from *pica.Profile, r reduce.Report) {
	begun := *job
	begun.Initial = nil
	c, err := hunt.NewJobCase(reduce.JobResult{Job: &begun, Report: r})
	if err != nil {
		return
	}
	d.Instructions, d.Words, d.Assembly, d.Inputs = c.Instructions, c.Words, c.Assembly, c.Inputs
	p := *from
	p.Name = profile.String(p)
	d.Job = encode(under(job, p))
	d.Reproduce = fmt.Sprintf("picaproof compare %s --job %s", s.Arguments, command.Quoted(string(d.Job)))
}

func listing(job *pica.Job) string {
	c, err := hunt.NewJobCase(reduce.JobResult{Job: job})
	if err != nil {
		return ""
	}
	return c.Assembly
}

// level returns the rules against which a deviation counts: the console's, if the oracle knows
// that the answer is wrong there, else the core's own model.
func (s *session) level(ctx context.Context, b *bucket,
	hw *pica.Profile) (level report.Level, provenance, source string) {
	switch b.outcome {
	case Crash:
		return report.Crash, "", ""
	case Hang:
		return report.Hang, "", ""
	case Flaky:
		return report.Flaky, "", ""
	}
	own := report.Own
	switch {
	case s.Against != nil:
		own = report.Other
	case s.Model != nil:
		own = report.Asked
	}
	j := s.newJudgeOf(ctx, *hw)
	if j.ask(b.job, false) != Differ {
		return own, "", ""
	}
	begun := *b.job
	begun.Initial = s.initial
	provenance, source = provenanceOf(&begun, hw, &j.want, &j.got)
	switch provenance {
	case "console":
		return report.Console, provenance, source
	case "documented":
		return report.Documented, provenance, source
	}
	return own, provenance, source
}

// right says which of two cores the console's rules agree with.
func (s *session) right(ctx context.Context, job *pica.Job, hw *pica.Profile) string {
	agrees := func(core adapter.Core) bool {
		j := s.newJudgeOf(ctx, *hw)
		j.core = core
		return j.ask(job, true) == Equal
	}
	this, other := agrees(s.core), agrees(s.Against)
	switch {
	case this && other:
		return "the console's rules agree with both cores, as far as they are known"
	case this:
		return "the console's rules agree with this core"
	case other:
		return "the console's rules agree with the other core"
	}
	return "the console's rules agree with neither"
}

// provenanceOf returns the weakest provenance among the console's rules that the run used and
// whose alternatives would change the difference, and its source. If no rule has an alternative,
// every source agrees.
func provenanceOf(job *pica.Job, hw *pica.Profile, want, got *view.View) (class, about string) {
	strength := map[string]int{"console": 0, "documented": 1, "implementation": 2, "guess": 3}
	predict := fingerprint.NewPredictor()
	class = ""
	var other view.View
	for i := range fingerprint.Dimensions {
		d := &fingerprint.Dimensions[i]
		value := d.Values[d.Get(hw)]
		for v := range d.Values {
			q, ok := d.With(*hw, v)
			if !ok || v == d.Get(hw) || !d.IsKnob() || d.Name == "storage" {
				continue
			}
			predict.View(job, &q, &other)
			if !fingerprint.Distinct(want, &other) || !view.Disputed(want, &other, got) {
				continue
			}
			c := string(value.Class)
			if d.Name == "flush" && zeroSigns(want, &other) {
				c = "documented" // the flush is measured, the sign of the zero is not
			}
			if class == "" || strength[c] > strength[class] {
				class, about = c, d.Name+": "+value.About
			}
			break
		}
	}
	if class == "" {
		return "agreed", "no implementation answers otherwise"
	}
	return class, about
}

// zeroSigns reports whether two predictions differ first in the sign of a zero.
func zeroSigns(a, b *view.View) bool {
	var d view.Difference
	return view.Compare(a, b, &d) == view.Differs && d.Class == compare.ClassZeroSign
}

// state lists the state that a core keeps between requests, and state that it begins with.
func (s *session) state(ctx context.Context) (list []report.Deviation) {
	defer func() {
		for i := range list {
			list[i].Opcode, list[i].Count = "state", 1
		}
	}()
	add := func(d report.Deviation, job *pica.Job) {
		d.Class = "state"
		s.show(&d, job, &s.model, reduce.Report{})
		list = append(list, d)
	}
	for _, l := range oneCache(s.leaks) {
		list = append(list, l.deviation(s))
	}
	worn, life := s.wear(ctx)
	list = append(list, worn...)
	if s.initial != nil {
		j := s.newJudge(ctx)
		j.initial = nil
		j.ask(empty(), true)
		add(report.Deviation{Bucket: "initial registers", Verdict: report.Own, Where: j.diff.Where,
			Expected: j.diff.Expected,
			Observed: j.diff.Observed, Note: "registers must be zeros before the first instruction"}, empty())
	}
	if d, job := s.lastBoolean(ctx); job != nil {
		add(d, job)
	}
	if s.forgetRandom(); len(s.unstable) > 0 && len(s.leaks) == 0 {
		smallest := slices.MinFunc(s.unstable, func(a, b *pica.Job) int { return len(a.Code) - len(b.Code) })
		add(report.Deviation{Bucket: "answers that are not repeated", Verdict: report.Flaky, Where: "end",
			Expected: "the same answer twice",
			Observed: "another one",
			Note: fmt.Sprintf("%d of %d jobs were answered in two ways: at random, or depending on earlier requests",
				len(s.unstable), len(s.answers))}, smallest)
	}
	if s.damage != nil && (life == 0 || len(s.damage.Sequence) < life) {
		sequence, last := adapter.Culprit(ctx, s.core, s.damage)
		d := report.Deviation{Bucket: "crash by an earlier request", Verdict: report.Crash, Where: "end",
			Expected: "an answer",
			Observed: strings.TrimSpace("crash " + last.Kind + " " + last.Message), Stderr: last.Stderr,
			Note: fmt.Sprintf("this request does the damage; the process ends %d requests later", len(sequence)-1)}
		job, err := empty(), error(nil)
		if len(sequence) > 0 {
			job, err = s.damaging(ctx, sequence)
		} else {
			d.Bucket, d.Verdict, d.Note = "crash that is not repeated", report.Flaky,
				"the requests before the crash were answered when they were repeated"
			d.Observed = strings.TrimSpace("crash " + s.damage.Kind + " " + s.damage.Message)
		}
		if err == nil {
			add(d, job)
		}
	}
	return list
}

// forgetRandom drops unstable answers that are explained by a cause whose program fails only
// sometimes.
func (s *session) forgetRandom() {
	var known masks
	for _, c := range s.causes {
		if slices.ContainsFunc(c.Buckets, func(b *bucket) bool { return b.random != "" }) {
			known = append(known, newMask(c.trigger))
		}
	}
	w := newWatcher()
	s.unstable = slices.DeleteFunc(s.unstable, func(job *pica.Job) bool {
		job = under(job, s.model)
		return known.hit(job, w.uses(job))
	})
}

// console lists the differences between the core's model and the console: for each question the
// smallest jobs of the fingerprint that show it, one for each way in which it shows.
func (s *session) console(ctx context.Context, hw *pica.Profile) (list []report.Deviation) {
	predict, watch := fingerprint.NewPredictor(), newWatcher()
	for i := range s.print.Decisions {
		d := &s.print.Decisions[i]
		console := d.Dimension.Get(hw)
		if d.Value == console || slices.Contains(d.Others, console) || d.State == fingerprint.Unknown {
			continue
		}
		q, ok := d.Dimension.With(s.print.Profile, console)
		if !ok {
			q = *hw
		}
		value := d.Dimension.Values[console]
		ways := map[string]report.Deviation{}
		answers := s.answers
		if d.Dimension.Name == "flow" {
			answers = slices.Concat(answers, s.scopes(ctx, q))
		}
		for k := range answers {
			if k >= s.stored && k < len(s.answers) && len(ways) > 0 {
				continue // a generated program, although a small one shows the question
			}
			a := &answers[k]
			var want view.View
			var diff view.Difference
			predict.View(a.Job, &s.print.Profile, &want)
			if view.Compare(&want, a.Got, nil) == view.Differs {
				continue // the difference has another cause
			}
			predict.View(a.Job, &q, &want)
			if view.Compare(&want, a.Got, &diff) != view.Differs || a.Got.End == view.Unpredictable &&
				d.Dimension.Name == "flow" ||
				estimates(a.Job) && diff.Class != compare.ClassCategory && d.Dimension.Name != "rcp" &&
					d.Dimension.Name != "ex2" {
				continue
			}
			way := wayOf(d.Dimension, &diff, watch.uses(under(a.Job, q)))
			if before, ok := ways[way]; ok && max(before.Instructions, before.Words) <= len(a.Job.Code) {
				continue
			}
			class, level := levelOf(d.Dimension, string(value.Class), &diff, &want)
			dev := report.Deviation{
				Bucket: report.ModelPrefix + d.Dimension.Name + way, Verdict: level, Provenance: class,
				Source: value.About,
				Opcode: d.Dimension.Question, Count: 1, Expected: diff.Expected, Observed: diff.Observed,
				Where: diff.Where, Class: diff.Class.String(),
				Note: fmt.Sprintf("the core follows %s (%s), the console %s", d.Name(),
					d.Dimension.Values[d.Value].About, value.Name),
			}
			s.show(&dev, a.Job, &q, reduce.Report{})
			ways[way] = dev
		}
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			list = append(list, ways[way])
		}
	}
	return list
}

// scopes asks the core for the flow programs of the corpus and reduces the programs that the
// core and the console run differently, one for each set of constructs.
func (s *session) scopes(ctx context.Context, console pica.Profile) (answers []fingerprint.Answer) {
	watch := newWatcher()
	j := s.newJudgeOf(ctx, console)
	seen := map[string]bool{}
	for _, shared := range regressions() {
		way := strings.Join(flowKinds(watch.uses(under(shared, console))), " ")
		if way == "" || seen[way] || shared.Stage != pica.Vertex || j.ask(shared, false) != Differ ||
			j.answer.Fate != adapter.Answered {
			continue
		}
		seen[way] = true
		r, err := reduce.Job(ctx, shared, reduce.Jobs{NewKey: func() reduce.Key {
			j, w := s.newJudgeOf(ctx, console), newWatcher()
			return func(c *pica.Job) string {
				if c.Initial != nil || j.ask(c, false) != Differ || j.answer.Fate != adapter.Answered {
					return ""
				}
				return strings.Join(flowKinds(w.uses(under(c, console))), " ")
			}
		}}, reduce.Options{Workers: 1, MaxTries: maxTries})
		if err != nil {
			continue
		}
		answers = append(answers, fingerprint.Answer{Job: r.Job, Got: view.OfAnswer(s.asked(ctx, r.Job))})
	}
	return answers
}

// wayOf names the aspects of an answer that have evidence of their own: the sign of a zero, and
// the constructs of control flow.
func wayOf(d *fingerprint.Dimension, diff *view.Difference, uses []use) string {
	switch {
	case d.Name == "flow" && diff.Where == "end":
		return ": " + diff.Observed
	case d.Name == "flow":
		return ": " + strings.Join(append(flowKinds(uses), ends(uses)...), " and ")
	case diff.Class == compare.ClassZeroSign:
		return ": sign of zero"
	}
	return ""
}

// ends returns "end" for a run whose END seems to stand inside a scope: the instruction executed
// before END is a flow instruction.
func ends(uses []use) []string {
	for i, u := range uses {
		if i > 0 && pica.Opcodes[u.op].Flow == pica.FlowEnd && pica.Opcodes[uses[i-1].op].Flow != pica.FlowNone {
			return []string{"end"}
		}
	}
	return nil
}

// estimates reports whether a program has an instruction whose precision is a question of its
// own.
func estimates(job *pica.Job) bool {
	return slices.ContainsFunc(job.Code, func(w uint32) bool { return slices.Contains(estimated, pica.OpcodeOf(w)) })
}

// levelOf returns the level of a question that the core and the console answer differently, and
// the evidence for the aspect of the rule that shows.
func levelOf(d *fingerprint.Dimension, class string, diff *view.Difference, want *view.View) (string, report.Level) {
	if class == string(impl.Console) && diff.Class == compare.ClassZeroSign {
		class = string(impl.Documented) // the flush is measured, the sign is not
	}
	switch {
	case strings.HasPrefix(d.Name, "op.") || d.Name == "stages":
		return class, report.Unsupported
	case d.Name == "rcp" || d.Name == "ex2":
		return class, report.Precision
	case want.End == view.Trapped:
		return class, report.Guess // a core need not freeze where a console does
	case class == string(impl.Console):
		return class, report.Console
	case class == string(impl.Documented):
		return class, report.Documented
	}
	return class, report.Guess
}
