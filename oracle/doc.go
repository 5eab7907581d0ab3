// Package oracle is the reference executor of PICA200 shader programs. It computes with
// integers alone, and shares no decoder, no arithmetic and no control flow with the faster
// engines that are tested against its results. The comment of a rule names its source: a
// person, a page or a program.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [New] for an engine that runs a pica.Job, and [Trace] for every instruction of a run.
// New serves the profiles f24 and hw; for the others call New of package oracle/impl.
//
// A job is a program, its uniforms and its vertices; a run executes the program for one
// vertex, until END or a trap; the end of the step budget is a trap too. [New] returns an engine
// that executes jobs. A [Machine] executes one instruction a call and records its sources, its
// result and the state after it.
//
// The console is the hardware. An implementation is the console or an emulator; a profile is
// the data that describes one. The rules are a table of functions and constants, [Rules].
// [Console] makes the table of the reference: the known rules of the console, and a choice for
// each unknown one. The profile sets some constants: flushing and hazards, which the console
// has, are off in the zero profile. A [Resolver] makes the table for a profile; the resolver of
// package oracle/impl starts from the reference and replaces the rules in which an
// implementation differs. A mutant is an executor with one fault, which a harness has to
// detect; it replaces a rule too.
//
// A lane is one of the four components x, y, z and w of a vector, numbered from 0; a lane set
// has the bits of a destination mask. A scope is a part of the program that IF, CALL or LOOP
// opens: a then part, a procedure or the body of a loop; it is open until it ends. A pass is
// one execution of a loop's body.
//
// Where an implementation stops instead of executing an instruction, the run ends in
// the trap "unsupported". The trap says how the implementation itself ends: by an
// assertion, a panic, an exception or a crash. It says "unknown" where nobody can
// predict that, such as where an emulator reads memory beyond the end of one of its
// tables.
//
// Besides the state an outcome has remarks: opcodes that the implementation ignores with a
// message ([Control.Skip]), opcodes that it computes with an estimate of its host's processor,
// for which the outcome has the rounded value or the estimate of one processor
// ([Control.Estimate]), hazards (step.go), and registers that the run read before it wrote
// them (operands.go).
//
// Read the files in this order: none uses a declaration of a later file, and none changes a
// variable of another. A file of "rules" holds the functions of the reference for one topic of
// the instruction set. A file of "the machine" calls the rules through the table:
//
//	number.go          formats, unpacked numbers, rounding
//	rules.go           the table of rules, the registers and the control of a run
//	decode.go          rules: the encoding of instructions and operand descriptors
//	registers.go       rules: addressing of sources, stores to destinations
//	upload.go          rules: the conversion of uniforms and inputs
//	arithmetic.go      rules: what an instruction computes
//	roots.go           rules: RCP and RSQ
//	transcendental.go  rules: EX2 and LG2
//	flow.go            rules: the control flow
//	carry.go           rules: the state that one vertex leaves to the next
//	geometry.go        rules: EMIT and SETEMIT
//	reference.go       the reference: the table of all these rules
//	machine.go         the machine: loading of a job, beginning of a run
//	operands.go        the machine: reading of sources, writing of a result
//	execute.go         the machine: execution by opcode
//	step.go            the machine: one instruction from fetch to the ends of scopes
//	engine.go          the engine: all vertices of a job
//	trace.go           a machine for callers that step through one run
//
// Sources are cited by short names: "3dbrew" is its page on the shader
// instruction set, "fp-tests" the console tests of that name by yuriks and
// aroulin, "Azahar", "Panda3DS", "Mikage", "Citra", "Borked3DS" and "Tanuki3DS" the
// sources of these emulators, "picasso" and "nihstro" the assemblers. "All emulators" are
// the interpreters and compilers of Azahar, Panda3DS, Mikage and Citra that have the
// instruction; "all interpreters" are the interpreters among them, "all emulators on x86" the
// builds for x86-64. Other names belong to people who observed or described a behaviour.
// "Guess" or "unknown" marks a choice that no observation decides.
package oracle
