package fingerprint

import (
	"sync"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// A Dimension is a question about a core: a knob, the support of an opcode, or the presence of a
// geometry stage.
type Dimension struct {
	Name     string // "round", "op.dst", "stages"
	Question string
	Values   []impl.Value
	get      func(p *pica.Profile) int
	set      func(p *pica.Profile, value int)
	opcodes  []pica.Opcode // the opcodes, if the question is their support
	needs    func(e *extent) bool
}

// Get returns the number of the profile's answer.
func (d *Dimension) Get(p *pica.Profile) int { return d.get(p) }

// Spelled returns an answer as a profile spells it: "dp=pairwise".
func (d *Dimension) Spelled(value int) string { return d.Name + "=" + d.Values[value].Name }

// Opcodes lists the opcodes if the question is their support.
func (d *Dimension) Opcodes() []pica.Opcode { return d.opcodes }

// IsKnob reports whether the question is a knob of the catalogue.
func (d *Dimension) IsKnob() bool { return d.opcodes == nil && d.Name != "stages" }

// With returns the profile with another answer. If registers of float24 exclude the present
// answer to another question, the reference's answer replaces it. ok is false if they exclude
// value itself.
func (d *Dimension) With(p pica.Profile, value int) (q pica.Profile, ok bool) {
	d.set(&p, value)
	if p.Storage == pica.Float24 {
		for k, row := range needsFloat32() {
			knob := &impl.Catalogue[k]
			if !row[knob.Get(&p)] {
				continue
			}
			if knob.Name == d.Name {
				return p, false
			}
			knob.Set(&p, 0)
		}
	}
	return p, true
}

// needsFloat32 reports for each value of each knob whether it needs registers of float32.
var needsFloat32 = sync.OnceValue(func() (t [][]bool) {
	for i := range impl.Catalogue {
		row := make([]bool, len(impl.Catalogue[i].Values))
		for v := range row {
			var p pica.Profile
			impl.Catalogue[i].Set(&p, v)
			_, err := impl.Rules(&p)
			row[v] = err != nil
		}
		t = append(t, row)
	}
	return t
})

// Dimensions lists the questions: the knobs in the order of the catalogue, the
// opcodes, the stages.
var Dimensions = func() (list []Dimension) {
	for i := range impl.Catalogue {
		k := &impl.Catalogue[i]
		list = append(list, Dimension{Name: k.Name, Question: k.About, Values: k.Values, get: k.Get, set: k.Set,
			needs: needs[k.Name]})
	}
	var names []string
	opcodes := map[string][]pica.Opcode{}
	for op := range pica.Opcode(pica.NumOpcodes) {
		if op == pica.END {
			continue // a core without it has no model, and its absence would explain everything
		}
		name := "op." + profile.Spell(op)
		if opcodes[name] == nil {
			names = append(names, name)
		}
		opcodes[name] = append(opcodes[name], op)
	}
	for _, name := range names {
		ops := opcodes[name]
		list = append(list, Dimension{Name: name, Question: "whether the opcode is executed",
			Values: profile.Supports[:], opcodes: ops, needs: executes(ops...),
			get: func(p *pica.Profile) int { return int(p.Support[ops[0]]) },
			set: func(p *pica.Profile, value int) {
				for _, op := range ops {
					p.Support[op] = pica.Support(value)
				}
			}})
	}
	return append(list, Dimension{Name: "stages", Question: "which stages there are",
		Values: []impl.Value{
			{Name: "vs gs", Class: impl.Console, About: "vertex and geometry programs"},
			{Name: "vs", Class: impl.Implementation, About: "no geometry stage"},
		},
		get: func(p *pica.Profile) int {
			if p.NoGeometry {
				return 1
			}
			return 0
		},
		needs: func(e *extent) bool { return e.geometry || emits(e) },
		// A core without the stage does not need its opcodes, so its support of them
		// says nothing about a core with the stage.
		set: func(p *pica.Profile, value int) {
			if p.NoGeometry = value == 1; !p.NoGeometry {
				p.Support[pica.EMIT], p.Support[pica.SETEMIT] = pica.SupportRun, pica.SupportRun
			}
		}})
}()
