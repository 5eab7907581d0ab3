package lattegen

import (
	"maps"
	"slices"

	"github.com/picaproof/picaproof/latte"
)

// needs are the fields of its structure that a program needs while it is drawn.
type needs struct {
	vertex   bool
	gprs     int
	numbers  [3][]uint64 // exported, by type
	kills    bool
	samplers []uint32
	rows     map[uint32]uint32 // by block: its rows
	loops    []uint32
	stack    int
	open     struct{ pushes, loops int }
}

// registers stands for a block: the constant registers.
const registers = 16

// use counts a register if an instruction uses it.
func (n *needs) use(gpr uint64, used bool) {
	if used {
		n.gprs = max(n.gprs, int(gpr)+1)
	}
}

// row counts a row of a block.
func (n *needs) row(block, row uint32) {
	if n.rows == nil {
		n.rows = map[uint32]uint32{}
	}
	n.rows[block] = max(n.rows[block], row+1)
}

// push opens or closes masks and loops. An entry of the stack has room for four masks or one loop, and two masks more
// are in use while any is open.
func (n *needs) push(pushes, loops int) {
	n.open.pushes += pushes
	n.open.loops += loops
	size := 4*n.open.loops + n.open.pushes
	if n.open.pushes > 0 {
		size += 2
	}
	n.stack = max(n.stack, (size+3)/4)
}

// structure returns one that agrees with the program.
func (p *program) structure() *latte.Structure {
	s := &latte.Structure{Stage: latte.Pixel, GPRs: max(p.gprs, 1), Stack: p.stack, Kill: p.kills, Loops: p.loops}
	if p.blocks {
		s.Mode = latte.BlockMode
	}
	for r := range s.GPRs { // of every register that the program may read first
		s.Inputs = append(s.Inputs, r)
	}
	slices.Sort(p.samplers)
	s.Samplers = slices.Compact(p.samplers)
	for _, block := range slices.Sorted(maps.Keys(p.rows)) {
		if rows := p.rows[block]; block == registers {
			s.UniformRows = int(rows)
		} else {
			s.Blocks = append(s.Blocks, latte.Block{Number: block, Bytes: 16 * rows})
		}
	}
	if p.vertex {
		s.Stage, s.Attributes = latte.Vertex, p.c.Below(s.GPRs)
		s.Parameters, s.Positions = len(p.numbers[2]), len(p.numbers[1])
		s.OutIDs = make([]uint8, (s.Parameters+3)/4*4)
		return s
	}
	s.Depth = slices.Contains(p.numbers[0], 61)
	s.DepthWrite = s.Depth
	for _, number := range p.numbers[0] {
		if number != 61 {
			s.ColourMask |= 1 << (8 * s.Colours) // of every second target
			s.Colours++
		}
	}
	return s
}
