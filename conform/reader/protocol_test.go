//go:build linux || darwin

package reader_test

import (
	"bufio"
	"bytes"
	"context"
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
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
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

// session is a reader that answers requests, with a fault. It keeps a state from file to file.
type session struct {
	fault   string
	spoilt  bool
	answers int
}

// read returns what the harness makes of the session's answer.
func (s *session) read(format string, data []byte) reader.Reply {
	crash := func(fault string) reader.Reply {
		return reader.Reply{Outcome: reader.Crashed, Fault: fault, Message: fault}
	}
	spoilt := s.spoilt
	s.spoilt = spoilt || len(data) > 0 && !bytes.HasPrefix(data, []byte("ZPSH"))
	r := reader.Reply{Outcome: reader.Accepted}
	of, _ := registry.ByName(format)
	if doc, err := of.Parse(data); err != nil {
		r = reader.Reply{Outcome: reader.Refused, Message: err.Error()}
	} else {
		r.Rewritten, _ = doc.AppendBinary(nil)
		r.Model, _ = json.Marshal(doc.Model())
	}
	s.answers++
	switch accepted := r.Outcome == reader.Accepted; {
	case s.fault == "crashes later" && spoilt:
		return crash("panic: spoilt")
	case s.fault == "refuses later" && spoilt:
		return reader.Reply{Outcome: reader.Refused, Message: "spoilt"}
	case s.fault == "accepts":
		return reader.Reply{Outcome: reader.Accepted}
	case s.fault == "knows none":
		return reader.Reply{Outcome: reader.Unsupported}
	case s.fault == "rewrites" && accepted:
		r.Rewritten = data[:len(data)-1]
	case s.fault == "misreads" && accepted:
		r.Model = []byte(`{"revision":17}`)
	case s.fault == "ends" && len(data) == 0:
		return crash("end without an answer")
	case s.fault == "answers twice" && s.answers == 31:
		return crash("answers out of step")
	case s.fault == "talks" && s.answers == 30:
		return crash("not an answer")
	case s.fault == "hangs" && len(data) == 0:
		return reader.Reply{Outcome: reader.Hung}
	}
	return r
}

// serve answers requests for files, as docs/reader.md describes them.
func serve(fault string) {
	s := session{fault: fault}
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
		switch r := s.read(q.Format, q.Data); r.Outcome {
		case reader.Accepted:
			a["rewritten"], a["model"] = r.Rewritten, r.Model
		case reader.Crashed:
			panic("spoilt")
		default:
			a["status"], a["kind"], a["msg"] = "error", "malformed", r.Message
		}
		line, _ := json.Marshal(a)
		fmt.Println(string(line))
	}
}

// inProcess is a session that the harness asks without a process. A crash or a hang ends it,
// and the next request starts another.
type inProcess struct {
	*session
	earlier []reader.Shown
}

func (p *inProcess) Shared() bool                    { return false }
func (p *inProcess) Reproduce(string, []byte) string { return "" }

func (p *inProcess) Read(_ context.Context, format string, data []byte, _ time.Duration) (reader.Reply, error) {
	r := p.read(format, data)
	r.Earlier = p.earlier
	p.earlier = append(p.earlier, reader.Shown{Format: format, Data: data})
	if r.Outcome == reader.Crashed || r.Outcome == reader.Hung {
		p.session, p.earlier = &session{fault: p.fault}, nil
	}
	return r, nil
}

func (p *inProcess) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	return p.Sequence(ctx, []reader.Shown{{Format: format, Data: data}}, limit)
}

// Sequence asks a fresh session.
func (p *inProcess) Sequence(_ context.Context, list []reader.Shown, _ time.Duration) (r reader.Reply, err error) {
	s := session{fault: p.fault}
	for _, x := range list {
		if r = s.read(x.Format, x.Data); r.Outcome == reader.Crashed {
			break
		}
	}
	return r, nil
}

func (p *inProcess) ReproduceSequence(list []reader.Shown) string {
	return fmt.Sprint(len(list), " files")
}

// TestSessions: a reader that answers requests is judged like one that is started for each file,
// and also by the state that it keeps from file to file.
func TestSessions(t *testing.T) {
	for _, c := range []struct {
		fault string
		level report.Level
		cause string
	}{
		{"", "", ""},
		{"accepts", report.AcceptsInvalid, "accepts every file"},
		{"rewrites", report.WrongRewrite, "rewrites ZPSH"},
		{"misreads", report.WrongModel, "model: another revision"},
		{"ends", report.Crash, "crash: end without an answer"},
		{"answers twice", report.Crash, "behind other files: crash: answers out of step"},
		{"talks", report.Crash, "behind other files: crash: not an answer"},
		{"hangs", report.Hang, "hang"},
		{"crashes later", report.Crash, "behind other files: crash: "},
		{"refuses later", report.NotDeterministic, "behind other files: refuses: spoilt"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			r, err := reader.Run(t.Context(), &inProcess{session: &session{fault: c.fault}}, reader.Options{
				Formats: []string{"zpsh"}, Seed: 1, Repeats: 1, Cases: 2, NoCost: true})
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
			if strings.HasSuffix(c.fault, "later") && i >= 0 && r.Deviations[i].Reproduce != "2 files" {
				t.Errorf("one file before is enough: %s", r.Deviations[i].Reproduce)
			}
		})
	}
}

// TestProtocol: programs that answer lines of JSON.
func TestProtocol(t *testing.T) {
	for _, fault := range []string{"", "misreads", "crashes later", "refuses later"} {
		t.Run(fault, func(t *testing.T) {
			p := reader.NewProtocol("env '" + serving + "=" + fault + "' " + os.Args[0])
			defer p.Close()
			from, _ := files.ByName("zpsh")
			valid := from.File(gen.From(gen.NewBytes(nil)))
			ask := func(data []byte) reader.Reply {
				r, err := p.Read(t.Context(), "zpsh", data, time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			want := session{fault: fault}
			for i, data := range [][]byte{valid, []byte("no such file"), valid} {
				got, want := ask(data), want.read("zpsh", data)
				if got.Outcome != want.Outcome || !bytes.Equal(got.Rewritten, want.Rewritten) || len(got.Earlier) != i {
					t.Errorf("file %d: got %+v, want %+v", i, got, want)
				}
			}
			if strings.HasSuffix(fault, "later") {
				list := []reader.Shown{{Format: "zpsh", Data: []byte("no such file")}, {Format: "zpsh", Data: valid}}
				reproduced(t, p.ReproduceSequence(list), fault == "crashes later")
			}
		})
	}
	t.Run("babbles", func(t *testing.T) {
		p := reader.NewProtocol("read x; echo reading; read x")
		defer p.Close()
		_, err := reader.Run(t.Context(), p,
			reader.Options{Formats: []string{"zpsh"}, Repeats: 1, Cases: 1, NoCost: true})
		if err == nil || !strings.Contains(err.Error(), `not an answer: "reading`) {
			t.Errorf("got %v", err)
		}
	})
}

// reproduced runs a command that shows two files: the first spoils the reader.
func reproduced(t *testing.T, command string, crashes bool) {
	out, err := exec.Command("sh", "-c", command).CombinedOutput()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	switch {
	case crashes && (err == nil || !strings.Contains(string(out), "panic: spoilt")):
		t.Errorf("%s: no crash: %v\n%s", command, err, out)
	case !crashes && (err != nil || len(lines) != 2 || !strings.Contains(lines[1], `"msg":"spoilt"`)):
		t.Errorf("%s: not refused: %v\n%s", command, err, out)
	}
}
