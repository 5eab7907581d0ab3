package profile

import "github.com/picaproof/picaproof/pica"

// Class says what stands behind a rule.
type Class string

// The classes.
const (
	Console        Class = "console"        // observed on a console by whom the sentence names
	Documented     Class = "documented"     // a page claims it
	Implementation Class = "implementation" // what the named programs do
	Guess          Class = "guess"          // our choice or inference
)

// A Knob is a question that implementations answer differently.
type Knob struct {
	Name   string
	About  string
	Values []Value // indexed by pica.Value
}

// A Value is one answer.
type Value struct {
	Name  string
	Class Class
	About string
}

// Catalogue is indexed by [pica.Knob].
var Catalogue = [pica.NumKnobs]Knob{
	pica.KnobStorage: {"storage", "what a register holds", []Value{
		{"f24", Documented, "1/7/16 (3dbrew, picasso)"},
		{"f32", Implementation, "binary32: every mainstream emulator"},
	}},
	pica.KnobSubnormal: {"subnormal", "decoding of raw24 with exponent 0 and a mantissa; others than exact need storage=f32", []Value{
		{"exact", Implementation, "m * 2^-78: Azahar"},
		{"hidden-one", Implementation, "(1 + m/65536) * 2^-63: Citra, Panda3DS, Borked3DS"},
		{"zero", Implementation, "+0: Mikage"},
	}},
	pica.KnobSpecial: {"special", "decoding of raw24 -0, infinities and NaN; finite needs storage=f32", []Value{
		{"kept", Console, "infinities and NaN exist (yuriks); -0 is kept by all emulators but Mikage"},
		{"finite", Implementation, "-0 is +0, exponent 127 is an ordinary one: Mikage"},
	}},
	pica.KnobUpload: {"upload", "float32 uniforms and inputs on their way to a register", []Value{
		{"rne", Guess, "to the nearest float24"},
		{"rz", Guess, "truncated to float24, as libctru does for constants"},
		{"exact", Implementation, "kept as float32, needs storage=f32: every mainstream emulator"},
		{"cut", Implementation, "mantissa cut to 16 bits, range clamped, needs storage=f32: Borked3DS"},
	}},
	pica.KnobRound: {"round", "rounding of sums and products", []Value{
		{"rne", Implementation, "to nearest, ties to even, in the storage format: every emulator, in float32"},
		{"rz", Guess, "toward zero: truncating emulators cured the clipping in one game"},
		{"align", Guess, "toward zero after bits more than three below the larger operand's last are dropped"},
		{"cut", Implementation, "float32 to nearest, then 16 mantissa bits, needs storage=f32: Borked3DS"},
	}},
	pica.KnobFlush: {"flush", "zeros and subnormals in arithmetic", []Value{
		{"none", Implementation, "gradual underflow and signed zeros: every emulator, in float32"},
		{"all", Console, "subnormal inputs and results are +0 (T. Karras, 3dbrew); that -0 is +0 too is a guess"},
	}},
	pica.KnobZeroInf: {"zeroinf", "0 * inf", []Value{
		{"zero", Console, "+0 (yuriks and aroulin, fp-tests)"},
		{"nan", Implementation, "NaN: Panda3DS x64 without accurate multiplication"},
		{"positive", Implementation, "+0, and every product with a zero is +0: Mikage"},
	}},
	pica.KnobNaNZero: {"nan0", "NaN * 0", []Value{
		{"nan", Console, "NaN (fp-tests)"},
		{"zero", Documented, "0: the 3dbrew table of 2015"},
	}},
	pica.KnobNegate: {"negate", "the negate bit of an operand descriptor", []Value{
		{"flip", Implementation, "flips the sign bit: all but Mikage"},
		{"multiply", Implementation, "multiplies by -1: Mikage"},
	}},
	pica.KnobMAD: {"mad", "intermediate rounding of MAD", []Value{
		{"twice", Implementation, "product and sum are rounded: all but Panda3DS x64; unknown on the console"},
		{"fused", Implementation, "only the sum is: Panda3DS x64 on a host with FMA; nihstro's notes"},
	}},
	pica.KnobDot: {"dp", "order of the sum in a dot product", []Value{
		{"left", Implementation, "((p0+p1)+p2)+p3: Panda3DS's interpreter; unknown on the console"},
		{"seeded", Implementation, "the same after +0: interpreters of Azahar, Citra, Mikage"},
		{"pairwise", Implementation, "(p0+p1)+(p2+p3), with +0 for p3 in DP3: Panda3DS x64"},
		{"mixed", Implementation, "DP3 from the left, the others pairwise: Azahar x64"},
	}},
	pica.KnobMax: {"maxinf", "MAX with an infinite second operand", []Value{
		{"compare", Console, "a > b ? a : b, so max(0, -inf) is 0 (fp-tests)"},
		{"src2", Documented, "the second operand: the 3dbrew table of 2015, Panda3DS's interpreter"},
	}},
	pica.KnobReciprocalZero: {"rcp0", "RCP and RSQ of -0", []Value{
		{"positive", Documented, "+inf (3dbrew)"},
		{"signed", Implementation, "-inf: all but Panda3DS's interpreter"},
	}},
	pica.KnobReciprocal: {"rcp", "precision of RCP and RSQ", []Value{
		{"rounded", Guess, "correctly rounded in the storage format; the console's tables are unknown"},
		{"twice", Implementation, "float32, RSQ rounds the root and the quotient: the interpreters"},
		{"estimate", Implementation, "an AVX-512 estimate, 14 bits certain, powers of two exact; the rounded value is given: Azahar x64"},
		{"short", Implementation, "an SSE estimate, 11 bits certain, powers of two low by 2^-12; else the rounded value is given: Panda3DS x64"},
	}},
	pica.KnobExponential: {"ex2", "precision of EX2 and LG2", []Value{
		{"rounded", Guess, "correctly rounded in the storage format; the console's tables are unknown"},
		{"libm", Implementation, "a C library's, within one unit of the rounded value given here: the interpreters"},
		{"estimate", Implementation, "a short polynomial on an unknown host; the rounded value is given: the compilers"},
		{"polynomial", Implementation, "that polynomial on a host with AVX-512 and FMA, to the last bit, needs storage=f32: Azahar and Panda3DS x64"},
	}},
	pica.KnobCompare: {"cmp", "the comparison operators 6 and 7", []Value{
		{"true", Documented, "true (3dbrew)"},
		{"keep", Implementation, "the flag stays: interpreters of Azahar, Citra, Mikage"},
		{"ordered", Implementation, "true, but an equal pair of them tests for NaN: Panda3DS x64"},
		{"abort", Implementation, "reads beyond a table, not predictable: Azahar x64"},
	}},
	pica.KnobIndex: {"index", "relative addressing", []Value{
		{"window", Console, "float uniforms only; offsets beyond a byte count as 0, 96 to 127 read as ones (Steveice10)"},
		{"flat", Implementation, "all registers in a row, outside is foreign memory and not predictable: Citra, Mikage"},
		{"flat-zero", Implementation, "all registers in a row, zeros outside: Panda3DS x64"},
	}},
	pica.KnobFlow: {"flow", "the model of control flow", []Value{
		{"rings", Console, "three rings, compared with the executed instruction's successor (T. Karras, single observer); Azahar's interpreter"},
		{"panda", Implementation, "three stacks, compared with the next address: Panda3DS's interpreter"},
		{"unified", Implementation, "one stack, compared before each fetch: interpreters of Citra and Mikage"},
		{"structured", Implementation, "host code laid out in nested blocks, the outermost loop in registers: Azahar x64"},
		{"structured-panda", Implementation, "the same, every loop on the host's stack, a jump to a procedure's end returns: Panda3DS x64"},
	}},
	pica.KnobInnerAL: {"inneral", "aL after a nested loop", []Value{
		{"outer", Console, "the outer loop's value comes back (T. Karras, single observer); Azahar x64"},
		{"start", Implementation, "the inner loop's first value comes back: Azahar's interpreter"},
		{"kept", Implementation, "nothing comes back: Citra, Mikage, Panda3DS"},
	}},
	pica.KnobBreakStep: {"breakstep", "whether BREAK adds the step to aL", []Value{
		{"adds", Console, "it does (T. Karras, single observer); Azahar's interpreter"},
		{"none", Implementation, "it does not: Azahar x64"},
	}},
	pica.KnobBreakOutside: {"breakoutside", "BREAK without a loop", []Value{
		{"hang", Console, "the console hangs (T. Karras, single observer): a trap"},
		{"ignored", Implementation, "nothing happens: Azahar"},
	}},
	pica.KnobProgramEnd: {"end", "the top of program memory", []Value{
		{"trap", Guess, "fetching word 4096 traps; unknown on the console"},
		{"4095", Implementation, "END runs in place of any word from 4095 up: Azahar"},
		{"abort4096", Implementation, "beyond 4096 words not predictable: Citra"},
		{"abort4095", Implementation, "beyond 4095 words not predictable: Panda3DS"},
		{"abort1024", Implementation, "beyond 1024 words not predictable: Mikage"},
	}},
	pica.KnobHazards: {"hazards", "two MOVA in a row; two different input registers in one instruction", []Value{
		{"off", Implementation, "nothing happens: every emulator"},
		{"warn", Guess, "noted in the outcome"},
		{"trap", Console, "a freeze, wrong data (picasso)"},
	}},
	pica.KnobReset: {"reset", "what is cleared before each vertex even where state is kept", []Value{
		{"none", Console, "nothing in geometry programs (wwylele)"},
		{"cc", Implementation, "cc: Citra"},
		{"cc-index", Implementation, "cc, a0 and aL: Mikage"},
	}},
	pica.KnobEmitInVertex: {"emitvs", "EMIT and SETEMIT in a vertex program", []Value{
		{"trap", Guess, "a trap; unknown on the console"},
		{"abort", Implementation, "refused: the interpreters of Azahar and Citra"},
		{"skip", Implementation, "ignored with a message: the compilers, Mikage"},
	}},
	pica.KnobBanks: {"banks", "output banks of the geometry stage", []Value{
		{"two", Console, "two, toggled by every EMIT (PabloMK7); Azahar"},
		{"one", Implementation, "one: Citra, Borked3DS"},
	}},
	pica.KnobLITP: {"litp", "-0 and NaN in LITP", []Value{
		{"max", Guess, "become +0, as MAX would have it"},
		{"pass", Implementation, "pass through: Panda3DS's interpreter"},
	}},
	pica.KnobIndexedOps: {"indexedops", "an address register on MAX, MIN, RCP, RSQ, CMP", []Value{
		{"all", Implementation, "indexes: all but Panda3DS's interpreter; unknown on the console"},
		{"abort", Implementation, "refused: Panda3DS's interpreter"},
	}},
}

// supports spells [pica.Support].
var supports = [...]Value{
	pica.SupportRun:   {"run", Documented, "executed; a reserved opcode traps"},
	pica.SupportSkip:  {"skip", Implementation, "ignored, a message is logged"},
	pica.SupportAbort: {"abort", Implementation, "refused"},
}
