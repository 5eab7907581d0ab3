package oracle_test

import (
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// TestHooks: each rule that is nil on the console changes a run of mov o0, v0; add o1, v0, v1 as its comment says.
func TestHooks(t *testing.T) {
	const x, y = one24, two24
	for _, h := range []struct {
		name   string
		change func(r *oracle.Rules)
		want   [2]uint32 // o0.x and o1.x
	}{
		{"none", func(*oracle.Rules) {}, [2]uint32{x, three}},
		{"Choose", func(r *oracle.Rules) {
			other := *r
			other.Unit.Ops.Add = func(*oracle.Unit, uint32, uint32) uint32 { return 0 }
			r.Choose = func(c *oracle.Control) *oracle.Rules {
				if c.Op == pica.ADD {
					return &other
				}
				return r
			}
		}, [2]uint32{x, 0}},
		{"Source", func(r *oracle.Rules) {
			r.Operands.Source = func(_ *oracle.Control, k, n int) int {
				if k == 0 {
					return 1
				}
				return n
			}
		}, [2]uint32{y, four24}},
		{"Read", func(r *oracle.Rules) {
			r.Operands.Read = func(c *oracle.Control, s *[3]pica.Vec4) {
				if c.Op == pica.ADD {
					s[1] = s[0]
				}
			}
		}, [2]uint32{x, y}},
		{"Result", func(r *oracle.Rules) {
			r.Operands.Result = func(c *oracle.Control, s *[3]pica.Vec4, v *pica.Vec4) {
				if c.Op == pica.ADD {
					*v = s[1]
				}
			}
		}, [2]uint32{x, y}},
		{"Last", func(r *oracle.Rules) {
			r.Operands.Result = func(c *oracle.Control, _ *[3]pica.Vec4, v *pica.Vec4) {
				if c.Last != 0 && pica.OpcodeOf(c.Last) == pica.MOV {
					*v = pica.Vec4{}
				}
			}
		}, [2]uint32{x, 0}},
		{"Upload.Input", func(r *oracle.Rules) {
			r.Upload.Input = func(_ *oracle.Unit, n int, _ pica.NumberFormat, v pica.Vec4) pica.Vec4 {
				if n == 1 {
					return pica.Vec4{}
				}
				return v
			}
		}, [2]uint32{x, x}},
	} {
		engine := oracle.NewEngine(func(p *pica.Profile) (*oracle.Rules, error) {
			r := oracle.Console(p)
			h.change(r)
			return r, nil
		}, nil)
		job := &pica.Job{Program: pica.Program{Descriptors: []uint32{uint32(pica.IdentityDescriptor)}, Code: []uint32{
			op1(pica.MOV, outO, regV, 0, 0), op1(pica.ADD, outO+1, regV, regV+1, 0), uint32(pica.END) << 26}},
			InputFormat: pica.Float24, Vertices: [][]pica.Vec4{{{x}, {y}}}, Budget: 10}
		var out pica.Outcome
		if err := engine.Run(job, &out); err != nil {
			t.Fatal(err)
		}
		if got := [2]uint32{out.Vertices[0].O[0][0], out.Vertices[0].O[1][0]}; got != h.want {
			t.Errorf("%s: got %06x, want %06x", h.name, got, h.want)
		}
	}
}
