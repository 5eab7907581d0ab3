package report_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/picaproof/picaproof/conform/report"
)

// crowded returns a report of a core with many causes and many parts that it does not execute.
func crowded() *report.Report {
	r := report.New("conform core", "", "./core", 7)
	r.Requests = 5000
	for k, level := range []report.Level{report.Crash, report.Hang, report.Console, report.Own, report.Own, report.Flaky} {
		for n := range 5 {
			name := fmt.Sprintf("op%dx%d, with a condition that has a long name and goes on and on", k, n)
			r.Findings = append(r.Findings, cause(name, level, fmt.Sprintf("op%dx%d", k, n),
				report.Member{Key: name, Suite: "alu", Number: uint64(n), Count: 100*k + n + 1}))
		}
	}
	for _, level := range []report.Level{report.Console, report.Documented, report.Guess} {
		d := cause("model: "+string(level[len(level)-4:]), level, "question")
		d.Knob = "round"
		r.Deviations = append(r.Deviations, d)
	}
	for n := range 30 {
		d := cause(fmt.Sprintf("model: op.part%d", n), report.Unsupported, "question")
		if d.Knob, d.Value = fmt.Sprintf("op.part%d", n), "refuse"; n%3 == 0 {
			d.Value = "skip"
		}
		r.Deviations = append(r.Deviations, d)
	}
	r.Deviations = append(r.Deviations, cause("precision: rcp", report.Precision, "rcp"))
	r.Cut = []string{"suites flow and mixed, 812 jobs", "12 groups of failures not explained"}
	r.Regroup()
	return r
}

// TestFirstScreen: the verdict, all numbers and the gravest entries stand in the first 24 lines of 100
// columns, however much a report has.
func TestFirstScreen(t *testing.T) {
	var text strings.Builder
	r := crowded()
	if err := r.WriteText(&text, report.Paint{}); err != nil {
		t.Fatal(err)
	}
	screen := strings.SplitAfterN(text.String(), "\n", 25)[:24]
	for n, line := range screen {
		if utf8.RuneCountInString(line) > 101 { // with the line feed
			t.Errorf("line %d is too long: %s", n+1, line)
		}
	}
	all := strings.Join(screen, "")
	for _, want := range []string{
		"27 causes speak against the core, 5,000 requests; cut: suites flow and mixed, 812 jobs; 12 groups",
		"\n  crashes ", "\n  skips ", "\n#1 ", " jobs  among them 5 wrong against console\n", " more entries, #"} {
		if !strings.Contains(all, want) {
			t.Errorf("want %q in the first screen:\n%s", want, all)
		}
	}
	// The count of what is left fits its numbers, though the last line of the list stands for 30 entries.
	var left, first, last int
	if at := strings.Index(all, "\nand "); at >= 0 {
		fmt.Sscanf(all[at:], "\nand %d more entries, #%d to #%d", &left, &first, &last)
	}
	if last != 64 || left != last-first+1 || !strings.Contains(all, fmt.Sprintf("\n#%d ", first-1)) {
		t.Errorf("want the entries that are left out, with their numbers:\n%s", all)
	}
	if n := strings.Count(text.String(), "entry main"); n != 34 {
		t.Errorf("%d programs, want one for each of 34 entries, and none for a part that is not executed", n)
	}
	if want := "\n#35-64 unsupported: part0 part1 part10 "; !strings.Contains(text.String(), want) {
		t.Errorf("want %q in\n%s", want, &text)
	}
}

// TestSameNumbers: text, JSON, JUnit and HTML have the same verdict and the same lines.
func TestSameNumbers(t *testing.T) {
	for name, r := range map[string]*report.Report{"crowded": crowded(), "shard": shard(2), "good": report.New(
		"conform core", "", "core", 1), "reader": report.New("conform reader", "reader", "tool {in}", 1)} {
		var text, data, suites, page strings.Builder
		for _, err := range []error{r.WriteText(&text, report.Paint{}), r.WriteJSON(&data), r.WriteJUnit(&suites),
			r.WriteHTML(&page)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		var fromJSON report.Report
		if err := json.Unmarshal([]byte(data.String()), &fromJSON); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		for _, l := range fromJSON.Summary.Lines {
			want[l.Name] = l.Count
		}
		var junit struct {
			Suites []struct {
				Properties []struct {
					Name  string `xml:"name,attr"`
					Value int    `xml:"value,attr"`
				} `xml:"properties>property"`
				Out string `xml:"system-out"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(suites.String()), &junit); err != nil {
			t.Fatal(err)
		}
		fromJUnit := map[string]int{}
		for _, p := range junit.Suites[0].Properties {
			fromJUnit[p.Name] = p.Value
		}
		fromText := numbers(text.String(), `(?m)^  (\S+(?: \S+)*)   *([0-9,]+)(?:  .*)?$`)
		fromPage := numbers(page.String(), `<tr><th scope="row">([^<]*)</th><td class="n[^>]*>([0-9,]+)</td><td>`)
		for form, got := range map[string]map[string]int{"text": fromText, "JUnit": fromJUnit, "HTML": fromPage} {
			if !maps.Equal(got, want) {
				t.Errorf("%s as %s: got %v, want %v", name, form, got, want)
			}
		}
		spaced := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		for form, got := range map[string]string{"text": text.String(), "JUnit": junit.Suites[0].Out, "HTML": page.String()} {
			if !strings.Contains(spaced(got), fromJSON.Summary.Verdict) {
				t.Errorf("%s as %s has no %q", name, form, fromJSON.Summary.Verdict)
			}
		}
	}
}

// numbers returns the lines of a summary in a form: the first screen of text, or a page.
func numbers(form, line string) map[string]int {
	if screen, _, ok := strings.Cut(form, "\n#1 "); ok {
		form = screen
	}
	list := map[string]int{}
	for _, m := range regexp.MustCompile(line).FindAllStringSubmatch(form, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(m[2], ",", ""))
		if err == nil {
			list[m[1]] = n
		}
	}
	return list
}

// TestHex: a report shows the words of a program, the first ones of a long list.
func TestHex(t *testing.T) {
	for job, want := range map[string]string{
		"": "", "null": "", `{"code":"88"}`: "", `{"code":"<script>"}`: "", `{"code":7}`: "",
		`{"code":"4c00000088000000","desc":"0d86c36f"}`: "code 4c000000 88000000, descriptors 0d86c36f",
		fmt.Sprintf(`{"code":%q}`, strings.Repeat("84000000", 2064)): "code" + strings.Repeat(" 84000000", 64) +
			" and 2,000 more",
	} {
		d := report.Deviation{Job: json.RawMessage(job)}
		if got := d.Hex(); got != want {
			t.Errorf("%.40s: got %q, want %q", job, got, want)
		}
	}
}
