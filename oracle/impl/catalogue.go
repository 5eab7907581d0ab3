package impl

import (
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// SourceClass is the kind of evidence for a value of a knob.
type SourceClass string

// The classes.
const (
	Console        SourceClass = "console"        // observed on a console; About names the observer
	Documented     SourceClass = "documented"     // a page claims it
	Implementation SourceClass = "implementation" // the programs that About names do it
	Guess          SourceClass = "guess"          // our choice or inference
)

// A Knob is a question that implementations answer differently, or that is open.
type Knob struct {
	Name   string
	Open   string  // open questions about the console, numbered as in pica200.md 10: "Q10 Q11"
	About  string  // the question
	Values []Value // indexed by number
	get    func(k *pica.Knobs) int
	set    func(k *pica.Knobs, value int)
}

// A Value is one answer.
type Value struct {
	Name         string
	Class        SourceClass
	About        string                                 // the behaviour and its source
	replace      func(r *oracle.Rules, p *pica.Profile) // replaces rules; may be nil
	needsFloat32 bool                                   // registers must hold float32
	Foreign      bool                                   // some reads find foreign memory, with any value in it
	Crashes      bool                                   // some programs crash the process
}

// Get returns the number of the knob's value in p. It indexes Values unless the
// profile has a value that does not exist.
func (k *Knob) Get(p *pica.Profile) int { return k.get(&p.Knobs) }

// Set sets the knob in p to the value with this number.
func (k *Knob) Set(p *pica.Profile, value int) { k.set(&p.Knobs, value) }

// Replaces reports whether a value replaces rules of those that other values leave.
func (k *Knob) Replaces(value int) bool { return k.Values[value].replace != nil }

// typed is a value of a knob, with its number in the knob's type V.
type typed[V ~uint8] struct {
	number V
	Value
}

// value returns a value that replaces no rules.
func value[V ~uint8](number V, name string, class SourceClass, about string) typed[V] {
	return typed[V]{number, Value{Name: name, Class: class, About: about}}
}

// replacing adds the function that replaces rules.
func (t typed[V]) replacing(replace func(r *oracle.Rules, p *pica.Profile)) typed[V] {
	t.replace = replace
	return t
}

// inFloat32 marks a value that needs float32 registers.
func (t typed[V]) inFloat32() typed[V] {
	t.needsFloat32 = true
	return t
}

// foreign marks a value with which some reads find foreign memory.
func (t typed[V]) foreign() typed[V] {
	t.Foreign = true
	return t
}

// crashing marks a value with which some programs crash the process.
func (t typed[V]) crashing() typed[V] {
	t.Crashes = true
	return t
}

// knob returns a knob. field returns a pointer to its value; the type V of that value rejects
// values of other knobs at compile time. The values must be in the order of their numbers.
func knob[V ~uint8](name, open, about string, field func(k *pica.Knobs) *V, values ...typed[V]) Knob {
	k := Knob{Name: name, Open: open, About: about,
		get: func(k *pica.Knobs) int { return int(*field(k)) },
		set: func(k *pica.Knobs, value int) { *field(k) = V(value) },
	}
	for i, v := range values {
		if int(v.number) != i {
			panic("impl: the values of " + name + " are not in order")
		}
		k.Values = append(k.Values, v.Value)
	}
	return k
}

// Catalogue lists the knobs. The first value of each is the reference's.
var Catalogue = []Knob{
	knob("storage", "", "what a register holds", func(k *pica.Knobs) *pica.NumberFormat { return &k.Storage },
		value(pica.Float24, "f24", Documented, "1/7/16 (3dbrew, picasso)"),
		value(pica.Float32, "f32", Implementation, "binary32: every mainstream emulator")),
	knob("subnormal", "", "decoding of raw24 with exponent 0 and a mantissa; others than exact need storage=f32",
		func(k *pica.Knobs) *pica.SubnormalRule { return &k.Subnormal },
		value(pica.SubnormalExact, "exact", Implementation, "m * 2^-78: Azahar"),
		value(pica.SubnormalHiddenOne, "hidden-one", Implementation,
			"(1 + m/65536) * 2^-63: Citra, Panda3DS, Borked3DS").replacing(hiddenOnes).inFloat32(),
		value(pica.SubnormalZero, "zero", Implementation, "+0: Mikage").replacing(subnormalsAreZero).inFloat32()),
	knob("special", "Q6", "decoding of raw24 -0, infinities and NaN; finite needs storage=f32",
		func(k *pica.Knobs) *pica.SpecialRule { return &k.Special },
		value(pica.SpecialKept, "kept", Console,
			"infinities and NaN exist (yuriks); -0 is kept by all emulators but Mikage"),
		value(pica.SpecialFinite, "finite", Implementation,
			"-0 is +0, exponent 127 is an ordinary one: Mikage").replacing(allFinite).inFloat32(),
		value(pica.SpecialPositive, "positive", Documented,
			"-0 is +0: the 3dbrew table of 2015 has no -0").replacing(positiveZero)),
	knob("upload", "Q15", "float32 uniforms and inputs on their way to a register",
		func(k *pica.Knobs) *pica.UploadRule { return &k.Upload },
		value(pica.UploadRNE, "rne", Guess, "to the nearest float24"),
		value(pica.UploadRZ, "rz", Guess, "truncated to float24, as libctru does for constants"),
		value(pica.UploadExact, "exact", Implementation,
			"kept as float32, needs storage=f32: every mainstream emulator").replacing(exactUploads).inFloat32(),
		value(pica.UploadCut, "cut", Implementation,
			"mantissa cut to 16 bits, range clamped, needs storage=f32: Borked3DS").replacing(cutUploads).inFloat32()),
	knob("round", "Q1", "rounding of sums and products", func(k *pica.Knobs) *pica.RoundRule { return &k.Round },
		value(pica.RoundRNE, "rne", Implementation,
			"to nearest, ties to even, in the storage format: every emulator, in float32"),
		value(pica.RoundRZ, "rz", Guess, "toward zero: truncating emulators cured the clipping in one game"),
		value(pica.RoundAlign, "align", Guess,
			"toward zero after bits more than three below the larger operand's last are dropped").replacing(aligned),
		value(pica.RoundCut, "cut", Implementation,
			"float32 to nearest, then 16 mantissa bits, needs storage=f32: "+
				"Borked3DS").replacing(cutResults).inFloat32()),
	knob("flush", "Q6", "zeros and subnormals in arithmetic", func(k *pica.Knobs) *pica.FlushRule { return &k.Flush },
		value(pica.FlushNone, "none", Implementation,
			"gradual underflow and signed zeros: every emulator, in float32"),
		value(pica.FlushAll, "all", Console,
			"subnormal inputs and results are +0 (T. Karras); that there is no -0 is documented (3dbrew), not measured"),
		value(pica.FlushSigned, "signed", Guess,
			"subnormal inputs and results are zeros that keep their sign; -0 does in most emulators").
			replacing(signedZeros)),
	knob("flushmov", "Q15", "zeros and subnormals in MOV", func(k *pica.Knobs) *pica.FlushRule { return &k.FlushMOV },
		value(pica.FlushNone, "none", Implementation, "copied: every emulator; unknown on the console"),
		value(pica.FlushAll, "all", Guess, "+0, as in arithmetic").replacing(movFlushes)),
	knob("flushsge", "Q15", "zeros and subnormals in SGE, SLT and the flags of LITP",
		func(k *pica.Knobs) *pica.FlushRule { return &k.FlushSGE },
		value(pica.FlushNone, "none", Implementation,
			"compared as they are: every emulator that has them; unknown on the console"),
		value(pica.FlushAll, "all", Guess, "+0, as in arithmetic").replacing(sgeFlushes)),
	knob("zeroinf", "Q6", "0 * inf", func(k *pica.Knobs) *pica.ZeroInfRule { return &k.ZeroInf },
		value(pica.ZeroInfZero, "zero", Console, "+0 (yuriks and aroulin, fp-tests)"),
		value(pica.ZeroInfNaN, "nan", Implementation,
			"NaN: Panda3DS x64 without accurate multiplication").replacing(zeroTimesInfinity),
		value(pica.ZeroInfPositive, "positive", Implementation,
			"+0, and every product with a zero is +0: Mikage").replacing(positiveZeros)),
	knob("nan0", "Q7", "NaN * 0", func(k *pica.Knobs) *pica.NaNZeroRule { return &k.NaNZero },
		value(pica.NaNZeroNaN, "nan", Console, "NaN (fp-tests)"),
		value(pica.NaNZeroZero, "zero", Documented, "0: the 3dbrew table of 2015").replacing(nanTimesZero)),
	knob("negate", "Q6", "the negate bit of an operand descriptor",
		func(k *pica.Knobs) *pica.NegateRule { return &k.Negate },
		value(pica.NegateFlip, "flip", Implementation, "flips the sign bit: all but Mikage"),
		value(pica.NegateMultiply, "multiply", Implementation, "multiplies by -1: Mikage").replacing(multipliedSigns)),
	knob("mad", "Q2", "intermediate rounding of MAD", func(k *pica.Knobs) *pica.MADRule { return &k.MAD },
		value(pica.MADTwice, "twice", Implementation,
			"product and sum are rounded: all but Panda3DS's compilers; unknown on the console"),
		value(pica.MADFused, "fused", Implementation,
			"only the sum is: Panda3DS x64 on a host with FMA; nihstro's notes").replacing(fused)),
	knob("dp", "Q3", "order of the sum in a dot product", func(k *pica.Knobs) *pica.DotRule { return &k.Dot },
		value(pica.DotLeft, "left", Implementation, "((p0+p1)+p2)+p3: Panda3DS's interpreter; unknown on the console"),
		value(pica.DotSeeded, "seeded", Implementation,
			"the same after +0: interpreters of Azahar, Citra, Mikage").replacing(seeded),
		value(pica.DotPairwise, "pairwise", Implementation,
			"(p0+p1)+(p2+p3), with +0 for p3 in DP3: Panda3DS x64").replacing(pairwise),
		value(pica.DotMixed, "mixed", Implementation,
			"DP3 from the left, the others pairwise: Azahar x64").replacing(mixed)),
	knob("maxinf", "Q7", "MAX with an infinite second operand", func(k *pica.Knobs) *pica.MaxRule { return &k.Max },
		value(pica.MaxCompare, "compare", Console, "a > b ? a : b, so max(0, -inf) is 0 (fp-tests)"),
		value(pica.MaxInfB, "src2", Documented,
			"the second operand: the 3dbrew table of 2015, Panda3DS's interpreter").replacing(maxInfinite)),
	knob("maxzero", "Q7", "MAX and MIN of +0 and -0", func(k *pica.Knobs) *pica.MaxZeroRule { return &k.MaxZero },
		value(pica.MaxZeroB, "src2", Implementation,
			"the second operand: all but Panda3DS's arm64 compiler; unknown on the console"),
		value(pica.MaxZeroOrdered, "ordered", Implementation,
			"MAX returns +0, MIN returns -0: Panda3DS's arm64 compiler").replacing(orderedZeros)),
	knob("rcp0", "Q6", "RCP and RSQ of -0", func(k *pica.Knobs) *pica.ReciprocalZeroRule { return &k.ReciprocalZero },
		value(pica.ReciprocalZeroPositive, "positive", Documented, "+inf (3dbrew)"),
		value(pica.ReciprocalZeroSigned, "signed", Implementation,
			"-inf: all but Panda3DS's interpreter").replacing(signedInverses)),
	knob("rcp", "Q4", "precision of RCP and RSQ", func(k *pica.Knobs) *pica.ReciprocalRule { return &k.Reciprocal },
		value(pica.ReciprocalRounded, "rounded", Guess,
			"correctly rounded in the storage format; the console's tables are unknown"),
		value(pica.ReciprocalTwice, "twice", Implementation,
			"RSQ rounds the root, then the quotient: the interpreters, in float32").replacing(roundedRoots),
		value(pica.ReciprocalEstimate, "estimate", Implementation,
			"an AVX-512 estimate, 14 bits certain, which depends on the processor; the rounded value is "+
				"given: Azahar x64").replacing(reciprocalEstimates),
		value(pica.ReciprocalShort, "short", Implementation,
			"an SSE estimate, 11 bits certain, which depends on the processor; the rounded value is given, "+
				"for powers of two one low by 2^-12: Panda3DS x64").replacing(shortEstimates)),
	knob("ex2", "Q4", "precision of EX2 and LG2", func(k *pica.Knobs) *pica.ExponentialRule { return &k.Exponential },
		value(pica.ExponentialRounded, "rounded", Guess,
			"correctly rounded in the storage format; the console's tables are unknown"),
		value(pica.ExponentialLibm, "libm", Implementation,
			"a C library's, within one unit of the rounded value given here: the interpreters"),
		value(pica.ExponentialEstimate, "estimate", Implementation,
			"a short polynomial on an unknown host; the rounded value is given: the compilers").
			replacing(exponentialEstimates),
		value(pica.ExponentialPolynomial, "polynomial", Implementation,
			"that polynomial on a host with AVX-512 and FMA, to the last bit, needs storage=f32: Azahar "+
				"and Panda3DS x64").replacing(polynomials).inFloat32()),
	knob("cmp", "Q8", "the comparison operators 6 and 7", func(k *pica.Knobs) *pica.CompareRule { return &k.Compare },
		value(pica.CompareTrue, "true", Documented, "true (3dbrew)"),
		value(pica.CompareKeep, "keep", Implementation,
			"the flag stays: interpreters of Azahar, Citra, Mikage").replacing(compareKeeps),
		value(pica.CompareOrdered, "ordered", Implementation,
			"true, but an equal pair of them tests for NaN: Panda3DS x64").replacing(compareOrdered),
		value(pica.CompareAbort, "abort", Implementation,
			"refused, or compared by what lies beyond a table: Corgi3DS, Azahar x64").replacing(compareAborts)),
	knob("index", "Q13", "relative addressing", func(k *pica.Knobs) *pica.IndexRule { return &k.Index },
		value(pica.IndexWindow, "window", Console,
			"float uniforms only; offsets beyond a byte count as 0, 96 to 127 read as ones (Steveice10)"),
		value(pica.IndexFlat, "flat", Implementation,
			"all registers in a row, outside is foreign memory and not predictable: Citra, Mikage").
			replacing(flat).foreign(),
		value(pica.IndexFlatZero, "flat-zero", Implementation,
			"all registers in a row, zeros outside: Panda3DS x64").replacing(flatZero),
		value(pica.IndexWindowZero, "window-zero", Documented,
			"as window, but offsets beyond a byte read zeros (3dbrew)").replacing(windowZeros)),
	knob("flow", "Q10 Q11", "the model of control flow", func(k *pica.Knobs) *pica.FlowRule { return &k.Flow },
		value(pica.FlowRings, "rings", Console,
			"three rings, compared with the executed instruction's successor (T. Karras, single observer); "+
				"Azahar's interpreter"),
		value(pica.FlowPanda, "panda", Implementation,
			"three stacks, compared with the next address: Panda3DS's interpreter").replacing(pandaFlow),
		value(pica.FlowUnified, "unified", Implementation,
			"one stack, compared before each fetch: interpreters of Citra and Mikage").replacing(unifiedFlow),
		value(pica.FlowStructured, "structured", Implementation,
			"host code laid out in nested blocks, the outermost loop in registers: Azahar x64").
			replacing(structuredFlow).crashing(),
		value(pica.FlowStructuredPanda, "structured-panda", Implementation,
			"the same, every loop on the host's stack, a jump to a procedure's end returns: Panda3DS x64").
			replacing(structuredPandaFlow).crashing()),
	knob("fourthcall", "Q10", "the fourth CALL that one instruction ends, where flow=rings",
		func(k *pica.Knobs) *pica.FourthCallRule { return &k.FourthCall },
		value(pica.FourthCallLost, "lost", Console,
			"its return address is lost (T. Karras, single observer); Azahar's interpreter"),
		value(pica.FourthCallReturns, "returns", Implementation,
			"it returns: Citra, Mikage, the compilers").replacing(fourthReturns)),
	knob("inneral", "Q10", "aL after a nested loop", func(k *pica.Knobs) *pica.InnerALRule { return &k.InnerAL },
		value(pica.InnerALOuter, "outer", Console,
			"the outer loop's value comes back (T. Karras, single observer); Azahar x64"),
		value(pica.InnerALStart, "start", Implementation,
			"the inner loop's first value comes back: Azahar's interpreter").replacing(innerStart),
		value(pica.InnerALKept, "kept", Implementation,
			"nothing comes back: Citra, Mikage, Panda3DS").replacing(innerKept)),
	knob("breakstep", "", "whether BREAK adds the step to aL",
		func(k *pica.Knobs) *pica.BreakStepRule { return &k.BreakStep },
		value(pica.BreakStepAdds, "adds", Console, "it does (T. Karras, single observer); Azahar's interpreter"),
		value(pica.BreakStepNone, "none", Implementation, "it does not: Azahar x64").replacing(breakStepsNot)),
	knob("breakoutside", "", "BREAK without a loop",
		func(k *pica.Knobs) *pica.BreakOutsideRule { return &k.BreakOutside },
		value(pica.BreakOutsideHang, "hang", Console, "the console hangs (T. Karras, single observer): a trap"),
		value(pica.BreakOutsideIgnored, "ignored", Implementation,
			"nothing happens: Azahar").replacing(breakOutsideIgnored)),
	knob("end", "Q9", "the top of program memory", func(k *pica.Knobs) *pica.ProgramEndRule { return &k.ProgramEnd },
		value(pica.ProgramEndTrap, "trap", Guess, "fetching word 4096 traps; unknown on the console"),
		value(pica.ProgramEnd4095, "4095", Implementation,
			"END runs in place of any word from 4095 up: Azahar").replacing(memoryEnds),
		value(pica.ProgramEndAbort4096, "abort4096", Implementation,
			"more than 4096 words are refused; a run beyond them is not predictable: Citra").
			replacing(memoryAborts),
		value(pica.ProgramEndAbort4095, "abort4095", Implementation,
			"more than 4095 words are refused; a run beyond them is not predictable: Panda3DS").
			replacing(memoryAborts),
		value(pica.ProgramEndAbort1024, "abort1024", Implementation,
			"beyond 1024 words not predictable: Mikage").replacing(memoryAborts),
		value(pica.ProgramEndWrap, "wrap", Guess,
			"word 0 follows word 4095, as a comment in Azahar has it").replacing(wrapped),
		value(pica.ProgramEndWrap512, "wrap512", Guess,
			"the same; in a vertex program word 0 follows word 511, the last that an upload fills").replacing(wrapped)),
	knob("hazards", "", "two MOVA in a row; two different input registers in one instruction",
		func(k *pica.Knobs) *pica.HazardRule { return &k.Hazards },
		value(pica.HazardsOff, "off", Implementation, "nothing happens: every emulator"),
		value(pica.HazardsWarn, "warn", Guess, "noted in the outcome"),
		value(pica.HazardsTrap, "trap", Console, "a freeze, wrong data (picasso)")),
	knob("reset", "Q14", "what is cleared before each vertex even where state is kept",
		func(k *pica.Knobs) *pica.ResetRule { return &k.Reset },
		value(pica.ResetNone, "none", Console, "nothing in geometry programs (wwylele)"),
		value(pica.ResetCC, "cc", Implementation, "cc: Citra").replacing(resetsCC),
		value(pica.ResetCCIndex, "cc-index", Implementation, "cc, a0 and aL: Mikage").replacing(resetsIndex)),
	knob("temporaries", "Q14", "r0 to r15 before each vertex, even where state is kept",
		func(k *pica.Knobs) *pica.TemporariesRule { return &k.Temporaries },
		value(pica.TemporariesKept, "kept", Console, "as they were, in geometry programs (wwylele)"),
		value(pica.TemporariesZero, "zero", Implementation, "zeros: Mikage's micro-op engine").
			replacing(zeroTemporaries),
		value(pica.TemporariesW1, "w1", Implementation,
			"(0, 0, 0, 1), which one game expects: the shaders that Azahar generates for its host").
			replacing(temporariesW1)),
	knob("emitvs", "Q16", "EMIT and SETEMIT in a vertex program",
		func(k *pica.Knobs) *pica.EmitInVertexRule { return &k.EmitInVertex },
		value(pica.EmitInVertexTrap, "trap", Guess, "a trap; unknown on the console"),
		value(pica.EmitInVertexAbort, "abort", Implementation,
			"refused: the interpreters of Azahar and Citra").replacing(emitAborts),
		value(pica.EmitInVertexSkip, "skip", Implementation,
			"ignored with a message: the compilers, Mikage").replacing(emitSkips)),
	knob("banks", "", "output banks of the geometry stage", func(k *pica.Knobs) *pica.BankRule { return &k.Banks },
		value(pica.BanksTwo, "two", Console, "two, toggled by every EMIT (PabloMK7); Azahar"),
		value(pica.BanksOne, "one", Implementation, "one: Citra, Borked3DS").replacing(oneBank)),
	knob("litp", "Q8", "-0 and NaN in LITP", func(k *pica.Knobs) *pica.LITPRule { return &k.LITP },
		value(pica.LITPMax, "max", Guess, "become +0, as MAX would have it"),
		value(pica.LITPPass, "pass", Implementation, "pass through: Panda3DS's interpreter").replacing(litpPasses)),
	knob("flushlitp", "Q8", "zeros and subnormals in LITP", func(k *pica.Knobs) *pica.FlushRule { return &k.FlushLITP },
		value(pica.FlushNone, "none", Implementation,
			"clamped as they are: Panda3DS's interpreter; unknown on the console"),
		value(pica.FlushAll, "all", Guess, "+0, as in arithmetic").replacing(litpFlushes)),
	knob("indexedops", "", "an address register on MAX, MIN, RCP, RSQ, CMP",
		func(k *pica.Knobs) *pica.IndexedOpsRule { return &k.IndexedOps },
		value(pica.IndexedOpsAll, "all", Implementation,
			"indexes: all but Panda3DS's interpreter; unknown on the console"),
		value(pica.IndexedOpsAbort, "abort", Implementation,
			"refused: Panda3DS's interpreter").replacing(indexAborts)),
	knob("vertex3", "Q16", "EMIT with vertex id 3", func(k *pica.Knobs) *pica.Vertex3Rule { return &k.Vertex3 },
		value(pica.Vertex3Trap, "trap", Guess, "a trap; unknown on the console"),
		value(pica.Vertex3Abort, "abort", Implementation, "refused: Azahar, Citra").replacing(vertex3Aborts),
		value(pica.Vertex3None, "none", Guess, "no vertex is stored, all else goes on").replacing(noVertex3)),
	knob("mova", "Q5", "MOVA of what is no integer", func(k *pica.Knobs) *pica.MOVARule { return &k.MOVA },
		value(pica.MOVATruncates, "truncate", Implementation, "toward zero: every emulator; unknown on the console"),
		value(pica.MOVAFloors, "floor", Guess, "down").replacing(movaFloors),
		value(pica.MOVANearest, "nearest", Guess, "to nearest, ties to even").replacing(movaNearest)),
	knob("movarange", "Q5", "MOVA of what is too large, and of NaN",
		func(k *pica.Knobs) *pica.MOVARangeRule { return &k.MOVARange },
		value(pica.MOVARangeLowest, "lowest", Implementation, "-2^31: every emulator on x86; unknown on the console"),
		value(pica.MOVARangeNearest, "nearest", Implementation,
			"the nearest 32-bit integer, 0 for NaN: the arm64 compilers of Azahar and Panda3DS").
			replacing(movaSaturates),
		value(pica.MOVARangeByte, "byte", Implementation,
			"the nearest integer from -128 to 127: Tanuki3DS; that NaN is 0 is a guess").replacing(movaBytes)),
	knob("loopid", "Q12", "width of the integer id of LOOP", func(k *pica.Knobs) *pica.LoopIDRule { return &k.LoopID },
		value(pica.LoopIDTwo, "two", Implementation, "bits 22 and 23: every emulator; unknown on the console"),
		value(pica.LoopIDThree, "three", Documented,
			"bit 24 too, as picasso writes it; that i4 to i7 are zero is a guess").replacing(wideLoopID)),
	knob("overflow", "Q18", "results of arithmetic that are too large",
		func(k *pica.Knobs) *pica.OverflowRule { return &k.Overflow },
		value(pica.OverflowInfinite, "inf", Implementation, "infinity: every emulator; unknown on the console"),
		value(pica.OverflowLargest, "largest", Guess,
			"the largest number, as truncation may have it").replacing(saturated)),
	knob("alwidth", "Q13", "width of aL, where flow=rings",
		func(k *pica.Knobs) *pica.ALWidthRule { return &k.ALWidth },
		value(pica.ALWidth32, "32", Implementation, "32 bits: every emulator; unknown on the console"),
		value(pica.ALWidth8, "8", Guess,
			"eight bits, as the fields of an integer uniform have: a step wraps from 255 to 0").replacing(byteAL)),
}
