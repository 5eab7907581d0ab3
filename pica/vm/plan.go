package vm

import (
	"slices"

	"github.com/picaproof/picaproof/pica"
)

// plan is a program lowered further, from instructions to lane operations.
type plan struct {
	records []record
	first   []int32   // by address: the first record; one more entry than instructions
	touched [2]uint64 // components of r (and v) and of o, read or written: 4 bits a register
	written [2]uint64 // components of r and of o that are written
	moves   bool      // has address registers
	reason  Reason    // why no batch can run it; 0 otherwise
	native  bool      // every record has native code
	made    int       // number of programs that used the plan
}

// planOf returns the plan of a program, which the first batch makes.
func (c *Code) planOf() *plan {
	if p := c.plan.Load(); p != nil {
		return p
	}
	p := c.spare
	if p == nil {
		p = new(plan)
	}
	p.make(c)
	c.plan.Store(p)
	return p
}

func (p *plan) make(c *Code) {
	*p = plan{records: p.records[:0], first: p.first, made: p.made + 1}
	if c.stage != pica.Vertex {
		p.reason = ReasonGeometry // a vertex passes b15 and the other bank to the next
		return
	}
	p.first = slices.Grow(p.first[:0], len(c.ops)+1)[:len(c.ops)+1]
	p.records = slices.Grow(p.records, 3*len(c.ops))
	for pc := range c.ops {
		p.first[pc] = int32(len(p.records))
		if c.ops[pc].op < opFlow && !p.lower(&c.ops[pc]) {
			p.reason = ReasonInstruction
			return
		}
	}
	p.first[len(c.ops)] = int32(len(p.records))
	p.native = haveNative
	for k := range p.records {
		if r := &p.records[k]; r.op != laneALRow {
			p.native = r.bind(c.model) && p.native
		}
	}
}

// laneOps gives the lane operation of a component-wise or scalar instruction. An
// instruction without one runs on the scalar tier.
var laneOps = [pica.NumOpcodes]laneOp{
	pica.MOV: laneMov, pica.ADD: laneAdd, pica.MUL: laneMul, pica.MAD: laneMad, pica.MAX: laneMax, pica.MIN: laneMin,
	pica.SGE: laneSge, pica.SLT: laneSlt, pica.FLR: laneFlr,
	pica.RCP: laneRcp, pica.RSQ: laneRsq, pica.EX2: laneEx2, pica.LG2: laneLg2,
}

// place is the location of a component.
type place struct {
	offset uint32
	konst  bool
	negate uint32
}

// at returns the place of entry n of an operand.
func (p *plan) at(m *micro, k, n int) place {
	o := &m.src[k]
	slot, component := int(o.at[n])/4, int(o.at[n])%4
	w := place{negate: o.negate}
	switch {
	case slot < slotUniform:
		p.touch(slot, component)
		w.offset = offset(slot, component)
	case slot == slotRelative && m.index == pica.IndexAL:
		w.offset, w.konst = uint32(16*rowLoop+4*component), true
	case slot == slotRelative:
		w.offset = offset(laneRelative, component)
	default:
		w.offset, w.konst = uint32(16*(slot-slotUniform)+4*component), true
	}
	return w
}

// touch records that a component is read or written, and returns its bit; no bit for
// components without an initial value.
func (p *plan) touch(slot, component int) (bank int, bit uint64) {
	bank, bit = initialBit(4*slot + component)
	p.touched[bank] |= bit
	return bank, bit
}

// initialBit returns the bit of a component among the components of r and o. at is its
// number in the lane file.
func initialBit(at int) (bank int, bit uint64) {
	switch {
	case at >= 4*slotTemporary && at < 4*laneOutput:
		return 0, 1 << (at - 4*slotTemporary)
	case at >= 4*laneOutput && at < 4*laneScratch:
		return 1, 1 << (at - 4*laneOutput)
	}
	return 0, 0
}

// destination returns the offset of a written component.
func (p *plan) destination(at uint16) uint32 {
	slot, component := int(at)/4, int(at)%4
	switch {
	case slot == slotScratch:
		slot = laneScratch
	case slot >= slotOutput:
		slot += laneOutput - slotOutput
	}
	if bank, bit := p.touch(slot, component); bit != 0 {
		p.written[bank] |= bit
	}
	return offset(slot, component)
}

func literal(index int) place { return place{offset: uint32(4 * index), konst: true} }

// Operands that native code accepts besides plain ones: constants (bit k for operand k),
// and operands whose sign it flips.
var (
	admitsConstant = [numLaneOps]uint8{
		laneMov: 1, laneAdd: 1, laneMul: 1, laneMad: 1 | 4, laneMax: 1 | 2, laneMin: 1 | 2, laneSge: 1 | 2,
		laneSlt: 1 | 2, laneFlr: 1, laneCmp: 1,
	}
	admitsMinus = [numLaneOps]uint8{laneAdd: 2, laneMul: 2, laneMad: 2 | 4}
)

// emit appends an operation on single components.
func (p *plan) emit(op laneOp, dst uint32, arg uint8, sources ...place) {
	if op == laneAdd || op == laneMul || op == laneMad { // there is one NaN, so the first two operands commute
		a, b := &sources[0], &sources[1]
		if op != laneAdd && a.negate&b.negate != 0 {
			a.negate, b.negate = 0, 0
		}
		if b.konst || !a.konst && a.negate != 0 {
			*a, *b = *b, *a
		}
	}
	r := record{op: op, dst: dst, arg: arg}
	for k, s := range sources {
		switch {
		case s.konst && r.konst == 0 && admitsConstant[op]>>k&1 != 0:
			r.konst, r.negate = uint8(k+1), s.negate
		case !s.konst && s.negate != 0 && r.negated == 0 && admitsMinus[op]>>k&1 != 0:
			r.negated = uint8(k + 1)
		default:
			s = p.plain(s, k)
		}
		r.src[k] = s.offset
	}
	p.records = append(p.records, r)
}

// plain copies a constant or negated operand to lanes of its own.
func (p *plan) plain(s place, k int) place {
	if s.konst {
		to := offset(laneSpread+k/4, k%4)
		p.emit(laneMov, to, 0, s)
		return place{offset: to}
	}
	if s.negate != 0 {
		to := offset(laneNegated+k/4, k%4)
		p.emit(laneNeg, to, 0, place{offset: s.offset})
		return place{offset: to}
	}
	return s
}

// lower appends the operations of an instruction. It reports false if the instruction has none.
func (p *plan) lower(m *micro) bool {
	if m.flags&flagIndexed != 0 {
		p.moves = p.moves || m.index != pica.IndexAL
		r := record{op: laneFetch, dst: offset(laneRelative, 0), base: uint32(m.target), arg: m.index}
		if m.index == pica.IndexAL {
			r.op = laneALRow
		}
		p.records = append(p.records, r)
	}
	op := pica.Opcode(m.op)
	switch {
	case op == pica.CMP:
		for k := range 2 {
			if m.cmp[k] != keepFlag {
				p.emit(laneCmp, 0, uint8(k)|relations[m.cmp[k]&7]<<4, p.at(m, 0, k), p.at(m, 1, k))
			}
		}
		return true
	case op == pica.MOVA:
		p.moves = true
		for k := range 2 {
			if m.arg&(8>>k) != 0 {
				p.emit(laneMova, 0, uint8(1+k), p.plain(p.at(m, 0, k), 0))
			}
		}
		return true
	case op == pica.LITP:
		p.lowerLitp(m)
		return true
	case m.n == 0:
		return true
	case op == pica.DST:
		p.lowerDst(m)
	case op == pica.DP3 || op == pica.DP4 || op == pica.DPH:
		p.dot(m, op)
		p.broadcast(m)
	case laneOps[op] == laneMov && op != pica.MOV:
		return false
	case pica.Opcodes[op].Reads[0] != 0:
		p.emit(laneOps[op], p.destination(m.dest[0]), 0, p.plain(p.at(m, 0, 0), 0))
		p.broadcast(m)
	default:
		for n := range int(m.n) {
			var s [3]place
			for k := range pica.Opcodes[op].Sources {
				s[k] = p.at(m, k, n)
			}
			p.emit(laneOps[op], p.destination(m.dest[n]), 0, s[:pica.Opcodes[op].Sources]...)
		}
	}
	if m.flags&flagCopy != 0 {
		for _, from := range m.dest[:m.n] {
			p.emit(laneMov, p.destination(m.end*4+from&3), 0, place{offset: offset(laneScratch, int(from&3))})
		}
	}
	return true
}

// broadcast copies the first written component to the others.
func (p *plan) broadcast(m *micro) {
	for n := 1; n < int(m.n); n++ {
		p.emit(laneMov, p.destination(m.dest[n]), 0, place{offset: p.destination(m.dest[0])})
	}
}

// dot appends a dot product. A constant operand comes first; DPH is DP4 with a one,
// which a constant operand has among its constants.
func (p *plan) dot(m *micro, op pica.Opcode) {
	r := record{op: laneDot4, dst: p.destination(m.dest[0])}
	count := 4
	if op == pica.DP3 {
		r.op, count = laneDot3, 3
	}
	var s [2][4]place
	for k := range 2 {
		for n := range count {
			s[k][n] = p.at(m, k, n)
		}
	}
	if s[1][0].konst {
		s[0], s[1] = s[1], s[0]
		if op == pica.DPH {
			s[1][3] = literal(literalOne)
		}
	} else if op == pica.DPH {
		s[0][3] = literal(literalOne)
		s[0][3].negate = 0
	}
	if s[0][0].konst {
		// One sign flips all four constants, so the 1 of DPH becomes -1 beforehand.
		r.konst, r.negate = 1, s[0][0].negate
		if op == pica.DPH && s[0][3].offset == 4*literalOne && r.negate != 0 {
			s[0][3].offset = 4 * literalMinusOne
		}
	}
	for k := range 2 {
		for n := range count {
			w := s[k][n]
			if k == 1 || r.konst == 0 {
				w = p.plain(w, 4*k+n)
			}
			r.src[4*k+n] = w.offset
		}
	}
	p.records = append(p.records, r)
}

// lowerDst appends DST: (1, a.y*b.y, a.z, b.w). Its results wait in the scratch
// register, so that no operand is overwritten before it is read.
func (p *plan) lowerDst(m *micro) {
	for _, at := range m.dest[:m.n] {
		to := offset(laneScratch, int(at&3))
		switch at & 3 {
		case 0:
			p.emit(laneMov, to, 0, literal(literalOne))
		case 1:
			p.emit(laneMul, to, 0, p.at(m, 0, 1), p.at(m, 1, 1))
		case 2:
			p.emit(laneMov, to, 0, p.signed(p.at(m, 0, 2)))
		case 3:
			p.emit(laneMov, to, 0, p.signed(p.at(m, 1, 3)))
		}
	}
	for _, at := range m.dest[:m.n] {
		p.emit(laneMov, p.destination(at), 0, place{offset: offset(laneScratch, int(at&3))})
	}
}

// signed is plain for an operand that may stay constant.
func (p *plan) signed(s place) place {
	if s.konst {
		return s
	}
	return p.plain(s, 0)
}

// lowerLitp appends LITP: comparisons with zero, then maxima and minima.
func (p *plan) lowerLitp(m *micro) {
	var s [4]place
	for n := range s {
		w := p.at(m, 0, n)
		to := offset(laneScratch, n)
		p.emit(laneMov, to, 0, p.signed(w))
		s[n] = place{offset: to}
	}
	const notBelow = 0b0110 // greater or equal, see relations
	p.emit(laneCmp, 0, 0|notBelow<<4, s[0], literal(literalZero))
	p.emit(laneCmp, 0, 1|notBelow<<4, s[3], literal(literalZero))
	for _, at := range m.dest[:m.n] {
		to, from := p.destination(at), s[at&3]
		switch at & 3 {
		case 0, 3:
			p.emit(laneMax, to, 0, from, literal(literalZero))
		case 1:
			p.emit(laneMax, from.offset, 0, from, literal(literalLow))
			p.emit(laneMin, to, 0, from, literal(literalHigh))
		case 2:
			p.emit(laneMov, to, 0, literal(literalZero))
		}
	}
}

// lanes visits the operands of an operation that are lane vectors.
func (r *record) lanes(visit func(offset uint32)) {
	count, lists := 4, 2
	switch r.op {
	case laneFetch, laneSelect, laneSplit, laneJoin, laneEnd:
		return
	case laneDot3:
		count = 3
	case laneDot4:
	case laneMad:
		count, lists = 3, 1
	case laneAdd, laneMul, laneMax, laneMin, laneSge, laneSlt, laneCmp:
		count, lists = 2, 1
	default:
		count, lists = 1, 1
	}
	for list := range lists {
		for k := range count {
			if !r.constant(4*list + k) {
				visit(r.src[4*list+k])
			}
		}
	}
}

// initial returns the components that need their initial values when a run starts with
// a tape: all touched components but those that all lanes write before anything reads
// them.
func (p *plan) initial(tape []record) [2]uint64 {
	need := p.touched
	var read [2]uint64
	visit := func(offset uint32) {
		bank, bit := initialBit(int(offset / (4 * laneCount)))
		read[bank] |= bit
	}
	whole := true
	for k := range tape {
		r := &tape[k]
		r.lanes(visit)
		switch r.op {
		case laneSelect:
			whole = r.src[0] == 0
		case laneSplit, laneJoin, laneEnd, laneCmp, laneMova, laneFetch:
		default:
			if !whole {
				visit(r.dst) // lanes outside the mask keep their values
				continue
			}
			bank, bit := initialBit(int(r.dst / (4 * laneCount)))
			need[bank] &^= bit &^ read[bank]
		}
	}
	return need
}
