package vectors_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/vectors"
	"github.com/picaproof/picaproof/internal/golden"
	"github.com/picaproof/picaproof/pica"
)

// TestExports: the lines and the C header of three vectors are recorded, and the names of all.
func TestExports(t *testing.T) {
	list := all(t)
	var names, lines, header strings.Builder
	for _, v := range list {
		fmt.Fprintln(&names, v.Name)
	}
	three := []vectors.Vector{list[0], list[len(list)/2], list[len(list)-1]}
	if err := errors.Join(vectors.WriteLines(&lines, three), vectors.WriteHeader(&header, three)); err != nil {
		t.Fatal(err)
	}
	golden.Text(t, "names.txt", names.String())
	golden.Text(t, "three.jsonl", lines.String())
	golden.Text(t, "three.h", header.String())
}

// fixed is an engine that gives one outcome, or an error.
type fixed struct {
	out pica.Outcome
	err error
}

func (x *fixed) Name() string { return "fixed" }

func (x *fixed) Run(_ *pica.Job, out *pica.Outcome) error {
	*out = x.out
	return x.err
}

// TestVerify: what Verify says about every way to miss an expectation.
func TestVerify(t *testing.T) {
	const one, inf, largest, nan = 0x3F800000, 0x7F800000, 0x7F7FFFFF, 0x7FC00000
	vector := func(class string, x uint32) string {
		register := fmt.Sprintf("%08x", x) + strings.Repeat("0", 24)
		return `{"name":"R1","job":{"code":"4c00000088000000","desc":"0d86c36f","in":[""]},"expect":[{"profiles":["f32"],` +
			`"class":"` + class + `","vertices":[{"o":{"o0":"` + register + `"},"a":[0,0,0],"cc":0}]}]}`
	}
	answer := func(x uint32) *fixed {
		v := pica.VertexOutcome{}
		v.O[0][0] = x
		return &fixed{out: pica.Outcome{Storage: pica.Float32, Vertices: []pica.VertexOutcome{v}}}
	}
	trapped, twice := answer(one), answer(one)
	trapped.out.Vertices[0].Trap.Cause = pica.TrapHang
	twice.out.Vertices = append(twice.out.Vertices, twice.out.Vertices[0])
	value := func(got, want string) string {
		zeros := strings.Repeat("0", 24)
		return "vertex 0: o0 is " + got + zeros + ", want " + want + zeros
	}
	for _, c := range []struct {
		line    string
		engine  *fixed
		why     string
		skipped int
	}{
		{vector(vectors.Exact, one), answer(one), "", 0},
		{vector(vectors.Exact, one), answer(one + 1), value("3f800001", "3f800000"), 0},
		{vector(vectors.Exact, nan), answer(nan + 1), "", 0},
		{vector(vectors.ULP, one), answer(one + 1), "", 0},
		{vector(vectors.ULP, one), answer(one - 1), "", 0},
		{vector(vectors.ULP, one), answer(one + 2), value("3f800002", "3f800000"), 0},
		{vector(vectors.ULP, one), answer(one - 2), value("3f7ffffe", "3f800000"), 0},
		{vector(vectors.ULP, nan), answer(inf), value("7f800000", "7fc00000"), 0},
		{vector(vectors.Estimate, one), answer(one + 1<<14), "", 0},
		{vector(vectors.Estimate, one), answer(one + 1<<14 + 1), value("3f804001", "3f800000"), 0},
		{vector(vectors.Estimate, 0), answer(math.Float32bits(6e-5)), "", 0},
		{vector(vectors.Estimate, inf), answer(largest), value("7f7fffff", "7f800000"), 0},
		{vector(vectors.Exact, one), trapped, fmt.Sprintf("vertex 0: %v", trapped.out.Vertices[0].Trap), 0},
		{vector(vectors.Exact, one), twice, "2 vertices, want 1", 0},
		{vector(vectors.Exact, one), &fixed{err: errors.New("broken")}, "broken", 0},
		{vector(vectors.Exact, one), &fixed{err: pica.ErrUnsupportedProfile}, "", 1},
	} {
		r, err := vectors.Verify(strings.NewReader(c.line), c.engine, "")
		if err != nil {
			t.Fatal(err)
		}
		why := ""
		for _, f := range r.Failed {
			why += f.Why
		}
		if why != c.why || r.Skipped != c.skipped || r.Runs != 1 || r.Vectors != 1 {
			t.Errorf("%s\ngot %+v\nwant %q, %d skipped", c.line, r, c.why, c.skipped)
		}
	}
	if _, err := vectors.Verify(strings.NewReader(vector(vectors.Exact, one)), answer(one), "hw"); err == nil ||
		err.Error() != "no vector has an expectation in profile hw" {
		t.Errorf("another profile: got %v", err)
	}
	r, err := vectors.Verify(strings.NewReader(""), answer(one), "")
	if text, _ := json.Marshal(r); err != nil || !bytes.Contains(text, []byte(`"failed":[]`)) {
		t.Errorf("no vectors: got %s, %v", text, err)
	}
}

// TestBadVectors: lines that are no vectors, and vectors that no header can hold.
func TestBadVectors(t *testing.T) {
	for text, want := range map[string]string{
		"\n{}":                            "line 2: not a vector: name and expect are missing",
		`{"name":"R1"}`:                   "line 1: not a vector: name and expect are missing",
		`{"expect":[{"profiles":["x"]}]}`: "line 1: not a vector: name and expect are missing",
	} {
		err := vectors.Read(strings.NewReader(text), func(*vectors.Vector) error { return nil })
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	vector := func(result string) (list []vectors.Vector) {
		list = make([]vectors.Vector, 1)
		if err := json.Unmarshal([]byte(`{"name":"R1","job":{"code":"8800000088000000","in":[""],"i":["01020304","05060708",`+
			`"090a0b0c","0d0e0f10"]},"expect":[{"profiles":["f32"],"vertices":[`+result+`]}]}`), &list[0]); err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, result := range []string{`{"o":{"o0":"0000000x"}}`, `{"prims":[{"w":0,"v":["0000000x","",""]}]}`} {
		if err := vectors.WriteHeader(io.Discard, vector(result)); err == nil || !strings.HasPrefix(err.Error(), "R1: ") {
			t.Errorf("%s: got %v", result, err)
		}
	}
	var header bytes.Buffer
	if err := vectors.WriteHeader(&header, vector(`{"cc":1}`)); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"{0x01020304u, 0x05060708u, 0x090a0b0cu, 0x0d0e0f10u}",
		"    0x88000000u, 0x88000000u, 0x0u, 0x0u, 0x0u, 0x0u, 0x0u, 0x1u,\n    0x0u,\n};"} {
		if !strings.Contains(header.String(), part) {
			t.Errorf("want %s in\n%s", part, &header)
		}
	}
	if err := vectors.WriteLines(full{}, vector("{}")); !errors.Is(err, errFull) {
		t.Errorf("a full disk: got %v", err)
	}
}

var errFull = errors.New("full")

// full is a writer that fails.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
