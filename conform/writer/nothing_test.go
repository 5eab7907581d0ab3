package writer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
)

// TestAcceptsNothing: a tool that refuses every right input gets no report, and is asked for few of them.
func TestAcceptsNothing(t *testing.T) {
	const most = 200
	for _, d := range source.Dialects {
		asked := 0
		r, err := writer.Run(t.Context(), writer.Func(func(*source.Text) ([]byte, error) {
			asked++
			return nil, errors.New("not \x1b[2J today")
		}), writer.Options{Dialect: d, Seed: 1, Cases: 2000, Jobs: 1})
		if r != nil || !errors.Is(err, writer.ErrAcceptsNothing) || asked > most {
			t.Errorf("%s: %v after %d inputs", d.Name, err, asked)
			continue
		}
		if text := err.Error(); !strings.Contains(text, `with "not \x1b[2J today": function`) {
			t.Errorf("%s: got %q", d.Name, text)
		}
	}
	r, err := writer.RunConverter(t.Context(), writer.ConvertFunc(func([]byte) ([]byte, error) {
		return nil, errors.New("no")
	}), "shbin", writer.Options{Seed: 1, Cases: 2000})
	if r != nil || !errors.Is(err, writer.ErrAcceptsNothing) {
		t.Errorf("converter: %v", err)
	}
}
