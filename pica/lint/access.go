package lint

import (
	"fmt"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// cells is a set of cells that instructions read and write: components of
// registers, address registers and condition flags.
type cells struct {
	temporaries, outputs uint64 // four bits a register, x lowest
	others               uint8
}

// The bits of cells.others.
const (
	addressX = 1 << iota
	addressY
	loopCounter
	flagX
	flagY
)

var otherNames = []string{"a0.x", "a0.y", "aL", "cmp.x", "cmp.y"}

func (c cells) union(d cells) cells {
	return cells{c.temporaries | d.temporaries, c.outputs | d.outputs, c.others | d.others}
}

func (c cells) minus(d cells) cells {
	return cells{c.temporaries &^ d.temporaries, c.outputs &^ d.outputs, c.others &^ d.others}
}

func (c cells) common(d cells) cells {
	return cells{c.temporaries & d.temporaries, c.outputs & d.outputs, c.others & d.others}
}

// names lists the members, components of a register together.
func (c cells) names() (list []string) {
	for _, bank := range []struct {
		letter byte
		bits   uint64
	}{{'r', c.temporaries}, {'o', c.outputs}} {
		for r := range 16 {
			if mask := bank.bits >> (4 * r) & 15; mask != 0 {
				list = append(list, fmt.Sprintf("%c%d.%s", bank.letter, r, letters(uint8(mask))))
			}
		}
	}
	for k, name := range otherNames {
		if c.others>>k&1 != 0 {
			list = append(list, name)
		}
	}
	return list
}

// letters returns the components of a mask, x lowest.
func letters(mask uint8) (s string) {
	for k, c := range "xyzw" {
		if mask>>k&1 != 0 {
			s += string(c)
		}
	}
	return s
}

// everything is the set of all cells.
var everything = cells{^uint64(0), ^uint64(0), 1<<len("xyLXY") - 1}

// access holds the cells that an instruction reads and writes.
type access struct{ reads, writes cells }

// accessOf returns the cells that an instruction reads and writes.
func accessOf(i *decode.Inst, d pica.Descriptor) (a access) {
	info := &pica.Opcodes[i.Op]
	mask := d.Mask()
	if info.Writes&pica.WritesDest != 0 {
		bits := spread(i.Dest&15, reverse(mask))
		if i.Dest >= pica.DestTemporary {
			a.writes.temporaries = bits
		} else {
			a.writes.outputs = bits
		}
	}
	if info.Writes&pica.WritesAddress != 0 {
		a.writes.others = reverse(mask) & (addressX | addressY)
	}
	if info.Writes&pica.WritesCC != 0 {
		a.writes.others |= flagX | flagY
	}
	if info.Flow == pica.FlowLoop {
		a.writes.others |= loopCounter
	}
	for k := range info.Sources {
		slots := info.Reads[k]
		switch {
		case info.Writes&pica.WritesAddress != 0:
			slots &= mask
		case slots == 0 || mask == 0:
			slots = mask
		}
		if f := i.Src[k]; f >= pica.SourceTemporary && f < pica.SourceUniform {
			for slot := range 4 {
				if slots&(8>>slot) != 0 {
					a.reads.temporaries |= spread(f-pica.SourceTemporary, 1<<d.Selector(k, slot))
				}
			}
		}
		if k == int(i.IndexedSource) && i.Index != pica.IndexNone && i.Src[k] >= pica.SourceUniform {
			a.reads.others |= 1 << (i.Index - 1)
		}
	}
	if info.Condition == pica.OnFlags {
		switch i.CondOp {
		case pica.CondX:
			a.reads.others |= flagX
		case pica.CondY:
			a.reads.others |= flagY
		default:
			a.reads.others |= flagX | flagY
		}
	}
	if info.Writes&pica.Emits != 0 {
		a.reads.outputs = ^uint64(0)
	}
	return a
}

// spread returns the bits of some components of a register.
func spread(register, components uint8) uint64 { return uint64(components) << (4 * register) }

// reverse turns a mask with x in bit 3 into one with x in bit 0.
func reverse(mask uint8) (r uint8) {
	for k := range 4 {
		r |= mask >> k & 1 << (3 - k)
	}
	return r
}
