package fingerprint

import (
	"math/rand/v2"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// Random returns a profile with the opcodes and stages of a named set and any value
// for each knob.
func Random(r *rand.Rand) pica.Profile {
	p, _ := profile.ByName(profile.Names()[r.IntN(len(profile.Names()))])
	for i := range impl.Catalogue {
		for {
			v := r.IntN(len(impl.Catalogue[i].Values))
			if p.Storage == pica.Float24 && i > 0 && needsFloat32[i][v] {
				continue
			}
			impl.Catalogue[i].Set(&p, v)
			break
		}
	}
	p.Name = profile.String(p)
	return p
}
