package profile

import "github.com/picaproof/picaproof/pica"

// A Set is a named profile as data: its differences from f24.
type Set struct {
	Name    string
	About   string
	Knobs   pica.Knobs
	Skipped []pica.Opcode // ignored with a message
	Fetched []pica.Opcode // ignored with a message, once the operands are found
	Refused []pica.Opcode // end the run as Refusal says, when they are reached
	Present []pica.Opcode // end the run as Refusal says, wherever they stand in the program
	Refusal pica.Refusal
	// NoGeometry: the implementation has no geometry stage.
	NoGeometry bool
}

// reserved lists the opcodes without a known instruction.
var reserved = func() (list []pica.Opcode) {
	for op := range pica.Opcode(pica.NumOpcodes) {
		if op.Reserved() {
			list = append(list, op)
		}
	}
	return list
}()

// emulator returns the knobs that most emulators share, after change.
func emulator(change func(k *pica.Knobs)) pica.Knobs {
	k := pica.Knobs{
		Storage:        pica.Float32,
		Upload:         pica.UploadExact,
		ReciprocalZero: pica.ReciprocalZeroSigned,
		Reciprocal:     pica.ReciprocalTwice,
		Exponential:    pica.ExponentialLibm,
		Vertex3:        pica.Vertex3Abort,
	}
	change(&k)
	return k
}

// with joins lists of opcodes.
func with(lists ...[]pica.Opcode) (all []pica.Opcode) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var azahar = emulator(func(k *pica.Knobs) {
	k.Dot = pica.DotSeeded
	k.Compare = pica.CompareKeep
	k.InnerAL = pica.InnerALStart
	k.BreakOutside = pica.BreakOutsideIgnored
	k.ProgramEnd = pica.ProgramEnd4095
	k.EmitInVertex = pica.EmitInVertexAbort
})

// rounded returns knobs with correctly rounded EX2 and LG2, which define every bit of a
// result.
func rounded(k pica.Knobs) pica.Knobs {
	k.Exponential = pica.ExponentialRounded
	return k
}

// absent lists the opcodes that the Citra family never implemented.
var absent = with(reserved, []pica.Opcode{pica.DST, pica.DSTI, pica.LITP})

// Sets lists the named profiles, the console and plain arithmetic first.
var Sets = []Set{
	{Name: "f24", About: "correctly rounded 1/7/16 arithmetic, the console's control flow"},
	{Name: "hw", About: "the best public knowledge of the console", Knobs: pica.Knobs{
		Upload:  pica.UploadRZ,
		Round:   pica.RoundRZ,
		Flush:   pica.FlushAll,
		Hazards: pica.HazardsTrap,
	}},
	{Name: "f32", About: "Azahar's interpreter, EX2 and LG2 correctly rounded", Knobs: rounded(azahar),
		Skipped: absent, Refusal: pica.RefusalAssert},
	{Name: "azahar-interp", About: "Azahar's interpreter, EX2 and LG2 by a C library", Knobs: azahar, Skipped: absent,
		Refusal: pica.RefusalAssert},
	{Name: "azahar-x64", About: "Azahar's x86-64 compiler", Knobs: emulator(func(k *pica.Knobs) {
		k.Dot = pica.DotMixed
		k.Reciprocal = pica.ReciprocalEstimate
		k.Exponential = pica.ExponentialPolynomial
		k.Compare = pica.CompareAbort
		k.Flow = pica.FlowStructured
		k.BreakStep = pica.BreakStepNone
		k.ProgramEnd = pica.ProgramEnd4095
		k.EmitInVertex = pica.EmitInVertexSkip
	}), Skipped: with(absent, []pica.Opcode{pica.BREAK}), Refusal: pica.RefusalAssert},
	{Name: "panda-interp", About: "Panda3DS's interpreter", Knobs: emulator(func(k *pica.Knobs) {
		k.Subnormal = pica.SubnormalHiddenOne
		k.Max = pica.MaxInfB
		k.ReciprocalZero = pica.ReciprocalZeroPositive
		k.Flow = pica.FlowPanda
		k.InnerAL = pica.InnerALKept
		k.ProgramEnd = pica.ProgramEndAbort4095
		k.LITP = pica.LITPPass
		k.IndexedOps = pica.IndexedOpsAbort
	}), Refused: with(reserved, []pica.Opcode{pica.DPH, pica.DST, pica.DSTI, pica.BREAK, pica.BREAKC, pica.EMIT,
		pica.SETEMIT}), Refusal: pica.RefusalPanic, NoGeometry: true},
	{Name: "panda-x64", About: "Panda3DS's x86-64 compiler, accurate multiplication off, host with FMA",
		Knobs: emulator(func(k *pica.Knobs) {
			k.Subnormal = pica.SubnormalHiddenOne
			k.ZeroInf = pica.ZeroInfNaN
			k.MAD = pica.MADFused
			k.Dot = pica.DotPairwise
			k.Reciprocal = pica.ReciprocalShort
			k.Exponential = pica.ExponentialPolynomial
			k.Compare = pica.CompareOrdered
			k.Index = pica.IndexFlatZero
			k.Flow = pica.FlowStructuredPanda
			k.InnerAL = pica.InnerALKept
			k.ProgramEnd = pica.ProgramEndAbort4095
			k.EmitInVertex = pica.EmitInVertexSkip
		}), Skipped: []pica.Opcode{pica.BREAK, pica.BREAKC, pica.EMIT, pica.SETEMIT},
		Present: absent, Refusal: pica.RefusalPanic, NoGeometry: true},
	{Name: "mikage-interp", About: "Mikage's interpreter", Knobs: emulator(func(k *pica.Knobs) {
		k.Subnormal = pica.SubnormalZero
		k.Special = pica.SpecialFinite
		k.ZeroInf = pica.ZeroInfPositive
		k.Negate = pica.NegateMultiply
		k.Dot = pica.DotSeeded
		k.Compare = pica.CompareKeep
		k.Index = pica.IndexFlat
		k.Flow = pica.FlowUnified
		k.InnerAL = pica.InnerALKept
		k.ProgramEnd = pica.ProgramEndAbort1024
		k.Reset = pica.ResetCCIndex
		k.EmitInVertex = pica.EmitInVertexSkip
	}), Skipped: with(absent, []pica.Opcode{pica.DPH, pica.EX2, pica.LG2, pica.SGE, pica.SLT, pica.FLR,
		pica.BREAK, pica.BREAKC, pica.EMIT, pica.SETEMIT}),
		Refused: []pica.Opcode{pica.DPHI, pica.SGEI, pica.SLTI}, Refusal: pica.RefusalException, NoGeometry: true},
	{Name: "citra-2021", About: "Citra's interpreter of 2021", Knobs: emulator(func(k *pica.Knobs) {
		k.Subnormal = pica.SubnormalHiddenOne
		k.Dot = pica.DotSeeded
		k.Compare = pica.CompareKeep
		k.Index = pica.IndexFlat
		k.Flow = pica.FlowUnified
		k.InnerAL = pica.InnerALKept
		k.ProgramEnd = pica.ProgramEndAbort4096
		k.Reset = pica.ResetCC
		k.EmitInVertex = pica.EmitInVertexAbort
		k.Banks = pica.BanksOne
	}), Skipped: with(reserved, []pica.Opcode{pica.BREAK, pica.BREAKC}),
		Fetched: []pica.Opcode{pica.DST, pica.DSTI, pica.LITP},
		Refusal: pica.RefusalAssert},
	{Name: "borked-rz24", About: "Borked3DS's truncating interpreter; flow and addressing are guessed from its base",
		Knobs: emulator(func(k *pica.Knobs) {
			k.Subnormal = pica.SubnormalHiddenOne
			k.Upload = pica.UploadCut
			k.Round = pica.RoundCut
			k.Dot = pica.DotSeeded
			k.Compare = pica.CompareKeep
			k.InnerAL = pica.InnerALStart
			k.BreakOutside = pica.BreakOutsideIgnored
			k.ProgramEnd = pica.ProgramEnd4095
			k.EmitInVertex = pica.EmitInVertexAbort
			k.Banks = pica.BanksOne
		}), Skipped: absent, Refusal: pica.RefusalAssert},
}

// Profile returns the set as a profile.
func (s *Set) Profile() pica.Profile {
	p := pica.Profile{Name: s.Name, Knobs: s.Knobs, Refusal: s.Refusal, NoGeometry: s.NoGeometry}
	for _, op := range s.Skipped {
		p.Support[op] = pica.SupportSkip
	}
	for _, op := range s.Fetched {
		p.Support[op] = pica.SupportFetch
	}
	for _, op := range s.Refused {
		p.Support[op] = pica.SupportAbort
	}
	for _, op := range s.Present {
		p.Support[op] = pica.SupportPresent
	}
	return p
}
