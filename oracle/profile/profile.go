package profile

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// F24 returns the reference profile: correctly rounded 1/7/16.
func F24() pica.Profile { return named("f24") }

// HW returns the best public knowledge of the console.
func HW() pica.Profile { return named("hw") }

// F32 returns the profile of Azahar's interpreter.
func F32() pica.Profile { return named("f32") }

func named(name string) pica.Profile {
	p, _ := ByName(name)
	return p
}

// ByName returns the named set.
func ByName(name string) (pica.Profile, bool) {
	for i := range Sets {
		if Sets[i].Name == name {
			return Sets[i].Profile(), true
		}
	}
	return pica.Profile{}, false
}

// Names lists the named sets.
func Names() []string {
	names := make([]string, len(Sets))
	for i := range Sets {
		names[i] = Sets[i].Name
	}
	return names
}

// Parse reads the name of a set and the knobs and opcodes that differ from it:
// "hw,round=rne,op.dst=skip". The opcode "reserved" stands for all reserved opcodes, and
// "stages=vs" for an implementation without geometry programs. The name of the profile is the
// text without spaces. An error lists the known names.
func Parse(text string) (pica.Profile, error) {
	parts := strings.Split(strings.Join(strings.Fields(text), ""), ",")
	p, ok := ByName(parts[0])
	if !ok {
		return pica.Profile{}, fmt.Errorf("profile %q: not one of %s%s", parts[0], strings.Join(Names(), ", "),
			nearest.Hint(parts[0], Names()))
	}
	for _, part := range parts[1:] {
		knob, value, _ := strings.Cut(part, "=")
		if err := set(&p, knob, value); err != nil {
			return pica.Profile{}, err
		}
	}
	p.Name = strings.Join(parts, ",")
	return p, nil
}

// set sets a knob or the support of an opcode.
func set(p *pica.Profile, knob, value string) error {
	if name, isOp := strings.CutPrefix(knob, "op."); isOp {
		v, err := find(knob, Supports[:], value)
		if err != nil {
			return err
		}
		n := 0
		for op := range pica.Opcode(pica.NumOpcodes) {
			if Spell(op) == name {
				p.Support[op] = pica.Support(v)
				n++
			}
		}
		if n == 0 {
			return fmt.Errorf("knob %q: no such instruction", knob)
		}
		return nil
	}
	if knob == "stages" {
		v, err := find(knob, stages[:], value)
		p.NoGeometry = v == 1
		return err
	}
	for k := range impl.Catalogue {
		if impl.Catalogue[k].Name == knob {
			v, err := find(knob, impl.Catalogue[k].Values, value)
			if err == nil {
				impl.Catalogue[k].Set(p, v)
			}
			return err
		}
	}
	names := make([]string, len(impl.Catalogue))
	for k := range impl.Catalogue {
		names[k] = impl.Catalogue[k].Name
	}
	return fmt.Errorf("knob %q: not one of %s, op.<mnemonic>, stages%s", knob, strings.Join(names, ", "),
		nearest.Hint(knob, names))
}

// stages describes the values of [pica.Profile.NoGeometry]: false and true.
var stages = [...]impl.Value{
	{Name: "vsgs", Class: impl.Console, About: "vertex and geometry programs"},
	{Name: "vs", Class: impl.Implementation, About: "no geometry stage"},
}

// find returns the number of a named value.
func find(knob string, values []impl.Value, name string) (int, error) {
	names := make([]string, len(values))
	for i, v := range values {
		if v.Name == name {
			return i, nil
		}
		names[i] = v.Name
	}
	return 0, fmt.Errorf("knob %s=%s: not one of %s%s", knob, name, strings.Join(names, ", "),
		nearest.Hint(name, names))
}

// Spell returns the name of an opcode in a profile's text.
func Spell(op pica.Opcode) string {
	if op.Reserved() {
		return "reserved"
	}
	return op.String()
}

// String returns a text that [Parse] turns into p again: the closest set and the
// differences. Of equally close sets it takes the one with the name of p. (A profile that
// treats the aliases of an opcode, or two reserved opcodes, in different ways has no
// text; the last of them decides.)
func String(p pica.Profile) string {
	base, _, _ := strings.Cut(p.Name, ",")
	best, fewest := "", -1
	for i := range Sets {
		d := differences(&p, Sets[i].Profile())
		if fewest < 0 || len(d) < fewest || len(d) == fewest && Sets[i].Name == base {
			best, fewest = strings.Join(append([]string{Sets[i].Name}, d...), ","), len(d)
		}
	}
	return best
}

// differences lists the settings of p that differ from base, in the order of the
// catalogue, then of the opcodes.
func differences(p *pica.Profile, base pica.Profile) (d []string) {
	for i := range impl.Catalogue {
		k := &impl.Catalogue[i]
		v := k.Get(p)
		if v == k.Get(&base) {
			continue
		}
		name := fmt.Sprint(v)
		if v < len(k.Values) {
			name = k.Values[v].Name
		}
		d = append(d, k.Name+"="+name)
	}
	if p.NoGeometry != base.NoGeometry {
		name := stages[0].Name
		if p.NoGeometry {
			name = stages[1].Name
		}
		d = append(d, "stages="+name)
	}
	last := ""
	for op, v := range p.Support {
		name := Spell(pica.Opcode(op))
		if v != base.Support[op] && name != last && int(v) < len(Supports) {
			d = append(d, "op."+name+"="+Supports[v].Name)
			last = name
		}
	}
	return d
}
