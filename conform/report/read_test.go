package report_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestReadReport: a report comes back, and what no run has written is refused by the name of the
// field.
func TestReadReport(t *testing.T) {
	r := report.New("conform core", "", "core", 1<<64-1)
	r.Shard = "2/4"
	d := report.Deviation{Bucket: "dp3", Verdict: report.Console, Count: 3, Members: []report.Member{{Key: "a", Count: 3}}}
	r.Findings, r.Deviations = []report.Deviation{d}, []report.Deviation{d}
	r.Suites = []report.Suite{{Name: "alu", Counts: report.Counts{Run: 3}}}
	r.Classes, r.Matrix = []string{"zero"}, []report.Row{{Opcode: "dp3", Cells: []report.Cell{{Judged: 1, Known: 2}}}}
	r.Tables = []report.Table{{Title: "t", Columns: []string{"a", "b"}, Rows: [][]string{{"1", "2"}}}}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	right := string(b)
	got, err := report.Read(b)
	if again, _ := json.Marshal(got); err != nil || string(again) != right {
		t.Fatalf("got %s, %v, want %s", again, err, right)
	}
	for _, c := range []struct{ old, wrong, says string }{
		{right, "", "unexpected end"},
		{right, "null", `command: ""`},
		{right, "[]", "cannot unmarshal array"},
		{right, strings.Repeat("[", 1<<20), "exceeded max depth"},
		{`"conform core"`, `"check"`, `command: "check"`},
		{`"command":`, `"kind":"toaster","command":`, `kind: "toaster"`},
		{`"2/4"`, `"../4"`, `shard: "../4"`},
		{`"count":3`, `"count":-1`, "findings[0].count: -1, want 0 to 1099511627776"},
		{`"count":3`, `"count":9223372036854775807`, "findings[0].count: 9223372036854775807"},
		{`"count":3`, `"count":18446744073709551615`, "cannot unmarshal number"},
		{`"run":3`, `"run":1099511627777`, "suites[0]"},
		{`"judged":1`, `"judged":-1`, "matrix[0].cells[0].judged: -1"},
		{`"deviations":[{`, `"deviations":[{"number":7,`, "deviations[0].number: 7"},
		{`"bucket":"dp3"`, `"bucket":""`, "findings[0].bucket: empty"},
		{`"wrong against console"`, `"fine"`, `findings[0].verdict: "fine"`},
		{`"findings":[{`, `"findings":[null,{`, "findings[0].bucket: empty"},
		{`"members":[{`, `"x":[{`, "findings[0].members: empty"},
		{`"classes":["zero"]`, `"classes":[]`, "matrix[0].cells: 1 for 0 classes"},
		{`["1","2"]`, `["1","2","3"]`, "tables[0].rows[0]: 3 cells for 2 columns"},
	} {
		text := strings.Replace(right, c.old, c.wrong, 1)
		if _, err := report.Read([]byte(text)); !errors.Is(err, report.ErrReport) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.40s for %.40s: got %v, want %q in it", c.wrong, c.old, err, c.says)
		}
	}
}

// TestFind: the number of an entry and its name lead to the same entry, in the order of the written report.
func TestFind(t *testing.T) {
	var data strings.Builder
	written := crowded()
	if err := written.WriteJSON(&data); err != nil {
		t.Fatal(err)
	}
	r, err := report.Read([]byte(data.String()))
	if err != nil {
		t.Fatal(err)
	}
	r.Regroup() // it changes no order
	for i := range r.Deviations {
		want := &r.Deviations[i]
		if want.Bucket != written.Deviations[i].Bucket {
			t.Errorf("entry %d is %s, before %s", i+1, want.Bucket, written.Deviations[i].Bucket)
		}
		byNumber, err := r.Find(strconv.Itoa(i + 1))
		byName, other := r.Find(want.Bucket)
		if byNumber != want || byName != want || err != nil || other != nil {
			t.Errorf("entry %d: got %v, %v and %v, %v", i+1, byNumber, err, byName, other)
		}
	}
	for _, entry := range []string{"", "0", "-1", "65", "op", "99999999999999999999"} {
		if d, err := r.Find(entry); d != nil || !errors.Is(err, report.ErrNoEntry) {
			t.Errorf("%q: got %v, %v", entry, d, err)
		}
	}
}

// TestShortCommands: if the report has a file, commands name its entries instead of jobs.
func TestShortCommands(t *testing.T) {
	for file, want := range map[string]string{
		"":          `picaproof compare --exec './core --job x' --job '{"code":"88"}'`,
		"a/b.json":  "picaproof compare --exec './core --job x' --job @a/b.json#1",
		`'it'\''s'`: `picaproof compare --exec './core --job x' --job @'it'\''s'#1`,
	} {
		r := report.New("conform core", "", "core", 1)
		d := cause("dp3", report.Own, "dp3")
		d.Reproduce = `picaproof compare --exec './core --job x' --job '{"code":"88"}'`
		state := cause("state", report.Own, "state")
		state.Reproduce = "printf x | core"
		r.Deviations, r.File = []report.Deviation{d, state}, file
		var text strings.Builder
		if err := r.WriteText(&text, report.Paint{}); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{want, state.Reproduce} {
			if !strings.Contains(text.String(), "\n  "+line+"\n") {
				t.Errorf("%s: want %s in\n%s", file, line, &text)
			}
		}
	}
}
