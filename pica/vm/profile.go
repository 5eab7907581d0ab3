package vm

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
)

// model is a numeric model: what arithmetic computes and what registers hold.
type model uint8

const (
	nearest    model = iota // profile f24
	truncating              // profile hw
	single                  // profile f32
	numModels
)

// numeric lists the knobs that a model settles, with the values it asks for.
var numeric = [numModels]map[pica.Knob]pica.Value{
	nearest: {
		pica.KnobStorage: pica.StorageF24, pica.KnobRound: pica.RoundRNE, pica.KnobFlush: pica.FlushNone,
		pica.KnobDot: pica.DotLeft, pica.KnobReciprocalZero: pica.ReciprocalZeroPositive,
		pica.KnobReciprocal: pica.ReciprocalRounded, pica.KnobExponential: pica.ExponentialRounded,
	},
	truncating: {
		pica.KnobStorage: pica.StorageF24, pica.KnobRound: pica.RoundRZ, pica.KnobFlush: pica.FlushAll,
		pica.KnobDot: pica.DotLeft, pica.KnobReciprocalZero: pica.ReciprocalZeroPositive,
		pica.KnobReciprocal: pica.ReciprocalRounded, pica.KnobExponential: pica.ExponentialRounded,
	},
	single: {
		pica.KnobStorage: pica.StorageF32, pica.KnobRound: pica.RoundRNE, pica.KnobFlush: pica.FlushNone,
		pica.KnobDot: pica.DotSeeded, pica.KnobReciprocalZero: pica.ReciprocalZeroSigned,
		pica.KnobReciprocal: pica.ReciprocalTwice, pica.KnobExponential: pica.ExponentialRounded,
		pica.KnobUpload: pica.UploadExact,
	},
}

// choices lists the knobs that are free in every model, with the highest value
// that is implemented. All other knobs must be zero.
var choices = map[pica.Knob]pica.Value{
	pica.KnobUpload:       pica.UploadExact,
	pica.KnobCompare:      pica.CompareKeep,
	pica.KnobInnerAL:      pica.InnerALStart,
	pica.KnobBreakOutside: pica.BreakOutsideIgnored,
	pica.KnobProgramEnd:   pica.ProgramEnd4095,
	pica.KnobHazards:      pica.HazardsTrap,
	pica.KnobEmitInVertex: pica.EmitInVertexAbort,
}

// modelOf returns the numeric model of a profile. The error wraps
// pica.ErrUnsupportedProfile.
func modelOf(p *pica.Profile) (model, error) {
	for k, v := range p.Knobs {
		if _, settled := numeric[nearest][pica.Knob(k)]; !settled && v > choices[pica.Knob(k)] {
			return 0, fmt.Errorf("vm: %w: knob %d is %d", pica.ErrUnsupportedProfile, k, v)
		}
	}
	for m, knobs := range numeric {
		if fits(p, knobs) && (model(m) == single || p.Knobs[pica.KnobUpload] != pica.UploadExact) {
			return model(m), nil
		}
	}
	return 0, fmt.Errorf("vm: %w: its numeric knobs are not those of f24, hw or f32", pica.ErrUnsupportedProfile)
}

func fits(p *pica.Profile, knobs map[pica.Knob]pica.Value) bool {
	for k, v := range knobs {
		if p.Knobs[k] != v {
			return false
		}
	}
	return true
}

// converter turns uploaded bits into register patterns.
type converter struct {
	form     pica.Form
	exact    bool // keep binary32 as it is
	rounding float24.Rounding
}

func (c *Code) converter(form pica.Form) converter {
	r := float24.NearestEven
	if c.profile.Knobs[pica.KnobUpload] == pica.UploadRZ {
		r = float24.TowardZero
	}
	return converter{form: form, exact: c.model == single, rounding: r}
}

func (c converter) convert(to, from *pica.Vec4) {
	switch {
	case c.form == pica.Raw24:
		float24.DecodeVector(to, from)
	case c.exact:
		*to = *from
	default:
		float24.ConvertVector(to, from, c.rounding)
	}
}

// store converts register patterns to the bits of the model's storage.
func (m model) store(bits, patterns *pica.Vec4) {
	if m == single {
		*bits = *patterns
	} else {
		float24.EncodeVector(bits, patterns)
	}
}

// load is the inverse of store.
func (m model) load(patterns, bits *pica.Vec4) {
	if m == single {
		*patterns = *bits
	} else {
		float24.DecodeVector(patterns, bits)
	}
}
