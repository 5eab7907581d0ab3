package engine_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/web/engine"
)

// large returns a BNSH of about n bytes, with many variations.
func large(t *testing.T, n int) []byte {
	t.Helper()
	f, err := bnsh.Parse(samples.Read(t, "bnsh/b01_vertex_reflection.bnsh"))
	if err != nil {
		t.Fatal(err)
	}
	const size = 0x800 // of the code of a variation
	first := f.Variations[0].Binary
	for i := range n / (size + 0x300) {
		p, vertex := *first, *first.Stages[bnsh.Vertex]
		vertex.Code = make([]byte, size)
		for at := 0; at < size; at += 4 {
			binary.LittleEndian.PutUint32(vertex.Code[at:], uint32(i*size+at)*0x9e3779b1)
		}
		p.Stages[bnsh.Vertex] = &vertex
		f.Variations = append(f.Variations, bnsh.Variation{Binary: &p})
	}
	data, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// pages asks for a whole list, a window after the other, and returns the number of windows and elements.
func pages(t *testing.T, p *page, method, list string, params object) (windows, elements int) {
	t.Helper()
	for from := 0; from >= 0; windows++ {
		params["from"] = from
		r := get[map[string]any](t, p, method, params)
		n := len(r[list].([]any))
		if from += n; n == 0 || int(r["next"].(float64)) != -1 && int(r["next"].(float64)) != from {
			t.Fatalf("%s from %v: %d elements, next %v", method, params["from"], n, r["next"])
		}
		if elements += n; r["next"] == -1.0 {
			from = -1
			if total := r["total"]; total != float64(elements) {
				t.Errorf("%s: %d elements, total %v", method, elements, total)
			}
		}
	}
	return windows, elements
}

// TestLargeFile looks into a BNSH of 16 MB. The bound of results is counted in page.call.
func TestLargeFile(t *testing.T) {
	size := 16 << 20
	if testing.Short() {
		size = 4 << 20
	}
	data := large(t, size)
	var p page
	info := get[engine.FileInfo](t, &p, "open", object{"name": "large.bnsh"}, data...)
	if !info.Accepted || info.Length < size*9/10 {
		t.Fatalf("%+v, want a file of about %d bytes", info, size)
	}
	if windows, rows := pages(t, &p, "interface", "rows", object{"file": info.File}); windows < 2 {
		t.Errorf("%d rows of the interface in %d windows", rows, windows)
	}
	if windows, n := pages(t, &p, "tree", "nodes", object{"file": info.File, "path": "variations"}); windows < 2 {
		t.Errorf("%d variations in %d windows", n, windows)
	}
	at, windows, covered := 0, 0, 0
	for at >= 0 {
		r := get[struct {
			Regions []ownership
			Next    int
		}](t, &p, "regions", object{"file": info.File, "offset": at})
		for _, x := range r.Regions {
			if x.Offset != covered {
				t.Fatalf("a region at %d, want %d", x.Offset, covered)
			}
			covered += x.Length
		}
		at, windows = r.Next, windows+1
	}
	if covered != info.Length || windows < 10 {
		t.Errorf("regions of %d bytes in %d windows, want %d", covered, windows, info.Length)
	}
	_, part, err := p.call("bytes", object{"file": info.File, "offset": 5}, nil)
	if err != nil || len(part) != engine.MaxResult {
		t.Errorf("%d bytes, %v", len(part), err)
	}
	find := get[engine.FindResult](t, &p, "find",
		object{"file": info.File, "kind": "field", "query": "variations", "from": info.Length, "back": true})
	if find.Offset < 0 {
		t.Error("no field of the last variation")
	}
	same := get[engine.DiffResult](t, &p, "diff", object{"a": info.File, "b": info.File})
	if !same.Same {
		t.Error("a file differs from itself")
	}
	small := get[engine.FileInfo](t, &p, "open", object{"name": "small.bnsh"},
		samples.Read(t, "bnsh/b01_vertex_reflection.bnsh")...)
	get[engine.DiffResult](t, &p, "diff", object{"a": info.File, "b": small.File})
}

// TestLongRun steps through a run of 197,122 instructions from both ends.
func TestLongRun(t *testing.T) {
	var p page
	made := get[engine.AssembleResult](t, &p, "assemble", object{"text": `.ivec n
.proc main
	for n
	for n
	mad r0, v0, c0, r0
	dp4 r1, c1, r0
	mul r2, r1, r1.x
	.end
	.end
	end
.end`})
	r := get[engine.RunResult](t, &p, "run", object{"file": made.Info.File, "program": 0, "limit": 1_000_000,
		"uniforms": []object{{"register": "n", "value": "255,0,1,0"}}})
	if r.Steps != 197_122 || r.Outcome.Vertices[0].Steps != r.Steps {
		t.Fatalf("%d steps, outcome %+v", r.Steps, r.Outcome.Vertices[0])
	}
	all := get[engine.TraceResult](t, &p, "trace", object{"run": r.Run})
	if n := len(all.Steps); n < 50 || n == r.Steps || all.Next.Next != n {
		t.Errorf("%d steps in a window, next %d", n, all.Next.Next)
	}
	for _, at := range []int{r.Steps - 1, 0, 100_000, 99_999, r.Steps - 1} {
		w := get[engine.TraceResult](t, &p, "trace", object{"run": r.Run, "from": at, "limit": 1})
		state := get[engine.StateResult](t, &p, "state", object{"run": r.Run, "step": at})
		if w.Steps[0].Step.Step != at || w.Steps[0].PC != state.State.PC || state.Step != at {
			t.Errorf("step %d: got %+v, state %+v", at, w.Steps[0], state)
		}
	}
	fed := get[engine.AncestryResult](t, &p, "ancestry", object{"run": r.Run, "component": "o0.x"})
	if len(fed.Steps) != 0 || fed.Initial[0] != "o0.x" {
		t.Errorf("an output that no step wrote came from %+v", fed)
	}
}

// TestLongTexts has names of a megabyte.
func TestLongTexts(t *testing.T) {
	var p page
	name := strings.Repeat("é\x01<", 300_000)
	info := get[engine.FileInfo](t, &p, "open", object{"name": name}, samples.Read(t, "picasso/p01_minimal.shbin")...)
	if len(info.Name) > 3<<10 || !strings.HasPrefix(info.Name, "é\x01<") || !strings.HasSuffix(info.Name, " bytes)") {
		t.Errorf("a name of %d bytes: %.20q", len(info.Name), info.Name)
	}
	label := strings.Repeat("l", 1<<16)
	made := get[engine.AssembleResult](t, &p, "assemble",
		object{"text": ".fvec " + label + "\n.proc main\n" + strings.Repeat("mov r0, "+label+"\n", 400) + "end\n.end\n"})
	if made.Info == nil {
		t.Fatalf("%+v", made.Errors[0])
	}
	visit(t, &p, "long.shbin", "shbin", func() []byte {
		_, data, err := p.call("bytes", object{"file": made.Info.File}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}())
	broken := get[engine.AssembleResult](t, &p, "assemble", object{"text": strings.Repeat(label+" x\n", 100)})
	if len(broken.Errors) == 0 {
		t.Error("no errors")
	}
}
