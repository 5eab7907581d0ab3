package gsh

import (
	"errors"
	"fmt"

	"github.com/picaproof/picaproof/formats/gx2"
)

// ErrNoCode is the error of Code for a stage that there is not.
var ErrNoCode = errors.New("no such code")

// CopyStage names the copy program of a geometry shader.
const CopyStage = "copy"

// Groups lists the shaders that are used together, as indices of Shaders: the first
// vertex, pixel and geometry shader, then the second of each type, and so on (wut).
func (f *File) Groups() (groups [][]int) {
	var ordinals [len(headerOf)]int
	for i := range f.Shaders {
		k := &ordinals[f.Shaders[i].Type]
		if *k == len(groups) {
			groups = append(groups, nil)
		}
		groups[*k] = append(groups[*k], i)
		*k++
	}
	return groups
}

// Code returns the code of a stage of a group: "vertex", "pixel", "geometry" or
// "copy". The error wraps ErrNoCode.
func (f *File) Code(group int, stage string) ([]byte, error) {
	groups := f.Groups()
	if group < 0 || group >= len(groups) {
		return nil, fmt.Errorf("gsh: no group %d of %d: %w", group, len(groups), ErrNoCode)
	}
	for _, i := range groups[group] {
		switch s := &f.Shaders[i]; {
		case s.Type.String() == stage:
			return s.Code, nil
		case s.Type == gx2.Geometry && stage == CopyStage:
			return s.CopyCode, nil
		}
	}
	return nil, fmt.Errorf("gsh: group %d has no stage %q: %w", group, stage, ErrNoCode)
}
