package csdr

import (
	"iter"

	"github.com/picaproof/picaproof/formats/diag"
)

// part is a part of the text that the model does not have.
type part struct{ path, text string }

// Rest yields the pieces of the text that the model does not have, with their paths, in the order of the text:
// comments, unknown elements, attributes and texts, known elements after the first of a name, and a Namespace that is
// not empty. A file without a text has none.
func (f *File) Rest() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		if f.Layout == nil {
			return
		}
		r := newReader(f.Layout.Text, diag.Strict(ruleSet))
		r.noting = true
		r.walk()
		for _, p := range r.rest {
			if !yield(p.path, []byte(p.text)) {
				return
			}
		}
	}
}

// note keeps a part for Rest.
func (r *reader) note(path, text string) {
	if r.noting {
		r.rest = append(r.rest, part{path, text})
	}
}
