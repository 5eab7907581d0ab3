// Package oracle is the slow executor: PICA200 shader programs one rule at a
// time, in integer arithmetic, each rule with the name of whoever observed or
// wrote it. What it says is what faster engines are measured against, so it
// shares no decoder, no adder and no flow control with any of them, and it uses
// no host floating point at all.
//
// The engine of [New] runs jobs; a [Machine] runs one vertex of a job an instruction at
// a time and records what each one did. Every knob of a [pica.Profile] is
// honoured. Where the implementation that a profile describes refuses to go on,
// the run ends in the trap "unsupported", which says how it ends if that is known
// (an assertion, a panic, an exception, a crash), and that it cannot be predicted
// where it is not (a read outside its tables). An estimate of the host is replaced
// by the rounded value, and the outcome names it.
//
// The rules stand in a table, [Rules], of which [NewWith] replaces some: so an
// executor with one fault is made, to see whether a harness notices.
//
// The map: rules.go is that table; decode.go and operands.go say what an instruction reads, execute.go
// what it computes and writes; number.go rounds, arithmetic.go adds and
// multiplies, roots.go, transcendental.go, polynomial.go and estimate.go hold the functions, upload.go the
// conversions of uniforms and inputs; flow.go and the flow_*.go files are the
// control-flow models, geometry.go the emitter.
//
// Sources are cited by short names: "3dbrew" is its page on the shader
// instruction set, "fp-tests" the console tests of that name by yuriks and
// aroulin, "Azahar", "Panda3DS", "Mikage", "Citra" and "Borked3DS" the sources
// of these emulators, "picasso" and "nihstro" the assemblers. "Guess" marks a
// choice that no observation decides.
package oracle
