//go:build linux || darwin

package kit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// TestExamples: the smallest core in each language answers the jobs that it supports, and refuses
// the rest.
func TestExamples(t *testing.T) {
	for _, c := range []struct {
		name    string
		command func(t *testing.T) string
	}{
		{"minimal", func(t *testing.T) string { return kittest.Build(t, "example/minimal.c") }},
		{"minimal C++", func(t *testing.T) string { return kittest.Build(t, "example/minimal.cpp") }},
		{"minimal Python", func(t *testing.T) string { return kittest.Build(t, "example/minimal.py") }},
		{"minimal Rust", func(t *testing.T) string { return kittest.Build(t, "example/minimal.rs") }},
		{"minimal Go", func(*testing.T) string { return "go run ./example/minimal" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			core := start(t, c.command(t))
			info, err := core.Info(context.Background())
			if err != nil || info.Core != c.name || info.Protocol != adapter.Version ||
				fmt.Sprint(info.Stages) != "[vs]" {
				t.Errorf("got %+v, %v", info, err)
			}
			j := mov(300)
			a := core.Ask(context.Background(), j)
			if a.Fate != adapter.Answered {
				t.Fatalf("got %v", &a)
			}
			for k := range j.Vertices {
				if a.Outcome.Vertices[k].O[0] != j.Vertices[k][0] {
					t.Errorf("vertex %d: got %x", k, a.Outcome.Vertices[k].O[0])
				}
			}
			j.Code[0] = 0
			if a := core.Ask(context.Background(), j); a.Fate != adapter.Unsupported || a.Message != "only mov o0, v0" {
				t.Errorf("another program: got %v", &a)
			}
			j = mov(1)
			j.Stage = pica.Geometry
			if a := core.Ask(context.Background(), j); a.Fate != adapter.Unsupported {
				t.Errorf("a geometry program: got %v", &a)
			}
			if s := core.Stats(); s.Processes > 3 { // two, and one for Info
				t.Errorf("%d processes", s.Processes)
			}
		})
	}
}

// bad stands for the reply to a request that makes no sense.
const bad = `{"id":null,"status":"bad-request"}`

// lines are requests to the smallest cores, and the replies without o.
var lines = []struct{ request, reply string }{
	{`{}`, `{"id":null,"out":[],"status":"ok"}`},
	{" \t{ \"id\" : 1 , \"op\":\"run\"\r}\t", `{"id":1,"out":[],"status":"ok"}`},
	{`{"id":{"a":[-1.50e+3,"\"\\\u00e9\ud800é",null,true]},"op":"unknown"}`,
		`{"id":{"a":[-1.50e+3,"\"\\é\ud800é",null,true]},"status":"error","kind":"unsupported","msg":"unknown op"}`},
	{`{"id":1,"op":"information-of-a-core"}`, `{"id":1,"status":"error","kind":"unsupported","msg":"unknown op"}`},
	{`{"\u0069d":2,"op":"inf\u006f"}`, `{"id":2,"status":"ok","protocol":1,"stages":["vs"],"unsupported":[]}`},
	{`{"id":3,"code":"4c000000","in":["",""],"keep":true,"regs":false,"i":["01020304"],"timeout_ms":999999999}`,
		`{"id":3,"out":[{"o":"","a":[0,0,0],"cc":0},{"o":"","a":[0,0,0],"cc":0}],"status":"ok"}`},
	{`{"id":3,"code":"4c000000","in":[""]}`, `{"id":3,"out":[{"o":"","r":"","a":[0,0,0],"cc":0}],"status":"ok"}`},
	{`{"id":4,"code":"00000000","in":[""]}`,
		`{"id":4,"out":null,"status":"error","kind":"unsupported","msg":"only mov o0, v0"}`},
	{`{"id":5,"stage":"gs"}`, `{"id":5,"status":"error","kind":"unsupported","msg":"no geometry stage"}`},
	{`{"f32":{"095":"` + strings.Repeat("3F800000", 8) + `"},"f24":{"99999":""},"b":65535,"entry":4095}`,
		`{"id":null,"out":[],"status":"ok"}`},
	{`{"x":` + strings.Repeat("[", 32) + strings.Repeat("]", 32) + `}`, `{"id":null,"out":[],"status":"ok"}`},
	{`{"x":` + strings.Repeat("[", 33) + strings.Repeat("]", 33) + `}`, bad},
	{`{"x":` + strings.Repeat("[", 100000) + `}`, bad},
	{`[]`, bad}, {`{}{}`, bad}, {`{`, bad}, {`{"id":1,}`, bad}, {`{id:1}`, bad}, {`{"id":01}`, bad}, {`{"id":+1}`, bad},
	{`{"id":1.}`, bad}, {`{"id":.5}`, bad}, {`{"id":NaN}`, bad}, {`{"id":-Infinity}`, bad}, {`{"id":tru}`, bad},
	{`{"id":'1'}`, bad}, {"{\"id\":\"\x01\"}", bad}, {`{"id":"\x"}`, bad}, {`{"id":"\u12g4"}`, bad}, {`{"id":"`, bad},
	{`{"op":1}`, bad}, {`{"code":"4c00000"}`, bad}, {`{"code":"4c 00000"}`, bad}, {`{"code":"4c_00000"}`, bad},
	{`{"code":["4c000000"]}`, bad}, {`{"code":"` + strings.Repeat("88000000", 4097) + `"}`, bad},
	{`{"desc":"` + strings.Repeat("88000000", 129) + `"}`, bad}, {`{"entry":4096}`, bad}, {`{"entry":-1}`, bad},
	{`{"entry":1.0}`, bad}, {`{"entry":1e3}`, bad}, {`{"entry":01}`, bad}, {`{"entry":"1"}`, bad},
	{`{"entry":true}`, bad}, {`{"entry":18446744073709551617}`, bad}, {`{"stage":"ps"}`, bad}, {`{"stage":"vsx"}`, bad},
	{`{"outmask":65536}`, bad}, {`{"b":65536}`, bad}, {`{"timeout_ms":1000000000}`, bad}, {`{"keep":1}`, bad},
	{`{"regs":"true"}`, bad}, {`{"f32":{"":""}}`, bad}, {`{"f32":{"c0":""}}`, bad}, {`{"f32":{"000000":""}}`, bad},
	{`{"f32":{"0":"3f800000"}}`, bad}, {`{"f24":{"0":"` + strings.Repeat("3f800000", 4) + `"}}`, bad},
	{`{"f32":{"0":"` + strings.Repeat("3f800000", 392) + `"}}`, bad}, {`{"f32":[]}`, bad},
	{`{"i":["0102030"]}`, bad}, {`{"i":[""]}`, bad}, {`{"i":["0","1","2","3","4"]}`, bad},
	{`{"i":["00000000","00000000","00000000","00000000","00000000"]}`, bad},
	{`{"in":["3f800000"]}`, bad}, {`{"in":["` + strings.Repeat("3f800000", 68) + `"]}`, bad}, {`{"in":""}`, bad},
	{`{"in":[` + strings.Repeat(`"",`, 4096) + `""]}`, bad},
}

// replies are the answers of a program to request lines, without what differs between the cores and
// without the texts of bad requests. No line is empty.
func replies(t *testing.T, command string, requests [][]byte) (list []adapter.Reply) {
	t.Helper()
	cmd := exec.Command("sh", "-c", "exec "+command)
	cmd.Stdin = bytes.NewReader(bytes.Join(requests, []byte("\n")))
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &complaints)
	}
	for line := range bytes.Lines(out.Bytes()) {
		var r adapter.Reply
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("reply %d: %v: %.200s", len(list), err, line)
		}
		r.Core = ""
		if r.Status == adapter.StatusBadRequest {
			if r.Msg == "" {
				t.Errorf("reply %d has no reason", len(list))
			}
			r.ID, r.Msg = json.RawMessage("null"), ""
		}
		if r.Status != adapter.StatusOK {
			r.Out = nil
		}
		list = append(list, r)
	}
	if len(list) != len(requests) {
		t.Fatalf("%d replies to %d requests", len(list), len(requests))
	}
	return list
}

// sameID compares identities by their values.
var sameID = cmp.Transformer("ID", func(id json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(id))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err.Error()
	}
	return v
})

// TestLines: each kit reads requests strictly, and all kits answer damaged requests alike.
func TestLines(t *testing.T) {
	const seed = 7
	var requests [][]byte
	for _, l := range lines {
		requests = append(requests, []byte(l.request))
	}
	requests = append(requests, damaged(rand.New(rand.NewPCG(seed, 0)), long.Few(1500, 300))...)
	var first []adapter.Reply
	for _, extension := range []string{"c", "cpp", "py", "rs"} {
		t.Run(extension, func(t *testing.T) {
			got := replies(t, kittest.Build(t, "example/minimal."+extension), requests)
			for k, l := range lines {
				var want adapter.Reply
				if err := json.Unmarshal([]byte(l.reply), &want); err != nil {
					t.Fatal(err)
				}
				seen := got[k]
				for i := range seen.Out {
					seen.Out[i].O, seen.Out[i].R = "", ""
				}
				if diff := cmp.Diff(want, seen, sameID); diff != "" {
					t.Errorf("%.200s: (-want +got)\n%s", l.request, diff)
				}
			}
			if first == nil {
				first = got
			}
			for k := range got {
				if diff := cmp.Diff(first[k], got[k], sameID); diff != "" {
					t.Errorf("seed %d: %.300q: (-first +this)\n%s", seed, requests[k], diff)
				}
			}
		})
	}
}

// TestHostile: whatever a core passes to the kit, and whatever lines the kit gets, it stays within
// its memory and answers with valid lines.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name    string
		bools   uint16
		options []string
	}{
		{"c", 40, kittest.Sanitizers},
		{"py", 16, nil},
		{"rs", 16, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := kittest.Build(t, "example/hostile."+c.name, c.options...)
			core := start(t, program)
			info, err := core.Info(context.Background())
			if err != nil || !strings.HasPrefix(info.Core, `"hostile"`) || len(info.Unsupported) != 2 {
				t.Errorf("got %+v, %v", info, err)
			}
			for b := range c.bools {
				j := mov(2)
				j.Bools, j.Stage = b, pica.Stage(b>>1&1)
				if a := core.Ask(context.Background(), j); a.Fate > adapter.Refused && b>>1 < 6 || a.Fate == adapter.Garbled {
					t.Errorf("b %d: got %v: %s", b, &a, a.Stderr)
				}
			}
			const seed = 5
			t.Logf("seed %d", seed)
			replies(t, program, damaged(rand.New(rand.NewPCG(seed, 0)), long.Few(1500, 200)))
		})
	}
}

// TestEnds: exceptions, panics and nonsense in the registers become refusals with a message.
func TestEnds(t *testing.T) {
	type end struct{ kind, message string } // the beginning of the message
	for extension, ends := range map[string]map[int]end{
		"py": {
			0:  {"exception", "TypeError: o is not sixteen registers of four ints below 2**32"},
			3:  {"exception", "TypeError: r is not sixteen registers"},
			4:  {"exception", "error: 'i' format requires"},
			6:  {"trap", "primitive-budget"},
			8:  {"exception", `"""""`},
			10: {"exception", "KeyError: "},
			11: {"assert", "AssertionError: an assertion"},
			12: {"exception", "RecursionError: maximum recursion depth exceeded"},
			14: {"", `"""""`},
			15: {"", ""},
		},
		"rs": {
			0:  {"panic", `"""""`},
			1:  {"panic", "a panic"},
			2:  {"panic", "a panic of unknown type"},
			3:  {"panic", "index out of bounds"},
			4:  {"panic", "attempt to add with overflow"},
			6:  {"trap", "primitive-budget"},
			8:  {"assert", `"""""`},
			9:  {"exception", ""},
			10: {"trap", "call-loop"},
			12: {"panic", "\x00"},
			15: {"", ""},
		},
	} {
		t.Run(extension, func(t *testing.T) {
			var numbers []int
			var requests [][]byte
			for n := range ends {
				numbers = append(numbers, n)
				requests = append(requests, fmt.Appendf(nil, `{"stage":"gs","b":%d,"in":["%032x"]}`, n, 0))
			}
			for k, r := range replies(t, kittest.Build(t, "example/hostile."+extension), requests) {
				want := ends[numbers[k]]
				if r.Kind != want.kind || !strings.HasPrefix(r.Msg, want.message) || len(r.Log) != 8 {
					t.Errorf("%d: got %+v, want %+v", numbers[k], r, want)
				}
			}
		})
	}
}

// damaged returns damaged requests. None is empty, and none contains an end of line.
func damaged(random *rand.Rand, n int) (lines [][]byte) {
	whole := []string{
		`{"id":1,"code":"4c00000088000000","desc":"0d86c36f","entry":1,"stage":"gs","outmask":7,"f32":{"0":"` +
			strings.Repeat("3f800000", 8) +
			`","95":"` + strings.Repeat("3f800000", 4) + `"},"f24":{"3":"` + strings.Repeat("3f0000", 4) +
			`"},"i":["01020304","ffffffff"],"b":65535,"in":["` + strings.Repeat("3f800000", 64) +
			`",""],"keep":true,"regs":false,"timeout_ms":3000}`,
		`{"id":{"a":["\"\\",1.5e3,null,true]},"op":"info","unknown":[{"x":"}"},[]]}`,
		`{"id":"` + strings.Repeat("x", 250) + `","op":"unknown","\u0062":1}`,
		`{"code":"` + strings.Repeat("88000000", 4097) + `"}`,
		`{"in":["` + strings.Repeat("3f800000", 65) + `"]}`,
		`{"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`,
	}
	const alphabet = "{}[]\":,\\ \t0123456789abcdefu-.e\x00\x80\xff"
	for len(lines) < n {
		b := []byte(whole[random.IntN(len(whole))])
		for range random.IntN(4) {
			at := random.IntN(len(b))
			switch random.IntN(4) {
			case 0:
				b[at] = alphabet[random.IntN(len(alphabet))]
			case 1:
				b = append(b[:at], b[at+1:]...)
			case 2:
				b = append(b[:at], append([]byte{alphabet[random.IntN(len(alphabet))]}, b[at:]...)...)
			case 3:
				b = b[:at+1]
			}
		}
		if len(bytes.Trim(b, " \r\n")) > 0 {
			lines = append(lines, b)
		}
	}
	return lines
}
