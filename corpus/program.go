package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Program is an executable vector: a job, and its outcome in every profile. Its file looks like
// this:
//
//	format: pica
//	entries: R01 R02
//	symptom: a destination cut at the wrong bit sends results to other registers
//	provenance: agreed
//	source: IMPL, all engines agree
//	tolerance: rel 2^-11
//	hazards: no-end
//	expect: pass: f24 hw f32
//	expect: other: citra-2021 panda-interp
//	expect: unsupported (panic) at 2: mikage-interp
//
//	{
//	"job": {"code": ...},
//	"want": {"o0": [1, null, "nan", {"any": [0, 1]}], "o1": "unwritten", "cc": [0, 1]},
//	"outputs": {"citra-2021": {"o0": ["3f000000..."]}}
//	}
//
// The key of the outputs of a group of profiles is its first profile.
type Program struct {
	Name       string     // "pica/R001-decode-mad-destination"
	Entries    []string   // its entries in the list of regressions
	Symptom    string     // the behaviour of an executor that gets it wrong
	Provenance Provenance // the evidence for Want
	Source     string     // the evidence in detail
	Tolerance  string     // "rel 2^-11", "abs 2^-12"; "" requires equal numbers
	Hazards    []string   // errata of the console that the program touches
	Expect     []Expectation
	Job        json.RawMessage // the request object of the adapter protocol
	// Want is an object of outputs as numbers: o0 to o15 and cc of the first vertex, or
	// triangles. It is absent if only exact outputs are expected.
	Want json.RawMessage
}

// Provenance is the kind of evidence for an expected result.
type Provenance string

// The provenances, strongest first.
const (
	Console    Provenance = "console"    // measured on a console
	Documented Provenance = "documented" // a page says so
	Agreed     Provenance = "agreed"     // implementations agree
	Derived    Provenance = "derived"    // follows from a specification or from mathematics
	Unknown    Provenance = "unknown"    // not known; the run must end in an orderly way
	// Oracle means that only our own oracle gives the expectation: the vector locks the present
	// behaviour and is no evidence that it is right.
	Oracle Provenance = "oracle"
)

// Expectation is the outcome of the job in some profiles.
type Expectation struct {
	// Verdict is "pass" (the program ends and meets Want), "other" (it ends and is known to miss
	// Want), or the trap that ends the run: "hang at 3".
	Verdict  string
	Profiles []string
	// Outputs has the bits of the named outputs, an entry for each vertex, in the storage format
	// of the profile; nil if Want alone decides.
	Outputs map[string][]string
}

// The verdicts of a run that ends without a trap.
const (
	Pass  = "pass"
	Other = "other"
)

// For returns the expectation for a profile.
func (p *Program) For(profile string) (*Expectation, bool) {
	for i := range p.Expect {
		if slices.Contains(p.Expect[i].Profiles, profile) {
			return &p.Expect[i], true
		}
	}
	return nil, false
}

// programs is the folder of the executable vectors.
const programs = "pica"

var loadPrograms = sync.OnceValues(func() (list []Program, err error) {
	err = read(programs, func(name string, b []byte) error {
		p, known, err := ParseProgram(b)
		if known {
			p.Name = name
			list = append(list, p)
		}
		return err
	})
	return list, err
})

// Programs returns the executable vectors in the order of their names, which begin with their
// numbers. It returns an error if there are none.
func Programs() ([]Program, error) {
	list, err := loadPrograms()
	if err == nil && len(list) == 0 {
		err = errors.New("no programs")
	}
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return list, nil
}

// payload is the part of a program's file after the header.
type payload struct {
	Job     json.RawMessage                `json:"job"`
	Want    json.RawMessage                `json:"want,omitempty"`
	Outputs map[string]map[string][]string `json:"outputs,omitempty"`
}

// ParseProgram reads the file of an executable vector. known is false if the header has a key
// that this version does not know; callers should skip such a vector.
func ParseProgram(b []byte) (p Program, known bool, err error) {
	known = true
	data, err := header(b, func(key, value string) error {
		switch key {
		case "format":
			if value != "pica" {
				return fmt.Errorf("format %q is not pica", value)
			}
		case "entries":
			p.Entries = strings.Fields(value)
		case "symptom":
			p.Symptom = value
		case "provenance":
			p.Provenance = Provenance(value)
		case "source":
			p.Source = value
		case "tolerance":
			p.Tolerance = value
		case "hazards":
			p.Hazards = strings.Fields(value)
		case "expect":
			verdict, profiles, ok := strings.Cut(value, ": ")
			e := Expectation{Verdict: verdict, Profiles: strings.Fields(profiles)}
			if !ok || len(e.Profiles) == 0 {
				return fmt.Errorf("expect %q is not verdict: profiles", value)
			}
			p.Expect = append(p.Expect, e)
		default:
			known = false
		}
		return nil
	})
	if err != nil || !known {
		return p, known, err
	}
	var rest payload
	if err := json.Unmarshal(data, &rest); err != nil {
		return p, known, err
	}
	if rest.Job == nil {
		return p, known, errors.New("a program without a job")
	}
	p.Job, p.Want = rest.Job, rest.Want
	for i := range p.Expect {
		first := p.Expect[i].Profiles[0]
		p.Expect[i].Outputs = rest.Outputs[first]
		delete(rest.Outputs, first)
	}
	for profile := range rest.Outputs {
		return p, known, fmt.Errorf("outputs of %s, which begins no line of expectations", profile)
	}
	return p, known, nil
}

// AppendText appends the vector in the form that ParseProgram reads. Every
// expectation must name a profile.
func (p Program) AppendText(b []byte) ([]byte, error) {
	b = append(b, "format: pica\n"...)
	for _, line := range [][2]string{
		{"entries", strings.Join(p.Entries, " ")}, {"symptom", p.Symptom}, {"provenance", string(p.Provenance)},
		{"source", p.Source},
		{"tolerance", p.Tolerance}, {"hazards", strings.Join(p.Hazards, " ")},
	} {
		if line[1] != "" {
			b = fmt.Appendf(b, "%s: %s\n", line[0], line[1])
		}
	}
	outputs := map[string]map[string][]string{}
	for _, e := range p.Expect {
		b = fmt.Appendf(b, "expect: %s: %s\n", e.Verdict, strings.Join(e.Profiles, " "))
		if e.Outputs != nil {
			outputs[e.Profiles[0]] = e.Outputs
		}
	}
	b = fmt.Appendf(b, "\n{\n\"job\": %s", p.Job)
	if p.Want != nil {
		b = fmt.Appendf(b, ",\n\"want\": %s", p.Want)
	}
	if len(outputs) > 0 {
		text, err := json.Marshal(outputs)
		if err != nil {
			return b, err
		}
		b = fmt.Appendf(b, ",\n\"outputs\": %s", text)
	}
	return append(b, "\n}\n"...), nil
}
