package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/golden"
)

// cause returns a cause of a core.
func cause(bucket string, level report.Level, opcode string, members ...report.Member) report.Deviation {
	d := report.Deviation{Bucket: bucket, Verdict: level, Opcode: opcode, Opcodes: []string{opcode}, Instructions: 2,
		Assembly: "entry main\n\tmul o0, v0, v1 \n\n\tend\n", Inputs: []string{"v0 = 1", "v1 = 2"},
		Job: json.RawMessage(`{"code":"2000008088000000","desc":"0d86c36f"}`), Where: "o0.x", Class: "value",
		Expected: "1 (0x3f800000)", Observed: "2.5 (0xc0200000)", Reproduce: "picaproof run job.json", Members: members}
	for _, m := range members {
		d.Count += m.Count
	}
	return d
}

// shard returns the report of one of two shards.
func shard(n int) *report.Report {
	r := report.New("conform core", "", "./core --jit", 7)
	r.Shard, r.Requests, r.Late, r.Claimed, r.Against = fmt.Sprintf("%d/2", n), 2000*n, n, "f32", "./other"
	r.Profile = report.Fingerprint{Asked: "f24", Model: "f24,mova=floor", Nearest: "hw", Names: []string{"hw", "f24"},
		Unexplained: []json.RawMessage{json.RawMessage("1")}}
	for k, state := range []string{"known", "several", "open", "no effect", "no effect", "known"} {
		r.Profile.Knobs = append(r.Profile.Knobs, report.Knob{Knob: fmt.Sprint("k", k), Question: "q", Value: "a",
			State: state, Others: []string{"b", "c"}, Console: []string{"a", "x"}[k&1],
			Class: "guess", Assembly: "\tnop\n"})
	}
	core, rest := report.Counts{Run: 10, Equal: 9, Differ: 1}, report.Counts{}
	for k, outcome := range []string{"equal", "differ", "unsupported", "not_comparable", "crash", "hang",
		"flaky", "?"} {
		rest.Add(outcome, (k+2)*n)
		rest.Run += (k + 2) * n
	}
	r.Suites = []report.Suite{{Name: "alu", Counts: core.Plus(rest), CoreSet: core, Rest: rest},
		{Name: "flow", Counts: core, CoreSet: report.Counts{Run: 1234 + n, Equal: 1234}}}
	r.Messages = []report.Message{{Text: "m", Excuse: true, Counts: core.Plus(rest), CoreSet: core, Rest: rest}}
	if n == 2 {
		r.Messages = append(r.Messages, report.Message{Text: "only here", Counts: rest, Rest: rest})
	}
	r.Tables = []report.Table{{Title: "Table", Columns: []string{"a", "b"},
		Rows: [][]string{{"1", "long"}, {"22", "x"}}}}
	r.Coverpoints = report.Coverpoints{
		Judged: []string{"add/src=+inf,nan", "abs/whole", "mul/src1=-0,-0", "mul/x", "rcp/src=normal"},
		Masked: []string{"add/src=+subnormal", "mul/src2=nan,+0"}, NotJudged: []string{"add/src=-inf", "lg2/dest=1"}}
	if n == 2 {
		r.Coverpoints.Judged[0], r.Coverpoints.NotJudged[0] = r.Coverpoints.NotJudged[0], r.Coverpoints.Judged[0]
	}
	member := func(key string, number uint64, count int) report.Member {
		return report.Member{Key: key, Suite: "alu", Number: number, Count: count}
	}
	a := cause("mul", report.Own, "mul", member("a", 5, 3))
	b := cause("add: infinite operand", report.Console, "add", member("b", uint64(9*n), 1))
	b.Features, b.Provenance, b.Source, b.Note, b.Stderr =
		[]string{"infinite operand"}, "console", "somebody", "note", "err"
	c := cause("rcp: crash", report.Crash, "rcp", member(fmt.Sprint("c", n), 2, 2))
	c.Words, c.Members[0].Suite, c.Job, c.Instructions = 515, "flow", json.RawMessage(fmt.Sprintf(`{"n":%d}`, n)), 4-n
	b.Trace = &report.Trace{Steps: []report.Step{
		{Number: 0, PC: 3, Instruction: "loop i0, 5", Effect: "no effect"},
		{Number: 1, PC: 4, Instruction: "mul o0, v0, v1", Operands: "(1, 2)", Whose: "expected", Effect: "(1, _)"},
		{Number: 1, PC: 4, Instruction: "mul o0, v0, v1", Operands: "(1, 2)", Whose: "observed"}}}
	c.Trace = &report.Trace{Missing: "each try costs the time limit"}
	r.Findings = []report.Deviation{a, b, c}
	model := cause("model: round", report.Guess, "round")
	model.Knob, model.Value = "round", "chop"
	model.Trace = &report.Trace{Steps: []report.Step{
		{PC: 1, Instruction: "end", Whose: "core", Effect: "ends"},
		{PC: 2, Instruction: "nop", Whose: "console", Effect: "trapped: hang"}}}
	same := cause("mul", report.Documented, "mul")
	r.Deviations = []report.Deviation{model, same}
	r.NotReduced = []report.Member{member("d", uint64(n), 4), member("e", 3, 1)}
	r.Regroup()
	return r
}

// colours mark painted text, so that a reader sees it.
var colours = report.Paint{Bad: paint("BAD"), Good: paint("GOOD"), Bold: paint("BOLD")}

func paint(name string) func(string) string {
	return func(s string) string { return name + "{" + s + "}" }
}

// textOf returns the text form of a report, painted.
func textOf(t *testing.T, r *report.Report) string {
	t.Helper()
	var text strings.Builder
	if err := r.WriteText(&text, colours); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// jsonOf returns the JSON form of a report,
func jsonOf(t *testing.T, r *report.Report) string {
	t.Helper()
	var text strings.Builder
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestForms: each form of a report, of a core with and without a baseline, and of a reader, is recorded.
func TestForms(t *testing.T) {
	known, err := report.ReadBaseline(strings.NewReader("# comment\n\nmul documented-level # x\n"),
		[]string{"documented level"})
	if err != nil {
		t.Fatal(err)
	}
	known[0].Outcome = "wrong-against-documentation"
	known = append(known, report.Expected{Name: "gone", Outcome: "crash", Reason: "mended"})
	expected, interrupted, good := shard(1), shard(2), report.New("conform core", "", "good", 1)
	expected.Known = known.Index()
	interrupted.Interrupted, interrupted.Deviations, interrupted.NotReduced = true, interrupted.Deviations[:0], nil
	interrupted.Profile.Names, interrupted.Profile.Asked, interrupted.Against = nil, "auto", ""
	good.Profile.Nearest, good.Profile.Asked = "f24", "auto"
	reader := report.New("conform reader", "reader", "tool {in}", 3)
	reader.Deviations = []report.Deviation{cause("model: x", report.WrongModel, "shbin"),
		cause("y", report.Cost, "bnsh"),
		cause("z", report.Flaky, "csdr", report.Member{Key: "k", Suite: "s", Count: 1})}
	reader.Deviations[1].File = []byte("file")
	reader.Suites = []report.Suite{{Name: "rules", Counts: report.Counts{Run: 10, Equal: 1, NotTested: 9}}}
	reader.Notes = []string{"tables that the reader does not read: labels"}
	for k := range 9 {
		reader.NotTested = append(reader.NotTested,
			report.Untested{Suite: "rules", Name: fmt.Sprint("rule ", k), Reason: "the near miss is refused"})
	}
	reader.NotRead = []report.Unread{{Suite: "shbin", Tables: []string{"labels", "lines"}}}
	reader.Regroup()
	for name, r := range map[string]*report.Report{"core": shard(2), "baseline": expected, "interrupted": interrupted,
		"good": good, "reader": reader} {
		var page, suites, annotations strings.Builder
		if err := errors.Join(r.WriteHTML(&page), r.WriteJUnit(&suites), r.WriteAnnotations(&annotations)); err != nil {
			t.Fatal(err)
		}
		golden.Text(t, name+".txt", textOf(t, r))
		golden.Text(t, name+".html", body(&page))
		golden.Text(t, name+".junit", suites.String())
		golden.Text(t, name+".github", annotations.String())
		if name == "core" || name == "reader" {
			golden.Text(t, name+".json", jsonOf(t, r))
		}
	}
}

// body returns a page without its head and its script, which are the same for all.
func body(page fmt.Stringer) string {
	_, after, _ := strings.Cut(page.String(), "</head>")
	before, _, _ := strings.Cut(after, "<script>")
	return before
}

// TestPlain: a text without paint is the painted text without the marks.
func TestPlain(t *testing.T) {
	var text strings.Builder
	r := shard(2)
	if err := r.WriteText(&text, report.Paint{}); err != nil {
		t.Fatal(err)
	}
	marks := regexp.MustCompile(`(BAD|GOOD|BOLD)\{([^{}]*)\}`)
	if want := marks.ReplaceAllString(textOf(t, r), "$2"); text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &text, want)
	}
}

// TestMerge: the report of a run from those of its shards, in any order.
func TestMerge(t *testing.T) {
	for key, order := range map[string][]*report.Report{"merged": {shard(1), shard(2)},
		"merged-reversed": {shard(2), shard(1)}} {
		all, err := report.Merge(order)
		if err != nil {
			t.Fatal(err)
		}
		golden.Text(t, key+".txt", textOf(t, all))
		if key == "merged" {
			golden.Text(t, key+".json", jsonOf(t, all))
			golden.Text(t, "changes.txt", changes(shard(1), all)+"\n"+changes(all, shard(2)))
		}
	}
	for name, spoil := range map[string]func(r *report.Report){
		"shard":   func(r *report.Report) { r.Shard = "1/2" },
		"core":    func(r *report.Report) { r.Core = "other" },
		"against": func(r *report.Report) { r.Against = "other" },
		"seed":    func(r *report.Report) { r.Seed++ },
		"nearest": func(r *report.Report) { r.Profile.Nearest = "f24" },
		"model":   func(r *report.Report) { r.Profile.Model = "f24" },
		"suites":  func(r *report.Report) { r.Suites = r.Suites[:1] },
		"suite":   func(r *report.Report) { r.Suites[1].Name = "other" },
	} {
		list := []*report.Report{shard(1), shard(2)}
		spoil(list[1])
		if all, err := report.Merge(list); all != nil || !errors.Is(err, report.ErrOtherRun) {
			t.Errorf("%s: got %v, %v", name, all, err)
		}
	}
	if all, err := report.Merge(nil); all != nil || !errors.Is(err, report.ErrOtherRun) {
		t.Errorf("nothing: got %v, %v", all, err)
	}
}

// TestMergeCut: a shard that was cut keeps its results, and the merged report says which one it was.
func TestMergeCut(t *testing.T) {
	cut := shard(1)
	cut.Cut, cut.Profile.Nearest, cut.Suites = []string{"the core's model"}, "", nil
	for _, order := range [][]*report.Report{{cut, shard(2)}, {shard(2), cut}} {
		all, err := report.Merge(order)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"shard 1/2: the core's model"}; !slices.Equal(all.Cut, want) || all.Profile.Nearest == "" {
			t.Errorf("cut %q with the model %q, want %q", all.Cut, all.Profile.Nearest, want)
		}
		for _, d := range slices.Concat(cut.Findings, shard(2).Findings) {
			if !slices.ContainsFunc(all.Findings, func(e report.Deviation) bool { return e.Members[0].Key == d.Members[0].Key }) {
				t.Errorf("%s is lost", d.Bucket)
			}
		}
	}
}

// TestShardSaysSo: each form of the report of a shard says which one it is.
func TestShardSaysSo(t *testing.T) {
	r := shard(2)
	for name, write := range map[string]func(w io.Writer) error{"json": r.WriteJSON, "junit": r.WriteJUnit,
		"html": r.WriteHTML, "text": func(w io.Writer) error { return r.WriteText(w, report.Paint{}) }} {
		var b strings.Builder
		if err := write(&b); err != nil || !strings.Contains(b.String(), "shard 2/2 of the run: ") {
			t.Errorf("%s: %v, it does not name the shard", name, err)
		}
	}
}

// TestLongName: the headings show the beginning of a command of 500 characters.
func TestLongName(t *testing.T) {
	r := shard(2)
	r.Core = strings.Repeat("x", 500)
	var page strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	want := "core " + strings.Repeat("x", 157) + "..."
	head, _, _ := strings.Cut(textOf(t, r), "\n")
	if !strings.Contains(head, want) || !strings.Contains(page.String(), "<h1>"+want+"</h1>") {
		t.Errorf("the heading is %q", head)
	}
}

func changes(before, after *report.Report) string {
	var text strings.Builder
	report.WriteChanges(&text, report.Changes(before, after))
	return text.String()
}

// TestBaseline: a baseline that is written anew keeps reasons and causes that come and go, and expects
// all causes.
func TestBaseline(t *testing.T) {
	causes := []report.Cause{{"a b", "wrong model", "text", true},
		{"#50%_\x00\xff", "crash", strings.Repeat("é", 300), true},
		{"comes", "crash", "", true}, {"good", "unsupported", "x", false}, {"silent", "hang", " \n", true}}
	before := report.Baseline{{"a_b", "crash", "kept"}, {"comes", "flaky", "now and then"},
		{"never", "skip", "ignored"}}
	var text bytes.Buffer
	if err := report.WriteBaseline(&text, causes, before); err != nil {
		t.Fatal(err)
	}
	want := "comes flaky # now and then\nnever skip # ignored\na_b wrong-model # kept\n" +
		"%2350%25%5F%00%FF crash # " + strings.Repeat("é", 250) + "...\nsilent hang # no reason is known\n"
	if text.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &text, want)
	}
	after, err := report.ReadBaseline(&text, report.Levels)
	if err != nil {
		t.Fatal(err)
	}
	if list := after.Against(causes); len(list) > 0 {
		t.Errorf("against its own causes: %q", list)
	}
	causes[0].Outcome, causes[1].Name = "hang", "new"
	causes = append(causes, report.Cause{Name: "harmless", Outcome: "guess"})
	wantAgainst := []string{"changed: a b (hang, expected wrong-model)", "new: new (crash)",
		"unexpected pass: %2350%25%5F%00%FF (crash)"}
	if list := after.Against(causes); !slices.Equal(list, wantAgainst) {
		t.Errorf("got %q, want %q", list, wantAgainst)
	}
	if within := after.Within(causes); fmt.Sprint(within) !=
		"[{comes flaky now and then} {a_b wrong-model kept} {silent hang no reason is known}]" {
		t.Errorf("got %v", within)
	}
	for line, want := range map[string]string{
		"a crash":            `line 2: "a crash": want NAME OUTCOME # reason`,
		"a crash #":          `line 2: "a crash #": want NAME OUTCOME # reason`,
		"a b crash # reason": `line 2: "a b crash # reason": want NAME OUTCOME # reason`,
		"a boom # reason":    `line 2: unknown outcome "boom"`,
	} {
		if b, err := report.ReadBaseline(strings.NewReader("# x\n"+line), report.Levels); b != nil || err == nil ||
			err.Error() != want {
			t.Errorf("%s: got %v, %v", line, b, err)
		}
	}
}
