package lint

import (
	"cmp"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// constants holds what a file fixes: the values of uniforms that it sets and does
// not export.
type constants struct {
	bools    [pica.NumBools]truth
	ints     map[int][4]uint8
	once     [pica.NumInts]bool // the count is 0: a loop has one pass
	declared [pica.NumInts]bool
	cells    [pica.SourceUniform + pica.NumFloats][4]fixed // of source registers
}

// fixed is the static knowledge about a component of a register.
type fixed struct {
	number bool // it is never NaN
	valued bool // it has one value
	value  int64
}

func constantsOf(s *pica.Shader) constants {
	c := constants{ints: s.Ints}
	exported := map[byte]map[int]bool{'b': {}, 'c': {}, 'i': {}}
	for _, u := range s.Uniforms {
		for r := max(u.First, 0); r <= u.Last && r < pica.NumFloats && exported[u.Class] != nil; r++ {
			exported[u.Class][r] = true
		}
	}
	for r, v := range s.Bools {
		system := s.Stage == pica.Geometry && r == pica.NumBools-1 // the console sets it after each run
		if r >= 0 && r < pica.NumBools && !exported['b'][r] && !system {
			c.bools[r] = truthOf(v)
		}
	}
	for r := range pica.NumInts {
		value, set := s.Ints[r]
		c.declared[r] = exported['i'][r]
		c.once[r] = set && value[0] == 0 && !exported['i'][r]
	}
	for _, u := range s.Floats {
		for k, v := range u.Values {
			if r := u.Register + k; r >= 0 && r < pica.NumFloats && !exported['c'][r] {
				for n, x := range v {
					c.cells[pica.SourceUniform+r][n] = fixedAt(u.Format, x)
				}
			}
		}
	}
	c.copies(s)
	return c
}

// fixedAt returns the knowledge about a component with a known value.
func fixedAt(f pica.NumberFormat, x uint32) fixed {
	if f.Class(x) == pica.ClassNaN {
		return fixed{}
	}
	return fixed{number: true, valued: true, value: pica.Float32.Ordinal(f.Widen(x))}
}

// negated returns the negative of a component, if negate is set.
func (f fixed) negated(negate bool) fixed {
	if negate {
		f.value = -f.value
	}
	return f
}

// copies finds the components of temporaries that are known: every instruction
// that writes them moves the same constant, or computes a number from anything.
func (c *constants) copies(s *pica.Shader) {
	var written [pica.NumTemporaries][4]bool
	for _, word := range s.Code {
		i := decode.Decode(word)
		info := &pica.Opcodes[i.Op]
		if info.Writes&pica.WritesDest == 0 || i.Dest < pica.DestTemporary {
			continue
		}
		r := i.Dest - pica.DestTemporary
		d := s.Descriptor(int(i.Desc))
		for slot := range 4 {
			if d.Mask()&(8>>slot) == 0 {
				continue
			}
			f := fixed{number: info.Never.Has(pica.ClassNaN)}
			if info.Copies && i.Src[0] >= pica.SourceUniform && i.Index == pica.IndexNone {
				f = c.cells[i.Src[0]][d.Selector(0, slot)].negated(d.Negate(0))
			}
			cell := &c.cells[pica.SourceTemporary+r][slot]
			if written[r][slot] {
				f.number = f.number && cell.number
				f.valued = f.valued && cell.valued && f.value == cell.value
			}
			*cell, written[r][slot] = f, true
		}
	}
}

// relations says which operators of CMP hold if the first operand is below, equal
// to or above the second.
var relations = [3][8]truth{
	{pica.CmpEQ: no, pica.CmpNE: yes, pica.CmpLT: yes, pica.CmpLE: yes, pica.CmpGT: no, pica.CmpGE: no},
	{pica.CmpEQ: yes, pica.CmpNE: no, pica.CmpLT: no, pica.CmpLE: yes, pica.CmpGT: no, pica.CmpGE: yes},
	{pica.CmpEQ: no, pica.CmpNE: yes, pica.CmpLT: no, pica.CmpLE: no, pica.CmpGT: yes, pica.CmpGE: yes},
}

// compare returns the flags that an instruction sets, as far as they are known: if
// a CMP compares two constants, or a number with itself.
func (c *constants) compare(i *decode.Inst, d pica.Descriptor) (flags [2]truth) {
	if i.Format != pica.Format1c || i.Index != pica.IndexNone {
		return flags
	}
	for slot, op := range [2]uint8{i.CmpX, i.CmpY} {
		from := [2]int{d.Selector(0, slot), d.Selector(1, slot)}
		a := c.cells[i.Src[0]][from[0]].negated(d.Negate(0))
		b := c.cells[i.Src[1]][from[1]].negated(d.Negate(1))
		same := i.Src[0] == i.Src[1] && from[0] == from[1] && d.Negate(0) == d.Negate(1) && a.number
		if same || a.valued && b.valued {
			flags[slot] = relations[cmp.Compare(a.value, b.value)+1][op]
		}
	}
	return flags
}
