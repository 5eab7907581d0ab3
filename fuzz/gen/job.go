package gen

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
)

// Mode is a kind of generated program.
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
	// control flow. Nearly all end without a trap. One in 16 is long.
	Mixed Mode = "mixed"
	// Long programs are mixed programs of 100 to 500 words that end, and in which
	// every result reaches an output, an address or a decision.
	Long Mode = "long"
	// Geometry programs are mixed programs of the geometry stage: they emit
	// vertices, with and without a SETEMIT before.
	Geometry Mode = "geometry"
	// Words programs are any words at all.
	Words Mode = "words"
)

// Modes lists the modes.
var Modes = []Mode{Alu, Flow, Mixed, Geometry, Words, Long}

// ParseMode returns the mode called name.
func ParseMode(name string) (Mode, error) {
	for _, m := range Modes {
		if string(m) == name {
			return m, nil
		}
	}
	return "", fmt.Errorf("unknown mode %q: want one of %s", name, strings.Trim(fmt.Sprint(Modes), "[]"))
}

// Budget is the largest step budget of generated jobs. It suffices for the programs of all modes, and an endless loop
// among random words costs little.
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
	table   [pica.NumFloats]pica.Vec4
	uploads [3]pica.Upload
	program program
	extent  extent
}

// Job makes a job of the given mode from a stream of choices, for the default
// profile.
func (g *Generator) Job(src Source, mode Mode) *pica.Job {
	g.c = Choices{src: src}
	g.code, g.descs = g.code[:0], g.descs[:0]
	g.job = pica.Job{OutMask: 0xFFFF, Budget: Budget, Floats: g.uploads[:0]}
	g.job.Profile.Name = "f24"
	g.program.origin = 0
	kind, soiled := g.c.Bits(6), g.c.Bits(3) == 1
	hazardous := kind == 1
	if mode == Mixed && kind>>2 == 1 {
		mode = Long
	}
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
	case Long:
		g.long()
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
		g.drawUnread()
	}
	g.job.Code, g.job.Descriptors = g.code, g.descs
	return &g.job
}
