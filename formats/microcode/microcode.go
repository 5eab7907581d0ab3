// Package microcode serves this module: it finds the programs of GX2 shaders in files, and says what package latte
// needs to know about the shaders.
package microcode

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/latte"
)

// Program is the program of a shader.
type Program struct {
	Path   string // of the code: "shaders[0].code"
	Stage  latte.Stage
	Code   []byte
	owner  string      // the path of the shader
	shader *gx2.Shader // nil if it is in another file
	little bool        // it is in a little-endian file
}

// Word splits the path of a word of a program: "shaders[0].code[32]" is word 32 of "shaders[0].code".
func Word(path string) (program string, word int, ok bool) {
	at := strings.LastIndexByte(path, '[')
	if at < 0 || !placeFields[path[strings.LastIndexByte(path[:at], '.')+1:at]] {
		return "", 0, false
	}
	word, err := strconv.Atoi(strings.TrimSuffix(path[at+1:], "]"))
	return path[:at], word, err == nil
}

// Of returns the programs of a model, the *File of a format. ok is false for a format without GX2 shaders.
func Of(model any) (list []Program, ok bool) {
	switch f := model.(type) {
	case *gsh.File:
		for i := range f.Shaders {
			list = appendPrograms(list, fmt.Sprintf("shaders[%d]", i), &f.Shaders[i].Shader, false)
		}
		if slices.Contains(f.Leniencies, gsh.Fragment) {
			list = appendLone(list, f)
		}
	case *sharcfb.File:
		for i := range f.Binaries {
			little := f.Endian == sharcfb.Little
			list = appendPrograms(list, fmt.Sprintf("binaries[%d]", i), &f.Binaries[i].Shader, little)
		}
	default:
		return nil, false
	}
	return list, true
}

// loneStages are the stages of programs whose headers are in another file.
var loneStages = map[gsh.BlockType]latte.Stage{
	gsh.VertexProgram: latte.Vertex, gsh.PixelProgram: latte.Pixel, gsh.GeometryProgram: latte.Geometry,
	gsh.CopyProgram: latte.Copy,
}

// appendLone appends the programs of a fragment that no shader has.
func appendLone(list []Program, f *gsh.File) []Program {
	b, err := f.AppendBinary(nil)
	if err != nil {
		return list // the regions are nil, too
	}
	places := map[string]diag.Region{}
	for _, r := range f.Regions() {
		places[r.Path] = r
	}
	for i := range f.Layout.Blocks {
		stage, ok := loneStages[f.Layout.Blocks[i].Type]
		owner := fmt.Sprintf("blocks[%d]", i)
		path := owner + ".data"
		r, lone := places[path]
		// An empty program has no region. It is lone, as a shader has code.
		empty := binary.BigEndian.Uint32(b[places[owner+".size"].Off:]) == 0
		if ok && (lone || empty) {
			list = append(list, Program{Path: path, Stage: stage, Code: b[r.Off : r.Off+r.Len], owner: owner})
		}
	}
	return list
}

// stages are the stages of shader types.
var stages = map[gx2.Type]latte.Stage{
	gx2.Vertex: latte.Vertex, gx2.Pixel: latte.Pixel, gx2.Geometry: latte.Geometry,
}

// appendPrograms appends the programs that a shader has; parts of a fragment have none.
func appendPrograms(list []Program, owner string, s *gx2.Shader, little bool) []Program {
	if s.Code != nil {
		list = append(list, Program{owner + ".code", stages[s.Type], s.Code, owner, s, little})
	}
	if s.CopyCode != nil {
		list = append(list, Program{owner + ".copy_code", latte.Copy, s.CopyCode, owner, s, little})
	}
	return list
}
