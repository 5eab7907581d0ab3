package oracle

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// Rules is the table of everything that an implementation or a mutant may replace, in
// groups; a rule is a function or a constant in one of them. Composed rules (MAD, dot
// products, the end of a scope) call the others through the table, so that a replaced rule
// holds there too. Some behaviour is fixed, such as [Product], the rounding in fromFloat32, the
// limit of float uniforms (machine.go) and the order of EMIT's effects (execute.go). A rule
// must not keep a pointer argument after it returns.
type Rules struct {
	Encoding Encoding
	// Admit is indexed by the opcode field of a word, its top six bits. A function may trap;
	// else it returns true if the instruction is executed, and false if it counts as a NOP.
	// Instructions without a function are executed.
	Admit [pica.NumOpcodes]func(c *Control) bool
	// Choose, unless it is nil, is called for each instruction, with its word and opcode, and returns
	// the rules that execute it: these or others of the same machine. Rules that it returns must not
	// differ in Fetch, Model and Carry, which apply outside of an instruction.
	Choose func(c *Control) *Rules
	// Program, which may be nil, is called before the first instruction of a run and may refuse the
	// program.
	Program  func(c *Control)
	Operands Operands
	Unit     Unit
	Flow     Flow
	Carry    Carry
	Upload   Upload
	Emission Emission
	// Hazards says whether an instruction that consoles execute unreliably ends the
	// run, is noted, or is not checked.
	Hazards pica.HazardRule
}

// A Field is a range of bits of an instruction word or operand descriptor.
type Field struct{ Low, Width uint8 }

// Of returns the field's value in word.
func (f Field) Of(word uint32) int { return int(word >> f.Low & (1<<f.Width - 1)) }

// A Layout holds the fields of an instruction word with operands. One source is wide: its
// field has seven bits, so it reaches the float uniforms, and an address register may displace
// it (nihstro, picasso, Panda3DS).
type Layout struct {
	Desc    Field    // number of the operand descriptor
	Sources [3]Field // numbers of the source registers
	Wide    int      // which source is wide, 0 to 2
	Index   Field    // address register: [pica.IndexNone] to [pica.IndexAL]
	Dest    Field    // number of the destination register
}

// A Shape describes the operands of an opcode. The lane sets serve only to find registers that
// a run reads before it writes them.
type Shape struct {
	Layout *Layout  // nil without operands
	Count  int      // of sources, 0 to 3
	always [3]uint8 // lanes of a source that the result always needs
	masked [3]uint8 // lanes that it needs if the destination mask has them
}

// Encoding is the bit layout of instruction words and operand descriptors
// (nihstro, picasso, Panda3DS).
type Encoding struct {
	// Opcode returns the opcode of a word. CMP, MAD and MADI own several values of
	// the opcode field; Opcode returns one for all of them.
	Opcode func(word uint32) pica.Opcode
	// Shapes is indexed by opcode. Shapes may share a layout.
	Shapes [pica.NumOpcodes]Shape

	// The fields of flow control, SETEMIT and CMP.
	Num                        Field // length of a procedure or an else part; bit 0 inverts JMPU
	Target                     Field // start of a procedure or else part, goal of a jump, loop end
	Condition, RefX, RefY      Field
	Bool, Int                  Field // number of a uniform
	Winding, Primitive, Vertex Field
	CompareX, CompareY         Field

	// The fields of an operand descriptor. In a mask, bit 3 is x; in a selector byte,
	// the two high bits select the component that lane x reads.
	Mask              Field
	Negate, Selectors [3]Field
}

// Operands holds the rules for reading sources and writing results. Source numbers count
// input registers from 0, temporaries from [pica.SourceTemporary] and float uniforms from
// [pica.SourceUniform].
type Operands struct {
	// Offset returns the value of the address register that an index field names, from
	// [pica.IndexA0X] to [pica.IndexAL]. Rules call it through [Control.Offset].
	Offset func(s *pica.State, index int) int32
	// Displace returns the source number that the wide source reads instead of n, or [Ones]
	// or [Zeros]. The machine calls it unless index is [pica.IndexNone].
	Displace func(c *Control, n, index int) int
	// Source, unless it is nil, returns the source number that source k, 0 to 2, reads instead of n.
	// It is called after Displace.
	Source func(c *Control, k, n int) int
	// Swizzle selects the components of source k, 0 to 2, by a selector byte.
	Swizzle func(c *Control, k int, v *pica.Vec4, selectors int) pica.Vec4
	// Read, unless it is nil, may change the sources of the instruction after they are read.
	Read func(c *Control, sources *[3]pica.Vec4)
	// Dest returns the register that a destination field names; the field counts outputs
	// from 0 and temporaries from [pica.DestTemporary].
	Dest func(s *pica.State, n int) *pica.Vec4
	// Result, unless it is nil, may change the result v of the instruction before it is stored, given
	// its sources.
	Result func(c *Control, sources *[3]pica.Vec4, v *pica.Vec4)
	// Write stores those lanes of v that mask contains.
	Write func(op pica.Opcode, to, v *pica.Vec4, mask uint8)
	// MOVA stores converted lanes x and y in a0.x and a0.y.
	MOVA func(address *[2]int32, v [2]int32, mask uint8)
	// CMP returns the flags cc.x and cc.y, given an operator for each.
	CMP func(c *Control, operators [2]uint32, a, b *pica.Vec4) [2]bool
	// Compared holds the lanes, 0 to 3, that CMP compares for cc.x and for cc.y.
	Compared [2]int
	// Flags stores the flags of CMP or LITP, given the mask of the descriptor.
	Flags func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8)
}

// Source numbers that name no register; see [Operands].
const (
	Ones  = -1 // the source is (1, 1, 1, 1)
	Zeros = -2 // the source is (0, 0, 0, 0)
)

// A Unit is the arithmetic of a shader unit: the format of registers, the rounding of results,
// and the operations. With Flush a zero or subnormal, as an operand or a result, counts as +0;
// with Signs too, as a zero of its sign. MOV, MAX, MIN, LITP, lanes z and w of DST, the
// negation of an operand and comparisons (CMP, SGE, SLT) take such numbers as they are.
type Unit struct {
	NumberFormat
	Direction Direction // rounding of sums and products
	Flush     bool
	Signs     bool      // flushing keeps signs
	Upload    Direction // rounding of float32 uniforms and inputs
	Ops       Arithmetic
}

// Arithmetic is the table of operations. An operand or a result of type uint32 is a
// register's pattern in the format of the unit, float24 or binary32.
type Arithmetic struct {
	// FromRaw24 and FromFloat32 convert a lane of a uniform or an input.
	FromRaw24   func(u *Unit, x uint32) uint32
	FromFloat32 func(u *Unit, x uint32) uint32
	// Negate applies the negate bit of an operand descriptor.
	Negate func(u *Unit, a uint32) uint32
	// Round returns the pattern of a finite number, like [NumberFormat.Round]; the comment of
	// [Number] limits n.
	Round func(f *NumberFormat, n Number, direction Direction, flush bool) uint32
	// Sum returns a + b before rounding, like the function [Sum].
	Sum      func(u *Unit, a, b Number) Number
	Add, Mul func(u *Unit, a, b uint32) uint32
	MAD      func(u *Unit, a, b, c uint32) uint32
	// Dot computes DP3 (terms is 3) and DP4 (terms is 4): it adds the products of lanes
	// 0 to terms-1. DPH computes DPH and DPHI.
	Dot func(u *Unit, a, b pica.Vec4, terms int) uint32
	DPH func(u *Unit, a, b pica.Vec4) uint32
	// Distance computes DST and DSTI.
	Distance func(u *Unit, a, b pica.Vec4) pica.Vec4
	Max, Min func(u *Unit, a, b uint32) uint32
	SGE, SLT func(u *Unit, a, b uint32) uint32
	Floor    func(u *Unit, a uint32) uint32
	// Scalar computes RCP, RSQ, EX2 or LG2 of a vector; f is the operation on one lane.
	Scalar         func(c *Control, f func(u *Unit, a uint32) uint32, a *pica.Vec4) pica.Vec4
	Reciprocal     func(u *Unit, a uint32) uint32
	ReciprocalRoot func(u *Unit, a uint32) uint32
	Exp2, Log2     func(u *Unit, a uint32) uint32
	// Integer converts a lane of MOVA's operand.
	Integer func(u *Unit, a uint32) int32
	// Compare applies operator op of CMP, 0 to 7.
	Compare func(u *Unit, op uint32, a, b uint32) bool
	// Light computes LITP: the result and the flags cc.x, cc.y.
	Light func(u *Unit, a pica.Vec4) (pica.Vec4, [2]bool)
}

// Flow is the control flow. Targets and the ends of scopes are word numbers; target + num may
// exceed 12 bits (Azahar).
type Flow struct {
	// Model holds the scopes of an implementation with other stacks than the three of
	// the console; nil for the console.
	Model Model
	// Fetch returns the word at PC. It may change PC first.
	Fetch func(c *Control, memory *[pica.MaxCode]uint32) uint32

	// Condition applies operator CONDOP, 0 to 3, to the flags and the reference bits.
	Condition func(operator int, cc, ref [2]bool) bool
	// Bool returns boolean uniform n, 0 to 15.
	Bool func(bools uint16, n int) bool
	// JMPU reports whether the jump is taken, given the boolean uniform and NUM.
	JMPU func(uniform bool, num int) bool
	// Int returns integer uniform n, which LOOP names.
	Int func(ints *[pica.NumInts][4]uint8, n int) [4]uint8
	// Passes decodes the integer uniform.
	Passes func(i [4]uint8) Passes

	// The instructions. IF is called even if its condition fails, the others only if theirs
	// holds. After LOOP the machine sets aL to the first value, as every implementation does.
	IF    func(c *Control, holds bool, target, num int)
	CALL  func(c *Control, target, num int)
	JMP   func(c *Control, target int)
	LOOP  func(c *Control, target int, p Passes)
	BREAK func(c *Control)

	// Pushing an entry on one of the console's stacks.
	PushIF   func(s *pica.Stacks, e pica.IfEntry)
	PushCALL func(s *pica.Stacks, e pica.CallEntry)
	PushLOOP func(s *pica.Stacks, e pica.LoopEntry)

	// Finish is called after each instruction, END included, unless it trapped. Neither
	// Finish nor a function of Close may trap.
	Finish func(c *Control)
	// Close lists the functions that the console's Finish calls, in order. Each closes
	// scopes of one stack and may set Next; the last that sets it wins.
	Close [3]func(c *Control)
	// END reports whether the instruction ends the run. CloseAtEND says whether the
	// console's Finish then still closes scopes.
	END        func(c *Control) bool
	CloseAtEND bool
	// MaxClosed is the number of CALL scopes that one instruction may close. Only the
	// first MaxReturned of them return: they set Next to their return address.
	MaxClosed, MaxReturned int
	// SavedAL returns the value of aL that LOOP saves and RestoreAL restores.
	SavedAL func(c *Control, p Passes) int32
	// StepAL adds a loop's step to aL at the end of a pass and at BREAK. Again reports whether
	// another pass follows and counts it. RestoreAL sets aL at the end of the loop,
	// while its entry is still on the stack.
	StepAL    func(c *Control, e *pica.LoopEntry)
	Again     func(c *Control, e *pica.LoopEntry) bool
	RestoreAL func(c *Control, e *pica.LoopEntry)
}

// A Model is the state of a control flow with other stacks than the console's. The function
// that sets it also replaces the rules of [Flow] that use the console's stacks.
type Model interface {
	Start(c *Control)  // called once a run, after [Carry.Begin]
	Arrive(c *Control) // called before each fetch; may change PC
	fmt.Stringer       // the open scopes, oldest first
}

// Passes holds the operands of LOOP, which an integer uniform supplies.
type Passes struct {
	Count uint8 // passes after the first
	First uint8 // first value of aL
	Step  uint8 // added to aL at the end of each pass, and at BREAK
}

// Carry holds the rules for the state that one vertex leaves and the next finds:
// registers, stacks, emitter, inputs. [Emission.Bools] passes boolean uniforms on.
type Carry struct {
	// Begin prepares the registers for a vertex; vertex is its index in the job, keep
	// is [pica.Job]'s Keep.
	Begin func(r *RegisterFile, initial *pica.State, vertex int, keep bool)
	// Inputs sets the input registers, before the machine loads those that the job supplies.
	Inputs func(v *[pica.NumInputs]pica.Vec4, vertex int)
}

// Upload holds what happens to float uniform or input n, which came in a format, after its conversion
// to v; nil for nothing.
type Upload struct {
	Float, Input func(u *Unit, n int, from pica.NumberFormat, v pica.Vec4) pica.Vec4
}

// Emission holds the rules of EMIT and SETEMIT.
type Emission struct {
	SETEMIT func(e *Emitter, vertex int, primitive, inverted bool)
	// NoSlot is called for an EMIT with vertex id 3, which has no slot to store in.
	NoSlot func(c *Control)
	// Store copies the outputs in mask to a slot.
	Store func(slot, o *[pica.NumOutputs]pica.Vec4, mask uint16)
	// Primitive returns the triangle that an EMIT completes, and whether it does. After
	// [pica.MaxPrimitives] triangles the machine traps an EMIT, but only if e.Primitive is
	// set; so a rule must not complete triangles without it for ever.
	Primitive func(e *Emitter) (pica.Primitive, bool)
	// Toggle exchanges the output banks after an EMIT.
	Toggle func(selected, other *[pica.NumOutputs]pica.Vec4)
	// Bools returns the boolean uniforms after a geometry run; bools were those before it.
	// The machine calls it after a trap too (guess).
	Bools func(bools uint16) uint16
}

// A RegisterFile holds the registers, stacks and emitter, which runs read and write.
type RegisterFile struct {
	pica.State
	OtherBank [pica.NumOutputs]pica.Vec4 // the output bank that is not selected
	Emitter   Emitter
}

// An Emitter holds the operands of the newest SETEMIT and the vertices that EMIT
// stored. It starts at zero, so an EMIT without a SETEMIT stores in slot 0 (Azahar).
type Emitter struct {
	Vertex    int                           // the slot of the next EMIT, 0 to 3; slot 3 does not exist
	Primitive bool                          // the next EMIT completes a triangle
	Inverted  bool                          // with inverted winding
	Slots     [3][pica.NumOutputs]pica.Vec4 // not cleared by a primitive (Azahar)
}

// Control is the part of a run that rules read and change: the registers, the instruction,
// the address of the next, and the reason to stop. The rules of the console call Trap and
// Offset; Refuse, Skip and Estimate serve emulators.
type Control struct {
	*RegisterFile
	Rules *Rules
	Job   *pica.Job
	PC    int         // address of the instruction
	Word  uint32      // the instruction
	Op    pica.Opcode // its opcode
	// Last is the word of the instruction before, 0 for none, and Vertex the index of the run's vertex.
	Last   uint32
	Vertex int
	// Next is the address of the next instruction: PC + 1, unless the instruction or
	// the end of a scope changes it.
	Next  int
	Break bool // the instruction leaves the newest loop; the console's Finish resets it
	Ended bool // END ended the run

	trap          pica.Trap
	skipped       []pica.Opcode  // see Skip
	estimated     []pica.Opcode  // see Estimate
	written       pica.Registers // the set of a0.x, a0.y, aL, cc.x and cc.y that this run wrote
	uninitialised pica.Registers // the set of registers that this run read before it wrote them
}

// Trap ends the run before the instruction changes a register. A rule that calls Trap
// or Refuse changes no register and no stack.
func (c *Control) Trap(cause pica.Cause) { c.trap = pica.Trap{Cause: cause, PC: c.PC} }

// Refuse ends the run with the trap "unsupported": the implementation stops here, and
// how is its ending.
func (c *Control) Refuse(how pica.Refusal) {
	c.trap = pica.Trap{Cause: pica.TrapUnsupported, PC: c.PC, Refusal: how}
}

// Trapped reports whether a rule called Trap or Refuse.
func (c *Control) Trapped() bool { return c.trap.Cause != pica.TrapNone }

// Skip notes that the implementation ignores the opcode, wholly or in part, with a message.
// The rule decides what the instruction does; see Admit of [Rules].
func (c *Control) Skip() { c.skipped = note(c.skipped, c.Op) }

// Estimate notes that the implementation computes the opcode with an estimate of its host's
// processor.
func (c *Control) Estimate() { c.estimated = note(c.estimated, c.Op) }

// note adds an opcode to a list unless the list contains it.
func note(list []pica.Opcode, op pica.Opcode) []pica.Opcode {
	if slices.Contains(list, op) {
		return list
	}
	return append(list, op)
}

// Offset returns the value of the address register that an index field names. If this run did
// not write the register, Offset notes it as uninitialised.
func (c *Control) Offset(index int) int32 {
	c.uninitialised |= (pica.RegA0X << (index - pica.IndexA0X)) &^ c.written
	return c.Rules.Operands.Offset(&c.State, index)
}
