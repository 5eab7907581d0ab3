package profile

import (
	"slices"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// A Setting is one value in a profile with its evidence.
type Setting struct {
	Knob     string           `json:"knob"`
	Question string           `json:"question,omitempty"`
	Value    string           `json:"value"`
	Class    impl.SourceClass `json:"class"`
	About    string           `json:"about"`
}

// Describe lists the value of every knob, then the opcodes that are not executed, then
// the refusal and the stages. The profile must come from [Parse].
func Describe(p pica.Profile) (list []Setting) {
	for i := range impl.Catalogue {
		list = append(list, setting(&impl.Catalogue[i], impl.Catalogue[i].Get(&p)))
	}
	for op, v := range p.Support {
		s := Setting{Knob: "op." + Spell(pica.Opcode(op)), Value: Supports[v].Name, Class: Supports[v].Class,
			About: Supports[v].About}
		if v != pica.SupportRun && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if p.Refusal != pica.RefusalUnknown {
		list = append(list,
			Setting{Knob: "refusal", Value: p.Refusal.String(), Class: impl.Implementation,
				About: "how a run ends where it is refused"})
	}
	if p.NoGeometry {
		v := &stages[1]
		list = append(list, Setting{Knob: "stages", Value: v.Name, Class: v.Class, About: v.About})
	}
	return list
}

// setting describes one value of a knob.
func setting(k *impl.Knob, v int) Setting {
	return Setting{k.Name, k.About, k.Values[v].Name, k.Values[v].Class, k.Values[v].About}
}
