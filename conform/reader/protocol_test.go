//go:build linux || darwin

package reader_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/testmain"
)

// serving is the environment variable that makes the test binary a reader; its value is the
// reader's fault.
const serving = "PICAPROOF_TEST_READER"

func TestMain(m *testing.M) {
	if fault, ok := os.LookupEnv(serving); ok {
		serve(fault)
		return
	}
	testmain.Run(m)
}

// serve answers requests for files, as docs/reader.md describes them.
func serve(fault string) {
	spoilt, answers := false, 0
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var q struct {
			ID, Op, Format string
			Data           []byte
		}
		if err := json.Unmarshal(in.Bytes(), &q); err != nil || q.Op != "read" {
			fmt.Printf("{%q: %q}\n", "status", "bad-request")
			continue
		}
		a := map[string]any{"id": q.ID, "status": "ok"}
		format, _ := registry.ByName(q.Format)
		doc, err := format.Parse(q.Data)
		switch {
		case err == nil:
			again, _ := doc.AppendBinary(nil)
			a["rewritten"], a["model"] = again, doc.Model()
		default:
			a["status"], a["kind"], a["msg"] = "error", "malformed", err.Error()
		}
		switch magic := bytes.HasPrefix(q.Data, []byte("ZPSH")); {
		case fault == "crashes later" && spoilt:
			panic("spoilt")
		case fault == "refuses later" && spoilt:
			a["status"], a["kind"], a["msg"] = "error", "malformed", "spoilt"
		case fault == "accepts":
			a = map[string]any{"id": q.ID, "status": "ok"}
		case fault == "knows none":
			a = map[string]any{"id": q.ID, "status": "error", "kind": "unsupported"}
		case fault == "rewrites" && err == nil:
			a["rewritten"] = q.Data[:len(q.Data)-1]
		case fault == "misreads" && err == nil:
			a["model"] = map[string]any{"revision": 17}
		case fault == "ends" && len(q.Data) == 0:
			return
		case fault == "babbles":
			fmt.Println("reading")
			continue
		case !magic && len(q.Data) > 0:
			spoilt = true
		}
		line, _ := json.Marshal(a)
		switch answers++; {
		case answers == 30 && fault == "answers twice":
			fmt.Println(string(line))
		case answers == 30 && fault == "talks":
			fmt.Println("30 files read")
		case answers%30 == 0 && fault == "other numbers":
			line = []byte(`{"id":"one","status":"ok"}`)
		case len(q.Data) == 0 && fault == "says crash":
			line = fmt.Appendf(nil, `{"id":%q,"status":"crash","signal":"SIGBUS"}`, q.ID)
		case len(q.Data) == 0 && fault == "says timeout":
			line = fmt.Appendf(nil, `{"id":%q,"status":"timeout"}`, q.ID)
		case len(q.Data) == 0 && fault == "says bad-request":
			line = fmt.Appendf(nil, `{"id":%q,"status":"bad-request"}`, q.ID)
		}
		fmt.Println(string(line))
	}
}

// TestProtocol: a reader that answers requests is judged like one that is started for each file,
// and also by the state that it keeps from file to file.
func TestProtocol(t *testing.T) {
	for _, c := range []struct {
		fault string
		level report.Level
		cause string
	}{
		{"", "", ""},
		{"knows none", "", ""},
		{"accepts", report.AcceptsInvalid, "accepts every file"},
		{"rewrites", report.WrongRewrite, "rewrites ZPSH"},
		{"misreads", report.WrongModel, "model: another revision"},
		{"ends", report.Crash, "crash: end without an answer"},
		{"answers twice", report.Crash, "behind other files: crash: answers out of step"},
		{"talks", report.Crash, "behind other files: crash: not an answer"},
		{"other numbers", report.Crash, "behind other files: crash: answers out of step"},
		{"says crash", report.Crash, "crash: SIGBUS"},
		{"says timeout", report.Hang, "hang"},
		{"says bad-request", report.Crash, `crash: status "bad-request"`},
		{"crashes later", report.Crash, "behind other files: crash: "},
		{"refuses later", report.NotDeterministic, "behind other files: refuses: spoilt"},
	} {
		if testing.Short() && !slices.Contains([]string{"", "rewrites"}, c.fault) {
			continue // thousands of processes, which take minutes under the race detector
		}
		t.Run(c.fault, func(t *testing.T) {
			subject := reader.NewProtocol("env '" + serving + "=" + c.fault + "' " + os.Args[0])
			defer subject.Close()
			r, err := reader.Run(t.Context(), subject, reader.Options{
				Formats: []string{"zpsh"}, Seed: 1, Repeats: 1, Cases: 2, NoCost: true, Limit: time.Second, Jobs: 1})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(r.Deviations, func(d report.Deviation) bool {
				return d.Verdict == c.level && strings.HasPrefix(d.Bucket, c.cause)
			})
			if c.level == "" && len(r.Deviations) > 0 || c.level != "" && i < 0 {
				t.Errorf("no %q, %q among:", c.level, c.cause)
			}
			for _, d := range r.Deviations {
				t.Logf("%s: %s: expected %s, observed %s", d.Verdict, d.Bucket, d.Expected, d.Observed)
			}
			if strings.HasSuffix(c.fault, "later") && i >= 0 {
				reproduced(t, &r.Deviations[i], c.level == report.Crash)
			}
		})
	}
	t.Run("babbles", func(t *testing.T) {
		subject := reader.NewProtocol("env '" + serving + "=babbles' " + os.Args[0])
		defer subject.Close()
		_, err := reader.Run(t.Context(), subject,
			reader.Options{Formats: []string{"zpsh"}, Repeats: 1, Cases: 1, NoCost: true})
		if err == nil || !strings.Contains(err.Error(), `not an answer: "reading`) {
			t.Errorf("got %v", err)
		}
	})
}

// reproduced runs the command that shows a cause of two files: the first file, and only that,
// spoils the reader.
func reproduced(t *testing.T, d *report.Deviation, crashes bool) {
	if !strings.Contains(d.Observed, "behind 1 other files") {
		t.Errorf("one file is enough: %s", d.Observed)
	}
	out, err := exec.Command("sh", "-c", d.Reproduce).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	switch {
	case crashes && (err == nil || !strings.Contains(string(out), "panic: spoilt")):
		t.Errorf("%s: no crash: %v\n%s", d.Reproduce, err, out)
	case !crashes && (err != nil || len(lines) != 2 || !strings.Contains(lines[1], `"msg":"spoilt"`)):
		t.Errorf("%s: not refused: %v\n%s", d.Reproduce, err, out)
	}
}
