"""picaproof_kit.py: drive a PICA200 shader core by the picaproof adapter protocol.

One file, Python 3.8, the standard library alone. Write one function that runs a
program over one vertex, and call serve:

    import picaproof_kit as kit

    def run(job, v):
        if job.index == 0:
            my_core.load(job.code, job.desc)
        ...  # set the uniforms, the inputs v.input and the state in v; run
        ...  # store what the core's registers hold in v

    kit.serve(kit.Core("my core"), run)

serve reads one request a line, answers each with one line, in order, and returns
at the end of the input. What the core prints, native code too, goes to standard
error. It need not survive what it cannot do: picaproof starts it again.

Numbers are the bit patterns of float32, as ints, so that no NaN is changed on its
way; from_bits and to_bits convert.

SPDX-License-Identifier: MIT
"""

import contextlib
import copy
import json
import math
import os
import re
import struct
import sys
import traceback

PROTOCOL = 1
CODE = 4096        # words of program memory
DESC = 128         # operand descriptors
FLOATS = 96        # float uniforms
VERTICES = 4096    # vertices of a request; one with more is refused
PRIMITIVES = 4096  # primitives of a vertex; more are refused

# Why a core ends a request.
UNSUPPORTED = "unsupported"  # it lacks something
ASSERT = "assert"            # an assertion failed; picaproof starts the core again
PANIC = "panic"              # a fatal error; likewise
EXCEPTION = "exception"      # an exception was raised; likewise
TRAP = "trap"                # it models undefined behaviour; the message names the trap
CRASH = "crash"              # it supervises itself, and crashed
TIMEOUT = "timeout"          # it supervises itself, and took too long


class Refusal(Exception):
    """Raised by the function to end a request for a reason of its choice: Refusal(UNSUPPORTED, "dst").

    A failed assert counts as ASSERT, any other exception as EXCEPTION.
    """

    def __init__(self, kind, message=""):
        super().__init__(message)
        self.kind = kind


class Core:
    """What the core is."""

    def __init__(self, name, profile="", unsupported=(), geometry=False, sets_b15=False):
        self.name = name
        self.profile = profile  # which of picaproof's profiles it follows
        self.unsupported = unsupported  # mnemonics: ["dst", "litp"]
        self.geometry = geometry  # it has a geometry stage
        # The core, or what the adapter puts around it, sets b15 after each run of a geometry
        # program. Give it job.b at index 0 only, then: the next vertex finds b15. Without it
        # picaproof does not ask.
        self.sets_b15 = sets_b15


class Job:
    """What the program is, and what it works on."""

    def __init__(self):
        self.code = (0,) * CODE  # words that the request does not give are zero
        self.desc = (0,) * DESC
        self.code_words = self.desc_words = 0  # how many it gives
        self.entry = 0  # word at which the program starts
        self.geometry = False  # geometry stage, else vertex stage
        self.outmask = 0xFFFF  # output registers that a geometry stage packs
        self.f = [(0, 0, 0, 0)] * FLOATS  # float uniforms, as float32 or raw float24
        self.f_bits = [0] * FLOATS  # 32 or 24; 0: not given, +0
        self.i = [(0, 0, 0, 0)] * 4  # integer uniforms x, y, z, w
        self.b = 0  # boolean uniform n is bit n
        self.keep = False  # registers carry over from vertex to vertex
        self.index = 0  # number of this vertex; at 0 the program is new
        self.vertices = 0  # number of vertices
        self.timeout_ms = 0  # picaproof waits no longer; 0: it did not say


class Vertex:
    """The inputs of one vertex, and the registers.

    Before the function is called o, r, a and cc are zero, or with keep what the vertex before left;
    it leaves what the core's registers hold afterwards. With fresh set a geometry core also clears
    its emitter: slot, flags and stored vertices.
    """

    def __init__(self):
        self.input = ()  # v0 to v15; those that are not given are zero
        self.given = 0  # how many are given
        self.fresh = True
        self.o = [[0] * 4 for _ in range(16)]
        self.r = [[0] * 4 for _ in range(16)]
        self.a = [0, 0, 0]  # a0.x, a0.y, aL
        self.cc = 0  # bit 0: cc.x, bit 1: cc.y
        self._primitives = []
        self._logs = {}

    def log(self, text):
        """Pass on a warning: the core skipped something.

        With one, a result that differs is not held against the core, unless right results come with
        the same message. At most 8 are kept, each once.
        """
        if len(self._logs) < 8:
            self._logs[str(text)[:_TEXT]] = None

    def emit(self, slots, winding):
        """Add a primitive of a geometry program: the three slots as stored, and the winding flag.

        A slot is a list of sixteen registers. The exchange of vertices that the flag asks for is not
        applied.
        """
        if len(self._primitives) > PRIMITIVES:
            return
        banks = ",".join([_bank(slots[k], "slot") for k in range(3)])
        self._primitives.append('{"w":%d,"v":[%s]}' % (bool(winding), banks))


def from_bits(bits):
    """Return the number of a float32 pattern. A signalling NaN may become a quiet one: copy patterns."""
    return struct.unpack(">f", struct.pack(">I", bits))[0]


def to_bits(number):
    """Return the pattern of the float32 next to a number."""
    try:
        return struct.unpack(">I", struct.pack(">f", number))[0]
    except OverflowError:
        return 0x7F800000 if number > 0 else 0xFF800000


def float24(raw):
    """Return the float32 pattern of a raw float24: exact, subnormals included."""
    sign, exponent, mantissa = (raw >> 23 & 1) << 31, raw >> 16 & 127, raw & 0xFFFF
    if exponent == 127:
        return sign | 0x7F800000 | mantissa << 7
    if exponent == 0:
        return sign | to_bits(math.ldexp(mantissa, -78))
    return sign | exponent + 64 << 23 | mantissa << 7


def serve(core, run, lines=None, out=None):
    """Serve the protocol with a function that is called as run(job, vertex) for every vertex."""
    lines = lines or sys.stdin.buffer
    if out is None:
        # Native code and child processes write to descriptor 1, and print may have text in its buffer.
        out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        sys.stdout.flush()
    with contextlib.redirect_stdout(sys.stderr):
        for line in iter(lines.readline, b""):
            if line.strip(b" \r\n"):
                out.write(_answer(core, run, line).encode("ascii") + b"\n")
                out.flush()


# ------------------------------------------------------------------------
# The rest is the protocol: strict reading of requests, and writing of replies.

_TEXT = 255   # characters of a message
_DEPTH = 32   # levels of a value

_hexadecimal = re.compile("[0-9a-fA-F]*")
_register = re.compile("[0-9]{1,5}")
_integer = re.compile("-?[0-9]{1,9}")


class _Bad(ValueError):
    """The request makes no sense."""


class _Number(str):
    """A number as it was written."""


def _constant(_):
    raise _Bad("neither a string nor a number nor a known word")


def _text(value, depth=0):
    """Return a value as JSON, numbers as they were written."""
    if depth == _DEPTH:
        raise _Bad("nested too deeply")
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, list):
        return "[%s]" % ",".join([_text(x, depth + 1) for x in value])
    if isinstance(value, dict):
        return "{%s}" % ",".join([json.dumps(k) + ":" + _text(x, depth + 1) for k, x in value.items()])
    return json.dumps(value)


def _string(value):
    if type(value) is not str:
        raise _Bad("no string where there should be one")
    return value


def _items(value, kind):
    if not isinstance(value, kind):
        raise _Bad("no %s where there should be one" % ("list" if kind is list else "object"))
    return value


def _number(high):
    def read(value):
        if not isinstance(value, _Number) or not _integer.fullmatch(value) or not 0 <= int(value) <= high:
            raise _Bad("a number is out of range")
        return int(value)
    return read


def _boolean(value):
    if not isinstance(value, bool):
        raise _Bad("neither true nor false")
    return value


def _words(value, room, digits=8):
    """Return the words of a string of hex digits."""
    text = _string(value)
    if len(text) % digits or not _hexadecimal.fullmatch(text):
        raise _Bad("a string is not whole hex words")
    if len(text) > room * digits:
        raise _Bad("more words than there is room for")
    if digits == 8:
        return struct.unpack(">%dI" % (len(text) // 8), bytes.fromhex(text))
    return tuple(int(text[k:k + digits], 16) for k in range(0, len(text), digits))


def _registers(value, room, digits=8):
    words = _words(value, 4 * room, digits)
    if len(words) % 4:
        raise _Bad("a string is not whole registers")
    return [words[k:k + 4] for k in range(0, len(words), 4)]


def _floats(job, value, bits):
    for key, text in _items(value, dict).items():
        if not _register.fullmatch(key):
            raise _Bad("a key is no register number")
        for k, register in enumerate(_registers(text, FLOATS + 1, bits // 4), int(key)):
            if k < FLOATS:  # those beyond are ignored, as on the console
                job.f[k], job.f_bits[k] = register, bits


def _integers(value):
    uniforms = [_words(text, 1) for text in _items(value, list)]
    if len(uniforms) > 4 or () in uniforms:
        raise _Bad("more than 4 integer uniforms, or one that is not 8 hex digits")
    read = [tuple(word.to_bytes(4, "big")) for word, in uniforms]
    return read + [(0, 0, 0, 0)] * (4 - len(read))


def _stage(value):
    if _string(value) not in ("vs", "gs"):
        raise _Bad("the stage is neither vs nor gs")
    return value == "gs"


# Fields that are an attribute of the job.
_fields = {
    "entry": ("entry", _number(CODE - 1)),
    "stage": ("geometry", _stage),
    "outmask": ("outmask", _number(0xFFFF)),
    "i": ("i", _integers),
    "b": ("b", _number(0xFFFF)),
    "keep": ("keep", _boolean),
    "timeout_ms": ("timeout_ms", _number(999999999)),
}


class _Request:
    """A request as it was sent."""

    def __init__(self):
        self.id = "null"
        self.op = "run"
        self.regs = True
        self.inputs = []  # of each vertex, in registers
        self.job = Job()

    def read(self, line):
        fields = json.loads(line.decode("utf-8", "replace"), parse_float=_Number, parse_int=_Number,
                            parse_constant=_constant)
        if not isinstance(fields, dict):
            raise _Bad("the line is no JSON object")
        self.id = _text(fields.pop("id", None))
        job = self.job
        for name, value in fields.items():
            if name in _fields:
                attribute, read = _fields[name]
                setattr(job, attribute, read(value))
            elif name == "op":
                self.op = _string(value) or "run"
            elif name == "code":
                words = _words(value, CODE)
                job.code, job.code_words = words + (0,) * (CODE - len(words)), len(words)
            elif name == "desc":
                words = _words(value, DESC)
                job.desc, job.desc_words = words + (0,) * (DESC - len(words)), len(words)
            elif name in ("f32", "f24"):
                _floats(job, value, int(name[1:]))
            elif name == "in":
                self.inputs = [_registers(text, 16) for text in _items(value, list)]
                if len(self.inputs) > VERTICES:
                    raise _Bad("more than %d vertices" % VERTICES)
            elif name == "regs":
                self.regs = _boolean(value)
            else:
                _text(value)
        job.vertices = len(self.inputs)


def _bank(registers, name):
    """Return a bank of sixteen registers as JSON."""
    try:
        return '"%s"' % b"".join([struct.pack(">4I", *registers[k]) for k in range(16)]).hex()
    except (struct.error, TypeError, IndexError, KeyError) as e:
        raise TypeError("%s is not sixteen registers of four ints below 2**32: %s" % (name, e)) from None


def _state(v, request):
    """Return the state after a vertex as JSON."""
    primitives = '"prims":[%s],' % ",".join(v._primitives) if request.job.geometry else ""
    temporaries = ',"r":' + _bank(v.r, "r") if request.regs else ""
    a = struct.unpack(">3i", struct.pack(">3i", *v.a))
    return '{%s"o":%s%s,"a":[%d,%d,%d],"cc":%d}' % ((primitives, _bank(v.o, "o"), temporaries) + a + (v.cc & 3,))


def _vertices(core, run, request, out, logs):
    """Run all vertices; append the states to out."""
    if request.job.geometry and not core.geometry:
        raise Refusal(UNSUPPORTED, "no geometry stage")
    v = None
    for n, registers in enumerate(request.inputs):
        job = copy.copy(request.job)  # a core that assigns to it spoils its own request at most
        job.f, job.f_bits, job.i = list(job.f), list(job.f_bits), list(job.i)
        job.index = n
        fresh = v is None or not job.keep
        if fresh:
            v = Vertex()
        v.input, v.given, v.fresh = registers + [(0, 0, 0, 0)] * (16 - len(registers)), len(registers), fresh
        v._primitives, v._logs = [], logs
        try:
            run(job, v)
            if len(v._primitives) > PRIMITIVES:
                raise Refusal(TRAP, "primitive-budget")
        except Refusal:
            del v._primitives[PRIMITIVES:]
            out.append(_state(v, request))
            raise
        out.append(_state(v, request))


def _run(core, run, request):
    out, logs = [], {}
    status, kind, message = "ok", "", ""
    try:
        _vertices(core, run, request, out, logs)
    except Refusal as e:
        kind, message = e.kind, str(e)
    except Exception as e:
        traceback.print_exc()
        kind = ASSERT if isinstance(e, AssertionError) else EXCEPTION
        message = ": ".join(filter(None, [type(e).__name__, str(e)]))
    if kind in (CRASH, TIMEOUT):
        status = kind
    elif kind:
        status = "error"
    parts = ['"out":[%s],"status":"%s"' % (",".join(out), status)]
    if status == "error":
        known = kind in (UNSUPPORTED, ASSERT, PANIC, EXCEPTION, TRAP)
        parts.append('"kind":"%s"' % (kind if known else EXCEPTION))
    if message:
        parts.append('"msg":' + json.dumps(message[:_TEXT]))
    if logs:
        parts.append('"log":' + json.dumps(list(logs)))
    return parts


def _info(core):
    reply = {"status": "ok", "core": core.name, "protocol": PROTOCOL}
    if core.profile:
        reply["profile"] = core.profile
    reply["stages"] = ["vs", "gs"] if core.geometry else ["vs"]
    reply["unsupported"] = list(core.unsupported)
    if core.sets_b15:
        reply["sets_b15"] = True
    return [json.dumps(reply, separators=(",", ":"))[1:-1]]


def _answer(core, run, line):
    request, bad = _Request(), ""
    try:
        request.read(line)
    except (ValueError, RecursionError) as e:
        bad = str(e)[:_TEXT]
    if bad:
        parts = ['"status":"bad-request","msg":' + json.dumps(bad)]
    elif request.op == "run":
        parts = _run(core, run, request)
    elif request.op == "info":
        parts = _info(core)
    else:
        parts = ['"status":"error","kind":"unsupported","msg":"unknown op"']
    return '{"id":%s,%s}' % (request.id, ",".join(parts))
