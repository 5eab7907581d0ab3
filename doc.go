// Package picaproof is the entry page of a module that judges console shader binaries and shader
// cores. It declares nothing; this page says which package does which job.
//
// # The author of a tool that reads or writes shader files
//
//   - formats/registry finds the format of a file, parses it and lists what is wrong with it
//   - formats/shbin, zpsh, dvoj, csdr, cgfx, sharcfb, gsh and bnsh know one format each: a model of
//     its files, strict rules, a writer that reproduces every byte; gx2 has the shaders of sharcfb
//     and gsh, and latte takes their programs apart
//   - formats/find finds shader files inside executables, archives and sources
//   - formats/diag has the types of findings, rules and errors that all formats share
//   - formats/convert turns one format into another and lists every loss; formats/diff compares
//     what two files mean
//   - pica/asm assembles and disassembles; pica/lint finds code that the console executes wrongly
//
// # The author of an emulator core
//
//   - oracle runs a program slowly and exactly, and says what every instruction did
//   - oracle/profile names the rules of the console and of known emulators
//   - pica/vm runs a program over many vertices, fast, and equals the oracle bit for bit
//   - pica has the types that all of them take and return: Program, Job, Outcome, Engine
//   - conform judges a core and names the causes of its differences; Start and InProcess of
//     oracle/adapter make a core of a command or of an engine in Go; conform/kit turns a function
//     in Go, C or C++ into a command that can be judged
//
// # A test or a CI job
//
//   - conform tests a parser, an assembler or a converter that is a function in Go, in one line each
//   - conform/reader and conform/writer judge programs that are commands, and take options
//   - corpus has files and programs with their expected outcomes, and the seeds of a fuzz target
//
// The command cmd/picaproof does all of this without a line of Go.
//
// # Stability
//
// A package above says how stable it is, in one of three sentences. "Stable" means that names and
// meanings stay. "Settling" means that names may still change. "Provisional" means that the format
// is known without an official file, so that its fields may change. CHANGELOG.md lists the changes.
// The first line of every other package that can be imported says that it serves this module: it may
// change at any time.
package picaproof
