//! picaproof_kit.rs: drive a PICA200 shader core by the picaproof adapter protocol.
//!
//! One file, Rust 2021, the standard library alone. Write one function that runs a program over
//! one vertex, and call serve from main:
//!
//! ```ignore
//! mod picaproof_kit;
//! use picaproof_kit::{serve, Core, Job, Refusal, Vertex};
//!
//! fn main() -> std::io::Result<()> {
//!     let mut my_core = MyCore::new();
//!     serve(&Core { name: "my core", ..Core::default() }, |job: &Job, v: &mut Vertex| {
//!         if job.index == 0 {
//!             my_core.load(&job.code, &job.desc);
//!         }
//!         // ... set the uniforms, the inputs v.input and the state in v; run;
//!         // ... store what the core's registers hold in v ...
//!         Ok(())
//!     })
//! }
//! ```
//!
//! serve reads one request a line, answers each with one line, in order, and returns at the end of
//! the input. The core may write to stderr whatever it likes, and nothing to stdout. It need not
//! survive what it cannot do: picaproof starts it again. A panic is caught where it unwinds.
//!
//! Numbers are bit patterns of float32 in a u32, so that no NaN is changed on its way;
//! f32::from_bits and f32::to_bits convert.
//!
//! SPDX-License-Identifier: MIT
#![allow(dead_code)]

use std::any::Any;
use std::io::{self, BufRead, Write};
use std::panic::{catch_unwind, AssertUnwindSafe};

pub const PROTOCOL: u32 = 1;
pub const CODE: usize = 4096; // words of program memory
pub const DESC: usize = 128; // operand descriptors
pub const FLOATS: usize = 96; // float uniforms
pub const VERTICES: usize = 4096; // vertices of a request; one with more is refused
pub const PRIMITIVES: usize = 4096; // primitives of a vertex; more are refused

/// Sixteen registers of four patterns.
pub type Bank = [[u32; 4]; 16];

/// What the program is, and what it works on.
pub struct Job {
    pub code: [u32; CODE], // words that the request does not give are zero
    pub desc: [u32; DESC],
    pub code_words: usize, // how many it gives
    pub desc_words: usize,
    pub entry: usize,          // word at which the program starts
    pub geometry: bool,        // geometry stage, else vertex stage
    pub outmask: u16,          // output registers that a geometry stage packs
    pub f: [[u32; 4]; FLOATS], // float uniforms, as float32 or raw float24
    pub f_bits: [u8; FLOATS],  // 32 or 24; 0: not given, +0
    pub i: [[u8; 4]; 4],       // integer uniforms x, y, z, w
    pub b: u16,                // boolean uniform n is bit n
    pub keep: bool,            // registers carry over from vertex to vertex
    pub index: usize,          // number of this vertex; at 0 the program is new
    pub vertices: usize,       // number of vertices
    pub timeout_ms: u32,       // picaproof waits no longer; 0: it did not say
}

/// The inputs of one vertex, and the registers. Before the function is called o, r, a and cc are
/// zero, or with keep what the vertex before left; it leaves what the core's registers hold
/// afterwards. With fresh set a geometry core also clears its emitter: slot, flags and stored
/// vertices.
#[derive(Default)]
pub struct Vertex {
    pub input: Bank,  // v0 to v15; those that are not given are zero
    pub given: usize, // how many are given
    pub fresh: bool,
    pub o: Bank,
    pub r: Bank,
    pub a: [i32; 3], // a0.x, a0.y, aL
    pub cc: u8,      // bit 0: cc.x, bit 1: cc.y
    primitives: Vec<u8>,
    emitted: usize,
    logs: Vec<String>,
}

impl Vertex {
    /// A warning: the core skipped something. With one, a result that differs is not held against
    /// the core, unless right results come with the same message. At most 8 are kept, each once.
    pub fn log(&mut self, text: &str) {
        let text = shortened(text);
        if self.logs.len() < 8 && !self.logs.contains(&text) {
            self.logs.push(text);
        }
    }

    /// A primitive of a geometry program: the three slots as stored, and the winding flag; the
    /// exchange of vertices that it asks for is not applied.
    pub fn emit(&mut self, slots: &[Bank; 3], winding: bool) {
        self.emitted = self.emitted.saturating_add(1);
        if self.emitted > PRIMITIVES {
            return;
        }
        let p = &mut self.primitives;
        p.extend(if self.emitted > 1 { "," } else { "" }.bytes());
        p.extend(format!("{{\"w\":{},\"v\":[", winding as u8).bytes());
        for (k, slot) in slots.iter().enumerate() {
            p.extend(if k > 0 { "," } else { "" }.bytes());
            bank(p, slot);
        }
        p.extend(b"]}");
    }
}

/// Why a core ends a request.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Unsupported, // it lacks something
    Assert,      // an assertion failed; picaproof starts the core again
    Panic,       // a fatal error; likewise. A panic that unwinds counts as this
    Exception,   // likewise
    Trap,        // it models undefined behaviour; the message names the trap
    Crash,       // it supervises itself, and crashed
    Timeout,     // it supervises itself, and took too long
}

/// The error of a function that ends a request.
pub struct Refusal {
    pub kind: Kind,
    pub message: String,
}

impl Refusal {
    pub fn new(kind: Kind, message: impl Into<String>) -> Refusal {
        Refusal { kind, message: message.into() }
    }

    /// The core lacks something.
    pub fn unsupported(message: impl Into<String>) -> Refusal {
        Refusal::new(Kind::Unsupported, message)
    }
}

/// What the core is.
#[derive(Default)]
pub struct Core<'a> {
    pub name: &'a str,
    pub profile: &'a str,           // which of picaproof's profiles it follows
    pub unsupported: &'a [&'a str], // mnemonics: &["dst", "litp"]
    pub geometry: bool,             // it has a geometry stage
    /// The core, or what the adapter puts around it, sets b15 after each run of a geometry
    /// program. Give it job.b at index 0 only, then: the next vertex finds b15. Without it
    /// picaproof does not ask.
    pub sets_b15: bool,
}

/// The float32 of a raw float24: exact, subnormals included.
pub fn float24(raw: u32) -> u32 {
    let (sign, exponent, mantissa) = ((raw >> 23 & 1) << 31, raw >> 16 & 127, raw & 0xFFFF);
    match (exponent, mantissa) {
        (127, _) => sign | 0x7F80_0000 | mantissa << 7,
        (0, 0) => sign,
        (0, _) => {
            let shift = mantissa.leading_zeros() - 15; // to bit 16
            sign | (65 - shift) << 23 | (mantissa << shift & 0xFFFF) << 7
        }
        _ => sign | (exponent + 64) << 23 | mantissa << 7,
    }
}

/// Serves the protocol with a function that is called for every vertex.
pub fn serve<F>(core: &Core, run: F) -> io::Result<()>
where
    F: FnMut(&Job, &mut Vertex) -> Result<(), Refusal>,
{
    serve_on(core, run, &mut io::stdin().lock(), &mut io::stdout().lock())
}

/// Serves the protocol on other streams.
pub fn serve_on<F>(core: &Core, mut run: F, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<()>
where
    F: FnMut(&Job, &mut Vertex) -> Result<(), Refusal>,
{
    let (mut line, mut reply) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.iter().all(|c| b" \r\n".contains(c)) {
            continue;
        }
        reply.clear();
        answer(core, &mut run, &line, &mut reply);
        reply.push(b'\n');
        output.write_all(&reply)?;
        output.flush()?;
    }
}

// ------------------------------------------------------------------------------------------------
// The rest is the protocol: strict reading of requests, and writing of replies.

const TEXT: usize = 255; // characters of a message
const DEPTH: usize = 32; // levels of a value

/// Why a request makes no sense.
type Bad = &'static str;

struct Request {
    id: Vec<u8>, // as it was written
    op: Vec<u8>,
    regs: bool,
    inputs: Vec<(Bank, usize)>, // of each vertex, with the number of registers
    job: Box<Job>,
}

/// Reads JSON from a line.
struct Reader<'a> {
    line: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    /// The next character; 0 at the end of the line.
    fn next(&self) -> u8 {
        self.line.get(self.at).copied().unwrap_or(0)
    }

    /// The next character that is no blank.
    fn peek(&mut self) -> u8 {
        while matches!(self.next(), b' ' | b'\t' | b'\r') {
            self.at += 1;
        }
        self.next()
    }

    fn take(&mut self) -> Result<u8, Bad> {
        let c = *self.line.get(self.at).ok_or("the line ends too early")?;
        self.at += 1;
        Ok(c)
    }

    /// Takes a character if it comes next.
    fn found(&mut self, c: u8) -> bool {
        let found = self.peek() == c && self.at < self.line.len();
        self.at += found as usize;
        found
    }

    fn expect(&mut self, c: u8) -> Result<(), Bad> {
        self.found(c).then_some(()).ok_or("the line is no JSON object")
    }

    /// Reads a list or an object; item reads one element or field.
    fn items(&mut self, open: u8, close: u8, mut item: impl FnMut(&mut Self) -> Result<(), Bad>) -> Result<(), Bad> {
        self.expect(open)?;
        if self.found(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.found(b',') {
                return self.expect(close);
            }
        }
    }

    /// The next character of a string, None at its end, '?' for all beyond ASCII.
    fn character(&mut self) -> Result<Option<u8>, Bad> {
        const UNKNOWN: Bad = "a string holds an unknown escape";
        let c = self.take()?;
        Ok(Some(match c {
            b'"' => return Ok(None),
            0..=31 => return Err("a string holds a control character"),
            b'\\' => match self.take()? {
                b'b' => 8,
                b'f' => 12,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                c @ (b'"' | b'\\' | b'/') => c,
                b'u' => {
                    let mut code = 0;
                    for _ in 0..4 {
                        code = code * 16 + (self.take()? as char).to_digit(16).ok_or(UNKNOWN)?;
                    }
                    if (1..127).contains(&code) {
                        code as u8
                    } else {
                        b'?'
                    }
                }
                _ => return Err(UNKNOWN),
            },
            127..=255 => b'?',
            c => c,
        }))
    }

    fn string(&mut self) -> Result<Vec<u8>, Bad> {
        self.expect(b'"')?;
        let mut text = Vec::new();
        while let Some(c) = self.character()? {
            text.push(c);
        }
        Ok(text)
    }

    fn word(&mut self, word: &str) -> Result<(), Bad> {
        if !self.line[self.at..].starts_with(word.as_bytes()) {
            return Err("neither a string nor a number nor a known word");
        }
        self.at += word.len();
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Bad> {
        let start = self.at;
        while self.next().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(()).ok_or("a number has no digits")
    }

    /// Passes over a value of any kind.
    fn value(&mut self, depth: usize) -> Result<(), Bad> {
        if depth == DEPTH {
            return Err("nested too deeply");
        }
        match self.peek() {
            b'"' => self.string().map(|_| ()),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            b'[' => self.items(b'[', b']', |r| r.value(depth + 1)),
            b'{' => self.items(b'{', b'}', |r| {
                r.string()?;
                r.expect(b':')?;
                r.value(depth + 1)
            }),
            _ => self.any_number(),
        }
    }

    fn any_number(&mut self) -> Result<(), Bad> {
        self.at += (self.next() == b'-') as usize;
        if self.next() == b'0' {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.next() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.next(), b'e' | b'E') {
            self.at += 1;
            self.at += matches!(self.next(), b'+' | b'-') as usize;
            self.digits()?;
        }
        Ok(())
    }

    fn number(&mut self, high: u32) -> Result<u32, Bad> {
        self.peek();
        let start = self.at;
        self.any_number()?;
        let text = std::str::from_utf8(&self.line[start..self.at]).unwrap_or("");
        let n: i64 = text.parse().map_err(|_| "a number is out of range")?;
        if n < 0 || n > high as i64 {
            Err("a number is out of range")
        } else {
            Ok(n as u32)
        }
    }

    fn boolean(&mut self) -> Result<bool, Bad> {
        let value = self.peek() == b't';
        self.word(if value { "true" } else { "false" })?;
        Ok(value)
    }

    /// Words of the given number of hex digits up to the end of the string; returns how many.
    fn words(&mut self, to: &mut [u32], digits: usize) -> Result<usize, Bad> {
        const HALF: Bad = "a string is not whole hex words";
        self.expect(b'"')?;
        let mut n = 0;
        loop {
            let mut word = 0;
            for k in 0..digits {
                match self.character()? {
                    None if k == 0 => return Ok(n),
                    c => word = word << 4 | (c.ok_or(HALF)? as char).to_digit(16).ok_or(HALF)?,
                }
            }
            *to.get_mut(n).ok_or("more words than there is room for")? = word;
            n += 1;
        }
    }

    /// Whole registers; returns how many.
    fn registers(&mut self, to: &mut [u32], digits: usize) -> Result<usize, Bad> {
        let n = self.words(to, digits)?;
        if n % 4 == 0 {
            Ok(n / 4)
        } else {
            Err("a string is not whole registers")
        }
    }

    fn floats(&mut self, job: &mut Job, bits: u8) -> Result<(), Bad> {
        const KEY: Bad = "a key is no register number";
        self.items(b'{', b'}', |r| {
            let key = r.string()?;
            if key.is_empty() || key.len() > 5 || !key.iter().all(u8::is_ascii_digit) {
                return Err(KEY);
            }
            let first = key.iter().fold(0, |n, c| n * 10 + (c - b'0') as usize);
            let mut words = [0; 4 * (FLOATS + 1)];
            r.expect(b':')?;
            let n = r.registers(&mut words, bits as usize / 4)?;
            for (k, x) in words.chunks(4).take(n).enumerate() {
                if first + k < FLOATS {
                    // those beyond are ignored, as on the console
                    job.f[first + k].copy_from_slice(x);
                    job.f_bits[first + k] = bits;
                }
            }
            Ok(())
        })
    }

    fn field(&mut self, name: &[u8], q: &mut Request) -> Result<(), Bad> {
        let job = &mut q.job;
        match name {
            b"id" => {
                self.peek();
                let start = self.at;
                self.value(0)?;
                q.id = self.line[start..self.at].to_vec();
            }
            b"op" => q.op = self.string()?,
            b"code" => job.code_words = self.words(&mut job.code, 8)?,
            b"desc" => job.desc_words = self.words(&mut job.desc, 8)?,
            b"entry" => job.entry = self.number(CODE as u32 - 1)? as usize,
            b"stage" => {
                job.geometry = match self.string()?.as_slice() {
                    b"vs" => false,
                    b"gs" => true,
                    _ => return Err("the stage is neither vs nor gs"),
                }
            }
            b"outmask" => job.outmask = self.number(0xFFFF)? as u16,
            b"f32" => self.floats(job, 32)?,
            b"f24" => self.floats(job, 24)?,
            b"i" => {
                let mut k = 0;
                self.items(b'[', b']', |r| {
                    let mut word = [0];
                    if r.words(&mut word, 8)? != 1 {
                        return Err("an integer uniform is not 8 hex digits");
                    }
                    *job.i.get_mut(k).ok_or("more than 4 integer uniforms")? = word[0].to_be_bytes();
                    k += 1;
                    Ok(())
                })?
            }
            b"b" => job.b = self.number(0xFFFF)? as u16,
            b"in" => {
                q.inputs.clear();
                let inputs = &mut q.inputs;
                self.items(b'[', b']', |r| {
                    let mut words = [0; 64];
                    let n = r.registers(&mut words, 8)?;
                    if inputs.len() == VERTICES {
                        return Err("more than 4096 vertices");
                    }
                    let mut registers = Bank::default();
                    for (register, x) in registers.iter_mut().zip(words.chunks(4)) {
                        register.copy_from_slice(x);
                    }
                    inputs.push((registers, n));
                    Ok(())
                })?
            }
            b"keep" => job.keep = self.boolean()?,
            b"regs" => q.regs = self.boolean()?,
            b"timeout_ms" => job.timeout_ms = self.number(999_999_999)?,
            _ => self.value(0)?,
        }
        Ok(())
    }

    fn request(&mut self, q: &mut Request) -> Result<(), Bad> {
        self.items(b'{', b'}', |r| {
            let name = r.string()?;
            r.expect(b':')?;
            r.field(&name, q)
        })?;
        q.job.vertices = q.inputs.len();
        self.peek();
        if self.at == self.line.len() {
            Ok(())
        } else {
            Err("something follows the object")
        }
    }
}

/// A text of at most TEXT characters.
fn shortened(text: &str) -> String {
    text.chars().take(TEXT).collect()
}

fn quote(to: &mut Vec<u8>, text: &str) {
    to.push(b'"');
    for unit in text.encode_utf16() {
        match unit {
            34 | 92 | 0..=31 | 127.. => to.extend(format!("\\u{unit:04x}").bytes()),
            _ => to.push(unit as u8),
        }
    }
    to.push(b'"');
}

fn quotes(to: &mut Vec<u8>, name: &str, texts: impl Iterator<Item = impl AsRef<str>>) {
    to.extend(format!(",\"{name}\":[").bytes());
    for (k, text) in texts.enumerate() {
        to.extend(if k > 0 { "," } else { "" }.bytes());
        quote(to, text.as_ref());
    }
    to.push(b']');
}

fn field(to: &mut Vec<u8>, name: &str, text: &str) {
    to.extend(format!(",\"{name}\":").bytes());
    quote(to, text);
}

fn bank(to: &mut Vec<u8>, bank: &Bank) {
    to.push(b'"');
    for x in bank.iter().flatten() {
        for shift in (0..32).step_by(4).rev() {
            to.push(b"0123456789abcdef"[(x >> shift & 15) as usize]);
        }
    }
    to.push(b'"');
}

fn info(core: &Core, to: &mut Vec<u8>) {
    field(to, "status", "ok");
    field(to, "core", core.name);
    to.extend(format!(",\"protocol\":{PROTOCOL}").bytes());
    if !core.profile.is_empty() {
        field(to, "profile", core.profile);
    }
    quotes(to, "stages", ["vs", "gs"].iter().take(1 + core.geometry as usize));
    quotes(to, "unsupported", core.unsupported.iter());
    if core.sets_b15 {
        to.extend(b",\"sets_b15\":true");
    }
}

/// The message of a panic.
fn panicked(payload: Box<dyn Any + Send>) -> Refusal {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or(payload.downcast_ref::<String>().map(String::as_str));
    Refusal::new(Kind::Panic, text.unwrap_or("a panic of unknown type"))
}

fn state(to: &mut Vec<u8>, v: &Vertex, geometry: bool, regs: bool) {
    to.push(b'{');
    if geometry {
        to.extend(b"\"prims\":[");
        to.extend(&v.primitives);
        to.extend(b"],");
    }
    to.extend(b"\"o\":");
    bank(to, &v.o);
    if regs {
        to.extend(b",\"r\":");
        bank(to, &v.r);
    }
    to.extend(format!(",\"a\":[{},{},{}],\"cc\":{}}}", v.a[0], v.a[1], v.a[2], v.cc & 3).bytes());
}

fn run_all<F>(core: &Core, run: &mut F, q: &mut Request, to: &mut Vec<u8>)
where
    F: FnMut(&Job, &mut Vertex) -> Result<(), Refusal>,
{
    let mut v = Vertex::default();
    let mut end = Ok(());
    to.extend(b",\"out\":[");
    if q.job.geometry && !core.geometry {
        end = Err(Refusal::unsupported("no geometry stage"));
    }
    for (n, (input, given)) in q.inputs.iter().enumerate() {
        if end.is_err() {
            break;
        }
        let fresh = n == 0 || !q.job.keep;
        if fresh {
            v = Vertex { logs: v.logs, ..Vertex::default() };
        }
        (v.input, v.given, v.fresh, v.emitted) = (*input, *given, fresh, 0);
        v.primitives.clear();
        q.job.index = n;
        end = catch_unwind(AssertUnwindSafe(|| run(&q.job, &mut v))).unwrap_or_else(|p| Err(panicked(p)));
        if end.is_ok() && v.emitted > PRIMITIVES {
            end = Err(Refusal::new(Kind::Trap, "primitive-budget"));
        }
        to.extend(if n > 0 { "," } else { "" }.bytes());
        state(to, &v, q.job.geometry, q.regs);
    }
    to.push(b']');
    let (status, kind) = match end.as_ref().map_err(|refusal| refusal.kind) {
        Ok(()) => ("ok", ""),
        Err(Kind::Crash) => ("crash", ""),
        Err(Kind::Timeout) => ("timeout", ""),
        Err(Kind::Unsupported) => ("error", "unsupported"),
        Err(Kind::Assert) => ("error", "assert"),
        Err(Kind::Panic) => ("error", "panic"),
        Err(Kind::Exception) => ("error", "exception"),
        Err(Kind::Trap) => ("error", "trap"),
    };
    field(to, "status", status);
    if !kind.is_empty() {
        field(to, "kind", kind);
    }
    if let Err(refusal) = end {
        field(to, "msg", &shortened(&refusal.message));
    }
    if !v.logs.is_empty() {
        quotes(to, "log", v.logs.iter());
    }
}

fn answer<F>(core: &Core, run: &mut F, line: &[u8], to: &mut Vec<u8>)
where
    F: FnMut(&Job, &mut Vertex) -> Result<(), Refusal>,
{
    let job = Job {
        code: [0; CODE],
        desc: [0; DESC],
        code_words: 0,
        desc_words: 0,
        entry: 0,
        geometry: false,
        outmask: 0xFFFF,
        f: [[0; 4]; FLOATS],
        f_bits: [0; FLOATS],
        i: [[0; 4]; 4],
        b: 0,
        keep: false,
        index: 0,
        vertices: 0,
        timeout_ms: 0,
    };
    let mut q = Request { id: b"null".to_vec(), op: Vec::new(), regs: true, inputs: Vec::new(), job: Box::new(job) };
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let read = Reader { line, at: 0 }.request(&mut q);
    to.extend(b"{\"id\":");
    to.extend(&q.id);
    match (read, q.op.as_slice()) {
        (Err(why), _) => {
            field(to, "status", "bad-request");
            field(to, "msg", why);
        }
        (Ok(()), b"" | b"run") => run_all(core, run, &mut q, to),
        (Ok(()), b"info") => info(core, to),
        (Ok(()), _) => to.extend(b",\"status\":\"error\",\"kind\":\"unsupported\",\"msg\":\"unknown op\""),
    }
    to.push(b'}');
}
