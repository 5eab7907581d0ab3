package gsh

import (
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/formats/gx2"
)

// ErrNoCode is the error of Code about a stage that the group lacks.
var ErrNoCode = errors.New("no such code")

// CopyStage names the copy program of a geometry shader.
const CopyStage = "copy"

// Group is a set of shaders that are used together: an index of Shaders for each type, NoShader for a type without a
// shader.
type Group [len(headerOf)]int

// NoShader is the index of a shader that a group does not have.
const NoShader = -1

// Groups lists the shaders that are used together: the first vertex, pixel and
// geometry shader, then the second of each type, and so on (wut).
func (f *File) Groups() []Group {
	return groups(len(f.Shaders), func(i int) gx2.Type { return f.Shaders[i].Type })
}

// groups groups n shaders of the types that kind returns.
func groups(n int, kind func(i int) gx2.Type) (list []Group) {
	var ordinals [len(headerOf)]int
	for i := range n {
		t := kind(i)
		k := ordinals[t]
		ordinals[t]++
		if k == len(list) {
			list = append(list, Group{NoShader, NoShader, NoShader})
		}
		list[k][t] = i
	}
	return list
}

// Code returns the code of a stage of a group: "vertex", "pixel", "geometry" or
// "copy". The error wraps ErrNoCode.
func (f *File) Code(group int, stage string) ([]byte, error) {
	list := f.Groups()
	if group < 0 || group >= len(list) {
		return nil, fmt.Errorf("gsh: no group %d of %d: %w", group, len(list), ErrNoCode)
	}
	for t, i := range list[group] {
		switch {
		case i == NoShader:
		case gx2.Type(t).String() == stage && f.Shaders[i].Code != nil:
			return f.Shaders[i].Code, nil
		case gx2.Type(t) == gx2.Geometry && stage == CopyStage && f.Shaders[i].CopyCode != nil:
			return f.Shaders[i].CopyCode, nil
		}
	}
	return nil, fmt.Errorf("gsh: group %d has no stage %q: %w", group, stage, ErrNoCode)
}
