package adapter

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// AppendRequest appends the request for a job without what differs from one request to the next. An
// error means that the job cannot be sent.
func AppendRequest(b []byte, job *pica.Job) ([]byte, error) {
	if job.Initial != nil {
		return b, errInitial
	}
	return appendJob(b, 0, job, true, 0), nil
}

// stored is an answer in a form that JSON does not change.
type stored struct {
	Fate    Fate          `json:"fate"`
	Kind    []byte        `json:"kind,omitempty"`
	Message []byte        `json:"msg,omitempty"`
	Log     []string      `json:"log,omitempty"`
	Remarks []string      `json:"remarks,omitempty"`
	Stderr  []byte        `json:"stderr,omitempty"`
	Out     []VertexReply `json:"out,omitempty"`
}

// Encode returns an answer as JSON that DecodeStored reads, without its Time and its Damage.
func (a *Answer) Encode() ([]byte, error) {
	s := stored{a.Fate, []byte(a.Kind), []byte(a.Message), a.Log, a.Remarks, []byte(a.Stderr), nil}
	var b []byte
	for i := range a.Outcome.Vertices {
		v, stage := &a.Outcome.Vertices[i], pica.Vertex
		if v.Primitives != nil {
			stage = pica.Geometry
		}
		b = appendVertex(b[:0], a.Outcome.Storage, stage, v, a.Unreported)
		var r VertexReply
		if err := json.Unmarshal(b, &r); err != nil {
			return nil, err
		}
		s.Out = append(s.Out, r)
	}
	return json.Marshal(&s)
}

// errStored: no core gives such an answer.
var errStored = errors.New("not the answer of a core")

// DecodeStored reads the answer to a job. An error means that it is no answer to this job.
func DecodeStored(text []byte, job *pica.Job) (Answer, error) {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", errStored, err)
	}
	a := Answer{Fate: s.Fate, Kind: string(s.Kind), Message: string(s.Message), Log: s.Log, Remarks: s.Remarks,
		Stderr: string(s.Stderr)}
	if a.Fate >= NumFates {
		return Answer{}, fmt.Errorf("%w: fate %d", errStored, a.Fate)
	}
	if err := a.setOutcome(s.Out, len(job.Vertices), job.Stage); err != nil {
		return Answer{}, fmt.Errorf("%w: %w", errStored, err)
	}
	return a, nil
}
