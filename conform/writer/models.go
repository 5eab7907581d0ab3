package writer

import (
	"errors"
	"strconv"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// maxChoices limits the number of choices of an archive that are tried.
const maxChoices = 256

// compareModels compares the input of a converter with its output. If one of them has several
// programs and the other one, the one is compared with the most similar of the several.
func compareModels(in, out convert.Model) (diff.Result, error) {
	switch a := in.(type) {
	case *sharcfb.File:
		if b, ok := out.(*gsh.File); ok {
			return nearest(convert.Choices(a), func(o convert.Options) (diff.Result, error) {
				variation, err := variationOf(a, o)
				if err != nil {
					return diff.Result{}, err
				}
				return diff.Models(variation, shadersOf(b), convert.Options{})
			})
		}
	case *gsh.File:
		if b, ok := out.(*sharcfb.File); ok {
			return comparePrograms(a, b)
		}
	}
	if from, _, target, ok := convert.Common(in, out); ok && from == out {
		return compareBack(in, out, target)
	}
	r, err := diff.Models(in, out, convert.Options{})
	if !errors.Is(err, convert.ErrChoice) {
		return r, err
	}
	choices := convert.Choices(in)
	if more := convert.Choices(out); len(more) > len(choices) {
		choices = more
	}
	return nearest(choices, func(o convert.Options) (diff.Result, error) {
		if !convert.IsArchive(in) && !convert.IsArchive(out) {
			o.Shader = ""
		}
		return diff.Models(in, out, o)
	})
}

// compareBack compares input and output in the format of the input, which represents less:
// content without a place in the other format is not required.
func compareBack(in, out convert.Model, source convert.Target) (r diff.Result, err error) {
	there, ok := convert.TargetOf(out)
	if !ok {
		return r, convert.ErrSource
	}
	held, _, err := there.Convert(in, convert.Options{})
	if err != nil {
		return r, err
	}
	var back [2]convert.Model
	for k, m := range []convert.Model{held, out} {
		if back[k], _, err = source.Convert(m, convert.Options{}); err != nil {
			return r, err
		}
	}
	return diff.Models(back[0], back[1], convert.Options{})
}

// nearest returns the comparison with the fewest differences.
func nearest(choices []convert.Options,
	compare func(o convert.Options) (diff.Result, error)) (best diff.Result, err error) {
	err = convert.ErrChoice
	for _, o := range choices[:min(len(choices), maxChoices)] {
		r, e := compare(o)
		if e == nil && (err != nil || len(r.Differences)+r.More < len(best.Differences)+best.More) {
			best, err = r, nil
		}
		if err == nil && best.Same() {
			break
		}
	}
	return best, err
}

// comparePrograms compares the shaders of a .gsh with the shaders of the archive that was made
// of it, which has one program for each group of shaders.
func comparePrograms(in *gsh.File, out *sharcfb.File) (diff.Result, error) {
	toArchive, _ := convert.To("sharcfb")
	archive, _, err := toArchive(in, convert.Options{})
	if err != nil {
		return diff.Result{}, err
	}
	want, got := archive.(*sharcfb.File), out
	if a, b := len(want.Programs), len(got.Programs); a != b {
		return diff.Result{Differences: []diff.Difference{{Path: "programs", A: strconv.Itoa(a), B: strconv.Itoa(b)}}},
			nil
	}
	for i := range want.Programs {
		programs := [2]*gsh.File{}
		for k, f := range []*sharcfb.File{want, got} {
			one := *f
			one.Programs = f.Programs[i : i+1]
			if programs[k], err = variationOf(&one, convert.Options{Entry: "0"}); err != nil {
				return diff.Result{}, err
			}
		}
		if r, err := diff.Models(programs[0], programs[1], convert.Options{}); err != nil || !r.Same() {
			return r, err
		}
	}
	return diff.Result{}, nil
}

// variationOf returns the shaders of a variation.
func variationOf(f *sharcfb.File, o convert.Options) (*gsh.File, error) {
	toGSH, _ := convert.To("gsh")
	m, _, err := toGSH(f, o)
	if err != nil {
		return nil, err
	}
	return shadersOf(m.(*gsh.File)), nil
}

// shadersOf returns the shaders of a .gsh without data of the container.
func shadersOf(f *gsh.File) *gsh.File {
	g := &gsh.File{Style: f.Style}
	for i := range f.Shaders {
		g.Shaders = append(g.Shaders, gsh.Shader{Shader: f.Shaders[i].Shader.Canonical()})
	}
	return g
}

// represents reports whether a format can represent a model.
func represents(format string, m convert.Model) bool {
	to, ok := convert.To(format)
	if !ok {
		return false
	}
	_, _, err := to(m, convert.Options{})
	return err == nil
}
