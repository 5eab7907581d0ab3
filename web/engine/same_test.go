package engine_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/cmd/cli"
	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/web/engine"
)

// command returns what the command line prints about a file.
func command(t *testing.T, name string, data []byte, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	if status := (cli.Tool{}).Main(append(args, path), nil, &out, &messages); status == 2 {
		t.Fatalf("%q: %s", args, messages.String())
	}
	return out.Bytes()
}

// filesOf returns files of a format: valid ones of the corpus, and refused ones.
func filesOf(t *testing.T, format registry.Format) (list []corpus.Vector) {
	t.Helper()
	vectors, err := corpus.Vectors(format.Name)
	if err != nil {
		t.Fatal(err)
	}
	accepted, refused := 0, 0
	for _, v := range vectors {
		n := &refused
		if v.Expect == corpus.OK {
			n = &accepted
		}
		if *n++; *n <= 4 {
			list = append(list, v)
		}
	}
	return list
}

// TestOwners holds the owner of each byte to dump --regions, in files of each format.
func TestOwners(t *testing.T) {
	for f := range registry.All() {
		t.Run(f.Name, func(t *testing.T) {
			for _, v := range filesOf(t, f) {
				name := v.Name + f.Extensions[0]
				printed := command(t, name, v.Data, "dump", "--format", "json", "--regions", "--as", f.Name)
				var want []ownership
				if printed[0] != '[' {
					var outline struct{ Regions []ownership }
					if err := json.Unmarshal(printed, &outline); err != nil {
						t.Fatal(err)
					}
					want = outline.Regions
				} else if err := json.Unmarshal(printed, &want); err != nil {
					t.Fatal(err)
				}
				if got := owners(t, name, f.Name, v.Data); !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %d owners\n%+v\nwant %d\n%+v", name, len(got), got, len(want), want)
				}
			}
		})
	}
}

// ownership is a region as JSON.
type ownership struct {
	Offset, Length int
	Kind           string
	Path, Value    string
	Also           []string
}

// owners asks for the owners of all bytes, in windows of a few hundred bytes and regions.
func owners(t *testing.T, name, as string, data []byte) (list []ownership) {
	t.Helper()
	var p page
	info := get[engine.FileInfo](t, &p, "open", object{"name": name, "as": as}, data...)
	for at := 0; at >= 0 && at < len(data); {
		r := get[struct {
			Regions []ownership
			Next    int
		}](t, &p, "regions", object{"file": info.File, "offset": at, "length": 300, "limit": 7})
		for _, x := range r.Regions {
			if len(list) == 0 || list[len(list)-1].Offset < x.Offset {
				list = append(list, x)
			}
		}
		if at += 300; r.Next >= 0 {
			at = r.Next
		}
	}
	return list
}

// TestFindings holds the findings to check --format json.
func TestFindings(t *testing.T) {
	for f := range registry.All() {
		for _, v := range filesOf(t, f) {
			name := v.Name + f.Extensions[0]
			var report struct {
				Files []struct {
					Accepted bool
					Findings []any
				}
			}
			printed := command(t, name, v.Data, "check", "--format", "json", "--as", f.Name)
			if err := json.Unmarshal(printed, &report); err != nil {
				t.Fatal(err)
			}
			var p page
			info := get[engine.FileInfo](t, &p, "open", object{"name": name, "as": f.Name}, v.Data...)
			got := get[struct{ Findings []any }](t, &p, "findings", object{"file": info.File})
			for _, found := range got.Findings {
				x := found.(map[string]any)
				_, placed := x["encoded"]
				if decoded := strings.Contains(x["path"].(string), ".decoded."); placed != decoded {
					t.Errorf("%s: %v, encoded: %t", name, x, placed)
				}
				delete(x, "encoded") // the page alone has it
			}
			if want := report.Files[0]; !reflect.DeepEqual(got.Findings, want.Findings) || info.Accepted != want.Accepted {
				t.Errorf("%s: got %v\nwant %v", name, got, want)
			}
		}
	}
}

// TestEncoded: a finding about decoded bytes names the bytes that encode them.
func TestEncoded(t *testing.T) {
	const name = "csdr/c02_multi_dvle.csdr"
	var p page
	info := get[engine.FileInfo](t, &p, "open", object{"name": name}, samples.Read(t, name)...)
	x := get[engine.FindingsResult](t, &p, "findings", object{"file": info.File}).Findings[0]
	if x.Path != "shaders[0].decoded.dvle[0].version" || x.Off != 0x94 || *x.Encoded != (engine.Place{Offset: 388, Length: 2}) {
		t.Errorf("got %+v, encoded at %+v", x, x.Encoded)
	}
}

// TestExplanations: GX2 instructions have operands, and so have the words of a refused file.
func TestExplanations(t *testing.T) {
	for _, c := range []struct {
		file               string
		word               int
		mnemonic, operands string
	}{
		{"latte/l06_loop.gsh", 2, "EXP_DONE", "source R1.xyz1"},
		{"nihstro/n06_entry_not_first.shbin", 0, "add", "destination r0, source 1 c0, source 2 r0"},
	} {
		var p page
		info := get[engine.FileInfo](t, &p, "open", object{"name": c.file}, samples.Read(t, c.file)...)
		x := get[engine.Explanation](t, &p, "explain", object{"file": info.File, "program": 0, "word": c.word})
		var operands []string
		for _, o := range x.Operands {
			operands = append(operands, o.Role+" "+o.Text)
		}
		if got := strings.Join(operands, ", "); got != c.operands || x.Mnemonic != c.mnemonic || x.Source == "" || len(x.Fields) == 0 {
			t.Errorf("%s: got %s of %+v", c.file, got, x)
		}
	}
}

// TestTraces holds 20 traces to run --trace --format json, and the states between their steps to what the steps
// changed.
func TestTraces(t *testing.T) {
	n := 0
	for _, name := range append(samples.Glob(t, "picasso/*.shbin"), samples.Glob(t, "nihstro/*.shbin")...) {
		data := samples.Read(t, name)
		for _, profile := range []string{"f24", "azahar-x64"} {
			var p page
			info := get[engine.FileInfo](t, &p, "open", object{"name": name}, data...)
			if !info.Supports.Run || !info.Accepted {
				continue
			}
			printed := command(t, name, data, "run", "--trace", "--format", "json", "--profile", profile, "--in", "v0=1,2,3",
				"--budget", "700")
			r := get[engine.RunResult](t, &p, "run", object{"file": info.File, "program": 0, "profile": profile, "limit": 700,
				"inputs": []object{{"register": "v0", "value": "1,2,3"}}})
			steps := traceOf(t, &p, r.Run)
			var want []string
			for line := range strings.Lines(string(printed)) {
				want = append(want, line)
			}
			if len(want) != len(steps) || len(steps) != r.Steps {
				t.Fatalf("%s, %s: %d steps, run %d, want %d", name, profile, len(steps), r.Steps, len(want))
			}
			for i, line := range want {
				var x map[string]any
				if err := json.Unmarshal([]byte(line), &x); err != nil {
					t.Fatal(err)
				}
				checkState(t, &p, r.Run, i, steps)
				delete(steps[i], "changed")
				if !reflect.DeepEqual(steps[i], x) {
					t.Fatalf("%s, %s, step %d: got\n%v\nwant\n%v", name, profile, i, steps[i], x)
				}
			}
			n++
		}
	}
	if n < 20 {
		t.Errorf("%d traces", n)
	}
}

// traceOf returns all steps of a run, in windows that end inside chunks.
func traceOf(t *testing.T, p *page, run int) (steps []map[string]any) {
	t.Helper()
	for from := 0; from >= 0; {
		w := get[struct {
			Steps []map[string]any
			Next  int
		}](t, p, "trace", object{"run": run, "from": from, "limit": 97})
		steps, from = append(steps, w.Steps...), w.Next
	}
	return steps
}

// checkState demands that the state after a step has the values that the step wrote. It asks for a few steps only,
// from the last to the first, so that the run has to start again.
func checkState(t *testing.T, p *page, run, i int, steps []map[string]any) {
	t.Helper()
	if i%50 != 0 {
		return
	}
	at := len(steps) - 1 - i
	state := get[struct {
		State struct{ Registers map[string]any }
	}](t, p, "state", object{"run": run, "step": at + 1})
	changed, _ := steps[at]["changed"].([]any)
	for _, c := range changed {
		x := c.(map[string]any)
		zero := strings.Trim(fmt.Sprint(x["after"].(map[string]any)["bits"]), "[0 ]") == ""
		if got := state.State.Registers[x["register"].(string)]; !zero && !reflect.DeepEqual(got, x["after"]) {
			t.Errorf("after step %d: %v is %v, want %v", at, x["register"], got, x["after"])
		}
	}
}

// TestSeek finds the executions of a word in both directions, as the trace has them.
func TestSeek(t *testing.T) {
	var p page
	name := "picasso/p03_flow_all.shbin"
	info := get[engine.FileInfo](t, &p, "open", object{"name": name}, samples.Read(t, name)...)
	r := get[engine.RunResult](t, &p, "run", object{"file": info.File, "program": 0, "limit": 700})
	word := -1.0
	var want []int
	for i, s := range traceOf(t, &p, r.Run) {
		if i == 3 {
			word = s["pc"].(float64)
		}
		if s["pc"] == word {
			want = append(want, i)
		}
	}
	forward, back := []int{}, []int{}
	for at := -1; ; {
		if at = get[engine.SeekResult](t, &p, "seek", object{"run": r.Run, "from": at, "words": []float64{word}}).Step; at < 0 {
			break
		}
		forward = append(forward, at)
	}
	for at := r.Steps; ; {
		at = get[engine.SeekResult](t, &p, "seek",
			object{"run": r.Run, "from": at, "back": true, "words": []float64{word}}).Step
		if at < 0 {
			break
		}
		back = append([]int{at}, back...)
	}
	if word < 0 || fmt.Sprint(forward[len(forward)-len(want):], back[len(back)-len(want):]) != fmt.Sprint(want, want) {
		t.Errorf("word %v: forward %v, back %v, want %v", word, forward, back, want)
	}
}

// TestCanon holds the canonical form to the command canon.
func TestCanon(t *testing.T) {
	for f := range registry.All() {
		for _, v := range filesOf(t, f) {
			name := v.Name + f.Extensions[0]
			var p page
			info := get[engine.FileInfo](t, &p, "open", object{"name": name, "as": f.Name}, v.Data...)
			if !info.Supports.Canon {
				continue
			}
			want := command(t, name, v.Data, "canon", "--as", f.Name)
			w := get[engine.WrittenResult](t, &p, "canon", object{"file": info.File})
			_, got, err := p.call("bytes", object{"file": w.Info.File}, nil)
			if err != nil || !bytes.Equal(got, want) || w.Info.Length != len(want) {
				t.Errorf("%s: canonical form of %d bytes, want %d: %v", name, len(got), len(want), err)
			}
		}
	}
}
