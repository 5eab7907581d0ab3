package pica

import (
	"errors"
	"fmt"
)

// Engine turns a job into an outcome. The oracle, the VM and every foreign core
// are engines.
type Engine interface {
	// Name says what runs, for messages: "oracle", "vm".
	Name() string
	// Run executes the job's program once for each vertex and stores what
	// happened in out, whose memory it reuses. Traps are outcomes. An error
	// means that nothing was run: it wraps ErrInvalidJob, ErrUnsupportedProfile,
	// or what broke a foreign core.
	Run(job *Job, out *Outcome) error
}

// Interruptible is an engine that can give up a run.
type Interruptible interface {
	Engine
	// RunWhile is Run, but calls proceed now and then, at least once in 2^16
	// instructions, and returns ErrInterrupted when it reports false.
	RunWhile(job *Job, out *Outcome, proceed func() bool) error
}

// Errors of Engine.Run.
var (
	// ErrInvalidJob: too many words or descriptors, an entry point outside the
	// program memory, more than NumInputs registers for a vertex, a negative
	// budget or upload register, an unknown stage or number format.
	ErrInvalidJob = errors.New("invalid job")
	// ErrUnsupportedProfile: the engine does not implement a knob of the profile.
	ErrUnsupportedProfile = errors.New("unsupported profile")
	// ErrInterrupted: the run was given up; the outcome is not complete.
	ErrInterrupted = errors.New("interrupted")
)

// Step is the trace record of one executed instruction.
type Step struct {
	Index      int // instructions executed before this one in the run
	PC         int
	Word       uint32
	Descriptor uint32  // the operand descriptor it selects, 0 if it has none
	Sources    [3]Vec4 // operands after indexing, swizzle and negation
	// Registers holds the source number of each operand after indexing; a negative number stands for a
	// constant that no register holds. Needed holds the lanes of each operand that the result depends
	// on, bit 3 = x; a lane outside it has no effect.
	Registers [3]int16
	Needed    [3]uint8
	Result    Vec4   // the computed vector; only components in Written reach a register
	Written   uint8  // destination components written, bit 3 = x
	Next      int    // pc of the next instruction
	Skipped   bool   // the profile ignores the instruction: no operands, no result
	Ended     bool   // END was executed, or the run trapped
	State     *State // registers and stacks after the step; valid until the next one
	// Open formats the open scopes, oldest first, of an engine whose stacks State has no place for; nil of others.
	// It is valid until the next step.
	Open fmt.Stringer
	Trap Trap
}

// Scopes returns the open scopes of an engine whose stacks State has no place for, oldest first.
func (s *Step) Scopes() string {
	if s.Open == nil {
		return ""
	}
	return s.Open.String()
}

// Clone returns a copy that the next step does not change.
func (s *Step) Clone() Step {
	c, state := *s, *s.State
	c.State, c.Open = &state, nil
	if open := s.Scopes(); open != "" {
		c.Open = text(open)
	}
	return c
}

type text string

func (t text) String() string { return string(t) }
