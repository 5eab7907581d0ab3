package diag

import "errors"

// The reasons for which a strict parse refuses a file; [ParseError] wraps one of them.
var (
	ErrMalformed   = errors.New("malformed")
	ErrUnsupported = errors.New("valid but not supported")
	ErrLimit       = errors.New("over the limit") // of a rule that bounds time or memory
)

// The reasons for which a writer refuses a model.
var (
	// ErrInvalid: the bytes would break a rule of severity Error. The error is
	// an [InvalidError] with the findings.
	ErrInvalid = errors.New("invalid model")
	// ErrLayout: the stored layout no longer fits the model, because a length
	// changed or because tables that share bytes disagree.
	ErrLayout = errors.New("stored layout does not fit the model")
)

// ParseError is the error of every Parse: the first finding of severity Error
// and the kind of refusal.
type ParseError struct {
	Format  string
	Finding Finding
	Kind    error // ErrMalformed, ErrUnsupported or ErrLimit
}

// Error returns one line: "shbin: 0x0040: DVLE007 dvle[0].entry: entry is past
// the code (expected < 19, found 19)".
func (e *ParseError) Error() string { return e.Format + ": " + e.Finding.String() }

// Unwrap returns the kind of refusal.
func (e *ParseError) Unwrap() error { return e.Kind }

// InvalidError is the error of a writer whose bytes a parse would refuse.
type InvalidError struct {
	Format   string
	Findings []Finding
	Kind     error // of the refusal: ErrMalformed, ErrUnsupported or ErrLimit
}

// Error returns the first error finding as one line.
func (e *InvalidError) Error() string {
	if f := FirstError(e.Findings); f != nil {
		return e.Format + ": " + ErrInvalid.Error() + ": " + f.String()
	}
	return e.Format + ": " + ErrInvalid.Error()
}

// Unwrap returns ErrInvalid and the kind.
func (e *InvalidError) Unwrap() []error { return []error{ErrInvalid, e.Kind} }
