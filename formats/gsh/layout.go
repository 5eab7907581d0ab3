package gsh

import (
	"bytes"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gx2"
)

// canonicalAlign is the alignment of a program in the canonical form with an align mode.
const canonicalAlign = 0x200

// canonicalBlocks yields the blocks of the canonical form. at returns the offset
// behind the block that was yielded last, and is asked for in front of a program.
// shader is the index of the shader that a header or program belongs to.
func (f *File) canonicalBlocks(at func() uint64, yield func(b Block, shader int) bool) {
	id := uint32(0)
	var ordinals [len(headerOf)]uint32
	add := func(t BlockType, shader int, index uint32, padding []byte) bool {
		b := Block{Type: t, ID: id, Index: index, Padding: padding}
		if f.Style == StyleD {
			id++
		}
		return yield(b, shader)
	}
	for i := range f.Shaders {
		t := f.Shaders[i].Type
		index := ordinals[t]
		ordinals[t]++
		list := [...]BlockType{headerOf[t], programOf[t], CopyProgram}
		n := len(list)
		if t != gx2.Geometry {
			n--
		}
		for k, block := range list[:n] {
			if k > 0 && f.Align != 0 {
				if off := at(); (off+blockSize)%canonicalAlign != 0 {
					if !add(Padding, i, 0, zeros[:-(off+2*blockSize)%canonicalAlign]) {
						return
					}
				}
			}
			if !add(block, i, index, nil) {
				return
			}
		}
	}
	add(End, 0, 0, nil)
}

var zeros [canonicalAlign]byte

// canonical compares a file without errors with its canonical form: GSH070.
func (r *reader) canonical() {
	if r.Failed() || r.isCanonical() || !r.file.HasCanonical() {
		return
	}
	r.Report("GSH070", r.filePlace(), diag.Text("the canonical layout"), diag.Text("another"))
}

func (r *reader) isCanonical() bool {
	f, l := r.file, r.layout
	if f.Align > 1 || l.Reserved != 0 || len(l.Tail) > 0 {
		return false
	}
	for i := range f.Shaders {
		s := &f.Shaders[i]
		gap := 0
		if f.Style == StyleN {
			gap = patchGap
		}
		if h := s.Slack; !r.shaders[i].form || r.shaders[i].style != f.Style || h.Unknown != 0 ||
			h.TextOffset != s.Layout.TablesEnd(s.Type) || !bytes.Equal(h.Gap, zeros[:gap]) || !s.GFDCanonical() {
			return false
		}
	}
	same, next := true, 0
	f.canonicalBlocks(func() uint64 {
		if next >= len(r.places) {
			return 0
		}
		return r.places[next].off
	}, func(b Block, _ int) bool {
		same = next < len(l.Blocks) && l.Blocks[next].equal(b)
		next++
		return same
	})
	return same && next == len(l.Blocks)
}

func (b Block) equal(o Block) bool {
	return b.Minor == o.Minor && b.Type == o.Type && b.ID == o.ID && b.Index == o.Index &&
		bytes.Equal(b.Padding, o.Padding)
}

// fits reports whether a layout has the blocks of the file's shaders and its opaque blocks. It returns the shader of
// each block, NoShader for a program without a header.
func (f *File) fits(l *Layout) (shaders []int, ok bool) {
	if l == nil {
		return nil, false
	}
	shaders = make([]int, len(l.Blocks))
	last := [len(headerOf)]int{-1, -1, -1}
	headers, opaque, programs := 0, 0, 0
	for i, b := range l.Blocks {
		switch k := b.Type.known(); k.role {
		case opaqueRole:
			opaque++
		case endRole:
			if i != len(l.Blocks)-1 {
				return nil, false
			}
		case headerRole:
			if headers == len(f.Shaders) || f.Shaders[headers].Type != k.shader {
				return nil, false
			}
			shaders[i], last[k.shader] = headers, headers
			headers++
		case programRole, copyRole:
			switch shaders[i] = last[k.shader]; {
			case shaders[i] >= 0:
				programs++
			case f.fragment():
				opaque++
			default:
				return nil, false
			}
		}
	}
	n := len(l.Blocks)
	return shaders, n > 0 && l.Blocks[n-1].Type == End && headers == len(f.Shaders) && opaque == len(f.Opaque) &&
		(programs == f.programs() || f.fragment())
}

// programs returns the number of program blocks of the shaders.
func (f *File) programs() int {
	n := len(f.Shaders)
	for i := range f.Shaders {
		if f.Shaders[i].Type == gx2.Geometry {
			n++
		}
	}
	return n
}
