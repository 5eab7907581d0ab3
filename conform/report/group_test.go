package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// finding reads "LEVEL | BUCKET | CLASS"; a bucket that begins with "?" is not explained.
func finding(text string) report.Deviation {
	fields := strings.Split(text, " | ")
	bucket, unexplained := strings.CutPrefix(fields[1], "?")
	opcode, _, _ := strings.Cut(bucket, ":")
	return report.Deviation{Verdict: report.Level(fields[0]), Bucket: bucket, Class: fields[2], Unexplained: unexplained,
		Opcode: opcode, Opcodes: []string{opcode}, Count: 1, Members: []report.Member{{Count: 1}}}
}

// TestGroup: the causes of findings, each with its level, its count and the number of its parts.
func TestGroup(t *testing.T) {
	own := string(report.Own)
	for _, c := range []struct {
		name           string
		findings, want []string
	}{
		{"one name", []string{own + " | add: value | value", own + " | mul: value | value", own + " | add: value | value"},
			[]string{own + " add: value 2 0", own + " mul: value 1 0"}},
		{"three are not many", []string{own + " | ?add: value | value", own + " | ?dp3: value | value", own + " | ?mul: value | value"},
			[]string{own + " add: value 1 0", own + " dp3: value 1 0", own + " mul: value 1 0"}},
		{"four are many", []string{own + " | ?add: value | value", own + " | ?dp3: value | value", own + " | ?mul: value | value",
			own + " | ?max: value | value"},
			[]string{own + " several opcodes: value 4 4"}},
		{"explained ones stay", []string{own + " | add: value | value", own + " | ?dp3: value | value", own + " | ?mul: value | value",
			own + " | ?max: value | value"},
			[]string{own + " add: value 1 0", own + " dp3: value 1 0", own + " max: value 1 0", own + " mul: value 1 0"}},
		{"each class and each level for itself", []string{own + " | ?add: value | value", own + " | ?dp3: value | value",
			own + " | ?mul: sign | sign", own + " | ?max: sign | sign", "crash | ?add: crash | trap", "crash | ?dp3: crash | trap",
			"crash | ?mul: crash | trap", "crash | ?max: crash | trap"},
			[]string{own + " add: value 1 0", own + " dp3: value 1 0", own + " max: sign 1 0", own + " mul: sign 1 0",
				"crash several opcodes: crash 4 4"}},
	} {
		var list []report.Deviation
		for _, text := range c.findings {
			d := finding(text)
			d.Members[0].Key = fmt.Sprint(len(list))
			list = append(list, d)
		}
		var got []string
		for _, d := range report.Group(list) {
			got = append(got, fmt.Sprintf("%s %s %d %d", d.Verdict, d.Bucket, d.Count, len(d.Parts)))
		}
		if s, want := strings.Join(got, "\n"), strings.Join(c.want, "\n"); s != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, s, want)
		}
	}
}
