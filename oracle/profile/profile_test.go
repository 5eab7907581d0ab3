package profile_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestCatalogue: every knob and every value has a description, and the oracle implements exactly
// these values.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for k := range impl.Catalogue {
		knob := &impl.Catalogue[k]
		if knob.Name == "" || knob.About == "" || seen[knob.Name] {
			t.Errorf("knob %d: name %q is empty or taken, or there is no sentence", k, knob.Name)
		}
		seen[knob.Name] = true
		for v, value := range knob.Values {
			if value.Name == "" || value.About == "" {
				t.Errorf("%s: value %d is not described", knob.Name, v)
			}
			switch value.Class {
			case impl.Console, impl.Documented, impl.Implementation, impl.Guess:
			default:
				t.Errorf("%s=%s: source class %q", knob.Name, value.Name, value.Class)
			}
		}
		for _, extra := range []int{0, 1} {
			p := profile.F32()
			knob.Set(&p, len(knob.Values)-1+extra)
			err := impl.New().Run(&pica.Job{Profile: p}, new(pica.Outcome))
			if got, want := err != nil, extra == 1; got != want {
				t.Errorf("%s=%d: refused %v, want %v (%v)", knob.Name, knob.Get(&p), got, want, err)
			}
		}
	}
}

// TestRoundTrip reads back the text of every set, and of every set with one knob or opcode changed.
func TestRoundTrip(t *testing.T) {
	check := func(p pica.Profile) {
		t.Helper()
		text := profile.String(p)
		q, err := profile.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if q.Knobs != p.Knobs || q.Support != p.Support || q.NoGeometry != p.NoGeometry {
			t.Errorf("%s: reads back as another profile", text)
		}
		if q.Name != text {
			t.Errorf("name: got %q, want %q", q.Name, text)
		}
	}
	for _, name := range profile.Names() {
		p, ok := profile.ByName(name)
		if !ok || p.Name != name || profile.String(p) != name {
			t.Errorf("%s: got %q, text %q", name, p.Name, profile.String(p))
		}
		check(p)
		for k, knob := range impl.Catalogue {
			for v := range knob.Values {
				q := p
				impl.Catalogue[k].Set(&q, v)
				check(q)
			}
		}
		q, err := profile.Parse(name + ",op.dst=abort, op.reserved=skip,op.mad=skip")
		if err != nil {
			t.Fatal(err)
		}
		check(q)
		q.NoGeometry = !q.NoGeometry
		check(q)
	}
}

func TestParse(t *testing.T) {
	p, err := profile.Parse(" hw, round=rne,op.mad=skip ")
	if err != nil {
		t.Fatal(err)
	}
	if p.Knobs.Round != pica.RoundRNE || p.Knobs.Flush != pica.FlushAll || p.Support[0x3F] != pica.SupportSkip {
		t.Errorf("got %v %v", p.Knobs, p.Support)
	}
	if got, want := profile.String(p), "hw,round=rne,op.mad=skip"; got != want || p.Name != want {
		t.Errorf("text: got %q, name %q, want %q", got, p.Name, want)
	}
	for _, want := range []string{"f32,ex2=polynomial", "azahar-interp,ex2=polynomial"} { // equally close to both
		if p, err := profile.Parse(want); err != nil || profile.String(p) != want {
			t.Errorf("got %s, %v, want %s", profile.String(p), err, want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "not one of f24, hw"},
		{"hw,", `knob "": not one of storage`},
		{"hw,round", "knob round=: not one of rne, rz"},
		{"hw,round=up", "knob round=up: not one of rne, rz"},
		{"hw,op.dst=maybe", "knob op.dst=maybe: not one of run, skip"},
		{"hw,stages=gs", "knob stages=gs: not one of vsgs, vs"},
		{"hw,op.fma=run", `knob "op.fma": no such instruction`},
	} {
		if _, err := profile.Parse(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.text, err, c.want)
		}
	}
}

// TestZeroIsF24: the zero profile is the reference.
func TestZeroIsF24(t *testing.T) {
	p := profile.F24()
	if p.Knobs != (pica.Profile{}).Knobs || p.Support != (pica.Profile{}).Support {
		t.Errorf("f24 is %v %v", p.Knobs, p.Support)
	}
}
