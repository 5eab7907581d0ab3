package writer

import (
	"context"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
)

// An assembler that is older than a form of its dialect refuses every source with the form. Once
// the form is known, programs rarely have it, so that the others can show other faults.
const (
	roundSize  = 20   // programs between two decisions on forms
	suspicious = 2    // a form is blamed from this many reduced sources on, if no accepted source has it
	seldom     = 64   // one in so many programs has such a form, and only one
	redraws    = 16   // draws for a program without it
	remembered = 400  // accepted sources that are kept
	proving    = 200  // sources given to the tool at most to find the forms that a refused source needs
	mostProofs = 5000 // sources given to it for that in total
)

// refusedForms records the forms of a dialect that the tool may not know.
type refusedForms struct {
	dialect  *source.Dialect
	accepted []*source.Text
	known    map[string]bool // forms of accepted sources
	refused  []refusal
	asked    int // sources given for proofs
}

// refusal is a refused source with its forms that no accepted source has; after the reduction,
// with the forms of the reduced source.
type refusal struct {
	program *source.Program
	finding *finding
	forms   []string
	reduced bool
}

// accept notes an accepted source.
func (r *refusedForms) accept(t *source.Text) {
	if len(r.accepted) < remembered {
		r.accepted = append(r.accepted, t)
	}
	suspects := map[string]bool{}
	for i := range r.refused {
		for _, name := range r.refused[i].forms {
			suspects[name] = true
		}
	}
	for name := range suspects {
		if r.form(name).In(t) {
			r.acquit(name)
		}
	}
}

// acquit records that the tool knows a form.
func (r *refusedForms) acquit(name string) {
	r.known[name] = true
	for i := range r.refused {
		x := &r.refused[i]
		x.forms = slices.DeleteFunc(x.forms, func(other string) bool { return other == name })
	}
}

// suspects returns the forms of a refused source that no accepted source has.
func (r *refusedForms) suspects(t *source.Text) (list []string) {
	for i := range r.dialect.Forms {
		f := &r.dialect.Forms[i]
		switch {
		case r.known[f.Name] || !f.In(t):
		case slices.ContainsFunc(r.accepted, f.In):
			r.acquit(f.Name)
		default:
			list = append(list, f.Name)
		}
	}
	return list
}

func (r *refusedForms) form(name string) *source.Form {
	i := slices.IndexFunc(r.dialect.Forms, func(f source.Form) bool { return f.Name == name })
	return &r.dialect.Forms[i]
}

// blamed returns the forms that the tool does not know: a smallest set that explains the reduced
// sources.
func (r *refusedForms) blamed() (list []*source.Form) {
	open := slices.DeleteFunc(slices.Clone(r.refused), func(x refusal) bool { return !x.reduced })
	for {
		counts := map[string]int{}
		for i := range open {
			for _, name := range open[i].forms {
				counts[name]++
			}
		}
		var best *source.Form
		for i := range r.dialect.Forms {
			if f := &r.dialect.Forms[i]; counts[f.Name] >= suspicious &&
				(best == nil || counts[f.Name] > counts[best.Name]) {
				best = f
			}
		}
		if best == nil {
			return list
		}
		list = append(list, best)
		open = slices.DeleteFunc(open, func(x refusal) bool { return slices.Contains(x.forms, best.Name) })
	}
}

// blamedIn returns the name of the first blamed form in a source, "" if there is none.
func (r *refusedForms) blamedIn(t *source.Text) string {
	for _, f := range r.blamed() {
		if f.In(t) {
			return f.Name
		}
	}
	return ""
}

// prove reduces refused sources without a blamed form, so that a form is not blamed for another
// form in the same source. Sources accepted on the way acquit their forms.
func (r *refusedForms) prove(ctx context.Context, j *judge) {
	j.accepted = r.accept
	for r.asked < mostProofs && ctx.Err() == nil {
		blamed := r.blamed()
		var x *refusal // the smallest
		for i := range r.refused {
			y := &r.refused[i]
			explained := slices.ContainsFunc(blamed,
				func(f *source.Form) bool { return slices.Contains(y.forms, f.Name) })
			if !y.reduced && len(y.forms) > 0 && !explained && (x == nil || y.program.Size() < x.program.Size()) {
				x = y
			}
		}
		if x == nil {
			return
		}
		p, _ := reduceProgram(ctx, j, x.program, x.finding, proving, func(q *source.Program) bool {
			t := r.dialect.Print(q)
			r.asked++
			return slices.ContainsFunc(blamed, func(f *source.Form) bool { return f.In(t) })
		})
		x.forms, x.reduced = r.suspects(r.dialect.Print(p)), true
	}
}

// table lists the forms that the tool does not know.
func (r *refusedForms) table() report.Table {
	t := report.Table{Title: "Forms that no accepted source has", Columns: []string{"form", "refused sources"}}
	for _, f := range r.blamed() {
		n := 0
		for i := range r.refused {
			if slices.Contains(r.refused[i].forms, f.Name) {
				n++
			}
		}
		t.Rows = append(t.Rows, []string{f.Name, strconv.Itoa(n)})
	}
	return t
}
