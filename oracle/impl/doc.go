// Package impl serves this module: it holds the rules by which implementations of PICA200 differ
// from the reference, package oracle, which has the rules of the console.
//
// A knob is a question that implementations answer differently, or whose answer on the console
// is open; its values are the answers. A [pica.Profile] has a value for each knob. The first
// value of a knob is the reference's. Most others replace rules; [oracle.Console] reads a few,
// such as the format of registers.
//
// [Catalogue] lists the knobs with their values, and for each value its source and the
// function that replaces rules. [Rules] makes the rules of a profile: it takes the rules
// of [oracle.Console], applies the replacements in the order of the Catalogue, then skips or
// refuses opcodes as the profile's Support says. [New] returns an engine for every profile.
// [NewWith] returns an engine for a mutant, which replaces one rule more.
//
// catalogue.go has the knobs, engine.go makes rules and engines. The other files have the
// rules: console.go has the rules that the console may have, and the conversions of MOVA;
// memory.go has the top of program memory; azahar.go, citra.go, mikage.go, panda.go and
// borked.go each have the rules of one emulator. A rule that several emulators share stands in
// the file of one of them. unified.go models the control flow of the interpreters of Citra and
// Mikage, structured.go models the code that the x86-64 compilers of Azahar and Panda3DS
// generate, and x64.go has the host's arithmetic and estimates in that code.
//
// A model of control flow is an [oracle.Model]. It holds its own stack and resets it for every
// run. "Guess" marks a choice that no observation decides; package oracle explains the short
// names of sources.
package impl
