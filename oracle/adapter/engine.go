package adapter

import (
	"context"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// AsEngine returns a core as an engine. It refuses jobs with an initial state. If the core
// does not answer a job, the error is a FateError.
func AsEngine(c Core) pica.Engine { return engine{c} }

type engine struct{ Core }

func (e engine) Run(job *pica.Job, out *pica.Outcome) error {
	if job.Initial != nil {
		return fmt.Errorf("%w: %w", pica.ErrInvalidJob, errInitial)
	}
	a := e.Ask(context.Background(), job)
	if a.Fate > Trapped || a.Fate == Trapped && len(a.Outcome.Vertices) == 0 {
		return &FateError{e.Name(), a}
	}
	*out = a.Outcome
	out.Reply = &pica.Reply{Unreported: a.Unreported, Log: a.Log}
	return nil
}

// FateError is the error of an engine whose core did not answer a job.
type FateError struct {
	Core   string
	Answer Answer
}

// Error returns "mycore: crashed: signal SIGSEGV".
func (e *FateError) Error() string { return e.Core + ": " + e.Answer.String() }

// String returns "crashed: signal SIGSEGV", or "answered". A kind that repeats the fate is left out.
func (a *Answer) String() string {
	fate, kind := a.Fate.String(), a.Kind
	if strings.HasPrefix(fate, kind) {
		kind = ""
	}
	if text := strings.TrimSpace(kind + " " + a.Message); text != "" {
		return fate + ": " + text
	}
	return fate
}

// Key names the cause of a failure as precisely as one answer allows, without texts that
// change from job to job.
func (a *Answer) Key() string {
	switch a.Fate {
	case Crashed:
		return a.String()
	case Refused:
		return strings.TrimSpace(a.Fate.String() + " " + a.Kind)
	}
	return a.Fate.String()
}
