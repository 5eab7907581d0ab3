// Package pagelink serves this module: it packs a job, or a file with what the page shows of it, into the fragment of
// an address.
package pagelink

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
)

// State is what the page shows of a file.
type State struct {
	Name string `json:"name"`
	As   string `json:"as,omitempty"` // the format; the page finds it out if it is empty
	View string `json:"view"`         // "look", "code", "step" or "compare"
	Step *Step  `json:"step,omitempty"`
}

// Step is what a run is given. The texts of values are those of the flags of run.
type Step struct {
	Program  int               `json:"program"`
	Step     int               `json:"step"`
	Profile  string            `json:"profile"`
	Versus   string            `json:"versus,omitempty"`
	Ancestry string            `json:"ancestry,omitempty"`
	Inputs   map[string]string `json:"inputs"`
	Uniforms map[string]string `json:"uniforms"`
}

// File returns the fragment "#s=..." of a file and what the page shows of it.
func File(state State, file []byte) (string, error) {
	head, err := json.Marshal(state)
	if err != nil {
		return "", err
	}
	return packed("#s=", append(append(binary.BigEndian.AppendUint32(nil, uint32(len(head))), head...), file...))
}

// Job returns the fragment "#j=..." of a job.
func Job(job []byte) (string, error) { return packed("#j=", job) }

func packed(kind string, data []byte) (string, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return kind + base64.RawURLEncoding.EncodeToString(b.Bytes()), nil
}
