package pica

// Vec4 holds the bit patterns of x, y, z, w in the number format that stands
// beside it.
type Vec4 [4]uint32

// Upload writes consecutive float uniforms, starting at Register. Registers
// from NumFloats up are ignored, as on the console. If Format is not the format of
// the registers, the engine converts the values by its profile's rules.
type Upload struct {
	Register int
	Format   NumberFormat
	Values   []Vec4
}

// DefaultBudget is the step budget of a vertex if the job names none.
const DefaultBudget = 1_000_000

// MaxPrimitives is the largest number of primitives that the run of one vertex may
// emit: a limit of the harness in every profile, not of the console. The EMIT that
// would complete one more traps before it takes effect; vertex id 3 is
// checked first.
const MaxPrimitives = 4096

// Job is one request to an engine: a program, its uniforms, and the vertices to
// run it over. It is plain data; engines do not change it.
type Job struct {
	Program
	Entry   int
	Stage   Stage
	OutMask uint16 // registers that a geometry stage packs into its vertices

	Floats []Upload // applied in order
	Ints   [NumInts][4]uint8
	Bools  uint16

	Vertices    [][]Vec4     // for each vertex the registers v0...; those not given are +0
	InputFormat NumberFormat // of Vertices
	// Keep lets temporaries, outputs (both banks), address registers, aL, condition
	// flags and the geometry emitter (slot, flags, stored vertices) carry over from
	// one vertex to the next. Otherwise each vertex starts from Initial and an empty
	// emitter.
	Keep bool
	// Initial is the register state before the first vertex, in the bits of the
	// profile's storage; nil means all zero. Stacks in it are ignored.
	Initial *State

	Profile Profile
	Budget  int // instructions a vertex may execute; 0 means DefaultBudget
}
