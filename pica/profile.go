package pica

// Profile says which of the rules that implementations disagree about hold: one
// value for each knob. The zero Profile is the reference profile f24, correctly
// rounded 1/7/16 with the console's control flow. Named sets, the spelling of
// knobs and values, and the source of each value are in oracle/profile.
type Profile struct {
	Name  string
	Knobs [NumKnobs]Value
	// Support says what becomes of an opcode; indexed by the opcode field.
	Support [NumOpcodes]Support
	// Refusal says how the implementation ends where it refuses to go on.
	Refusal Refusal
	// NoGeometry: the implementation has no geometry stage.
	NoGeometry bool
}

// Knob is an index into Profile.Knobs.
type Knob uint8

// Value is a knob's setting; the constants below belong to one knob each, the
// zero one being that of f24.
type Value uint8

// Support says what an engine does with an opcode.
type Support uint8

// The values of Support.
const (
	SupportRun   Support = iota // execute it; a reserved opcode traps
	SupportSkip                 // do nothing, log a message
	SupportAbort                // refuse: the outcome is TrapUnsupported
)

// The knobs.
const (
	KnobStorage        Knob = iota // what a register holds
	KnobSubnormal                  // decoding of raw24 with e = 0, m != 0
	KnobSpecial                    // decoding of raw24 -0, infinities, NaN
	KnobUpload                     // float32 uniforms and attributes to registers
	KnobRound                      // rounding of arithmetic results
	KnobFlush                      // zeros and subnormals in arithmetic
	KnobZeroInf                    // 0 * inf
	KnobNaNZero                    // NaN * 0
	KnobNegate                     // the descriptor's negate bit
	KnobMAD                        // intermediate rounding
	KnobDot                        // association of dot products
	KnobMax                        // MAX with an infinite second operand
	KnobReciprocalZero             // RCP and RSQ of -0
	KnobReciprocal                 // precision of RCP and RSQ
	KnobExponential                // precision of EX2 and LG2
	KnobCompare                    // CMP operators 6 and 7
	KnobIndex                      // relative addressing
	KnobFlow                       // the control-flow engine
	KnobInnerAL                    // aL after a nested loop
	KnobBreakStep                  // whether BREAK adds the step to aL
	KnobBreakOutside               // BREAK with an empty LOOP stack
	KnobProgramEnd                 // what happens at the top of program memory
	KnobHazards                    // two MOVA in a row, two input registers
	KnobReset                      // what is cleared before every run
	KnobEmitInVertex               // EMIT and SETEMIT in a vertex program
	KnobBanks                      // output banks of the geometry stage
	KnobLITP                       // LITP on -0 and NaN
	KnobIndexedOps                 // an address register on MAX, MIN, RCP, RSQ, CMP
	NumKnobs
)

// KnobStorage.
const (
	StorageF24 Value = iota
	StorageF32
)

// KnobSubnormal.
const (
	SubnormalExact     Value = iota // m * 2^-78
	SubnormalHiddenOne              // (1 + m/65536) * 2^-63
	SubnormalZero                   // +0
)

// KnobSpecial.
const (
	SpecialKept   Value = iota
	SpecialFinite       // -0 is +0; e = 127 is an ordinary exponent
)

// KnobUpload.
const (
	UploadRNE   Value = iota // rounded to the nearest float24
	UploadRZ                 // truncated to float24
	UploadExact              // kept as float32
	UploadCut                // float32 with the mantissa cut to 16 bits, range clamped
)

// KnobRound.
const (
	RoundRNE   Value = iota // to nearest, ties to even, in the storage format
	RoundRZ                 // toward zero
	RoundAlign              // operands aligned, low bits dropped before the sum
	RoundCut                // binary32 to nearest, then mantissa cut to 16 bits, range clamped
)

// KnobFlush.
const (
	FlushNone Value = iota
	FlushAll        // e = 0 inputs and results of arithmetic are +0
)

// KnobZeroInf.
const (
	ZeroInfZero     Value = iota // +0
	ZeroInfNaN                   // IEEE
	ZeroInfPositive              // +0, and every other zero product is +0 too
)

// KnobNaNZero.
const (
	NaNZeroNaN Value = iota
	NaNZeroZero
)

// KnobNegate.
const (
	NegateFlip     Value = iota // flips the sign bit
	NegateMultiply              // multiplies by -1 under the zero rule
)

// KnobMAD.
const (
	MADTwice Value = iota // product rounded, then sum rounded
	MADFused
)

// KnobDot.
const (
	DotLeft     Value = iota // ((p0+p1)+p2)+p3
	DotSeeded                // (((+0+p0)+p1)+p2)+p3
	DotPairwise              // (p0+p1)+(p2+p3); p3 is +0 in DP3
	DotMixed                 // DP3 from the left, DP4 and DPH pairwise
)

// KnobMax.
const (
	MaxCompare Value = iota // a > b ? a : b
	MaxInfB                 // b whenever b is infinite
)

// KnobReciprocalZero.
const (
	ReciprocalZeroPositive Value = iota // +inf
	ReciprocalZeroSigned                // -inf
)

// KnobReciprocal.
const (
	ReciprocalRounded  Value = iota // correctly rounded in the storage format
	ReciprocalTwice                 // binary32; RSQ rounds the root, then the quotient
	ReciprocalEstimate              // an AVX-512 estimate: low bits are not predictable, powers of two exact
	ReciprocalShort                 // an SSE estimate: low bits are not predictable, powers of two 2^-12 low
)

// KnobExponential.
const (
	ExponentialRounded    Value = iota // correctly rounded in the storage format
	ExponentialLibm                    // a C library's: within one unit
	ExponentialEstimate                // a short polynomial on an unknown host: low bits are not predictable
	ExponentialPolynomial              // that polynomial on a host with AVX-512 and FMA
)

// KnobCompare.
const (
	CompareTrue    Value = iota
	CompareKeep          // the flag keeps its value, a message is logged
	CompareOrdered       // true, but an equal pair of operators tests "ordered"
	CompareAbort         // not predictable
)

// KnobIndex.
const (
	IndexWindow   Value = iota // byte window, wrap to 7 bits, ones from 96 to 127, c registers only
	IndexFlat                  // one bank of 128 registers, v and r too; outside it is not predictable
	IndexFlatZero              // the same, zeros outside it
)

// KnobFlow.
const (
	FlowRings           Value = iota // three rings, compared with the executed instruction's successor
	FlowPanda                        // three stacks compared with the actual pc
	FlowUnified                      // one stack checked before each fetch
	FlowStructured                   // code generated in nested blocks, the outermost loop in registers
	FlowStructuredPanda              // the same, every loop on the host's stack, returns checked at jump targets
)

// KnobInnerAL.
const (
	InnerALOuter Value = iota // the outer loop's value comes back
	InnerALStart              // the inner loop's own start value comes back
	InnerALKept               // nothing comes back
)

// KnobBreakStep.
const (
	BreakStepAdds Value = iota
	BreakStepNone
)

// KnobBreakOutside.
const (
	BreakOutsideHang Value = iota // trap
	BreakOutsideIgnored
)

// KnobProgramEnd.
const (
	ProgramEndTrap      Value = iota // fetching word 4096 traps
	ProgramEnd4095                   // END is executed in place of any word from 4095 up
	ProgramEndAbort4096              // code or pc beyond 4096 words is not predictable
	ProgramEndAbort4095              // the same beyond 4095 words
	ProgramEndAbort1024              // the same beyond 1024 words
)

// KnobHazards.
const (
	HazardsOff Value = iota
	HazardsWarn
	HazardsTrap
)

// KnobReset.
const (
	ResetNone    Value = iota
	ResetCC            // cc.x and cc.y
	ResetCCIndex       // cc.x, cc.y, a0 and aL
)

// KnobEmitInVertex.
const (
	EmitInVertexTrap  Value = iota
	EmitInVertexAbort       // the engine asserts
	EmitInVertexSkip
)

// KnobBanks.
const (
	BanksTwo Value = iota // toggled by every EMIT
	BanksOne
)

// KnobLITP.
const (
	LITPMax  Value = iota // MAX and MIN of the operand: -0 and NaN become +0
	LITPPass              // -0 and NaN pass through
)

// KnobIndexedOps.
const (
	IndexedOpsAll   Value = iota
	IndexedOpsAbort       // refused on MAX, MIN, RCP, RSQ, CMP
)
