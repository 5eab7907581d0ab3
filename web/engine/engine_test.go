package engine_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/web/engine"
)

// page is an engine, and the largest result so far.
type page struct {
	engine.Engine
	largest int
}

// call calls a method, and demands that its result is within the bound.
func (p *page) call(method string, params any, data []byte) (result, bytes []byte, err error) {
	b, err := json.Marshal(params)
	if err != nil {
		return nil, nil, err
	}
	result, bytes, err = p.Call(method, b, data)
	if n := max(len(result), len(bytes)); n > engine.MaxResult {
		return nil, nil, fmt.Errorf("%s: %d bytes", method, n)
	}
	p.largest = max(p.largest, len(result), len(bytes))
	return result, bytes, err
}

// get calls a method that must succeed.
func get[R any](t testing.TB, p *page, method string, params any, data ...byte) (r R) {
	t.Helper()
	b, _, err := p.call(method, params, data)
	if err != nil {
		t.Fatalf("%s %v: %v", method, params, err)
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%s %v: %v in %s", method, params, err, b)
	}
	return r
}

// object is the parameters of a call.
type object = map[string]any

// TestMethods has a name and a sentence for each method, and refuses what no method is.
func TestMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range engine.Methods() {
		if m.Name == "" || m.Doc == "" || m.Doc[len(m.Doc)-1] != '.' || seen[m.Name] {
			t.Errorf("method %q: %q", m.Name, m.Doc)
		}
		seen[m.Name] = true
	}
	var p page
	for _, c := range []struct{ method, params, message string }{
		{"opne", "{}", `no method "opne"`},
		{"close", `{"file": 3}`, "no file 3"},
		{"close", `{"flie": 3}`, `close: parameters: json: unknown field "flie"`},
		{"trace", `{"run": 1}`, "no run 1"},
	} {
		if _, _, err := p.Call(c.method, []byte(c.params), nil); err == nil || err.Error() != c.message {
			t.Errorf("%s %s: got error %v, want %s", c.method, c.params, err, c.message)
		}
	}
}

// TestExamples opens each example and checks what its sentences say.
func TestExamples(t *testing.T) {
	var p page
	r := get[engine.ExamplesResult](t, &p, "examples", object{})
	if len(r.Examples) != 3 {
		t.Fatalf("%d examples", len(r.Examples))
	}
	open := func(n int) engine.FileInfo {
		return *get[engine.SampleResult](t, &p, "sample", object{"name": r.Examples[n].Name}).Info
	}
	run := func(file int, x *engine.Example, profile string) engine.RunResult {
		return get[engine.RunResult](t, &p, "run",
			object{"file": file, "program": 0, "profile": profile, "inputs": x.Inputs, "uniforms": x.Uniforms})
	}

	transform := open(0)
	out := run(transform.File, &r.Examples[0], "")
	got := fmt.Sprint(out.Outcome.Vertices[0].Outputs["o0"].Value, out.Outcome.Vertices[0].Outputs["o1"].Value)
	if want := "[1.5 4 -7 -3] [0.5 0.25 0.125 1]"; got != want {
		t.Errorf("transform: got %s, want %s", got, want)
	}
	fed := get[engine.AncestryResult](t, &p, "ancestry", object{"run": out.Run, "component": "position.w"})
	if got := fmt.Sprint(fed.Words, fed.Uniforms, fed.Inputs); got != "[[3 1]] [projection c3.xyzw] [position v0.xyzw]" {
		t.Errorf("transform: position.w came from %s", got)
	}

	entry := open(1)
	found := get[engine.FindingsResult](t, &p, "findings", object{"file": entry.File})
	i := slices.IndexFunc(found.Findings, func(f engine.Found) bool { return f.Severity == diag.Error })
	if f := found.Findings[i]; entry.Accepted || f.Rule != "DVLE007" || f.Off != *r.Examples[1].Offset || f.Found != "29" {
		t.Errorf("entry: %v %v", entry, f)
	}

	clamp := open(2)
	a := run(clamp.File, &r.Examples[2], r.Examples[2].Profile)
	b := run(clamp.File, &r.Examples[2], r.Examples[2].Versus)
	part := get[engine.PartResult](t, &p, "part", object{"a": a.Run, "b": b.Run})
	if !part.Parted || part.Step != 1 || part.A.Result.Value[0] != 0.0 || part.B.Result.Value[0] != "-Inf" {
		t.Errorf("clamp: %+v", part)
	}
	if hw := run(clamp.File, &r.Examples[2], "hw"); hw.Outcome.Vertices[0].Outputs["o0"].Value[0] != 0.0 {
		t.Errorf("clamp: the console's rules give %v", hw.Outcome.Vertices[0].Outputs)
	}
}
