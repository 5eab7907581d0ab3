package pica

// Profile answers the questions that implementations disagree about: one value for
// each knob. The zero Profile is the reference profile f24, correctly rounded 1/7/16
// with the console's control flow. Named profiles are in oracle/profile; the spelling
// of knobs and values, and the source of each value, are in oracle/impl.
type Profile struct {
	Name string
	Knobs
	// Support is indexed by the opcode field.
	Support [NumOpcodes]Support
	// Refusal says how the implementation ends where it refuses to go on.
	Refusal Refusal
	// NoGeometry: the implementation has no geometry stage.
	NoGeometry bool
}

// Knobs holds one value for each question that implementations disagree about. The
// zero value of each is the value in f24.
type Knobs struct {
	Storage        NumberFormat       // number format of registers
	Subnormal      SubnormalRule      // decoding of raw24 with e = 0, m != 0
	Special        SpecialRule        // decoding of raw24 -0, infinities, NaN
	Upload         UploadRule         // float32 uniforms and attributes to registers
	Round          RoundRule          // rounding of arithmetic results
	Flush          FlushRule          // zeros and subnormals in arithmetic
	FlushMOV       FlushRule          // zeros and subnormals in MOV
	FlushSGE       FlushRule          // zeros and subnormals in SGE and SLT
	FlushLITP      FlushRule          // zeros and subnormals in LITP
	ZeroInf        ZeroInfRule        // 0 * inf
	NaNZero        NaNZeroRule        // NaN * 0
	Negate         NegateRule         // the descriptor's negate bit
	MAD            MADRule            // intermediate rounding
	Dot            DotRule            // association of dot products
	Max            MaxRule            // MAX with an infinite second operand
	MaxZero        MaxZeroRule        // MAX and MIN of +0 and -0
	ReciprocalZero ReciprocalZeroRule // RCP and RSQ of -0
	Reciprocal     ReciprocalRule     // precision of RCP and RSQ
	Exponential    ExponentialRule    // precision of EX2 and LG2
	Compare        CompareRule        // CMP operators 6 and 7
	Index          IndexRule          // relative addressing
	Flow           FlowRule           // the control-flow engine
	FourthCall     FourthCallRule     // the fourth CALL that one instruction ends
	InnerAL        InnerALRule        // aL after a nested loop
	BreakStep      BreakStepRule      // whether BREAK adds the step to aL
	BreakOutside   BreakOutsideRule   // BREAK with an empty LOOP stack
	ProgramEnd     ProgramEndRule     // what happens at the top of program memory
	Hazards        HazardRule         // two MOVA in a row, two input registers
	Reset          ResetRule          // state cleared before every run
	Temporaries    TemporariesRule    // r0 to r15 before every run
	EmitInVertex   EmitInVertexRule   // EMIT and SETEMIT in a vertex program
	Banks          BankRule           // output banks of the geometry stage
	LITP           LITPRule           // LITP on -0 and NaN
	IndexedOps     IndexedOpsRule     // an address register on MAX, MIN, RCP, RSQ, CMP
	Vertex3        Vertex3Rule        // EMIT with vertex id 3
	MOVA           MOVARule           // MOVA of numbers that are no integers
	MOVARange      MOVARangeRule      // MOVA of numbers that are too large, and of NaN
	LoopID         LoopIDRule         // width of LOOP's integer id
	Overflow       OverflowRule       // results that are too large
	ALWidth        ALWidthRule        // width of aL
}

// Support says what an engine does with an opcode.
type Support uint8

// The values of Support.
const (
	SupportRun     Support = iota // execute it; a reserved opcode traps
	SupportSkip                   // do nothing, log a message
	SupportAbort                  // refuse when it is reached: the outcome is TrapUnsupported
	SupportFetch                  // find the operands, then do nothing, log a message
	SupportPresent                // refuse every program that has the opcode, reached or not
	NumSupports
)

// SubnormalRule: decoding of raw24 with e = 0, m != 0.
type SubnormalRule uint8

// The values of SubnormalRule.
const (
	SubnormalExact     SubnormalRule = iota // m * 2^-78
	SubnormalHiddenOne                      // (1 + m/65536) * 2^-63
	SubnormalZero                           // +0
)

// SpecialRule: decoding of raw24 -0, infinities, NaN.
type SpecialRule uint8

// The values of SpecialRule.
const (
	SpecialKept     SpecialRule = iota
	SpecialFinite               // -0 is +0; e = 127 is an ordinary exponent
	SpecialPositive             // -0 is +0
)

// UploadRule: float32 uniforms and attributes to registers.
type UploadRule uint8

// The values of UploadRule.
const (
	UploadRNE   UploadRule = iota // rounded to the nearest float24
	UploadRZ                      // truncated to float24
	UploadExact                   // kept as float32
	UploadCut                     // float32 with the mantissa cut to 16 bits, range clamped
)

// RoundRule: rounding of arithmetic results.
type RoundRule uint8

// The values of RoundRule.
const (
	RoundRNE   RoundRule = iota // to nearest, ties to even, in the storage format
	RoundRZ                     // toward zero
	RoundAlign                  // operands aligned, low bits dropped before the sum
	RoundCut                    // binary32 to nearest, then mantissa cut to 16 bits, range clamped
)

// FlushRule: zeros and subnormals in arithmetic, or in some instructions that compute nothing.
type FlushRule uint8

// The values of FlushRule.
const (
	FlushNone   FlushRule = iota
	FlushAll              // e = 0 inputs and results are +0
	FlushSigned           // e = 0 inputs and results are zeros that keep their sign
)

// ZeroInfRule: 0 * inf.
type ZeroInfRule uint8

// The values of ZeroInfRule.
const (
	ZeroInfZero     ZeroInfRule = iota // +0
	ZeroInfNaN                         // IEEE
	ZeroInfPositive                    // +0, and every other zero product is +0 too
)

// NaNZeroRule: NaN * 0.
type NaNZeroRule uint8

// The values of NaNZeroRule.
const (
	NaNZeroNaN NaNZeroRule = iota
	NaNZeroZero
)

// NegateRule: the descriptor's negate bit.
type NegateRule uint8

// The values of NegateRule.
const (
	NegateFlip     NegateRule = iota // flips the sign bit
	NegateMultiply                   // multiplies by -1 under the zero rule
)

// MADRule: intermediate rounding.
type MADRule uint8

// The values of MADRule.
const (
	MADTwice MADRule = iota // product rounded, then sum rounded
	MADFused
)

// DotRule: association of dot products.
type DotRule uint8

// The values of DotRule.
const (
	DotLeft     DotRule = iota // ((p0+p1)+p2)+p3
	DotSeeded                  // (((+0+p0)+p1)+p2)+p3
	DotPairwise                // (p0+p1)+(p2+p3); p3 is +0 in DP3
	DotMixed                   // DP3 from the left, DP4 and DPH pairwise
)

// MaxRule: MAX with an infinite second operand.
type MaxRule uint8

// The values of MaxRule.
const (
	MaxCompare MaxRule = iota // a > b ? a : b
	MaxInfB                   // b whenever b is infinite
)

// MaxZeroRule: MAX and MIN of +0 and -0.
type MaxZeroRule uint8

// The values of MaxZeroRule.
const (
	MaxZeroB       MaxZeroRule = iota // the second operand
	MaxZeroOrdered                    // -0 is below +0
)

// ReciprocalZeroRule: RCP and RSQ of -0.
type ReciprocalZeroRule uint8

// The values of ReciprocalZeroRule.
const (
	ReciprocalZeroPositive ReciprocalZeroRule = iota // +inf
	ReciprocalZeroSigned                             // -inf
)

// ReciprocalRule: precision of RCP and RSQ.
type ReciprocalRule uint8

// The values of ReciprocalRule.
const (
	ReciprocalRounded  ReciprocalRule = iota // correctly rounded in the storage format
	ReciprocalTwice                          // RSQ rounds the root, then the quotient
	ReciprocalEstimate                       // an AVX-512 estimate: low bits are not predictable
	ReciprocalShort                          // an SSE estimate: low bits unpredictable, powers of two 2^-12 low
)

// ExponentialRule: precision of EX2 and LG2.
type ExponentialRule uint8

// The values of ExponentialRule.
const (
	ExponentialRounded    ExponentialRule = iota // correctly rounded in the storage format
	ExponentialLibm                              // a C library's: within one unit
	ExponentialEstimate                          // a short polynomial on an unknown host: low bits are not predictable
	ExponentialPolynomial                        // that polynomial on a host with AVX-512 and FMA
)

// CompareRule: CMP operators 6 and 7.
type CompareRule uint8

// The values of CompareRule.
const (
	CompareTrue    CompareRule = iota
	CompareKeep                // the flag keeps its value, a message is logged
	CompareOrdered             // true, but an equal pair of operators tests "ordered"
	CompareAbort               // not predictable
)

// IndexRule: relative addressing.
type IndexRule uint8

// The values of IndexRule.
const (
	IndexWindow     IndexRule = iota // byte window, wrap to 7 bits, ones from 96 to 127, c registers only
	IndexFlat                        // one bank of 128 registers, v and r too; outside it is not predictable
	IndexFlatZero                    // one bank of 128 registers, v and r too; zeros outside it
	IndexWindowZero                  // as IndexWindow, zeros for offsets beyond a byte
)

// FlowRule: the control-flow engine.
type FlowRule uint8

// The values of FlowRule.
const (
	FlowRings           FlowRule = iota // three rings, compared with the executed instruction's successor
	FlowPanda                           // three stacks compared with the actual pc
	FlowUnified                         // one stack checked before each fetch
	FlowStructured                      // code generated in nested blocks, the outermost loop in registers
	FlowStructuredPanda                 // nested blocks, each loop on the host stack, returns checked at jump targets
)

// FourthCallRule: the fourth CALL that one instruction ends.
type FourthCallRule uint8

// The values of FourthCallRule.
const (
	FourthCallLost    FourthCallRule = iota // its return address is lost
	FourthCallReturns                       // it returns
)

// InnerALRule: aL after a nested loop.
type InnerALRule uint8

// The values of InnerALRule.
const (
	InnerALOuter InnerALRule = iota // the outer loop's value comes back
	InnerALStart                    // the inner loop's own start value comes back
	InnerALKept                     // nothing comes back
)

// BreakStepRule: whether BREAK adds the step to aL.
type BreakStepRule uint8

// The values of BreakStepRule.
const (
	BreakStepAdds BreakStepRule = iota
	BreakStepNone
)

// BreakOutsideRule: BREAK with an empty LOOP stack.
type BreakOutsideRule uint8

// The values of BreakOutsideRule.
const (
	BreakOutsideHang BreakOutsideRule = iota // trap
	BreakOutsideIgnored
)

// ProgramEndRule: what happens at the top of program memory.
type ProgramEndRule uint8

// The values of ProgramEndRule.
const (
	ProgramEndTrap      ProgramEndRule = iota // fetching word 4096 traps
	ProgramEnd4095                            // END is executed in place of any word from 4095 up
	ProgramEndAbort4096                       // more than 4096 words are refused; pc beyond them is not predictable
	ProgramEndAbort4095                       // more than 4095 words are refused; pc beyond them is not predictable
	ProgramEndAbort1024                       // code or pc beyond 1024 words is not predictable
	ProgramEndWrap                            // word 0 follows word 4095
	ProgramEndWrap512                         // the same; in a vertex program word 0 follows word 511
)

// HazardRule: two MOVA in a row, two input registers.
type HazardRule uint8

// The values of HazardRule.
const (
	HazardsOff HazardRule = iota
	HazardsWarn
	HazardsTrap
)

// ResetRule: state cleared before every run.
type ResetRule uint8

// The values of ResetRule.
const (
	ResetNone    ResetRule = iota
	ResetCC                // cc.x and cc.y
	ResetCCIndex           // cc.x, cc.y, a0 and aL
)

// TemporariesRule: r0 to r15 before every run.
type TemporariesRule uint8

// The values of TemporariesRule.
const (
	TemporariesKept TemporariesRule = iota
	TemporariesZero
	TemporariesW1 // (0, 0, 0, 1)
)

// EmitInVertexRule: EMIT and SETEMIT in a vertex program.
type EmitInVertexRule uint8

// The values of EmitInVertexRule.
const (
	EmitInVertexTrap  EmitInVertexRule = iota
	EmitInVertexAbort                  // the engine asserts
	EmitInVertexSkip
)

// BankRule: output banks of the geometry stage.
type BankRule uint8

// The values of BankRule.
const (
	BanksTwo BankRule = iota // toggled by every EMIT
	BanksOne
)

// LITPRule: LITP on -0 and NaN.
type LITPRule uint8

// The values of LITPRule.
const (
	LITPMax  LITPRule = iota // MAX and MIN of the operand: -0 and NaN become +0
	LITPPass                 // -0 and NaN pass through
)

// IndexedOpsRule: an address register on MAX, MIN, RCP, RSQ, CMP.
type IndexedOpsRule uint8

// The values of IndexedOpsRule.
const (
	IndexedOpsAll   IndexedOpsRule = iota
	IndexedOpsAbort                // refused on MAX, MIN, RCP, RSQ, CMP
)

// Vertex3Rule: EMIT with vertex id 3.
type Vertex3Rule uint8

// The values of Vertex3Rule.
const (
	Vertex3Trap  Vertex3Rule = iota
	Vertex3Abort             // the engine asserts
	Vertex3None              // no vertex is stored
)

// MOVARule: MOVA of numbers that are no integers.
type MOVARule uint8

// The values of MOVARule.
const (
	MOVATruncates MOVARule = iota
	MOVAFloors
	MOVANearest // ties to even
)

// MOVARangeRule: MOVA of numbers that are too large, and of NaN.
type MOVARangeRule uint8

// The values of MOVARangeRule.
const (
	MOVARangeLowest  MOVARangeRule = iota // -2^31
	MOVARangeNearest                      // the nearest 32-bit integer; NaN is 0
	MOVARangeByte                         // the nearest of -128 to 127; NaN is 0
)

// LoopIDRule: width of LOOP's integer id.
type LoopIDRule uint8

// The values of LoopIDRule.
const (
	LoopIDTwo   LoopIDRule = iota // bits 22 and 23
	LoopIDThree                   // bit 24 too; i4 to i7 are zero
)

// OverflowRule: results that are too large.
type OverflowRule uint8

// The values of OverflowRule.
const (
	OverflowInfinite OverflowRule = iota
	OverflowLargest               // the largest number with the sign
)

// ALWidthRule: width of aL.
type ALWidthRule uint8

// The values of ALWidthRule.
const (
	ALWidth32 ALWidthRule = iota
	ALWidth8              // 0 to 255: a step wraps
)
