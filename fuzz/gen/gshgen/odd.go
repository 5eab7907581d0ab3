package gshgen

import (
	"fmt"
	"math"
	"slices"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/wire"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// oddity changes a file so that one rule warns about it, and returns where.
type oddity struct {
	rule   string
	change func(d *drawing) where
	also   []string
}

// where is a place in the file once it is written.
type where func(k *kit) gen.Place

func at(format string, args ...any) where {
	return func(k *kit) gen.Place { return k.Place(fmt.Sprintf(format, args...)) }
}

func wholeFile(k *kit) gen.Place {
	k.Write()
	return gen.Place{Len: len(k.Bytes), Path: "file"}
}

// notCanonical is the rule about the canonical layout. It breaks too when the canonical form omits the part that a rule
// warns about.
var notCanonical = []string{"GSH070"}

// fault is the oddity as the only fault of a file.
func (o oddity) fault() gen.Fault {
	return fault(o.rule, func(k *kit) gen.Place { return o.change(k.drawing)(k) }, o.also...)
}

// contentOddities are about the shaders.
var contentOddities = slices.Concat(ofGX2(gx2gen.ShaderOddities...), ofGX2(gx2gen.RecordOddities...),
	ofGX2(gx2gen.Oddity{Rule: "GX2046", Change: twinNames}), []oddity{
		{"GX2021", func(d *drawing) where {
			v := d.ShaderOf(gx2.Vertex)
			groupOf := func() gsh.Group {
				list := d.f.Groups()
				return list[slices.IndexFunc(list, func(g gsh.Group) bool { return g[gx2.Vertex] == v })]
			}
			group := groupOf()
			for group[gx2.Pixel] == gsh.NoShader && group[gx2.Geometry] == gsh.NoShader {
				d.f.Layout = nil
				d.f.Shaders = append(d.f.Shaders, gsh.Shader{Shader: d.Shader(gx2.Pixel, gx2.ModeBlock, true)})
				group = groupOf()
				d.agree()
			}
			f, pixel, geometry := d.f, group[gx2.Pixel], group[gx2.Geometry]
			for _, i := range group { // so that no other mode is wrong
				if i != gsh.NoShader {
					f.Shaders[i].Blocks, f.Shaders[i].Uniforms = nil, nil
				}
			}
			switch {
			case gen.Only(d.C, false, true): // the modes go together
			case geometry != gsh.NoShader && d.C.Bits(1) == 0:
				f.Shaders[geometry].Mode = gen.Pick(d.C, []gx2.Mode{gx2.ModeRegister, gx2.ModeBlock, gx2.ModeCompute})
			case geometry != gsh.NoShader && pixel != gsh.NoShader && d.C.Bits(1) == 0:
				f.Shaders[pixel].Mode = gen.Pick(d.C, []gx2.Mode{gx2.ModeGeometry, gx2.ModeCompute})
			case geometry != gsh.NoShader:
				f.Shaders[v].Mode = gen.Pick(d.C, []gx2.Mode{gx2.ModeRegister, gx2.ModeBlock, gx2.ModeCompute})
			case d.C.Bits(1) == 0: // equal, but of a group with a geometry shader
				f.Shaders[v].Mode = gen.Pick(d.C, []gx2.Mode{gx2.ModeGeometry, gx2.ModeCompute})
				f.Shaders[pixel].Mode = f.Shaders[v].Mode
			default:
				f.Shaders[v].Mode = 1 - f.Shaders[pixel].Mode&1
			}
			return at("shaders[%d].mode", v)
		}, nil},
		{"GSH007", func(d *drawing) where {
			d.f.Align = uint32(d.C.Wrong(2, math.MaxUint32, 1))
			d.f.Layout = nil
			d.reread()
			return at("header.align")
		}, notCanonical},
		{"GSH065", func(d *drawing) where {
			d.C.OnlyValid()
			i, _ := d.RecordOf(gx2gen.InitialTable)
			return at("shaders[%d].initial_values.count", i)
		}, nil},
	})

// ofGX2 are oddities of any file with shaders.
func ofGX2(list ...gx2gen.Oddity) (own []oddity) {
	for _, o := range list {
		own = append(own, oddity{o.Rule, func(d *drawing) where { return at("%s", o.Change(&d.Holder)) }, nil})
	}
	return own
}

func twinNames(h *gx2gen.Holder) string {
	_, path := h.TwinNames()
	return path
}

// layoutOddities change the order, offsets, ids and tags of blocks and tables.
var layoutOddities = slices.Concat(blockOddities, headerOddities, dataOddities)

var blockOddities = []oddity{
	{"GSH008", func(d *drawing) where {
		gen.Change(d.C, &d.laid().Reserved)
		return at("header.reserved")
	}, notCanonical},
	{"GSH015", func(d *drawing) where {
		i := d.C.Below(len(d.laid().Blocks))
		gen.Change(d.C, &d.f.Layout.Blocks[i].Minor)
		return at("blocks[%d].minor_version", i)
	}, notCanonical},
	{"GSH019", func(d *drawing) where {
		d.laid().Tail = d.Data(gen.Only(d.C, 1+d.C.Below(40), 0))
		return at("tail")
	}, notCanonical},
	{"GSH020", func(d *drawing) where {
		l := d.laid()
		for i := range l.Blocks {
			l.Blocks[i].ID = uint32(i)
		}
		i := 1 + d.C.Below(len(l.Blocks)-1)
		l.Blocks[i].ID = uint32(i) ^ uint32(d.C.Nonzero(math.MaxUint32))
		if slices.IndexFunc(l.Blocks, func(b gsh.Block) bool { return b.ID != 0 }) < 0 {
			l.Blocks[i].ID = math.MaxUint32
		}
		return at("blocks[%d].id", i)
	}, notCanonical},
	{"GSH021", func(d *drawing) where {
		l := d.laid()
		i := d.C.Below(len(l.Blocks))
		n := 0
		for _, b := range l.Blocks[:i] {
			if b.Type == l.Blocks[i].Type {
				n++
			}
		}
		if t := l.Blocks[i].Type; t == gsh.Padding || t == gsh.End {
			n = 0
		}
		right := n - int(l.Blocks[i].Index) // the other one of 0 and n
		l.Blocks[i].Index = uint32(d.C.Wrong(uint64(n+1), math.MaxUint32, uint64(right)))
		return at("blocks[%d].index", i)
	}, notCanonical},
	{"GSH022", func(d *drawing) where {
		i := d.paddingBlock()
		data := d.Data(int(d.C.Within(1, 40)))
		data[d.C.Below(len(data))] |= 1
		data = gen.Breach(d.C, data, make(wire.Hex, len(data)))
		// A multiple of 0x100 leaves the programs where they are aligned.
		d.f.Layout.Blocks[i].Padding = append(data, make([]byte, 0x100-len(data)+len(d.f.Layout.Blocks[i].Padding))...)
		return func(k *kit) gen.Place { return k.data(i) }
	}, notCanonical},
	{"GSH023", func(d *drawing) where {
		d.retight(1)
		i := d.ShaderOf()
		_, programs := blocksOf(d.f, i)
		n := uint32(gen.Breach(d.C, 1+d.C.Below(0xFF), 0))
		p := gen.Pick(d.C, programs)
		d.insert(p, gsh.Block{Type: gsh.Padding, Padding: make(wire.Hex, 0x100-blockSize+int(n))})
		// What is behind it is aligned again, as far as padding lets it.
		for j := p + 2; j < len(d.f.Layout.Blocks); j++ {
			if d.isProgram(j) {
				d.insert(j, gsh.Block{Type: gsh.Padding, Padding: make(wire.Hex, 0x200-blockSize-int(n))})
				break
			}
		}
		return func(k *kit) gen.Place { return k.data(p + 1) }
	}, notCanonical},
	{"GSH024", func(d *drawing) where {
		d.C.OnlyValid()
		d.retight(0)
		i := d.C.Below(len(d.f.Layout.Blocks))
		d.insert(i, gsh.Block{Type: gsh.Padding, Padding: make(wire.Hex, d.Count(3, 0x200))})
		return func(k *kit) gen.Place { return k.blockPlace(i) }
	}, notCanonical},
	{"GSH032", func(d *drawing) where {
		geometry := d.ShaderOf(gx2.Geometry)
		d.retight(0)
		_, programs := blocksOf(d.f, geometry)
		blocks := d.f.Layout.Blocks
		i, j := programs[0], gen.Only(d.C, programs[1], programs[0])
		blocks[i], blocks[j] = blocks[j], blocks[i]
		d.renumber()
		return func(k *kit) gen.Place { return k.blockPlace(i) }
	}, notCanonical},
	{"GSH033", func(d *drawing) where {
		d.C.OnlyValid()
		for _, t := range gx2gen.StageTypes[:2] {
			d.ShaderOf(t)
		}
		d.retight(0)
		// A header moves in front of the programs of the shader before it.
		blocks := d.f.Layout.Blocks
		var firsts []int
		for i := 1; i < len(d.f.Shaders); i++ {
			if d.f.Shaders[i].Type != d.f.Shaders[i-1].Type {
				firsts = append(firsts, i)
			}
		}
		i := gen.Pick(d.C, firsts)
		header, _ := blocksOf(d.f, i)
		before, programs := blocksOf(d.f, i-1)
		moved := blocks[header]
		blocks = slices.Insert(slices.Delete(blocks, header, header+1), before+1, moved)
		d.f.Layout.Blocks = blocks
		d.renumber()
		return func(k *kit) gen.Place { return k.blockPlace(programs[0] + 1) }
	}, []string{"GSH070", "GSH033"}},
	{"GSH070", func(d *drawing) where {
		l := d.laid()
		for i := range l.Blocks { // ids of the other style
			l.Blocks[i].ID = uint32(i) * uint32(gen.Only(d.C, d.f.Style, gsh.StyleN-d.f.Style))
		}
		return wholeFile
	}, nil},
}

// renumber gives all blocks the ids of their places, or 0.
func (d *drawing) renumber() {
	for i := range d.f.Layout.Blocks {
		d.f.Layout.Blocks[i].ID = uint32(i) * uint32(gsh.StyleN-d.f.Style)
	}
}

// insert puts a block in front of block i.
func (d *drawing) insert(i int, b gsh.Block) {
	l := d.laid()
	l.Blocks = slices.Insert(l.Blocks, i, b)
	d.renumber()
}

// retight gives the file an align mode and its canonical layout.
func (d *drawing) retight(align uint32) {
	opaque := d.f.Opaque
	d.f.Opaque, d.f.Align, d.f.Layout = nil, align, nil
	if opaque != nil {
		d.f = d.f.Canonical()
	}
	if len(d.f.Shaders) == 0 {
		d.ShaderOf()
	}
	d.reread()
}

func (d *drawing) isProgram(i int) bool {
	return slices.Contains([]gsh.BlockType{gsh.VertexProgram, gsh.PixelProgram, gsh.GeometryProgram, gsh.CopyProgram},
		d.f.Layout.Blocks[i].Type)
}

// paddingBlock returns the index of a padding block. It adds one if the file has none.
func (d *drawing) paddingBlock() int {
	d.retight(1)
	for i, b := range d.f.Layout.Blocks {
		if b.Type == gsh.Padding {
			return i
		}
	}
	for i := range d.f.Layout.Blocks {
		if d.isProgram(i) {
			d.insert(i, gsh.Block{Type: gsh.Padding, Padding: make(wire.Hex, 0x200-blockSize)})
			return i
		}
	}
	panic("gshgen: no program")
}

// anyOpaque draws the type of a block that is kept as bytes.
func anyOpaque(d *drawing) gsh.BlockType { return gsh.BlockType(d.C.Within(11, 16)) }

// addOpaque adds an opaque block, where it separates no header from its program, and
// returns its index.
func (d *drawing) addOpaque(t gsh.BlockType) int {
	d.laid()
	at := []int{len(d.f.Layout.Blocks) - 1}
	for i, b := range d.f.Layout.Blocks {
		if b.Type == gsh.VertexHeader && i > 0 && !d.open(i) {
			at = append(at, i)
		}
	}
	i := gen.Pick(d.C, at)
	before := 0
	for _, b := range d.f.Layout.Blocks[:i] {
		if b.Type.Opaque() {
			before++
		}
	}
	d.f.Opaque = slices.Insert(d.f.Opaque, before, wire.Hex(d.Data(0x100*d.Count(1, 2)+0x100-blockSize)))
	d.insert(i, gsh.Block{Type: t, Index: d.Number()})
	return i
}

// open reports whether the header in front of block i still waits for a program.
func (d *drawing) open(i int) bool {
	for k := range d.f.Shaders {
		header, programs := blocksOf(d.f, k)
		if header < i && programs[len(programs)-1] >= i {
			return true
		}
	}
	return false
}

var opaqueOddities = []oddity{
	{"GSH017", func(d *drawing) where {
		wrong := gen.Pick(d.C, []uint32{0, 4, 17, 18, math.MaxUint32, uint32(d.C.Within(17, math.MaxUint32))})
		i := d.addOpaque(gsh.BlockType(gen.Breach(d.C, wrong, 16)))
		return at("blocks[%d].type", i)
	}, []string{"GSH025"}}, // it is opaque
	{"GSH025", func(d *drawing) where {
		d.C.OnlyValid()
		i := d.addOpaque(anyOpaque(d))
		return func(k *kit) gen.Place { return k.blockPlace(i) }
	}, nil},
}

// noShaders is no oddity of a model: others need a shader.
var noShaders = fault("GSH034", func(k *kit) gen.Place {
	k.C.OnlyValid()
	k.f.Shaders = nil
	k.f.Style = gsh.StyleD
	return wholeFile(k)
})
