"""A core that hands the kit nonsense, for its test, by the low bits of the booleans."""

import os

import picaproof_kit as kit

TEXT = '"' * 5 + "\\\n\xff\x01\ud800" + "x" * 100000
SLOTS = [[[0xFFFFFFFF] * 4] * 16] * 3


def nonsense(v, n):
    if n == 0:
        v.o[3][2] = 1 << 32
    elif n == 1:
        v.r[15][3] = -1
    elif n == 2:
        v.o = [[1.5] * 4] * 16
    elif n == 3:
        v.o, v.r = None, {}
    elif n == 4:
        v.a = [1, 2, 1 << 31]
    elif n == 5:
        v.cc = "x"
    elif n == 6:
        for _ in range(10000):
            v.emit(SLOTS, 0x7FFFFFFF)
    elif n == 7:
        v.emit([[0]], False)
    elif n == 8:
        raise kit.Refusal("no kind", TEXT)
    elif n == 9:
        v.o[0] = [1, 2, 3, 4, 5]
    elif n == 10:
        raise KeyError(TEXT)
    elif n == 11:
        assert v is None, "an assertion"
    elif n == 12:
        return nonsense(v, n)
    elif n == 13:
        v.o[0] = v.o[0][:3]
    elif n == 14:
        raise kit.Refusal(kit.CRASH, TEXT)


def run(job, v):
    print("to standard error", TEXT[:9].encode())
    os.write(1, b"so does native code\n")
    for n in range(1000):
        v.log("line %d \t" % n)
        v.log(TEXT)
        v.log(None)
    job.code, job.i, job.vertices, job.keep = None, 5, -1, "x"
    job.f[0] = job.f_bits[0] = None
    nonsense(v, job.b & 15)
    v.input = None


kit.serve(kit.Core('"hostile"\n\xff', unsupported=("x", TEXT[:20]), geometry=True), run)
