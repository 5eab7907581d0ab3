/*
 * interpreter: vertex programs of the PICA200 as a plain scalar interpreter in C runs
 * them, for the VM to be measured against. A program is decoded once; then one switch
 * executes one instruction of one vertex at a time, in float32, and nothing is
 * allocated.
 *
 * Standard input is a list of hexadecimal numbers:
 *
 *     words descriptors entry outmask bools registers vertices
 *     96 x 4 uniforms, 4 x 4 bytes of integers
 *     the words, the descriptors, the input registers of the vertices
 *
 * and then, any number of times, a number of passes over all vertices. Each is
 * answered by a line: nanoseconds of the fastest pass, instructions of a pass, and the
 * checksum of the outputs.
 */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { V = 0, R = 16, C = 32, ONES = 128, O = 129, SLOTS = 145 };
enum { MAX_WORDS = 4096, MAX_DESCRIPTORS = 128, MAX_VERTICES = 1 << 16, MAX_STEPS = 1 << 16 };

/* The operations: opcodes with one meaning are one. */
enum operation {
    ADD, DP3, DP4, DPH, DST, EX2, LG2, LITP, MUL, SGE, SLT, FLR, MAX, MIN, RCP, RSQ, MOVA, MOV, MAD, CMP,
    BREAK, NOP, END, CALL, IF, LOOP, JUMP, INVALID
};

static const unsigned char operations[64] = {
    ADD, DP3, DP4, DPH, DST, EX2, LG2, LITP, MUL, SGE, SLT, FLR, MAX, MIN, RCP, RSQ,
    INVALID, INVALID, MOVA, MOV, INVALID, INVALID, INVALID, INVALID, DPH, DST, SGE, SLT, INVALID, INVALID, INVALID, INVALID,
    BREAK, NOP, END, BREAK, CALL, CALL, CALL, IF, IF, LOOP, INVALID, INVALID, JUMP, JUMP, CMP, CMP,
    MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD, MAD,
};

struct instruction {
    unsigned char operation, mask, scope_end;
    unsigned char indexed, index;   /* which operand has an index, and by what; 0 is none */
    unsigned char compare[2];
    unsigned char uniform, flags;   /* the bool that decides, 16 for none; by cc, whether it acts */
    unsigned char integer;
    unsigned short dest, target, end;
    unsigned short source[3];
    unsigned char select[3][4];
    uint32_t negate[3];
};

struct scope { unsigned entry, end, count, step; int32_t outer; };

static struct instruction program[MAX_WORDS + 1];
static float file[SLOTS][4];
static unsigned short written[SLOTS];
static int written_count;
static unsigned char ints[4][4];
static unsigned bools;
static float input[MAX_VERTICES][16][4];

static uint32_t bits(float x) { uint32_t b; memcpy(&b, &x, 4); return b; }
static float number(uint32_t b) { float x; memcpy(&x, &b, 4); return x; }
static unsigned field(uint32_t word, int at, int width) { return word >> at & ((1u << width) - 1); }

static uint32_t next(void)
{
    uint32_t x;
    if (scanf("%" SCNx32, &x) != 1) exit(2);
    return x;
}

static void operand(struct instruction *i, int k, unsigned reg, uint32_t descriptor)
{
    int c;
    i->source[k] = (unsigned short)reg; /* operand fields number registers as slots do */
    i->negate[k] = descriptor >> (4 + 9 * k) & 1 ? 0x80000000u : 0;
    for (c = 0; c < 4; c++) i->select[k][c] = (unsigned char)(descriptor >> (11 + 9 * k - 2 * c) & 3);
}

static void decode(struct instruction *i, uint32_t word, const uint32_t *descriptors)
{
    unsigned op = word >> 26, flags, dest;
    uint32_t d;
    int inverted;
    memset(i, 0, sizeof *i);
    i->operation = operations[op];
    i->uniform = 16;
    i->flags = 15;
    i->target = (unsigned short)field(word, 10, 12);
    i->end = (unsigned short)(i->target + field(word, 0, 8));
    i->integer = (unsigned char)field(word, 22, 2);
    switch (op) {
    case 0x26: case 0x27: i->uniform = (unsigned char)field(word, 22, 4); i->flags = 2; return;
    case 0x2D: i->uniform = (unsigned char)field(word, 22, 4); i->flags = word & 1 ? 1 : 2; return;
    case 0x23: case 0x25: case 0x28: case 0x2C:
        i->flags = 0;
        for (flags = 0; flags < 4; flags++) {
            int x = (flags & 1) == field(word, 25, 1), y = flags >> 1 == field(word, 24, 1);
            int acts[4];
            acts[0] = x || y, acts[1] = x && y, acts[2] = x, acts[3] = y;
            i->flags |= (unsigned char)(acts[field(word, 22, 2)] << flags);
        }
        return;
    case 0x29: i->end = (unsigned short)(i->target + 1); return;
    case 0x20: case 0x21: case 0x22: case 0x24: return;
    }
    if (op >= 0x30) {
        inverted = op < 0x38;
        d = descriptors[field(word, 0, 5)];
        dest = field(word, 24, 5);
        operand(i, 0, field(word, 17, 5), d);
        operand(i, 1, inverted ? field(word, 12, 5) : field(word, 10, 7), d);
        operand(i, 2, inverted ? field(word, 5, 7) : field(word, 5, 5), d);
        i->indexed = inverted ? 2 : 1;
        i->index = (unsigned char)field(word, 22, 2);
    } else {
        inverted = op >= 0x18 && op <= 0x1B;
        d = descriptors[field(word, 0, 7)];
        dest = field(word, 21, 5);
        operand(i, 0, inverted ? field(word, 14, 5) : field(word, 12, 7), d);
        operand(i, 1, inverted ? field(word, 7, 7) : field(word, 7, 5), d);
        i->indexed = (unsigned char)inverted;
        i->index = (unsigned char)field(word, 19, 2);
    }
    i->compare[0] = (unsigned char)field(word, 24, 3);
    i->compare[1] = (unsigned char)field(word, 21, 3);
    if (i->source[i->indexed] < C) i->index = 0;
    i->mask = d & 15;
    i->dest = (unsigned short)(dest < 16 ? O + dest : R + dest - 16);
}

static void push(struct scope *stack, int *depth, int size, struct scope entry)
{
    if (*depth == size) {
        memmove(stack, stack + 1, (size_t)(size - 1) * sizeof *stack);
        --*depth;
    }
    stack[(*depth)++] = entry;
}

static inline float multiply(float a, float b)
{
    float p = a * b;
    if (p != p && a == a && b == b) return 0;
    return p;
}

static int compare(unsigned how, float a, float b)
{
    switch (how) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a >= b;
    }
    return 1;
}

static inline int32_t integer(float x) { return x >= -2147483648.0f && x < 2147483648.0f ? (int32_t)x : INT32_MIN; }

/* Runs the program for one vertex and returns the number of instructions. */
static long run(unsigned pc)
{
    struct scope ifs[8], calls[4], loops[4];
    int if_depth = 0, call_depth = 0, loop_depth = 0, c, acts;
    int32_t address[4] = {0, 0, 0, 0}; /* none, a0.x, a0.y, aL */
    unsigned flags = 0, to;
    long steps;
    for (steps = 1; steps < MAX_STEPS; steps++) {
        const struct instruction *i = &program[pc];
        float x[3][4], d[4], *out = file[i->dest];
        int leave = 0;
        to = pc + 1;

/* Components are copied one by one: a copy of 16 bytes would wait for the four
 * stores that it reads. */
#define FETCH(k) \
    do { \
        const float *from = file[i->source[k]]; \
        if (i->index && i->indexed == (k)) { \
            int32_t offset = address[i->index]; \
            unsigned n; \
            if (offset < -128 || offset > 127) offset = 0; \
            n = (unsigned)(i->source[k] - C + offset) & 127; \
            from = n < 96 ? file[C + n] : file[ONES]; \
        } \
        EACH x[k][c] = number(bits(from[i->select[k][c]]) ^ i->negate[k]); \
    } while (0)
#define EACH _Pragma("GCC unroll 4") for (c = 0; c < 4; c++)
#define STORE \
    do { \
        if (i->mask == 15) { \
            EACH out[c] = d[c]; \
        } \
        else { \
            if (i->mask & 8) out[0] = d[0]; \
            if (i->mask & 4) out[1] = d[1]; \
            if (i->mask & 2) out[2] = d[2]; \
            if (i->mask & 1) out[3] = d[3]; \
        } \
    } while (0)
#define BROADCAST(value) \
    do { \
        d[0] = d[1] = d[2] = d[3] = (value); \
        STORE; \
    } while (0)

        switch ((enum operation)i->operation) {
        case ADD: FETCH(0); FETCH(1); EACH d[c] = x[0][c] + x[1][c]; STORE; break;
        case MUL: FETCH(0); FETCH(1); EACH d[c] = multiply(x[0][c], x[1][c]); STORE; break;
        case MAD: FETCH(0); FETCH(1); FETCH(2); EACH d[c] = multiply(x[0][c], x[1][c]) + x[2][c]; STORE; break;
        case DPH: FETCH(0); FETCH(1); x[0][3] = 1; goto dot4;
        case DP4: FETCH(0); FETCH(1);
        dot4:
            BROADCAST((((0 + multiply(x[0][0], x[1][0])) + multiply(x[0][1], x[1][1])) + multiply(x[0][2], x[1][2])) +
                      multiply(x[0][3], x[1][3]));
            break;
        case DP3: FETCH(0); FETCH(1);
            BROADCAST(((0 + multiply(x[0][0], x[1][0])) + multiply(x[0][1], x[1][1])) + multiply(x[0][2], x[1][2]));
            break;
        case DST: FETCH(0); FETCH(1);
            d[0] = 1, d[1] = multiply(x[0][1], x[1][1]), d[2] = x[0][2], d[3] = x[1][3];
            STORE;
            break;
        case LITP: FETCH(0);
            flags = (x[0][0] >= 0) | (unsigned)(x[0][3] >= 0) << 1;
            d[0] = x[0][0] > 0 ? x[0][0] : 0;
            d[1] = x[0][1] > -127.99609375f ? x[0][1] : -127.99609375f;
            d[1] = d[1] < 127.99609375f ? d[1] : 127.99609375f;
            d[2] = 0;
            d[3] = x[0][3] > 0 ? x[0][3] : 0;
            STORE;
            break;
        case SGE: FETCH(0); FETCH(1); EACH d[c] = x[0][c] >= x[1][c]; STORE; break;
        case SLT: FETCH(0); FETCH(1); EACH d[c] = x[0][c] < x[1][c]; STORE; break;
        case MAX: FETCH(0); FETCH(1); EACH d[c] = x[0][c] > x[1][c] ? x[0][c] : x[1][c]; STORE; break;
        case MIN: FETCH(0); FETCH(1); EACH d[c] = x[0][c] < x[1][c] ? x[0][c] : x[1][c]; STORE; break;
        case FLR: FETCH(0); EACH d[c] = floorf(x[0][c]); STORE; break;
        case MOV: FETCH(0); EACH d[c] = x[0][c]; STORE; break;
        case RCP: FETCH(0); BROADCAST(1 / x[0][0]); break;
        case RSQ: FETCH(0); BROADCAST(1 / sqrtf(x[0][0])); break;
        case EX2: FETCH(0); BROADCAST((float)exp2((double)x[0][0])); break;
        case LG2: FETCH(0); BROADCAST((float)log2((double)x[0][0])); break;
        case MOVA: FETCH(0);
            if (i->mask & 8) address[1] = integer(x[0][0]);
            if (i->mask & 4) address[2] = integer(x[0][1]);
            break;
        case CMP: FETCH(0); FETCH(1);
            flags = (unsigned)compare(i->compare[0], x[0][0], x[1][0]) | (unsigned)compare(i->compare[1], x[0][1], x[1][1]) << 1;
            break;
        case NOP: break;
        case END: return steps;
        case BREAK: leave = loop_depth > 0 && i->flags >> flags & 1; break;
        case CALL: case IF: case JUMP:
            acts = i->uniform < 16 ? i->flags >> (bools >> i->uniform & 1) & 1 : i->flags >> flags & 1;
            if (i->operation == JUMP) {
                if (acts) to = i->target;
            } else if (i->operation == IF) {
                struct scope s = {i->target, i->end, 0, 0, 0};
                if (acts) push(ifs, &if_depth, 8, s);
                else to = i->target;
            } else if (acts) {
                struct scope s = {pc + 1, i->end, 0, 0, 0};
                push(calls, &call_depth, 4, s);
                to = i->target;
            }
            break;
        case LOOP: {
            const unsigned char *n = ints[i->integer];
            struct scope s = {pc + 1, i->end, n[0], n[2], address[3]};
            push(loops, &loop_depth, 4, s);
            address[3] = n[1];
            break;
        }
        default: exit(3);
        }
        if (i->scope_end | leave) {
            unsigned q = pc + 1, at = q;
            for (c = 0; c < 4 && call_depth && calls[call_depth - 1].end == at; c++) {
                call_depth--;
                if (c < 3) at = to = calls[call_depth].entry;
            }
            if (if_depth && ifs[if_depth - 1].entry == q) to = ifs[--if_depth].end;
            if (loop_depth && (leave || loops[loop_depth - 1].end == q)) {
                struct scope *l = &loops[loop_depth - 1];
                address[3] += (int32_t)l->step;
                if (!leave && l->count) {
                    l->count--;
                    to = l->entry;
                } else {
                    to = l->end;
                    if (loop_depth > 1) address[3] = l->outer;
                    loop_depth--;
                }
            }
        }
        pc = to < MAX_WORDS ? to : MAX_WORDS;
    }
    exit(4);
}

static uint64_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void)
{
    static uint32_t code[MAX_WORDS], descriptors[MAX_DESCRIPTORS];
    unsigned words = next(), count = next(), entry = next(), outmask = next(), n, k, c, registers, vertices, passes;
    static char seen[SLOTS];
    bools = next(), registers = next(), vertices = next();
    if (words > MAX_WORDS || count > MAX_DESCRIPTORS || registers > 16 || vertices > MAX_VERTICES) return 2;
    for (n = 0; n < 96; n++) for (c = 0; c < 4; c++) file[C + n][c] = number(next());
    for (n = 0; n < 4; n++) for (c = 0; c < 4; c++) ints[n][c] = (unsigned char)next();
    for (c = 0; c < 4; c++) file[ONES][c] = 1;
    for (n = 0; n < words; n++) code[n] = next();
    for (n = 0; n < count; n++) descriptors[n] = next();
    for (n = 0; n < vertices; n++) for (k = 0; k < registers; k++) for (c = 0; c < 4; c++) input[n][k][c] = number(next());
    for (n = 0; n < MAX_WORDS; n++) decode(&program[n], code[n], descriptors);
    program[MAX_WORDS].operation = INVALID;
    for (n = 0; n < words; n++) {
        const struct instruction *i = &program[n];
        unsigned end = i->operation == IF ? i->target : i->operation == CALL || i->operation == LOOP ? i->end : 0;
        if (end && end <= MAX_WORDS) program[end - 1].scope_end = 1;
        if (i->operation < MOVA || i->operation == MOV || i->operation == MAD) seen[i->dest] = 1;
    }
    for (n = 0; n < SLOTS; n++) if (seen[n]) written[written_count++] = (unsigned short)n;

    while (scanf("%u", &passes) == 1) {
        uint64_t best = UINT64_MAX, sum = 0, took;
        uint64_t steps = 0;
        while (passes-- > 0) {
            uint64_t start = nanoseconds();
            sum = steps = 0;
            for (n = 0; n < vertices; n++) {
                int w;
                for (w = 0; w < written_count; w++) memset(file[written[w]], 0, sizeof file[0]);
                memcpy(file, input[n], registers * sizeof file[0]);
                steps += (uint64_t)run(entry);
                for (k = 0; k < 16; k++)
                    if (outmask >> k & 1) {
                        const float *o = file[O + k];
                        sum = (sum << 1 | sum >> 63) ^ (bits(o[0]) | (uint64_t)bits(o[1]) << 32) ^ (bits(o[2]) | (uint64_t)bits(o[3]) << 32);
                    }
            }
            took = nanoseconds() - start;
            if (took < best) best = took;
        }
        printf("%" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", best, steps, sum);
        fflush(stdout);
    }
    return 0;
}
