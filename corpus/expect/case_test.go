package expect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

func cases(t *testing.T) []*expect.Case {
	t.Helper()
	list, err := expect.Cases()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestVM compares the VM with the oracle's predictions from the build of the corpus.
func TestVM(t *testing.T) {
	engine := vm.New()
	for _, c := range cases(t) {
		for _, p := range []pica.Profile{profile.F24(), profile.HW(), profile.F32()} {
			job := c.Job(p)
			var out pica.Outcome
			err := engine.Run(&job, &out)
			if err == nil {
				err = c.Judge(p.Name, &out)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// outcome runs the job of a vector on the oracle.
func outcome(t *testing.T, c *expect.Case, name string) *pica.Outcome {
	t.Helper()
	p, ok := profile.ByName(name)
	if !ok {
		t.Fatalf("no profile %s", name)
	}
	job, out := c.Job(p), new(pica.Outcome)
	if err := impl.New().Run(&job, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// one is a vector that the profiles f24 and f32 pass, that citra-2021 is known to miss, and that
// mikage-interp refuses.
const one = `format: pica
entries: R99
symptom: one is not one
provenance: derived
source: arithmetic
tolerance: rel 2^-10
expect: pass: f24 f32
expect: other: citra-2021
expect: hang at 0: mikage-interp

{"job": {"code": "4c00000088000000", "desc": "0d86c36f", "in_f24": ["3f00003f0000400000bf0000"]},
"want": WANT,
"outputs": {"f24": {"o0": ["3f00003f0000400000bf0000"]}}}
`

func vector(t *testing.T, want string) *expect.Case {
	t.Helper()
	p, known, err := corpus.ParseProgram([]byte(strings.Replace(one, "WANT", want, 1)))
	if err != nil || !known {
		t.Fatal(known, err)
	}
	c, err := expect.New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWants(t *testing.T) {
	for _, w := range []struct {
		want, verdict string
	}{
		{`{}`, "pass"},
		{`{"o0": [1, 1, 2, -1]}`, "pass"},
		{`{"o0": [1.0009, 1, 2, -1]}`, "pass"},
		{`{"o0": [1.001, 1, 2, -1]}`, "other"},
		{`{"o0": [null, {"any": ["nan", 1]}, 2, -1]}`, "pass"},
		{`{"o0": [null, {"any": ["nan", 3]}, 2, -1]}`, "other"},
		{`{"o0": ["inf", null, null, null]}`, "other"},
		{`{"o0": ["nan", null, null, null]}`, "other"},
		{`{"o1": "unwritten", "o0": [1, 1, 2, -1]}`, "pass"},
		{`{"o0": "unwritten"}`, "other"},
		{`{"o1": [0, 0, 0, 0]}`, "pass"},
		{`{"cc": [0, 0]}`, "pass"},
		{`{"cc": [0, 1]}`, "other"},
		{`{"triangles": []}`, "pass"},
		{`{"triangles": [{"reversed": false, "o0": [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]}]}`, "other"},
	} {
		c := vector(t, w.want)
		if got, why := c.Verdict(outcome(t, c, "f24")); got != w.verdict || (why == "") != (got == "pass") {
			t.Errorf("%s: got %s%s, want %s", w.want, got, why, w.verdict)
		}
	}
}

func TestJudge(t *testing.T) {
	met, missed := vector(t, `{"o0": [1, 1, 2, -1]}`), vector(t, `{"o0": [1, 1, 2, 1]}`)
	for _, v := range []struct {
		name    string
		c       *expect.Case
		profile string
		problem string // part of the message; "" for the expected outcome
	}{
		{"met", met, "f24", ""},
		{"missed", missed, "f24", "got other, want pass: o0.w is -1, want [1]"},
		{"known to be missed", missed, "citra-2021", ""},
		{"met against expectation", met, "citra-2021", "got pass, want other"},
		{"no trap", met, "mikage-interp", "got pass, want hang at 0"},
		{"nothing expected", met, "hw", "no expectation"},
	} {
		err := v.c.Judge(v.profile, outcome(t, v.c, v.profile))
		if (err == nil) != (v.problem == "") || err != nil && !strings.Contains(err.Error(), v.problem) {
			t.Errorf("%s: got %v, want %q", v.name, err, v.problem)
		}
	}
}

// TestJudgeSeesEveryBit flips bits within the tolerance.
func TestJudgeSeesEveryBit(t *testing.T) {
	c := vector(t, `{"o0": [1, 1, 2, -1]}`)
	for k := range 4 {
		out := outcome(t, c, "f24")
		out.Vertices[0].O[0][k] ^= 1
		if err := c.Judge("f24", out); err == nil {
			t.Errorf("component %d: one bit more is accepted", k)
		}
	}
}

// TestEveryVectorCanFail spoils the named outputs of each vector of the corpus and demands an
// error.
func TestEveryVectorCanFail(t *testing.T) {
	for _, c := range cases(t) {
		if string(c.Want) == "{}" {
			continue // it only demands an orderly end
		}
		e := c.Expect[slices.IndexFunc(c.Expect,
			func(e corpus.Expectation) bool { return !strings.HasPrefix(e.Verdict, "unsupported") })]
		out := outcome(t, c, e.Profiles[0])
		for i := range out.Vertices {
			v := &out.Vertices[i]
			v.O = [pica.NumOutputs]pica.Vec4{}
			v.CC = [2]bool{!v.CC[0], !v.CC[1]}
			v.Address[0]++
			v.Primitives = append(v.Primitives, pica.Primitive{})
			for k := range v.O {
				v.O[k] = pica.Vec4{0x123456, 0x123456, 0x123456, 0x123456}
			}
		}
		if err := c.Judge(e.Profiles[0], out); err == nil {
			t.Errorf("%s: spoiled outputs are accepted", c.Name)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, p := range []corpus.Program{
		{Job: []byte(`{"code": "x"}`)},
		{Job: []byte(`{}`), Want: []byte(`{"o16": [0, 0, 0, 0]}`)},
		{Job: []byte(`{}`), Want: []byte(`{"o01": [0, 0, 0, 0]}`)},
		{Job: []byte(`{}`), Want: []byte(`{"o0": ["one", 0, 0, 0]}`)},
		{Job: []byte(`{}`), Tolerance: "abs 2"},
		{Job: []byte(`{}`), Tolerance: "some 2^-1"},
	} {
		if _, err := expect.New(p); err == nil {
			t.Errorf("%+v was read", p)
		}
	}
}
