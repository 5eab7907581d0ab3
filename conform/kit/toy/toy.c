/*
 * toy: a small PICA200 shader core on the adapter kit, an interpreter with float32
 * registers. It has a profile of its own (see TOY_PROFILE), and faults that can be
 * chosen one by one: it is what picaproof's judges are tested on.
 *
 *     toy                          no fault
 *     toy --fault dp3-w --fault jmpu-inversion
 *     toy --list                   all faults: name, kind, what is wrong
 */
#include "../picaproof_kit.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif

#define TOY_PROFILE "f32,dp=left,rcp0=positive,cmp=true,inneral=outer,op.dst=run,op.dsti=run,op.litp=run"

#define FAULTS(X) \
    X(ADD_FLUSH, "add-flush", "arithmetic", "ADD turns subnormal results into zero") \
    X(MUL_ZERO_INF, "mul-zero-inf", "arithmetic", "0 * inf is NaN, in MUL alone") \
    X(MAD_FUSED, "mad-fused", "arithmetic", "MAD rounds once") \
    X(DP3_W, "dp3-w", "arithmetic", "DP3 adds the product of w") \
    X(DPH_W, "dph-w", "arithmetic", "DPH takes w of its first operand as it is") \
    X(MAX_NAN, "max-nan", "arithmetic", "MAX returns its first operand when that is NaN") \
    X(MIN_ZERO, "min-zero", "arithmetic", "MIN returns its first operand when both are equal") \
    X(SGE_STRICT, "sge-strict", "arithmetic", "SGE means greater") \
    X(FLR_TRUNCATES, "flr-truncates", "arithmetic", "FLR rounds toward zero") \
    X(RSQ_NEGATIVE, "rsq-negative", "arithmetic", "RSQ takes the magnitude") \
    X(LG2_ZERO, "lg2-zero", "arithmetic", "LG2 of zero is -127") \
    X(MOVA_NEAREST, "mova-nearest", "arithmetic", "MOVA rounds to nearest") \
    X(DST_ONE, "dst-one", "arithmetic", "DST leaves x as it is in its first operand") \
    X(RCP_ESTIMATE, "rcp-estimate", "precision", "RCP has 12 bits") \
    X(EX2_ESTIMATE, "ex2-estimate", "precision", "EX2 is a short polynomial") \
    X(SWIZZLE_SRC2, "swizzle-src2", "decode", "z of the second operand is selected as its y") \
    X(NEGATE_SRC3, "negate-src3", "decode", "the third operand is never negated") \
    X(MASK_YZ, "mask-yz", "decode", "mask bits y and z are exchanged") \
    X(MAD_DESC, "mad-desc", "decode", "MAD reaches 16 descriptors") \
    X(SLTI_SOURCES, "slti-sources", "decode", "SLTI has its operands exchanged") \
    X(INDEX_AL, "index-al", "decode", "an index by aL is one by a0.x") \
    X(INDEX_ONES, "index-ones", "decode", "an index to c96 and above reads zeros") \
    X(JMPU_INVERSION, "jmpu-inversion", "flow", "JMPU ignores its inversion") \
    X(LOOP_COUNT, "loop-count", "flow", "a LOOP of more than one pass has one too few") \
    X(CALL_16, "call-16", "flow", "the CALL stack holds 16 entries") \
    X(BREAK_OPEN, "break-open", "flow", "BREAK goes behind the LOOP and leaves it on the stack") \
    X(NEGATE_ZERO, "negate-zero", "arithmetic", "a negated operand is 0 minus the operand") \
    X(SELECT_ZZZZ, "select-zzzz", "decode", "selectors zzzz act as yyyy") \
    X(CALL_DEPTH, "call-depth", "flow", "the CALL stack holds 3 entries") \
    X(IF_AND, "if-and", "flow", "IFC takes AND for OR") \
    X(BREAKC_STEP, "breakc-step", "flow", "BREAKC does not add the step to aL") \
    X(NESTED_AL, "nested-al", "flow", "aL does not come back after a nested LOOP") \
    X(CALL_END, "call-end", "flow", "only one CALL returns at a time") \
    X(STATE_R15, "state-r15", "state", "r15.w starts as 1") \
    X(STATE_KEEP, "state-keep", "state", "r0 carries over from vertex to vertex") \
    X(STATE_CC, "state-cc", "state", "condition flags carry over from request to request") \
    X(UPLOAD_SUBNORMAL, "upload-subnormal", "upload", "subnormal float uniforms become zero") \
    X(UPLOAD_INFINITY, "upload-infinity", "upload", "raw float24 infinities are 2^64") \
    X(INPUT_ZERO, "input-zero", "upload", "-0 among the inputs becomes +0") \
    X(INPUT_CUT, "input-cut", "upload", "inputs have 16 bits of significand") \
    X(EMIT_WINDING, "emit-winding", "geometry", "the winding flag is lost") \
    X(EMIT_BANK, "emit-bank", "geometry", "there is one output bank") \
    X(EMIT_MASK, "emit-mask", "geometry", "outputs are not packed") \
    X(EMIT_CLEARS, "emit-clears", "geometry", "a primitive clears the slots") \
    X(CRASH_CALLC, "crash-callc", "crash", "CALLC inside a LOOP crashes") \
    X(CRASH_MAD, "crash-mad", "crash", "MAD crashes, in nearly every program") \
    X(CRASH_LATE, "crash-late", "crash", "DPHI does damage; the third request after it crashes") \
    X(EXIT_LG2, "exit-lg2", "crash", "LG2 of a negative number ends the process") \
    X(HANG_FLR, "hang-flr", "hang", "FLR of an infinity never ends") \
    X(REPLY_SGEI, "reply-sgei", "reply", "SGEI writes a message to standard output") \
    X(REPLY_RANDOM, "reply-random", "reply", "DP4 has a random low bit") \
    X(REFUSE_SLT, "refuse-slt", "refusal", "SLT is not supported") \
    X(ASSERT_MIN, "assert-min", "refusal", "MIN of NaN fails an assertion") \
    X(SLT_NAN, "slt-nan", "arithmetic", "SLT means not greater or equal, which NaN fulfils") \
    X(CMP_NAN, "cmp-nan", "arithmetic", "CMP means not less by greater or equal") \
    X(CMP_Y, "cmp-y", "arithmetic", "CMP leaves y as it is where both comparisons are the same") \
    X(LG2_FRACTION, "lg2-fraction", "arithmetic", "LG2 of a number below one has an unsigned exponent") \
    X(LG2_INFINITY, "lg2-infinity", "arithmetic", "LG2 of infinity is 128") \
    X(EX2_INFINITY, "ex2-infinity", "arithmetic", "EX2 of an infinity is NaN") \
    X(EX2_CLOBBERS, "ex2-clobbers", "arithmetic", "EX2 destroys r7") \
    X(FLR_LARGE, "flr-large", "arithmetic", "FLR ends at 2^31") \
    X(RCP_LANES, "rcp-lanes", "arithmetic", "RCP works component by component") \
    X(DP3_STALE, "dp3-stale", "arithmetic", "DP3 leaves w as it is") \
    X(DESC_31, "desc-31", "decode", "inverted forms reach 32 descriptors") \
    X(BOOL_15, "bool-15", "decode", "b15 is always false") \
    X(UNUSED_SOURCE, "unused-source", "decode", "MOV with bits in its unused operand reads it, and crashes") \
    X(FLR_UNUSED, "flr-unused", "decode", "FLR with bits in its unused operand takes x for all components") \
    X(ONE_OPERAND, "one-operand", "decode", "RCP, RSQ, EX2, LG2 and MOVA with bits in an unused operand crash") \
    X(CALL_UNUSED, "call-unused", "flow", "the unused bits of CALL belong to its length") \
    X(NOP_BITS, "nop-bits", "crash", "NOP with unused bits crashes") \
    X(MADI_INDEX, "madi-index", "decode", "the index of MADI belongs to its first operand") \
    X(INDEX_UNSIGNED, "index-unsigned", "decode", "a negative index is taken without its sign") \
    X(INDEX_REGISTERS, "index-registers", "decode", "inputs and temporaries are indexed, too") \
    X(INDEX_SWIZZLE, "index-swizzle", "decode", "an operand with an index loses its swizzle") \
    X(LOOP_EXTRA, "loop-extra", "flow", "a LOOP has one pass too many") \
    X(LOOP_HANG, "loop-hang", "flow", "a nested LOOP never ends") \
    X(BREAK_NOP, "break-nop", "flow", "BREAK does nothing") \
    X(BREAKC_IF, "breakc-if", "flow", "BREAKC inside an IF leaves the IF alone") \
    X(CALLU_ALWAYS, "callu-always", "flow", "CALLU is always taken") \
    X(JMPC_BACK, "jmpc-back", "flow", "JMPC backwards is not taken") \
    X(IF_EMPTY, "if-empty", "flow", "an IF without an else part skips the word behind it") \
    X(STATE_LOOP, "state-loop", "state", "loops that END leaves stay open for the next request") \
    X(STATE_CACHE, "state-cache", "state", "descriptors are kept where the code is that of the request before") \
    X(STATE_AL, "state-al", "state", "aL carries over from vertex to vertex") \
    X(UNIFORM_95, "uniform-95", "upload", "c95 is never written") \
    X(UPLOAD_TINY, "upload-tiny", "upload", "subnormal raw float24 are zeros of their sign") \
    X(UPLOAD_ONE, "upload-one", "upload", "subnormal raw float24 have the hidden one") \
    X(EMIT_SLOT, "emit-slot", "geometry", "vertex 2 goes to slot 1") \
    X(EMIT_TWICE, "emit-twice", "geometry", "the flag of a primitive stays set after EMIT of another vertex") \
    X(CRASH_END, "crash-end", "crash", "END inside a procedure crashes") \
    X(CRASH_JUMP, "crash-jump", "crash", "a jump out of a LOOP crashes") \
    X(CRASH_MANY, "crash-many", "crash", "the 1500th program of a process crashes") \
    X(CACHE_ENTRY, "cache-entry", "state", "a program begins where it began the last time") \
    X(CACHE_PREFIX, "cache-prefix", "state", "code is that of an earlier request with the same first 16 words") \
    X(CACHE_SUM, "cache-sum", "state", "code is that of an earlier request with the same sum of words") \
    X(CACHE_CONSTANTS, "cache-constants", "state", "float uniforms are those of the first request with the code") \
    X(CACHE_CODE, "cache-code", "state", "all but the inputs is that of the first request with the code") \
    X(END_SCOPE, "end-scope", "flow", "END closes no scope that ends with it") \
    X(STEPS_300, "steps-300", "flow", "a program ends after 300 instructions") \
    X(TARGET_512, "target-512", "flow", "targets of jumps have 9 bits") \
    X(WORDS_512, "words-512", "flow", "a program has 512 words") \
    X(LOOP_EARLY, "loop-early", "flow", "LOOP of more than one word ends one word early") \
    X(LOOP_OUTER, "loop-outer", "flow", "aL comes back after the outermost LOOP, too") \
    X(END_IF, "end-if", "flow", "END in an IF is ignored") \
    X(JMPU_ANY, "jmpu-any", "flow", "JMPU asks for false with any NUM but zero") \
    X(LOOP_I3, "loop-i3", "flow", "LOOP with i3 has a step of zero") \
    X(VERTEX_4, "vertex-4", "state", "every fourth vertex loses w of o0") \
    X(IN_PLACE, "in-place", "arithmetic", "MOV writes its destination while it reads its operand") \
    X(BOOL_8, "bool-8", "decode", "b8 to b15 are b0 to b7") \
    X(SAME_SGE, "same-sge", "arithmetic", "SGE of a register and itself is 1, even if it is NaN") \
    X(CC_CALL, "cc-call", "flow", "CALL loses the condition flags") \
    X(EX2_DEEP, "ex2-deep", "crash", "EX2 in a procedure that a procedure calls crashes") \
    X(MUL_DAZ, "mul-daz", "arithmetic", "MUL takes subnormal operands as zero") \
    X(COPY_STALE, "copy-stale", "arithmetic", "a copy of r1 in r2 changes with r1") \
    X(HANG_BREAKC, "hang-breakc", "hang", "BREAKC in a nested LOOP never ends") \
    X(HANG_RSQ, "hang-rsq", "hang", "RSQ of a negative number never ends") \
    X(SWIZZLE_W, "swizzle-w", "decode", "w of the second operand is selected as its x") \
    X(BREAK_DEEP, "break-deep", "flow", "BREAK leaves two LOOPs where four are open") \
    X(CRASH_R13, "crash-r13", "crash", "MAX with destination r13.yw crashes") \
    X(NEGATE_AL, "negate-al", "decode", "an operand with index aL is not negated") \
    X(LOOP_255, "loop-255", "flow", "LOOP with a count of 255 has 255 passes") \
    X(MOVA_CLAMP, "mova-clamp", "arithmetic", "MOVA stays between -128 and 127") \
    X(IF_NEITHER, "if-neither", "flow", "IFC that asks for two flags to be false does not hold if both are") \
    X(SPILL_12, "spill-12", "decode", "the thirteenth temporary that is written takes w of the first with it") \
    X(STATE_A0Y, "state-a0y", "state", "a0.y carries over from request to request") \
    X(ADD_SAME, "add-same", "arithmetic", "ADD of an operand and its negation is zero, even if it is infinite") \
    X(CC_MAD, "cc-mad", "arithmetic", "MAD clears cc.x") \
    X(ALLOC_R4, "alloc-r4", "decode", "r12 is written to r4 as well, once both are in use") \
    X(LOOP_CALL, "loop-call", "flow", "aL does not come back after a nested LOOP in a procedure") \
    X(DEAD_STORE, "dead-store", "arithmetic", "MOV is left out if the next instruction writes a component of its destination") \
    X(MOVA_LATE, "mova-late", "decode", "the instruction behind MOVA has the index of before") \
    X(DESC_99, "desc-99", "decode", "descriptors above 99 negate nothing") \
    X(DESC_127, "desc-127", "decode", "MIN with the last descriptor leaves w as it is") \
    X(READ_R15, "read-r15", "decode", "r15 as the second operand is r14") \
    X(OUTPUT_HIGH, "output-high", "decode", "o8 to o15 are written as o0 to o7") \
    X(LOOP_START, "loop-start", "flow", "the start of LOOP is a signed byte") \
    X(LOOP_STEP, "loop-step", "flow", "the step of LOOP is a signed byte") \
    X(UNIFORM_64, "uniform-64", "upload", "w of c64 and above is their z") \
    X(STATE_B7, "state-b7", "state", "b7 stays set from request to request") \
    X(CC_BRANCH, "cc-branch", "flow", "CALLC asks for x in the place of y, so that some programs never end") \
    X(EX2_LARGEST, "ex2-largest", "arithmetic", "EX2 ends at the largest number") \
    X(ADD_LARGEST, "add-largest", "arithmetic", "ADD ends at the largest number") \
    X(STATE_A0, "state-a0", "state", "a0 and aL carry over from request to request") \
    X(STATE_OUTPUTS, "state-outputs", "state", "outputs of the second bank carry over from request to request") \
    X(STATE_IF, "state-if", "state", "ifs that END leaves stay open for the next request") \
    X(STATE_BOOLEANS, "state-booleans", "state", "booleans that are all false are not uploaded") \
    X(HANG_BREAKC_IF, "hang-breakc-if", "hang", "BREAKC in two or more ifs never ends") \
    X(ANSWER_RANDOM, "answer-random", "reply", "every answer has random low bits") \
    X(ANSWER_PROCESS, "answer-process", "reply", "about every second process has another sign") \
    X(ANSWER_SELDOM, "answer-seldom", "reply", "an answer in 50 has another sign") \
    X(LOG_DESC, "log-desc", "log", "the last descriptor writes a warning") \
    X(LOG_ALWAYS, "log-always", "log", "every request writes a warning that says nothing of its program") \
    X(LOG_MUL, "log-mul", "log", "MUL writes a warning, and does what it must") \
    X(LOG_FLR, "log-flr", "log", "FLR is not implemented, which a message says: it leaves one half")

#define IDENTIFIER(id, name, kind, text) id,
enum fault { FAULTS(IDENTIFIER) FAULT_COUNT };
#define ENTRY(id, name, kind, text) {name, kind, text},
static const struct { const char *name, *kind, *text; } faults[] = {FAULTS(ENTRY)};

static int faulty[FAULT_COUNT];

enum { IF_DEPTH = 8, CALL_DEPTH_MAX = 16, LOOP_DEPTH = 4, MAX_STEPS = 1000000 };

struct scope { unsigned entry, end, count, step; int32_t outer; };

struct compiled { uint32_t code[4096], key[4096]; pp_job job; float c[96][4]; };

struct core {
    float v[16][4], r[16][4], c[96][4];
    float o[2][16][4], slot[3][16][4];
    int bank, geometry, emit_vertex, emit_primitive, emit_inverted, primitive_before;
    int32_t address[3]; /* a0.x, a0.y, aL */
    int cc[2];
    unsigned bools;
    const pp_job *job;
    uint32_t code[4096], desc[128]; /* of the program that was compiled last */
    struct compiled *cache; /* of faults */
    int cached;
    pp_job shown;
    int programs;
    struct scope ifs[IF_DEPTH], calls[CALL_DEPTH_MAX], loops[LOOP_DEPTH];
    int if_depth, call_depth, loop_depth;
    int damage, left_cc, copied, written[16], first_written; /* what faults leave behind */
    int32_t left_a0y, address_before[2];
    uint32_t left_b7;
    unsigned pc, mova_pc;
};

static int is_nan(float x) { return x != x; }
static int is_inf(float x) { return x == HUGE_VALF || x == -HUGE_VALF; }
static int is_zero(float x) { return x == 0; }

static float multiply(float a, float b)
{
    volatile float p = a * b;
    return is_nan(p) && !is_nan(a) && !is_nan(b) ? 0.0f : p;
}

static float sum(float a, float b)
{
    volatile float s = a + b;
    return s;
}

static int32_t to_integer(float x)
{
    if (faulty[MOVA_NEAREST]) x = rintf(x);
    return x >= -2147483648.0f && x < 2147483648.0f ? (int32_t)x : INT32_MIN;
}

static float exponential(float x)
{
    if (faulty[EX2_ESTIMATE] && x > -100 && x < 100) {
        float whole = floorf(x), r = x - whole;
        return ldexpf(1.0f + r * (0.6931f + r * (0.2416f + r * 0.0653f)), (int)whole);
    }
    if (faulty[EX2_INFINITY] && is_inf(x)) return (float)NAN;
    if (faulty[EX2_LARGEST] && x >= 128) return pp_float(0x7F7FFFFFu);
    return (float)exp2((double)x);
}

static float reciprocal(float x)
{
    float y = 1.0f / (is_zero(x) ? 0.0f : x);
    return faulty[RCP_ESTIMATE] ? pp_float(pp_bits(y) & 0xFFFFF800u) : y;
}

static float logarithm(float x)
{
    if (x < 0 && faulty[EXIT_LG2]) exit(7);
    if (is_zero(x) && faulty[LG2_ZERO]) return -127.0f;
    if (is_inf(x) && x > 0 && faulty[LG2_INFINITY]) return 128.0f;
    if (x > 0 && x < 1 && faulty[LG2_FRACTION]) return (float)(4294967296.0 + log2((double)x));
    return (float)log2((double)x);
}

/* The bits of an instruction: width bits from a position up. */
static unsigned field(uint32_t word, int at, int width) { return word >> at & ((1u << width) - 1); }

/* Reads an operand: number k of the descriptor, register reg, index field idx. */
static void operand(const struct core *s, unsigned reg, unsigned idx, uint32_t desc, int k, float *to)
{
    static const float ones[4] = {1, 1, 1, 1}, zeros[4] = {0, 0, 0, 0};
    const float *from;
    unsigned selectors = desc >> (5 + 9 * k) & 255, n;
    int c, negate = desc >> (4 + 9 * k) & 1;
    if (faulty[INDEX_REGISTERS] && idx && reg < 32) reg = (reg & 16) | ((reg + (unsigned)s->address[idx - 1]) & 15);
    if (faulty[INDEX_SWIZZLE] && idx) selectors = 0x1B;
    if (faulty[SELECT_ZZZZ] && selectors == 0xAA) selectors = 0x55;
    if (faulty[READ_R15] && k == 1 && reg == 31) reg = 30;
    if (reg < 16) from = s->v[reg];
    else if (reg < 32) from = s->r[reg - 16];
    else {
        n = reg - 32;
        if (idx) {
            int32_t offset = s->address[faulty[INDEX_AL] && idx == 3 ? 0 : idx - 1];
            if (faulty[MOVA_LATE] && idx < 3 && s->pc == s->mova_pc + 1) offset = s->address_before[idx - 1];
            if (offset < -128 || offset > 127) offset = 0;
            if (faulty[INDEX_UNSIGNED] && offset < 0) offset = -offset;
            n = (unsigned)((int32_t)n + offset) & 127;
        }
        from = n < 96 ? s->c[n] : faulty[INDEX_ONES] ? zeros : ones;
    }
    for (c = 0; c < 4; c++) {
        int shift = 6 - 2 * c;
        if (k == 1 && c == 2 && faulty[SWIZZLE_SRC2]) shift = 4;
        if (k == 1 && c == 3 && faulty[SWIZZLE_W]) shift = 6;
        to[c] = from[selectors >> shift & 3];
    }
    if (negate && !(k == 2 && faulty[NEGATE_SRC3]) && !(idx == 3 && faulty[NEGATE_AL]))
        for (c = 0; c < 4; c++)
            to[c] = faulty[NEGATE_ZERO] ? 0.0f - to[c] : pp_float(pp_bits(to[c]) ^ 0x80000000u);
}

/* Writes the components of a result that the mask enables. */
static void store(struct core *s, unsigned dest, uint32_t desc, const float *from)
{
    float *to = dest < 16 ? s->o[s->bank][faulty[OUTPUT_HIGH] ? dest & 7 : dest] : s->r[dest - 16];
    int c;
    if (faulty[SPILL_12] && dest >= 16 && !s->written[dest - 16]) {
        int count = 0;
        for (c = 0; c < 16; c++) count += s->written[c];
        if (!count) s->first_written = (int)dest - 16;
        if (count >= 12) s->r[s->first_written][3] = 0;
    }
    if (dest >= 16) s->written[dest - 16] = 1;
    if (faulty[ALLOC_R4] && dest == 28 && s->written[4]) for (c = 0; c < 4; c++) if (desc >> (3 - c) & 1) s->r[4][c] = from[c];
    if (faulty[COPY_STALE] && dest == 17 && s->copied) for (c = 0; c < 4; c++) if (desc >> (3 - c) & 1) s->r[2][c] = from[c];
    for (c = 0; c < 4; c++) {
        int bit = 3 - c;
        if (faulty[MASK_YZ] && (c == 1 || c == 2)) bit = c;
        if (desc >> bit & 1) to[c] = from[c];
    }
}

static int compare(unsigned operation, float a, float b)
{
    switch (operation) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return faulty[CMP_NAN] ? !(a < b) : a >= b;
    }
    return 1;
}

static float dot(const float *a, const float *b, int n)
{
    float d = multiply(a[0], b[0]);
    int c;
    for (c = 1; c < n; c++) d = sum(d, multiply(a[c], b[c]));
    return d;
}

/* Arithmetic of the opcodes up to 0x1B, MAD not included. */
static pp_status arithmetic(struct core *s, unsigned op, uint32_t word)
{
    int inverted = op >= 0x18, c;
    unsigned number = field(word, 0, inverted && faulty[DESC_31] ? 5 : 7);
    uint32_t desc = s->desc[number];
    float a[4], b[4], d[4] = {0, 0, 0, 0};
    unsigned first = inverted ? field(word, 14, 5) : field(word, 12, 7);
    unsigned second = inverted ? field(word, 7, 7) : field(word, 7, 5), idx = field(word, 19, 2);
    if (faulty[LOG_DESC] && number == 127) pp_log("warning: the last descriptor");
    if (faulty[ONE_OPERAND] && second && (op == 0x05 || op == 0x06 || op == 0x0E || op == 0x0F || op == 0x12)) abort();
    if (faulty[DESC_127] && number == 127 && op == 0x0D) desc &= ~1u;
    if (faulty[DESC_99] && number > 99) desc &= ~(1u << 4 | 1u << 13 | 1u << 22);
    operand(s, first, inverted ? 0 : idx, desc, 0, a);
    operand(s, second, inverted ? idx : 0, desc, 1, b);
    switch (op) {
    case 0x00:
        for (c = 0; c < 4; c++) {
            d[c] = sum(a[c], b[c]);
            if (faulty[ADD_LARGEST] && is_inf(d[c]) && !is_inf(a[c]) && !is_inf(b[c])) d[c] = pp_float(pp_bits(d[c]) - 1);
            if (faulty[ADD_SAME] && first == second && pp_bits(a[c]) == (pp_bits(b[c]) ^ 0x80000000u)) d[c] = 0;
            if (faulty[ADD_FLUSH] && fabsf(d[c]) < 1.17549435e-38f) d[c] = 0;
        }
        break;
    case 0x01:
        d[0] = dot(a, b, faulty[DP3_W] ? 4 : 3);
        if (faulty[DP3_STALE]) desc &= ~1u;
        goto broadcast;
    case 0x02:
        d[0] = dot(a, b, 4);
        if (faulty[REPLY_RANDOM] && !is_nan(d[0]) && !is_inf(d[0]))
            d[0] = pp_float(pp_bits(d[0]) ^ (uint32_t)(clock() & 1));
        goto broadcast;
    case 0x18:
        if (faulty[CRASH_LATE] && !s->damage) s->damage = 4;
        /* fall through */
    case 0x03:
        if (!faulty[DPH_W]) a[3] = 1;
        d[0] = dot(a, b, 4);
        goto broadcast;
    case 0x04: case 0x19:
        d[0] = faulty[DST_ONE] ? a[0] : 1, d[1] = multiply(a[1], b[1]), d[2] = a[2], d[3] = b[3];
        break;
    case 0x05:
        d[0] = exponential(a[0]);
        if (faulty[EX2_DEEP] && s->call_depth > 1) abort();
        if (faulty[EX2_CLOBBERS]) memset(s->r[7], 0, sizeof s->r[7]);
        goto broadcast;
    case 0x06: d[0] = logarithm(a[0]); goto broadcast;
    case 0x07:
        s->cc[0] = a[0] >= 0, s->cc[1] = a[3] >= 0;
        d[0] = a[0] > 0 ? a[0] : 0;
        d[1] = a[1] > -127.99609375f ? a[1] : -127.99609375f;
        d[1] = d[1] < 127.99609375f ? d[1] : 127.99609375f;
        d[3] = a[3] > 0 ? a[3] : 0;
        break;
    case 0x08:
        for (c = 0; c < 4 && faulty[MUL_DAZ]; c++) {
            if (fabsf(a[c]) < 1.17549435e-38f) a[c] = 0;
            if (fabsf(b[c]) < 1.17549435e-38f) b[c] = 0;
        }
        if (faulty[LOG_MUL]) pp_log("warning: mul takes the slow path");
        for (c = 0; c < 4; c++) d[c] = faulty[MUL_ZERO_INF] ? a[c] * b[c] : multiply(a[c], b[c]);
        break;
    case 0x1A:
        if (faulty[REPLY_SGEI]) puts("sgei: not tested");
        /* fall through */
    case 0x09:
        for (c = 0; c < 4; c++) d[c] = faulty[SGE_STRICT] && op == 0x09 ? a[c] > b[c] : a[c] >= b[c];
        for (c = 0; c < 4 && faulty[SAME_SGE] && op == 0x09; c++) if (first == second && pp_bits(a[c]) == pp_bits(b[c])) d[c] = 1;
        break;
    case 0x0A:
        if (faulty[REFUSE_SLT]) { pp_message("slt"); return PP_UNSUPPORTED; }
        for (c = 0; c < 4; c++) d[c] = faulty[SLT_NAN] ? !(a[c] >= b[c]) : a[c] < b[c];
        break;
    case 0x1B:
        for (c = 0; c < 4; c++) d[c] = faulty[SLTI_SOURCES] ? b[c] < a[c] : a[c] < b[c];
        break;
    case 0x0B:
        if (faulty[LOG_FLR]) pp_log("unimplemented opcode 0x0b");
        for (c = 0; c < 4; c++) {
            while (faulty[HANG_FLR] && is_inf(a[c])) fflush(stderr);
            d[c] = faulty[FLR_TRUNCATES] ? truncf(a[c]) : floorf(a[c]);
            if (faulty[FLR_LARGE] && d[c] > 2147483648.0f) d[c] = 2147483648.0f;
            if (faulty[LOG_FLR]) d[c] = 0.5f;
        }
        for (c = 1; c < 4 && faulty[FLR_UNUSED] && field(word, 7, 5); c++) d[c] = d[0];
        break;
    case 0x0C:
        if (faulty[CRASH_R13] && field(word, 21, 5) == 29 && (desc & 15) == 5) abort();
        for (c = 0; c < 4; c++) d[c] = a[c] > b[c] || (faulty[MAX_NAN] && is_nan(a[c])) ? a[c] : b[c];
        break;
    case 0x0D:
        for (c = 0; c < 4; c++) {
            if (faulty[ASSERT_MIN] && is_nan(a[c])) { pp_message("min: a is a number"); return PP_ASSERT; }
            d[c] = a[c] < b[c] || (faulty[MIN_ZERO] && a[c] == b[c]) ? a[c] : b[c];
        }
        break;
    case 0x0E:
        d[0] = reciprocal(a[0]);
        if (!faulty[RCP_LANES]) goto broadcast;
        for (c = 1; c < 4; c++) d[c] = reciprocal(a[c]);
        break;
    case 0x0F:
        if (faulty[RSQ_NEGATIVE]) a[0] = fabsf(a[0]);
        while (faulty[HANG_RSQ] && a[0] < 0) fflush(stderr);
        {
            volatile float root = sqrtf(is_zero(a[0]) ? 0.0f : a[0]);
            d[0] = 1.0f / root;
        }
        goto broadcast;
    case 0x12:
        s->mova_pc = s->pc;
        memcpy(s->address_before, s->address, sizeof s->address_before);
        for (c = 0; c < 2; c++)
            if (desc >> (3 - c) & 1) {
                s->address[c] = to_integer(a[c]);
                if (faulty[MOVA_CLAMP] && s->address[c] > 127) s->address[c] = 127;
                if (faulty[MOVA_CLAMP] && s->address[c] < -128) s->address[c] = -128;
            }
        return PP_OK;
    case 0x13:
        if (faulty[UNUSED_SOURCE] && field(word, 7, 5)) abort();
        memcpy(d, a, sizeof d);
        if (faulty[IN_PLACE] && field(word, 21, 5) >= 16 && first == field(word, 21, 5))
            for (c = 1; c < 4; c++) if (desc >> (3 - (desc >> (11 - 2 * c) & 3)) & 1 && (int)(desc >> (11 - 2 * c) & 3) < c) d[c] = d[desc >> (11 - 2 * c) & 3];
        if (faulty[DEAD_STORE] && s->code[s->pc + 1] >> 26 < 0x12 && field(s->code[s->pc + 1], 21, 5) == field(word, 21, 5) &&
            field(word, 21, 5) >= 16 && field(s->code[s->pc + 1], 12, 7) != field(word, 21, 5) && field(s->code[s->pc + 1], 7, 5) != field(word, 21, 5))
            return PP_OK;
        if (faulty[COPY_STALE] && field(word, 21, 5) == 18) s->copied = first == 17;
        break;
    default: pp_log("reserved opcode"); return PP_OK;
    }
    store(s, field(word, 21, 5), desc, d);
    return PP_OK;
broadcast:
    d[1] = d[2] = d[3] = d[0];
    store(s, field(word, 21, 5), desc, d);
    return PP_OK;
}

static void multiply_add(struct core *s, unsigned op, uint32_t word)
{
    int inverted = op < 0x38, c;
    uint32_t desc = s->desc[field(word, 0, faulty[MAD_DESC] ? 4 : 5)];
    unsigned idx = field(word, 22, 2);
    float x[3][4], d[4];
    if (faulty[CRASH_MAD]) abort();
    if (faulty[CC_MAD]) s->cc[0] = 0;
    operand(s, field(word, 17, 5), inverted && faulty[MADI_INDEX] ? idx : 0, desc, 0, x[0]);
    if (inverted && faulty[MADI_INDEX]) idx = 0;
    operand(s, inverted ? field(word, 12, 5) : field(word, 10, 7), inverted ? 0 : idx, desc, 1, x[1]);
    operand(s, inverted ? field(word, 5, 7) : field(word, 5, 5), inverted ? idx : 0, desc, 2, x[2]);
    for (c = 0; c < 4; c++)
        d[c] = faulty[MAD_FUSED] ? fmaf(x[0][c], x[1][c], x[2][c]) : sum(multiply(x[0][c], x[1][c]), x[2][c]);
    store(s, field(word, 24, 5), desc, d);
}

/* Pushes onto a stack; a full one loses its oldest entry. */
static void push(struct scope *stack, int *depth, int size, struct scope entry)
{
    if (*depth == size) {
        memmove(stack, stack + 1, (size_t)(size - 1) * sizeof *stack);
        --*depth;
    }
    stack[(*depth)++] = entry;
}

static int condition(const struct core *s, uint32_t word, int and_is_or)
{
    int x = s->cc[0] == (int)field(word, 25, 1), y = s->cc[1] == (int)field(word, 24, 1);
    if (faulty[IF_NEITHER] && word >> 26 == 0x28 && field(word, 22, 2) < 2 && !field(word, 24, 2)) return !(x && y);
    switch (field(word, 22, 2)) {
    case 0: return and_is_or ? x && y : x || y;
    case 1: return x && y;
    case 2: return x;
    }
    return y;
}

static int truth(const struct core *s, uint32_t word)
{
    unsigned n = field(word, 22, 4) & (faulty[BOOL_8] ? 7 : 15);
    return (int)(s->bools >> n & 1) && !(n == 15 && faulty[BOOL_15]);
}

static pp_status emit(struct core *s)
{
    int n, packed = 0, slot = faulty[EMIT_SLOT] && s->emit_vertex == 2 ? 1 : s->emit_vertex, k, c;
    static uint32_t slots[3][16][4];
    if (slot == 3) { pp_message("vertex id 3"); return PP_ASSERT; }
    for (n = 0; n < 16; n++)
        if (s->job->outmask >> n & 1) {
            int to = faulty[EMIT_MASK] ? n : packed++;
            memcpy(s->slot[slot][to], s->o[s->bank][n], sizeof s->slot[0][0]);
        }
    if (s->emit_primitive || (faulty[EMIT_TWICE] && s->primitive_before)) {
        for (k = 0; k < 3; k++)
            for (n = 0; n < 16; n++)
                for (c = 0; c < 4; c++) slots[k][n][c] = pp_bits(s->slot[k][n][c]);
        pp_emit(slots, s->emit_inverted && !faulty[EMIT_WINDING]);
        if (faulty[EMIT_CLEARS]) memset(s->slot, 0, sizeof s->slot);
    }
    s->primitive_before = s->emit_primitive;
    if (!faulty[EMIT_BANK]) s->bank ^= 1;
    return PP_OK;
}

/* Closes the scopes that end after the instruction at pc, and returns where
 * control goes. */
static unsigned close_scopes(struct core *s, unsigned pc, unsigned next, int leave, int step)
{
    unsigned q = pc + 1, c = q;
    if (faulty[LOOP_HANG] && s->loop_depth > 1) for (;;) fflush(stderr);
    int k, most = faulty[CALL_END] ? 1 : 4;
    for (k = 0; k < most && s->call_depth && s->calls[s->call_depth - 1].end == c; k++) {
        s->call_depth--;
        if (k < 3) c = next = s->calls[s->call_depth].entry;
    }
    if (s->if_depth && s->ifs[s->if_depth - 1].entry == q) next = s->ifs[--s->if_depth].end;
    if (s->loop_depth && (leave || s->loops[s->loop_depth - 1].end == q)) {
        struct scope *l = &s->loops[s->loop_depth - 1];
        if (step) s->address[2] += (int32_t)l->step;
        if (!leave && l->count) {
            l->count--;
            next = l->entry;
        } else {
            next = l->end;
            if ((s->loop_depth > 1 || faulty[LOOP_OUTER]) && !faulty[NESTED_AL] && !(faulty[LOOP_CALL] && s->call_depth)) s->address[2] = l->outer;
            s->loop_depth--;
        }
    }
    return next;
}

static pp_status execute(struct core *s, unsigned pc)
{
    long steps;
    s->call_depth = 0;
    if (!faulty[STATE_IF]) s->if_depth = 0;
    if (!faulty[STATE_LOOP]) s->loop_depth = 0;
    for (steps = 0; steps < MAX_STEPS; steps++) {
        uint32_t word = pc >= (faulty[WORDS_512] ? 512u : 4095u) ? 0x88000000u : s->code[pc];
        unsigned op = word >> 26, target = field(word, 10, 12), num = field(word, 0, 8), next = pc + 1;
        int leave = 0, step = 1, taken = 0;
        if (faulty[STEPS_300] && steps == 300) return PP_OK;
        if (faulty[TARGET_512] && (op == 0x2C || op == 0x2D)) target &= 511;
        pp_status status = PP_OK;
        s->pc = pc;
        struct scope entry = {0, 0, 0, 0, 0};
        switch (op) {
        case 0x20:
            leave = s->loop_depth > 0 && !faulty[BREAK_NOP] && !faulty[BREAK_OPEN];
            if (faulty[BREAK_OPEN] && s->loop_depth) next = s->loops[s->loop_depth - 1].end;
            if (faulty[BREAK_DEEP] && s->loop_depth == LOOP_DEPTH) s->loop_depth--;
            break;
        case 0x23:
            while (faulty[HANG_BREAKC] && s->loop_depth > 1) fflush(stderr);
            while (faulty[HANG_BREAKC_IF] && s->if_depth > 1) fflush(stderr);
            leave = s->loop_depth > 0 && condition(s, word, 0);
            step = !(leave && faulty[BREAKC_STEP]);
            if (leave && faulty[BREAKC_IF] && s->if_depth) leave = 0, next = s->ifs[--s->if_depth].entry;
            break;
        case 0x21:
            if (faulty[NOP_BITS] && field(word, 0, 26)) abort();
            break;
        case 0x22:
            if (faulty[CRASH_END] && s->call_depth) abort();
            if (faulty[END_IF] && s->if_depth) break;
            if (!faulty[END_SCOPE]) {
                int open = s->loop_depth;
                close_scopes(s, pc, next, 0, 1);
                if (faulty[STATE_LOOP]) s->loop_depth = open;
            }
            return PP_OK;
        case 0x24: case 0x25: case 0x26:
            if (op == 0x25 && faulty[CRASH_CALLC] && s->loop_depth) abort();
            taken = op == 0x24 || (op == 0x25 ? condition(s, faulty[CC_BRANCH] && field(word, 22, 2) == 3 ? word ^ 1u << 22 : word, 0) : truth(s, word));
            if (op == 0x26 && faulty[CALLU_ALWAYS]) taken = 1;
            if (taken && faulty[CC_CALL]) s->cc[0] = s->cc[1] = 0;
            if (taken) {
                if (faulty[CALL_UNUSED] && op == 0x24) num |= field(word, 22, 4) << 8;
                entry.entry = next, entry.end = target + num;
                push(s->calls, &s->call_depth, faulty[CALL_16] ? 16 : faulty[CALL_DEPTH] ? 3 : 4, entry);
                next = target;
            }
            break;
        case 0x27: case 0x28:
            taken = op == 0x28 ? condition(s, word, faulty[IF_AND]) : truth(s, word);
            if (taken) {
                entry.entry = target, entry.end = target + num + (faulty[IF_EMPTY] && !num);
                push(s->ifs, &s->if_depth, IF_DEPTH, entry);
            } else next = target;
            break;
        case 0x29: {
            const uint8_t *i = s->job->i[field(word, 22, 2)];
            entry.entry = next, entry.end = target + !(faulty[LOOP_EARLY] && target != next), entry.count = i[0], entry.step = i[2];
            if (faulty[LOOP_COUNT] && entry.count) entry.count--;
            if (faulty[LOOP_EXTRA]) entry.count++;
            if (faulty[LOOP_255] && entry.count == 255) entry.count--;
            if (faulty[LOOP_STEP] && entry.step > 127) entry.step -= 256;
            if (faulty[LOOP_I3] && field(word, 22, 2) == 3) entry.step = 0;
            entry.outer = s->address[2];
            push(s->loops, &s->loop_depth, LOOP_DEPTH, entry);
            s->address[2] = faulty[LOOP_START] && i[1] > 127 ? i[1] - 256 : i[1];
            break;
        }
        case 0x2A: case 0x2B:
            if (!s->geometry) { pp_message("geometry instruction in a vertex program"); return PP_ASSERT; }
            if (op == 0x2A) status = emit(s);
            else {
                s->emit_vertex = (int)field(word, 24, 2), s->emit_primitive = (int)field(word, 23, 1);
                s->emit_inverted = (int)field(word, 22, 1);
            }
            break;
        case 0x2C: if (condition(s, word, 0) && !(faulty[JMPC_BACK] && target <= pc)) next = target; break;
        case 0x2D:
            taken = truth(s, word);
            if (taken != (faulty[JMPU_INVERSION] ? 0 : faulty[JMPU_ANY] ? num > 0 : (int)(num & 1))) next = target;
            break;
        case 0x2E: case 0x2F: {
            uint32_t desc = s->desc[field(word, 0, 7)];
            float a[4], b[4];
            operand(s, field(word, 12, 7), field(word, 19, 2), desc, 0, a);
            operand(s, field(word, 7, 5), 0, desc, 1, b);
            s->cc[0] = compare(field(word, 24, 3), a[0], b[0]);
            if (!faulty[CMP_Y] || field(word, 24, 3) != field(word, 21, 3)) s->cc[1] = compare(field(word, 21, 3), a[1], b[1]);
            break;
        }
        default:
            if (op >= 0x30) multiply_add(s, op, word);
            else status = arithmetic(s, op, word);
        }
        if (status != PP_OK) return status;
        if (faulty[CRASH_JUMP] && (op == 0x2C || op == 0x2D) && next == target && s->loop_depth && target >= s->loops[s->loop_depth - 1].end)
            abort();
        pc = close_scopes(s, pc, next, leave, step);
    }
    pp_message("step-budget");
    return PP_TRAP;
}

static void load_bank(float to[16][4], uint32_t from[16][4])
{
    int k, c;
    for (k = 0; k < 16; k++)
        for (c = 0; c < 4; c++) to[k][c] = pp_float(from[k][c]);
}

static void store_bank(uint32_t to[16][4], float from[16][4])
{
    int k, c;
    for (k = 0; k < 16; k++)
        for (c = 0; c < 4; c++) to[k][c] = pp_bits(from[k][c]);
}

/* Float uniforms are converted when they are uploaded. */
static void upload(struct core *s, const pp_job *job)
{
    int n, c;
    for (n = 0; n < 96; n++)
        for (c = 0; c < 4; c++) {
            uint32_t x = job->f[n][c];
            if (job->f_bits[n] == 24) {
                int infinity = (x & 0x7FFFFF) == 0x7F0000;
                x = faulty[UPLOAD_INFINITY] && infinity ? (x >> 23 & 1) << 31 | 0x5F800000u : pp_float24(x);
            }
            if (faulty[UPLOAD_TINY] && job->f_bits[n] == 24 && (job->f[n][c] & 0x7F0000u) == 0) x &= 0x80000000u;
            if (faulty[UPLOAD_ONE] && job->f_bits[n] == 24 && (job->f[n][c] & 0x7F0000u) == 0 && (job->f[n][c] & 0xFFFFu))
                x = (job->f[n][c] >> 23 & 1) << 31 | 0x20000000u | (job->f[n][c] & 0xFFFFu) << 7;
            if (faulty[UNIFORM_95] && n == 95) x = 0;
            if (faulty[UNIFORM_64] && n >= 64 && c == 3) x = pp_bits(s->c[n][2]);
            if (faulty[UPLOAD_SUBNORMAL] && (x & 0x7F800000u) == 0) x = 0;
            s->c[n][c] = pp_float(x);
        }
}

/* What a faulty core compiled is in a cache whose key is too short. */
enum { CACHE = 64 };

static const pp_job *compiled(struct core *s, const pp_job *job)
{
    static uint32_t key[4096];
    struct compiled *e;
    int n, k;
    memset(key, 0, sizeof key);
    if (faulty[CACHE_PREFIX]) memcpy(key, job->code, 16 * sizeof key[0]);
    else if (faulty[CACHE_SUM]) for (k = 0; k < 4096; k++) key[0] += job->code[k];
    else memcpy(key, job->code, sizeof key);
    if (!s->cache) s->cache = (struct compiled *)calloc(CACHE, sizeof *s->cache);
    if (!s->cache) abort();
    for (n = 0; n < s->cached; n++) if (!memcmp(s->cache[n].key, key, sizeof key)) break;
    if (n == CACHE) n = s->cached = 0;
    e = &s->cache[n];
    if (n == s->cached) {
        s->cached++;
        memcpy(e->key, key, sizeof key);
        memcpy(e->code, job->code, sizeof e->code);
        memcpy(e->c, s->c, sizeof e->c);
        e->job = *job;
    }
    memcpy(s->code, e->code, sizeof s->code);
    if (faulty[CACHE_CONSTANTS] || faulty[CACHE_CODE]) memcpy(s->c, e->c, sizeof s->c);
    s->shown = *job;
    if (faulty[CACHE_ENTRY] || faulty[CACHE_CODE]) s->shown.entry = e->job.entry;
    if (faulty[CACHE_CODE]) {
        memcpy(s->desc, e->job.desc, sizeof s->desc);
        memcpy(s->shown.i, e->job.i, sizeof s->shown.i);
        s->bools = e->job.b;
    }
    return &s->shown;
}

/* Bits that differ from request to request and from process to process. */
static uint32_t random_bits(void)
{
    static uint32_t state;
    int here;
    if (!state) state = (uint32_t)((uintptr_t)&here >> 4) ^ (uint32_t)time(NULL) << 8 ^ (uint32_t)clock() << 16;
    state = state * 1664525u + 1013904223u;
    return state >> 16;
}

/* A random choice of the process. */
static int other_process(void)
{
    static int choice;
    if (!choice) choice = 1 + (int)(random_bits() & 1);
    return choice == 2;
}

static pp_status run(void *user, const pp_job *job, pp_vertex *v)
{
    struct core *s = (struct core *)user;
    pp_status status;
    int k, c;
    if (job->index == 0) {
        if (faulty[LOG_ALWAYS]) pp_log("warning: the cache is cold");
        upload(s, job);
        if (job->b || !faulty[STATE_BOOLEANS]) s->bools = job->b | (faulty[STATE_B7] ? s->left_b7 : 0);
        s->left_b7 = s->bools & 1u << 7;
        if (!faulty[STATE_CACHE] || memcmp(s->code, job->code, sizeof s->code)) memcpy(s->desc, job->desc, sizeof s->desc);
        if (faulty[CRASH_MANY] && memcmp(s->code, job->code, sizeof s->code) && ++s->programs == 1500) abort();
        memcpy(s->code, job->code, sizeof s->code);
        if (s->damage && --s->damage == 0) abort();
    }
    if (job->index == 0 && (faulty[CACHE_ENTRY] || faulty[CACHE_PREFIX] || faulty[CACHE_SUM] || faulty[CACHE_CONSTANTS] || faulty[CACHE_CODE]))
        compiled(s, job);
    if (faulty[CACHE_ENTRY] || faulty[CACHE_CODE]) {
        s->shown.index = job->index;
        job = &s->shown;
    }
    s->copied = 0;
    memset(s->written, 0, sizeof s->written);
    s->mova_pc = 4096;
    s->job = job;
    s->geometry = job->geometry;
    if (v->fresh) {
        if (!faulty[STATE_OUTPUTS]) memset(s->o, 0, sizeof s->o);
        memset(s->slot, 0, sizeof s->slot);
        s->bank = s->emit_vertex = s->emit_primitive = s->emit_inverted = s->primitive_before = 0;
    }
    for (k = 0; k < 16; k++)
        for (c = 0; c < 4; c++) {
            uint32_t x = v->in[k][c];
            if (faulty[INPUT_ZERO] && x == 0x80000000u) x = 0;
            if (faulty[INPUT_CUT] && (x & 0x7F800000u) != 0x7F800000u) x &= 0xFFFFFF80u;
            s->v[k][c] = pp_float(x);
        }
    if (faulty[STATE_KEEP] && job->index) for (c = 0; c < 4; c++) v->r[0][c] = pp_bits(s->r[0][c]);
    if (faulty[STATE_R15] && v->fresh) v->r[15][3] = 0x3F800000u;
    load_bank(s->o[s->bank], v->o);
    load_bank(s->r, v->r);
    if (faulty[STATE_AL] && job->index) v->a[2] = s->address[2];
    if (!faulty[STATE_A0] || !v->fresh) memcpy(s->address, v->a, sizeof s->address);
    if (faulty[STATE_A0Y] && v->fresh) s->address[1] = s->left_a0y;
    s->cc[0] = v->cc & 1, s->cc[1] = v->cc >> 1 & 1;
    if (faulty[STATE_CC] && v->fresh) s->cc[0] = s->left_cc & 1, s->cc[1] = s->left_cc >> 1 & 1;
    status = execute(s, job->entry);
    if (job->geometry) s->bools |= 1u << 15;
    if (faulty[VERTEX_4] && job->index % 4 == 3) s->o[s->bank][0][3] = 0;
    if (faulty[ANSWER_RANDOM]) s->o[s->bank][0][0] = pp_float(pp_bits(s->o[s->bank][0][0]) ^ random_bits() % 8);
    if (faulty[ANSWER_PROCESS] && other_process()) s->o[s->bank][0][0] = -s->o[s->bank][0][0];
    if (faulty[ANSWER_SELDOM] && random_bits() % 50 == 0) s->o[s->bank][0][0] = -s->o[s->bank][0][0];
    store_bank(v->o, s->o[s->bank]);
    store_bank(v->r, s->r);
    memcpy(v->a, s->address, sizeof v->a);
    v->cc = (uint8_t)(s->cc[0] | s->cc[1] << 1);
    s->left_cc = v->cc;
    s->left_a0y = v->a[1];
    return status;
}

int main(int argc, char **argv)
{
    static struct core state;
    pp_core core;
    int k, n;
    for (k = 1; k < argc; k++) {
        if (!strcmp(argv[k], "--list")) {
            for (n = 0; n < FAULT_COUNT; n++) printf("%s\t%s\t%s\n", faults[n].name, faults[n].kind, faults[n].text);
            return 0;
        }
        if (!strcmp(argv[k], "--profile")) {
            puts(TOY_PROFILE);
            return 0;
        }
        for (n = 0; k + 1 < argc && !strcmp(argv[k], "--fault") && n < FAULT_COUNT; n++)
            if (!strcmp(argv[k + 1], faults[n].name)) break;
        if (k + 1 >= argc || strcmp(argv[k], "--fault") || n == FAULT_COUNT) {
            fprintf(stderr, "toy: unknown argument: %s\nusage: toy [--list] [--profile] [--fault NAME]...\n", argv[k]);
            return 2;
        }
        faulty[n] = 1;
        k++;
    }
    memset(&core, 0, sizeof core);
    core.name = "toy";
    core.geometry = 1;
    core.sets_b15 = 1;
    core.run = run;
    core.user = &state;
    return pp_serve(&core, stdin, stdout);
}
