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
	// control flow. Nearly all end without a trap.
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

// Budget is the largest step budget of generated jobs: enough for what the
// modes make, small enough that an endless loop among random words costs little.
const Budget = 20_000

// Generator makes jobs and reuses their memory: a job is valid until the next
// one is made.
type Generator struct {
	c       Choices
	job     pica.Job
	code    []uint32
	descs   []uint32
	inputs  [maxVertices][pica.NumInputs]pica.Vec4
	rows    [maxVertices][]pica.Vec4
	runs    [2][runLength]pica.Vec4
	uploads [3]pica.Upload
	program program
}

// Job makes a job of the given mode from a stream of choices, for the default
// profile.
func (g *Generator) Job(src Source, mode Mode) *pica.Job {
	g.c = Choices{src: src}
	g.code, g.descs = g.code[:0], g.descs[:0]
	g.job = pica.Job{OutMask: 0xFFFF, Budget: Budget, Floats: g.uploads[:0]}
	g.job.Profile.Name = "f24"
	g.program.origin = 0
	hazardous, soiled := g.c.Bits(6) == 1, g.c.Bits(3) == 1
	switch mode {
	case Alu:
		g.crowd()
		g.alu(hazardous)
	case Flow:
		g.flowState()
		g.structure(flowStatements, epilogue, hazardous)
		g.spoil()
	case Mixed:
		g.state()
		g.crowd()
		g.structure(mixedStatements, nop, hazardous)
	case Geometry:
		g.job.Stage = pica.Geometry
		if g.c.Chance(8) {
			g.job.OutMask = uint16(g.c.Bits(16))
		}
		g.state()
		g.crowd()
		g.structure(geometryStatements, nop, hazardous)
	case Words:
		g.state()
		g.words()
	}
	if soiled {
		g.soil()
	}
	g.job.Code, g.job.Descriptors = g.code, g.descs
	return &g.job
}

// mixedStatements and geometryStatements are what such programs are made of.
var (
	mixedStatements = vocabulary(
		choice{22, arithmetic}, choice{2, branch}, choice{2, loop}, choice{2, leave}, choice{1, procedure},
		choice{2, skip}, choice{1, relative}, choice{1, nop},
	)
	geometryStatements = append(vocabulary(choice{7, vertex}), mixedStatements...)
)

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
