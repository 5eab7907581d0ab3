package diff

import (
	"fmt"
	"reflect"

	"github.com/picaproof/picaproof/formats/convert"
)

// Result is the outcome of a comparison.
type Result struct {
	Differences []Difference `json:"differences"`
	// More counts further differences that were not kept.
	More int `json:"more,omitempty"`
	// Layout is what differs in form only, as the style in which a GSH lists its
	// pointers: it makes no difference.
	Layout []Difference `json:"layout,omitempty"`
	// As is the format that models of two formats were compared in, and
	// NotCompared what it has no place for, with paths in the other format.
	As          string         `json:"as,omitempty"`
	NotCompared convert.Report `json:"not_compared,omitempty"`
}

// Same reports whether there is no difference.
func (r *Result) Same() bool { return len(r.Differences) == 0 }

// Models compares two models, a model being the *File of a format. Those of two
// formats have to hold PICA200 programs. o chooses among what either holds: of an
// archive then nothing but that shader is compared. The error is that of the
// conversion, or of the choice.
func Models(a, b convert.Model, o convert.Options) (r Result, err error) {
	if o.Shader != "" && !convert.IsArchive(a) && !convert.IsArchive(b) {
		return r, fmt.Errorf("%w of two archives, these are none", convert.ErrChoice)
	}
	for _, model := range []*convert.Model{&a, &b} {
		if *model, err = convert.Select(*model, o); err != nil {
			return r, err
		}
	}
	from, into, target, ok := convert.Common(a, b)
	if ok {
		if !convert.IsArchive(from) {
			o.Shader = ""
		}
		converted, report, err := target.Convert(from, o)
		if err != nil {
			return r, err
		}
		if from == a {
			a, b = converted, into
		} else {
			a, b = into, converted
		}
		r.As, r.NotCompared = target.Name, report
	}
	w := walker{skip: r.NotCompared.Inventions(), found: []Difference{}}
	va, vb := reflect.ValueOf(view(a)), reflect.ValueOf(view(b))
	if va.Type() != vb.Type() {
		return r, convert.ErrSource
	}
	w.values("", va, vb)
	r.Differences, r.More, r.Layout = w.found, w.more, w.form
	return r, nil
}
