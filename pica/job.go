package pica

// Vec4 holds the bit patterns of x, y, z, w: raw float24 in the low 24 bits, or
// float32, as the context says.
type Vec4 [4]uint32

// Form says how the bits of an uploaded vector are to be read.
type Form uint8

// The upload forms.
const (
	Float32 Form = iota // IEEE binary32; the engine converts by its profile's rule
	Raw24               // raw 1/7/16 patterns
)

// Upload writes consecutive float uniforms, starting at Register. Registers
// from NumFloats up are ignored, as on the console.
type Upload struct {
	Register int
	Form     Form
	Values   []Vec4
}

// DefaultBudget is the step budget of a vertex when the job names none.
const DefaultBudget = 1_000_000

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

	Vertices  [][]Vec4 // for each vertex the registers v0...; those not given are +0
	InputForm Form     // form of Vertices
	// Keep lets temporaries, outputs, address registers, aL and condition flags
	// carry over from one vertex to the next; otherwise each starts from Initial.
	// The geometry emitter starts afresh in either case.
	Keep bool
	// Initial is the register state before the first vertex, in the bits of the
	// profile's storage; nil means all zero. Stacks in it are ignored.
	Initial *State

	Profile Profile
	Budget  int // instructions a vertex may execute; 0 means DefaultBudget
}
