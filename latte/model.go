package latte

// WordBytes is the unit of addresses, in bytes.
const WordBytes = 8

// A Program is a program taken apart. Its control-flow words are in the order of their addresses, the clauses, groups,
// instructions and fetches in the order of the control-flow words that first run them.
type Program struct {
	Size        int // bytes
	CF          []CF
	Clauses     []Clause
	Groups      []Group
	ALU         []ALU
	Fetches     []Fetch
	Gaps        []Gap
	Subroutines []int // the words where they start, in the order of the first calls
}

// A CF is a control-flow word.
type CF struct {
	At     int // word
	Words  uint64
	Clause int // index of the clause that it runs, or -1
}

// Op returns the opcode.
func (c *CF) Op() *CFOp { return cfOpOf(c.Words) }

// A Clause is a run of instructions.
type Clause struct {
	Kind  Kind
	At    int // word
	Words int
	CF    int // index of the first control-flow word that runs it
	// First and Count are its groups or, of a fetch clause, its fetches.
	First, Count int
}

// A Group is a run of ALU instructions that execute together, with its literals.
type Group struct {
	First, Count int // instructions
	// LiteralAt is the word of the literals behind the instructions, LiteralWords how many of 8 bytes there are.
	LiteralAt, LiteralWords int
	Literals                [4]uint32
	referred                uint8 // a bit for each literal
}

// An ALU is an ALU instruction.
type ALU struct {
	Words uint64
	At    int32 // word
	op    uint16
	Unit  uint8 // 0 to 3 x to w, 4 t
}

const transcendental = 4

// instructions are those of a clause. A fetch clause has none.
func (p *Program) instructions(c *Clause) []ALU {
	if c.Kind != ALUClause {
		return nil
	}
	last := &p.Groups[c.First+c.Count-1]
	return p.ALU[p.Groups[c.First].First : last.First+last.Count]
}

// Op returns the operation.
func (a *ALU) Op() *Operation { return operations[a.op] }

func (a *ALU) isOP3() bool { return a.op >= op3 }

// A Fetch is a texture or vertex fetch.
type Fetch struct {
	Words [2]uint64
	At    int // word
	Kind  Kind
}

// Op returns the instruction.
func (f *Fetch) Op() *FetchOp { return fetchOps[f.Kind][texInst.in(&f.Words)] }

// A Gap is a run of words that belong to nothing. Data is nil if all are zero.
type Gap struct {
	At, Words int
	Data      []byte
}
