package latte

import (
	"bytes"
	"encoding/binary"
)

// Decode takes a program apart. The error is a [*DecodeError]. The program keeps no reference to code.
func Decode(code []byte) (*Program, error) {
	if len(code) == 0 || len(code)%WordBytes != 0 {
		return nil, refuse("LATTE001", 0, len(code), "a length of %d", len(code))
	}
	d := decoder{code: code, words: len(code) / WordBytes, Program: Program{Size: len(code)}}
	d.owners = make([]int32, d.words)
	if err := d.controlFlow(); err != nil {
		return nil, err
	}
	d.reserve()
	for i := range d.CF {
		if err := d.clauseOf(i); err != nil {
			return nil, err
		}
	}
	d.gaps()
	return &d.Program, nil
}

// decoder is a decoding.
type decoder struct {
	Program
	code  []byte
	words int
	// owners has for each word 0, ownedByCF, or the index of its clause plus 1.
	owners []int32
}

const ownedByCF = -1

func (d *decoder) word(at int) uint64 { return binary.LittleEndian.Uint64(d.code[at*WordBytes:]) }

// controlFlow walks the program and its subroutines.
func (d *decoder) controlFlow() error {
	var calls []int // indexes into CF
	walk := func(at int, sub bool) error {
		reach := 0 // no RETURN in front of it ends the subroutine
		for ; ; at++ {
			if at >= d.words {
				what := "END_OF_PROGRAM"
				if sub {
					what = "RETURN"
				}
				return refuse("LATTE002", d.Size-WordBytes, WordBytes, "no %s up to the end", what)
			}
			if d.owners[at] != 0 {
				return nil
			}
			w := d.word(at)
			op := cfOpOf(w)
			if op == nil {
				return refuse("LATTE003", at*WordBytes, WordBytes, "CF_INST 0x%02X", cfInst.of(w))
			}
			d.owners[at] = ownedByCF
			d.CF = append(d.CF, CF{At: at, Words: w, Clause: -1})
			switch op.address {
			case callAddress:
				calls = append(calls, len(d.CF)-1)
			case forwardAddress, jumpAddress, startAddress:
				reach = max(reach, int(cfAddr.of(w)))
			}
			switch {
			case !sub && op.form != aluForm && cfEnd.flag(w):
				return nil
			case sub && op.Code == cfReturn && op.form == normalForm && reach <= at:
				return nil
			}
		}
	}
	if err := walk(0, false); err != nil {
		return err
	}
	for i := 0; i < len(calls); i++ { // a subroutine may append calls
		call := d.CF[calls[i]]
		target := int(cfAddr.of(call.Words))
		switch {
		case target >= d.words:
			return refuse("LATTE011", call.At*WordBytes, WordBytes, "CALL of word %d, behind the program", target)
		case d.owners[target] != 0:
			continue
		}
		d.Subroutines = append(d.Subroutines, target)
		if err := walk(target, true); err != nil {
			return err
		}
	}
	if len(d.Subroutines) > 0 {
		d.sort()
	}
	return nil
}

// sort puts the control-flow words into the order of their addresses.
func (d *decoder) sort() {
	d.CF = d.CF[:0]
	for at, owner := range d.owners {
		if owner == ownedByCF {
			d.CF = append(d.CF, CF{At: at, Words: d.word(at), Clause: -1})
		}
	}
}

// reserve makes room for the instructions that the control-flow words claim.
func (d *decoder) reserve() {
	var claimed [numKinds]int
	clauses := 0
	for i := range d.CF {
		if kind, _, words := clauseRange(d.CF[i].Words); kind != NoClause {
			claimed[kind] += words
			clauses++
		}
	}
	d.Clauses = make([]Clause, 0, clauses)
	d.ALU = make([]ALU, 0, min(claimed[ALUClause], d.words))
	d.Fetches = make([]Fetch, 0, min(claimed[TextureClause]+claimed[VertexClause], d.words)/fetchWords)
}

// fetchWords is the size of a fetch.
const fetchWords = 2

// clauseRange returns the clause that a control-flow word runs.
func clauseRange(w uint64) (kind Kind, at, words int) {
	op := cfOpOf(w)
	switch op.Clause {
	case NoClause:
		return NoClause, 0, 0
	case ALUClause:
		return ALUClause, int(cfALUAddr.of(w)), int(cfALUCount.of(w)) + 1
	}
	return op.Clause, int(cfAddr.of(w)), fetchWords * fetchCount(w)
}

func fetchCount(w uint64) int { return int(cfCount.of(w)|cfCount3.of(w)<<cfCount.Width) + 1 }

// clauseOf takes the clause apart that control-flow word i runs, unless an earlier one runs it.
func (d *decoder) clauseOf(i int) error {
	cf := &d.CF[i]
	kind, at, words := clauseRange(cf.Words)
	off := cf.At * WordBytes
	switch {
	case kind == NoClause:
		return nil
	case at+words > d.words:
		return refuse("LATTE004", off, WordBytes, "words %d to %d of %d",
			at, at+words-1, d.words)
	case kind != ALUClause && at%fetchWords != 0:
		return refuse("LATTE005", off, WordBytes, "word %d", at)
	}
	if owner := d.owners[at]; owner > 0 {
		if c := &d.Clauses[owner-1]; c.Kind == kind && c.At == at && c.Words == words {
			cf.Clause = int(owner) - 1
			return nil
		}
	}
	cf.Clause = len(d.Clauses)
	mine := d.owners[at : at+words]
	for k := range mine {
		if mine[k] != 0 {
			what := "another clause"
			if mine[k] == ownedByCF {
				what = "the control flow"
			}
			return refuse("LATTE006", off, WordBytes, "%s at word %d", what, at+k)
		}
		mine[k] = int32(cf.Clause) + 1
	}
	d.Clauses = append(d.Clauses, Clause{Kind: kind, At: at, Words: words, CF: i})
	c := &d.Clauses[cf.Clause]
	if kind == ALUClause {
		c.First = len(d.Groups)
		err := d.groups(at, at+words)
		c.Count = len(d.Groups) - c.First
		return err
	}
	c.First, c.Count = len(d.Fetches), words/fetchWords
	return d.fetches(kind, at, at+words)
}

// groups takes the ALU instructions in words at to end apart.
func (d *decoder) groups(at, end int) error {
	for at < end {
		g := Group{First: len(d.ALU)}
		used, last := uint8(0), false
		for ; !last; at++ {
			switch {
			case at == end:
				return refuse("LATTE031", (at-1)*WordBytes, WordBytes, "the end of the clause in a group without LAST")
			case g.Count == 5:
				return refuse("LATTE031", at*WordBytes, WordBytes, "more than five instructions")
			}
			a := ALU{Words: d.word(at), At: int32(at)}
			a.op = operationOf(a.Words)
			op := operations[a.op]
			if op == nil {
				return refuse("LATTE030", at*WordBytes, WordBytes, "ALU_INST 0x%02X", a.op%op3)
			}
			a.Unit = unitOf(op, dstChan.of(a.Words), used)
			if used>>a.Unit&1 != 0 {
				return refuse("LATTE032", at*WordBytes, WordBytes, "%s in unit %c, which has an instruction", op.Name,
					units[a.Unit])
			}
			used |= 1 << a.Unit
			g.referred |= literals(a.Words, op.Sources)
			d.ALU = append(d.ALU, a)
			g.Count++
			last = aluLast.flag(a.Words)
		}
		g.LiteralAt, g.LiteralWords = at, literalWords(g.referred)
		if at+g.LiteralWords > end {
			return refuse("LATTE031", (at-1)*WordBytes, WordBytes, "the end of the clause in the literals of a group")
		}
		for k := range g.LiteralWords {
			w := d.word(at + k)
			g.Literals[2*k], g.Literals[2*k+1] = uint32(w), uint32(w>>32)
		}
		at += g.LiteralWords
		d.Groups = append(d.Groups, g)
	}
	return nil
}

// channels are the letters of components, units those of the units.
const (
	channels = "xyzw"
	units    = channels + "t"
)

// unitOf returns the unit of an instruction in a group in which some units are used.
func unitOf(op *Operation, channel uint32, used uint8) uint8 {
	switch {
	case op.unit == transUnit, op.unit == anyUnit && used>>channel&1 != 0:
		return transcendental
	}
	return uint8(channel)
}

// literals returns a bit for each literal that the sources of an instruction refer to.
func literals(w uint64, count uint8) (bits uint8) {
	for k := range count {
		if s := &sources[k]; s.sel.of(w) == selLiteral {
			bits |= 1 << s.channel.of(w)
		}
	}
	return bits
}

// literalWords returns how many words of 8 bytes hold literals.
func literalWords(referred uint8) int {
	switch {
	case referred == 0:
		return 0
	case referred < 1<<2:
		return 1
	}
	return 2
}

// fetches takes the fetches in words at to end apart.
func (d *decoder) fetches(kind Kind, at, end int) error {
	for ; at < end; at += fetchWords {
		f := Fetch{Words: [2]uint64{d.word(at), d.word(at + 1)}, At: at, Kind: kind}
		if f.Op() == nil {
			return refuse("LATTE057", at*WordBytes, fetchWords*WordBytes, "VTX_INST %d", vtxInst.in(&f.Words))
		}
		d.Fetches = append(d.Fetches, f)
	}
	return nil
}

// gaps collects the words that nothing owns.
func (d *decoder) gaps() {
	for at := 0; at < d.words; at++ {
		start := at
		for at < d.words && d.owners[at] == 0 {
			at++
		}
		if at == start {
			continue
		}
		g := Gap{At: start, Words: at - start}
		data := d.code[start*WordBytes : at*WordBytes]
		if !zero(data) {
			g.Data = bytes.Clone(data)
		}
		d.Gaps = append(d.Gaps, g)
	}
}

func zero(b []byte) bool {
	for len(b) >= WordBytes {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
		b = b[WordBytes:]
	}
	return true
}

// Encode returns the bytes of the program.
func (p *Program) Encode() []byte {
	code := make([]byte, p.Size)
	put := func(at int, w uint64) { binary.LittleEndian.PutUint64(code[at*WordBytes:], w) }
	for i := range p.CF {
		put(p.CF[i].At, p.CF[i].Words)
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		for k := range g.LiteralWords {
			put(g.LiteralAt+k, uint64(g.Literals[2*k])|uint64(g.Literals[2*k+1])<<32)
		}
	}
	for i := range p.ALU {
		put(int(p.ALU[i].At), p.ALU[i].Words)
	}
	for i := range p.Fetches {
		put(p.Fetches[i].At, p.Fetches[i].Words[0])
		put(p.Fetches[i].At+1, p.Fetches[i].Words[1])
	}
	for _, g := range p.Gaps {
		copy(code[g.At*WordBytes:], g.Data)
	}
	return code
}
