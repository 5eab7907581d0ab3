package hunt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/atomicfile"
)

// Saved is a reduction that a later run can continue: its input, its condition, the best
// candidate so far, and the verdicts on all others.
type Saved struct {
	Input  []byte        `json:"input"`
	Kept   string        `json:"kept"`
	Best   []byte        `json:"best"`
	Memory reduce.Memory `json:"memory"`
}

// ErrOtherReduction means that the file has another reduction than the requested one.
var ErrOtherReduction = errors.New("the file has another reduction")

// ErrReduction means that the file has no reduction.
var ErrReduction = errors.New("not the state of a reduction")

// LoadReduction reads a reduction from a file. It starts with the input if there is no such
// file, or no name.
func LoadReduction(name, kept string, input []byte) (*Saved, error) {
	s := &Saved{Input: input, Kept: kept, Best: input}
	if name == "" {
		return s, nil
	}
	data, err := atomicfile.Read(name, maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var stored Saved
	if err := json.Unmarshal(data, &stored); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", name, ErrReduction, err)
	}
	if stored.Kept != kept || !bytes.Equal(stored.Input, input) {
		return nil, fmt.Errorf("%s: %w", name, ErrOtherReduction)
	}
	return &stored, nil
}

// Store writes the reduction, unless the name is empty.
func (s *Saved) Store(name string) error {
	if name == "" {
		return nil
	}
	return atomicfile.Write(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}
