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
	// Layout lists differences in form, such as the style of a GSH's pointer
	// lists. They do not count as differences.
	Layout []Difference `json:"layout,omitempty"`
	// As is the format in which models of two formats were compared. NotCompared
	// lists the fields that it lacks, with paths in the other format.
	// Names has the names of the elements in which differences are, by path: uniforms and attributes, say.
	Names       map[string]string `json:"names,omitempty"`
	As          string            `json:"as,omitempty"`
	NotCompared convert.Report    `json:"not_compared,omitempty"`
}

// Same reports whether there is no difference.
func (r *Result) Same() bool { return len(r.Differences) == 0 }

// Models compares two models; a model is the *File of a format. Models of different
// formats must hold PICA200 programs. If o chooses a shader, no other content of an
// archive is compared. Models returns the error of the conversion, or of the choice.
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
	r.Differences, r.More, r.Layout, r.Names = w.found, w.more, w.form, w.names
	return r, nil
}

// Fields compares two models of one format field by field, even where a difference has no
// effect: operand descriptors by number, bits that nothing reads. Layout does not count.
func Fields(a, b convert.Model) []Difference {
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	if va.Type() != vb.Type() {
		return nil
	}
	w := walker{skip: func(string) bool { return false }}
	w.values("", va, vb)
	return w.found
}
