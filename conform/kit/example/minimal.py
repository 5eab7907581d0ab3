"""The smallest core in Python: every program is "mov o0, v0"."""

import picaproof_kit as kit


def run(job, v):
    if job.code[job.entry] != 0x4C000000:  # mov o0, v0, descriptor 0
        raise kit.Refusal(kit.UNSUPPORTED, "only mov o0, v0")
    v.o[0] = v.input[0]


kit.serve(kit.Core("minimal Python"), run)
