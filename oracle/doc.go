// Package oracle is the reference executor of PICA200 shader programs. It computes
// with integers alone. The comment of a rule names the person, page or program that it
// comes from. Faster engines are tested
// against its results, so it shares no decoder, no arithmetic and no control flow with
// any of them.
//
// A job is a program, its uniforms and its vertices; a run executes the program for
// one vertex, until END, a trap or the step budget of the job. [New] returns an engine
// that executes jobs under the rules of the console, [Console]. A [Machine] executes
// one instruction a call and records the sources, the result and the state of each.
//
// An implementation is the console or an emulator; a profile is the data that
// describes one. The rules are a table of functions, [Rules]. A [Resolver] makes the
// table for a profile; the resolver of package impl starts from the table of the console
// and replaces the rules that an implementation answers differently. A mutant, which is
// an executor with one fault that a harness has to detect, replaces a rule likewise.
//
// Where an implementation stops instead of executing an instruction, the run ends in
// the trap "unsupported". The trap says how the implementation itself ends: by an
// assertion, a panic, an exception or a crash. It says "unknown" where nobody can
// predict that, such as where an emulator reads memory beyond the end of one of its
// tables.
//
// Besides the state an outcome has remarks: opcodes that the implementation skipped
// ([Control.Skip]), opcodes that it computes with an estimate of its host's processor, for
// which the outcome has the rounded value or the estimate of one processor
// ([Control.Estimate]), hazards (step.go), and
// registers that the run read before it wrote them (operands.go).
//
// The files stand in this order; none uses a declaration of a later file, nor does one
// change a variable of another. A file of "rules" holds functions of the console's table and
// states one topic of the instruction set; the rules stand in the order in which a
// description of the topic needs them. A file of "the machine" calls the rules through the
// table:
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
//	carry.go           rules: what a vertex finds of the state that the one before left
//	geometry.go        rules: EMIT and SETEMIT
//	reference.go       the table of the console
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
// the interpreters and compilers of Azahar, Panda3DS, Mikage and Citra, as far as they have
// the instruction. Other names belong to people who observed or described a behaviour.
// "Guess" or "unknown" marks a choice that no observation decides.
package oracle
