package hypothesis

import (
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// passed is the state that passes from vertex to vertex with an executor of package mutants.
var passed = map[string]string{
	"temporaries-carry-over":       "temporaries",
	"outputs-carry-over":           "outputs",
	"other-bank-carries-over":      "outputs",
	"address-registers-carry-over": "address registers",
	"al-carries-over":              "loop counter",
	"conditions-carry-over":        "condition flags",
	"if-stack-carries-over":        "open ifs",
	"call-stack-carries-over":      "open calls",
	"loop-stack-carries-over":      "open loops",
	"emitter-carries-over":         "geometry emitter",
	"emitter-slots-carry-over":     "geometry emitter",
}

// Table returns the hypotheses without parameters: the executors of package mutants, and the values of knobs that
// differ from those of a profile.
func Table(p *pica.Profile) (list []*Hypothesis) {
	for _, m := range mutants.Executors() {
		if m.Equivalent == "" {
			list = append(list, &Hypothesis{Name: m.Name, Rule: m.Rule, Passes: passed[m.Name], apply: m.Change,
				whole: m.Group == "state"})
		}
	}
	for i := range impl.Catalogue {
		k := &impl.Catalogue[i]
		for v := range k.Values {
			q := *p
			if k.Set(&q, v); v == k.Get(p) || k.Name == "storage" {
				continue
			}
			if _, err := impl.Rules(&q); err != nil {
				continue
			}
			h := &Hypothesis{Name: k.Name + "=" + k.Values[v].Name, Rule: k.About,
				Profile: func(p *pica.Profile) { k.Set(p, v) }, whole: k.Name == "flow"}
			if k.Replaces(v) { // composes with another hypothesis
				var other pica.Profile
				k.Set(&other, v)
				h.apply = impl.With(other.Knobs)
			} else {
				h.apply = k.Instead(p, v)
			}
			list = append(list, h)
		}
	}
	return list
}
