/*
 * The exported vectors on the toy core: the loop of picaproof_vectors.h around the
 * function that a core has anyway. It prints the names of the vectors that are missed.
 *
 *     vectors PROFILE [--fault NAME]...
 */
#include "../picaproof_kit.h"
#include "picaproof_vectors.h"

/* The core's primitives go into the result, not into a reply. */
static pv_result *collected;

static void collect(uint32_t slots[3][16][4], int winding)
{
    if (collected->primitives < PV_PRIMITIVES) {
        collected->primitive[collected->primitives].winding = (unsigned)winding;
        memcpy(collected->primitive[collected->primitives].v, slots, sizeof collected->primitive[0].v);
    }
    collected->primitives++;
}

#define pp_emit collect
#define main toy_main
#include "toy.c"
#undef main
#undef pp_emit

static int run_vector(void *user, const pv_job *job, pv_result *result)
{
    static pp_job j;
    static pp_vertex v;
    const pv_vector *vector = job->vector;
    int k, c;
    memset(&j, 0, sizeof j);
    memset(&v, 0, sizeof v);
    memcpy(j.code, job->code, job->code_words * sizeof j.code[0]);
    memcpy(j.desc, job->desc, job->desc_words * sizeof j.desc[0]);
    memcpy(j.f, job->f, sizeof j.f);
    memcpy(j.f_bits, job->f_bits, sizeof j.f_bits);
    for (k = 0; k < 4; k++)
        for (c = 0; c < 4; c++) j.i[k][c] = (uint8_t)(vector->i[k] >> (24 - 8 * c));
    j.entry = (unsigned)vector->entry, j.geometry = vector->geometry, j.outmask = vector->outmask;
    j.b = (uint16_t)vector->b, j.keep = vector->keep, j.index = job->vertex;
    memcpy(v.in, job->in, sizeof v.in);
    memcpy(v.o, result->o, sizeof v.o);
    memcpy(v.r, result->r, sizeof v.r);
    memcpy(v.a, result->a, sizeof v.a);
    v.cc = (uint8_t)result->cc;
    v.fresh = job->vertex == 0 || !vector->keep;
    collected = result;
    if (run(user, &j, &v) != PP_OK) return 2;
    memcpy(result->o, v.o, sizeof v.o);
    memcpy(result->r, v.r, sizeof v.r);
    memcpy(result->a, v.a, sizeof v.a);
    result->cc = v.cc;
    return 0;
}

static void print(void *user, const pv_vector *v, unsigned vertex, const char *where, uint32_t got, uint32_t want)
{
    (void)user;
    printf("%s\tvertex %u\t%s\tgot %08x\twant %08x\n", v->name, vertex, where, (unsigned)got, (unsigned)want);
}

int main(int argc, char **argv)
{
    static struct core state;
    int failures, k, n;
    if (argc < 2 || !pv_self_check()) return 3;
    for (k = 2; k + 1 < argc; k += 2)
        for (n = 0; n < FAULT_COUNT; n++) faulty[n] |= !strcmp(argv[k + 1], faults[n].name);
    failures = pv_check(argv[1], run_vector, &state, print, 0);
    return failures < 0 ? 2 : failures > 0;
}
