package view

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Places is a set of places of a vertex. Bit 3 of a register is x.
type Places struct {
	O, R        [pica.NumOutputs]uint8
	Address, CC [2]bool
	Primitives  bool
}

// Concede copies the values of some places, given for each vertex, from an answer, so that a
// comparison shows only differences elsewhere. Both views must have ended, with as many vertices
// as sets of places; otherwise it returns false and changes nothing.
func (v *View) Concede(places []Places, got *View) bool {
	if v.End != Ended || got.End != Ended || len(v.Vertices) != len(places) || len(v.Vertices) != len(got.Vertices) {
		return false
	}
	for i := range v.Vertices {
		w, g, p := &v.Vertices[i], &got.Vertices[i], &places[i]
		for n := range w.O {
			concede(&w.O[n], &g.O[n], p.O[n])
			concede(&w.R[n], &g.R[n], p.R[n])
		}
		for k := range w.Address {
			if p.Address[k] {
				w.Address[k] = g.Address[k]
			}
			if p.CC[k] {
				w.CC[k] = g.CC[k]
			}
		}
		if p.Primitives {
			w.Primitives = slices.Clone(g.Primitives)
		}
	}
	return true
}

func concede(v, got *pica.Vec4, slots uint8) {
	for c := range v {
		if slots&(8>>c) != 0 {
			v[c] = got[c]
		}
	}
}
