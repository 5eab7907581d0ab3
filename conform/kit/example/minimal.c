/* The smallest core: every program is "mov o0, v0". It shows where things go. */
#include "picaproof_kit.h"

static pp_status run(void *user, const pp_job *job, pp_vertex *v)
{
    (void)user;
    if (job->code[job->entry] != 0x4c000000u) { /* mov o0, v0, descriptor 0 */
        pp_message("only mov o0, v0");
        return PP_UNSUPPORTED;
    }
    memcpy(v->o[0], v->in[0], sizeof v->o[0]);
    return PP_OK;
}

int main(void)
{
    pp_core core;
    memset(&core, 0, sizeof core);
    core.name = "minimal";
    core.run = run;
    return pp_serve(&core, stdin, stdout);
}
