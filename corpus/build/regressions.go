package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/pica"
)

// regressionSources holds programs that others, or earlier versions of this project, executed
// wrongly, an object a line. The text of a program is for the reader; its words decide.
//
//go:embed regressions.jsonl found.jsonl
var regressionSources embed.FS

// regressionSeries are the files with the letter before the numbers in each.
var regressionSeries = []struct{ letter, file string }{{"R", "regressions.jsonl"}, {"B", "found.jsonl"}}

type regression struct {
	Number     int               `json:"number"` // never changes
	Name       string            `json:"name"`
	Entries    []string          `json:"entries"`
	Symptom    string            `json:"symptom"`
	Provenance corpus.Provenance `json:"provenance"`
	Source     string            `json:"source"`
	Tolerance  string            `json:"tolerance"`
	Hazards    []string          `json:"hazards"`
	Program    []string          `json:"program"`
	Numbered   bool              `json:"numbered"` // a float uniform that the job does not set has its number as value
	Job        pica.JobJSON      `json:"job"`
	Want       json.RawMessage   `json:"want"`
	File       []string          `json:"file"` // outputs whose bits are expected in every profile
	// Observed is the observed behaviour of implementations, by profile: "pass", "no crash",
	// numbers in registers ("o0=(1,2,3,4) o1=(0)x4 cc=0 slot2=(1)x4"), the kind of end, or
	// "unpredictable" if it depends on foreign memory.
	Observed map[string]string `json:"observed"`
}

// regressionBudget ends a program that does not end by itself.
const regressionBudget = 200_000

func regressions() (list []program, err error) {
	for _, series := range regressionSeries {
		source, err := regressionSources.Open(series.file)
		if err != nil {
			return nil, err
		}
		lines := json.NewDecoder(source)
		lines.DisallowUnknownFields()
		for n := 1; lines.More(); n++ {
			var r regression
			if err := lines.Decode(&r); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", series.file, n, err)
			}
			p, err := r.program(fmt.Sprintf("pica/%s%03d-%s", series.letter, r.Number, r.Name))
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", series.file, n, err)
			}
			list = append(list, p)
		}
	}
	return list, nil
}

func (r *regression) program(name string) (program, error) {
	r.Job.Budget = regressionBudget
	job, err := r.Job.Job(func(string) (pica.Profile, error) { return pica.Profile{}, nil })
	if err != nil {
		return program{}, err
	}
	if r.Numbered {
		job.Floats = append([]pica.Upload{numbers()}, job.Floats...)
	}
	words, err := json.Marshal(job)
	return program{file: r.File, observed: r.Observed, Program: corpus.Program{
		Name: name, Entries: r.Entries, Symptom: r.Symptom, Provenance: r.Provenance, Source: r.Source,
		Tolerance: r.Tolerance, Hazards: r.Hazards, Job: words, Want: r.Want,
	}}, err
}

// numbers sets every float uniform to its number.
func numbers() pica.Upload {
	u := pica.Upload{Format: pica.Float32}
	for n := range pica.NumFloats {
		x := pica.Float32.Integer(int64(n))
		u.Values = append(u.Values, pica.Vec4{x, x, x, x})
	}
	return u
}

// crash matches observed crashes of implementations.
var crash = regexp.MustCompile(`^(panic|SIG|assert|host memory)`)

// confirm returns an error unless the outcome is the observed one. An observed crash must be a
// refusal, and a refusal must be an observed crash.
func confirm(c *expect.Case, seen string, out *pica.Outcome) error {
	trap := out.Vertices[0].Trap
	verdict, why := c.Verdict(out)
	ok := trap.Cause == pica.TrapNone
	switch {
	case seen == "unpredictable":
		ok = trap.Cause == pica.TrapUnsupported && trap.Refusal == pica.RefusalUnknown
	case crash.MatchString(seen):
		ok = trap.Cause == pica.TrapUnsupported
	case seen == corpus.Pass:
		ok = verdict == corpus.Pass
	case seen != "no crash":
		ok = ok && shows(seen, out)
	}
	if !ok {
		return fmt.Errorf("%s%s; seen: %s", verdict, why, seen)
	}
	return nil
}

// observation matches a register and its numbers: "o0=(1,2,3,4)", "o1=(0)x4", "cc=0".
var observation = regexp.MustCompile(`(\w+)=\(?([^()x ]*)\)?`)

// shows reports whether the outcome has the register values in a text.
func shows(text string, out *pica.Outcome) bool {
	v := &out.Vertices[0]
	tolerance := 1e-6 // seven digits were printed
	if len(v.Estimated) > 0 {
		tolerance = 0x1p-11 // the error of a short estimate on the host
	}
	for _, m := range observation.FindAllStringSubmatch(text, -1) {
		var got pica.Vec4
		switch name := m[1]; name {
		case "cc":
			if v.CC != [2]bool{m[2] != "0", m[2] != "0"} {
				return false
			}
			continue
		case "slot2":
			got = v.Primitives[0].Vertices[2][0]
		default:
			n, err := strconv.Atoi(strings.TrimPrefix(name, "o"))
			if err != nil {
				return false
			}
			got = v.O[n]
		}
		if !same(out.Storage, got, strings.Split(m[2], ","), tolerance) {
			return false
		}
	}
	return true
}

// same compares a register with printed numbers. A single number stands for all components; an
// unwritten component counts as zero.
func same(storage pica.NumberFormat, got pica.Vec4, numbers []string, tolerance float64) bool {
	for i, bits := range got {
		want, err := strconv.ParseFloat(numbers[min(i, len(numbers)-1)], 64)
		if bits == expect.Unwritten {
			bits = 0
		}
		x := expect.Number(storage, bits)
		equal := x == want || math.IsNaN(x) && math.IsNaN(want) || math.Abs(x-want) <= math.Abs(want)*tolerance
		if err != nil || !equal {
			return false
		}
	}
	return true
}
