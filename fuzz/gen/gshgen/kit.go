package gshgen

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// Sizes of the container.
const (
	headerSize  = 0x20
	blockSize   = 0x20
	trailerSize = 0x28
)

// kit spoils a file.
type kit struct {
	*drawing
	gx2gen.Fields
}

func newKit(c *gen.Choices) *kit {
	k := &kit{drawing: newDrawing(c)}
	k.New = func() *gen.Draft {
		k.reread()
		return gen.NewDraft(gen.Unchecked(k.f), binary.BigEndian, k.f.Regions())
	}
	return k
}

// block returns the path of block i.
func block(i int) string { return fmt.Sprintf("blocks[%d]", i) }

// blockPlace returns the place of block i with its data.
func (k *kit) blockPlace(i int) gen.Place {
	return gen.Place{Off: k.Off(block(i) + ".magic"), Len: blockSize + int(k.Get(block(i)+".size")), Path: block(i)}
}

// data returns the place of the data of block i.
func (k *kit) data(i int) gen.Place {
	at := k.blockPlace(i)
	return gen.Place{Off: at.Off + blockSize, Len: at.Len - blockSize, Path: at.Path + ".data"}
}

// last returns the index of the end block.
func (k *kit) last() int {
	k.Write()
	return len(k.f.Layout.Blocks) - 1
}

// blocksOf returns the header of shader i and its programs, as indices of blocks.
func blocksOf(f *gsh.File, i int) (header int, programs []int) {
	last := map[gsh.BlockType]int{}
	next := 0
	for n, b := range f.Layout.Blocks {
		switch t := b.Type; t {
		case gsh.VertexHeader, gsh.PixelHeader, gsh.GeometryHeader:
			if next == i {
				header = n
			}
			last[t] = next
			next++
		case gsh.VertexProgram, gsh.PixelProgram, gsh.GeometryProgram, gsh.CopyProgram:
			of := map[gsh.BlockType]gsh.BlockType{
				gsh.VertexProgram: gsh.VertexHeader, gsh.PixelProgram: gsh.PixelHeader,
				gsh.GeometryProgram: gsh.GeometryHeader, gsh.CopyProgram: gsh.GeometryHeader,
			}[t]
			if s, ok := last[of]; ok && s == i {
				programs = append(programs, n)
			}
		}
	}
	return header, programs
}

// header returns the block of shader i.
func (k *kit) header(i int) int {
	k.Write()
	header, _ := blocksOf(k.f, i)
	return header
}

// programs returns the program blocks of shader i.
func (k *kit) programs(i int) []int {
	k.Write()
	_, programs := blocksOf(k.f, i)
	return programs
}

// splice replaces n bytes at off by others. Fields in front are where they were.
func (k *kit) splice(off, n int, with ...byte) {
	k.Bytes = slices.Replace(k.Bytes, off, off+n, with...)
}

// fault is a way to break a rule. spoil returns the place of the finding.
func fault(rule string, spoil func(k *kit) gen.Place, also ...string) gen.Fault {
	valid := func(k *kit) []byte { return gen.Unchecked(k.f) }
	return gen.Kit[*kit]{New: newKit, Bytes: valid}.Raw(rule, func(k *kit) ([]byte, gen.Place) {
		at := spoil(k)
		k.Write()
		return k.Bytes, at
	}, also...)
}

// wrong breaks a rule by the value of one field of an element, which element finds.
func wrong(rule string, element func(k *kit) string, field string, value gen.Value, also ...string) gen.Fault {
	return wrongIn(rule, element, field, func(*kit, string) gen.Value { return value }, also...)
}

// wrongIn is wrong with a value that depends on the element.
func wrongIn(rule string, element func(k *kit) string, field string,
	value func(k *kit, element string) gen.Value, also ...string) gen.Fault {
	return fault(rule, func(k *kit) gen.Place {
		element := element(k)
		k.Write()
		return k.spoil(element+"."+field, value(k, element))
	}, also...)
}

// spoil gives a field a wrong value, for which only the old one is right.
func (k *kit) spoil(path string, value gen.Value) gen.Place {
	k.Write()
	return k.Break(k.C, k.Field(path), value, nil)
}

// ofPair is a fault of a count or of the offset behind it, reported at both.
func ofPair(f gen.Fault) gen.Fault {
	spoil := f.Spoil
	f.Spoil = func(c *gen.Choices) ([]byte, gen.Place) {
		b, at := spoil(c)
		if table, ok := strings.CutSuffix(at.Path, ".offset"); ok {
			at.Off, at.Path = at.Off-at.Len, table+".count"
		}
		at.Len *= 2
		return b, at
	}
	return f
}
