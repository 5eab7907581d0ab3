package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/web/engine"
)

// window is what all results with a window have.
type window struct{ Next int }

// visit asks everything about a file, and returns the methods that answered. A refusal is an answer of the page; a
// result over the bound or a panic is not.
func visit(t testing.TB, p *page, name, as string, data []byte) map[string]bool {
	t.Helper()
	answered := map[string]bool{}
	ask := func(method string, params object, result any) bool {
		t.Helper()
		b, bytes, err := p.call(method, params, data)
		if err != nil {
			if e := engine.ErrorOf(err); e.Message == "" || len(e.Message) > 4<<10 {
				t.Errorf("%s: %s: message of %d bytes", name, method, len(e.Message))
			}
			return false
		}
		if result != nil {
			if err := json.Unmarshal(b, result); err != nil {
				t.Errorf("%s: %s: %v", name, method, err)
			}
		}
		_ = bytes
		answered[method] = true
		return true
	}
	var info engine.FileInfo
	if !ask("open", object{"name": name, "as": as}, &info) {
		return answered
	}
	defer ask("close", object{"file": info.File}, nil)
	// all asks for the first windows of a list, and for its end.
	all := func(method string, params object) {
		params["file"] = info.File
		var w window
		for range 3 {
			if !ask(method, params, &w) || w.Next < 0 {
				return
			}
			params["from"] = w.Next
		}
	}
	all("findings", object{})
	all("interface", object{})
	all("programs", object{})
	all("lints", object{})
	all("choices", object{})
	ask("bytes", object{"file": info.File}, nil)
	ask("regions", object{"file": info.File}, nil)
	ask("regions", object{"file": info.File, "offset": info.Length / 2, "length": 64, "code": true}, nil)
	var tree engine.TreeResult
	ask("tree", object{"file": info.File}, &tree)
	for _, node := range tree.Nodes[:min(len(tree.Nodes), 4)] {
		all("tree", object{"path": node.Path})
		ask("findings", object{"file": info.File, "path": node.Path}, nil)
	}
	for _, kind := range []string{"hex", "text", "field"} {
		ask("find", object{"file": info.File, "kind": kind, "query": "00", "from": 3}, nil)
		ask("find", object{"file": info.File, "kind": kind, "query": "00", "from": info.Length, "back": true}, nil)
	}
	for n := range min(info.Programs, 2) {
		visitProgram(p, info.File, n, ask, all)
	}
	ask("diff", object{"a": info.File, "b": info.File}, nil)
	var written engine.WrittenResult
	if ask("canon", object{"file": info.File}, &written) {
		ask("diff", object{"a": info.File, "b": written.Info.File}, nil)
		ask("close", object{"file": written.Info.File}, nil)
	}
	for _, to := range info.Supports.Convert {
		if ask("convert", object{"file": info.File, "to": to, "entry": "0"}, &written) {
			ask("diff", object{"a": info.File, "b": written.Info.File}, nil)
			ask("close", object{"file": written.Info.File}, nil)
		}
	}
	return answered
}

// visitProgram asks everything about a program.
func visitProgram(p *page, file, n int, ask func(string, object, any) bool, all func(string, object)) {
	all("listing", object{"program": n})
	all("flow", object{"program": n})
	ask("explain", object{"file": file, "program": n, "word": 0}, nil)
	for _, form := range []string{"flat", "structured", "pretty"} {
		var text engine.TextResult
		if ask("text", object{"file": file, "program": n, "form": form}, &text) && text.Next.Next < 0 {
			var again engine.AssembleResult
			if ask("assemble", object{"text": text.Text, "dialect": text.Dialect}, &again) && again.Info != nil {
				ask("close", object{"file": again.Info.File}, nil)
			}
		}
	}
	ask("registers", object{"file": file, "program": n}, nil)
	ask("link", object{"file": file, "program": n}, nil)
	for _, profile := range []string{"f24", "panda-x64"} {
		var r engine.RunResult
		if !ask("run", object{"file": file, "program": n, "profile": profile, "limit": 300,
			"inputs": []object{{"register": "v0", "value": "1,2,NaN"}}}, &r) {
			continue
		}
		ask("trace", object{"run": r.Run, "limit": 50}, nil)
		ask("trace", object{"run": r.Run, "from": r.Steps - 1}, nil)
		ask("primitives", object{"run": r.Run}, nil)
		ask("state", object{"run": r.Run, "step": r.Steps}, nil)
		ask("seek", object{"run": r.Run, "from": -1, "words": []int{0, 1}}, nil)
		ask("ancestry", object{"run": r.Run, "component": "o0.x"}, nil)
		ask("part", object{"a": r.Run, "b": r.Run}, nil)
	}
}

// perFormat are the methods that must answer for a file of each format; perProgram those where code is decoded.
var (
	perFormat = []string{"open", "close", "bytes", "regions", "tree", "findings", "interface", "programs", "lints", "find",
		"diff"}
	perProgram = []string{"listing", "flow", "text", "assemble"}
	perRun     = []string{"explain", "registers", "link", "run", "trace", "state", "seek", "ancestry", "part", "primitives"}
)

// TestVectors visits every file of the corpus, the trigger and the near miss of every rule among them, and demands
// that each method answers for each format.
func TestVectors(t *testing.T) {
	var p page
	answered := map[string]map[string]bool{}
	ask := func(format, name string, data []byte) {
		if answered[format] == nil {
			answered[format] = map[string]bool{}
		}
		maps.Copy(answered[format], visit(t, &p, name, format, data))
	}
	for _, name := range slices.Concat(samples.Glob(t, "latte/*.gsh"), samples.Glob(t, "sharcfb/*.sharcfb")) {
		ask(strings.TrimPrefix(path.Ext(name), "."), name, samples.Read(t, name))
	}
	for f := range registry.All() {
		vectors, err := corpus.Vectors(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			ask(f.Name, v.Name+f.Extensions[0], v.Data)
		}
		want := slices.Clone(perFormat)
		switch f.Name {
		case "bnsh":
		case "gsh", "sharcfb":
			want = append(append(want, perProgram...), "convert")
		default:
			want = append(append(append(want, perProgram...), perRun...), "convert", "canon")
		}
		for _, method := range want {
			if !answered[f.Name][method] {
				t.Errorf("%s: no answer of %s", f.Name, method)
			}
		}
	}
	if p.largest < 32<<10 {
		t.Errorf("the largest result has %d bytes: the bound is not tested", p.largest)
	}
}

// explained is the part of a rule that TestRules reads.
type explained struct {
	Format, Statement, Source string
	Triggering                *struct{ Vector string }
	NearMiss                  *struct{ Vector string } `json:"near_miss"`
}

// TestRules opens the trigger and the near miss of every rule as samples: the trigger has the rule.
func TestRules(t *testing.T) {
	var p page
	for _, c := range expect.Catalogues() {
		for _, rule := range c.Rules {
			if rule.Retired {
				continue
			}
			r := get[struct{ Rules []explained }](t, &p, "rule", object{"id": rule.ID})
			i := slices.IndexFunc(r.Rules, func(x explained) bool { return x.Format == c.Name })
			if i < 0 || r.Rules[i].Statement == "" || r.Rules[i].Source == "" || r.Rules[i].Triggering == nil {
				t.Errorf("%s %s: %+v", c.Name, rule.ID, r)
				continue
			}
			s := get[engine.SampleResult](t, &p, "sample", object{"name": r.Rules[i].Triggering.Vector})
			if c.Text {
				if s.Source == "" {
					t.Errorf("%s %s: no source", c.Name, rule.ID)
				}
				continue
			}
			found := false
			method, field := "findings", "findings"
			if c.Name == "latte" {
				method, field = "lints", "lints"
			}
			list := get[map[string]json.RawMessage](t, &p, method, object{"file": s.Info.File})
			var rules []struct{ Rule string }
			if err := json.Unmarshal(list[field], &rules); err != nil {
				t.Fatal(err)
			}
			for _, x := range rules {
				found = found || x.Rule == rule.ID
			}
			if !found && s.Info.Writer == "" { // what only tells the writer is no finding
				t.Errorf("%s %s: %s has findings %v", c.Name, rule.ID, r.Rules[i].Triggering.Vector, rules)
			}
			get[engine.Empty](t, &p, "close", object{"file": s.Info.File})
			if miss := r.Rules[i].NearMiss; miss != nil {
				s := get[engine.SampleResult](t, &p, "sample", object{"name": miss.Vector})
				get[engine.Empty](t, &p, "close", object{"file": s.Info.File})
			}
		}
	}
}

// TestBroken visits generated files with a fault or with damaged bytes, 1,000 in a long run, and some of them also
// under the name of another format.
func TestBroken(t *testing.T) {
	const seed, broken = 37, 1000
	var p page
	refused := 0
	for n := range long.Numbers(t, broken, long.Few(300, 200)) {
		from := files.Formats[n%len(files.Formats)]
		c := gen.From(gen.Seed(seed, uint64(n)))
		var data []byte
		if n/len(files.Formats)%2 == 0 {
			fault := from.Faults()[n/len(files.Formats)%len(from.Faults())]
			data = files.Faulty(from, fault, c).Data
		} else {
			data = files.Damaged(from, c)
		}
		name := fmt.Sprintf("seed %d, case %d of %s", seed, n, from.Name)
		visit(t, &p, name, from.Name, data)
		if info := get[engine.FileInfo](t, &p, "open", object{"name": name, "as": from.Name}, data...); !info.Accepted {
			refused++
		}
		if n%20 == 0 {
			other := files.Formats[(n+1)%len(files.Formats)].Name
			visit(t, &p, name, other, data)
			visit(t, &p, name, "job", bytes.ToValidUTF8(data, nil))
			visit(t, &p, name, "", data[:len(data)/2])
		}
		if t.Failed() {
			t.Fatalf("%s", name)
		}
	}
	if refused == 0 {
		t.Error("no file was refused")
	}
}
