package vectors

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Vector is an executable vector as data.
type Vector struct {
	Name       string          `json:"name"`
	Kind       string          `json:"kind"` // regression, found, grid
	Entries    []string        `json:"entries,omitempty"`
	Symptom    string          `json:"symptom"`
	Provenance string          `json:"provenance"` // the source of want
	Source     string          `json:"source"`
	Tolerance  string          `json:"tolerance,omitempty"` // of want: "rel 2^-11"
	Hazards    []string        `json:"hazards,omitempty"`
	License    string          `json:"license"`
	Job        json.RawMessage `json:"job"`            // request object of the adapter protocol
	Want       json.RawMessage `json:"want,omitempty"` // outputs of the first vertex as numbers
	Expect     []Expectation   `json:"expect"`
}

// Expectation is the outcome of a vector under some profiles.
type Expectation struct {
	Profiles []string `json:"profiles"`
	// Verdict is "pass" if the run ends and meets want, "other" if it ends and is known to miss
	// want, else the trap that ends the run.
	Verdict string `json:"verdict"`
	// Class is the way to compare Vertices: "exact", with all NaNs equal; "ulp", within one
	// float32 unit in the last place; "estimate", within 2^-9 of the value or 6e-5.
	Class    string   `json:"class"`
	Vertices []Result `json:"vertices,omitempty"` // the oracle's answer; absent after a trap
}

// Result is the state after a vertex, as float32 patterns.
type Result struct {
	O          map[string]string `json:"o"` // the output registers that the program writes
	A          [3]int32          `json:"a"` // a0.x, a0.y, aL
	CC         int               `json:"cc"`
	Primitives []Primitive       `json:"prims,omitempty"`
}

// Primitive is an emitted primitive: the stored outputs of each slot.
type Primitive struct {
	W int       `json:"w"`
	V [3]string `json:"v"`
}

// The classes of comparison.
const (
	Exact    = "exact"
	ULP      = "ulp"
	Estimate = "estimate"
)

// license is the licence of the vectors. The program has another.
const license = "CC0-1.0"

// kinds maps the first letter of a vector's name to its kind.
var kinds = map[byte]string{'R': "regression", 'B': "found", 'C': "grid"}

// All returns the executable vectors of the corpus in the order of their names.
func All() ([]Vector, error) {
	cases, err := expect.Cases()
	if err != nil {
		return nil, err
	}
	list := make([]Vector, len(cases))
	for i, c := range cases {
		if list[i], err = newVector(c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return list, nil
}

func newVector(c *expect.Case) (Vector, error) {
	name := strings.TrimPrefix(c.Name, "pica/")
	v := Vector{Name: name, Kind: kinds[name[0]], Entries: c.Entries, Symptom: c.Symptom,
		Provenance: string(c.Provenance),
		Source:     c.Source, Tolerance: c.Tolerance, Hazards: c.Hazards, License: license, Want: c.Want}
	job := sent(c, pica.Profile{})
	var err error
	if v.Job, err = job.MarshalJSON(); err != nil {
		return v, err
	}
	for _, name := range profile.Names() {
		e, err := expectation(c, name)
		if err != nil {
			return v, err
		}
		same := func(known Expectation) bool { return equal(&known, &e) }
		if k := slices.IndexFunc(v.Expect, same); k >= 0 {
			v.Expect[k].Profiles = append(v.Expect[k].Profiles, name)
		} else {
			v.Expect = append(v.Expect, e)
		}
	}
	return v, nil
}

// sent returns the job of a vector as it is sent to a core in another process, with zero in all
// registers at the start.
func sent(c *expect.Case, p pica.Profile) *pica.Job {
	job := c.Job(p)
	job.Initial = nil
	return adapter.AsSent(&job)
}

func expectation(c *expect.Case, name string) (Expectation, error) {
	p, err := profile.Parse(name)
	if err != nil {
		return Expectation{}, err
	}
	known, ok := c.For(name)
	if !ok {
		return Expectation{}, fmt.Errorf("no expectation for profile %s", name)
	}
	job := sent(c, p)
	e := Expectation{Profiles: []string{name}, Verdict: known.Verdict, Class: classOf(job)}
	var out pica.Outcome
	if err := impl.New().Run(job, &out); err != nil {
		return e, err
	}
	for i := range out.Vertices {
		if t := out.Vertices[i].Trap; t.Cause != pica.TrapNone {
			if known.Verdict == "pass" || known.Verdict == "other" {
				return e, fmt.Errorf("%s: %v, and the corpus says %s", name, t, known.Verdict)
			}
			e.Vertices = nil
			return e, nil
		}
		e.Vertices = append(e.Vertices, newResult(job, out.Storage, &out.Vertices[i]))
	}
	return e, nil
}

// equal compares expectations without their profiles.
func equal(a, b *Expectation) bool {
	x, y := *a, *b
	x.Profiles, y.Profiles = nil, nil
	return reflect.DeepEqual(x, y)
}

// classOf returns the class of comparison for a job in its profile.
func classOf(job *pica.Job) string {
	class := Exact
	for _, w := range job.Code {
		switch t := job.Profile.Tolerance(pica.OpcodeOf(w)); {
		case t.OneUnit():
			class = ULP
		case t != pica.Tolerance{}:
			return Estimate
		}
	}
	return class
}

func newResult(job *pica.Job, storage pica.NumberFormat, v *pica.VertexOutcome) Result {
	r := Result{O: map[string]string{}, A: [3]int32{v.Address[0], v.Address[1], v.AL}}
	for k, flag := range v.CC {
		if flag {
			r.CC |= 1 << k
		}
	}
	for k := range v.O {
		if writes(job, k) {
			r.O[fmt.Sprintf("o%d", k)] = vectorHex(storage, v.O[k])
		}
	}
	for _, p := range v.Primitives {
		x := Primitive{}
		if p.Inverted {
			x.W = 1
		}
		for slot := range p.Vertices {
			for k := range stored(job) {
				x.V[slot] += vectorHex(storage, p.Vertices[slot][k])
			}
		}
		r.Primitives = append(r.Primitives, x)
	}
	return r
}

// stored returns the number of registers that an EMIT stores.
func stored(job *pica.Job) (n int) {
	for k := range pica.NumOutputs {
		n += int(job.OutMask >> k & 1)
	}
	return n
}

// writes reports whether a word of the program has an output as its destination.
func writes(job *pica.Job, output int) bool {
	return slices.ContainsFunc(job.Code, func(w uint32) bool {
		op := pica.OpcodeOf(w)
		return pica.Opcodes[op].Writes&pica.WritesDest != 0 && int(op.Layout().Dest.Get(w)) == output
	})
}

func vectorHex(storage pica.NumberFormat, v pica.Vec4) (s string) {
	for _, c := range v {
		s += pica.Float32.Hex(storage.Widen(c))
	}
	return s
}

// WriteLines writes vectors, one JSON object a line.
func WriteLines(w io.Writer, list []Vector) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range list {
		if err := e.Encode(&list[i]); err != nil {
			return err
		}
	}
	return nil
}
