/*
 * picaproof_kit.h: drive a PICA200 shader core by the picaproof adapter protocol.
 *
 * One file, C99 (C++ reads it too, see picaproof_kit.hpp), no dependency, no
 * allocation. Write one function that runs a program over one vertex, and call
 * pp_serve from main:
 *
 *     #include "picaproof_kit.h"
 *
 *     static pp_status run(void *user, const pp_job *job, pp_vertex *v)
 *     {
 *         my_core *core = user;
 *         if (job->index == 0) my_core_load(core, job->code, job->desc);
 *         ... set the uniforms, the inputs v->in and the state in v; run;
 *         ... store what the core's registers hold in v ...
 *         return PP_OK;
 *     }
 *
 *     int main(void)
 *     {
 *         pp_core core = {0};
 *         core.name = "my core";
 *         core.run = run;
 *         core.user = my_core_new();
 *         return pp_serve(&core, stdin, stdout);
 *     }
 *
 * pp_serve reads one request a line, answers each with one line, in order, and
 * returns 0 at the end of the input. The core may write to stderr whatever it
 * likes, and nothing to stdout. It need not survive what it cannot do: picaproof
 * starts it again.
 *
 * Numbers are bit patterns of float32 in a uint32_t, so that no NaN is changed on
 * its way; pp_float and pp_bits convert.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef PICAPROOF_KIT_H
#define PICAPROOF_KIT_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PP_PROTOCOL = 1,
    PP_CODE = 4096,      /* words of program memory */
    PP_DESC = 128,       /* operand descriptors */
    PP_FLOATS = 96,      /* float uniforms */
    PP_VERTICES = 4096,  /* vertices of a request; one with more is refused */
    PP_PRIMITIVES = 4096 /* primitives of a vertex; more are refused */
};

/* What the program is, and what it works on. */
typedef struct pp_job {
    uint32_t code[PP_CODE]; /* words that the request does not give are zero */
    uint32_t desc[PP_DESC];
    unsigned code_words, desc_words; /* how many it gives */
    unsigned entry;                  /* word at which the program starts */
    int geometry;                    /* 0: vertex stage, 1: geometry stage */
    unsigned outmask;                /* output registers that a geometry stage packs */
    uint32_t f[PP_FLOATS][4];        /* float uniforms, as float32 or raw float24 */
    uint8_t f_bits[PP_FLOATS];       /* 32 or 24; 0: not given, +0 */
    uint8_t i[4][4];                 /* integer uniforms x, y, z, w */
    uint16_t b;                      /* boolean uniform n is bit n */
    int keep;                        /* registers carry over from vertex to vertex */
    unsigned index;                  /* number of this vertex; at 0 the program is new */
    unsigned vertices;               /* number of vertices */
    long timeout_ms;                 /* picaproof waits no longer; 0: it did not say */
} pp_job;

/* The inputs of one vertex, and the registers. Before the function is called o, r,
 * a and cc are zero, or with keep what the vertex before left; it leaves what the
 * core's registers hold afterwards. With fresh set a geometry core also clears its
 * emitter: slot, flags and stored vertices. */
typedef struct pp_vertex {
    uint32_t in[16][4]; /* v0 to v15; those that are not given are zero */
    unsigned inputs;    /* how many are given */
    int fresh;
    uint32_t o[16][4], r[16][4];
    int32_t a[3]; /* a0.x, a0.y, aL */
    uint8_t cc;   /* bit 0: cc.x, bit 1: cc.y */
} pp_vertex;

/* What the function returns. All but PP_OK end the request. */
typedef enum pp_status {
    PP_OK,
    PP_UNSUPPORTED, /* the core lacks something */
    PP_ASSERT,      /* an assertion failed; picaproof starts the core again */
    PP_PANIC,       /* a fatal error; likewise */
    PP_EXCEPTION,   /* an exception was thrown; likewise */
    PP_TRAP,        /* the core models undefined behaviour; pp_message names the trap */
    PP_CRASH,       /* the core supervises itself, and crashed */
    PP_TIMEOUT      /* the core supervises itself, and took too long */
} pp_status;

/* The core. All but run may be zero. */
typedef struct pp_core {
    const char *name;
    const char *profile;      /* which of picaproof's profiles it follows */
    const char *unsupported;  /* mnemonics, separated by blanks: "dst litp" */
    int geometry;             /* it has a geometry stage */
    /* The core, or what the adapter puts around it, sets b15 after each run of a
     * geometry program. Give it job->b at index 0 only, then: the next vertex finds
     * b15. With 0 picaproof does not ask. */
    int sets_b15;
    pp_status (*run)(void *user, const pp_job *job, pp_vertex *v);
    void *user;
} pp_core;

/* To be called by the function: why it refuses, or which trap it met. */
static inline void pp_message(const char *text);
/* A warning: the core skipped something. With one, a result that differs is not
 * held against the core, unless right results come with the same message. At most 8 are kept, each once. */
static inline void pp_log(const char *text);
/* A primitive of a geometry program: the three slots as stored, and the winding
 * flag; the exchange of vertices that it asks for is not applied. */
static inline void pp_emit(uint32_t slots[3][16][4], int winding);

static inline int pp_serve(const pp_core *core, FILE *in, FILE *out);

/* float32 and its pattern. */
static inline float pp_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t pp_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* The float32 of a raw float24: exact, subnormals included. */
static inline uint32_t pp_float24(uint32_t raw)
{
    uint32_t sign = (raw >> 23 & 1) << 31, e = raw >> 16 & 127, m = raw & 0xFFFF;
    if (e == 127) return sign | 0x7F800000u | m << 7;
    if (e == 0) {
        if (m == 0) return sign;
        for (e = 1; !(m & 0x10000); e--) m <<= 1; /* e wraps below 0, and back */
        m &= 0xFFFF;
    }
    return sign | (e + 64) << 23 | m << 7;
}

/* ------------------------------------------------------------------------ */
/* The rest is the protocol: bounded reading of JSON from a stream, and      */
/* writing of replies. Nothing below reads what the core could have changed. */

enum { pp_id_max = 256, pp_text_max = 256, pp_logs_max = 8, pp_depth_max = 32, pp_name_max = 16 };

typedef struct pp_kit {
    FILE *in, *out;
    int next;       /* the next character; EOF at the end */
    int keeping;    /* characters that are taken belong to the id */
    int bad;        /* the request makes no sense; why is in text */
    char id[pp_id_max];
    unsigned id_length;
    char op[pp_name_max];
    char text[pp_text_max];
    char logs[pp_logs_max][pp_text_max];
    unsigned log_count;
    unsigned primitives; /* of this vertex; those beyond the limit are counted too */
    unsigned vertices, inputs[PP_VERTICES];
    uint32_t vertex[PP_VERTICES][16][4];
} pp_kit;

static pp_kit pp_k;
static pp_job pp_j;    /* as it was sent */
static pp_job pp_shown; /* what the core sees */

static inline void pp_copy(char *to, const char *from)
{
    unsigned n = 0;
    if (from)
        while (n + 1 < pp_text_max && from[n]) { to[n] = from[n]; n++; }
    to[n] = 0;
}

static inline void pp_message(const char *text) { pp_copy(pp_k.text, text); }

static inline void pp_log(const char *text)
{
    char line[pp_text_max];
    unsigned k;
    pp_copy(line, text);
    for (k = 0; k < pp_k.log_count; k++)
        if (!strcmp(pp_k.logs[k], line)) return;
    if (pp_k.log_count < pp_logs_max) memcpy(pp_k.logs[pp_k.log_count++], line, sizeof line);
}

/* --- reading --- */

static inline void pp_bad(const char *why)
{
    if (!pp_k.bad) pp_copy(pp_k.text, why);
    pp_k.bad = 1;
}

static inline int pp_take(void)
{
    int c = pp_k.next;
    if (c == EOF || c == '\n') {
        pp_bad("the line ends too early");
        return '\n';
    }
    if (pp_k.keeping) {
        if (pp_k.id_length == pp_id_max) pp_bad("the id is too long");
        else pp_k.id[pp_k.id_length++] = (char)c;
    }
    pp_k.next = getc(pp_k.in);
    return c;
}

static inline int pp_peek(void)
{
    while (pp_k.next == ' ' || pp_k.next == '\t' || pp_k.next == '\r') pp_k.next = getc(pp_k.in);
    return pp_k.next;
}

static inline int pp_is(int c) { return pp_peek() == c; }

static inline void pp_expect(int c)
{
    if (pp_k.bad) return;
    if (!pp_is(c)) { pp_bad("the line is no JSON object"); return; }
    pp_take();
}

static inline int pp_hex(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* The next character of a string, -1 at its end, '?' for all beyond ASCII. */
static inline int pp_character(void)
{
    int c, k, n = 0;
    if (pp_k.bad) return -1;
    c = pp_take();
    if (c == '"' || pp_k.bad) return -1;
    if (c < ' ') pp_bad("a string holds a control character");
    if (c != '\\') return c > 126 ? '?' : c;
    switch (c = pp_take()) {
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case '"': case '\\': case '/': return c;
    case 'u':
        for (k = 0; k < 4; k++) {
            int digit = pp_hex(pp_take());
            if (digit < 0) { pp_bad("a string holds an unknown escape"); return -1; }
            n = n * 16 + digit;
        }
        return n > 0 && n < 127 ? n : '?';
    }
    pp_bad("a string holds an unknown escape");
    return -1;
}

/* A string; one that does not fit becomes "?", which nothing is called. */
static inline void pp_string(char *to, unsigned size)
{
    unsigned n = 0;
    int c;
    pp_expect('"');
    while (!pp_k.bad && (c = pp_character()) >= 0)
        if (n + 1 < size) to[n++] = (char)c;
        else n = size; /* too long to be any that we know */
    if (n == size) to[0] = '?', n = 1;
    to[n] = 0;
}

static inline void pp_word(const char *word)
{
    while (!pp_k.bad && *word)
        if (pp_take() != *word++) pp_bad("neither a string nor a number nor a known word");
}

/* Digits, at least one. */
static inline void pp_digits(void)
{
    if (!pp_k.bad && !(pp_k.next >= '0' && pp_k.next <= '9')) pp_bad("a number has no digits");
    while (!pp_k.bad && pp_k.next >= '0' && pp_k.next <= '9') pp_take();
}

/* Passes over a value of any kind. */
static inline void pp_value(int depth)
{
    int c, close;
    if (pp_k.bad) return;
    if (depth == pp_depth_max) { pp_bad("nested too deeply"); return; }
    switch (c = pp_peek()) {
    case '"':
        pp_take();
        while (pp_character() >= 0) {}
        return;
    case 't': pp_word("true"); return;
    case 'f': pp_word("false"); return;
    case 'n': pp_word("null"); return;
    case '{': case '[':
        close = c == '{' ? '}' : ']';
        pp_take();
        if (pp_is(close)) { pp_take(); return; }
        while (!pp_k.bad) {
            if (c == '{') {
                pp_expect('"');
                while (pp_character() >= 0) {}
                pp_expect(':');
            }
            pp_value(depth + 1);
            if (pp_k.bad || !pp_is(',')) break;
            pp_take();
        }
        pp_expect(close);
        return;
    }
    if (c == '-') pp_take();
    if (pp_k.next == '0') pp_take();
    else pp_digits();
    if (!pp_k.bad && pp_k.next == '.') { pp_take(); pp_digits(); }
    if (!pp_k.bad && (pp_k.next == 'e' || pp_k.next == 'E')) {
        pp_take();
        if (pp_k.next == '+' || pp_k.next == '-') pp_take();
        pp_digits();
    }
}

/* The id: a value that is kept as it was written. */
static inline void pp_identity(void)
{
    pp_k.id_length = 0;
    pp_k.keeping = 1;
    pp_value(0);
    pp_k.keeping = 0;
    if (pp_k.bad) pp_k.id_length = 0;
}

static inline long pp_number(long low, long high)
{
    long n = 0;
    int minus = 0, digits = 0, zero;
    if (pp_k.bad) return 0;
    if (pp_is('-')) { minus = 1; pp_take(); }
    zero = pp_k.next == '0';
    while (!pp_k.bad && pp_k.next >= '0' && pp_k.next <= '9') {
        n = n * 10 + (pp_take() - '0');
        if (++digits > 9) { pp_bad("a number is out of range"); return 0; }
    }
    if (minus) n = -n;
    if (digits == 0 || (zero && digits > 1) || n < low || n > high || pp_k.next == '.' || pp_k.next == 'e' || pp_k.next == 'E')
        pp_bad("a number is out of range");
    return pp_k.bad ? 0 : n;
}

static inline int pp_boolean(void)
{
    int value = pp_is('t');
    pp_word(value ? "true" : "false");
    return value;
}

/* Words of the given number of hex digits up to the end of the string; returns how
 * many. */
static inline unsigned pp_words(uint32_t *to, unsigned size, int digits)
{
    unsigned n = 0;
    int c, k, digit;
    pp_expect('"');
    while (!pp_k.bad) {
        uint32_t word = 0;
        for (k = 0; k < digits; k++) {
            c = pp_character();
            if (c < 0 && k == 0) return n;
            digit = c < 0 ? -1 : pp_hex(c);
            if (digit < 0) { pp_bad("a string is not whole hex words"); return 0; }
            word = word << 4 | (uint32_t)digit;
        }
        if (n == size) { pp_bad("more words than there is room for"); return 0; }
        to[n++] = word;
    }
    return 0;
}

static inline void pp_floats(int bits)
{
    static uint32_t run[PP_FLOATS * 4 + 4];
    pp_expect('{');
    if (!pp_k.bad && pp_is('}')) { pp_take(); return; }
    while (!pp_k.bad) {
        unsigned first = 0, n, k, digits = 0;
        int c;
        pp_expect('"');
        while (!pp_k.bad && (c = pp_character()) >= 0) {
            if (c < '0' || c > '9' || ++digits > 5) { pp_bad("a key is no register number"); return; }
            first = first * 10 + (unsigned)(c - '0');
        }
        if (digits == 0) pp_bad("a key is no register number");
        pp_expect(':');
        n = pp_words(run, sizeof run / sizeof run[0], bits / 4);
        if (n % 4) pp_bad("a string is not whole registers");
        for (k = 0; !pp_k.bad && k < n / 4; k++)
            if (first + k < PP_FLOATS) { /* those beyond are ignored, as on the console */
                memcpy(pp_j.f[first + k], run + 4 * k, sizeof pp_j.f[0]);
                pp_j.f_bits[first + k] = (uint8_t)bits;
            }
        if (pp_k.bad || !pp_is(',')) break;
        pp_take();
    }
    pp_expect('}');
}

static inline void pp_integers(void)
{
    unsigned k = 0, c;
    uint32_t word;
    pp_expect('[');
    if (!pp_k.bad && pp_is(']')) { pp_take(); return; }
    while (!pp_k.bad) {
        if (k == 4) { pp_bad("more than 4 integer uniforms"); return; }
        if (pp_words(&word, 1, 8) != 1) { pp_bad("an integer uniform is not 8 hex digits"); return; }
        for (c = 0; c < 4; c++) pp_j.i[k][c] = (uint8_t)(word >> (24 - 8 * c));
        k++;
        if (!pp_is(',')) break;
        pp_take();
    }
    pp_expect(']');
}

static inline void pp_inputs(void)
{
    pp_k.vertices = 0;
    pp_expect('[');
    if (!pp_k.bad && pp_is(']')) { pp_take(); return; }
    while (!pp_k.bad) {
        unsigned n;
        if (pp_k.vertices == PP_VERTICES) { pp_bad("more than 4096 vertices"); return; }
        memset(pp_k.vertex[pp_k.vertices], 0, sizeof pp_k.vertex[0]);
        n = pp_words(&pp_k.vertex[pp_k.vertices][0][0], 64, 8);
        if (n % 4) pp_bad("a vertex is not whole registers");
        pp_k.inputs[pp_k.vertices++] = n / 4;
        if (pp_k.bad || !pp_is(',')) break;
        pp_take();
    }
    pp_expect(']');
}

static inline void pp_field(const char *name, int *regs)
{
    char stage[4];
    if (!strcmp(name, "id")) pp_identity();
    else if (!strcmp(name, "op")) pp_string(pp_k.op, sizeof pp_k.op);
    else if (!strcmp(name, "code")) pp_j.code_words = pp_words(pp_j.code, PP_CODE, 8);
    else if (!strcmp(name, "desc")) pp_j.desc_words = pp_words(pp_j.desc, PP_DESC, 8);
    else if (!strcmp(name, "entry")) pp_j.entry = (unsigned)pp_number(0, PP_CODE - 1);
    else if (!strcmp(name, "stage")) {
        pp_string(stage, sizeof stage);
        pp_j.geometry = !strcmp(stage, "gs");
        if (!pp_j.geometry && strcmp(stage, "vs")) pp_bad("the stage is neither vs nor gs");
    }
    else if (!strcmp(name, "outmask")) pp_j.outmask = (unsigned)pp_number(0, 0xFFFF);
    else if (!strcmp(name, "f32")) pp_floats(32);
    else if (!strcmp(name, "f24")) pp_floats(24);
    else if (!strcmp(name, "i")) pp_integers();
    else if (!strcmp(name, "b")) pp_j.b = (uint16_t)pp_number(0, 0xFFFF);
    else if (!strcmp(name, "in")) pp_inputs();
    else if (!strcmp(name, "keep")) pp_j.keep = pp_boolean();
    else if (!strcmp(name, "regs")) *regs = pp_boolean();
    else if (!strcmp(name, "timeout_ms")) pp_j.timeout_ms = pp_number(0, 999999999);
    else pp_value(0);
}

/* Reads a line; returns 0 at the end of the input. */
static inline int pp_request(int *regs)
{
    char name[pp_name_max];
    pp_k.next = getc(pp_k.in);
    while (pp_k.next == '\n' || pp_k.next == ' ' || pp_k.next == '\r') pp_k.next = getc(pp_k.in);
    if (pp_k.next == EOF) return 0;
    memset(&pp_j, 0, sizeof pp_j);
    pp_j.outmask = 0xFFFF;
    pp_k.bad = 0, pp_k.id_length = 0, pp_k.op[0] = 0, pp_k.text[0] = 0, pp_k.vertices = 0;
    *regs = 1;
    pp_expect('{');
    if (!pp_k.bad && pp_is('}')) pp_take();
    else {
        while (!pp_k.bad) {
            pp_string(name, sizeof name);
            pp_expect(':');
            if (!pp_k.bad) pp_field(name, regs);
            if (pp_k.bad || !pp_is(',')) break;
            pp_take();
        }
        pp_expect('}');
    }
    if (!pp_k.bad && !pp_is('\n') && !pp_is(EOF)) pp_bad("something follows the object");
    while (pp_k.next != '\n' && pp_k.next != EOF) pp_k.next = getc(pp_k.in);
    return 1;
}

/* --- writing --- */

static inline void pp_put(const char *s) { fputs(s, pp_k.out); }

static inline void pp_quote(const char *s)
{
    putc('"', pp_k.out);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < ' ' || c == '"' || c == '\\' || c > 126) fprintf(pp_k.out, "\\u%04x", c);
        else putc(c, pp_k.out);
    }
    putc('"', pp_k.out);
}

static inline void pp_bank(const uint32_t *bank)
{
    static const char digits[] = "0123456789abcdef";
    char text[16 * 4 * 8 + 2], *p = text;
    unsigned k, c;
    int shift;
    *p++ = '"';
    for (k = 0; k < 16; k++)
        for (c = 0; c < 4; c++)
            for (shift = 28; shift >= 0; shift -= 4) *p++ = digits[bank[4 * k + c] >> shift & 15];
    *p++ = '"';
    fwrite(text, 1, sizeof text, pp_k.out);
}

static inline void pp_emit(uint32_t slots[3][16][4], int winding)
{
    unsigned s;
    if (!pp_j.geometry || pp_k.primitives++ >= PP_PRIMITIVES) return;
    if (pp_k.primitives > 1) pp_put(",");
    fprintf(pp_k.out, "{\"w\":%d,\"v\":[", winding != 0);
    for (s = 0; s < 3; s++) {
        if (s) pp_put(",");
        pp_bank(&slots[s][0][0]);
    }
    pp_put("]}");
}

static inline void pp_head(void)
{
    pp_put("{\"id\":");
    if (pp_k.id_length) fwrite(pp_k.id, 1, pp_k.id_length, pp_k.out);
    else pp_put("null");
}

static inline void pp_info(const pp_core *core)
{
    const char *s = core->unsupported ? core->unsupported : "";
    int first = 1;
    pp_put(",\"status\":\"ok\",\"core\":");
    pp_quote(core->name ? core->name : "unnamed");
    fprintf(pp_k.out, ",\"protocol\":%d", (int)PP_PROTOCOL);
    if (core->profile) {
        pp_put(",\"profile\":");
        pp_quote(core->profile);
    }
    pp_put(core->geometry ? ",\"stages\":[\"vs\",\"gs\"]" : ",\"stages\":[\"vs\"]");
    pp_put(",\"unsupported\":[");
    while (*s) {
        char name[pp_name_max];
        unsigned n = 0;
        while (*s == ' ') s++;
        for (; *s && *s != ' '; s++)
            if (n + 1 < sizeof name) name[n++] = *s;
        name[n] = 0;
        if (!n) break;
        if (!first) pp_put(",");
        pp_quote(name);
        first = 0;
    }
    pp_put("]");
    if (core->sets_b15) pp_put(",\"sets_b15\":true");
}

static inline void pp_run(const pp_core *core, int regs)
{
    static const char *const kinds[] = {"", "unsupported", "assert", "panic", "exception", "trap"};
    static pp_vertex v;
    pp_status status = PP_OK;
    unsigned n, vertices = pp_k.vertices;
    pp_k.log_count = 0;
    pp_put(",\"out\":[");
    if (pp_j.geometry && !core->geometry) {
        pp_message("no geometry stage");
        status = PP_UNSUPPORTED;
    }
    for (n = 0; n < vertices && status == PP_OK; n++) {
        pp_shown = pp_j; /* a core that writes to it spoils its own request at most */
        pp_shown.index = n;
        pp_shown.vertices = vertices;
        if (n == 0 || !pp_j.keep) memset(&v, 0, sizeof v);
        memcpy(v.in, pp_k.vertex[n], sizeof v.in);
        v.inputs = pp_k.inputs[n];
        v.fresh = n == 0 || !pp_j.keep;
        pp_k.primitives = 0;
        if (n) pp_put(",");
        pp_put(pp_j.geometry ? "{\"prims\":[" : "{");
        status = core->run(core->user, &pp_shown, &v);
        if (status == PP_OK && pp_k.primitives > PP_PRIMITIVES) {
            pp_message("primitive-budget");
            status = PP_TRAP;
        }
        pp_put(pp_j.geometry ? "],\"o\":" : "\"o\":");
        pp_bank(&v.o[0][0]);
        if (regs) {
            pp_put(",\"r\":");
            pp_bank(&v.r[0][0]);
        }
        fprintf(pp_k.out, ",\"a\":[%ld,%ld,%ld],\"cc\":%d}", (long)v.a[0], (long)v.a[1], (long)v.a[2], v.cc & 3);
    }
    pp_put("]");
    switch (status) {
    case PP_OK: pp_put(",\"status\":\"ok\""); break;
    case PP_CRASH: pp_put(",\"status\":\"crash\""); break;
    case PP_TIMEOUT: pp_put(",\"status\":\"timeout\""); break;
    case PP_UNSUPPORTED: case PP_ASSERT: case PP_PANIC: case PP_EXCEPTION: case PP_TRAP:
        pp_put(",\"status\":\"error\",\"kind\":");
        pp_quote(kinds[status]);
        break;
    default: pp_put(",\"status\":\"error\",\"kind\":\"exception\""); break;
    }
    if (status != PP_OK && pp_k.text[0]) {
        pp_put(",\"msg\":");
        pp_quote(pp_k.text);
    }
    for (n = 0; n < pp_k.log_count; n++) {
        pp_put(n ? "," : ",\"log\":[");
        pp_quote(pp_k.logs[n]);
    }
    if (n) pp_put("]");
}

static inline int pp_serve(const pp_core *core, FILE *in, FILE *out)
{
    int regs;
    pp_k.in = in, pp_k.out = out;
    while (pp_request(&regs)) {
        pp_head();
        if (pp_k.bad) {
            pp_put(",\"status\":\"bad-request\",\"msg\":");
            pp_quote(pp_k.text);
        } else if (!strcmp(pp_k.op, "info")) {
            pp_info(core);
        } else if (!pp_k.op[0] || !strcmp(pp_k.op, "run")) {
            pp_run(core, regs);
        } else {
            pp_put(",\"status\":\"error\",\"kind\":\"unsupported\",\"msg\":\"unknown op\"");
        }
        pp_put("}\n");
        if (fflush(out)) return 1;
    }
    return 0;
}

#ifdef __cplusplus
}
#endif

#endif

/* ------------------------------------------------------------------------ */
/* C++17: a core is anything that can be called; an exception refuses.       */

#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

namespace picaproof {

/* Thrown by a core to end a request with a status of its choice. */
class Refusal : public std::runtime_error {
public:
    Refusal(pp_status status, const std::string &why) : std::runtime_error(why), status(status) {}
    const pp_status status;
};

/* Serves the protocol with a function object that is called as f(job, vertex) for
 * every vertex. What else it throws is answered as an exception. The other fields
 * of core say what the core is. */
template <class F>
int serve(pp_core core, F &&f, FILE *in = stdin, FILE *out = stdout)
{
    auto call = [&f](const pp_job &job, pp_vertex &v) { f(job, v); };
    core.user = &call;
    core.run = [](void *user, const pp_job *job, pp_vertex *v) -> pp_status {
        try {
            (*static_cast<decltype(call) *>(user))(*job, *v);
            return PP_OK;
        } catch (const Refusal &r) {
            pp_message(r.what());
            return r.status;
        } catch (const std::exception &e) {
            pp_message(e.what());
        } catch (...) {
            pp_message("an exception of unknown type");
        }
        return PP_EXCEPTION;
    };
    return pp_serve(&core, in, out);
}

} // namespace picaproof
