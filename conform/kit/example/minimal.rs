//! The smallest core in Rust: every program is "mov o0, v0".
mod picaproof_kit;
use picaproof_kit::{serve, Core, Job, Refusal, Vertex};

fn main() -> std::io::Result<()> {
    serve(&Core { name: "minimal Rust", ..Core::default() }, |job: &Job, v: &mut Vertex| {
        if job.code[job.entry] != 0x4c000000 {
            // mov o0, v0, descriptor 0
            return Err(Refusal::unsupported("only mov o0, v0"));
        }
        v.o[0] = v.input[0];
        Ok(())
    })
}
