//! A core that hands the kit nonsense, for its test, by the low bits of the booleans.
mod picaproof_kit;
use picaproof_kit::{serve, Bank, Core, Job, Kind, Refusal, Vertex};

fn main() -> std::io::Result<()> {
    let text = format!("\"\"\"\"\"\\\n\u{ff}\u{1}\u{7f}\u{10ffff}{}", "x".repeat(100_000));
    let unsupported = &["x", "\"\\\u{1f600}"];
    let about = Core { name: "\"hostile\"\n\u{ff}", unsupported, geometry: true, ..Core::default() };
    serve(&about, |job: &Job, v: &mut Vertex| {
        for n in 0..1000 {
            v.log(&format!("line {n} \t"));
            v.log(&text);
            v.log("");
        }
        (v.o, v.a, v.cc) = ([[u32::MAX; 4]; 16], [i32::MIN, i32::MAX, -1], 255);
        match job.b & 15 {
            0 => panic!("{text}"),
            1 => panic!("a panic"),
            2 => std::panic::panic_any(2),
            3 => v.o[0][0] = job.code[job.code.len() + v.given - 1],
            4 => v.cc += v.given as u8,
            5 => v.a[3 - v.given] = 0,
            6 | 7 => (0..10_000).for_each(|_| v.emit(&[Bank::default(); 3], true)),
            8 => return Err(Refusal::new(Kind::Assert, &text)),
            9 => return Err(Refusal::new(Kind::Exception, "")),
            10 => return Err(Refusal::new(Kind::Trap, "call-loop")),
            11 => return Err(Refusal::unsupported(&text)),
            12 => return Err(Refusal::new(Kind::Panic, "\0")),
            13 => return Err(Refusal::new(Kind::Crash, &text)),
            14 => return Err(Refusal::new(Kind::Timeout, &text)),
            _ => (),
        }
        Ok(())
    })
}
