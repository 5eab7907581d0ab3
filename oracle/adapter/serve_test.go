package adapter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// ask sends lines to a server for a profile and returns the replies.
func ask(t *testing.T, profileName string, lines ...string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	if err := server(t, profileName).Serve(strings.NewReader(strings.Join(lines, "\n")), &out); err != nil {
		t.Fatal(err)
	}
	var replies []map[string]any
	for d := json.NewDecoder(&out); ; {
		var r map[string]any
		if err := d.Decode(&r); err == io.EOF {
			return replies
		} else if err != nil {
			t.Fatal(err)
		}
		replies = append(replies, r)
	}
}

func server(t testing.TB, name string) *adapter.Server {
	t.Helper()
	p, err := profile.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return &adapter.Server{Engine: impl.New(), Profile: p, Resolve: profile.Parse}
}

const (
	mov      = `"code":"4c00000088000000","desc":"0d86c36f"` // mov o0, v0; end
	vertex   = `"in":["3f800000400000004040000040800000"]`
	position = "3f800000400000004040000040800000"
	three    = "40400000404000004040000040400000"
)

// TestMalformedRequestsAreAnswered: each gets bad-request, with its id if that can be read, and
// the next request is served.
func TestMalformedRequestsAreAnswered(t *testing.T) {
	bad := []string{
		`not json`, `[]`, `"x"`, `null`, ` null `, `{"id":7,"timeout_ms":-1,` + mov + `}`, `{"id":7,"code":1}`,
		`{"id":7,"code":"8"}`, `{"id":7,"code":"8800000g"}`,
		`{"id":7,` + mov + `,"entry":-1}`, `{"id":7,` + mov + `,"entry":4096}`, `{"id":7,` + mov + `,"stage":"ps"}`,
		`{"id":7,` + mov + `,"in":["3f80"]}`, `{"id":7,` + mov + `,"in":["` + strings.Repeat(position, 17) + `"]}`,
		`{"id":7,"code":"` + strings.Repeat("88000000", 4097) + `"}`,
		`{"id":7,"code":"88000000","desc":"` + strings.Repeat("0d86c36f", 129) + `"}`,
		`{"id":7,` + mov + `,"f32":{"-1":"` + position + `"}}`,
		`{"id":7,` + mov + `,"f32":{"0":"` + position[:8] + `"}}`,
		`{"id":7,` + mov + `,"profile":"nosuch"}`, `{"id":7,` + mov + `,"i":["0"]}`, `{"id":7,` + mov + `,"b":65536}`,
	}
	for _, line := range bad {
		replies := ask(t, "f24", line, `{"id":"next",`+mov+`,`+vertex+`}`)
		if len(replies) != 2 || replies[0]["status"] != "bad-request" || replies[0]["msg"] == "" {
			t.Errorf("%.80s: got %v", line, replies)
			continue
		}
		if strings.Contains(line, `"id":7`) && replies[0]["id"] != 7.0 {
			t.Errorf("%.80s: got id %v, want 7", line, replies[0]["id"])
		}
		if replies[1]["status"] != "ok" || replies[1]["id"] != "next" {
			t.Errorf("after %.80s: got %v", line, replies[1])
		}
	}
}

// TestRequestFields sends every field and checks its effect.
func TestRequestFields(t *testing.T) {
	out := func(r map[string]any, i int) map[string]any { return r["out"].([]any)[i].(map[string]any) }
	register := func(bank any, k int) string { return bank.(string)[32*k : 32*k+32] }
	for _, c := range []struct {
		name, profile, request string
		look                   func(r map[string]any) string
		want                   string
	}{
		{"entry", "f24", `{"code":"00000000` + `4c00000088000000","desc":"0d86c36f","entry":1,` + vertex + `}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0) }, position},
		{"f32 uniform", "f24",
			`{"code":"4c02000088000000","desc":"0d86c36f","f32":{"0":"3dcccccd000000008000000000000000"},"in":[""]}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0) }, "3dcccd00000000008000000000000000"},
		{"f32 uniform, truncated", "hw",
			`{"code":"4c02000088000000","desc":"0d86c36f","f32":{"0":"3dcccccd000000008000000000000000"},"in":[""]}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0)[:8] }, "3dcccc80"},
		{"f32 uniform, kept", "f32",
			`{"code":"4c02000088000000","desc":"0d86c36f","f32":{"0":"3dcccccd000000008000000000000000"},"in":[""]}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0)[:8] }, "3dcccccd"},
		{"f24 uniform", "f24",
			`{"code":"4c02100088000000","desc":"0d86c36f","f24":{"1":"3f0000bf00007f8001000001"},"in":[""]}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0) }, "3f800000bf8000007fc0008018800000"},
		{"i and aL", "f24",
			`{"code":"a40000008400000088000000","i":["03050200","00000000","00000000","00000000"],"in":[""]}`,
			func(r map[string]any) string { return fmt.Sprint(out(r, 0)["a"]) }, "[0 0 7]"},
		{"b", "f24", `{"code":"b440080084000000` + `4c00000088000000","desc":"0d86c36f","b":2,` + vertex + `}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0) }, position},
		// add r0, v0, r0
		{"keep", "f24", `{"code":"02100800` +
			`88000000","desc":"0d86c36f","keep":true,"in":["` + position + `","` + position + `"]}`,
			func(r map[string]any) string { return register(out(r, 1)["r"], 0) }, "400000004080000040c0000041000000"},
		{"keep, not asked for", "f24",
			`{"code":"02100800` + `88000000","desc":"0d86c36f","in":["` + position + `","` + position + `"]}`,
			func(r map[string]any) string { return register(out(r, 1)["r"], 0) }, position},
		{"names differ in case", "f24", `{"code":"b440080084000000` +
			`4c00000088000000","desc":"0d86c36f","B":2,"\u0042":2,"b":0,"KEEP":3,` + vertex + `}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0) }, position},
		{"in_f24", "f24", `{` + mov + `,"in_f24":["3f0000bf00007f8001000001"]}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0) }, "3f800000bf8000007fc0008018800000"},
		{"runs in the order of registers", "f32", `{"code":"4c02a00088000000","desc":"0d86c36f","f32":{"10":"` +
			position + `","9":"` + strings.Repeat("0", 64) + `"},"in":[""]}`,
			func(r map[string]any) string { return register(out(r, 0)["o"], 0) }, position},
		// setemit 0, prim inv; mov o1, v0; emit; end
		{"stage and outmask", "f24",
			`{"stage":"gs","outmask":2,"code":"acc000004c200000a800000088000000","desc":"0d86c36f",` + vertex + `}`,
			func(r map[string]any) string {
				p := out(r, 0)["prims"].([]any)[0].(map[string]any)
				return fmt.Sprint(p["w"], register(p["v"].([]any)[0], 0))
			}, "1" + position},
		{"stage without geometry", "panda-x64", `{"stage":"gs",` + mov + `,` + vertex + `}`,
			func(r map[string]any) string { return fmt.Sprint(r["status"], r["kind"]) }, "errorunsupported"},
		// jmpu !b0 to itself
		{"timeout_ms", "f24", `{"code":"b4000001","budget":1000000000,"timeout_ms":20,"in":[""]}`,
			func(r map[string]any) string { return fmt.Sprint(r["status"]) }, "timeout"},
		{"timeout_ms, in time", "f24", `{` + mov + `,"timeout_ms":10000,` + vertex + `}`,
			func(r map[string]any) string { return fmt.Sprint(r["status"]) }, "ok"},
		// add o0, v0, v1
		{"hazards", "hw,hazards=warn", `{"code":"0000008088000000","desc":"0d86c36f",` + vertex + `}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["log"], r["remarks"], r["hazards"])
			}, "ok<nil> [unreliable-input at 0] <nil>"},
		// rcp o0, v0
		{"estimate", "azahar-x64",
			`{"code":"3800000088000000","desc":"0d86c36f","in":["404000003f8000003f8000003f800000"]}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["log"], r["remarks"], register(out(r, 0)["o"], 0)[:8])
			}, "ok<nil> [estimated rcp]3eaaaaab"},
		{"estimate of a power of two", "panda-x64", `{"code":"3800000088000000","desc":"0d86c36f",` + vertex + `}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["log"], r["remarks"], register(out(r, 0)["o"], 0)[:8])
			}, "ok<nil> [estimated rcp]3f7ff000"},
		{"no estimate", "azahar-x64",
			`{"code":"3800000088000000","desc":"0d86c36f","in":["` + strings.Repeat("0", 32) + `"]}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["log"], r["remarks"], register(out(r, 0)["o"], 0)[:8])
			}, "ok<nil> <nil>7f800000"},
		// add r0, r4, r0; ifc or; end
		{"uninitialised", "f24", `{"code":"02014800` + `a000000088000000","desc":"0d86c36f",` + vertex + `}`,
			func(r map[string]any) string { return fmt.Sprint(r["status"], r["log"], r["remarks"]) },
			"ok<nil> [uninitialised r0 uninitialised r4 uninitialised cc.x uninitialised cc.y]"},
		{"remarks are made once", "azahar-x64,hazards=warn", `{"code":"0400008038000000` +
			`3800000088000000","desc":"0d86c36f","in":["` + three + `","` + three + `"]}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["log"], r["remarks"])
			}, "ok<nil> [estimated rcp unreliable-input at 0]"},
		// two loops
		{"primitives", "f24", `{"stage":"gs","code":"ac800000` +
			`a4001000a4400c00a800000084000000a800000088000000","i":["0f000000","ff000000"],"in":[""]}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"])
			}, "errortrapprimitive-budget"},
		{"assertion", "azahar-interp", `{"code":"a8000000","in":[""]}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"])
			}, "errorassertassert at 0"},
		{"exception", "mikage-interp", `{"code":"60000000","desc":"0d86c36f","in":[""]}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"])
			}, "errorexceptionexception at 0"},
		{"crash", "azahar-x64", `{"code":"9000080188000000` + `88000000","in":[""]}`, // call 2, 1; end; end
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"])
			}, "crash<nil>crash at 2"},
		{"regs", "f24", `{` + mov + `,` + vertex + `,"regs":false}`,
			func(r map[string]any) string { return fmt.Sprint(out(r, 0)["r"]) }, "<nil>"},
		{"cc", "f24", `{"code":"b800000088000000","desc":"0d86c36f",` + vertex + `}`, // cmp v0, eq, eq, v0
			func(r map[string]any) string { return fmt.Sprint(out(r, 0)["cc"]) }, "3"},
		{"trap", "f24", `{"id":1,"code":"80000000","in":[""]}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"], len(r["out"].([]any)))
			}, "errortraphang1"},
		{"budget", "f24", `{"code":"b4000001","budget":10,"in":[""]}`, // jmpu !b0 to itself
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"])
			}, "errortrapstep-budget"},
		{"skipped", "azahar-interp", `{"code":"1000000088000000","desc":"0d86c36f",` + vertex + `}`,
			func(r map[string]any) string { return fmt.Sprint(r["status"], r["log"]) }, "ok[skipped dst]"},
		{"panic", "panda-interp", `{"code":"1000000088000000","desc":"0d86c36f",` + vertex + `}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"])
			}, "errorpanicpanic at 0"},
		// cmp with operator 6
		{"not predictable", "azahar-x64", `{"code":"be00000088000000","desc":"0d86c36f",` + vertex + `}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["status"], r["kind"], r["msg"])
			}, "errorunsupportednot predictable at 0"},
		{"profile of a request", "f24",
			`{"code":"1000000088000000","desc":"0d86c36f","profile":"panda-interp",` + vertex + `}`,
			func(r map[string]any) string { return fmt.Sprint(r["status"], r["kind"]) }, "errorpanic"},
		{"info", "hw", `{"op":"info"}`,
			func(r map[string]any) string {
				return fmt.Sprint(r["core"], r["protocol"], r["profile"], r["stages"])
			}, "picaproof oracle1hw[vs gs]"},
		{"info without geometry", "mikage-interp", `{"op":"info"}`,
			func(r map[string]any) string { return fmt.Sprint(r["profile"], r["stages"]) }, "mikage-interp[vs]"},
		{"unknown op", "f24", `{"op":"bench",` + mov + `,` + vertex + `,"reps":1}`,
			func(r map[string]any) string { return fmt.Sprint(r["status"], r["kind"], r["msg"]) },
			`errorunsupportedop "bench": want run or info`},
	} {
		t.Run(c.name, func(t *testing.T) {
			replies := ask(t, c.profile, c.request)
			if len(replies) != 1 || replies[0]["status"] == "bad-request" {
				t.Fatalf("got %v", replies)
			}
			if got := c.look(replies[0]); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestGeometryReply emits one primitive: the slots as stored, the winding flag
// beside them.
func TestGeometryReply(t *testing.T) {
	// setemit 0; mov o0, v0; emit; setemit 1; emit; setemit 2, prim inv; mov o0, v1; emit; end
	code := "ac000000" + "4c000000" + "a8000000" + "ad000000" + "a8000000" + "aec00000" + "4c001000" +
		"a8000000" + "88000000"
	other := "bf800000c0000000c0400000c0800000"
	r := ask(t, "f24", `{"stage":"gs","outmask":1,"code":"`+code+`","desc":"0d86c36f","in":["`+position+other+`"]}`)[0]
	if r["status"] != "ok" {
		t.Fatal(r)
	}
	prims := r["out"].([]any)[0].(map[string]any)["prims"].([]any)
	if len(prims) != 1 {
		t.Fatalf("got %d primitives, want 1", len(prims))
	}
	p := prims[0].(map[string]any)
	for slot, want := range []string{position, strings.Repeat("0", 32), other} {
		if got := p["v"].([]any)[slot].(string); len(got) != 512 || got[:32] != want {
			t.Errorf("slot %d: got %.32s and %d digits, want %s and 512", slot, got, len(got), want)
		}
	}
	if p["w"] != 1.0 {
		t.Errorf("winding: got %v, want 1", p["w"])
	}
}

// TestLongLine: a line of MaxLine bytes is served, a longer one is answered, and the next one
// served; after a long line, short ones are served as before.
func TestLongLine(t *testing.T) {
	const head, tail = `{"op":"info"`, "}\n"
	blanks := func(n int) io.Reader { return io.LimitReader(repeated(' '), int64(n)) }
	padded := func(n int) io.Reader {
		return io.MultiReader(strings.NewReader(head), blanks(n-len(head)-len(tail)), strings.NewReader(tail))
	}
	for _, c := range []struct {
		bytes int
		want  string
	}{
		{adapter.MaxLine, "ok ok ok"},
		{adapter.MaxLine + 1, "ok bad-request ok"},
		{adapter.MaxLine + 1<<17, "ok bad-request ok"},
	} {
		var out bytes.Buffer
		short := strings.NewReader(head + tail)
		if err := server(t, "f24").Serve(io.MultiReader(padded(1<<17), padded(c.bytes), short), &out); err != nil {
			t.Fatal(err)
		}
		var got []string
		for d := json.NewDecoder(&out); ; {
			var r adapter.Reply
			if d.Decode(&r) != nil {
				break
			}
			got = append(got, string(r.Status))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("a line of %d bytes: got %q, want %q", c.bytes, s, c.want)
		}
	}
}

// TestFlush: a reply is written as soon as no further request is waiting, and
// replies to requests that came together go out together.
func TestFlush(t *testing.T) {
	r, w := io.Pipe()
	written := make(chan int, 10) // lines of each write
	done := make(chan error)
	go func() {
		done <- server(t, "f24").Serve(r, writerFunc(func(b []byte) (int, error) {
			written <- bytes.Count(b, []byte("\n"))
			return len(b), nil
		}))
	}()
	for _, together := range []int{1, 3, 1} {
		if _, err := io.WriteString(w, strings.Repeat("{\"op\":\"info\"}\n", together)); err != nil {
			t.Fatal(err)
		}
		if got := <-written; got != together {
			t.Errorf("%d replies in a write, want %d", got, together)
		}
	}
	w.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestServeErrors: an error of the streams ends the server, in a write or in a flush; a last line
// without an end is served.
func TestServeErrors(t *testing.T) {
	broken := errors.New("broken")
	fails := writerFunc(func([]byte) (int, error) { return 0, broken })
	for _, requests := range []int{1, 1000} { // within the buffer, and beyond it
		if err := server(t, "f24").Serve(strings.NewReader(strings.Repeat("{\"op\":\"info\"}\n", requests)),
			fails); !errors.Is(err, broken) {
			t.Errorf("%d requests to a broken writer: got %v", requests, err)
		}
	}
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader(`{"op":"info"}`), iotest.ErrReader(broken))
	if err := server(t, "f24").Serve(in, &out); !errors.Is(err, broken) || !strings.Contains(out.String(), `"core"`) {
		t.Errorf("a broken reader: got %v, replies %q", err, &out)
	}
}

// repeated reads as one byte, repeated forever.
type repeated byte

func (c repeated) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(c)
	}
	return len(b), nil
}

// slow is an engine that cannot be interrupted.
type slow struct{ pica.Engine }

func (slow) Run(*pica.Job, *pica.Outcome) error {
	time.Sleep(2 * time.Millisecond)
	return nil
}

// TestLate: an engine that cannot be interrupted may end too late.
func TestLate(t *testing.T) {
	for limit, want := range map[string]string{"1": `"timeout"`, "3600000": `"ok"`} {
		var out bytes.Buffer
		s := adapter.Server{Engine: slow{}, Resolve: profile.Parse}
		if err := s.Serve(strings.NewReader(`{`+mov+`,"in":[],"timeout_ms":`+limit+`}`), &out); err != nil ||
			!strings.Contains(out.String(), `"status":`+want) {
			t.Errorf("limit %s: got %s, %v", limit, &out, err)
		}
	}
}

// BenchmarkServe measures pipelined requests for a small program, temporaries
// left out.
func BenchmarkServe(b *testing.B) {
	line := []byte(`{"id":12345,"code":"4e0000000220080008200800240008000c00100088000000","desc":"0d86c36f",` +
		vertex + `,"regs":false}` + "\n")
	s := server(b, "f24")
	b.ReportAllocs()
	r, w := io.Pipe()
	go func() {
		for b.Loop() {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
		w.Close()
	}()
	if err := s.Serve(r, io.Discard); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
