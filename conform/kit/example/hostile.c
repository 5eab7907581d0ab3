/* A core that hands the kit nonsense, for its test: texts without an end that is
 * near, numbers out of range, more primitives than there may be, changes to what it
 * is only shown. The kit must answer every request with a line that makes sense. */
#include "picaproof_kit.h"

static pp_status run(void *user, const pp_job *job, pp_vertex *v)
{
    static char text[1 << 16], line[32];
    static uint32_t slots[3][16][4];
    unsigned long n;
    pp_job *shown = (pp_job *)(uintptr_t)job;
    (void)user;
    memset(text, '"', sizeof text - 1);
    text[5] = '\\', text[6] = '\n', text[7] = (char)0xFF, text[8] = 1;
    pp_message(text);
    pp_message(0);
    pp_message(text);
    for (n = 0; n < 1000; n++) {
        sprintf(line, "line %lu \t", n);
        pp_log(line);
        pp_log(text);
        pp_log(0);
    }
    memset(slots, 0xFF, sizeof slots);
    for (n = 0; n < ((shown->b & 0xFF) == 1 ? 10000ul : 3ul); n++) pp_emit(slots, 0x7FFFFFFF);
    n = shown->b;
    memset(shown, 0xFF, sizeof *shown);
    memset(v, 0xFF, sizeof *v);
    v->a[0] = INT32_MIN;
    return (pp_status)(n >> 1);
}

int main(void)
{
    pp_core core;
    memset(&core, 0, sizeof core);
    core.name = "\"hostile\"\n\xff";
    core.unsupported = "  a-name-that-is-longer-than-any-mnemonic   x ";
    core.geometry = 1;
    core.run = run;
    return pp_serve(&core, stdin, stdout);
}
