package lint

import (
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// constants is what a file fixes: values of uniforms that it sets and that no
// name lets a program change.
type constants struct {
	bools    [pica.NumBools]truth
	ints     map[int][4]uint8
	declared [pica.NumInts]bool
	// number says of each source register whether its components are never NaN:
	// float uniforms with a value, and temporaries that only such are moved to.
	number [pica.SourceUniform + pica.NumFloats]bool
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
		if r >= 0 && r < pica.NumBools && !exported['b'][r] {
			c.bools[r] = truthOf(v)
		}
	}
	for r := range exported['i'] {
		if r < pica.NumInts {
			c.declared[r] = true
		}
	}
	for _, u := range s.Floats {
		for k, v := range u.Values {
			if r := u.Register + k; r >= 0 && r < pica.NumFloats && !exported['c'][r] {
				c.number[pica.SourceUniform+r] = isNumber(u.Format, v)
			}
		}
	}
	c.copies(s)
	return c
}

// isNumber reports whether no component is NaN.
func isNumber(f pica.NumberFormat, v pica.Vec4) bool {
	for _, x := range v {
		if f.Class(x) == pica.ClassNaN {
			return false
		}
	}
	return true
}

// copies finds the temporaries to which every instruction that writes them moves
// a number, or computes one from anything.
func (c *constants) copies(s *pica.Shader) {
	written, other := [pica.NumTemporaries]bool{}, [pica.NumTemporaries]bool{}
	for _, word := range s.Code {
		i := decode.Decode(word)
		info := &pica.Opcodes[i.Op]
		if info.Writes&pica.WritesDest == 0 || i.Dest < pica.DestTemporary {
			continue
		}
		r := i.Dest - pica.DestTemporary
		moved := info.Copies && i.Src[0] >= pica.SourceUniform && i.Index == pica.IndexNone && c.number[i.Src[0]]
		written[r] = true
		other[r] = other[r] || !moved && !info.Never.Has(pica.ClassNaN)
	}
	for r := range written {
		c.number[pica.SourceTemporary+r] = written[r] && !other[r]
	}
}

// reflexive says what the operators of CMP make of two equal numbers.
var reflexive = [8]truth{
	pica.CmpEQ: yes, pica.CmpNE: no, pica.CmpLT: no, pica.CmpLE: yes, pica.CmpGT: no, pica.CmpGE: yes,
}

// compare returns what is known of the flags behind an instruction that writes
// them: something if a CMP compares a component of a number with itself.
func (c *constants) compare(i *decode.Inst, descriptors []uint32) (flags [2]truth) {
	if i.Format != pica.Format1c || i.Src[0] != i.Src[1] || i.Index != pica.IndexNone || !c.number[i.Src[0]] {
		return flags
	}
	var d pica.Descriptor
	if int(i.Desc) < len(descriptors) {
		d = pica.Descriptor(descriptors[i.Desc])
	}
	for slot, op := range [2]uint8{i.CmpX, i.CmpY} {
		if d.Selector(0, slot) == d.Selector(1, slot) && d.Negate(0) == d.Negate(1) {
			flags[slot] = reflexive[op&7]
		}
	}
	return flags
}
