package gen

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
)

// Mode says what kind of program a generator makes.
type Mode string

// The modes.
const (
	// Alu programs are one arithmetic instruction and END.
	Alu Mode = "alu"
	// Flow programs are control flow over small integers, which are exact in
	// every numeric model: any difference is one of control flow. Scopes cross,
	// end together, overflow their stacks. Nearly all end without a trap.
	Flow Mode = "flow"
	// Mixed programs are arithmetic, compares, relative addressing and nested
	// control flow. They end without a trap.
	Mixed Mode = "mixed"
	// Geometry programs are mixed programs of the geometry stage: they emit
	// vertices, with and without a SETEMIT before.
	Geometry Mode = "geometry"
	// Words programs are any words at all.
	Words Mode = "words"
)

// Modes lists the modes.
var Modes = []Mode{Alu, Flow, Mixed, Geometry, Words}

// ParseMode returns the mode called name.
func ParseMode(name string) (Mode, error) {
	for _, m := range Modes {
		if string(m) == name {
			return m, nil
		}
	}
	return "", fmt.Errorf("unknown mode %q: want one of %v", name, Modes)
}

// Budget is the step budget of generated jobs: enough for what the modes make,
// small enough that an endless loop among random words costs little.
const Budget = 20_000

// Generator makes jobs and reuses their memory: a job is valid until the next
// one is made.
type Generator struct {
	c       Choices
	job     pica.Job
	code    []uint32
	descs   []uint32
	inputs  [2][pica.NumInputs]pica.Vec4
	floats  [pica.NumFloats]pica.Vec4
	uploads [1]pica.Upload
	rows    [2][]pica.Vec4

	// The program under construction.
	statements      []statement
	limit           int // words beyond which bodies stay empty
	procedures      int
	chained, tails  bool               // procedures call the next one, as their last word
	starts, lengths [maxProcedures]int // of the procedures
	calls           []placed
	open            []int // words of the section whose targets are not drawn yet
	marks           []int // where scopes of the section end
}

// Job makes a job of the given mode from a stream of choices, for the default
// profile.
func (g *Generator) Job(src Source, mode Mode) *pica.Job {
	g.c = Choices{src: src}
	g.code, g.descs = g.code[:0], g.descs[:0]
	g.job = pica.Job{OutMask: 0xFFFF, Budget: Budget, InputForm: pica.Raw24}
	g.job.Profile.Name = "f24"
	if mode == Geometry {
		g.job.Stage = pica.Geometry
	}
	g.calls = g.calls[:0]
	switch mode {
	case Alu:
		g.state(mode)
		arithmetic(g, scope{})
		g.emit(pica.END)
	case Flow:
		g.flowState()
		g.structure(flowStatements, epilogue)
		g.spoil()
	case Mixed:
		g.state(mode)
		g.structure(mixedStatements, nop)
	case Geometry:
		g.state(mode)
		g.structure(geometryStatements, nop)
	case Words:
		g.state(mode)
		g.words()
	}
	g.job.Code, g.job.Descriptors = g.code, g.descs
	return &g.job
}

// mixedStatements and geometryStatements are what such programs are made of.
var (
	mixedStatements = vocabulary(
		choice{22, arithmetic}, choice{2, branch}, choice{1, loop}, choice{1, leave}, choice{1, procedure}, choice{2, skip}, choice{1, nop},
	)
	geometryStatements = append(vocabulary(choice{7, vertex}), mixedStatements...)
)

// state draws inputs and uniforms.
func (g *Generator) state(mode Mode) {
	vertices, inputs, floats := 1, 4, 8
	if mode != Alu {
		vertices = 1 + int(g.c.Bits(1))
		g.job.Keep = g.c.Chance(4)
	}
	for i := range vertices {
		for k := range inputs {
			for c := range 4 {
				g.inputs[i][k][c] = g.c.component()
			}
		}
		g.rows[i] = g.inputs[i][:inputs]
	}
	g.job.Vertices = g.rows[:vertices]
	for k := range floats {
		for c := range 4 {
			g.floats[k][c] = g.c.component()
		}
	}
	first := 0
	if g.c.Chance(2) {
		first = pica.NumFloats - floats
	}
	g.uploads[0] = pica.Upload{Register: first, Form: pica.Raw24, Values: g.floats[:floats]}
	g.job.Floats = g.uploads[:]
	for k := range g.job.Ints {
		g.job.Ints[k] = [4]uint8{uint8(g.c.Bits(2)), uint8(g.c.Bits(3)), uint8(g.c.Bits(2)), 0}
	}
	g.job.Bools = uint16(g.c.Bits(16))
}

// words fills the program with words whose opcode is any, most of them defined.
func (g *Generator) words() {
	for range 4 + g.c.Below(28) {
		w := uint32(g.c.Bits(32))
		if g.c.Chance(12) {
			w = uint32(Pick(&g.c, arithmeticOps))<<26 | w&(1<<26-1)
		}
		w = pica.OpcodeOf(w).Layout().Dst.Put(w, uint32(g.c.Below(40)))
		g.code = append(g.code, w)
	}
	g.emit(pica.END)
	for range 1 + g.c.Below(16) {
		g.descs = append(g.descs, uint32(g.c.Bits(32)))
	}
}

// Vertex draws the input registers of one vertex, valid until the next call.
func (g *Generator) Vertex(src Source) [][]pica.Vec4 {
	g.c = Choices{src: src}
	for k := range g.inputs[0] {
		for c := range g.inputs[0][k] {
			g.inputs[0][k][c] = g.c.component()
		}
	}
	g.rows[0] = g.inputs[0][:]
	return g.rows[:1]
}
