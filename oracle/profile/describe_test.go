package profile_test

import (
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
)

// TestDescribe: every knob once and in order, each with a class and a sentence; each opcode that is
// not executed once.
func TestDescribe(t *testing.T) {
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		list := profile.Describe(p)
		seen := map[string]bool{}
		for i, s := range list {
			if s.Class == "" || s.About == "" || s.Value == "" || seen[s.Knob] {
				t.Errorf("%s: setting %d is %+v", name, i, s)
			}
			seen[s.Knob] = true
			if i < len(impl.Catalogue) && s.Knob != impl.Catalogue[i].Name {
				t.Errorf("%s: setting %d: got %s, want %s", name, i, s.Knob, impl.Catalogue[i].Name)
			}
		}
	}
	p, err := profile.Parse("panda-interp,round=rz")
	if err != nil {
		t.Fatal(err)
	}
	want := []profile.Setting{
		{Knob: "op.reserved", Value: "abort", Class: impl.Implementation, About: "refused when it is reached"},
		{Knob: "refusal", Value: "panic", Class: impl.Implementation, About: "how a run ends where it is refused"},
		{Knob: "stages", Value: "vs", Class: impl.Implementation, About: "no geometry stage"},
		{Knob: "round", Question: "rounding of sums and products", Value: "rz", Class: impl.Guess,
			About: "toward zero: truncating emulators cured the clipping in one game"},
	}
	found := 0
	for _, s := range profile.Describe(p) {
		for _, w := range want {
			if s == w {
				found++
			}
		}
	}
	if found != len(want) {
		t.Errorf("%d of %d settings found in %+v", found, len(want), profile.Describe(p))
	}
}
