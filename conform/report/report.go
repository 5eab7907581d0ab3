// Package report serves this module: it has the results of commands that give a verdict, and writes
// them as text for terminals, as JSON, as JUnit, and as a page of HTML.
package report

//go:generate go test -run ^Test(Forms|Merge)$ -update .

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/internal/grouped"
	"github.com/picaproof/picaproof/pica/show"
)

// A Level is the gravity of a deviation: the rules that it breaks, or its kind.
type Level string

// The levels, the gravest first.
const (
	Crash       Level = "crash"
	Hang        Level = "hang"
	Console     Level = "wrong against console"
	Documented  Level = "wrong against documentation"
	Own         Level = "differs from its own model"
	Asked       Level = "differs from PROFILE"
	Other       Level = "differs from the other core"
	Flaky       Level = "flaky"
	Guess       Level = "differs from a guess"
	Precision   Level = "precision"
	Unsupported Level = "unsupported"
)

// The levels of a verdict on a program that reads files.
const (
	AcceptsInvalid Level = "accepts invalid"
	RefusesValid   Level = "refuses valid"
	WrongModel     Level = "wrong model"   // the model that it returns differs from the file
	WrongRewrite   Level = "wrong rewrite" // the file that it writes back has another meaning
	Cost           Level = "cost"          // time or memory grows faster than the file
)

// The further levels of a verdict on a program that writes files.
const (
	WrongMeaning     Level = "wrong meaning"
	WrongConstants   Level = "wrong constants"
	WrongTables      Level = "wrong tables"
	InvalidFile      Level = "invalid file"
	NotDeterministic Level = "not deterministic"
)

// Levels lists the levels, the gravest first.
var Levels = []Level{Crash, Hang, Console, Documented, WrongMeaning, WrongConstants, WrongTables, InvalidFile,
	NotDeterministic,
	AcceptsInvalid, WrongModel, WrongRewrite, RefusesValid, Cost, Own, Asked, Other, Flaky, Guess, Precision,
	Unsupported}

// Bad reports whether the level counts against the judged program.
func (l Level) Bad() bool { return slices.Index(Levels, l) < slices.Index(Levels, Flaky) }

// Report is the verdict on a core, or on a program that reads or writes files.
type Report struct {
	Command string `json:"command"`
	// Kind is the kind of program: "core" if it is empty, "reader" or "writer".
	Kind string `json:"kind,omitempty"`
	Core string `json:"core"` // its command
	// Summary is set in the JSON of [Report.WriteJSON].
	Summary     *Summary `json:"summary,omitempty"`
	Against     string   `json:"against,omitempty"`         // the command of the core that it is compared with
	Claimed     string   `json:"claimed_profile,omitempty"` // the profile that the core claims
	Seed        uint64   `json:"seed"`
	Shard       string   `json:"shard,omitempty"` // "2/4"
	Interrupted bool     `json:"interrupted,omitempty"`
	TimeOver    bool     `json:"time_over,omitempty"` // ended by --max-time
	// Cut names the work that a limit or an interrupt left out: "suites flow and mixed, 812 jobs".
	Cut []string `json:"cut,omitempty"`
	// Pending says how long the core had not answered when the run was cut.
	Pending  string      `json:"pending,omitempty"`
	Profile  Fingerprint `json:"profile"`
	Requests int         `json:"requests"`
	// Late counts requests that used up their processor time and were answered when they were
	// repeated. Like a time it may differ from run to run.
	Late        int         `json:"late,omitempty"`
	Coverpoints Coverpoints `json:"coverpoints"`
	Suites      []Suite     `json:"suites"`
	// Messages lists the messages of the core, sorted.
	Messages []Message `json:"messages,omitempty"`
	// Classes are the headings of the columns of Matrix.
	Classes []string `json:"classes"`
	Matrix  []Row    `json:"matrix"`
	// Tables are further results.
	Tables []Table `json:"tables,omitempty"`
	// Notes say how the program was judged; they belong to the headline.
	Notes []string `json:"notes,omitempty"`
	// NotTested lists checks that say nothing about the program.
	NotTested []Untested `json:"not_tested,omitempty"`
	// NotRead lists the parts of files that a reader does not read. Rules about them are not judged.
	NotRead []Unread `json:"not_read,omitempty"`
	// Findings are the buckets that causes are made of, one member each. Shards are merged by
	// them.
	Findings   []Deviation `json:"findings"`
	Deviations []Deviation `json:"deviations"`
	// NotReduced lists groups of failed jobs without a cause, because there were too many of
	// them or the time was over.
	NotReduced []Member `json:"not_reduced,omitempty"`
	// Learnt is set if a run judged the core set alone: later runs can take the model and the causes from it.
	Learnt *Learnt `json:"learnt,omitempty"`
	// Known is the baseline of the report.
	Known Known `json:"-"`
	// File is the name of a file with the report as JSON, as a word of a shell, "" for none. Commands name it
	// instead of jobs.
	File string `json:"-"`
}

// New returns an empty report, in which no list is null.
func New(command, kind, core string, seed uint64) *Report {
	return &Report{Command: command, Kind: kind, Core: core, Seed: seed,
		Profile:     Fingerprint{Names: []string{}, Knobs: []Knob{}},
		Coverpoints: Coverpoints{Judged: []string{}, Masked: []string{}, NotJudged: []string{}},
		Suites:      []Suite{}, Classes: []string{}, Matrix: []Row{},
		Findings: []Deviation{}, Deviations: []Deviation{}}
}

// Table is a table for display.
type Table struct {
	Title   string     `json:"title"`
	Columns []string   `json:"columns"` // the first is the heading of the rows' names
	Rows    [][]string `json:"rows"`
}

// Untested is a check that says nothing about the program: a refusal of something wrong shows nothing if
// the nearest right thing is refused, too.
type Untested struct {
	Suite  string `json:"suite"`
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Unread has the names of the tables of a format that a reader does not read.
type Unread struct {
	Suite  string   `json:"suite"` // the format
	Tables []string `json:"tables"`
}

// String returns a headline: "not read: shbin: labels, lines".
func (u Unread) String() string { return "not read: " + u.Suite + ": " + strings.Join(u.Tables, ", ") }

// untestedNames is the number of names in a headline.
const untestedNames = 8

// Untested returns a headline for each suite with checks that were not tested: "mistakes: 2 not tested: a;
// b". Of many names it has the first.
func (r *Report) Untested() (list []string) {
	for _, same := range grouped.By(r.NotTested, func(u *Untested) string { return u.Suite }) {
		var names []string
		for i := range same[:min(len(same), untestedNames)] {
			names = append(names, same[i].Name)
		}
		if more := len(same) - len(names); more > 0 {
			names = append(names, fmt.Sprintf("%s more", show.Thousands(more)))
		}
		list = append(list, fmt.Sprintf("%s: %s not tested: %s", same[0].Suite, show.Thousands(len(same)),
			strings.Join(names, "; ")))
	}
	return list
}

// untestedTable lists the checks that were not tested.
func (r *Report) untestedTable() Table {
	t := Table{Title: "Not tested", Columns: []string{"check", "suite", "reason"}}
	for _, u := range r.NotTested {
		t.Rows = append(t.Rows, []string{u.Name, u.Suite, u.Reason})
	}
	return t
}

// AllTables returns the tables for display.
func (r *Report) AllTables() []Table {
	if len(r.NotTested) == 0 {
		return r.Tables
	}
	return append([]Table{r.untestedTable()}, r.Tables...)
}

// What names the kind of program: "core", "reader".
func (r *Report) What() string { return cmp.Or(r.Kind, "core") }

// longestName is the number of characters of a command that a heading shows.
const longestName = 160

// Title returns the name of the judged program for a heading, which has the beginning of a long command.
func (r *Report) Title() string { return shortened(r.Core, longestName) }

// CaseNoun names the counted cases of a cause: "job", "file", "source".
func (r *Report) CaseNoun() string {
	return cmp.Or(map[string]string{"reader": "file", "writer": "source"}[r.Kind], "job")
}

// Fingerprint is the model that a core follows.
type Fingerprint struct {
	Asked   string   `json:"asked"`   // "auto", or the requested profile
	Model   string   `json:"model"`   // the profile that the core is compared with
	Nearest string   `json:"nearest"` // the core's model, in the spelling of package profile
	Names   []string `json:"names"`   // named profiles that no job separates from it
	Knobs   []Knob   `json:"knobs"`
	// Unexplained lists jobs whose answers fit no model.
	Unexplained []json.RawMessage `json:"unexplained,omitempty"`
}

// Knob is the answer to one question.
type Knob struct {
	Knob      string          `json:"knob"`
	Question  string          `json:"question"`
	Value     string          `json:"value"`
	About     string          `json:"about"`
	State     string          `json:"state"`
	Others    []string        `json:"others,omitempty"` // answers that no job separates from Value
	Console   string          `json:"console"`
	Class     string          `json:"class"` // evidence for the console's answer
	DecidedBy json.RawMessage `json:"decided_by,omitempty"`
	Assembly  string          `json:"assembly,omitempty"`
}

// Counts counts jobs by outcome.
type Counts struct {
	Run           int `json:"run"`
	Equal         int `json:"equal"`
	Differ        int `json:"differ"`
	Unsupported   int `json:"unsupported"`
	NotComparable int `json:"not_comparable"`
	Crash         int `json:"crash"`
	Hang          int `json:"hang"`
	Flaky         int `json:"flaky"`
	// NotTested counts jobs that say nothing about the program; see [Untested].
	NotTested int `json:"not_tested,omitempty"`
}

// Add counts n jobs of an outcome, by its name in JSON.
func (c *Counts) Add(outcome string, n int) {
	for name, to := range map[string]*int{"equal": &c.Equal, "differ": &c.Differ, "unsupported": &c.Unsupported,
		"not_comparable": &c.NotComparable, "crash": &c.Crash, "hang": &c.Hang, "flaky": &c.Flaky,
		"not_tested": &c.NotTested} {
		if name == outcome {
			*to += n
		}
	}
}

// Plus returns the sum of two counts.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Run + d.Run, c.Equal + d.Equal, c.Differ + d.Differ, c.Unsupported + d.Unsupported,
		c.NotComparable + d.NotComparable, c.Crash + d.Crash, c.Hang + d.Hang, c.Flaky + d.Flaky,
		c.NotTested + d.NotTested}
}

// Suite has the outcomes of the jobs of a suite: of all jobs, of the core set, which every shard
// runs, and of the rest.
type Suite struct {
	Name string `json:"name"`
	Counts
	CoreSet Counts `json:"core_set"`
	Rest    Counts `json:"rest"`
}

// Message is a log message of the core with the outcomes of the jobs that have it.
type Message struct {
	Text string `json:"text"`
	// Excuse is set if the message reports a skipped instruction, so that a wrong result is not
	// comparable. Other messages also come with right answers.
	Excuse bool `json:"excuse"`
	Counts
	CoreSet Counts `json:"core_set"`
	Rest    Counts `json:"rest"`
}

// Meaning returns the effect of the message on a verdict, as text.
func (m *Message) Meaning() string {
	if m.Excuse {
		return "reports a skipped instruction: a wrong result with it is not comparable"
	}
	return "comes with right answers, too: results with it are judged"
}

// WithMessage returns messages, sorted by text, with the counts of m added.
func WithMessage(list []Message, m Message) []Message {
	i, found := slices.BinarySearchFunc(list, m.Text,
		func(e Message, text string) int { return cmp.Compare(e.Text, text) })
	if found {
		m.CoreSet, m.Rest = m.CoreSet.Plus(list[i].CoreSet), m.Rest.Plus(list[i].Rest)
	} else {
		list = slices.Insert(slices.Clone(list), i, m)
	}
	m.Counts = m.CoreSet.Plus(m.Rest)
	list[i] = m
	return list
}

// Coverpoints lists the points of the instruction set that were judged.
type Coverpoints struct {
	Judged    []string `json:"judged"`
	Masked    []string `json:"masked"`     // only together with a known fault
	NotJudged []string `json:"not_judged"` // by no job
}

// Row is an instruction in the matrix of operand classes.
type Row struct {
	Opcode string `json:"opcode"`
	Cells  []Cell `json:"cells"`
}

// Cell is the state of an instruction with operands of a class.
type Cell struct {
	Judged int  `json:"judged"` // coverpoints
	Known  int  `json:"known"`
	Wrong  bool `json:"wrong,omitempty"` // a cause has it
}

// State returns the state of the cell as text: "judged", "partly", "wrong", "not judged",
// "none".
func (c Cell) State() string {
	switch {
	case c.Wrong:
		return "wrong"
	case c.Known == 0:
		return "none"
	case c.Judged == c.Known:
		return "judged"
	case c.Judged > 0:
		return "partly"
	}
	return "not judged"
}

// Deviation is a cause: the common failure of several jobs, and the smallest program that shows
// it.
type Deviation struct {
	// Number is the place of the deviation in a written report, from 1.
	Number       int             `json:"number,omitempty"`
	Bucket       string          `json:"bucket"`
	Verdict      Level           `json:"verdict"`
	Provenance   string          `json:"provenance,omitempty"`
	Source       string          `json:"source,omitempty"`
	Opcode       string          `json:"opcode"`
	Opcodes      []string        `json:"opcodes,omitempty"`
	Count        int             `json:"count"`
	Instructions int             `json:"instructions"`    // eight NOPs and more in a row count as one
	Words        int             `json:"words,omitempty"` // of the program, if more than Instructions
	Assembly     string          `json:"assembly" text:"lines"`
	Inputs       []string        `json:"inputs,omitempty"`
	Job          json.RawMessage `json:"job,omitempty"`  // if a core is judged
	File         []byte          `json:"file,omitempty"` // if a reader is judged: the smallest file
	Where        string          `json:"where"`
	Class        string          `json:"class"`
	Expected     string          `json:"expected"`
	Observed     string          `json:"observed"`
	ErrorBits    float64         `json:"error_bits,omitempty"`
	Trace        *Trace          `json:"trace,omitempty"`
	Note         string          `json:"note,omitempty"`
	Stderr       string          `json:"stderr,omitempty" text:"lines"`
	Reproduce    string          `json:"reproduce" text:"lines"`
	Page         string          `json:"page,omitempty"` // the address at which the page opens it; see [Report.LinkTo]
	Members      []Member        `json:"members,omitempty"`
	// Knob and Value say which rule the core follows, if the deviation is a rule of its model: "op.slt" and "skip".
	Knob  string `json:"knob,omitempty"`
	Value string `json:"value,omitempty"`
	// Unexplained says that no known change of the oracle predicts the core's answers. The name has the opcodes of the
	// smallest program, and the class of the difference or the end.
	Unexplained bool `json:"unexplained,omitempty"`
	// Proof is set if one change of the oracle predicts the core's answers.
	Proof *Proof `json:"proof,omitempty"`
	// Features lists the words of a source that a judged writer gets wrong.
	Features []string `json:"features,omitempty"`
	// Case has the files of the smallest case, and Files the names under which [Report.WriteCases] wrote
	// them.
	Case  Case     `json:"-"`
	Files []string `json:"files,omitempty"`
	// short is a command that names a job by its number in the file of the report.
	short string
	// Parts are the causes that were merged into this one; see [Report.Regroup].
	Parts []Deviation `json:"-"`
}

// Proof says which change of the oracle predicts answers of the core that its model does not.
type Proof struct {
	Hypothesis string   `json:"hypothesis"`
	Scope      []string `json:"scope,omitempty"` // the instructions that it changes, if not all
	Rule       string   `json:"rule"`            // the sentence of the instruction set that it breaks
	// Fits is the number of answers that differ without it and not with it, Contradictions that of those which differ
	// with it and not without it.
	Fits           int `json:"fits"`
	Contradictions int `json:"contradictions"`
	// Asked is the number of programs that were made to test it.
	Asked int `json:"asked"`
	// Rivals predict the same answer to every program that was asked for.
	Rivals []string `json:"rivals,omitempty"`
}

// Why says why the core differs, as far as it is known.
func (d *Deviation) Why() []string {
	switch {
	case d.Proof != nil:
		return d.Proof.lines()
	case d.Verdict == Unsupported && d.Unexplained:
		return []string{"the core refuses this program, and executes its opcodes in others"}
	case d.Unexplained:
		return []string{"unexplained: no known change of the model predicts it"}
	}
	return nil
}

func (p *Proof) lines() []string {
	contradicted := "none"
	if p.Contradictions > 0 {
		contradicted = show.Thousands(p.Contradictions)
	}
	list := []string{"it breaks: " + p.Rule,
		fmt.Sprintf("proof: this change of the model predicts %s that the model does not, and contradicts %s; "+
			"%s made to test it", show.Plural(p.Fits, "answer"), contradicted, show.Plural(p.Asked, "program"))}
	const few = 3
	if n := min(len(p.Rivals), few); n > 0 {
		list = append(list, "no program tells it from: "+strings.Join(p.Rivals[:n], "; "))
	}
	return list
}

// Summary returns the difference as text: "o0.x: expected 1, observed 2".
func (d *Deviation) Summary() string {
	return fmt.Sprintf("%s: expected %s, observed %s", d.Where, d.Expected, d.Observed)
}

// difference returns the difference with its class: "o0.x (sign of zero): expected 0, observed -0". The end of a run
// has no class.
func (d *Deviation) difference() string {
	where := d.Where
	if d.Class != "" && d.Where != atEnd {
		where += " (" + d.Class + ")"
	}
	return fmt.Sprintf("%s: expected %s, observed %s", where, d.Expected, d.Observed)
}

// atEnd is the place of a difference in the way in which a run ends.
const atEnd = "end"

// alike returns the words before each part of a deviation.
func (d *Deviation) alike() string {
	if d.Unexplained {
		return "alike:"
	}
	return "the same fault shows as"
}

// ModelPrefix is the prefix of the names of deviations of a core's model.
const ModelPrefix = "model: "

// ofModel reports whether a deviation is a rule of the core's model that differs from the
// console's.
func (r *Report) ofModel(d *Deviation) bool {
	return r.Kind == "" && d.Knob != ""
}

// choice reports whether a deviation is one of the core's model or of its precision, and neither a crash nor
// a hang, which no author chooses.
func (r *Report) choice(d *Deviation) bool {
	return d.Verdict == Precision || r.ofModel(d) && d.end() == ""
}

// Member is a group of jobs that a cause explains; Number is the number of the first.
type Member struct {
	Key    string `json:"key"`
	Suite  string `json:"suite"`
	Number uint64 `json:"number"`
	Count  int    `json:"count"`
}

// withMembers returns the union of two lists of groups. Groups of the core set are the same in
// both.
func withMembers(a, b []Member) []Member {
	members := slices.Clone(a)
	for _, m := range b {
		if i := slices.IndexFunc(members, func(n Member) bool { return n.Key == m.Key }); i >= 0 {
			if members[i].Number != m.Number {
				members[i].Count += m.Count
				members[i].Number = min(members[i].Number, m.Number)
			}
		} else {
			members = append(members, m)
		}
	}
	slices.SortFunc(members, func(a, b Member) int { return cmp.Compare(a.Key, b.Key) })
	return members
}

// end returns the way in which the program ends if that is the fault: a crash or a hang.
func (d *Deviation) end() Level {
	if d.Verdict == Crash || d.Verdict == Hang {
		return d.Verdict
	}
	return ""
}

// Merge returns the union of two deviations with one cause, shown by the smaller program.
func (d Deviation) Merge(e Deviation) Deviation {
	small, large := d, e
	if cmp.Or(cmp.Compare(e.Instructions, d.Instructions), cmp.Compare(string(e.Job), string(d.Job)),
		bytes.Compare(e.File, d.File)) < 0 {
		small, large = e, d
	}
	for _, op := range large.Opcodes {
		if !slices.Contains(small.Opcodes, op) {
			small.Opcodes = append(slices.Clone(small.Opcodes), op)
		}
	}
	slices.Sort(small.Opcodes)
	small.Members, small.Count = withMembers(small.Members, large.Members), 0
	for _, m := range small.Members {
		small.Count += m.Count
	}
	if slices.Index(Levels, large.Verdict) < slices.Index(Levels, small.Verdict) {
		small.Verdict, small.Provenance, small.Source = large.Verdict, large.Provenance, large.Source
	}
	return small
}

// Jobs returns the number of jobs of all suites.
func (r *Report) Jobs() (n int) {
	for i := range r.Suites {
		n += r.Suites[i].Run
	}
	return n
}

// Regroup makes the causes from the findings again. Deviations of the model stay, because they
// are no causes. The causes of programs other than cores are final.
func (r *Report) Regroup() {
	if r.Kind != "" {
		r.Sort()
		return
	}
	model := slices.DeleteFunc(slices.Clone(r.Deviations), func(d Deviation) bool { return len(d.Members) > 0 })
	causes := Group(r.Findings)
	for k := range model { // state that passes between requests may also pass between vertices
		d := &model[k]
		i := slices.IndexFunc(causes, func(c Deviation) bool { return c.Bucket == d.Bucket })
		if d.Parts = nil; i >= 0 {
			d.Parts = []Deviation{*d, causes[i]}
			causes = slices.Delete(causes, i, i+1)
		}
	}
	r.Deviations = append(append([]Deviation{}, causes...), model...) // an empty list, not null
	r.Sort()
	r.fillMatrix()
}

// Sort puts the deviations in the order of their certainty: crashes and hangs, faults by
// the core's own standards, which are mistakes, then differences of its model, which are choices of its
// author, then programs that the core refuses, and what it does not execute. Within a level the deviation with
// the most jobs is first.
func (r *Report) Sort() {
	order := func(d *Deviation) int {
		switch {
		case r.Folded(*d):
			return 3
		case d.Verdict == Unsupported:
			return 2
		case r.choice(d):
			return 1
		}
		return 0
	}
	slices.SortStableFunc(r.Deviations, func(a, b Deviation) int {
		return cmp.Or(cmp.Compare(order(&a), order(&b)),
			cmp.Compare(slices.Index(Levels, a.Verdict), slices.Index(Levels, b.Verdict)),
			cmp.Compare(b.Count, a.Count), cmp.Compare(a.Bucket, b.Bucket))
	})
}

// NotReducedJobs returns the number of failed jobs without a cause.
func (r *Report) NotReducedJobs() (n int) {
	for _, m := range r.NotReduced {
		n += m.Count
	}
	return n
}

// Bad counts the deviations that count against the core. All failures without a cause count as
// one more.
func (r *Report) Bad() (n int) {
	for i := range r.Deviations {
		if r.Deviations[i].Verdict.Bad() {
			n++
		}
	}
	return n + min(len(r.NotReduced), 1)
}
