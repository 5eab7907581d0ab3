package profile

import (
	"maps"

	"github.com/picaproof/picaproof/pica"
)

// A Set is a named profile as data: what differs from f24.
type Set struct {
	Name    string
	About   string
	Knobs   map[pica.Knob]pica.Value
	Skipped []pica.Opcode // ignored with a message
	Refused []pica.Opcode // end the run in the way Refusal says
	Refusal pica.Refusal
	// NoGeometry: the implementation has no geometry stage.
	NoGeometry bool
}

// reserved lists the opcodes that no instruction is known for.
var reserved = []pica.Opcode{0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F}

// emulator returns the knobs of a set: those all emulators share, and more.
func emulator(more map[pica.Knob]pica.Value) map[pica.Knob]pica.Value {
	knobs := map[pica.Knob]pica.Value{
		pica.KnobStorage:        pica.StorageF32,
		pica.KnobUpload:         pica.UploadExact,
		pica.KnobReciprocalZero: pica.ReciprocalZeroSigned,
		pica.KnobReciprocal:     pica.ReciprocalTwice,
		pica.KnobExponential:    pica.ExponentialLibm,
	}
	maps.Copy(knobs, more)
	return knobs
}

// with joins lists of opcodes.
func with(lists ...[]pica.Opcode) (all []pica.Opcode) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var azahar = emulator(map[pica.Knob]pica.Value{
	pica.KnobDot:          pica.DotSeeded,
	pica.KnobCompare:      pica.CompareKeep,
	pica.KnobInnerAL:      pica.InnerALStart,
	pica.KnobBreakOutside: pica.BreakOutsideIgnored,
	pica.KnobProgramEnd:   pica.ProgramEnd4095,
	pica.KnobEmitInVertex: pica.EmitInVertexAbort,
})

// rounded returns knobs with correctly rounded EX2 and LG2, so that every bit of
// a result is defined.
func rounded(knobs map[pica.Knob]pica.Value) map[pica.Knob]pica.Value {
	knobs = maps.Clone(knobs)
	delete(knobs, pica.KnobExponential)
	return knobs
}

// absent lists what the Citra family never implemented.
var absent = with(reserved, []pica.Opcode{pica.DST, pica.DSTI, pica.LITP})

// Sets lists the named profiles, those of the console and of arithmetic first.
var Sets = []Set{
	{Name: "f24", About: "correctly rounded 1/7/16 arithmetic, the console's control flow"},
	{Name: "hw", About: "the best public knowledge of the console", Knobs: map[pica.Knob]pica.Value{
		pica.KnobUpload:  pica.UploadRZ,
		pica.KnobRound:   pica.RoundRZ,
		pica.KnobFlush:   pica.FlushAll,
		pica.KnobHazards: pica.HazardsTrap,
	}},
	{Name: "f32", About: "Azahar's interpreter, EX2 and LG2 correctly rounded", Knobs: rounded(azahar), Skipped: absent, Refusal: pica.RefusalAssert},
	{Name: "azahar-interp", About: "Azahar's interpreter, EX2 and LG2 by a C library", Knobs: azahar, Skipped: absent, Refusal: pica.RefusalAssert},
	{Name: "azahar-x64", About: "Azahar's x86-64 compiler", Knobs: emulator(map[pica.Knob]pica.Value{
		pica.KnobDot:          pica.DotMixed,
		pica.KnobReciprocal:   pica.ReciprocalEstimate,
		pica.KnobExponential:  pica.ExponentialPolynomial,
		pica.KnobCompare:      pica.CompareAbort,
		pica.KnobFlow:         pica.FlowStructured,
		pica.KnobBreakStep:    pica.BreakStepNone,
		pica.KnobProgramEnd:   pica.ProgramEnd4095,
		pica.KnobEmitInVertex: pica.EmitInVertexSkip,
	}), Skipped: with(absent, []pica.Opcode{pica.BREAK}), Refusal: pica.RefusalAssert},
	{Name: "panda-interp", About: "Panda3DS's interpreter", Knobs: emulator(map[pica.Knob]pica.Value{
		pica.KnobSubnormal:      pica.SubnormalHiddenOne,
		pica.KnobMax:            pica.MaxInfB,
		pica.KnobReciprocalZero: pica.ReciprocalZeroPositive,
		pica.KnobFlow:           pica.FlowPanda,
		pica.KnobInnerAL:        pica.InnerALKept,
		pica.KnobProgramEnd:     pica.ProgramEndAbort4095,
		pica.KnobLITP:           pica.LITPPass,
		pica.KnobIndexedOps:     pica.IndexedOpsAbort,
	}), Refused: with(reserved, []pica.Opcode{pica.DPH, pica.DST, pica.DSTI, pica.BREAK, pica.BREAKC, pica.EMIT, pica.SETEMIT}), Refusal: pica.RefusalPanic, NoGeometry: true},
	{Name: "panda-x64", About: "Panda3DS's x86-64 compiler, accurate multiplication off, host with FMA", Knobs: emulator(map[pica.Knob]pica.Value{
		pica.KnobSubnormal:    pica.SubnormalHiddenOne,
		pica.KnobZeroInf:      pica.ZeroInfNaN,
		pica.KnobMAD:          pica.MADFused,
		pica.KnobDot:          pica.DotPairwise,
		pica.KnobReciprocal:   pica.ReciprocalShort,
		pica.KnobExponential:  pica.ExponentialPolynomial,
		pica.KnobCompare:      pica.CompareOrdered,
		pica.KnobIndex:        pica.IndexFlatZero,
		pica.KnobFlow:         pica.FlowStructuredPanda,
		pica.KnobInnerAL:      pica.InnerALKept,
		pica.KnobProgramEnd:   pica.ProgramEndAbort4095,
		pica.KnobEmitInVertex: pica.EmitInVertexSkip,
	}), Skipped: []pica.Opcode{pica.BREAK, pica.BREAKC, pica.EMIT, pica.SETEMIT},
		Refused: absent, Refusal: pica.RefusalPanic, NoGeometry: true},
	{Name: "mikage-interp", About: "Mikage's interpreter", Knobs: emulator(map[pica.Knob]pica.Value{
		pica.KnobSubnormal:    pica.SubnormalZero,
		pica.KnobSpecial:      pica.SpecialFinite,
		pica.KnobZeroInf:      pica.ZeroInfPositive,
		pica.KnobNegate:       pica.NegateMultiply,
		pica.KnobDot:          pica.DotSeeded,
		pica.KnobCompare:      pica.CompareKeep,
		pica.KnobIndex:        pica.IndexFlat,
		pica.KnobFlow:         pica.FlowUnified,
		pica.KnobInnerAL:      pica.InnerALKept,
		pica.KnobProgramEnd:   pica.ProgramEndAbort1024,
		pica.KnobReset:        pica.ResetCCIndex,
		pica.KnobEmitInVertex: pica.EmitInVertexSkip,
	}), Skipped: with(absent, []pica.Opcode{pica.DPH, pica.EX2, pica.LG2, pica.SGE, pica.SLT, pica.FLR,
		pica.BREAK, pica.BREAKC, pica.EMIT, pica.SETEMIT}),
		Refused: []pica.Opcode{pica.DPHI, pica.SGEI, pica.SLTI}, Refusal: pica.RefusalException, NoGeometry: true},
	{Name: "citra-2021", About: "Citra's interpreter of 2021", Knobs: emulator(map[pica.Knob]pica.Value{
		pica.KnobSubnormal:    pica.SubnormalHiddenOne,
		pica.KnobDot:          pica.DotSeeded,
		pica.KnobCompare:      pica.CompareKeep,
		pica.KnobIndex:        pica.IndexFlat,
		pica.KnobFlow:         pica.FlowUnified,
		pica.KnobInnerAL:      pica.InnerALKept,
		pica.KnobProgramEnd:   pica.ProgramEndAbort4096,
		pica.KnobReset:        pica.ResetCC,
		pica.KnobEmitInVertex: pica.EmitInVertexAbort,
		pica.KnobBanks:        pica.BanksOne,
	}), Skipped: with(absent, []pica.Opcode{pica.BREAK, pica.BREAKC}), Refusal: pica.RefusalAssert},
	{Name: "borked-rz24", About: "Borked3DS's truncating interpreter; flow and addressing are guessed from its base", Knobs: emulator(map[pica.Knob]pica.Value{
		pica.KnobSubnormal:    pica.SubnormalHiddenOne,
		pica.KnobUpload:       pica.UploadCut,
		pica.KnobRound:        pica.RoundCut,
		pica.KnobDot:          pica.DotSeeded,
		pica.KnobCompare:      pica.CompareKeep,
		pica.KnobInnerAL:      pica.InnerALStart,
		pica.KnobBreakOutside: pica.BreakOutsideIgnored,
		pica.KnobProgramEnd:   pica.ProgramEnd4095,
		pica.KnobEmitInVertex: pica.EmitInVertexAbort,
		pica.KnobBanks:        pica.BanksOne,
	}), Skipped: absent, Refusal: pica.RefusalAssert},
}

// Profile returns the set as a profile.
func (s *Set) Profile() pica.Profile {
	p := pica.Profile{Name: s.Name, Refusal: s.Refusal, NoGeometry: s.NoGeometry}
	for k, v := range s.Knobs {
		p.Knobs[k] = v
	}
	for _, op := range s.Skipped {
		p.Support[op] = pica.SupportSkip
	}
	for _, op := range s.Refused {
		p.Support[op] = pica.SupportAbort
	}
	return p
}
