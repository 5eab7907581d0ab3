package gen_test

import (
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// TestMiss: a near miss has what is right in the place of what is wrong. Where nothing is, it
// is the valid file, and the fault must say so.
func TestMiss(t *testing.T) {
	for name, x := range map[string]struct {
		spoil func(c *gen.Choices) byte
		want  string // "" for a panic
		only  bool
	}{
		"breach":     {func(c *gen.Choices) byte { return gen.Breach[byte](c, 'w', 'r') }, "r", false},
		"wrong":      {func(c *gen.Choices) byte { return byte(c.Wrong('a', 'm', 'n')) }, "n", false},
		"only":       {func(c *gen.Choices) byte { return gen.Only[byte](c, 'w', 'r') }, "r", true},
		"nonzero":    {func(c *gen.Choices) byte { return '0' + byte(c.Nonzero(9)) }, "0", true},
		"flip":       {func(c *gen.Choices) byte { return '0' ^ byte(c.Flip(7)) }, "0", true},
		"only valid": {func(c *gen.Choices) byte { c.OnlyValid(); return 'w' }, "valid", true},
		"nothing":    {func(*gen.Choices) byte { return 'w' }, "", false},
	} {
		inner := gen.Fault{Rule: "X1", Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
			c.Valid(func() []byte { return []byte("valid") })
			return []byte{x.spoil(c)}, gen.Place{}
		}}
		outer := gen.Fault{Rule: "X2", Spoil: func(c *gen.Choices) ([]byte, gen.Place) {
			return append(c.Inner(inner), '.'), gen.Place{}
		}}
		for end, fault := range map[string]gen.Fault{"": inner, ".": outer} {
			var got gen.Miss
			panicked := func() (p bool) {
				defer func() { p = recover() != nil }()
				got = fault.Miss(gen.From(gen.Seed(1, 0)))
				return false
			}()
			if panicked != (x.want == "") || !panicked && (string(got.Bytes) != x.want+end || got.Only != x.only) {
				t.Errorf("%s: got %q, only %t, panicked: %t", name+end, got.Bytes, got.Only, panicked)
			}
			if b, _ := fault.File(gen.From(gen.Seed(1, 0))); string(b) == x.want+end {
				t.Errorf("%s: the file of the fault is right", name+end)
			}
		}
	}
}
