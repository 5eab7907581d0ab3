package oracle_test

import (
	"errors"
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestReference: the engine without package impl runs the profiles of the console
// alone.
func TestReference(t *testing.T) {
	for name, want := range map[string]error{"f24": nil, "hw": nil, "hw,round=rne": nil,
		"f24,storage=f32": nil,
		"f32":             pica.ErrUnsupportedProfile,
		"f24,mad=fused":   pica.ErrUnsupportedProfile, "f24,op.mov=skip": pica.ErrUnsupportedProfile} {
		p, err := profile.Parse(name)
		check(t, err)
		if err := oracle.New().Run(&pica.Job{Profile: p}, new(pica.Outcome)); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
}
