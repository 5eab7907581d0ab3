package ancestry

import "github.com/picaproof/picaproof/pica"

// live is a set of parts of the state of a shader unit. A register has four bits, bit 3 = x, at four times its
// number.
type live struct {
	o, other, r uint64 // the selected output bank, the other one, temporaries
	rest        uint32 // bits of the constants below
}

// The members of rest. The last three have a bit for each open loop, the oldest first.
const (
	liveA0X = 1 << iota
	liveA0Y
	liveAL
	liveCCX
	liveCCY
	liveEmitter
	liveCount
	liveStep  = liveCount << pica.LoopDepth
	liveOuter = liveStep << pica.LoopDepth
	liveLoops = (liveOuter << pica.LoopDepth) - liveCount
)

// register is the set of the parts of one register.
func register(n int, parts uint8) uint64 { return uint64(parts) << (4 * n) }

func (l live) with(m live) live {
	return live{l.o | m.o, l.other | m.other, l.r | m.r, l.rest | m.rest}
}

func (l live) and(m live) live {
	return live{l.o & m.o, l.other & m.other, l.r & m.r, l.rest & m.rest}
}

func (l live) meets(m live) bool {
	return l.and(m) != live{}
}

// addressed returns the offset register that an index names.
func addressed(index int) uint32 {
	if index == pica.IndexNone {
		return 0
	}
	return liveA0X << (index - pica.IndexA0X)
}

// written returns what an instruction may change, ends of loops excepted. depth is that of the loops before it.
func written(word uint32, d pica.Descriptor, depth uint8) (l live) {
	op := pica.OpcodeOf(word)
	info := &pica.Opcodes[op]
	mask := d.Mask()
	if info.Writes&pica.WritesDest != 0 {
		if n := int(op.Layout().Dest.Get(word)); n >= pica.DestTemporary {
			l.r = register(n-pica.DestTemporary, mask)
		} else {
			l.o = register(n, mask)
		}
	}
	if info.Writes&pica.WritesAddress != 0 {
		l.rest |= addresses(mask)
	}
	if info.Writes&pica.WritesCC != 0 {
		l.rest |= liveCCX | liveCCY
	}
	switch info.Base {
	case pica.LOOP:
		l.rest |= liveAL
		if depth == pica.LoopDepth {
			l.rest |= liveLoops
		} else {
			l.rest |= (liveCount | liveStep | liveOuter) << depth
		}
	case pica.SETEMIT:
		l.rest |= liveEmitter
	case pica.EMIT:
		l.o, l.other = ^uint64(0), ^uint64(0)
	}
	return l
}

// addresses returns the set of a0.x and a0.y that a mask contains.
func addresses(mask uint8) (set uint32) {
	if mask&slotX != 0 {
		set |= liveA0X
	}
	if mask&slotY != 0 {
		set |= liveA0Y
	}
	return set
}
