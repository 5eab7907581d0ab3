package fingerprint

import (
	"math/rand/v2"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Random returns a profile with the opcodes and stages of a named set and any
// value for each knob.
func Random(r *rand.Rand) pica.Profile {
	p, _ := profile.ByName(profile.Names()[r.IntN(len(profile.Names()))])
	for i := range impl.Catalogue {
		for {
			v := r.IntN(len(impl.Catalogue[i].Values))
			if p.Storage == pica.Float24 && i > 0 && needsFloat32()[i][v] {
				continue
			}
			impl.Catalogue[i].Set(&p, v)
			break
		}
	}
	p.Name = profile.String(p)
	return p
}

// RandomNear returns a named set with other values for n knobs.
func RandomNear(r *rand.Rand, n int) pica.Profile {
	p, _ := profile.ByName(profile.Names()[r.IntN(len(profile.Names()))])
	for _, i := range r.Perm(len(impl.Catalogue)) {
		dim := &Dimensions[i]
		v := (dim.Get(&p) + 1 + r.IntN(len(dim.Values)-1)) % len(dim.Values)
		if q, ok := dim.With(p, v); ok && n > 0 {
			p = q
			n--
		}
	}
	p.Name = profile.String(p)
	return p
}
