package pica

import (
	"fmt"
	"slices"
	"strings"
)

// State is everything that a program can change in a shader unit, as bits in the
// engine's storage format.
type State struct {
	O       [NumOutputs]Vec4 // the selected output bank
	R       [NumTemporaries]Vec4
	Address [2]int32 // a0.x, a0.y
	AL      int32
	CC      [2]bool // cc.x, cc.y
	Stacks  Stacks
}

// Stacks holds the entries of the three flow-control stacks, oldest first.
// Entries at and beyond the depth are zero.
type Stacks struct {
	If                            [IfDepth]IfEntry
	Call                          [CallDepth]CallEntry
	Loop                          [LoopDepth]LoopEntry
	IfDepth, CallDepth, LoopDepth uint8
}

// IfEntry is pushed by an IF whose condition holds. Addresses are plain sums
// and may exceed 4095.
type IfEntry struct {
	Else uint16 `json:"else"`
	End  uint16 `json:"end"`
}

// CallEntry is pushed by a CALL that is taken.
type CallEntry struct {
	End    uint16 `json:"end"`
	Return uint16 `json:"return"`
}

// LoopEntry is pushed by LOOP.
type LoopEntry struct {
	Entry   uint16 `json:"entry"`
	End     uint16 `json:"end"`
	Count   uint8  `json:"count"` // passes left
	Step    uint8  `json:"step"`
	OuterAL int32  `json:"outer_al"`
}

// Outcome is the result of a job. Engines reuse its memory.
type Outcome struct {
	Storage  NumberFormat // of the registers
	Vertices []VertexOutcome
	Bools    uint16 // boolean uniforms afterwards: a geometry run sets b15
	// Reply is set in outcomes of cores in other processes. Such an outcome says
	// nothing about steps, stacks, skipped opcodes and boolean uniforms.
	Reply *Reply
}

// Trapped reports whether a vertex trapped.
func (o *Outcome) Trapped() bool {
	return slices.ContainsFunc(o.Vertices, func(v VertexOutcome) bool { return v.Trap.Cause != TrapNone })
}

// Reply holds what the answer of a core in another process adds to an outcome.
type Reply struct {
	Unreported Registers // registers that the answer left out
	Log        []string  // messages of the core: it skipped something
}

// VertexOutcome is the state after one vertex. Unless Trap.Cause is TrapNone, the
// run ended before the trapped instruction took effect, and the state is the state
// before that instruction.
type VertexOutcome struct {
	State
	Trap       Trap
	Steps      int // instructions executed, END included
	Primitives []Primitive
	// Skipped lists the opcodes that the profile ignores where it would log a message,
	// in order of first occurrence and without repetition.
	Skipped []Opcode
	// Estimated lists in the same way the opcodes whose results the implementation
	// takes from a host's estimate, which depends on the processor. The outcome holds
	// the correctly rounded value or the estimate of one processor instead. Comparison
	// ignores Estimated and Uninitialised.
	Estimated []Opcode
	// Hazards lists in the same way the traps that hazards=trap would have caused.
	Hazards []Trap
	// Uninitialised is the state that was read before this run wrote it. Only engines
	// that track it, such as the oracle, fill it in.
	Uninitialised Registers
}

// Registers is a set of registers: bits 0-15 are r0-r15, then a0.x, a0.y, aL,
// cc.x, cc.y.
type Registers uint32

// RegTemporaries is the set of r0 to r15.
const RegTemporaries Registers = 1<<NumTemporaries - 1

// The members of a Registers set above the temporaries.
const (
	RegA0X Registers = 1 << (16 + iota)
	RegA0Y
	RegAL
	RegCCX
	RegCCY
)

// Names lists the members of a set as the instruction set page spells them; the
// list is not nil.
func (r Registers) Names() []string {
	names := []string{}
	for k := range NumTemporaries {
		if r>>k&1 != 0 {
			names = append(names, fmt.Sprintf("r%d", k))
		}
	}
	for k, name := range [...]string{"a0.x", "a0.y", "aL", "cc.x", "cc.y"} {
		if r>>(NumTemporaries+k)&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// RegistersOf returns the registers with some names. It leaves out other names.
func RegistersOf(names []string) (set Registers) {
	for r := Registers(1); r <= RegCCY; r <<= 1 {
		if slices.Contains(names, r.Names()[0]) {
			set |= r
		}
	}
	return set
}

// String returns "r0, r8 to r15, a0.x".
func (r Registers) String() string {
	var parts []string
	for n := 0; n < NumTemporaries; n++ {
		first := n
		for r>>n&1 != 0 && n < NumTemporaries {
			n++
		}
		switch n - first {
		case 0:
		case 1:
			parts = append(parts, fmt.Sprintf("r%d", first))
		default:
			parts = append(parts, fmt.Sprintf("r%d to r%d", first, n-1))
		}
	}
	return strings.Join(append(parts, (r&^RegTemporaries).Names()...), ", ")
}

// Take copies the registers of a set from another state.
func (s *State) Take(set Registers, from *State) {
	for n := range s.R {
		if set>>n&1 != 0 {
			s.R[n] = from.R[n]
		}
	}
	for k, r := range [...]Registers{RegA0X, RegA0Y} {
		if set&r != 0 {
			s.Address[k] = from.Address[k]
		}
	}
	if set&RegAL != 0 {
		s.AL = from.AL
	}
	for k, r := range [...]Registers{RegCCX, RegCCY} {
		if set&r != 0 {
			s.CC[k] = from.CC[k]
		}
	}
}

// Primitive is a triangle that a geometry program emitted: the masked outputs of
// slots 0, 1 and 2 as stored. Inverted is the winding flag; it asks for an exchange
// of the first two vertices, which is not applied here.
type Primitive struct {
	Inverted bool
	Vertices [3][NumOutputs]Vec4
}

// Trap says why a run ended before END.
type Trap struct {
	Cause   Cause
	PC      int     // the instruction that would have been next
	Refusal Refusal // TrapUnsupported only: how the implementation ends, if known
}

// Refusal says how an implementation ends where it refuses to go on.
type Refusal uint8

// The refusals.
const (
	RefusalUnknown   Refusal = iota // the behaviour cannot be predicted
	RefusalAssert                   // an assertion fails
	RefusalPanic                    // it reports a fatal error and exits
	RefusalException                // it throws an exception or exits
	RefusalCrash                    // its host's stack is damaged
	numRefusals
)

var refusalNames = [numRefusals]string{"unknown", "assert", "panic", "exception", "crash"}

// String returns the refusal as reports and the adapter protocol spell it.
func (r Refusal) String() string {
	if r < numRefusals {
		return refusalNames[r]
	}
	return fmt.Sprintf("Refusal(%d)", uint8(r))
}

// Cause names a trap.
type Cause uint8

// The causes. Hangs and unreliable inputs are observed on consoles; the others mark
// behaviour that is unknown there, or limits of the run.
const (
	TrapNone            Cause = iota
	TrapBudget                // the step budget is used up
	TrapReserved              // an undefined opcode
	TrapPCRange               // pc is 4096 or more
	TrapHang                  // BREAK outside a loop; two MOVA in a row
	TrapUnreliableInput       // two different input registers in one instruction
	TrapEmitVertexID          // EMIT with vertex id 3
	TrapEmitInVertex          // EMIT or SETEMIT in a vertex program
	TrapUnsupported           // the implementation that the profile describes refuses here; nothing to compare
	TrapPrimitives            // EMIT of one primitive more than MaxPrimitives
	NumCauses
)

var causeNames = [NumCauses]string{"none", "step-budget", "reserved-opcode", "pc-out-of-range", "hang",
	"unreliable-input", "emit-vertex-id", "emit-in-vertex", "unsupported", "primitive-budget"}

// String returns the cause as reports and the adapter protocol spell it.
func (c Cause) String() string {
	if c < NumCauses {
		return causeNames[c]
	}
	return fmt.Sprintf("Cause(%d)", uint8(c))
}

// String returns "hang at 12", or "none".
func (t Trap) String() string {
	if t.Cause == TrapNone {
		return causeNames[TrapNone]
	}
	if t.Refusal != RefusalUnknown {
		return fmt.Sprintf("%v (%v) at %d", t.Cause, t.Refusal, t.PC)
	}
	return fmt.Sprintf("%v at %d", t.Cause, t.PC)
}
