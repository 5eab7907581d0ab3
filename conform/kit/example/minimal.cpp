// The smallest core in C++: every program is "mov o0, v0".
#include "picaproof_kit.hpp"

int main()
{
    pp_core core{};
    core.name = "minimal C++";
    return picaproof::serve(core, [](const pp_job &job, pp_vertex &v) {
        if (job.code[job.entry] != 0x4c000000u) // mov o0, v0, descriptor 0
            throw picaproof::Refusal(PP_UNSUPPORTED, "only mov o0, v0");
        std::memcpy(v.o[0], v.in[0], sizeof v.o[0]);
    });
}
