package main_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/web/engine"
)

// maxSize is the largest number of bytes of the engine with gzip -9.
const maxSize = 3_300_000

// compiled returns the engine for a browser, which a test compiles once.
func compiled(t *testing.T) string {
	t.Helper()
	flags, err := os.ReadFile("flags.txt")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "engine.wasm")
	args := append([]string{"build", "-o", file}, strings.Split(strings.TrimSpace(string(flags)), "\n")...)
	build := exec.Command("go", append(args, ".")...)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

// needNode skips a test on machines without Node.
func needNode(t *testing.T) {
	t.Helper()
	if err := exec.Command("node", "--version").Run(); err != nil {
		t.Skip("no Node")
	}
}

// goroot returns a file of the Go distribution.
func goroot(t *testing.T, name string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), filepath.FromSlash(name))
}

// call is a line of testdata/calls.mjs.
type call struct {
	Method string `json:"method"`
	Params string `json:"params"`
	Bytes  []byte `json:"bytes,omitempty"`
}

// answer is what the worker gets.
type answer struct {
	Result string        `json:"result"`
	Bytes  []byte        `json:"bytes"`
	Error  *engine.Error `json:"error"`
}

// calls visits a file of each format, and asks for the totals of the demo.
func calls(t *testing.T) (list []call) {
	add := func(method, params string, data []byte) { list = append(list, call{method, params, data}) }
	file, runs := 0, 0
	for _, name := range []string{"picasso/p03_flow_all.shbin", "picasso/p07_gsh_point.shbin", "nihstro/n06_entry_not_first.shbin",
		"gsh/g01_vertex_pixel.gsh", "latte/l07_if_else.gsh", "bnsh/b01_vertex_reflection.bnsh", "zpsh/z01_minimal_r3.zpsh",
		"csdr/b01_one_shader.bcsdr", "sharcfb/s03_macros_six_variations_le.sharcfb"} {
		file++
		n := strconv.Itoa(file)
		add("open", `{"name": "`+name+`"}`, samples.Read(t, name))
		for _, method := range []string{"regions", "findings", "interface", "programs", "tree", "lints", "bytes"} {
			add(method, `{"file": `+n+`}`, nil)
		}
		for _, method := range []string{"listing", "flow", "text", "registers"} {
			add(method, `{"file": `+n+`, "program": 0}`, nil)
		}
		for _, profile := range []string{"f24", "hw", "f32", "azahar-x64", "panda-interp", "mikage-interp", "borked-rz24"} {
			if !strings.HasPrefix(name, "picasso") {
				break
			}
			runs++
			add("run", `{"file": `+n+`, "program": 0, "profile": "`+profile+
				`", "inputs": [{"register": "v0", "value": "0.1,-2.7,3e5,NaN"}], "limit": 1000}`, nil)
			add("trace", `{"run": `+strconv.Itoa(runs)+`, "limit": 200}`, nil)
			add("state", `{"run": `+strconv.Itoa(runs)+`, "step": 3}`, nil)
			add("ancestry", `{"run": `+strconv.Itoa(runs)+`, "component": "o0.x"}`, nil)
		}
		add("diff", `{"a": 1, "b": `+n+`}`, nil)
	}
	add("examples", `{}`, nil)
	add("rule", `{"id": "DVLE007"}`, nil)
	add("profiles", `{}`, nil)
	add("nonsense", `{}`, nil)
	for f := range registry.All() {
		add("demo", `{"part": "`+f.Name+`"}`, nil)
	}
	add("demo", `{"part": "vectors oracle"}`, nil)
	return list
}

// TestNode calls the engine in Node and natively, and demands the same answers, the totals of the demo among them.
func TestNode(t *testing.T) {
	needNode(t)
	file, list := compiled(t), calls(t)
	var in, messages bytes.Buffer
	for _, c := range list {
		if err := json.NewEncoder(&in).Encode(c); err != nil {
			t.Fatal(err)
		}
	}
	node := exec.Command("node", "testdata/calls.mjs", goroot(t, "lib/wasm/wasm_exec.js"), file)
	node.Stdin, node.Stderr = &in, &messages
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, messages.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 2*engine.MaxResult)
	var native engine.Engine
	answered := 0
	for i, c := range list {
		if !lines.Scan() {
			t.Fatalf("call %d, %s: no answer: %v\n%s", i, c.Method, lines.Err(), messages.String())
		}
		var got answer
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		result, data, err := native.Call(c.Method, []byte(c.Params), c.Bytes)
		if err != nil {
			if want := engine.ErrorOf(err); got.Error == nil || got.Error.Message != want.Message {
				t.Errorf("%s %s: got error %v, want %v", c.Method, c.Params, got.Error, want)
			}
			continue
		}
		if got.Result != string(result) || !bytes.Equal(got.Bytes, data) {
			t.Errorf("%s %s: got %+v\nwant %s", c.Method, c.Params, got, result)
		}
		answered++
		if c.Method == "demo" && !strings.Contains(got.Result, `"wrong":0`) {
			t.Errorf("%s: %s", c.Params, got.Result)
		}
	}
	if answered < len(list)*3/4 {
		t.Errorf("only %d of %d calls had an answer", answered, len(list))
	}
}

// TestGolden runs the golden hashes of the oracle in Node.
func TestGolden(t *testing.T) {
	needNode(t)
	file := filepath.Join(t.TempDir(), "oracle.wasm")
	build := exec.Command("go", "test", "-c", "-o", file, "../../oracle")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	node := exec.Command("node", "--stack-size=8192", goroot(t, "lib/wasm/wasm_exec_node.js"), file,
		"-test.run=Golden", "-test.short", "-test.v")
	node.Dir = "../../oracle"
	out, err := node.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("--- PASS: TestGoldenStreams")) {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSize holds the engine to the size that a page may download.
func TestSize(t *testing.T) {
	data, err := os.ReadFile(compiled(t))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d with gzip", len(data), b.Len())
	if b.Len() > maxSize || b.Len() < maxSize/3 {
		t.Errorf("the engine has %d bytes with gzip, at most %d are allowed", b.Len(), maxSize)
	}
}
