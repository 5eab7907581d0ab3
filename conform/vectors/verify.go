package vectors

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Report is the result of a run of a file of vectors.
type Report struct {
	Vectors int       `json:"vectors"`
	Names   []string  `json:"-"`       // names of the vectors, in the order of the file
	Runs    int       `json:"runs"`    // pairs of a vector and a profile
	Skipped int       `json:"skipped"` // runs that expect a trap, or that the engine does not support
	Failed  []Failure `json:"failed"`
}

// Failure is a run that misses its expectation.
type Failure struct {
	Name    string `json:"name"`
	Profile string `json:"profile"`
	Why     string `json:"why"`
	Known   bool   `json:"known,omitempty"` // a baseline expects it
}

// Read reads vectors, one JSON object a line.
func Read(r io.Reader, each func(v *Vector) error) error {
	in := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if len(line) > 1 {
			var v Vector
			if err := json.Unmarshal(line, &v); err != nil {
				return fmt.Errorf("line %d: not a vector: %w", n, err)
			}
			if v.Name == "" || len(v.Expect) == 0 {
				return fmt.Errorf("line %d: not a vector: name and expect are missing", n)
			}
			if err := each(&v); err != nil {
				return fmt.Errorf("line %d: %s: %w", n, v.Name, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Verify runs vectors on an engine, in every profile that has an expectation, or only in the
// named profile.
func Verify(r io.Reader, engine pica.Engine, only string) (*Report, error) {
	report := &Report{Failed: []Failure{}}
	err := Read(r, func(v *Vector) error {
		report.Vectors++
		report.Names = append(report.Names, v.Name)
		for _, e := range v.Expect {
			for _, name := range e.Profiles {
				if only != "" && name != only {
					continue
				}
				report.Runs++
				why, skipped, err := verify(v, &e, name, engine)
				if err != nil {
					return err
				}
				if skipped {
					report.Skipped++
				}
				if why != "" {
					report.Failed = append(report.Failed, Failure{Name: v.Name, Profile: name, Why: why})
				}
			}
		}
		return nil
	})
	if err == nil && only != "" && report.Runs == 0 {
		err = fmt.Errorf("no vector has an expectation in profile %s", only)
	}
	return report, err
}

func verify(v *Vector, e *Expectation, name string, engine pica.Engine) (why string, skipped bool, err error) {
	p, err := profile.Parse(name)
	if err != nil {
		return "", false, err
	}
	job, err := pica.ParseJob(v.Job, func(string) (pica.Profile, error) { return p, nil })
	if err != nil {
		return "", false, err
	}
	if len(e.Vertices) == 0 {
		return "", true, nil
	}
	var out pica.Outcome
	if err := engine.Run(job, &out); errors.Is(err, pica.ErrUnsupportedProfile) {
		return "", true, nil
	} else if err != nil {
		return err.Error(), false, nil
	}
	why = missed(job, e, &out)
	if why == "" || e.Class == Exact {
		return why, false, nil
	}
	// What is computed from results within a tolerance need not be.
	var own pica.Outcome
	if err := compare.NewGrants(engine).Run(job, &own); err != nil {
		return why, false, nil //nolint:nilerr // the oracle does not know the profile: the vector decides
	}
	exact := Expectation{Class: Exact}
	for i := range own.Vertices {
		exact.Vertices = append(exact.Vertices, newResult(job, own.Storage, &own.Vertices[i]))
	}
	if missed(job, &exact, &out) == "" {
		why = ""
	}
	return why, false, nil
}

// missed returns the way in which an outcome misses an expectation, "" if it meets it.
func missed(job *pica.Job, e *Expectation, out *pica.Outcome) string {
	if len(out.Vertices) != len(e.Vertices) {
		return fmt.Sprintf("%d vertices, want %d", len(out.Vertices), len(e.Vertices))
	}
	for i, want := range e.Vertices {
		v := &out.Vertices[i]
		if v.Trap.Cause != pica.TrapNone {
			return fmt.Sprintf("vertex %d: %v", i, v.Trap)
		}
		got := newResult(job, out.Storage, v)
		if got.A != want.A || got.CC != want.CC {
			return fmt.Sprintf("vertex %d: address %v, flags %d, want %v, %d", i, got.A, got.CC, want.A, want.CC)
		}
		for _, register := range slices.Sorted(maps.Keys(want.O)) {
			text := want.O[register]
			if !near(got.O[register], text, e.Class) {
				return fmt.Sprintf("vertex %d: %s is %s, want %s", i, register, got.O[register], text)
			}
		}
		if len(got.Primitives) != len(want.Primitives) {
			return fmt.Sprintf("vertex %d: %d primitives, want %d", i, len(got.Primitives), len(want.Primitives))
		}
		for k, x := range want.Primitives {
			for slot := range x.V {
				if got.Primitives[k].W != x.W || !near(got.Primitives[k].V[slot], x.V[slot], e.Class) {
					return fmt.Sprintf("vertex %d: primitive %d slot %d is %v, want %v", i, k, slot, got.Primitives[k],
						x)
				}
			}
		}
	}
	return ""
}

// near compares registers in hex digits by a class.
func near(got, want, class string) bool {
	if len(got) != len(want) {
		return false
	}
	for k := 0; k+8 <= len(want); k += 8 {
		var g, w uint32
		if _, err := fmt.Sscanf(got[k:k+8]+" "+want[k:k+8], "%x %x", &g, &w); err != nil {
			return false
		}
		if !nearBits(g, w, class) {
			return false
		}
	}
	return true
}

// Limits of the class Estimate.
const (
	relative = 1.0 / (1 << 9)
	absolute = 6e-5
)

func nearBits(got, want uint32, class string) bool {
	g, w := float64(math.Float32frombits(got)), float64(math.Float32frombits(want))
	switch {
	case got == want, g != g && w != w:
		return true
	case g != g || w != w || class == Exact:
		return false
	case class == ULP:
		d := pica.Float32.Ordinal(got) - pica.Float32.Ordinal(want)
		return d >= -1 && d <= 1
	case math.IsInf(w, 0) || math.IsInf(g, 0):
		return false
	}
	return math.Abs(g-w) <= max(absolute, relative*math.Abs(w))
}
