package engine

import "encoding/json"

// ExamplesResult lists examples.
type ExamplesResult struct {
	Examples []Example `json:"examples"`
}

// Example is a file with three sentences, and what to look at first.
type Example struct {
	Name  string    `json:"name"` // for the method sample
	Title string    `json:"title"`
	Text  [3]string `json:"text"`
	// Inputs, Uniforms and Profile are those of the run that the sentences describe; Versus is a second profile.
	Inputs   []Assignment `json:"inputs"`
	Uniforms []Assignment `json:"uniforms"`
	Profile  string       `json:"profile,omitempty"`
	Versus   string       `json:"versus,omitempty"`
	Offset   *int         `json:"offset,omitempty"` // the byte to look at
}

// LinkResult has a job: a program with its inputs and profile.
type LinkResult struct {
	Job json.RawMessage `json:"job"`
}

// DemoParams choose a part of the demo.
type DemoParams struct {
	// Part is the name of a format, "vectors oracle" or "vectors vm"; empty lists the parts.
	Part string `json:"part,omitempty"`
}

// DemoResult has the totals of a part.
type DemoResult struct {
	Parts []string        `json:"parts,omitempty"`
	Total json.RawMessage `json:"total,omitempty"` // as demo --format json prints it
	Wrong int             `json:"wrong"`
}
