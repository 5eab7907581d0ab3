package oracle

import "github.com/picaproof/picaproof/pica"

// Rules is what the executor computes and decides, one field for each rule. An
// engine of [NewWith] has some of them replaced, so that a harness can be shown
// an executor with one fault; composed rules (MAD, dot products, the end of a
// scope) call the others through the table, so that a fault is in every place
// that the rule has. Rules do not keep what they are given pointers to.
//
// Of the control-flow models only the console's, and of relative addressing only
// the console's way, goes through the table; how other implementations differ is
// a matter of the profile.
type Rules struct {
	Arithmetic Arithmetic
	Encoding   Encoding
	Operands   Operands
	Flow       Flow
	Emission   Emission
	Carry      Carry
}

// Arithmetic is what the instructions compute. Registers hold bits in the format
// of the unit, raw float24 or binary32.
type Arithmetic struct {
	// Round returns the pattern of a finite number that is not zero; with flush
	// a result below the smallest normal number is +0. See [Number] for what n
	// may hold.
	Round    func(f *Format, n Number, mode Direction, flush bool) uint32
	Add, Mul func(u *Unit, a, b uint32) uint32
	MAD      func(u *Unit, a, b, c uint32) uint32
	// Dot is DP3 and DP4: the sum of the first 3 or 4 products. DPH is DPH and
	// DPHI.
	Dot func(u *Unit, a, b pica.Vec4, terms int) uint32
	DPH func(u *Unit, a, b pica.Vec4) uint32
	// Distance is DST and DSTI.
	Distance func(u *Unit, a, b pica.Vec4) pica.Vec4
	Max, Min func(u *Unit, a, b uint32) uint32
	SGE, SLT func(u *Unit, a, b uint32) uint32
	Floor    func(u *Unit, a uint32) uint32
	// Scalar applies RCP, RSQ, EX2 or LG2, which is f, to an operand.
	Scalar         func(u *Unit, f func(u *Unit, a uint32) uint32, a *pica.Vec4) pica.Vec4
	Reciprocal     func(u *Unit, a uint32) uint32
	ReciprocalRoot func(u *Unit, a uint32) uint32
	Exp2, Log2     func(u *Unit, a uint32) uint32
	// Integer is MOVA's conversion.
	Integer func(u *Unit, a uint32) int32
	// Compare applies operator op of CMP, 0 to 7.
	Compare func(u *Unit, op uint32, a, b uint32) bool
	// Light is LITP: the result and cc.x, cc.y.
	Light  func(u *Unit, a pica.Vec4) (pica.Vec4, [2]bool)
	Negate func(u *Unit, a uint32) uint32
	// FromRaw24 and FromFloat32 convert a component of a uniform or an input.
	FromRaw24   func(u *Unit, x uint32) uint32
	FromFloat32 func(u *Unit, x uint32) uint32
}

// Encoding says where instruction words and operand descriptors keep what
// (nihstro, picasso, Panda3DS).
type Encoding struct {
	// Opcode returns the opcode of a word, with the aliases of CMP, MAD and MADI
	// folded.
	Opcode func(word uint32) pica.Opcode
	// Shapes says which operands an opcode has. Layouts may be shared.
	Shapes [pica.NumOpcodes]Shape

	// The fields of flow control, SETEMIT and CMP.
	Num                        Field // length of a procedure or an else part; bit 0 inverts JMPU
	Target                     Field // DST
	Condition, RefX, RefY      Field
	Bool, Int                  Field // number of a uniform
	Winding, Primitive, Vertex Field
	CompareX, CompareY         Field

	// The fields of an operand descriptor. In a mask bit 3 is x; in a selector
	// byte the x slot has the high bits.
	Mask              Field
	Negate, Selectors [3]Field
}

// Operands is how sources are read and results written.
type Operands struct {
	// Address returns the register that an index field names, 1 to 3: a0.x, a0.y,
	// aL.
	Address func(s *pica.State, index int) int32
	// Displace applies it to a wide source, whose number is that of the field
	// (v0 is 0, r0 is 16, c0 is 32), and returns the number of what is read, or
	// [Ones].
	Displace func(n int, offset int32) int
	// Swizzle chooses components by a selector byte.
	Swizzle func(v *pica.Vec4, selectors int) pica.Vec4
	// Dest returns the register that a destination field names: o0 is 0, r0 is 16.
	Dest func(s *pica.State, n int) *pica.Vec4
	// Write stores the components of v in mask, bit 3 being x.
	Write func(op pica.Opcode, to, v *pica.Vec4, mask uint8)
	// MOVA stores converted components in a0.x and a0.y.
	MOVA func(address *[2]int32, v [2]int32, mask uint8)
	// Compared are the components that CMP compares for cc.x and for cc.y.
	Compared [2]int
	// Flags stores the results of CMP or LITP, given the mask of the descriptor.
	Flags func(op pica.Opcode, cc *[2]bool, v [2]bool, mask uint8)
}

// Ones is the number of a source that reads (1, 1, 1, 1); see [Operands].
const Ones = -1

// Flow is the control flow of the console. Addresses are words and plain sums,
// not wrapped to 12 bits.
type Flow struct {
	// Condition evaluates CONDOP, 0 to 3, of cc and the reference bits.
	Condition func(operator int, cc, ref [2]bool) bool
	// Flag returns boolean uniform n, 0 to 15.
	Flag func(bools uint16, n int) bool
	// JMPU says whether a jump is taken, given the uniform and NUM.
	JMPU func(flag bool, num int) bool
	// Passes takes an integer uniform apart.
	Passes func(i [4]uint8) Passes

	// The instructions, once their condition holds; IF comes in either case. LOOP
	// does not set aL, and BREAK is inside a loop.
	IF    func(c *Control, holds bool, target, num int)
	CALL  func(c *Control, target, num int)
	JMP   func(c *Control, target int)
	LOOP  func(c *Control, target int, p Passes)
	BREAK func(c *Control)

	// Pushing on a stack.
	PushIF   func(s *pica.Stacks, e pica.IfEntry)
	PushCALL func(s *pica.Stacks, e pica.CallEntry)
	PushLOOP func(s *pica.Stacks, e pica.LoopEntry)

	// Close is what comes after each instruction, in this order; each may change
	// Next, and the last one wins.
	Close [3]func(c *Control)
	// END says whether the run ends; CloseAtEND that all this comes after END, too.
	END        func(c *Control) bool
	CloseAtEND bool
	// Returns is how many CALLs may end at once, Kept how many of them return.
	Returns, Kept int
	// StepAL adds a loop's step to aL at the end of a pass; Again counts the pass
	// and says whether there is another one; RestoreAL sets aL when the loop, still
	// on the stack, is left.
	StepAL    func(c *Control, e *pica.LoopEntry)
	Again     func(c *Control, e *pica.LoopEntry) bool
	RestoreAL func(c *Control, e *pica.LoopEntry)
}

// Passes is what LOOP makes of an integer uniform.
type Passes struct {
	Count uint8 // passes after the first
	First uint8 // what aL starts with
	Step  uint8 // what each pass adds to it
}

// Emission is what EMIT and SETEMIT do.
type Emission struct {
	SETEMIT func(e *Emitter, vertex int, primitive, inverted bool)
	// Pack copies the outputs in mask to a slot.
	Pack func(slot, o *[pica.NumOutputs]pica.Vec4, mask uint16)
	// Primitive returns the triangle that an EMIT completes.
	Primitive func(e *Emitter) (pica.Primitive, bool)
	// Toggle changes the output bank after an EMIT.
	Toggle func(selected, other *[pica.NumOutputs]pica.Vec4)
	// Bools returns the boolean uniforms that a geometry run leaves behind.
	Bools func(bools uint16) uint16
}

// Carry is what a vertex finds of the one before.
type Carry struct {
	// Begin prepares the registers for a vertex, which is numbered from 0 in the
	// job; keep is [pica.Job]'s Keep.
	Begin func(r *Registers, initial *pica.State, vertex int, keep bool)
	// Inputs sets the input registers before those that are given are loaded.
	Inputs func(v *[pica.NumInputs]pica.Vec4, vertex int)
}

// Registers is what a shader unit keeps from vertex to vertex.
type Registers struct {
	pica.State
	OtherBank [pica.NumOutputs]pica.Vec4 // the output bank that is not selected
	Emitter   Emitter
}

// Control is what the rules of control flow work on.
type Control struct {
	*Registers
	Rules *Flow
	Knobs *[pica.NumKnobs]pica.Value
	PC    int // of the instruction
	// Next is the address of the next instruction: PC + 1, until the instruction
	// or the end of a scope says otherwise.
	Next  int
	Break bool // the instruction leaves the newest loop
}

// reference is the table of the oracle itself.
var reference = Rules{arithmetic, encoding, operands, console, emission, carry}
