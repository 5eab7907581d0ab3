package oracle

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// arithmetic lists the functions of upload.go, arithmetic.go, roots.go and transcendental.go,
// and [NumberFormat.Round].
var arithmetic = Arithmetic{
	FromRaw24: fromRaw24, FromFloat32: fromFloat32, Negate: negate, Round: (*NumberFormat).Round,
	Sum: sum, Add: add, Mul: mul, MAD: mad, Dot: dot, DPH: dph, Distance: distance,
	Max: maximum, Min: minimum, SGE: greaterOrEqual, SLT: less, Floor: floor,
	Scalar: scalar, Reciprocal: reciprocal, ReciprocalRoot: reciprocalRoot, Exp2: exp2, Log2: log2,
	Integer: integer, Compare: compare, Light: light,
}

// Console returns the rules of the reference. Five knobs of the profile set constants: the
// format of registers, the rounding of arithmetic and of uploads, flushing, and hazards. Console
// ignores the other knobs, and values that it does not know; package oracle/impl applies them.
func Console(p *pica.Profile) *Rules {
	r := &Rules{
		Encoding: encoding, Admit: admission, Operands: operands,
		Unit: Unit{NumberFormat: Float24, Ops: arithmetic, Flush: p.Flush == pica.FlushAll},
		Flow: flow, Carry: carry, Emission: emission, Hazards: p.Hazards,
	}
	if p.Storage == pica.Float32 {
		r.Unit.NumberFormat = Binary32
	}
	if p.Round == pica.RoundRZ {
		r.Unit.Direction = TowardZero // a guess: truncation cured the clipping in one game
	}
	if p.Upload == pica.UploadRZ {
		r.Unit.Upload = TowardZero
	}
	return r
}

// reference is a [Resolver]. It rejects a profile that skips or refuses an opcode, or has a
// knob value, other than the first, that [Console] ignores. Name, Refusal and NoGeometry select
// no rules: no rule of the console refuses, and NoGeometry concerns callers.
func reference(p *pica.Profile) (*Rules, error) {
	read := pica.Knobs{ // the knobs as Console reads them
		Storage: min(p.Storage, pica.Float32), Flush: min(p.Flush, pica.FlushAll),
		Hazards: min(p.Hazards, pica.HazardsTrap),
		Round:   min(p.Round, pica.RoundRZ), Upload: min(p.Upload, pica.UploadRZ),
	}
	if read != p.Knobs || p.Support != [pica.NumOpcodes]pica.Support{} {
		return nil, fmt.Errorf("oracle: %w: its rules are not those of the reference", pica.ErrUnsupportedProfile)
	}
	return Console(p), nil
}
