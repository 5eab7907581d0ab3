package gshgen

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/gx2gen"
)

// Faults has the oddities and the ways to break a rule of severity Error.
var Faults = sync.OnceValue(allFaults)

func allFaults() (list []gen.Fault) {
	for _, o := range slices.Concat(contentOddities, layoutOddities, opaqueOddities) {
		list = append(list, o.fault())
	}
	return gen.FieldFaults[gsh.Option]{
		Rules: fields, File: File, Outline: gsh.Outline, Big: func([]byte) bool { return true },
		Also: notCanonical,
	}.With(slices.Concat(list, []gen.Fault{noShaders}, containerFaults, pairFaults, trailerFaults, patchFaults,
		shaderFaults(), tableFaults, meaningFaults()))
}

// meaningFaults break the rules about structures against each other.
func meaningFaults() (list []gen.Fault) {
	for _, b := range gx2gen.Breaches {
		f := fault(b.Rule, func(k *kit) gen.Place { return b.Spoil(&k.Holder, &k.Fields) })
		f.Milder = b.Milder
		list = append(list, f)
	}
	return list
}

func header(*kit) string { return "header" }

// aBlock draws a block; padding one of padding, program a program.
func aBlock(k *kit) string { return block(k.C.Below(k.last() + 1)) }

func padding(k *kit) string { return block(k.paddingBlock()) }

func program(k *kit) string { return block(gen.Pick(k.C, k.programs(k.ShaderOf()))) }

// cut ends the file at an offset of the end block.
func (k *kit) cut(n uint64) gen.Place {
	end := k.blockPlace(k.last())
	k.Bytes = k.C.Cut(k.Bytes, end.Off+int(n))
	return gen.Place{Off: end.Off, Len: int(n), Path: end.Path}
}

// behindOld are the rules that speak of a program of an old version: its header has
// none, the copy program behind it comes too early and behind another block, and
// programs of its type are counted without it.
var behindOld = []string{"GSH031", "GSH032", "GSH033", "GSH021"}

// containerFaults break GSH001 to GSH018.
var containerFaults = []gen.Fault{
	fault("GSH001", func(k *kit) gen.Place {
		k.Write()
		k.Bytes = k.C.Cut(k.Bytes, int(k.C.Within(0, headerSize-1)))
		return gen.Place{Len: len(k.Bytes), Path: "header"}
	}),
	wrong("GSH003", header, "header_size", gen.Other),
	wrong("GSH004", header, "major_version", gen.Other),
	wrong("GSH004", header, "major_version", gen.OneOf(6)),
	wrong("GSH005", header, "minor_version", gen.Other),
	wrong("GSH006", header, "gpu_version", gen.Other),
	fault("GSH010", func(k *kit) gen.Place { return k.cut(k.C.Within(1, blockSize-1)) }),
	fault("GSH011", func(k *kit) gen.Place { return k.cut(0) }),
	wrong("GSH013", aBlock, "header_size", gen.Other),
	wrong("GSH014", program, "major_version", gen.Other, behindOld...),
	wrong("GSH014", program, "major_version", gen.OneOf(0), behindOld...),
	wrong("GSH014", padding, "major_version", gen.Other, behindOld...),
	fault("GSH016", func(k *kit) gen.Place {
		i := k.C.Below(k.last() + 1)
		rest := uint64(len(k.Bytes) - k.data(i).Off)
		return k.spoil(block(i)+".size", gen.Between(rest+1, math.MaxUint32))
	}),
	fault("GSH018", func(k *kit) gen.Place {
		end := k.last()
		data := k.Data(gen.Only(k.C, 1+k.C.Below(40), 0))
		k.Bytes = append(k.Bytes, data...)
		k.Set(block(end)+".size", uint32(len(data)))
		return k.Place(block(end) + ".size")
	}),
}

// moved are the rules about numbers and places of the blocks behind one that was
// put in.
var moved = []string{"GSH020", "GSH021", "GSH023", "GSH033"}

// pairFaults break GSH030 and GSH031.
var pairFaults = []gen.Fault{
	// A second program.
	fault("GSH030", func(k *kit) gen.Place {
		k.C.OnlyValid()
		at := k.blockPlace(gen.Pick(k.C, k.programs(k.ShaderOf())))
		k.splice(at.Off+at.Len, 0, slices.Clone(k.Bytes[at.Off:at.Off+at.Len])...)
		var i int
		fmt.Sscanf(at.Path, "blocks[%d]", &i)
		return gen.Place{Off: at.Off + at.Len, Len: at.Len, Path: block(i + 1)}
	}, moved...),
	// A program in front of all headers.
	fault("GSH030", func(k *kit) gen.Place {
		k.C.OnlyValid()
		at := k.blockPlace(gen.Pick(k.C, k.programs(k.ShaderOf())))
		k.splice(headerSize, 0, slices.Clone(k.Bytes[at.Off:at.Off+at.Len])...)
		return gen.Place{Off: headerSize, Len: at.Len, Path: block(0)}
	}, moved...),
	// A program that is gone.
	fault("GSH031", func(k *kit) gen.Place {
		k.C.OnlyValid()
		i := k.ShaderOf()
		at := k.blockPlace(gen.Pick(k.C, k.programs(i)))
		lost := k.blockPlace(k.header(i))
		k.splice(at.Off, at.Len)
		return lost
	}, append([]string{"GSH032"}, moved...)...), // of a copy program alone
	// The header of another shader in front of the program.
	fault("GSH031", func(k *kit) gen.Place {
		k.C.OnlyValid()
		i := k.ShaderOf()
		lost, behind := k.blockPlace(k.header(i)), k.blockPlace(k.programs(i)[0])
		k.splice(behind.Off, 0, slices.Clone(k.Bytes[lost.Off:lost.Off+lost.Len])...)
		return lost
	}, append([]string{"GX2021", "GX2064", "GX2069"}, moved...)...), // the fault adds a shader
}

// trailer draws the trailer of a shader.
func trailer(k *kit) string { return fmt.Sprintf("shaders[%d].trailer", k.ShaderOf()) }

// structure is the size of the structure of the shader that a path begins with.
func (k *kit) structure(path string) uint64 {
	var i int
	fmt.Sscanf(path, "shaders[%d]", &i)
	return k.f.Shaders[i].Type.Size()
}

// bare draws the trailer of a shader. In a near miss the shader has no tables, so that text and
// patch list are right behind the structure.
func bare(k *kit) string {
	i := k.ShaderOf()
	if s := &k.f.Shaders[i].Shader; k.C.Near() {
		s.Blocks, s.Uniforms, s.InitialValues, s.Loops, s.Samplers, s.Attributes = nil, nil, nil, nil, nil, nil
		s.Layout = nil
	}
	return fmt.Sprintf("shaders[%d].trailer", i)
}

const (
	dataTag = 0xD06 << 20
	nameTag = 0xCA7 << 20
	offsets = 1<<20 - 1
)

// inStructure draws a pointer into the structure of a shader.
func inStructure(tag uint64) func(k *kit, element string) gen.Value {
	return func(k *kit, element string) gen.Value { return gen.Between(tag, tag+k.structure(element)-1) }
}

// otherTag draws a pointer to the same place with a tag other than some.
func otherTag(right ...uint32) gen.Value {
	return func(c *gen.Choices, d *gen.Draft, r gen.Place) uint64 {
		return uint64(anotherTag(c, right...)) | d.Number(r)&offsets
	}
}

// anotherTag draws a tag other than some.
func anotherTag(c *gen.Choices, right ...uint32) uint32 {
	tag := uint32(c.Within(0, 0xFFF)) << 20
	for slices.Contains(right, tag) {
		tag += 1 << 20
	}
	return tag
}

// trailerFaults break GSH040 to GSH050.
var trailerFaults = []gen.Fault{
	fault("GSH040", func(k *kit) gen.Place {
		i := k.ShaderOf()
		k.Write()
		at := k.data(k.header(i))
		n := gen.Only(k.C, int(k.C.Within(0, k.f.Shaders[i].Type.Size()+trailerSize-1)), at.Len)
		size := block(k.header(i)) + ".size"
		k.Set(size, uint32(n))
		k.splice(at.Off+n, at.Len-n)
		return k.Place(size)
	}, "GSH023"), // programs behind it move
	wrong("GSH042", trailer, "size", gen.Other),
	wrong("GSH044", trailer, "data_offset", otherTag(dataTag)),
	wrong("GSH044", trailer, "text_offset", otherTag(dataTag)),
	wrong("GSH044", trailer, "patch_offset", otherTag(dataTag)),
	wrong("GSH045", trailer, "data_offset", gen.Between(dataTag+1, dataTag+offsets)),
	wrongIn("GSH046", bare, "patch_offset", inStructure(dataTag)),
	wrongIn("GSH046", trailer, "patch_offset", func(k *kit, trailer string) gen.Value {
		room := uint64(k.Off(trailer+".magic")-k.data(k.headerOf(trailer)).Off) - 4*uint64(k.Get(trailer+".patch_count"))
		return gen.Between(dataTag+room+1, dataTag+offsets)
	}),
	fault("GSH046", func(k *kit) gen.Place {
		trailer := trailer(k)
		room := uint64(k.Off(trailer+".magic")-k.data(k.headerOf(trailer)).Off) - uint64(
			k.Get(trailer+".patch_offset")&offsets)
		k.spoil(trailer+".patch_count", gen.Between(room/4+1, math.MaxUint32))
		return k.Place(trailer + ".patch_offset")
	}),
	wrong("GSH048", trailer, "data_size", gen.Other),
	wrongIn("GSH049", bare, "text_offset", inStructure(dataTag)),
	fault("GSH049", func(k *kit) gen.Place {
		trailer := trailer(k)
		k.spoil(trailer+".text_size", gen.Other)
		return k.Place(trailer + ".text_offset")
	}),
	wrong("GSH050", trailer, "patch_base", gen.Between(1, math.MaxUint32)),
}

// headerOf returns the header block of the shader that a path begins with.
func (k *kit) headerOf(path string) int {
	var i int
	fmt.Sscanf(path, "shaders[%d]", &i)
	return k.header(i)
}
