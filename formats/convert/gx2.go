package convert

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// ErrNoGX2 is the error of [GX2Target.Convert] for other files.
var ErrNoGX2 = errors.New("holds no GX2 shaders")

// GX2Target is a container of GX2 shaders that can be converted to. A
// conversion keeps registers, tables and code of each shader.
type GX2Target struct {
	Name  string
	write func(model Model, o Options, r *Report) (Model, error)
}

// GX2Targets lists the containers of GX2 shaders in the order of their names.
var GX2Targets = []GX2Target{{"gsh", toGSH}, {"sharcfb", toSHARCFB}}

// GX2ByName returns the target called name.
func GX2ByName(name string) (GX2Target, bool) {
	i := slices.IndexFunc(GX2Targets, func(t GX2Target) bool { return t.Name == name })
	if i < 0 {
		return GX2Target{}, false
	}
	return GX2Targets[i], true
}

// To returns the conversion to a target of either kind, by its name.
func To(name string) (convert func(Model, Options) (Model, Report, error), ok bool) {
	if t, ok := GX2ByName(name); ok {
		return t.Convert, true
	}
	t, ok := ByName(name)
	return t.Convert, ok
}

// Convert returns a GSH or SHARCFB in the target's format. A GSH holds one variation
// of a program: the options name the program (Shader) and the variation (Entry). A
// model of the target's format is returned unchanged.
//
// Convert returns a [RefusedError] when the target cannot hold the source, or
// an error that wraps [ErrNoGX2] or [ErrChoice].
func (t GX2Target) Convert(model Model, o Options) (Model, Report, error) {
	var r Report
	result, err := t.write(model, o, &r)
	if err != nil {
		return nil, nil, err
	}
	if _, err := result.AppendBinary(nil); err != nil {
		return nil, nil, unheld(err, func(path string) string { return path })
	}
	return result, r, nil
}

// toGSH returns the shaders of a variation.
func toGSH(model Model, o Options, r *Report) (Model, error) {
	var f *sharcfb.File
	switch m := model.(type) {
	case *gsh.File:
		return m, nil
	case *sharcfb.File:
		f = m
	default:
		return nil, fmt.Errorf("%T %w", model, ErrNoGX2)
	}
	program, variation, err := chooseVariation(f, o)
	if err != nil {
		return nil, err
	}
	p := &f.Programs[program]
	g := &gsh.File{Style: archiveStyle}
	var chosen []int
	for stage := range p.Kind.Stages() {
		i := p.Binary(variation, stage)
		chosen = append(chosen, i)
		g.Shaders = append(g.Shaders, gsh.Shader{Shader: f.Binaries[i].Shader.Canonical()})
	}
	if err := lostArchive(f, program, variation, chosen, r); err != nil {
		return nil, err
	}
	r.invented("style", g.Style.String(), "an archive has no patch lists; this is the form of gshCompile")
	return g, nil
}

// chooseVariation returns the indices of the chosen program and variation. Without a
// choice the archive must hold one program, and the program one variation.
func chooseVariation(f *sharcfb.File, o Options) (program, variation int, err error) {
	names := make([]string, len(f.Programs))
	program = -1
	for i := range f.Programs {
		name := string(f.Programs[i].Name)
		names[i] = strconv.Quote(name)
		if program < 0 && (name == o.Shader && o.Shader != "" || o.Shader == "" && len(f.Programs) == 1) {
			program = i
		}
	}
	if len(f.Programs) == 0 {
		return 0, 0, refuse("programs", "the archive has none")
	}
	if program < 0 {
		return 0, 0, choiceError("program", o.Shader, names)
	}
	n := f.Programs[program].Variations()
	if o.Entry == "" && n == 1 {
		return program, 0, nil
	}
	if variation, err = strconv.Atoi(o.Entry); err != nil || variation < 0 || variation >= n {
		return 0, 0, choiceError("variation", o.Entry, []string{"0 to " + strconv.Itoa(n-1)})
	}
	return program, variation, nil
}

// archiveStyle is the style of a GSH made from an archive: gshCompile's,
// because archives hold shaders compiled by gshCompile.
const archiveStyle = gsh.StyleN

// toSHARCFB returns a big-endian archive with one program, without macros and
// symbols, for each group of shaders that are used together.
func toSHARCFB(model Model, _ Options, r *Report) (Model, error) {
	var f *gsh.File
	switch m := model.(type) {
	case *sharcfb.File:
		return m, nil
	case *gsh.File:
		f = m
	default:
		return nil, fmt.Errorf("%T %w", model, ErrNoGX2)
	}
	for i := range f.Shaders {
		if len(f.Shaders[i].InitialValues) > 0 {
			return nil, refuse(item("shaders", i, "initial_values"), "a SHARCFB has none (GX2034)")
		}
	}
	groups := f.Groups()
	for k, group := range groups {
		if group[gx2.Vertex] == gsh.NoShader || group[gx2.Pixel] == gsh.NoShader {
			return nil, refuse("shaders",
				"group %d has no vertex or no pixel shader, and a program has both (SHARC031)", k)
		}
	}
	if err := lostContainer(f, groups, r); err != nil {
		return nil, err
	}
	a := &sharcfb.File{Endian: sharcfb.Big}
	r.invented("name", `""`, "a .gsh has no name")
	for k, group := range groups {
		p := sharcfb.Program{Name: wire.Text("program" + strconv.Itoa(k)), Kind: sharcfb.VertexPixel,
			BaseIndex: uint32(len(a.Binaries))}
		if group[gx2.Geometry] != gsh.NoShader {
			p.Kind = sharcfb.VertexPixelGeometry
		}
		r.invented(item("programs", k, "name"), quote(string(p.Name)),
			"a .gsh has no names of programs")
		r.invented(item("programs", k, "symbols"), "none",
			"a .gsh has no ids, default values and enable bytes of symbols")
		for stage := range p.Kind.Stages() {
			a.Binaries = append(a.Binaries, sharcfb.Binary{Shader: f.Shaders[group[stage]].Shader.Canonical()})
		}
		a.Programs = append(a.Programs, p)
	}
	return a, nil
}
