package vm

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
)

// model is a numeric model: arithmetic and the number format of registers.
type model uint8

const (
	nearest    model = iota // profile f24
	truncating              // profile hw
	single                  // profile f32
	numModels
)

// numeric holds the knobs of each model; [free] says which of them may differ.
var numeric = [numModels]pica.Knobs{
	nearest:    {},
	truncating: {Round: pica.RoundRZ, Flush: pica.FlushAll},
	single: {
		Storage: pica.Float32, Upload: pica.UploadExact, Dot: pica.DotSeeded,
		ReciprocalZero: pica.ReciprocalZeroSigned, Reciprocal: pica.ReciprocalTwice,
	},
}

// free returns the knobs of a model, except that knobs which are free in it have the
// value of p, up to the highest value that is implemented.
func free(m model, p *pica.Knobs) pica.Knobs {
	k := numeric[m]
	if m != single {
		k.Upload = min(p.Upload, pica.UploadRZ)
	}
	k.Compare = min(p.Compare, pica.CompareKeep)
	k.InnerAL = min(p.InnerAL, pica.InnerALStart)
	k.BreakOutside = min(p.BreakOutside, pica.BreakOutsideIgnored)
	k.ProgramEnd = min(p.ProgramEnd, pica.ProgramEnd4095)
	k.Hazards = min(p.Hazards, pica.HazardsTrap)
	k.EmitInVertex = min(p.EmitInVertex, pica.EmitInVertexAbort)
	k.Vertex3 = min(p.Vertex3, pica.Vertex3Abort)
	return k
}

// modelOf returns the numeric model of a profile. The error wraps
// pica.ErrUnsupportedProfile.
func modelOf(p *pica.Profile) (model, error) {
	if slices.Max(p.Support[:]) >= pica.SupportFetch {
		return 0, fmt.Errorf("vm: %w: an opcode's operands are found and ignored", pica.ErrUnsupportedProfile)
	}
	for m := range numModels {
		if free(m, &p.Knobs) == p.Knobs {
			return m, nil
		}
	}
	return 0, fmt.Errorf("vm: %w: its knobs are not those of f24, hw or f32", pica.ErrUnsupportedProfile)
}

// format returns the number format of the registers.
func (m model) format() pica.NumberFormat {
	if m == single {
		return pica.Float32
	}
	return pica.Float24
}

// converter turns uploaded bits into register patterns.
type converter struct {
	format   pica.NumberFormat // of the upload
	rounds   bool              // to float24
	rounding float24.Rounding
}

func (c *Code) converter(format pica.NumberFormat) converter {
	r := float24.NearestEven
	if c.profile.Knobs.Upload == pica.UploadRZ {
		r = float24.TowardZero
	}
	return converter{format, format == pica.Float32 && c.model != single, r}
}

func (c converter) convert(to, from *pica.Vec4) {
	if c.rounds {
		float24.RoundVector(to, from, c.rounding)
	} else {
		c.format.WidenVector(to, from)
	}
}

// store converts register patterns to the bits of the model's storage.
func (m model) store(bits, patterns *pica.Vec4) { m.format().NarrowVector(bits, patterns) }

// load is the inverse of store.
func (m model) load(patterns, bits *pica.Vec4) { m.format().WidenVector(patterns, bits) }
