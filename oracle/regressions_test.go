package oracle_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A regression is a program that has been executed wrongly before, with the
// expected result and what some engines were seen to do.
type regression struct {
	Name         string
	Stage        string
	Entry        int
	Code, Desc   []string
	InF24        [][]string          `json:"in_f24"`
	ConstF24     map[string][]string `json:"const_f24"`
	ConstDefault string              `json:"const_default"`
	Int          map[string][]uint8
	Bool         string
	OutMask      string
	Want         map[string]json.RawMessage
	Tolerance    struct {
		Kind string
		Log2 int
	}
	Source   string
	Observed map[string]string
}

func regressions(t *testing.T) (list []regression) {
	t.Helper()
	file, err := os.Open("../../shared/spec/regressions.jsonl")
	if err != nil {
		t.Skip("the regression vectors are not here: ", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r regression
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		t.Fatal("no vectors")
	}
	return list
}

func hex(t *testing.T, s string) uint32 {
	t.Helper()
	x, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(x)
}

func hexVector(t *testing.T, s []string) (v pica.Vec4) {
	for i := range v {
		v[i] = hex(t, s[i])
	}
	return v
}

// unwrittenMark is what output registers hold before a run: a NaN no program
// makes.
const unwrittenMark = 0x7F1234

func (r *regression) job(t *testing.T, p pica.Profile) pica.Job {
	t.Helper()
	job := pica.Job{Entry: r.Entry, InputForm: pica.Raw24, Profile: p, Budget: 200_000, OutMask: 0xFFFF, Bools: uint16(hex(t, r.Bool))}
	if r.Stage == "gs" {
		job.Stage = pica.Geometry
	}
	if r.OutMask != "" {
		job.OutMask = uint16(hex(t, r.OutMask))
	}
	for _, w := range r.Code {
		job.Code = append(job.Code, hex(t, w))
	}
	for _, d := range r.Desc {
		job.Descriptors = append(job.Descriptors, hex(t, d))
	}
	var in []pica.Vec4
	for _, v := range r.InF24 {
		in = append(in, hexVector(t, v))
	}
	job.Vertices = [][]pica.Vec4{in}
	if r.ConstDefault == "index" {
		job.Floats = append(job.Floats, pica.Upload{Values: numbers()})
	}
	for n, v := range r.ConstF24 {
		k, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		job.Floats = append(job.Floats, pica.Upload{Register: k, Form: pica.Raw24, Values: []pica.Vec4{hexVector(t, v)}})
	}
	for n, v := range r.Int {
		k, err := strconv.Atoi(n)
		if err != nil {
			t.Fatal(err)
		}
		copy(job.Ints[k][:], v)
	}
	initial := new(pica.State)
	for i := range initial.O {
		initial.O[i] = pica.Vec4{unwrittenMark, unwrittenMark, unwrittenMark, unwrittenMark}
	}
	job.Initial = initial
	if job.Stage == pica.Geometry {
		job.Initial = nil
	}
	return job
}

// near compares a result with an expected number.
func (r *regression) near(got, want float64) bool {
	switch {
	case math.IsNaN(want):
		return math.IsNaN(got)
	case got == want || math.IsInf(want, 0):
		return got == want
	case r.Tolerance.Kind == "rel":
		return math.Abs(got-want) <= math.Abs(want)*math.Ldexp(1, r.Tolerance.Log2)
	case r.Tolerance.Kind == "abs":
		return math.Abs(got-want) <= math.Ldexp(1, r.Tolerance.Log2)
	}
	return false
}

func number(x any) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case string:
		f, _ := strconv.ParseFloat(x, 64)
		return f
	}
	return math.NaN()
}

// accepts reports whether a component meets an expectation: a number, null for
// any, or alternatives.
func (r *regression) accepts(got float64, want any) bool {
	if want == nil {
		return true
	}
	if choice, ok := want.(map[string]any); ok {
		for _, w := range choice["any"].([]any) {
			if r.near(got, number(w)) {
				return true
			}
		}
		return false
	}
	return r.near(got, number(want))
}

// meets says what in the outcome is not as the vector wants it; "" if all is.
func (r *regression) meets(t *testing.T, out *pica.Outcome) string {
	t.Helper()
	v := &out.Vertices[0]
	vector := func(what string, got pica.Vec4, want any) string {
		if want == "unwritten" {
			if got != (pica.Vec4{unwrittenMark, unwrittenMark, unwrittenMark, unwrittenMark}) {
				return fmt.Sprintf("%s: got %x, want it unwritten", what, got)
			}
			return ""
		}
		for i, w := range want.([]any) {
			if x := value(out.Storage, got[i]); !r.accepts(x, w) {
				return fmt.Sprintf("%s.%c: got %v, want %v", what, "xyzw"[i], x, w)
			}
		}
		return ""
	}
	for key, raw := range r.Want {
		var want any
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		switch {
		case key == "cc":
			for i, w := range want.([]any) {
				if v.CC[i] != (w != 0.0) {
					return fmt.Sprintf("cc: got %v, want %v", v.CC, want)
				}
			}
		case key == "triangles":
			if len(v.Primitives) != len(want.([]any)) {
				return fmt.Sprintf("%d triangles, want %d", len(v.Primitives), len(want.([]any)))
			}
			for n, w := range want.([]any) {
				w := w.(map[string]any)
				if v.Primitives[n].Inverted != w["reversed"] {
					return fmt.Sprintf("triangle %d: inverted %v", n, v.Primitives[n].Inverted)
				}
				for k, o := range w["o0"].([]any) {
					if msg := vector(fmt.Sprintf("triangle %d, slot %d", n, k), v.Primitives[n].Vertices[k][0], o); msg != "" {
						return msg
					}
				}
			}
		default:
			n, err := strconv.Atoi(strings.TrimPrefix(key, "o"))
			if err != nil {
				t.Fatal(err)
			}
			if msg := vector(key, v.O[n], want); msg != "" {
				return msg
			}
		}
	}
	return ""
}

// TestRegressionsHW holds what consoles and documents say against profile hw.
func TestRegressionsHW(t *testing.T) {
	engine, checked := oracle.New(), 0
	for _, r := range regressions(t) {
		t.Run(r.Name, func(t *testing.T) {
			job := r.job(t, profile.HW())
			var out pica.Outcome
			if err := engine.Run(&job, &out); err != nil {
				t.Fatal(err)
			}
			if cause := out.Vertices[0].Trap.Cause; cause == pica.TrapUnsupported {
				t.Errorf("trap %v", out.Vertices[0].Trap)
			}
			if msg := r.meets(t, &out); msg != "" {
				t.Errorf("%s (%s)", msg, r.Source)
			}
			if strings.HasPrefix(r.Source, "HW") || strings.HasPrefix(r.Source, "DOC") {
				checked++
			}
		})
	}
	t.Logf("%d vectors from consoles and documents", checked)
}

// observation matches "o0=(1,2,3,4)", "o1=(0)x4", "cc=0".
var observation = regexp.MustCompile(`(o\d+|cc)=\(?([^()x ]*)\)?`)

// shows reports whether the outcome is what the text says an engine did.
func shows(text string, out *pica.Outcome) bool {
	v := &out.Vertices[0]
	tolerance := 1e-6
	if len(v.Estimated) > 0 {
		tolerance = 0x1p-11 // what a short estimate of the host may miss
	}
	if len(v.Primitives) > 0 {
		text = "p=" + text // "(2,3,2,2)": the last slot of the only triangle
		return same(out.Storage, v.Primitives[0].Vertices[2][0], strings.Trim(text, "p=()"), tolerance)
	}
	for _, m := range observation.FindAllStringSubmatch(text, -1) {
		if m[1] == "cc" {
			if v.CC != [2]bool{m[2] != "0", m[2] != "0"} {
				return false
			}
			continue
		}
		n, _ := strconv.Atoi(m[1][1:])
		if !same(out.Storage, v.O[n], m[2], tolerance) {
			return false
		}
	}
	return true
}

// same compares a register with numbers printed with seven digits; unwritten
// counts as zero.
func same(storage pica.Value, got pica.Vec4, text string, tolerance float64) bool {
	numbers := strings.Split(text, ",")
	for i, x := range got {
		want, _ := strconv.ParseFloat(numbers[min(i, len(numbers)-1)], 64)
		if x == unwrittenMark {
			x = 0
		}
		g := value(storage, x)
		if !(g == want || math.IsNaN(g) && math.IsNaN(want) || math.Abs(g-want) <= math.Abs(want)*tolerance) {
			return false
		}
	}
	return true
}

// engines maps profiles to the names of the engines that were observed, with the
// number of vectors each predicts and, with the reason, those it refuses to.
var engines = []struct {
	profile, engine string
	predicted       int
	refused         map[string]string
}{
	{"azahar-interp", "Azahar int", 103, nil},
	{"azahar-x64", "Azahar x64", 102, map[string]string{
		"alu-cmp-op-6-7": "the comparison reads beyond a table of six entries",
	}},
	{"citra-2021", "Citra int", 101, map[string]string{
		"probe-aL-above-127": "the index leaves the register tables and reads foreign memory",
		"probe-aL-past-255":  "the index leaves the register tables and reads foreign memory",
	}},
	{"panda-interp", "Panda3DS int", 98, nil},
	{"panda-x64", "Panda3DS x64", 98, nil},
}

// TestRegressionsObserved compares the named profiles with what was seen of
// the implementations they describe. What ended there in an assertion, a panic or
// a crash must end in a refusal; of the others only what the table lists may.
func TestRegressionsObserved(t *testing.T) {
	crash := regexp.MustCompile(`^(panic|SIG|assert|host memory)`)
	vectors := regressions(t)
	for _, e := range engines {
		p, _ := profile.ByName(e.profile)
		predicted, run := 0, 0
		for _, r := range vectors {
			seen := r.Observed[e.engine]
			if seen == "not run" {
				continue
			}
			run++
			job := r.job(t, p)
			var out pica.Outcome
			if err := oracle.New().Run(&job, &out); err != nil {
				t.Fatal(err)
			}
			v := &out.Vertices[0]
			wrong := ""
			switch trap := v.Trap; {
			case e.refused[r.Name] != "":
				if trap.Cause != pica.TrapUnsupported || trap.Refusal != pica.RefusalUnknown {
					t.Errorf("%s: %s: got %v, want it refused: %s", e.profile, r.Name, trap, e.refused[r.Name])
				}
				continue
			case crash.MatchString(seen):
				if trap.Cause != pica.TrapUnsupported {
					wrong = fmt.Sprintf("trap %v", trap)
				}
			case trap.Cause != pica.TrapNone:
				wrong = fmt.Sprintf("trap %v", trap)
			case seen == "pass":
				wrong = r.meets(t, &out)
			case seen != "no crash" && !shows(seen, &out):
				wrong = fmt.Sprintf("o0 %x o1 %x o2 %x cc %v", v.O[0], v.O[1], v.O[2], v.CC)
			}
			if wrong == "" {
				predicted++
				continue
			}
			t.Errorf("%s: %s: %s; seen: %s", e.profile, r.Name, wrong, seen)
		}
		t.Logf("%s: %d of %d predicted", e.profile, predicted, run)
		if predicted != e.predicted || run != e.predicted+len(e.refused) {
			t.Errorf("%s: %d of %d predicted, want %d and %d refused", e.profile, predicted, run, e.predicted, len(e.refused))
		}
	}
}
