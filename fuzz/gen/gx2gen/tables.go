package gx2gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// registerWords is the number of words of the uniform registers of a stage in mode register.
const registerWords = 1024

// columns returns how many columns a type has, 0 if that is not known.
func columns(t gx2.VarType) uint32 {
	switch {
	case t == 0 || !t.Known():
		return 0
	case t < 21:
		return 1
	}
	return 2 + uint32(t-21)%9/3
}

// wordsOf is the size of a variable of each type.
var wordsOf = [...]uint64{
	0, 1, 1, 1, 1, 2, 4, 6, 8, 2, 3, 4, 2, 3, 4, 2, 3, 4, 2, 3, 4,
	6, 7, 8, 10, 11, 12, 14, 15, 16, 8, 14, 16, 12, 22, 24, 16, 30, 32,
}

// size returns the size of an array in words, 0 if that is not known.
func size(t gx2.VarType, count uint32) uint64 {
	if int(t) >= len(wordsOf) || t == 0 {
		return 0
	}
	one := wordsOf[t]
	return (uint64(max(count, 1))-1)*((one+3)&^3) + one
}

// rowSize returns the size of a uniform in words. A row "base[2]" has the size of the elements from 2 on.
func rowSize(s *gx2.Shader, u *gx2.UniformVar) uint64 {
	if !isElement(s, u.Name) {
		return size(u.Type, u.Count)
	}
	var k uint32
	fmt.Sscanf(string(u.Name[strings.LastIndexByte(string(u.Name), '['):]), "[%d]", &k)
	return size(u.Type, max(u.Count, k+1)-k)
}

// limited reports whether a rule tells where a uniform may stand.
func limited(s *gx2.Shader, u *gx2.UniformVar) bool {
	return u.Block >= 0 && int(u.Block) < len(s.Blocks) || u.Block == gx2.NoBlock && s.Mode == gx2.ModeRegister
}

// end returns where the uniforms in front of row i end that are in the same block, and are no elements of
// arrays.
func end(s *gx2.Shader, i int) (at uint64) {
	for k := range s.Uniforms[:i] {
		if u := &s.Uniforms[k]; u.Block == s.Uniforms[i].Block && !isElement(s, u.Name) {
			if n := size(u.Type, u.Count); n > 0 {
				at = max(at, uint64(u.Offset)+n)
			}
		}
	}
	return at
}

// place moves uniform i to a word, or behind the earlier uniforms there. A block grows with it. A uniform that does not
// fit into the registers gets a type of unknown size.
func place(s *gx2.Shader, i int, at uint64) {
	u := &s.Uniforms[i]
	if !limited(s, u) {
		return
	}
	n, from := rowSize(s, u), end(s, i)
	at = max(at, from)
	if u.Block == gx2.NoBlock {
		if at+n > registerWords {
			at = from
		}
		if at+n > registerWords {
			u.Type = 0
		}
		u.Offset = uint32(at)
		return
	}
	b := &s.Blocks[u.Block]
	if at+n > 1<<30-1 {
		at = from
	}
	u.Offset = uint32(at)
	b.Size = max(b.Size, uint32(4*(at+n)))
}

// Share gives the second of two stages something that the first one has, too.
func (d Drawer) Share(vertex, pixel *gx2.Shader) {
	if len(vertex.Blocks) > 0 && pixel.Mode != gx2.ModeRegister {
		b := gen.Pick(d.C, vertex.Blocks)
		if lacks(pixel, b.Name) {
			d.AddRecord(pixel, BlockTable)
			last := &pixel.Blocks[len(pixel.Blocks)-1]
			last.Name, last.Size = b.Name, b.Size
		}
	}
	if len(vertex.Uniforms) > 0 {
		u := gen.Pick(d.C, vertex.Uniforms)
		if !lacks(pixel, u.Name) || isElement(vertex, u.Name) {
			return
		}
		u.Block = gx2.NoBlock
		if len(pixel.Blocks) > 0 {
			u.Block = 0
		} else if pixel.Mode == gx2.ModeBlock {
			return
		}
		if size(u.Type, u.Count) > 1<<10 {
			return
		}
		pixel.Uniforms = append(pixel.Uniforms, u)
		place(pixel, len(pixel.Uniforms)-1, 0)
	}
}

// lacks reports whether no record of a shader has a name.
func lacks(s *gx2.Shader, name wire.Text) bool {
	return !slices.ContainsFunc(Names(s), func(n *wire.Text) bool { return *n == name })
}

// isElement reports whether a name is the name of an element of an array uniform.
func isElement(s *gx2.Shader, name wire.Text) bool {
	if !strings.HasSuffix(string(name), "]") {
		return false
	}
	open := strings.LastIndexByte(string(name), '[')
	return open >= 0 && slices.ContainsFunc(s.Uniforms, func(u gx2.UniformVar) bool { return u.Name == name[:open] })
}

// addElement draws a row for an element of an array that is a uniform.
func (d Drawer) addElement(s *gx2.Shader) {
	i := slices.IndexFunc(s.Uniforms, func(u gx2.UniformVar) bool { return u.Count > 1 && size(u.Type, 1) > 0 })
	if i < 0 || isElement(s, s.Uniforms[i].Name) {
		return
	}
	u := s.Uniforms[i]
	k := uint32(d.C.Below(int(min(u.Count, 100))))
	u.Name += wire.Text(fmt.Sprintf("[%d]", k))
	u.Offset += k * uint32((size(u.Type, 1)+3)&^3)
	if lacks(s, u.Name) {
		s.Uniforms = append(s.Uniforms, u)
	}
}

// Settle changes words of a shader, without a change of its layout, so that its tables agree with each other
// and with the registers.
func Settle(s *gx2.Shader) {
	for i := range s.Uniforms {
		u := &s.Uniforms[i]
		n := rowSize(s, u)
		if n == 0 || !limited(s, u) {
			continue
		}
		inside := u.Block == gx2.NoBlock && uint64(u.Offset)+n <= registerWords ||
			u.Block >= 0 && 4*(uint64(u.Offset)+n) <= uint64(s.Blocks[u.Block].Size)
		if !inside || !isElement(s, u.Name) && overlaps(s, i) {
			u.Count = min(u.Count, 1<<10)
			place(s, i, 0)
		}
	}
	fitSemantics(s)
}

// overlaps reports whether a uniform shares words with one of an earlier row.
func overlaps(s *gx2.Shader, i int) bool {
	u := &s.Uniforms[i]
	from := uint64(u.Offset)
	to := from + size(u.Type, u.Count)
	for k := range s.Uniforms[:i] {
		o := &s.Uniforms[k]
		n := size(o.Type, o.Count)
		if o.Block == u.Block && n > 0 && !isElement(s, o.Name) && uint64(o.Offset) < to && from < uint64(o.Offset)+n {
			return true
		}
	}
	return false
}

// rename gives a record of a shader a name that neither it nor others have.
func rename(s *gx2.Shader, name *wire.Text, others ...*gx2.Shader) {
	list := Names(s)
	for _, o := range others {
		list = append(list, Names(o)...)
	}
	old := *name
	*name = ""
	*name = Fresh(old+"_", list, func(n *wire.Text) wire.Text { return *n })
	Settle(s)
}

// SetMode gives a shader a mode. Uniform blocks go in mode register; in mode block every uniform gets one.
func (d Drawer) SetMode(s *gx2.Shader, mode gx2.Mode) {
	if s.Mode == mode {
		return
	}
	s.Mode, s.Layout = mode, nil
	switch mode {
	case gx2.ModeRegister:
		s.Blocks = nil
	case gx2.ModeBlock:
		if len(s.Blocks) == 0 && len(s.Uniforms) > 0 {
			d.AddRecord(s, BlockTable)
		}
	}
	for i := range s.Uniforms {
		u := &s.Uniforms[i]
		if mode == gx2.ModeRegister {
			u.Block, u.Count = gx2.NoBlock, min(u.Count, 4)
		} else if mode == gx2.ModeBlock && u.Block == gx2.NoBlock {
			u.Block, u.Count = 0, min(u.Count, 1<<10)
		}
	}
	Settle(s)
}

// freeLocation returns a location below a limit, from one on, that no other record of a table has.
func freeLocation(at, limit uint32, taken func(v uint32) bool) uint32 {
	for range limit {
		if !taken(at) {
			break
		}
		at = (at + 1) % limit
	}
	return at
}
