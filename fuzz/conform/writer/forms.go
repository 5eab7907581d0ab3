package writer

import (
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/fuzz/conform/source"
	"github.com/picaproof/picaproof/fuzz/report"
)

// An assembler that is older than a form of its dialect refuses every source that has the
// form. So that the rest of the programs says something about it, such a form is drawn
// seldom once it is known.
const (
	roundSize  = 50  // programs after which forms are judged again
	suspicious = 4   // refused sources with a form, and no accepted one, from which on it is blamed
	seldom     = 64  // of so many programs one may have such a form
	redraws    = 16  // programs that are drawn for one without it
	remembered = 400 // accepted sources that are kept
)

// refusedForms are the forms of a dialect that the tool may not know.
type refusedForms struct {
	dialect  *source.Dialect
	accepted []*source.Text
	known    map[string]bool // forms that an accepted source has
	refused  map[string]int  // sources that were refused, by the forms that none accepted has
}

// note notes what became of a source.
func (r *refusedForms) note(t *source.Text, refused bool) {
	if !refused {
		if len(r.accepted) < remembered {
			r.accepted = append(r.accepted, t)
		}
		for name := range r.refused {
			if r.form(name).In(t) {
				r.known[name] = true
				delete(r.refused, name)
			}
		}
		return
	}
	for i := range r.dialect.Forms {
		f := &r.dialect.Forms[i]
		switch {
		case r.known[f.Name] || !f.In(t):
		case r.refused[f.Name] == 0 && slices.ContainsFunc(r.accepted, f.In):
			r.known[f.Name] = true
		default:
			r.refused[f.Name]++
		}
	}
}

func (r *refusedForms) form(name string) *source.Form {
	i := slices.IndexFunc(r.dialect.Forms, func(f source.Form) bool { return f.Name == name })
	return &r.dialect.Forms[i]
}

// blamed returns the forms that the tool does not know, in the order of the dialect.
func (r *refusedForms) blamed() (list []*source.Form) {
	for i := range r.dialect.Forms {
		if f := &r.dialect.Forms[i]; r.refused[f.Name] >= suspicious {
			list = append(list, f)
		}
	}
	return list
}

// table shows the forms that the tool does not know.
func (r *refusedForms) table() report.Table {
	t := report.Table{Title: "Forms that no accepted source has", Columns: []string{"form", "refused sources"}}
	for _, f := range r.blamed() {
		t.Rows = append(t.Rows, []string{f.Name, strconv.Itoa(r.refused[f.Name])})
	}
	return t
}
